//! What the cells of a benchmark say together.

use std::collections::BTreeMap;

use vidmar_optim::Method;
use vidmar_optim::landscape::Shape;
use vidmar_rating::stats::Table;

use super::{Cell, Plan};

/// Mean and standard deviation.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Moments {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the sample (divided by n - 1).
    pub deviation: f64,
}

/// The moments of a sample.
pub fn moments(values: &[f64]) -> Moments {
    if values.is_empty() {
        return Moments::default();
    }
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
    Moments {
        mean,
        deviation: (squares / (count - 1.0).max(1.0)).sqrt(),
    }
}

/// A landscape with a budget, and what every method gained there.
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// The number of parameters.
    pub dimensions: usize,
    /// The landscape.
    pub shape: Shape,
    /// Games.
    pub budget: u64,
    /// In the order of the plan's methods: the recommended vector, the centroid.
    pub centroid: Vec<Moments>,
    /// The best by rating or else by efficiency, where the method has one.
    pub best: Vec<Option<Moments>>,
}

/// All problems in the order of the plan.
pub fn problems(plan: &Plan, cells: &[Cell]) -> Vec<Problem> {
    let mut by_place: BTreeMap<(usize, &str, &str), Vec<&Cell>> = BTreeMap::new();
    for cell in cells {
        let index = (cell.dimensions, cell.shape.name(), cell.method.name());
        by_place.entry(index).or_default().push(cell);
    }
    let mut problems = Vec::new();
    for &dimensions in &plan.dimensions {
        for &shape in &plan.shapes {
            for (at, &budget) in plan.budgets.iter().enumerate() {
                let of = |method: &Method| {
                    let index = (dimensions, shape.name(), method.name());
                    by_place.get(&index).map_or(&[][..], Vec::as_slice)
                };
                let centroid = |method: &Method| {
                    let gains: Vec<f64> = of(method).iter().map(|c| c.gains[at].centroid).collect();
                    moments(&gains)
                };
                let best = |method: &Method| {
                    let gains = of(method).iter().map(|c| c.gains[at]);
                    let gains: Vec<f64> = gains.filter_map(|g| g.by_rating.or(g.by_efficiency)).collect();
                    (!gains.is_empty()).then(|| moments(&gains))
                };
                problems.push(Problem {
                    dimensions,
                    shape,
                    budget,
                    centroid: plan.methods.iter().map(centroid).collect(),
                    best: plan.methods.iter().map(best).collect(),
                });
            }
        }
    }
    problems
}

/// The table for rank tests: a row for every problem that can be gained on, mean Elo of the recommended vector.
pub fn rank_table(plan: &Plan, problems: &[Problem]) -> Table {
    let rows = problems.iter().filter(|problem| problem.shape != Shape::Null);
    Table {
        algorithms: plan
            .methods
            .iter()
            .map(|method| method.name().to_owned())
            .collect(),
        rows: rows
            .map(|problem| problem.centroid.iter().map(|moments| moments.mean).collect())
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_by_hand() {
        assert_eq!(
            moments(&[1.0, 2.0, 6.0]),
            Moments {
                mean: 3.0,
                deviation: 7.0_f64.sqrt()
            }
        );
        assert_eq!(moments(&[4.0]).deviation, 0.0);
    }

    #[test]
    fn every_budget_of_every_landscape_is_a_problem() {
        let plan = Plan {
            dimensions: vec![3],
            budgets: vec![100, 200],
            seeds: 2,
            methods: vec![Method::Spsa, Method::RatedDe],
            ..Plan::full()
        };
        let problems = problems(&plan, &super::super::run(&plan, || {}).unwrap());
        assert_eq!(problems.len(), 12);
        assert!(
            problems
                .iter()
                .all(|p| p.best[0].is_none() && p.best[1].is_some())
        );
        let table = rank_table(&plan, &problems);
        assert_eq!((table.rows.len(), table.algorithms.len()), (10, 2));
    }
}
