//! A match: its table, its test, and how its games ended.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use ts_rs::TS;
use vidmar_arena::{CountingSettings, Decision, Estimate, Scoreboard, Standing, Standings};
use vidmar_store::{Outline, RunId, Store, StoreError};

use super::overview::{Run, RunState};
use super::series::rounded;
use super::stamp::{Slow, Stamp};

/// The most points of the plot over the games.
const MOST_POINTS: usize = 200;

/// A match in a store.
pub(super) struct Contest {
    pub(super) store: PathBuf,
    pub(super) run: RunId,
    table: Slow<Contested>,
}

/// The table of a match.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[ts(rename = "MatchTable")]
pub(crate) struct Contested {
    /// In the order in which they entered.
    players: Vec<Contestant>,
    /// Places in the order of points a game.
    ranking: Vec<usize>,
    /// `against[a][b]`: the games of `a` with `b`, as `a` sees them: wins, draws, losses.
    against: Vec<Vec<[u64; 3]>>,
    /// Whether two games with one opening are one observation.
    paired: bool,
    /// Games with a result that count.
    scored: u64,
    /// Games without one.
    unscored: u64,
    sprt: Option<Test>,
    terminations: Vec<Termination>,
    /// Of the first of two players, after some games.
    course: Vec<Moment>,
}

/// A player of a match.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(rename = "MatchPlayer")]
pub(crate) struct Contestant {
    name: String,
    wins: u64,
    draws: u64,
    losses: u64,
    points: f64,
    /// Against its field; none where all games were won or lost.
    elo: Option<f64>,
    /// Half the width of the 95 % interval.
    error: Option<f64>,
    normalised_elo: Option<f64>,
    normalised_error: Option<f64>,
    /// The chance that it is stronger at all.
    los: Option<f64>,
    /// Its pairs with 0, ½, 1, 1½ and 2 points.
    pentanomial: Option<[u64; 5]>,
    /// Its games with White: wins, draws, losses.
    white: [u64; 3],
    faults: u64,
}

/// A sequential test.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(rename = "MatchTest")]
pub(crate) struct Test {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: String,
    llr: f64,
    lower: f64,
    upper: f64,
    /// `H0` or `H1`, once it is decided.
    decision: Option<String>,
}

/// How some games ended.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(rename = "MatchTermination")]
pub(crate) struct Termination {
    how: String,
    games: u64,
}

/// Where a match stood after some games.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(rename = "MatchMoment")]
pub(crate) struct Moment {
    games: u64,
    elo: Option<f64>,
    error: Option<f64>,
    llr: Option<f64>,
}

impl Contest {
    pub(super) fn new(store: PathBuf, run: RunId) -> Contest {
        Contest {
            store,
            run,
            table: Slow::default(),
        }
    }

    pub(super) fn read<T>(
        &self,
        read: impl Fn(&Store, RunId) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        Store::read(&self.store, |store| read(&store, self.run))
    }

    pub(super) fn fill(&self, run: &mut Run, stamp: &Stamp) -> Result<(), StoreError> {
        let (all, players, games, faults) = self.read(|store, id| {
            Ok((
                store.runs()?,
                store.players(id)?,
                store.games_count(id)?,
                store.faults_count(id)?,
            ))
        })?;
        let this = all.iter().find(|one| one.id == self.run);
        let Some(this) = this else {
            return Err(StoreError::NoSuchRun {
                path: self.store.clone(),
                run: self.run,
            });
        };
        // A store is written for one match at a time: the last that is not finished.
        let open = all.iter().rfind(|one| one.state != "finished").map(|one| one.id);
        run.state = match this.state.as_str() {
            "finished" => RunState::Finished,
            _ if stamp.writer.is_some() && open == Some(self.run) => RunState::Running,
            "running" => RunState::Crashed,
            _ => RunState::Paused,
        };
        let names: Vec<&str> = players.iter().map(|player| player.name.as_str()).collect();
        run.about = match names.as_slice() {
            [one, two] => format!("{one} – {two}"),
            names => format!("{} players", names.len()),
        };
        let planned = CountingSettings::of_description(&this.config).map(|counting| counting.games);
        run.planned_games = planned.filter(|&planned| planned > 0);
        run.games = games;
        run.faults = faults;
        run.begun = this.begun;
        run.progress = match run.planned_games {
            _ if run.state == RunState::Finished => 1.0,
            Some(planned) => (games as f64 / planned as f64).min(1.0),
            None => 0.0,
        };
        Ok(())
    }

    /// The table; one of some seconds ago while the match goes on and is long.
    pub(super) fn table(&self) -> Result<Arc<Contested>, StoreError> {
        self.table
            .get(Stamp::of(&self.store), || self.read(Contested::read))
    }
}

impl Contested {
    fn read(store: &Store, run: RunId) -> Result<Contested, StoreError> {
        let counting = CountingSettings::of_description(&store.run(run)?.config).unwrap_or_default();
        let players = store.players(run)?;
        let games = store.results(run)?;
        let mut scoreboard = counting.scoreboard(players.len());
        for &game in &games {
            scoreboard.add(game);
        }
        for fault in store.faults(run)? {
            scoreboard.add_fault(fault.game, fault.player as usize);
        }
        let standings = scoreboard.standings();
        let named = players.iter().zip(&standings.players);
        let counts = |tally: &vidmar_arena::Tally| [tally.wins, tally.draws, tally.losses];
        Ok(Contested {
            players: named
                .map(|(player, standing)| Contestant::of(&player.name, standing, counting.paired))
                .collect(),
            ranking: standings.ranking(),
            against: standings
                .against
                .iter()
                .map(|row| row.iter().map(counts).collect())
                .collect(),
            paired: counting.paired,
            scored: standings.games,
            unscored: standings.unscored,
            sprt: Test::of(&counting, &scoreboard),
            terminations: store
                .terminations(run)?
                .into_iter()
                .map(|(how, games)| Termination { how, games })
                .collect(),
            course: course(&counting, &games, &scoreboard),
        })
    }
}

fn finite(value: f64) -> Option<f64> {
    Some(value).filter(|value| value.is_finite()).map(rounded)
}

impl Contestant {
    fn of(name: &str, standing: &Standing, paired: bool) -> Contestant {
        let estimate = standing.estimate();
        let of = |field: fn(&Estimate) -> f64| estimate.as_ref().map(field).and_then(finite);
        let (tally, white) = (&standing.tally, &standing.white);
        Contestant {
            name: name.to_owned(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            points: tally.points(),
            elo: of(|estimate| estimate.elo),
            error: of(|estimate| estimate.error),
            normalised_elo: of(|estimate| estimate.normalised),
            normalised_error: of(|estimate| estimate.normalised_error),
            los: of(|estimate| estimate.superiority),
            pentanomial: paired.then_some(standing.pairs.0),
            white: [white.wins, white.draws, white.losses],
            faults: standing.faults,
        }
    }
}

impl Test {
    fn of(counting: &CountingSettings, scoreboard: &Scoreboard) -> Option<Test> {
        let test = counting.sprt.as_ref()?;
        let (lower, upper) = test.sprt().ok()?.bounds();
        Some(Test {
            elo0: test.elo0,
            elo1: test.elo1,
            alpha: test.alpha,
            beta: test.beta,
            model: test.model.clone(),
            llr: rounded(scoreboard.ratio()?),
            lower: rounded(lower),
            upper: rounded(upper),
            decision: scoreboard.decision().map(|decision| {
                match decision {
                    Decision::H0 => "H0",
                    Decision::H1 => "H1",
                }
                .to_owned()
            }),
        })
    }
}

/// How the estimate went, for two players; at even numbers of games, so that no pair is torn.
fn course(counting: &CountingSettings, games: &[Outline], scoreboard: &Scoreboard) -> Vec<Moment> {
    let counted = games.partition_point(|game| game.number < scoreboard.counted());
    let games = &games[..counted];
    let is_between_two = games.iter().all(|game| game.white < 2 && game.black < 2);
    if games.is_empty() || !is_between_two {
        return Vec::new();
    }
    let sprt = counting.sprt.as_ref().and_then(|test| test.sprt().ok());
    let each = games.len().div_ceil(MOST_POINTS).next_multiple_of(2);
    let ends = (1..).map(|k| k * each).take_while(|&end| end < games.len());
    ends.chain([games.len()])
        .map(|end| {
            let standings = Standings::new(2, games[..end].iter().copied(), counting.paired);
            let standing = &standings.players[0];
            let estimate = standing.estimate();
            let llr = sprt.as_ref().map(|sprt| {
                if counting.paired {
                    sprt.of_pairs(&standing.pairs)
                } else {
                    sprt.of_games(&standing.tally)
                }
            });
            Moment {
                games: end as u64,
                elo: estimate.and_then(|estimate| finite(estimate.elo)),
                error: estimate.and_then(|estimate| finite(estimate.error)),
                llr: llr.and_then(finite),
            }
        })
        .collect()
}
