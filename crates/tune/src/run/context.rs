//! What an objective has of its run: everything but itself and the optimiser.

use vidmar_arena::{Executor, GameSetup, GameTask, Rules, TaskPlayer};
use vidmar_chess::ByColor;
use vidmar_engine::Control;
use vidmar_optim::{Batch, Setup};
use vidmar_players::PlayerSpec;

use super::{Event, Journal, RunError};
use crate::config::Config;
use crate::openings::Book;
use crate::parameters::Tunables;
use crate::players::{limits_of, player_of, time_control};

/// The run around an objective.
pub struct Context<'a> {
    pub(crate) config: &'a Config,
    pub(crate) tunables: &'a Tunables,
    /// How the optimiser was set up.
    pub(crate) setup: &'a Setup,
    /// Jobs that were answered in earlier rounds.
    pub(crate) jobs: u64,
    pub(crate) book: &'a Book,
    pub(crate) rules: &'a Rules,
    pub(crate) journal: &'a mut Journal,
    pub(crate) threads: usize,
    pub(crate) executor: &'a dyn Executor,
    pub(crate) control: &'a Control,
    pub(crate) observe: &'a mut dyn FnMut(&Event<'_>),
}

impl Context<'_> {
    /// A vector as a player.
    pub(crate) fn player_of(&self, vector: &[f64]) -> PlayerSpec {
        player_of(self.tunables.candidate(vector), &self.config.engine)
    }

    /// The vectors of a batch as players of the store.
    pub(crate) fn players(&mut self, batch: &Batch) -> Result<Vec<TaskPlayer>, RunError> {
        let vectors = batch.players.iter();
        vectors
            .map(|vector| {
                let description = serde_json::to_string(vector).map_err(|error| RunError::State {
                    what: "a vector",
                    reason: error.to_string(),
                })?;
                let index = self.journal.index_of(description);
                Ok(TaskPlayer::new(index as usize, self.player_of(vector)))
            })
            .collect()
    }

    /// A game of a round, in the opening of its seed.
    pub(crate) fn task(&self, round: u64, number: u64, players: ByColor<&TaskPlayer>, seed: u64) -> GameTask {
        let usual = time_control(&self.config.engine, 0);
        GameTask {
            number,
            round,
            setup: GameSetup {
                opening: self.book.tuning(seed),
                limits: ByColor::from_fn(|side| limits_of(&players[side].spec, usual)),
                rules: self.rules.clone(),
                seed,
                keeps_pvs: false,
            },
            players: ByColor::from_fn(|side| players[side].clone()),
        }
    }

    /// Not one game of a vector has a result: the fault to blame. Such games of the round, the first of which has that
    /// number, are played again when the run is resumed.
    pub(crate) fn no_evidence(&mut self, round: u64, job: usize, first: u64) -> RunError {
        let blamed = self.journal.last_fault().and_then(|fault| {
            self.journal.forget_void_from(first)?;
            Ok(RunError::NoEvidence { round, job, fault })
        });
        blamed.unwrap_or_else(|error| error)
    }
}
