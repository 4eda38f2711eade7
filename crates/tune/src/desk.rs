//! Where games are played: a worker's two seats, and the threads that fill them.
//!
//! A game is a function of its [`Bout`]: two candidates, an opening, limits, rules, a seed. Built-in engines are made
//! anew for every game, so that nothing is carried from one to the next; a game that was stopped half-way is thrown
//! away and played again from the start.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use vidmar_arena::{Job, Record, ResignRule, Rules, TimeControl, play};
use vidmar_chess::{ByColor, Color, Termination};
use vidmar_engine::{Control, FlagshipSettings, FlagshipThinker};
use vidmar_players::{EngineCommand, Fault, MoveLimits, Player, PlayerSpec, Protocol, ThinkerPlayer};

use crate::config::{Engine, GameRules};
use crate::parameters::{Candidate, SpinOption};
use crate::spin_options;
use crate::tablebases::{TablebasesError, verdicts};

/// Who sits down.
#[derive(Clone)]
pub enum Contestant {
    /// The engine of this program with a candidate's parameters.
    BuiltIn {
        /// The parameters.
        candidate: Box<Candidate>,
        /// MiB of its table.
        hash: usize,
    },
    /// Another program with a candidate's options.
    External(EngineCommand),
    /// A fixed opponent.
    Fixed(PlayerSpec),
}

impl Contestant {
    /// A candidate as the configuration's engine.
    pub fn new(candidate: Candidate, engine: &Engine) -> Contestant {
        if engine.command.is_empty() {
            return Contestant::BuiltIn {
                candidate: Box::new(candidate),
                hash: engine.hash,
            };
        }
        let mut command = command_of(engine);
        command.options.extend(candidate.options);
        Contestant::External(command)
    }

    /// A fixed opponent by its specification.
    pub fn of_spec(spec: &str) -> Result<Contestant, String> {
        spec.parse()
            .map(Contestant::Fixed)
            .map_err(|error: vidmar_players::SpecError| error.to_string())
    }

    /// What a game allows it. A fixed opponent that brings limits of its own has no others.
    pub(crate) fn limits(&self, engine: &Engine) -> TimeControl {
        self.limits_or(time_control(engine, 0))
    }

    /// The same with other limits for those that bring none.
    pub(crate) fn limits_or(&self, limits: TimeControl) -> TimeControl {
        match self {
            Contestant::Fixed(spec) if spec.move_limits().is_finite() => TimeControl::default(),
            _ => limits,
        }
    }

    /// Whether it can sit down at all.
    pub(crate) fn try_out(&self) -> Result<(), Fault> {
        self.player().map(drop)
    }

    /// Whether it can do wrong.
    fn is_fallible(&self) -> bool {
        match self {
            Contestant::BuiltIn { .. } => false,
            Contestant::External(_) => true,
            Contestant::Fixed(spec) => spec.player_type().is_program(),
        }
    }

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
                Ok(Box::new(ThinkerPlayer::new(
                    Box::new(thinker),
                    MoveLimits::default(),
                    0,
                )))
            }
            Contestant::External(command) => PlayerSpec::external(Protocol::Uci, command, None).player(),
            Contestant::Fixed(spec) => spec.player(),
        }
    }
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
        verdicts: verdicts(&config.tablebases)?,
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

/// One game to be played.
pub struct Bout<'a> {
    /// Its description.
    pub job: Job,
    /// The two sides.
    pub sides: ByColor<&'a Contestant>,
}

/// A game that a fault has ended is begun so often.
const ATTEMPTS: u32 = 3;

/// What came of a bout: the last attempt, and the faults of all.
pub struct Played {
    /// The last attempt.
    pub record: Record,
    /// Attempt, side and fault.
    pub faults: Vec<(u32, Color, Fault)>,
}

/// Plays one game; where an external engine fails, again.
pub fn play_bout(bout: &Bout<'_>, rules: &Rules, control: &Control) -> Played {
    let mut faults = Vec::new();
    let fallible = Color::ALL.into_iter().any(|side| bout.sides[side].is_fallible());
    for attempt in 0.. {
        let record = play_once(bout, rules, control);
        faults.extend(
            record
                .faults
                .iter()
                .map(|(side, fault)| (attempt, *side, fault.clone())),
        );
        let may_try_again = fallible && attempt + 1 < ATTEMPTS && !control.is_stopped();
        if record.result.is_some() || record.faults.is_empty() || !may_try_again {
            return Played { record, faults };
        }
    }
    unreachable!("the last attempt returns")
}

fn play_once(bout: &Bout<'_>, rules: &Rules, control: &Control) -> Record {
    let faulty = |fault: Fault, side| Record {
        number: bout.job.number,
        result: None,
        termination: Termination::Fault(side),
        plies: Vec::new(),
        faults: vec![(side, fault)],
    };
    match (
        bout.sides[Color::White].player(),
        bout.sides[Color::Black].player(),
    ) {
        (Ok(mut white), Ok(mut black)) => {
            let players: ByColor<&mut dyn Player> = ByColor::new(white.as_mut(), black.as_mut());
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
