//! Who plays in a run, under which limits and rules; and work that is no game, on several threads.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use vidmar_arena::{ResignRule, Rules, TimeControl};
use vidmar_engine::Control;
use vidmar_engine::settings::Value;
use vidmar_players::{EngineCommand, Fault, PlayerSpec, Protocol};
use vidmar_search::flagship::SearchParameters;

use crate::config::{Engine, GameRules};
use crate::parameters::{Candidate, SpinOption};
use crate::spin_options;
use crate::tablebases::TablebasesError;

/// Who plays.
#[derive(Clone)]
pub struct Contestant(PlayerSpec);

impl Contestant {
    /// A candidate as the configuration's engine.
    pub fn new(candidate: Candidate, engine: &Engine) -> Contestant {
        if engine.command.is_empty() {
            return Contestant(tuned(&candidate, engine.hash));
        }
        let mut command = command_of(engine);
        command.options.extend(candidate.options);
        Contestant(PlayerSpec::external(Protocol::Uci, &command, None))
    }

    /// A fixed opponent by its specification.
    pub fn of_spec(spec: &str) -> Result<Contestant, String> {
        spec.parse()
            .map(Contestant)
            .map_err(|error: vidmar_players::SpecError| error.to_string())
    }

    /// What a game allows it. A fixed opponent that brings limits of its own has no others.
    pub(crate) fn limits(&self, engine: &Engine) -> TimeControl {
        self.limits_or(time_control(engine, 0))
    }

    /// The same with other limits for those that bring none.
    pub(crate) fn limits_or(&self, limits: TimeControl) -> TimeControl {
        if self.0.move_limits().is_finite() {
            TimeControl::default()
        } else {
            limits
        }
    }

    /// Whether it can play at all.
    pub(crate) fn try_out(&self) -> Result<(), Fault> {
        self.0.player().map(drop)
    }

    /// The player.
    pub fn spec(&self) -> &PlayerSpec {
        &self.0
    }
}

/// The engine of this program with a candidate's numbers.
fn tuned(candidate: &Candidate, hash: usize) -> PlayerSpec {
    let search = SearchParameters::TABLE.iter();
    let search = search.filter_map(|row| candidate.search.get(row.name)).collect();
    PlayerSpec::of("engine")
        .and_then(|spec| spec.with("hash", Value::Integer(hash.max(1) as i64)))
        .and_then(|spec| spec.with("eval", candidate.vector.values().as_slice()))
        .and_then(|spec| spec.with("parameters", Value::Numbers(search)))
        .expect("a candidate has the numbers that the engine's tables ask for")
}

fn command_of(engine: &Engine) -> EngineCommand {
    let mut words = engine.command.split_whitespace();
    let mut command = EngineCommand::new(words.next().unwrap_or_default());
    command.arguments = words.map(str::to_owned).collect();
    for option in &engine.options {
        let (name, value) = option.split_once('=').unwrap_or((option, ""));
        command
            .options
            .push((name.trim().to_owned(), value.trim().to_owned()));
    }
    command
}

/// The options that the external engine offers for tuning.
pub(crate) fn spin_options(engine: &Engine) -> Result<Vec<SpinOption>, Fault> {
    let words: Vec<&str> = engine.command.split_whitespace().collect();
    spin_options::spin_options(
        words.first().copied().unwrap_or_default(),
        words.get(1..).unwrap_or_default(),
    )
}

/// The limits of a candidate, so many plies deeper than in tuning.
pub(crate) fn time_control(engine: &Engine, deeper: u32) -> TimeControl {
    TimeControl {
        depth: (engine.depth > 0).then_some(engine.depth + deeper),
        nodes: (engine.nodes > 0).then_some(engine.nodes << deeper),
        move_time: (engine.move_time > 0).then(|| Duration::from_millis(engine.move_time << deeper)),
        ..TimeControl::default()
    }
}

/// The configuration's rules; a fault is never a result.
pub(crate) fn rules(config: &GameRules) -> Result<Rules, TablebasesError> {
    Ok(Rules {
        tablebases: crate::tablebases::rule(&config.tablebases)?,
        resign: (config.lead > 0).then_some(ResignRule {
            // "More than" in whole numbers.
            score: config.lead + 1,
            moves: 1,
            two_sided: true,
        }),
        max_moves: (config.max_moves > 0).then_some(config.max_moves),
        ..Rules::default()
    })
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
