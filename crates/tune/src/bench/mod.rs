//! The synthetic benchmark: every optimiser, for several budgets of games, on landscapes whose optimum is known.
//!
//! Games are drawn from the Bradley-Terry model between vectors of known strength ([`vidmar_optim::landscape`]), so
//! that a method is measured by the *true* Elo of its result. A cell of the benchmark, one method on one
//! landscape with one seed, is a pure function of its names: the threads only decide who computes it.

mod contender;
mod ratings;
mod summary;

use rayon::prelude::*;
use vidmar_optim::landscape::{Gain, Landscape, Shape, tune_budgets};
use vidmar_optim::{Evidence, SetupError, SpaceError};

pub use contender::Contender;
pub use ratings::WarmRatings;
pub use summary::{Family, Problem, by_seed, problems, rank_table};

/// What is compared on what.
#[derive(Clone, Debug)]
pub struct Plan {
    /// Numbers of parameters.
    pub dimensions: Vec<usize>,
    /// Games, smallest first.
    pub budgets: Vec<u64>,
    /// A seed is a landscape and a run on it; this is the first.
    pub first_seed: u64,
    /// How many.
    pub seed_count: u64,
    /// How many of them make a row of the rank tests together.
    pub group: usize,
    /// How many games a vector plays to be evaluated once.
    pub games: u32,
    /// The optimisers.
    pub contenders: Vec<Contender>,
    /// The landscapes.
    pub shapes: Vec<Shape>,
}

impl Plan {
    /// The whole benchmark: minutes.
    pub fn full() -> Plan {
        Plan {
            dimensions: vec![16, 190],
            budgets: vec![1_000, 4_000, 10_000, 40_000],
            // Those from 0 on have been looked at when methods were made.
            first_seed: 1_000,
            seed_count: 10,
            group: 5,
            games: 2,
            contenders: Contender::usual(),
            shapes: Shape::ALL.to_vec(),
        }
    }

    /// A look: seconds.
    pub fn quick() -> Plan {
        Plan {
            dimensions: vec![16],
            budgets: vec![1_000, 4_000],
            seed_count: 4,
            group: 2,
            ..Plan::full()
        }
    }

    /// The seeds.
    pub fn seeds(&self) -> std::ops::Range<u64> {
        self.first_seed..self.first_seed + self.seed_count
    }

    /// The cells in the order of the results.
    fn cells(&self) -> Vec<(usize, Shape, usize, u64)> {
        let mut cells = Vec::new();
        for &dimensions in &self.dimensions {
            for &shape in &self.shapes {
                for contender in 0..self.contenders.len() {
                    cells.extend(self.seeds().map(|seed| (dimensions, shape, contender, seed)));
                }
            }
        }
        cells
    }

    /// How many cells there are.
    pub fn len(&self) -> usize {
        self.dimensions.len() * self.shapes.len() * self.contenders.len() * self.seed_count as usize
    }

    /// Whether there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 || self.budgets.is_empty()
    }
}

/// What one contender came to on one landscape.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The number of parameters.
    pub dimensions: usize,
    /// The landscape.
    pub shape: Shape,
    /// The contender, by its index in the plan.
    pub contender: usize,
    /// The seed of both.
    pub seed: u64,
    /// One for each budget.
    pub gains: Vec<Gain>,
}

/// Why a benchmark cannot be run.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BenchError {
    /// A landscape without dimensions.
    #[error(transparent)]
    Space(#[from] SpaceError),
    /// A method that cannot work with so few games.
    #[error("{method}: {error}")]
    Setup {
        /// The method.
        method: String,
        /// Why.
        error: SetupError,
    },
}

/// Runs the plan on all threads of the current pool; `done` is called after every cell.
pub fn run(plan: &Plan, done: impl Fn() + Sync) -> Result<Vec<Cell>, BenchError> {
    let mut cells: Vec<_> = plan.cells().into_iter().enumerate().collect();
    // Long cells first, so that no thread is left with one at the end.
    cells.sort_by_key(|&(index, (dimensions, _, contender, _))| {
        let is_slow = plan.contenders[contender].settings().is_slow();
        (std::cmp::Reverse((dimensions, is_slow)), index)
    });
    let mut results: Vec<(usize, Cell)> = cells
        .into_par_iter()
        .with_max_len(1)
        .map(|(index, (dimensions, shape, contender, seed))| {
            let cell = cell(plan, dimensions, shape, contender, seed);
            done();
            cell.map(|cell| (index, cell))
        })
        .collect::<Result<_, _>>()?;
    results.sort_by_key(|(index, _)| *index);
    Ok(results.into_iter().map(|(_, cell)| cell).collect())
}

fn cell(
    plan: &Plan,
    dimensions: usize,
    shape: Shape,
    contender: usize,
    seed: u64,
) -> Result<Cell, BenchError> {
    let Contender { name, settings } = &plan.contenders[contender];
    let landscape = Landscape::new(shape, dimensions, seed)?;
    let evidence = Evidence::Games {
        games: plan.games,
        paired: false,
    };
    let mut ratings = WarmRatings::default();
    let mut rate = |players: usize, games: &[_]| ratings.rate(players, games);
    let gains = tune_budgets(&landscape, settings, evidence, &plan.budgets, seed, &mut rate);
    let gains = gains.map_err(|error| BenchError::Setup {
        method: name.clone(),
        error,
    })?;
    Ok(Cell {
        dimensions,
        shape,
        contender,
        seed,
        gains,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> Plan {
        Plan {
            dimensions: vec![4],
            budgets: vec![200, 500],
            seed_count: 2,
            ..Plan::full()
        }
    }

    #[test]
    fn threads_do_not_matter_and_the_order_is_that_of_the_plan() {
        let run_with = |threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| run(&plan(), || {}).unwrap())
        };
        let (one, three) = (run_with(1), run_with(3));
        assert_eq!(one, three);
        assert_eq!(one.len(), plan().len());
        let order: Vec<_> = one
            .iter()
            .map(|c| (c.dimensions, c.shape, c.contender, c.seed))
            .collect();
        assert_eq!(order, plan().cells());
    }

    #[test]
    fn nothing_is_gained_on_the_null_landscape() {
        let cells = run(&plan(), || {}).unwrap();
        let nulls = cells.iter().filter(|c| c.shape == Shape::Null);
        let gains: Vec<f64> = nulls.flat_map(|c| c.gains.iter().map(|g| g.centroid)).collect();
        assert_eq!(gains.len(), 2 * 2 * plan().contenders.len());
        assert!(gains.iter().all(|&gain| gain == 0.0));
    }
}
