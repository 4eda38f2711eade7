//! A match: its table, its test, and how its games ended.
//!
//! Lists show what a match has come to, and are asked for every second while it grows: what they need is counted on from game to
//! game. The rest of what a match's own page shows is made from all games, and not too often.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use serde::Serialize;
use ts_rs::TS;
use vidmar_arena::{CountingSettings, Scoreboard, Standings};
use vidmar_rows::{MatchPoint, MatchTable, TerminationRow, finite};
use vidmar_store::{Outline, RunId, Store, StoreError};

use super::library::lock;
use super::overview::{Run, RunState};
use super::result::RunElo;
use super::stamp::{Slow, Stamp};

/// The most points of the plot over the games.
const MOST_POINTS: usize = 200;

/// A match in a store.
pub(super) struct Contest {
    pub(super) store: PathBuf,
    pub(super) run: RunId,
    followed: Mutex<Option<Followed>>,
    table: Slow<MatchView>,
}

/// The games and faults that were counted, and from where to go on.
struct Followed {
    /// Whoever begins to write may first let go of games without a result.
    writer: Option<u32>,
    names: Vec<String>,
    scoreboard: Scoreboard,
    mark: i64,
    faults: u64,
    /// Rows that were read for it, for tests of how few they are.
    rows: u64,
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
            followed: Mutex::default(),
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
            let table = self.follow(stamp, games, faults)?;
            run.result = table.headline();
            run.elo = RunElo::of_match(&table);
        }
        Ok(())
    }

    /// What so many games and faults have come to.
    fn follow(&self, stamp: &Stamp, games: u64, faults: u64) -> Result<MatchTable, StoreError> {
        let mut followed = lock(&self.followed);
        let is_whole = |known: &Followed| known.writer == stamp.writer && known.scoreboard.len() <= games;
        // What fails half-way is not built upon.
        let known = followed.take().filter(is_whole);
        let again = || self.read(|store, run| Followed::new(store, run, stamp.writer));
        let mut now = known.map_or_else(again, Ok)?;
        now.go_on(self, faults)?;
        if now.scoreboard.len() < games {
            now = again()?;
            now.go_on(self, faults)?;
        }
        let table = now.scoreboard.table(&now.names);
        *followed = Some(now);
        Ok(table)
    }

    /// The table; one of some seconds ago while the match goes on and is long.
    pub(super) fn table(&self) -> Result<Arc<MatchView>, StoreError> {
        self.table
            .get(Stamp::of(&self.store), || self.read(MatchView::read))
    }
}

impl Followed {
    fn new(store: &Store, run: RunId, writer: Option<u32>) -> Result<Followed, StoreError> {
        let counting = CountingSettings::of_description(&store.run(run)?.config).unwrap_or_default();
        let names = store.names(run)?;
        Ok(Followed {
            writer,
            scoreboard: counting.scoreboard(names.len()),
            names,
            mark: 0,
            faults: 0,
            rows: 0,
        })
    }

    /// Counts the games that are new, and the faults if there are others.
    fn go_on(&mut self, contest: &Contest, faults: u64) -> Result<(), StoreError> {
        let (games, mark, all_faults) = contest.read(|store, run| {
            let (games, mark) = store.results_after(run, self.mark)?;
            let others = faults != self.faults;
            Ok((games, mark, others.then(|| store.faults(run)).transpose()?))
        })?;
        self.mark = mark;
        self.rows += games.len() as u64;
        for game in games {
            self.scoreboard.add(game);
        }
        if let Some(all) = all_faults {
            self.faults = all.len() as u64;
            self.rows += self.faults;
            self.scoreboard.clear_faults();
            for fault in all {
                self.scoreboard
                    .add_fault(fault.game, fault.player as usize, &fault.kind);
            }
        }
        Ok(())
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

#[cfg(test)]
mod tests {
    use vidmar_chess::Outcome;
    use vidmar_store::{Batch, Fault, Game, Player};

    use super::*;

    fn game(number: u64) -> Game {
        Game {
            number,
            white: (number % 2) as u32,
            black: 1 - (number % 2) as u32,
            result: (number % 7 != 3).then_some(Outcome::WHITE_WINS),
            ..Game::default()
        }
    }

    /// A list of a long match that has grown by some games reads those games, and shows what all of them came to.
    #[test]
    fn a_list_reads_the_games_that_are_new() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        let mut store = Store::open(&path).unwrap();
        let run = store.begin_run("match", "{}").unwrap();
        let mut commit = |games: std::ops::Range<u64>, faults: &[u64]| {
            let fault = |&game: &u64| Fault {
                game,
                kind: "crash".to_owned(),
                ..Fault::default()
            };
            let batch = Batch {
                players: if games.start == 0 {
                    vec![Player::new(0, "a"), Player::new(1, "b")]
                } else {
                    Vec::new()
                },
                games: games.map(game).collect(),
                faults: faults.iter().map(fault).collect(),
                ..Batch::new(run)
            };
            store.commit(&batch).unwrap();
        };
        let contest = Contest::new(path.clone(), run);
        let look = |games, faults| {
            let stamp = Stamp::of(&path);
            let table = contest.follow(&stamp, games, faults).unwrap();
            let whole = contest.read(MatchView::read).unwrap().table;
            let text = |table: &MatchTable| serde_json::to_string(table).unwrap();
            assert_eq!(text(&table), text(&whole));
            lock(&contest.followed).as_ref().unwrap().rows
        };
        commit(0..1000, &[3]);
        assert_eq!(look(1000, 1), 1001);
        assert_eq!(look(1000, 1), 1001, "nothing is new");
        commit(1000..1002, &[]);
        assert_eq!(look(1002, 1), 1003, "two games");
        commit(1002..1003, &[1002]);
        assert_eq!(look(1003, 2), 1006, "a game and two faults");
        // Somebody else goes on who lets go of games without a result: all are counted again.
        let again = Batch {
            forget_void_from: Some(997),
            games: vec![Game {
                result: Some(Outcome::Draw),
                ..game(997)
            }],
            ..Batch::new(run)
        };
        lock(&contest.followed).as_mut().unwrap().writer = None;
        store.commit(&again).unwrap();
        look(1003, 2);
    }
}
