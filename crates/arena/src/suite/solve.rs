//! A player at the positions of a suite, several at a time, each a game of its own.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use serde::Serialize;
use vidmar_chess::{CastlingNotation, Game};
use vidmar_engine::{Control, Limits};
use vidmar_players::{Fault, MoveLimits, Player, PlayerSpec};

use super::records::{Expected, Record};

/// What came of a position.
#[derive(Clone, Debug, Serialize)]
pub struct Solution {
    /// The record's name.
    pub id: String,
    /// Whether the move is a solution.
    pub solved: bool,
    /// In the notation of the suite; empty if the player gave up or failed.
    pub r#move: String,
    /// What a solution is.
    pub expected: Expected,
    /// Plies searched.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Time of the search.
    pub seconds: f64,
    /// Since when the move in the end was the best without a break, if it is a solution.
    pub found_after: Option<f64>,
    /// Whether the move was a solution at each of the earlier times.
    pub marks: Vec<bool>,
    /// What the player did wrong, if it did not answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
}

/// Who solves a suite, and how.
pub struct Solver<'a> {
    /// Who.
    pub player: &'a PlayerSpec,
    /// When the search of a position ends.
    pub limits: Limits,
    /// Earlier times at which the answer is looked at as well.
    pub marks: &'a [Duration],
}

impl Solver<'_> {
    /// Solves records, so many at a time, until `control` says stop; `tell` hears of every solution with the index of its
    /// record as soon as it is there, in any order. What was being searched at a stop is not told.
    pub fn solve_all(
        &self,
        records: &[&Record],
        jobs: usize,
        control: &Control,
        tell: &(dyn Fn(usize, Solution) + Sync),
    ) -> Result<(), Fault> {
        // What cannot be started, or not held to the limits, is found before anything is searched.
        self.player.check_game(&MoveLimits::of_game(&self.limits))?;
        let first = Mutex::new(Some(self.player.player()?));
        let (next, failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let work = || -> Result<(), Fault> {
            let waiting = first.lock().unwrap_or_else(PoisonError::into_inner).take();
            let mut player = waiting.map_or_else(|| self.player.player(), Ok)?;
            while !failed.load(Ordering::Relaxed) && !control.is_stopped() {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(record) = records.get(index) else {
                    break;
                };
                let solution = self.solve(player.as_mut(), record, control)?;
                if !control.is_stopped() {
                    tell(index, solution);
                }
            }
            Ok(())
        };
        let done: Vec<_> = std::thread::scope(|scope| {
            let spawn = |_| scope.spawn(|| work().inspect_err(|_| failed.store(true, Ordering::Relaxed)));
            let threads: Vec<_> = (0..jobs.min(records.len()).max(1)).map(spawn).collect();
            threads
                .into_iter()
                .map(std::thread::ScopedJoinHandle::join)
                .collect()
        });
        done.into_iter()
            .try_for_each(|thread| thread.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    }

    /// One position. A player that fails has not solved it; one that does not come back then is an error.
    fn solve(&self, player: &mut dyn Player, record: &Record, control: &Control) -> Result<Solution, Fault> {
        let game = Game::new(record.epd.position.clone());
        let chess960 = game.start().castling_notation() == CastlingNotation::Chess960;
        let mut found: Option<Duration> = None;
        let mut marks = vec![false; self.marks.len()];
        let reply = player.new_game(chess960, 0).and_then(|()| {
            player.think_aloud(&game, &self.limits, control, &mut |info| {
                let holds = info.pv.first().is_some_and(|&m| record.is_solved_by(m));
                found = holds.then(|| found.unwrap_or(info.elapsed));
                for (mark, solved) in self.marks.iter().zip(&mut marks) {
                    if info.elapsed <= *mark {
                        *solved = holds;
                    }
                }
            })
        });
        let (reply, fault) = match reply {
            Ok(reply) => (Some(reply), None),
            Err(fault) => {
                player.restart()?;
                (None, Some(fault.to_string()))
            }
        };
        let best = reply.as_ref().and_then(|reply| reply.best);
        let info = reply.map(|reply| reply.info).unwrap_or_default();
        let solved = best.is_some_and(|m| record.is_solved_by(m));
        Ok(Solution {
            id: record.id.clone(),
            solved,
            r#move: best
                .map(|m| game.position().san(m).to_string())
                .unwrap_or_default(),
            expected: record.expected(),
            depth: info.depth,
            nodes: info.nodes,
            seconds: info.time.as_secs_f64(),
            found_after: found.filter(|_| solved).map(|time| time.as_secs_f64()),
            marks,
            fault,
        })
    }
}
