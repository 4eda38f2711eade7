//! What a run writes down: players, games and states, in one store.
//!
//! The store's run `tune` has a player for every vector that ever played (its description is the vector as JSON), a game
//! for every game, and several kinds of checkpoint: `state` is the optimiser between two rounds (only the last is kept),
//! `generation` is what a generation came to (all are kept), `clock` and `cpu` are how long it took, `origin` is where a chain of
//! runs began, `tried` what labels and priors came to that the run chose from, `engines` what its engines are, `looked` how often the rule was asked whether anything is gained, `ended` why it ended early, `failed` the error that stopped it last. The state that a round led to is committed together with the last games of the round, so the store never knows one without
//! the other.

use std::collections::HashMap;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use vidmar_arena::archive::{stored_faults, stored_game};
use vidmar_arena::{GameRecord, GameTask};
use vidmar_chess::Outcome;
use vidmar_optim::Optimizer;
use vidmar_store::{Batch, Checkpoint, Outline, Player, RunId, Store};

use super::engines::Identities;
use super::generation::Generation;
use super::stop_rules::Ended;
use super::{FAILED, RunError, Taken};
use crate::objective::texel::Tried;

/// Games wait so long at most before they are committed, and not more than so many.
const PATIENCE: Duration = Duration::from_millis(500);
const MOST_PENDING: usize = 64;

const STATE: &str = "state";
const GENERATION: &str = "generation";
const CLOCK: &str = "clock";
const CPU: &str = "cpu";
const ORIGIN: &str = "origin";
const TRIED: &str = "tried";
const FORMER_CONFIG: &str = "former-config";
const ENGINES: &str = "engines";
const LOOKED: &str = "looked";
const ENDED: &str = "ended";

/// The pen of a run.
pub(crate) struct Journal {
    store: Store,
    run: RunId,
    indices: HashMap<String, u32>,
    /// The results that were there when the store was opened: a round that was begun before is finished from them.
    known: Vec<Outline>,
    pending: Batch,
    keeps_scores: bool,
    flushed: Instant,
}

impl Journal {
    /// Begins a run.
    pub(crate) fn begin(mut store: Store, kind: &str, config: &str) -> Result<Journal, RunError> {
        let run = store.begin_run(kind, config)?;
        Journal::of(store, run)
    }

    /// Opens the run of that kind and configuration, or begins it.
    pub(crate) fn open_same(path: &Path, kind: &str, config: &str) -> Result<Journal, RunError> {
        let store = Store::open(path)?;
        let is_it = |run: &vidmar_store::Run| run.kind == kind && run.config == config;
        match store.runs()?.into_iter().find(is_it) {
            Some(run) => Journal::of(store, run.id),
            None => Journal::begin(store, kind, config),
        }
    }

    /// A run of a store, after a look at every row.
    pub(crate) fn of(store: Store, run: RunId) -> Result<Journal, RunError> {
        store.check()?;
        let players = store.players(run)?.into_iter();
        Ok(Journal {
            known: store.results(run)?,
            indices: players
                .map(|player| (player.description, player.number))
                .collect(),
            pending: Batch::new(run),
            keeps_scores: false,
            flushed: Instant::now(),
            store,
            run,
        })
    }

    /// The run has another configuration from the next commit on. Until [`reconfigured`](Self::reconfigured) the store
    /// knows the one before, too.
    pub(crate) fn reconfigure(&mut self, config: &str, before: &str) {
        self.pending.config = Some(config.to_owned());
        self.keep(0, FORMER_CONFIG, before.into());
    }

    /// The file beside the store says what the store says.
    pub(crate) fn reconfigured(&mut self) -> Result<(), RunError> {
        self.keep(0, FORMER_CONFIG, Vec::new());
        self.flush()
    }

    /// The index of the player with that description, a new one if it is not known.
    pub(crate) fn index_of(&mut self, description: String) -> u32 {
        if let Some(&index) = self.indices.get(&description) {
            return index;
        }
        let index = self.indices.len() as u32;
        self.pending.players.push(Player {
            number: index,
            name: format!("#{index}"),
            description: description.clone(),
        });
        self.indices.insert(description, index);
        index
    }

    /// Whether what players thought of their moves is put down with the games from now on.
    pub(crate) fn keep_scores(&mut self, keeps_scores: bool) {
        self.keeps_scores = keeps_scores;
    }

    /// Puts a finished game down; it is committed soon.
    pub(crate) fn add_game(&mut self, task: &GameTask, record: &GameRecord) -> Result<(), RunError> {
        let mut game = stored_game(task, record);
        if self.keeps_scores {
            // Only the time that a thought took is no function of the game.
            for thought in &mut game.thoughts {
                thought.time = Duration::ZERO;
            }
        } else {
            game.thoughts.clear();
        }
        self.pending.faults.extend(stored_faults(task, record));
        self.pending.games.push(game);
        if self.pending.games.len() >= MOST_PENDING {
            return self.flush();
        }
        Ok(())
    }

    /// Commits what has waited long enough.
    pub(crate) fn look(&mut self) -> Result<(), RunError> {
        if self.pending.games.is_empty() || self.flushed.elapsed() < PATIENCE {
            return Ok(());
        }
        self.flush()
    }

    /// Commits everything.
    pub(crate) fn flush(&mut self) -> Result<(), RunError> {
        let empty = Batch::new(self.run);
        if self.pending != empty {
            self.store.commit(&self.pending)?;
            self.pending = empty;
        }
        self.flushed = Instant::now();
        Ok(())
    }

    /// Commits the state after a round, with the games that led to it and what its generation came to.
    pub(crate) fn complete(
        &mut self,
        optimizer: &Optimizer,
        generation: Option<&Generation>,
        taken: Taken,
    ) -> Result<(), RunError> {
        let state = json(optimizer)?;
        self.keep(0, STATE, state);
        if let Some(generation) = generation {
            self.keep(generation.generation, GENERATION, json(generation)?);
            self.keep(generation.generation, CLOCK, json(&taken.seconds)?);
            self.keep(generation.generation, CPU, json(&taken.cpu_seconds)?);
        }
        self.flush()
    }

    fn keep(&mut self, generation: u64, name: &str, data: Vec<u8>) {
        self.pending.checkpoints.push(Checkpoint {
            generation,
            name: name.into(),
            data,
        });
    }

    /// Writes down where the chain of runs began, once.
    pub(crate) fn note_origin(&mut self, vector: &[f64]) -> Result<(), RunError> {
        if origin(&self.store, self.run)?.is_none() {
            self.keep(0, ORIGIN, json(&vector)?);
            self.flush()?;
        }
        Ok(())
    }

    /// Writes down what was tried before the choice.
    pub(crate) fn note_tried(&mut self, tried: &[Tried]) -> Result<(), RunError> {
        self.keep(0, TRIED, json(&tried)?);
        self.flush()
    }

    /// What is known of the run's engines.
    pub(crate) fn engines(&self) -> Result<Identities, RunError> {
        engines(&self.store, self.run)
    }

    /// Writes down what the run's engines are.
    pub(crate) fn note_engines(&mut self, engines: &Identities) -> Result<(), RunError> {
        self.keep(0, ENGINES, json(engines)?);
        self.flush()
    }

    /// Writes down that a rule was looked at, and what came of it.
    pub(crate) fn note_looked(&mut self, times: u64, ended: Option<&Ended>) -> Result<(), RunError> {
        self.keep(0, LOOKED, json(&times)?);
        if ended.is_some() {
            self.keep(0, ENDED, json(&ended)?);
        }
        self.flush()
    }

    /// The run goes on: nothing has ended it, and the rule is looked at again from here on.
    pub(crate) fn forget_end(&mut self) -> Result<(), RunError> {
        self.keep(0, ENDED, json(&None::<Ended>)?);
        self.flush()
    }

    /// How often the rule was looked at.
    pub(crate) fn looked(&self) -> Result<u64, RunError> {
        let found = self.store.latest_checkpoint(self.run, LOOKED)?;
        found.map_or(Ok(0), |checkpoint| read(&checkpoint))
    }

    /// The run's new state, in one word.
    pub(crate) fn set_state(&mut self, state: &str) -> Result<(), RunError> {
        self.pending.state = Some(state.to_owned());
        self.flush()
    }

    /// Writes down that an error ended the session. What is wrong with the store itself cannot be put down in it: the error that
    /// is told is the first one.
    pub(crate) fn note_failure(&mut self, error: &RunError) {
        if let Ok(text) = json(&error.to_string()) {
            self.keep(0, FAILED, text);
        }
        let _ = self.set_state(FAILED);
    }

    /// The optimiser as it was after the last whole round.
    pub(crate) fn state(&self) -> Result<Option<Optimizer>, RunError> {
        let found = self.store.latest_checkpoint(self.run, STATE)?;
        found.map(|checkpoint| read(&checkpoint)).transpose()
    }

    /// The results of the games from that number on that were known when the store was opened, by number.
    pub(crate) fn known_from(&self, number: u64) -> &[Outline] {
        let first = self.known.partition_point(|game| game.number < number);
        &self.known[first..]
    }

    /// Lets go of the games without a result from that number on: whoever resumes the run plays them again.
    pub(crate) fn forget_void_from(&mut self, number: u64) -> Result<(), RunError> {
        self.flush()?;
        self.pending.forget_void_from = Some(number);
        self.flush()?;
        self.known
            .retain(|game| game.number < number || game.result.is_some());
        Ok(())
    }

    /// The last fault that was put down, in words.
    pub(crate) fn last_fault(&mut self) -> Result<String, RunError> {
        self.flush()?;
        let faults = self.store.faults(self.run)?;
        let last = faults
            .last()
            .map(|fault| format!("{}: {}", fault.kind, fault.detail));
        Ok(last.unwrap_or_else(|| "unknown".to_owned()))
    }

    pub(crate) fn store(&self) -> &Store {
        &self.store
    }

    pub(crate) fn run(&self) -> RunId {
        self.run
    }
}

/// All generations of a run.
pub(crate) fn generations(store: &Store, run: RunId) -> Result<Vec<Generation>, RunError> {
    generations_from(store, run, 0)
}

/// The generations of a run from a number on.
pub(crate) fn generations_from(store: &Store, run: RunId, first: u64) -> Result<Vec<Generation>, RunError> {
    let found = store.checkpoints_from(run, GENERATION, first)?;
    found.iter().map(read_generation).collect()
}

/// A generation whose vectors all have the same length: with another one nothing could be said of its parameters.
fn read_generation(checkpoint: &Checkpoint) -> Result<Generation, RunError> {
    let generation: Generation = read(checkpoint)?;
    if generation.is_sound() {
        return Ok(generation);
    }
    Err(RunError::State {
        what: "a saved generation",
        reason: format!(
            "the vectors of generation {} differ in length",
            generation.generation
        ),
    })
}

/// The last whole generation.
pub(crate) fn last_generation(store: &Store, run: RunId) -> Result<Option<Generation>, RunError> {
    let found = store.latest_checkpoint(run, GENERATION)?;
    found.map(|checkpoint| read_generation(&checkpoint)).transpose()
}

/// Where the chain of runs began that a run belongs to.
pub(crate) fn origin(store: &Store, run: RunId) -> Result<Option<Vec<f64>>, RunError> {
    let found = store.latest_checkpoint(run, ORIGIN)?;
    found.map(|checkpoint| read(&checkpoint)).transpose()
}

/// What the file beside the store may still say, because a change of it was cut short.
pub(crate) fn former_config(store: &Store, run: RunId) -> Result<Option<String>, RunError> {
    let found = store.latest_checkpoint(run, FORMER_CONFIG)?;
    let text = found.and_then(|checkpoint| String::from_utf8(checkpoint.data).ok());
    Ok(text.filter(|text| !text.is_empty()))
}

/// The labels and priors that a run chose from; none where there was no choice, or not yet.
pub(crate) fn tried(store: &Store, run: RunId) -> Result<Vec<Tried>, RunError> {
    let found = store.latest_checkpoint(run, TRIED)?;
    found.map_or_else(|| Ok(Vec::new()), |checkpoint| read(&checkpoint))
}

/// What is known of a run's engines; nothing in stores from before that was kept.
pub(crate) fn engines(store: &Store, run: RunId) -> Result<Identities, RunError> {
    let found = store.latest_checkpoint(run, ENGINES)?;
    found.map_or_else(|| Ok(Identities::new()), |checkpoint| read(&checkpoint))
}

/// The error that stopped a run last.
pub(crate) fn failure(store: &Store, run: RunId) -> Result<Option<String>, RunError> {
    let found = store.latest_checkpoint(run, FAILED)?;
    found.map(|checkpoint| read(&checkpoint)).transpose()
}

/// Why a run ended before its budget was used up, if it did.
pub(crate) fn ended(store: &Store, run: RunId) -> Result<Option<Ended>, RunError> {
    let found = store.latest_checkpoint(run, ENDED)?;
    found.map_or(Ok(None), |checkpoint| read(&checkpoint))
}

/// How long the run has taken until the last generation.
pub(crate) fn taken(store: &Store, run: RunId) -> Result<Taken, RunError> {
    let of = |name: &str| {
        let found = store.latest_checkpoint(run, name)?;
        found.map_or(Ok(0.0), |checkpoint| read(&checkpoint))
    };
    Ok(Taken {
        seconds: of(CLOCK)?,
        cpu_seconds: of(CPU)?,
    })
}

/// The optimiser after the last whole round.
pub(crate) fn state(store: &Store, run: RunId) -> Result<Option<Optimizer>, RunError> {
    let found = store.latest_checkpoint(run, STATE)?;
    found.map(|checkpoint| read(&checkpoint)).transpose()
}

/// The optimiser's word for a stored result.
pub(crate) fn told(result: Option<Outcome>) -> vidmar_optim::GameResult {
    match result {
        Some(Outcome::WHITE_WINS) => vidmar_optim::GameResult::White,
        Some(Outcome::BLACK_WINS) => vidmar_optim::GameResult::Black,
        Some(Outcome::Draw) => vidmar_optim::GameResult::Draw,
        None => vidmar_optim::GameResult::Void,
    }
}

fn json(value: &impl Serialize) -> Result<Vec<u8>, RunError> {
    serde_json::to_vec(value).map_err(|error| RunError::State {
        what: "a state",
        reason: error.to_string(),
    })
}

fn read<T: DeserializeOwned>(checkpoint: &Checkpoint) -> Result<T, RunError> {
    serde_json::from_slice(&checkpoint.data).map_err(|error| RunError::State {
        what: "the saved state",
        reason: error.to_string(),
    })
}
