//! How a mutant is made: the five classic mutations and `best-z/1` ([boskovic-2010]), and L-SHADE's
//! `current-to-pbest/1`.

use serde::{Deserialize, Serialize};

use crate::space::Vector;
use vidmar_rng::Rng;

/// The mutation of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Mutation {
    /// `x_r1 + F (x_r2 - x_r3)`
    #[serde(rename = "rand/1")]
    Rand1,
    /// `x_r1 + F (x_r2 + x_r3 - x_r4 - x_r5)`
    #[serde(rename = "rand/2")]
    Rand2,
    /// `x_best + F (x_r1 - x_r2)`
    #[serde(rename = "best/1")]
    Best1,
    /// `x_best + F (x_r1 + x_r2 - x_r3 - x_r4)`
    #[serde(rename = "best/2")]
    Best2,
    /// `x_i + lambda (x_best - x_r1) + F (x_r2 - x_r3)`
    #[serde(rename = "rand-to-best/1")]
    RandToBest1,
    /// `z_best + F (x_r1 - x_r2)`, `z_best` the best remembered vector
    #[serde(rename = "best-z/1")]
    BestZ1,
    /// `x_i + F (x_pbest - x_i) + F (x_r1 - x_r2)`, `x_r2` also from the archive of the replaced
    #[serde(rename = "current-to-pbest/1")]
    CurrentToPbest1,
}

/// What mutations draw from.
pub(crate) struct Parents<'a> {
    pub(crate) population: &'a [&'a [f64]],
    /// The best of the population, or the best remembered vector for `best-z/1`.
    pub(crate) best: &'a [f64],
    /// Indices of the best share of the population, for `current-to-pbest/1`.
    pub(crate) elite: &'a [usize],
    /// Those that were replaced by better ones.
    pub(crate) archive: &'a [Vector],
}

impl Mutation {
    /// How many individuals other than `i` must exist.
    pub fn needs(self) -> usize {
        match self {
            Self::Best1 | Self::BestZ1 | Self::CurrentToPbest1 => 2,
            Self::Rand1 | Self::RandToBest1 => 3,
            Self::Best2 => 4,
            Self::Rand2 => 5,
        }
    }

    /// The mutant of individual `i`, real and not repaired. All parents are distinct and none is `i`.
    pub(crate) fn mutant(self, i: usize, f: f64, lambda: f64, from: &Parents<'_>, rng: &mut Rng) -> Vector {
        let x = from.population;
        let (n, best) = (x.len(), from.best);
        match self {
            Self::Rand1 => {
                let [r1, r2, r3] = rng.distinct(n, i).map(|r| x[r]);
                combine(|j| r1[j] + f * (r2[j] - r3[j]), best.len())
            }
            Self::Rand2 => {
                let [r1, r2, r3, r4, r5] = rng.distinct(n, i).map(|r| x[r]);
                combine(|j| r1[j] + f * (r2[j] + r3[j] - r4[j] - r5[j]), best.len())
            }
            Self::Best1 | Self::BestZ1 => {
                let [r1, r2] = rng.distinct(n, i).map(|r| x[r]);
                combine(|j| best[j] + f * (r1[j] - r2[j]), best.len())
            }
            Self::Best2 => {
                let [r1, r2, r3, r4] = rng.distinct(n, i).map(|r| x[r]);
                combine(|j| best[j] + f * (r1[j] + r2[j] - r3[j] - r4[j]), best.len())
            }
            Self::RandToBest1 => {
                let [r1, r2, r3] = rng.distinct(n, i).map(|r| x[r]);
                combine(
                    |j| x[i][j] + lambda * (best[j] - r1[j]) + f * (r2[j] - r3[j]),
                    best.len(),
                )
            }
            Self::CurrentToPbest1 => {
                let pbest = x[from.elite[rng.index(from.elite.len())]];
                let [r1] = rng.distinct(n, i);
                let r2 = loop {
                    let drawn = rng.index(n + from.archive.len());
                    if drawn != i && drawn != r1 {
                        break if drawn < n {
                            x[drawn]
                        } else {
                            &from.archive[drawn - n]
                        };
                    }
                };
                combine(
                    |j| x[i][j] + f * (pbest[j] - x[i][j]) + f * (x[r1][j] - r2[j]),
                    best.len(),
                )
            }
        }
    }
}

fn combine(component: impl Fn(usize) -> f64, length: usize) -> Vector {
    (0..length).map(component).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::purpose::Purpose;

    /// Powers of two in six individuals: the mutant's value shows who took part, with which sign.
    #[test]
    fn formulas_by_hand() {
        let vectors: Vec<Vector> = [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]
            .iter()
            .map(|&v| vec![v, 10.0 * v])
            .collect();
        let population: Vec<&[f64]> = vectors.iter().map(Vec::as_slice).collect();
        let archive = Vec::new();
        let from = Parents {
            population: &population,
            best: &[100.0, 1000.0],
            elite: &[5],
            archive: &archive,
        };
        let at = |round| Purpose::Mutation.rng(5, round, 0, 0);
        for round in 0..50 {
            let made = |mutation: Mutation| mutation.mutant(2, 0.5, 0.25, &from, &mut at(round));
            let r = |k: usize| vectors[at(round).distinct::<5>(6, 2)[k]][0];
            let expected = [
                (Mutation::Rand1, r(0) + 0.5 * (r(1) - r(2))),
                (Mutation::Rand2, r(0) + 0.5 * (r(1) + r(2) - r(3) - r(4))),
                (Mutation::Best1, 100.0 + 0.5 * (r(0) - r(1))),
                (Mutation::BestZ1, 100.0 + 0.5 * (r(0) - r(1))),
                (Mutation::Best2, 100.0 + 0.5 * (r(0) + r(1) - r(2) - r(3))),
                (
                    Mutation::RandToBest1,
                    4.0 + 0.25 * (100.0 - r(0)) + 0.5 * (r(1) - r(2)),
                ),
            ];
            for (mutation, value) in expected {
                assert_eq!(made(mutation), [value, 10.0 * value], "{mutation:?}");
            }
        }
    }

    /// `x_1 = (3, 7)`, `x_pbest = (9, 1)`, and only one way to draw `r1` and `r2` up to their order.
    #[test]
    fn current_to_pbest_by_hand() {
        let population: [&[f64]; 3] = [&[9.0, 1.0], &[3.0, 7.0], &[5.0, 5.0]];
        let from = Parents {
            population: &population,
            best: &[9.0, 1.0],
            elite: &[0],
            archive: &[],
        };
        for round in 0..20 {
            let mutant = Mutation::CurrentToPbest1.mutant(
                1,
                0.5,
                0.0,
                &from,
                &mut Purpose::Mutation.rng(5, round, 1, 0),
            );
            // x_i + (x_pbest - x_i) / 2 = (6, 4); ± ((9, 1) - (5, 5)) / 2 = ± (2, -2).
            assert!(mutant == [8.0, 2.0] || mutant == [4.0, 6.0], "{mutant:?}");
        }
    }
}
