//! What the cells of a benchmark say together.
//!
//! Seeds are independent of each other, budgets of one run are not: a run with more games begins with the one with fewer. So
//! intervals are over seeds, and a rank test is made for each budget by itself, with a row for every landscape and group of
//! seeds.

use vidmar_optim::landscape::{Gain, Shape};
use vidmar_rating::stats::{Estimate, Table};

use super::{Cell, Plan};

/// A landscape with a budget, and what every contender gained there.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The number of parameters.
    pub dimensions: usize,
    /// The landscape.
    pub shape: Shape,
    /// Games.
    pub budget: u64,
    /// In the order of the plan's contenders: the recommended vector, the centroid.
    pub centroid: Vec<Estimate>,
    /// The best by rating or else by efficiency, where the method has one.
    pub best: Vec<Option<Estimate>>,
}

/// Landscapes that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Family {
    /// Nothing was set by them.
    HeldOut,
    /// Those by which `spsa-scaled` was set.
    Seen,
}

impl Family {
    /// Both, the more telling one first.
    pub const ALL: [Family; 2] = [Family::HeldOut, Family::Seen];

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Family::HeldOut => "landscapes held out: nothing was set by them",
            Family::Seen => "landscapes by which spsa-scaled was set, other seeds",
        }
    }

    /// Whether the landscape is one of them; where there is nothing to gain, nothing is to be compared.
    pub fn has(self, shape: Shape) -> bool {
        shape != Shape::Null && shape.is_held_out() == (self == Family::HeldOut)
    }
}

fn best(gain: &Gain) -> Option<f64> {
    gain.by_rating.or(gain.by_efficiency)
}

/// All problems in the order of the plan.
pub fn problems(plan: &Plan, cells: &[Cell]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for &dimensions in &plan.dimensions {
        for &shape in &plan.shapes {
            for (at, &budget) in plan.budgets.iter().enumerate() {
                let gains = |contender: usize| {
                    let of_it = cells.iter().filter(move |cell| {
                        (cell.dimensions, cell.shape, cell.contender) == (dimensions, shape, contender)
                    });
                    of_it.map(|cell| cell.gains[at])
                };
                let centroid =
                    |contender| Estimate::of(&gains(contender).map(|gain| gain.centroid).collect::<Vec<_>>());
                let best = |contender| {
                    let values: Vec<f64> = gains(contender).filter_map(|gain| best(&gain)).collect();
                    (!values.is_empty()).then(|| Estimate::of(&values))
                };
                let contenders = 0..plan.contenders.len();
                problems.push(Problem {
                    dimensions,
                    shape,
                    budget,
                    centroid: contenders.clone().map(centroid).collect(),
                    best: contenders.map(best).collect(),
                });
            }
        }
    }
    problems
}

/// The gain of a contender's recommended vector, mean over the landscapes of a family, seed by seed.
pub fn by_seed(
    plan: &Plan,
    cells: &[Cell],
    family: Family,
    dimensions: usize,
    budget: usize,
    contender: usize,
) -> Vec<f64> {
    let seed_mean = |seed: u64| {
        let of_it = cells.iter().filter(|cell| {
            family.has(cell.shape)
                && (cell.dimensions, cell.contender, cell.seed) == (dimensions, contender, seed)
        });
        let gains: Vec<f64> = of_it.map(|cell| cell.gains[budget].centroid).collect();
        Estimate::of(&gains).mean
    };
    plan.seeds().map(seed_mean).collect()
}

/// The table for rank tests of one budget: a row for every landscape of the family with a group of seeds, and its name; mean
/// Elo of the recommended vector.
pub fn rank_table(plan: &Plan, cells: &[Cell], family: Family, budget: usize) -> (Vec<String>, Table) {
    let (mut names, mut rows) = (Vec::new(), Vec::new());
    for &dimensions in &plan.dimensions {
        for &shape in plan.shapes.iter().filter(|&&shape| family.has(shape)) {
            let seeds: Vec<u64> = plan.seeds().collect();
            for group in seeds.chunks(plan.group.max(1)) {
                let gained = |contender: usize| {
                    let of_it = cells.iter().filter(|cell| {
                        (cell.dimensions, cell.shape, cell.contender) == (dimensions, shape, contender)
                            && group.contains(&cell.seed)
                    });
                    Estimate::of(&of_it.map(|cell| cell.gains[budget].centroid).collect::<Vec<_>>()).mean
                };
                rows.push((0..plan.contenders.len()).map(gained).collect());
                let (first, last) = (group[0], group[group.len() - 1]);
                names.push(format!("{}-{dimensions}-seeds-{first}-{last}", shape.name()));
            }
        }
    }
    let algorithms = plan
        .contenders
        .iter()
        .map(|contender| contender.name().to_owned())
        .collect();
    (names, Table { algorithms, rows })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bench::{Contender, run};
    use vidmar_optim::Method;

    #[test]
    fn a_row_of_the_rank_tests_is_a_landscape_with_a_group_of_seeds() {
        let plan = Plan {
            dimensions: vec![3],
            budgets: vec![100, 200],
            seed_count: 4,
            group: 2,
            contenders: [Method::Spsa, Method::RatedDe].map(Contender::of).to_vec(),
            ..Plan::full()
        };
        let cells = run(&plan, || {}).unwrap();
        let problems = problems(&plan, &cells);
        assert_eq!(problems.len(), 12 * 2);
        assert!(
            problems
                .iter()
                .all(|p| p.best[0].is_none() && p.best[1].is_some() && p.centroid[0].count == 4)
        );
        // Five landscapes and two groups, whatever the number of budgets: those are no evidence of their own.
        let (names, table) = rank_table(&plan, &cells, Family::Seen, 1);
        assert_eq!((table.rows.len(), table.algorithms.len()), (10, 2));
        assert_eq!(
            names[..2],
            ["ellipsoid-3-seeds-1000-1001", "ellipsoid-3-seeds-1002-1003"]
        );
        assert_eq!(rank_table(&plan, &cells, Family::HeldOut, 1).1.rows.len(), 12);
        let gains: Vec<f64> = cells[..2].iter().map(|cell| cell.gains[1].centroid).collect();
        assert_eq!(
            (cells[0].seed, cells[1].seed, cells[0].contender),
            (1000, 1001, 0)
        );
        assert!((table.rows[0][0] - f64::midpoint(gains[0], gains[1])).abs() < 1e-9);
        assert_eq!(by_seed(&plan, &cells, Family::Seen, 3, 1, 0).len(), 4);
    }
}
