//! The gauntlet: what a run hands over and what it began with play opponents of known strength, and all are rated.
//!
//! Published runs were measured so ([boskovic-2010]): every vector plays 50 games, 25 with each colour, against one
//! engine that is limited to 1700, 1900, 2100 and 2300 Elo; all are rated together by the model of [erk-2008], and
//! the scale is fixed by giving the highest reference its label. Labels are what the engine's makers say of it; ratings
//! from two different gauntlets cannot be compared, differences on one can.
//!
//! The games are a run of their own in the same store, with openings that tuning never saw; every vector plays the same
//! gauntlet in the same openings. A reference that is an external program may play at random: such games are not repeatable, but
//! those that were played are kept.

use serde::{Deserialize, Serialize};
use vidmar_arena::{Opening, TimeControl};
use vidmar_chess::{ByColor, Color};
use vidmar_engine::Control;
use vidmar_rating::{Games, Options, rate};
use vidmar_store::{RunId, Store};

use crate::config::{Anchors, Config, Gauntlet};
use crate::desk::Contestant;
use crate::fixtures::{Fixture, Job, play_all};
use crate::run::{Closed, Journal, Outcome, Run, RunError, STORE_FILE};
use crate::verify::{fresh_openings, used_positions};

/// The kind of the store's run.
const KIND: &str = "gauntlet";

/// A line of the rating list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Standing {
    /// The vector (`centroid`, `initial`, `start`, …) or the reference's label.
    pub player: String,
    /// Whether it is a reference of the gauntlet.
    pub reference: bool,
    /// Whether it is the vector that the run recommends.
    pub recommended: bool,
    /// Its rating.
    pub elo: f64,
    /// Half the width of the 95 % interval; none for an anchor.
    pub error: Option<f64>,
    /// Games with a result.
    pub games: u64,
    /// Of which won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
}

/// Who sits where, as the store knows it: everything that a rating list needs besides the results.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Seat {
    name: String,
    recommended: bool,
    /// The label of a reference.
    elo: Option<f64>,
    /// The reference's specification, or the vector.
    player: String,
}

/// Plays the gauntlet of a run, or what is missing of it. None if it was stopped.
pub fn run_gauntlet(
    run: Run,
    threads: usize,
    control: &Control,
    observe: &mut dyn FnMut(u64, u64),
) -> Result<Option<Vec<Standing>>, RunError> {
    let outcome = Outcome::of(run.journal().store(), run.journal().run(), run.optimizer())?;
    let used = used_positions(run.journal().store(), run.journal().run())?;
    let climbers = climbers(run.config(), &outcome, &run)?;
    let Closed {
        directory,
        config,
        book,
        rules,
        ..
    } = run.close();
    let references = references(&config.gauntlet)?;
    let pairs = config.gauntlet.each.div_ceil(2);
    let openings = fresh_openings(&book, pairs * references.len() as u64, &used);
    let subject = subject(&config, &climbers)?;
    let mut journal = Journal::open_same(&directory.join(STORE_FILE), KIND, &subject)?;
    let mut places = Vec::new();
    for (seat, _) in climbers.iter().chain(&references) {
        places.push(journal.index_of(json(seat)?));
    }
    let fixtures = fixtures(&config, &openings, &places, (climbers.len(), &references));
    let contestants: Vec<Contestant> = climbers.into_iter().chain(references).map(|(_, c)| c).collect();
    let played = play_all(
        &mut journal,
        &fixtures,
        &contestants,
        &rules,
        (threads, control),
        &mut |progress| observe(progress.done, progress.total),
    )?;
    journal.flush()?;
    if played.is_none() {
        return Ok(None);
    }
    journal.set_state("climbed")?;
    Ok(Some(standings_of(journal.store(), journal.run())?))
}

/// Every vector meets every reference: the games of one vector, reference by reference, with colours in turn.
fn fixtures(
    config: &Config,
    openings: &[Opening],
    places: &[u32],
    (climbers, references): (usize, &[(Seat, Contestant)]),
) -> Vec<Fixture> {
    let Gauntlet { each, limit, .. } = config.gauntlet;
    let plain = TimeControl {
        depth: (limit > 0).then_some(limit),
        ..TimeControl::default()
    };
    let mut fixtures = Vec::new();
    for climber in 0..climbers {
        for (step, (_, reference)) in references.iter().enumerate() {
            let own = if limit > 0 {
                plain
            } else {
                crate::desk::time_control(&config.engine, 0)
            };
            let theirs = reference.limits_or(own);
            for game in 0..each {
                let opening = step as u64 * each.div_ceil(2) + game / 2;
                let (us, them) = (climber, climbers + step);
                let side = if game % 2 == 0 { Color::White } else { Color::Black };
                let by_side = |color: Color| if color == side { us } else { them };
                let control = |color: Color| if color == side { own } else { theirs };
                fixtures.push(Fixture {
                    job: Job {
                        number: fixtures.len() as u64,
                        players: ByColor::from_fn(|color| places[by_side(color)] as usize),
                        opening: openings[opening as usize].clone(),
                        control: ByColor::from_fn(control),
                        seed: opening,
                    },
                    sides: ByColor::from_fn(by_side),
                    round: step as u64,
                });
            }
        }
    }
    fixtures
}

/// The recommended vector, the others unless only that one is asked for, what the run began with, and as many of the
/// method's best as are asked for; a vector that stands there already does not run_gauntlet twice.
fn climbers(config: &Config, outcome: &Outcome, run: &Run) -> Result<Vec<(Seat, Contestant)>, RunError> {
    let mut named = vec![(
        outcome.recommended().name.to_owned(),
        &outcome.recommended().vector,
    )];
    if !config.verify.only_recommended {
        named.extend(outcome.handed.iter().map(|h| (h.name.to_owned(), &h.vector)));
    }
    named.extend(outcome.references.iter().map(|h| (h.name.to_owned(), &h.vector)));
    let finalists = run.optimizer().finalists(config.gauntlet.finalists);
    let numbered = finalists.iter().enumerate();
    named.extend(numbered.map(|(place, champion)| (format!("finalist {}", place + 1), &champion.vector)));
    let mut seen = Vec::new();
    let mut climbers = Vec::new();
    for (name, vector) in named {
        if seen.contains(&vector) {
            continue;
        }
        seen.push(vector);
        let seat = Seat {
            recommended: name == outcome.recommended,
            name,
            elo: None,
            player: json(vector)?,
        };
        let candidate = run.tunables().candidate(vector);
        climbers.push((seat, Contestant::new(candidate, &config.engine)));
    }
    Ok(climbers)
}

/// The references, each of which must be able to sit down.
fn references(gauntlet: &Gauntlet) -> Result<Vec<(Seat, Contestant)>, RunError> {
    let mut references = Vec::new();
    for reference in &gauntlet.references {
        let fault = |reason: String| RunError::ReferenceEngine {
            spec: reference.player.clone(),
            reason,
        };
        let contestant = Contestant::of_spec(&reference.player).map_err(fault)?;
        contestant.try_out().map_err(|error| fault(error.to_string()))?;
        let seat = Seat {
            name: format!("{:.0}", reference.elo),
            recommended: false,
            elo: Some(reference.elo),
            player: reference.player.clone(),
        };
        references.push((seat, contestant));
    }
    Ok(references)
}

/// What is measured: other vectors, references or rules make another gauntlet.
fn subject(config: &Config, climbers: &[(Seat, Contestant)]) -> Result<String, RunError> {
    let seats: Vec<&Seat> = climbers.iter().map(|(seat, _)| seat).collect();
    json(&(
        &config.gauntlet,
        &config.engine,
        &config.rules,
        &config.openings,
        seats,
    ))
}

fn json(value: &impl Serialize) -> Result<String, RunError> {
    serde_json::to_string(value).map_err(|error| RunError::State {
        what: "a player of the gauntlet",
        reason: error.to_string(),
    })
}

/// The rating list of the last gauntlet in a store, whole or not; empty where none was climbed.
pub fn standings(store: &Store) -> Result<Vec<Standing>, RunError> {
    match store.runs()?.iter().rev().find(|run| run.kind == KIND) {
        Some(run) => standings_of(store, run.id),
        None => Ok(Vec::new()),
    }
}

fn standings_of(store: &Store, run: RunId) -> Result<Vec<Standing>, RunError> {
    let damaged = |reason: String| RunError::State {
        what: "the gauntlet",
        reason,
    };
    let (gauntlet, ..): (
        Gauntlet,
        serde_json::Value,
        serde_json::Value,
        serde_json::Value,
        serde_json::Value,
    ) = serde_json::from_str(&store.run(run)?.config).map_err(|error| damaged(error.to_string()))?;
    let mut seats = Vec::new();
    let mut games = Games::default();
    for (place, player) in store.players(run)?.into_iter().enumerate() {
        let seat: Seat =
            serde_json::from_str(&player.description).map_err(|error| damaged(error.to_string()))?;
        seats.push((games.player(&place.to_string()), seat));
    }
    for game in store.results(run)? {
        let Some(result) = game.result else { continue };
        games.add(seats[game.white as usize].0, seats[game.black as usize].0, result);
    }
    if games.pairings().is_empty() {
        return Ok(Vec::new());
    }
    let seats: Vec<Seat> = seats.into_iter().map(|(_, seat)| seat).collect();
    listed(&games, &seats, gauntlet.anchors).map_err(|error| damaged(error.to_string()))
}

/// Rates players whose names are their places among the seats.
fn listed(
    games: &Games,
    seats: &[Seat],
    anchors: Anchors,
) -> Result<Vec<Standing>, vidmar_rating::RateError> {
    let labels = seats
        .iter()
        .enumerate()
        .filter_map(|(place, s)| Some((place, s.elo?)));
    let has_played = |place: usize| {
        let name = place.to_string();
        let id = games.find(&name);
        games
            .pairings()
            .iter()
            .any(|p| Some(p.white) == id || Some(p.black) == id)
    };
    let mut labels: Vec<(usize, f64)> = labels.filter(|&(place, _)| has_played(place)).collect();
    labels.sort_by(|a, b| b.1.total_cmp(&a.1));
    if anchors == Anchors::Highest {
        labels.truncate(1);
    }
    let options = Options {
        anchors: labels
            .iter()
            .map(|&(place, elo)| (place.to_string(), elo))
            .collect(),
        ..Options::default()
    };
    let is_anchor = |place: usize| labels.iter().any(|&(anchor, _)| anchor == place);
    let ratings = rate(games, &options)?;
    let standings = ratings.players.iter().filter_map(|rated| {
        let place: usize = rated.name.parse().ok()?;
        Some(Standing {
            player: seats[place].name.clone(),
            reference: seats[place].elo.is_some(),
            recommended: seats[place].recommended,
            elo: rated.elo,
            error: rated.interval.filter(|_| !is_anchor(place)),
            games: rated.games() as u64,
            wins: rated.wins as u64,
            draws: rated.draws as u64,
            losses: rated.losses as u64,
        })
    });
    let mut standings: Vec<Standing> = standings.collect();
    standings.sort_by(|a, b| b.elo.total_cmp(&a.elo));
    Ok(standings)
}
