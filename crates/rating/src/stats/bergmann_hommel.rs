//! The procedure of Bergmann and Hommel (1988) for all pairs of algorithms.
//!
//! Its adjusted p-value is the maximum of |I| times the smallest p-value in I over the *exhaustive* sets I that hold
//! the hypothesis (García and Herrera 2008, definition 1 and section 2.2): sets of equalities that can be
//! exactly the true ones. Equality is transitive, so these are the sets of pairs inside the classes of
//! one partition of the algorithms, and instead of searching among the 2^(k(k-1)/2) sets of pairs we
//! walk through the partitions: 21,147 for nine algorithms, 4,213,597 for twelve.

/// The largest number of algorithms whose partitions are walked through: some tenths of a second.
pub const MOST_ALGORITHMS: usize = 12;

/// Too many algorithms for the exact procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "the procedure of Bergmann and Hommel walks through all partitions of the algorithms, which is too much \
     for {0} of them (at most {MOST_ALGORITHMS}): use Shaffer's"
)]
pub struct TooManyAlgorithms(pub usize);

/// Adjusted p-values for all pairs (0,1), (0,2), …, (1,2), … of `algorithms`, in that order.
pub fn bergmann_hommel(p: &[f64], algorithms: usize) -> Result<Vec<f64>, TooManyAlgorithms> {
    if algorithms > MOST_ALGORITHMS {
        return Err(TooManyAlgorithms(algorithms));
    }
    debug_assert_eq!(p.len(), algorithms * algorithms.saturating_sub(1) / 2);
    let mut walk = Walk {
        p: square(p, algorithms),
        class_of: vec![0; algorithms],
        algorithms,
        adjusted: vec![0.0; algorithms * algorithms],
    };
    walk.place(0, 0, 0, f64::INFINITY);
    let mut adjusted = Vec::with_capacity(p.len());
    for a in 0..algorithms {
        for b in a + 1..algorithms {
            adjusted.push(walk.adjusted[a * algorithms + b].min(1.0));
        }
    }
    Ok(adjusted)
}

fn square(p: &[f64], algorithms: usize) -> Vec<f64> {
    let mut square = vec![0.0; algorithms * algorithms];
    let mut values = p.iter();
    for a in 0..algorithms {
        for b in a + 1..algorithms {
            let value = *values.next().expect("one p-value for every pair");
            square[a * algorithms + b] = value;
            square[b * algorithms + a] = value;
        }
    }
    square
}

/// A walk through the partitions: each algorithm joins one of the classes so far or opens a new one.
struct Walk {
    p: Vec<f64>,
    class_of: Vec<usize>,
    algorithms: usize,
    adjusted: Vec<f64>,
}

impl Walk {
    fn place(&mut self, next: usize, classes: usize, pairs: usize, smallest: f64) {
        if next == self.algorithms {
            self.record(pairs, smallest);
            return;
        }
        for class in 0..=classes {
            let (mut joined, mut lowest) = (0, smallest);
            for other in 0..next {
                if self.class_of[other] == class {
                    joined += 1;
                    lowest = lowest.min(self.p[next * self.algorithms + other]);
                }
            }
            self.class_of[next] = class;
            self.place(
                next + 1,
                classes.max(class + 1).min(self.algorithms),
                pairs + joined,
                lowest,
            );
        }
    }

    fn record(&mut self, pairs: usize, smallest: f64) {
        let bound = pairs as f64 * smallest;
        for a in 0..self.algorithms {
            for b in a + 1..self.algorithms {
                let cell = &mut self.adjusted[a * self.algorithms + b];
                if self.class_of[a] == self.class_of[b] && bound > *cell {
                    *cell = bound;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition taken literally: every set of pairs, kept if it is transitive.
    fn by_definition(p: &[f64], algorithms: usize) -> Vec<f64> {
        let pairs: Vec<(usize, usize)> = (0..algorithms)
            .flat_map(|a| (a + 1..algorithms).map(move |b| (a, b)))
            .collect();
        let mut adjusted = vec![0.0; pairs.len()];
        for set in 1u32..1 << pairs.len() {
            let equal = |a: usize, b: usize| {
                a == b
                    || pairs
                        .iter()
                        .position(|&pair| pair == (a.min(b), a.max(b)))
                        .is_some_and(|at| set >> at & 1 == 1)
            };
            let all = 0..algorithms;
            let transitive = all.clone().all(|a| {
                all.clone()
                    .all(|b| all.clone().all(|c| !(equal(a, b) && equal(b, c)) || equal(a, c)))
            });
            if transitive {
                let members: Vec<usize> = (0..pairs.len()).filter(|at| set >> at & 1 == 1).collect();
                let smallest = members.iter().map(|&at| p[at]).fold(f64::INFINITY, f64::min);
                for at in members.iter().copied() {
                    adjusted[at] = f64::max(adjusted[at], members.len() as f64 * smallest);
                }
            }
        }
        adjusted.iter().map(|p| f64::min(*p, 1.0)).collect()
    }

    #[test]
    fn partitions_give_what_the_definition_gives() {
        let mut rng = vidmar_rng::Rng::from_seed(12345);
        for algorithms in 2..=5 {
            for _ in 0..20 {
                let p: Vec<f64> = (0..algorithms * (algorithms - 1) / 2)
                    .map(|_| rng.unit() * rng.unit())
                    .collect();
                assert_eq!(
                    bergmann_hommel(&p, algorithms).unwrap(),
                    by_definition(&p, algorithms)
                );
            }
        }
    }

    #[test]
    fn thirteen_are_too_many() {
        assert_eq!(bergmann_hommel(&[0.5; 78], 13), Err(TooManyAlgorithms(13)));
    }
}
