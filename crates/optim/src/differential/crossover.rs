//! Which components a trial takes from its mutant ([boskovic-2010], classic differential evolution). Frozen
//! dimensions never cross over.

use serde::{Deserialize, Serialize};

use crate::space::{Space, Vector};
use vidmar_rng::Rng;

/// The crossover of a strategy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Crossover {
    /// Every component with probability `C_r`, one always.
    #[serde(rename = "bin")]
    Binomial,
    /// A run of neighbouring components, circular, as long as draws stay below `C_r`.
    #[serde(rename = "exp")]
    Exponential,
}

impl Crossover {
    /// The trial of `current` and `mutant`.
    pub(crate) fn cross(
        self,
        current: &[f64],
        mutant: &[f64],
        cr: f64,
        space: &Space,
        rng: &mut Rng,
    ) -> Vector {
        let free: Vec<usize> = space.free().collect();
        let chosen = rng.index(free.len());
        let mut trial = current.to_vec();
        match self {
            Self::Binomial => {
                for (index, &j) in free.iter().enumerate() {
                    if rng.chance(cr) || index == chosen {
                        trial[j] = mutant[j];
                    }
                }
            }
            Self::Exponential => {
                for step in 0..free.len() {
                    let j = free[(chosen + step) % free.len()];
                    trial[j] = mutant[j];
                    if !rng.chance(cr) {
                        break;
                    }
                }
            }
        }
        trial
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::purpose::Purpose;
    use crate::space::Dimension;

    fn taken(crossover: Crossover, cr: f64, round: u64) -> Vec<bool> {
        let mut dimensions: Vec<Dimension> = (0..8)
            .map(|k| Dimension::real(format!("x{k}"), 0.0, 1.0))
            .collect();
        dimensions[3] = dimensions[3].clone().frozen_at(0.0);
        let space = Space::new(dimensions).unwrap();
        let mut rng = Purpose::Crossover.rng(9, round, 0, 0);
        crossover
            .cross(&[0.0; 8], &[1.0; 8], cr, &space, &mut rng)
            .iter()
            .map(|&v| v == 1.0)
            .collect()
    }

    #[test]
    fn one_component_always_crosses_and_frozen_ones_never() {
        for round in 0..100 {
            for crossover in [Crossover::Binomial, Crossover::Exponential] {
                assert_eq!(taken(crossover, 0.0, round).iter().filter(|&&t| t).count(), 1);
                let all = taken(crossover, 1.0, round);
                assert_eq!(all, [true, true, true, false, true, true, true, true]);
            }
        }
    }

    #[test]
    fn binomial_takes_its_share() {
        // 7 free ones: 1 + 6 * 0.7 = 5.2 on average, with a standard error of 0.04 over 1000.
        let total: usize = (0..1000)
            .map(|round| {
                taken(Crossover::Binomial, 0.7, round)
                    .iter()
                    .filter(|&&t| t)
                    .count()
            })
            .sum();
        assert!((5.08..5.32).contains(&(total as f64 / 1000.0)), "{total}");
    }

    #[test]
    fn exponential_takes_one_circular_run_of_geometric_length() {
        let mut lengths = 0;
        for round in 0..1000 {
            let mut free = taken(Crossover::Exponential, 0.7, round);
            free.remove(3);
            let starts = (0..7).filter(|&k| free[k] && !free[(k + 6) % 7]).count();
            assert!(starts == 1 || free.iter().all(|&t| t), "{free:?}");
            lengths += free.iter().filter(|&&t| t).count();
        }
        // (1 - 0.7^7) / 0.3 = 3.059 on average.
        assert!((2.86..3.26).contains(&(lengths as f64 / 1000.0)), "{lengths}");
    }
}
