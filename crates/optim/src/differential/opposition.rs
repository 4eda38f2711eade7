//! Opposite vectors ([boskovic-2010], opposition): who knows nothing may as well look at the other end.

use serde::{Deserialize, Serialize};

use crate::space::{Space, Vector};

/// When the opposite is tried.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Opposition {
    /// The first trial population is the opposite of the first population.
    pub start: bool,
    /// Probability per generation that the trials are turned into opposites (`J_r`).
    pub rate: f64,
    /// Whose opposite that is.
    pub opposite: Opposite,
}

impl Opposition {
    /// No opposites.
    pub const NONE: Self = Self {
        start: false,
        rate: 0.0,
        opposite: Opposite::Trial,
    };
}

/// Whose opposite replaces a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Opposite {
    /// The trial's own (Algorithms 3.9 and 3.10). It can leave the interval and needs repair.
    Trial,
    /// That of the current individual (equation 3.8).
    Current,
}

/// `min + max - x` within the intervals of the space.
pub(crate) fn of_space(space: &Space, vector: &[f64]) -> Vector {
    vector
        .iter()
        .zip(space.dimensions())
        .map(|(x, d)| d.min + d.max - x)
        .collect()
}

/// The smallest and largest component of a population, per dimension.
pub(crate) fn extent(population: &[&[f64]]) -> Vec<(f64, f64)> {
    let mut extent: Vec<(f64, f64)> = population[0].iter().map(|&x| (x, x)).collect();
    for vector in population {
        for ((low, high), &x) in extent.iter_mut().zip(*vector) {
            *low = low.min(x);
            *high = high.max(x);
        }
    }
    extent
}

/// `min_j + max_j - x_j` within an extent.
pub(crate) fn within(extent: &[(f64, f64)], vector: &[f64]) -> Vector {
    vector
        .iter()
        .zip(extent)
        .map(|(x, (low, high))| low + high - x)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::Dimension;

    #[test]
    fn by_hand() {
        let space = Space::new(vec![
            Dimension::integer("a", 10, 50),
            Dimension::integer("b", -5, 5),
        ])
        .unwrap();
        assert_eq!(of_space(&space, &[20.0, -5.0]), [40.0, 5.0]);
        let extent = extent(&[&[20.0, 3.0], &[30.0, -1.0], &[24.0, 2.0]]);
        assert_eq!(extent, [(20.0, 30.0), (-1.0, 3.0)]);
        assert_eq!(within(&extent, &[22.0, 2.0]), [28.0, 0.0]);
        // A trial outside the extent has its opposite outside, too: 20 + 30 - 45.
        assert_eq!(within(&extent, &[45.0, 0.0]), [5.0, 2.0]);
    }
}
