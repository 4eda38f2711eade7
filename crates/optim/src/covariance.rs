//! The covariance of CMA-ES: a full matrix or its diagonal, and the factor A with A Aᵀ = C that shapes the samples.
//!
//! A is the Cholesky factor, as in Krause, Arbonès and Igel (NIPS 2016): no eigenvectors are needed, and the whitened
//! step of the mean is the weighted mean of the standard normal draws themselves. A dimension that is frozen has
//! variance 0 and stays where it is.

use serde::{Deserialize, Serialize};

use crate::space::Vector;

/// C, in units of the searched space.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Covariance {
    /// Row after row.
    Full(Vec<f64>),
    Diagonal(Vec<f64>),
}

/// A, lower triangular.
pub(crate) enum Factor {
    Full(Vec<f64>),
    Diagonal(Vec<f64>),
}

/// A pivot below this share of its variance is rounding noise.
const SINGULAR: f64 = 1e-12;

impl Covariance {
    pub(crate) fn new(variances: Vec<f64>, separable: bool) -> Self {
        if separable {
            return Self::Diagonal(variances);
        }
        let n = variances.len();
        let mut full = vec![0.0; n * n];
        for (j, variance) in variances.into_iter().enumerate() {
            full[j * n + j] = variance;
        }
        Self::Full(full)
    }

    /// Whether it has a row of that length for every dimension, or only the diagonal.
    pub(crate) fn is_sound(&self, dimensions: usize, separable: bool) -> bool {
        match self {
            Self::Full(values) => !separable && values.len() == dimensions * dimensions,
            Self::Diagonal(values) => separable && values.len() == dimensions,
        }
    }

    /// `C = keep C + rank_one p pᵀ + Σ weight y yᵀ`.
    pub(crate) fn update(&mut self, keep: f64, rank_one: f64, path: &[f64], weighted: &[(f64, &Vector)]) {
        match self {
            Self::Diagonal(c) => {
                for (j, value) in c.iter_mut().enumerate() {
                    let steps: f64 = weighted.iter().map(|(w, y)| w * y[j] * y[j]).sum();
                    *value = keep * *value + rank_one * path[j] * path[j] + steps;
                }
            }
            Self::Full(c) => {
                let n = path.len();
                for i in 0..n {
                    let row = &mut c[i * n..(i + 1) * n];
                    for (value, p) in row.iter_mut().zip(path) {
                        *value = keep * *value + rank_one * path[i] * p;
                    }
                    for (weight, y) in weighted {
                        let factor = weight * y[i];
                        row.iter_mut()
                            .zip(*y)
                            .for_each(|(value, yj)| *value += factor * yj);
                    }
                }
            }
        }
    }

    pub(crate) fn factor(&self) -> Factor {
        match self {
            Self::Diagonal(c) => Factor::Diagonal(c.iter().map(|v| v.max(0.0).sqrt()).collect()),
            Self::Full(c) => Factor::Full(cholesky(c)),
        }
    }

    fn variance(&self, j: usize, n: usize) -> f64 {
        match self {
            Self::Diagonal(c) => c[j],
            Self::Full(c) => c[j * n + j],
        }
    }

    /// Takes dimensions out of the search or puts them back, uncorrelated and with the variance given.
    pub(crate) fn reset(&mut self, j: usize, n: usize, frozen: bool, variance: f64) {
        let present = self.variance(j, n);
        if frozen == (present == 0.0) {
            return;
        }
        let variance = if frozen { 0.0 } else { variance };
        match self {
            Self::Diagonal(c) => c[j] = variance,
            Self::Full(c) => {
                for k in 0..n {
                    c[j * n + k] = 0.0;
                    c[k * n + j] = 0.0;
                }
                c[j * n + j] = variance;
            }
        }
    }
}

impl Factor {
    /// `A z`.
    pub(crate) fn shape(&self, z: &[f64]) -> Vector {
        match self {
            Self::Diagonal(a) => a.iter().zip(z).map(|(a, z)| a * z).collect(),
            Self::Full(a) => {
                let n = z.len();
                (0..n)
                    .map(|i| a[i * n..=i * n + i].iter().zip(z).map(|(a, z)| a * z).sum())
                    .collect()
            }
        }
    }
}

fn cholesky(c: &[f64]) -> Vec<f64> {
    let n = c.len().isqrt();
    let mut a = vec![0.0; n * n];
    for i in 0..n {
        for j in 0..=i {
            let dot: f64 = a[i * n..i * n + j]
                .iter()
                .zip(&a[j * n..j * n + j])
                .map(|(x, y)| x * y)
                .sum();
            let left = c[i * n + j] - dot;
            if i == j {
                a[i * n + i] = if left > SINGULAR * c[i * n + i] {
                    left.sqrt()
                } else {
                    0.0
                };
            } else if a[j * n + j] > 0.0 {
                a[i * n + j] = left / a[j * n + j];
            }
        }
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    /// [[4, 2, 0], [2, 5, 0], [0, 0, 0]] = A Aᵀ with A = [[2, 0, 0], [1, 2, 0], [0, 0, 0]].
    #[test]
    fn factor_by_hand_with_a_frozen_dimension() {
        let c = Covariance::Full(vec![4.0, 2.0, 0.0, 2.0, 5.0, 0.0, 0.0, 0.0, 0.0]);
        let Factor::Full(a) = c.factor() else {
            panic!("a full matrix has a full factor")
        };
        assert_eq!(a, [2.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
        assert_eq!(c.factor().shape(&[3.0, -1.0, 9.0]), [6.0, 1.0, 0.0]);
    }

    #[test]
    fn update_by_hand() {
        let y = vec![1.0, 2.0];
        let mut full = Covariance::new(vec![1.0, 4.0], false);
        full.update(0.5, 0.25, &[2.0, 0.0], &[(0.1, &y)]);
        let Covariance::Full(c) = &full else {
            panic!("it was full")
        };
        let expected = [0.5 + 1.0 + 0.1, 0.2, 0.2, 2.0 + 0.4];
        assert!(
            c.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-15),
            "{c:?}"
        );
        let mut diagonal = Covariance::new(vec![1.0, 4.0], true);
        diagonal.update(0.5, 0.25, &[2.0, 0.0], &[(0.1, &y)]);
        assert_eq!((diagonal.variance(0, 2), diagonal.variance(1, 2)), (c[0], c[3]));
    }
}
