//! Synthetic landscapes: games between vectors whose true strength is known.
//!
//! A vector's strength in Elo is a function with a known optimum, and a game between two vectors is drawn from the
//! Bradley-Terry model with White's advantage and draws ([erk-2008]). So a tuning method can be measured by what it is
//! for: the *true* Elo of the vector that it hands over, not the luck it had. [`tune`] plays a method against a
//! landscape.
//!
//! All landscapes are integer boxes; the middle is the start, exactly [`HEADROOM`] Elo below the optimum. The optimum
//! lies at random inside the box, so a uniformly random vector is much weaker than the start.

mod driver;

pub use driver::{Gain, Rater, tune, tune_budgets};

use crate::protocol::GameResult;
use crate::purpose::Purpose;
use crate::space::{Dimension, Space, SpaceError, Vector};
use vidmar_rng::Rng;

/// How much there is to gain.
pub const HEADROOM: f64 = 300.0;

/// White's advantage and the draw parameter of the games, those of `BayesElo`.
const ADVANTAGE: f64 = 32.8;
const DRAW: f64 = 97.3;

vidmar_text::named_enum! {
    /// The kinds of landscape.
    pub enum Shape: "landscape";
    Ellipsoid, "ellipsoid", "every parameter for itself, sensitivities spread over a factor of 100";
    CorrelatedPairs, "correlated", "pairs of parameters whose sum matters 100 times less than their difference";
    RosenbrockPairs, "rosenbrock", "pairs of parameters with a curved valley";
    Quantised, "quantised", "an ellipsoid of parameters with nine values each";
    Intransitive, "intransitive", "an ellipsoid, and on top a circle where everyone beats somebody";
    Null, "null", "all vectors are equal: every gain must be 0";
}

/// A known function of strength.
#[derive(Clone, Debug)]
pub struct Landscape {
    shape: Shape,
    space: Space,
    optimum: Vector,
    weights: Vec<f64>,
    /// Elo per unit of raw loss.
    scale: f64,
}

impl Landscape {
    /// The landscape of this shape and seed.
    pub fn new(shape: Shape, dimensions: usize, seed: u64) -> Result<Self, SpaceError> {
        let top = if shape == Shape::Quantised { 8 } else { 1000 };
        let space = Space::new(
            (0..dimensions)
                .map(|j| Dimension::integer(format!("x{j}"), 0, top))
                .collect(),
        )?;
        let mut rng = Purpose::Landscape.rng(seed, 0, 0, 0);
        let optimum = match shape {
            // The valley's end: (1, 1) in units where the box is -2..2.
            Shape::RosenbrockPairs => vec![0.75 * f64::from(top as u32); dimensions],
            Shape::Quantised => space.random(&mut rng),
            _ => space
                .random(&mut rng)
                .iter()
                .map(|x| (100.0 + 0.8 * x).round())
                .collect(),
        };
        let mut exponents: Vec<f64> = (0..dimensions)
            .map(|j| j as f64 / dimensions.max(2) as f64)
            .collect();
        rng.shuffle(&mut exponents);
        let weights = exponents.iter().map(|e| libm::pow(100.0, *e)).collect();
        let mut landscape = Self {
            shape,
            space,
            optimum,
            weights,
            scale: 1.0,
        };
        let loss = landscape.loss(landscape.space.start());
        landscape.scale = if loss > 0.0 { HEADROOM / loss } else { 0.0 };
        Ok(landscape)
    }

    /// The box.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The best vector.
    pub fn optimum(&self) -> &[f64] {
        &self.optimum
    }

    /// The true strength, 0 at the optimum.
    pub fn elo(&self, vector: &[f64]) -> f64 {
        -self.scale * self.loss(vector)
    }

    /// What `a` has over `b` besides its strength, in a game between the two.
    pub fn circumstance(&self, a: &[f64], b: &[f64]) -> f64 {
        if self.shape == Shape::Intransitive {
            self.circle(a, b)
        } else {
            0.0
        }
    }

    /// The result of a game in which White is so much the stronger, drawn from the rng.
    pub fn result(edge: f64, rng: &mut Rng) -> GameResult {
        let expected = |elo: f64| 1.0 / (1.0 + libm::exp10(-elo / 400.0));
        let wins = expected(edge + ADVANTAGE - DRAW);
        let losses = expected(-edge - ADVANTAGE - DRAW);
        match rng.unit() {
            luck if luck < wins => GameResult::White,
            luck if luck < wins + losses => GameResult::Black,
            _ => GameResult::Draw,
        }
    }

    /// Differences from the optimum, in shares of the interval.
    fn off(&self, vector: &[f64]) -> Vector {
        let shares = vector.iter().zip(&self.optimum).zip(self.space.dimensions());
        shares.map(|((x, best), d)| (x - best) / d.width()).collect()
    }

    fn loss(&self, vector: &[f64]) -> f64 {
        let off = self.off(vector);
        match self.shape {
            Shape::Null => 0.0,
            Shape::Ellipsoid | Shape::Quantised | Shape::Intransitive => {
                off.iter().zip(&self.weights).map(|(u, w)| w * u * u).sum()
            }
            Shape::CorrelatedPairs => off.chunks(2).map(correlated).sum(),
            Shape::RosenbrockPairs => off.chunks(2).map(rosenbrock).sum(),
        }
    }

    /// Up to ±100 Elo by the angle between two vectors, seen from the middle of the first two dimensions: whoever is
    /// a quarter of a turn ahead wins, whatever the two are.
    fn circle(&self, a: &[f64], b: &[f64]) -> f64 {
        let [Some(x), Some(y)] = [0, 1].map(|j| self.space.dimensions().get(j).map(|d| d.max / 2.0)) else {
            return 0.0;
        };
        let angle = |v: &[f64]| libm::atan2(v[1] - y, v[0] - x);
        100.0 * libm::sin(angle(a) - angle(b))
    }
}

fn correlated(pair: &[f64]) -> f64 {
    match *pair {
        [u, v] => 100.0 * (u - v) * (u - v) + (u + v) * (u + v),
        _ => pair.iter().map(|u| u * u).sum(),
    }
}

/// Stiffness 10, around (1, 1), the box being four units wide.
fn rosenbrock(pair: &[f64]) -> f64 {
    let at = |k: usize| 1.0 + 4.0 * pair[k];
    if pair.len() < 2 {
        return pair.iter().map(|u| u * u).sum();
    }
    let bend = at(1) - at(0) * at(0);
    10.0 * bend * bend + (1.0 - at(0)) * (1.0 - at(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn start_and_optimum_are_where_they_should_be() {
        for &shape in Shape::ALL {
            for dimensions in [2, 16, 190] {
                let landscape = Landscape::new(shape, dimensions, 3).unwrap();
                let headroom = if shape == Shape::Null { 0.0 } else { HEADROOM };
                assert!(landscape.space().contains(landscape.optimum()), "{shape:?}");
                assert_eq!(landscape.elo(landscape.optimum()), 0.0, "{shape:?}");
                assert!(
                    (landscape.elo(landscape.space().start()) + headroom).abs() < 1e-9,
                    "{shape:?}"
                );
                let mut rng = Purpose::Initial.rng(1, 0, 0, 0);
                assert!((0..50).all(|_| landscape.elo(&landscape.space().random(&mut rng)) <= 0.0));
            }
        }
    }

    /// Rosenbrock's function at (-1, 1) is 4, at (0, 0) 1, at (0, 1) 11.
    #[test]
    fn shapes_by_hand() {
        assert_eq!(rosenbrock(&[-0.5, 0.0]), 4.0);
        assert_eq!(rosenbrock(&[-0.25, -0.25]), 1.0);
        assert_eq!(rosenbrock(&[-0.25, 0.0]), 11.0);
        assert_eq!(correlated(&[0.5, 0.5]), 1.0);
        assert_eq!(correlated(&[0.5, -0.5]), 100.0);
    }

    /// Equal players: P(white) = 1 / (1 + 10^(64.5 / 400)) = 0.40824, P(black) = 1 / (1 + 10^(130.1 / 400)) = 0.32109.
    #[test]
    fn games_follow_the_model() {
        let (mut white, mut black) = (0, 0);
        for game in 0..20_000 {
            let mut rng = Purpose::Result.rng(5, 0, 0, game);
            match Landscape::result(0.0, &mut rng) {
                GameResult::White => white += 1,
                GameResult::Black => black += 1,
                _ => {}
            }
        }
        assert!((8165 - 210..8165 + 210).contains(&white), "{white}");
        assert!((6422 - 200..6422 + 200).contains(&black), "{black}");
    }

    #[test]
    fn the_circle_has_no_best() {
        let landscape = Landscape::new(Shape::Intransitive, 2, 1).unwrap();
        let around = [[900.0, 500.0], [300.0, 846.0], [300.0, 154.0]];
        for k in 0..3 {
            assert!(landscape.circle(&around[(k + 1) % 3], &around[k]) > 80.0);
            assert!(landscape.circle(&around[k], &around[(k + 1) % 3]) < -80.0);
        }
    }
}
