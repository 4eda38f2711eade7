//! A match: its table, its test, and how its games ended.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;
use ts_rs::TS;
use vidmar_arena::{CountingSettings, Scoreboard, Standings};
use vidmar_rows::{MatchPoint, MatchTable, TerminationRow, finite};
use vidmar_store::{Outline, RunId, Store, StoreError};

use super::overview::{Run, RunState};
use super::result::RunElo;
use super::stamp::{Slow, Stamp};

/// The most points of the plot over the games.
const MOST_POINTS: usize = 200;

/// A match in a store.
pub(super) struct Contest {
    pub(super) store: PathBuf,
    pub(super) run: RunId,
    table: Slow<MatchView>,
}

/// A match as the page shows it: the table, how its games ended, how its estimate went.
#[derive(Clone, Debug, Default, Serialize, TS)]
#[ts(rename = "MatchView")]
pub(crate) struct MatchView {
    #[serde(flatten)]
    table: MatchTable,
    terminations: Vec<TerminationRow>,
    /// Of the first of two players, after some games.
    course: Vec<MatchPoint>,
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
        if games > 0 {
            let view = self.table()?;
            run.result = view.table.headline();
            run.elo = RunElo::of_match(&view.table);
        }
        Ok(())
    }

    /// The table; one of some seconds ago while the match goes on and is long.
    pub(super) fn table(&self) -> Result<Arc<MatchView>, StoreError> {
        self.table
            .get(Stamp::of(&self.store), || self.read(MatchView::read))
    }
}

impl MatchView {
    fn read(store: &Store, run: RunId) -> Result<MatchView, StoreError> {
        let counting = CountingSettings::of_description(&store.run(run)?.config).unwrap_or_default();
        let names = store.names(run)?;
        let games = store.results(run)?;
        let mut scoreboard = counting.scoreboard(names.len());
        for &game in &games {
            scoreboard.add(game);
        }
        for fault in store.faults(run)? {
            scoreboard.add_fault(fault.game, fault.player as usize, &fault.kind);
        }
        let ended = store.terminations(run)?.into_iter();
        Ok(MatchView {
            table: scoreboard.table(&names),
            terminations: ended
                .map(|(termination, games)| TerminationRow { termination, games })
                .collect(),
            course: course(&counting, &games, &scoreboard),
        })
    }
}

/// How the estimate went, for two players; at even numbers of games, so that no pair is torn.
fn course(counting: &CountingSettings, games: &[Outline], scoreboard: &Scoreboard) -> Vec<MatchPoint> {
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
            let interval = standing.estimate().map(|estimate| estimate.interval);
            let llr = sprt.as_ref().map(|sprt| {
                if counting.paired {
                    sprt.of_pairs(&standing.pairs)
                } else {
                    sprt.of_games(&standing.tally)
                }
            });
            MatchPoint {
                games: end as u64,
                elo: interval.and_then(|interval| finite(interval.elo)),
                error: interval.and_then(|interval| interval.error()),
                low: interval.and_then(|interval| finite(interval.low)),
                high: interval.and_then(|interval| finite(interval.high)),
                llr: llr.and_then(finite),
            }
        })
        .collect()
}
