//! How settled evolved lines are: the share of the later generations in which the best line's fitness still changes.
//!
//! Every first move of every position evolves by itself; counted are the generations of the second half, as a share of all of them.
//! A seed is an evolution with other draws.

use std::path::Path;

use serde::{Deserialize, Serialize};
use vidmar_chess::{Game, Position};
use vidmar_engine::{Explanation, Limits, Thinker as _};
use vidmar_evolve::{EvolveThinker, Fitness, Settings, Strategy};

use super::{Resources, Unit, Work};
use crate::data::{Data, Missing};
use crate::error::{ReproduceError, StepError};
use crate::files::{self, Lines};

const FILE: &str = "shares.jsonl";

/// A kind of evolution.
#[derive(Clone, Copy, Debug)]
pub struct Population {
    /// What it is called.
    pub name: &'static str,
    /// How it evolves.
    pub strategy: Strategy,
    /// Moves of a line.
    pub genes: usize,
}

/// What came of one of them with one seed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LateChange {
    /// Its name.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// Later generations, over all positions and first moves.
    pub generations: u64,
    /// Those in which the fitness changed.
    pub changed: u64,
}

impl LateChange {
    /// The share in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.changed as f64 / self.generations.max(1) as f64
    }
}

/// Lets lines evolve and looks at the second half.
pub struct LateChanges {
    /// Where they begin.
    pub positions: Vec<&'static str>,
    /// What evolves.
    pub populations: Vec<Population>,
    /// Generations of an evolution.
    pub generations: u64,
    /// Seeds 1 to so many.
    pub seeds: u64,
}

impl LateChanges {
    /// What a folder has of it.
    pub fn read(folder: &Path) -> Result<Vec<LateChange>, ReproduceError> {
        Lines::read(&folder.join(FILE))
    }

    /// None where it was stopped.
    fn measure(&self, population: &Population, seed: u64, with: &Resources<'_>) -> Option<LateChange> {
        let mut found = LateChange {
            name: population.name.to_owned(),
            seed,
            generations: 0,
            changed: 0,
        };
        for fen in &self.positions {
            let position: Position = fen.parse().expect("a position of our own list is legal");
            let mut player = EvolveThinker::new(Settings {
                genes: population.genes,
                generations: u32::try_from(self.generations).unwrap_or(u32::MAX),
                strategy: population.strategy,
                fitness: Fitness::Leaf,
                seed,
                ..Settings::default()
            });
            player.think(&Game::new(position), &Limits::none(), with.control, &mut |_| {});
            if with.control.is_stopped() {
                return None;
            }
            let Some(Explanation::Evolution(evolution)) = player.explanation() else {
                continue;
            };
            for first in &evolution.moves {
                for pair in first.history.windows(2) {
                    if u64::from(pair[0].generation) < self.generations / 2 {
                        continue;
                    }
                    found.generations += 1;
                    found.changed += u64::from(pair[0].fitness != pair[1].fitness);
                }
            }
        }
        Some(found)
    }
}

impl Work for LateChanges {
    fn unit(&self) -> Unit {
        Unit::Searches
    }

    fn units(&self) -> u64 {
        self.populations.len() as u64 * self.seeds
    }

    fn command(&self, _folder: &Path) -> String {
        format!(
            "vidmar move --player evolve:strategy=alternating,fitness=leaf,generations={},genes=6,seed=1 --explain --json --fen '{}' (and so on)",
            self.generations,
            self.positions.first().unwrap_or(&"")
        )
    }

    fn missing(&self, _data: &Data) -> Vec<Missing> {
        Vec::new()
    }

    fn done(&self, folder: &Path) -> Result<u64, ReproduceError> {
        Ok(LateChanges::read(folder)?.len() as u64)
    }

    fn carry_out(
        &self,
        folder: &Path,
        with: &Resources<'_>,
        tell: &mut (dyn FnMut(u64) + Send),
    ) -> Result<bool, StepError> {
        let path = folder.join(FILE);
        let known = LateChanges::read(folder)?;
        let mut lines = Lines::open(&path)?;
        let mut done = known.len() as u64;
        for seed in 1..=self.seeds {
            for population in &self.populations {
                let is_known = |found: &LateChange| found.name == population.name && found.seed == seed;
                if known.iter().any(is_known) {
                    continue;
                }
                let Some(found) = self.measure(population, seed, with) else {
                    return Ok(false);
                };
                lines.add(&path, &found)?;
                done += 1;
                tell(done);
            }
        }
        files::make_folder(folder)?;
        Ok(true)
    }
}
