//! Where games are played: a worker's two seats, and the threads that fill them.
//!
//! A game is a function of its [`Bout`]: two candidates, an opening, limits, rules, a seed. Built-in engines are made
//! anew for every game, so that nothing is carried from one to the next; a game that was stopped half-way is thrown
//! away and played again from the start.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use vidmar_arena::{Job, Record, Rules, Termination, play};
use vidmar_chess::{ByColor, Color};
use vidmar_engine::{Control, FlagshipSettings, FlagshipThinker};
use vidmar_players::{Ceiling, Fault, Player, Seated};

use crate::parameters::Candidate;

/// Who sits down.
#[derive(Clone, Debug)]
pub enum Contestant {
    /// The engine of this program with a candidate's parameters.
    BuiltIn {
        /// The parameters.
        candidate: Candidate,
        /// MiB of its table.
        hash: usize,
    },
}

impl Contestant {
    fn player(&self) -> Result<Box<dyn Player>, Fault> {
        match self {
            Contestant::BuiltIn { candidate, hash } => {
                let settings = FlagshipSettings {
                    hash: *hash,
                    vector: candidate.vector.clone(),
                    parameters: candidate.search.clone(),
                    ..FlagshipSettings::default()
                };
                let thinker = FlagshipThinker::new(settings);
                Ok(Box::new(Seated::new(Box::new(thinker), Ceiling::default(), 0)))
            }
        }
    }
}

/// One game to be played.
pub struct Bout<'a> {
    /// Its description.
    pub job: Job,
    /// The two sides.
    pub sides: ByColor<&'a Contestant>,
}

/// Plays one game.
pub fn play_bout(bout: &Bout<'_>, rules: &Rules, control: &Control) -> Record {
    let faulty = |fault: Fault, side| Record {
        number: bout.job.number,
        result: None,
        termination: Termination::Fault(side),
        plies: Vec::new(),
        faults: vec![(side, fault)],
    };
    match (bout.sides[Color::White].player(), bout.sides[Color::Black].player()) {
        (Ok(mut white), Ok(mut black)) => {
            let players = ByColor::new(white.as_mut(), black.as_mut());
            play(&bout.job, players, rules, control)
        }
        (Err(fault), _) => faulty(fault, Color::White),
        (_, Err(fault)) => faulty(fault, Color::Black),
    }
}

/// How often the caller's thread looks up when nothing has come in.
const HEARTBEAT: Duration = Duration::from_millis(200);

/// Does `work` for `0..count` on so many threads and hands every answer to `done` on the caller's thread, in the order in
/// which they come in; `idle` is called now and then as well. `None` from `work` means that it was stopped. An error of
/// `done` or `idle` stops everything.
pub(crate) fn spread<T: Send, E>(
    count: usize,
    threads: usize,
    control: &Control,
    work: impl Fn(usize) -> Option<T> + Sync,
    mut done: impl FnMut(usize, T) -> Result<(), E>,
    mut idle: impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    let next = AtomicUsize::new(0);
    let (sender, answers) = channel();
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, count.max(1)) {
            let sender = sender.clone();
            scope.spawn(|| {
                let sender = sender;
                while !control.is_stopped() {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let Some(answer) = work(index) else { return };
                    if sender.send((index, answer)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        let mut take = || loop {
            match answers.recv_timeout(HEARTBEAT) {
                Ok((index, answer)) => done(index, answer)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            idle()?;
        };
        let taken = take();
        if taken.is_err() {
            control.stop();
        }
        taken
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_piece_of_work_is_done_once_by_any_number_of_threads() {
        for threads in [1, 2, 8] {
            let mut sum = vec![0; 100];
            let result: Result<(), ()> = spread(
                100,
                threads,
                &Control::new(),
                |index| Some(index * index),
                |index, square| {
                    sum[index] += square;
                    Ok(())
                },
                || Ok(()),
            );
            assert!(result.is_ok());
            assert_eq!(sum, (0..100).map(|i| i * i).collect::<Vec<_>>());
        }
    }

    #[test]
    fn an_error_stops_the_others() {
        let control = Control::new();
        let result = spread(1_000_000, 2, &control, Some, |_, _| Err("full"), || Ok(()));
        assert_eq!(result, Err("full"));
        assert!(control.is_stopped());
    }
}
