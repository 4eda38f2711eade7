//! What an objective has of its run: everything but itself and the optimiser.

use vidmar_arena::Rules;
use vidmar_chess::{ByColor, Color, Outcome};
use vidmar_engine::Control;
use vidmar_optim::{Batch, Setup};

use super::{Event, Journal, RunError};
use crate::config::Config;
use crate::desk::Contestant;
use crate::fixtures::{Fixture, Job, Progress, play_all};
use crate::openings::Book;
use crate::parameters::Tunables;

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
    pub(crate) faults: &'a mut u64,
    pub(crate) threads: usize,
    pub(crate) control: &'a Control,
    pub(crate) observe: &'a mut dyn FnMut(&Event<'_>),
}

/// The contestants of a round with their indices in the store.
pub(crate) struct Table {
    contestants: Vec<Contestant>,
    indices: Vec<u32>,
}

impl Context<'_> {
    /// A vector as a player.
    pub(crate) fn contestant(&self, vector: &[f64]) -> Contestant {
        Contestant::new(self.tunables.candidate(vector), &self.config.engine)
    }

    /// The vectors of a batch, and others behind them.
    pub(crate) fn table(
        &mut self,
        batch: &Batch,
        others: &[(String, Contestant)],
    ) -> Result<Table, RunError> {
        let mut table = Table {
            contestants: batch
                .players
                .iter()
                .map(|vector| self.contestant(vector))
                .collect(),
            indices: Vec::new(),
        };
        for vector in &batch.players {
            let description = serde_json::to_string(vector).map_err(|error| RunError::State {
                what: "a vector",
                reason: error.to_string(),
            })?;
            table.indices.push(self.journal.index_of(description));
        }
        for (description, contestant) in others {
            table.contestants.push(contestant.clone());
            table.indices.push(self.journal.index_of(description.clone()));
        }
        Ok(table)
    }

    /// A game between two of a table, in the opening of its seed.
    pub(crate) fn planned(
        &self,
        round: u64,
        number: u64,
        sides: ByColor<usize>,
        seed: u64,
        table: &Table,
    ) -> Fixture {
        let limits = |side: Color| table.contestants[sides[side]].limits(&self.config.engine);
        Fixture {
            job: Job {
                number,
                players: ByColor::from_fn(|side| table.indices[sides[side]] as usize),
                opening: self.book.tuning(seed),
                control: ByColor::from_fn(limits),
                seed,
            },
            sides,
            round,
        }
    }

    /// Plays what the store does not know yet; the results in order, or none if it was stopped.
    pub(crate) fn play(
        &mut self,
        fixtures: &[Fixture],
        table: &Table,
    ) -> Result<Option<Vec<Option<Outcome>>>, RunError> {
        let first = fixtures.first().map_or(0, |fixture| fixture.job.number);
        let (faults, observe) = (&mut *self.faults, &mut *self.observe);
        let mut watch = |progress: &Progress| {
            *faults += progress.faults;
            observe(&Event::Job {
                done: first + progress.done,
                faults: *faults,
            });
        };
        play_all(
            self.journal,
            fixtures,
            &table.contestants,
            self.rules,
            (self.threads, self.control),
            &mut watch,
        )
    }

    /// Not one game of a vector has a result: the fault to blame.
    pub(crate) fn no_evidence(&self, round: u64, job: usize) -> RunError {
        let faults = self
            .journal
            .store()
            .faults(self.journal.run())
            .unwrap_or_default();
        RunError::NoEvidence {
            round,
            job,
            fault: faults
                .last()
                .map_or_else(|| "unknown".into(), |f| format!("{}: {}", f.kind, f.detail)),
        }
    }
}
