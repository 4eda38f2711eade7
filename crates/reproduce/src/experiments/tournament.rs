//! [boskovic-2010] and [erk-2008]: the tuned and the initial evaluation in a tournament with other programs.

use vidmar_arena::Rules;
use vidmar_chess::Outcome;
use vidmar_rating::{Games, Options, rate};

use crate::error::ReproduceError;
use crate::experiment::{Experiment, Reading};
use crate::figure::Figure;
use crate::plan::Plan;
use crate::published::{self, number};
use crate::report::{Comparison, List, Section, Table, number as shown};
use crate::results::Results;
use crate::step::Step;
use crate::work::{
    MatchStep, Seat,
    matches::{agreed_draw, agreed_lead},
};

pub(crate) const EXPERIMENT: Experiment = Experiment {
    name: "tournament",
    source: "boskovic-2010",
    what: "The published tuned evaluation and an untuned one in a tournament with Debian's engines at a sixtieth of the published clock",
    claim: "at 40 moves in 5 minutes the tuned program is 149 Elo above the initial one (164 with ratings inside the loop), between Crafty 21.6 and GNU Chess 5.07",
    seeds: 1,
    readings: &[
        Reading {
            open: "the tuned individual",
            ours: "the vector that the work prints, `published-narrow`, in our search",
            other: "`vidmar match` with `engine:eval=FILE` of a run of tuning-family",
        },
        Reading {
            open: "the initial individual, which is not printed",
            ours: "`guess`, the middle of the intervals: stronger than a random one",
            other: "",
        },
        Reading {
            open: "Crafty 21.6 and GNU Chess 5.07",
            ours: "Debian's Glaurung 2.2 (2793 on the list that the anchor is from), Toga II 3.0, GNU Chess 6.2.7: those that are installed",
            other: "",
        },
        Reading {
            open: "40 moves in 5 minutes on a machine of 2010",
            ours: "40 moves in 5 seconds",
            other: "",
        },
    ],
    steps,
    report,
};

const CLOCK: &str = "40/5";
/// Games of every two players.
const GAMES: u64 = 100;
/// The scale: Glaurung's rating; without it, GNU Chess's, as it was measured on the same scale.
const ANCHORS: [(&str, f64); 2] = [("Glaurung 2.2", 2793.0), ("GNU Chess 6.2.7", 2517.0)];

/// A player of the tournament.
struct Player {
    id: &'static str,
    name: &'static str,
    spec: &'static str,
    /// Who plays in a smoke test, where everybody is built in and looks a ply ahead.
    smoke: &'static str,
}

const STAND_IN: &str = "engine:hash=1,depth=1";

const PLAYERS: [Player; 5] = [
    Player {
        id: "tuned",
        name: "tuned",
        spec: "engine:hash=16,eval=published-narrow",
        smoke: "engine:hash=1,depth=1,eval=published-narrow",
    },
    Player {
        id: "initial",
        name: "initial",
        spec: "engine:hash=16,eval=guess",
        smoke: "engine:hash=1,depth=1,eval=guess",
    },
    Player {
        id: "glaurung",
        name: "Glaurung 2.2",
        spec: "uci:cmd=glaurung,option.Threads=1,option.Hash=16",
        smoke: STAND_IN,
    },
    Player {
        id: "toga2",
        name: "Toga II 3.0",
        spec: "uci:cmd=toga2,option.OwnBook=false,option.Hash=16",
        smoke: STAND_IN,
    },
    Player {
        id: "gnuchess",
        name: "GNU Chess 6.2.7",
        spec: "uci:cmd=gnuchess,args=--uci,option.OwnBook=false,option.Hash=16",
        smoke: STAND_IN,
    },
];

impl Player {
    /// What plays under this plan.
    fn spec(&self, plan: &Plan) -> &'static str {
        if plan.is_smoke() { self.smoke } else { self.spec }
    }

    /// What that is called: nobody bears the name of a program that does not play.
    fn name(&self, plan: &Plan) -> String {
        match (plan.is_smoke(), self.smoke) {
            (false, _) => self.name.to_owned(),
            (true, STAND_IN) => format!("stand-in for {} (depth 1)", self.name),
            (true, _) => format!("{} (depth 1)", self.name),
        }
    }
}

fn pairs() -> impl Iterator<Item = (usize, usize)> {
    let count = PLAYERS.len();
    (0..count).flat_map(move |one| (one + 1..count).map(move |other| (one, other)))
}

fn id(one: usize, other: usize) -> String {
    format!("{}-{}", PLAYERS[one].id, PLAYERS[other].id)
}

fn steps(plan: &Plan) -> Vec<Step> {
    let step = |(one, other): (usize, usize)| {
        let name = |index: usize| PLAYERS[index].name(plan);
        let seat = |index: usize| Seat::new(name(index), PLAYERS[index].spec(plan));
        let work = MatchStep {
            players: vec![seat(one), seat(other)],
            pairs: plan.pairs(GAMES),
            rules: Rules {
                resign: Some(agreed_lead(800, 4)),
                draw: Some(agreed_draw()),
                ..Rules::default()
            },
            clock: (!plan.is_smoke()).then(|| CLOCK.to_owned()),
            seed: (one * PLAYERS.len() + other) as u64,
        };
        Step::new(
            id(one, other),
            format!("{} against {}", name(one), name(other)),
            work,
            15.0,
        )
    };
    pairs().map(step).collect()
}

fn report(results: &Results<'_>, section: &mut Section) -> Result<(), ReproduceError> {
    let mut games = Games::default();
    let name = |index: usize| PLAYERS[index].name(results.plan);
    let mut missing: Vec<String> = Vec::new();
    for (one, other) in pairs() {
        let Some(result) = MatchStep::read(&results.of(&id(one, other)))? else {
            missing.push(name(other));
            continue;
        };
        // Colours are even in pairs of games: which of the two had White is not looked at.
        let tally = result.standings.players[0].tally;
        let (a, b) = (games.player(&name(one)), games.player(&name(other)));
        for (count, outcome) in [
            (tally.wins, Outcome::WHITE_WINS),
            (tally.draws, Outcome::Draw),
            (tally.losses, Outcome::BLACK_WINS),
        ] {
            for game in 0..count {
                if game % 2 == 0 {
                    games.add(a, b, outcome);
                } else {
                    games.add(b, a, swapped(outcome));
                }
            }
        }
    }
    let has_played = |name: &str| games.find(name).is_some();
    let anchor = ANCHORS.iter().find(|(name, _)| has_played(name));
    let options = Options {
        anchors: anchor
            .map(|(name, elo)| ((*name).to_owned(), *elo))
            .into_iter()
            .collect(),
        ..Options::default()
    };
    let ratings = if games.pairings().is_empty() {
        None
    } else {
        rate(&games, &options).ok()
    };
    let rating = |name: &str| {
        ratings
            .as_ref()?
            .players
            .iter()
            .find(|player| player.name == name)
    };
    let table = published::tournaments();
    let published = |source: &str, name: &str| {
        let row = table
            .rows()
            .find(|row| row["source"] == source && row["name"] == name);
        row.map_or((0.0, 0.0), |row| {
            (number(&row, "elo"), number(&row, "plus_minus"))
        })
    };
    let (tuned, initial) = (rating(&name(0)), rating(&name(1)));
    let ours = tuned.zip(initial).map(|(tuned, initial)| {
        let error = tuned
            .interval
            .unwrap_or(0.0)
            .hypot(initial.interval.unwrap_or(0.0));
        Figure::plus_minus(tuned.elo - initial.elo, error)
    });
    let rows = [
        ("page 2", "tuned over initial"),
        ("page 3", "tuned over initial, ratings inside the loop"),
    ]
    .map(|(source, label)| {
        let ((tuned, tuned_error), (initial, initial_error)) =
            (published(source, "Tuned"), published(source, "Initial"));
        let figure = Figure::plus_minus(tuned - initial, tuned_error.hypot(initial_error));
        Comparison::new(label, figure, ours, (u64::from(ours.is_some()), 1), Some(0.0))
    });
    section.tables.push(Table {
        title: "The gain in the tournament".to_owned(),
        unit: "Elo",
        digits: 0,
        over: "tournaments",
        rows: rows.into(),
    });
    let list = ratings.iter().flat_map(|ratings| &ratings.players).map(|player| {
        vec![
            player.name.clone(),
            shown(player.elo, 0),
            player
                .interval
                .map_or("anchor".to_owned(), |error| format!("± {}", shown(error, 0))),
            shown(player.games(), 0),
        ]
    });
    section.lists.push(List {
        title: match anchor {
            Some((name, elo)) => format!("Rating list, {name} = {elo:.0}"),
            None => "Rating list".to_owned(),
        },
        columns: ["", "Elo", "95 %", "games"].map(str::to_owned).to_vec(),
        rows: list.collect(),
    });
    missing.dedup();
    if !missing.is_empty() && ratings.is_some() {
        section.notes.push(format!(
            "Not played yet, or not installed: {}.",
            missing.join(", ")
        ));
    }
    Ok(())
}

fn swapped(outcome: Outcome) -> Outcome {
    match outcome {
        Outcome::WHITE_WINS => Outcome::BLACK_WINS,
        Outcome::BLACK_WINS => Outcome::WHITE_WINS,
        Outcome::Draw => Outcome::Draw,
    }
}
