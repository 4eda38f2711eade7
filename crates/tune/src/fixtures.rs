//! Games that are planned before any of them is played: what the store knows is told from there, the rest is played.
//!
//! Rounds of tuning, the validation, the gauntlet and the games that Texel's positions come from are all lists of fixtures with
//! numbers in a row. A list that was interrupted is planned again in the same way and goes on where it was.

use std::num::NonZeroUsize;

use vidmar_arena::{
    FaultPolicy, GameSetup, GameTask, Opening, PlayedGame, Rules, Runner, RunnerError, Sink, TaskPlayer,
    ThreadExecutor, TimeControl,
};
use vidmar_chess::{ByColor, Outcome};
use vidmar_engine::Control;

use crate::desk::Contestant;
use crate::run::{Journal, RunError};

/// One game; who plays is said by places in the store.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) number: u64,
    pub(crate) players: ByColor<usize>,
    pub(crate) opening: Opening,
    pub(crate) control: ByColor<TimeControl>,
    pub(crate) seed: u64,
}

/// A game with its place in the list.
pub(crate) struct Fixture {
    /// Its description; numbers of a list follow each other.
    pub(crate) job: Job,
    /// The places of the two sides among the contestants.
    pub(crate) sides: ByColor<usize>,
    /// What the store calls its round.
    pub(crate) round: u64,
}

/// How far a list is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Progress {
    /// Games that are known now.
    pub(crate) done: u64,
    /// Games of the list.
    pub(crate) total: u64,
    /// Faults of the game that has just ended.
    pub(crate) faults: u64,
}

impl Fixture {
    fn task(&self, contestants: &[Contestant], rules: &Rules) -> GameTask {
        let Job {
            number,
            players,
            opening,
            control,
            seed,
        } = &self.job;
        let player = |side| TaskPlayer::new(players[side], contestants[self.sides[side]].spec().clone());
        GameTask {
            number: *number,
            round: self.round,
            players: ByColor::from_fn(player),
            setup: GameSetup {
                opening: opening.clone(),
                limits: *control,
                rules: rules.clone(),
                seed: *seed,
            },
        }
    }
}

/// Where the games of a list go: into the journal, and among the results.
struct Results<'a> {
    journal: &'a mut Journal,
    first: u64,
    results: Vec<Option<Option<Outcome>>>,
    done: u64,
    observe: &'a mut dyn FnMut(&Progress),
}

impl Sink for Results<'_> {
    type Error = RunError;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), RunError> {
        for PlayedGame { task, record } in games {
            self.journal.add_game(&task, &record)?;
            self.results[(task.number - self.first) as usize] = Some(record.outcome);
            self.done += 1;
            (self.observe)(&Progress {
                done: self.done,
                total: self.results.len() as u64,
                faults: record.faults.len() as u64,
            });
        }
        Ok(())
    }

    fn idle(&mut self) -> Result<(), RunError> {
        self.journal.look()
    }
}

/// Plays what the store does not know yet; the results in order, or none if it was stopped.
pub(crate) fn play_all(
    journal: &mut Journal,
    fixtures: &[Fixture],
    contestants: &[Contestant],
    rules: &Rules,
    (threads, control): (usize, &Control),
    observe: &mut dyn FnMut(&Progress),
) -> Result<Option<Vec<Option<Outcome>>>, RunError> {
    let first = fixtures.first().map_or(0, |fixture| fixture.job.number);
    let mut results: Vec<Option<Option<Outcome>>> = vec![None; fixtures.len()];
    for game in journal.known_from(first) {
        if let Some(place) = results.get_mut((game.number - first) as usize) {
            *place = Some(game.result);
        }
    }
    let missing: Vec<&Fixture> = fixtures
        .iter()
        .zip(&results)
        .filter(|(_, result)| result.is_none())
        .map(|(fixture, _)| fixture)
        .collect();
    let executor =
        ThreadExecutor::new(NonZeroUsize::new(threads.min(missing.len())).unwrap_or(NonZeroUsize::MIN));
    let runner = Runner {
        executor: &executor,
        faults: FaultPolicy::Replay,
        needs_players: false,
    };
    let mut sink = Results {
        journal,
        first,
        done: (fixtures.len() - missing.len()) as u64,
        results,
        observe,
    };
    let tasks = missing
        .into_iter()
        .map(|fixture| fixture.task(contestants, rules));
    runner
        .run(tasks, &mut sink, control)
        .map_err(|error| match error {
            RunnerError::Sink(error) => error,
            other => RunError::Games(other.to_string()),
        })?;
    Ok(sink.results.into_iter().collect())
}
