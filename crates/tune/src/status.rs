//! Where a run stands, for whoever looks in from outside: another process may be running it.

use std::path::Path;

use serde::Serialize;
use vidmar_optim::{Champion, Optimizer, Space};
use vidmar_rows::{GauntletRow, ValidationRow};
use vidmar_store::{RunId, Store, StoreError};

use crate::config::Config;
use crate::gauntlet::standings;
use crate::learned::Learned;
use crate::objective::texel::{Fit, Tried};
use crate::parameters::Tunables;
use crate::run::{
    Generation, ResultVectors, RunError, STORE_FILE, ended, generations, read_config, state, taken, tried,
};
use crate::verify::validations;

/// A run directory, opened for reading.
pub struct View {
    /// Its configuration.
    pub config: Config,
    /// Its store.
    pub store: Store,
    /// The tuning run in it.
    pub run: RunId,
    /// The optimiser after the last whole round; none before the first.
    pub optimizer: Option<Optimizer>,
    /// All generations.
    pub generations: Vec<Generation>,
}

impl View {
    /// Looks into a run directory.
    pub fn open(directory: &Path) -> Result<View, RunError> {
        let config = read_config(directory)?;
        View::of(
            directory,
            config,
            Store::open_read_only(&directory.join(STORE_FILE))?,
        )
    }

    /// Looks into a run directory and leaves no trace there; see [`Store::read`].
    pub fn look<T, E: From<RunError> + From<StoreError>>(
        directory: &Path,
        look: impl Fn(View) -> Result<T, E>,
    ) -> Result<T, E> {
        let config = read_config(directory)?;
        Store::read(&directory.join(STORE_FILE), |store| {
            look(View::of(directory, config.clone(), store)?)
        })
    }

    fn of(directory: &Path, config: Config, store: Store) -> Result<View, RunError> {
        let run = tuning_run(&store)?.ok_or_else(|| RunError::NotARun {
            directory: directory.to_owned(),
        })?;
        let (optimizer, generations) = (optimizer(&store, run)?, generations(&store, run)?);
        let width = optimizer.as_ref().map(|optimizer| optimizer.setup().space.len());
        let misfit = |generation: &&Generation| width.is_some_and(|width| generation.centroid.len() != width);
        if let Some(generation) = generations.iter().find(misfit) {
            return Err(RunError::State {
                what: "a saved generation",
                reason: format!(
                    "the vectors of generation {} do not fit what is searched",
                    generation.generation
                ),
            });
        }
        Ok(View {
            config,
            store,
            run,
            optimizer,
            generations,
        })
    }

    /// What is searched, once there is a state.
    pub fn space(&self) -> Option<&Space> {
        self.optimizer.as_ref().map(|optimizer| &optimizer.setup().space)
    }

    /// What the dimensions of its vectors mean.
    pub(crate) fn tunables(&self) -> Result<Tunables, RunError> {
        let tunables = match Tunables::new(&self.config.parameters, &[]) {
            Ok(tunables) => tunables,
            // An engine's own options are in the saved space.
            Err(error) => match self.space() {
                Some(space) => Tunables::of_options(space),
                None => return Err(error.into()),
            },
        };
        Ok(match self.space() {
            Some(space) => tunables.with_space(space.clone()),
            None => tunables,
        })
    }

    /// The result vectors as they are now.
    pub fn results(&self) -> Result<Option<ResultVectors>, RunError> {
        let of = |optimizer| ResultVectors::of(&self.store, self.run, optimizer);
        self.optimizer.as_ref().map(of).transpose()
    }

    /// What it has learned until now; none before the first generation.
    pub fn learned(&self) -> Result<Option<Learned>, RunError> {
        let of = |optimizer| Learned::of(&self.store, self.run, optimizer, self.generations.last());
        self.optimizer.as_ref().map(of).transpose()
    }

    /// Where it stands.
    pub fn status(&self) -> Result<Status, RunError> {
        let validations = validations(&self.store, &self.config)?;
        let whole = 2 * self.config.verify.pairs;
        let is_verified = !validations.is_empty()
            && validations
                .iter()
                .all(|row| row.games >= whole || row.decision.is_some());
        let mut taken = taken(&self.store, self.run)?;
        if !self.config.tells_processor_time() {
            taken.cpu_seconds = 0.0;
        }
        let ended = ended(&self.store, self.run)?;
        let games = self.store.finished(self.run)?.len() as u64;
        let optimizer = self.optimizer.as_ref();
        let space = optimizer.map(|o| &o.setup().space);
        let last = self.generations.last();
        let best = last.and_then(|g| {
            g.by_value
                .as_ref()
                .or(g.by_rating.as_ref())
                .or(g.by_efficiency.as_ref())
        });
        let values = |vector: &[f64]| space.map_or_else(Values::default, |space| Values::of(space, vector));
        Ok(Status {
            state: match optimizer {
                _ if is_verified => "verified",
                Some(optimizer) if ended.is_some() || optimizer.is_finished() => "tuned",
                _ => "unfinished",
            },
            ended: ended.map(|ended| ended.to_string()),
            method: self.config.method().name(),
            generation: optimizer.map_or(0, Optimizer::generation),
            generations: self.config.budget.generations,
            games,
            total_games: self.config.budget.total_games,
            progress: optimizer.map_or(0.0, Optimizer::progress),
            seconds: taken.seconds,
            games_per_second: per(games, taken.seconds),
            cpu_seconds: taken.cpu_seconds,
            games_per_cpu_second: per(games, taken.cpu_seconds),
            faults: self.store.faults(self.run)?.len(),
            fit: last.and_then(|generation| generation.fit),
            tried: tried(&self.store, self.run)?,
            best: best.map(|champion| Scored::of(champion, values(&champion.vector))),
            centroid: last.map(|generation| values(&generation.centroid)),
            verify: validations,
            gauntlet: standings(&self.store)?,
            learned: None,
        })
    }
}

fn per(games: u64, seconds: f64) -> f64 {
    if seconds > 0.0 {
        games as f64 / seconds
    } else {
        0.0
    }
}

/// The tuning run of a store.
pub fn tuning_run(store: &Store) -> Result<Option<RunId>, StoreError> {
    let found = store.runs()?.into_iter().find(|run| run.kind == "tune");
    Ok(found.map(|run| run.id))
}

/// The optimiser of a tuning run after the last whole round.
pub fn optimizer(store: &Store, run: RunId) -> Result<Option<Optimizer>, RunError> {
    state(store, run)
}

/// Where a run stands.
#[derive(Clone, Debug, Serialize)]
pub struct Status {
    /// `unfinished`, `tuned` or `verified`.
    pub state: &'static str,
    /// Why it ended before its budget was used up, where it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<String>,
    /// The optimiser.
    pub method: &'static str,
    /// Whole generations.
    pub generation: u64,
    /// Generations planned; 0 where games are counted.
    pub generations: u64,
    /// Games committed.
    pub games: u64,
    /// Games planned; 0 where generations are counted.
    pub total_games: u64,
    /// How much of the budget is used, 0 to 1.
    pub progress: f64,
    /// Seconds of work.
    pub seconds: f64,
    /// Games per second of work.
    pub games_per_second: f64,
    /// Seconds of the processors, all threads and all external engines together; 0 where they are not known.
    pub cpu_seconds: f64,
    /// Games per second of one processor; 0 where that is not known.
    pub games_per_cpu_second: f64,
    /// Faults of engines.
    pub faults: usize,
    /// How well the best vector predicts results, where that is what vectors are evaluated by.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fit: Option<Fit>,
    /// Labels and priors that the run chose from, by how well results kept out were predicted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tried: Vec<Tried>,
    /// The best by value, rating or efficiency.
    pub best: Option<Scored>,
    /// The rounded mean of the population.
    pub centroid: Option<Values>,
    /// The validation so far.
    pub verify: Vec<ValidationRow>,
    /// The gauntlet so far, the best first.
    pub gauntlet: Vec<GauntletRow>,
    /// What was learned until now, where it was asked for: see [`View::learned`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub learned: Option<Learned>,
}

/// A vector with what it has shown.
#[derive(Clone, Debug, Serialize)]
pub struct Scored {
    /// Points per game, rating or value.
    pub score: f64,
    /// The games it rests on.
    pub games: u32,
    /// The values by name.
    pub vector: Values,
}

impl Scored {
    fn of(champion: &Champion, vector: Values) -> Scored {
        Scored {
            score: champion.score,
            games: champion.games,
            vector,
        }
    }
}

/// Values by name, in the order of the parameters.
#[derive(Clone, Debug, Default)]
pub struct Values(pub Vec<(String, f64)>);

impl Values {
    /// A vector with its names.
    pub fn of(space: &Space, vector: &[f64]) -> Values {
        let names = space.dimensions().iter().map(|dimension| dimension.name.clone());
        Values(names.zip(vector.iter().copied()).collect())
    }
}

impl Serialize for Values {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, Number(*value))))
    }
}

/// A whole number is written as one.
struct Number(f64);

impl Serialize for Number {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 && self.0.abs() < 9e15 {
            serializer.serialize_i64(self.0 as i64)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}
