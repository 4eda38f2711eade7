//! Synthetic landscapes: games between vectors whose true strength is known.
//!
//! A vector's strength in Elo is a function with a known optimum, and a game between two vectors is drawn from the
//! Bradley-Terry model with White's advantage and draws ([erk-2008]). So a tuning method can be measured by what it is
//! for: the *true* Elo of the vector that it hands over, not the luck it had. [`tune`] plays a method against a
//! landscape.
//!
//! All landscapes are integer boxes; the middle is the start, exactly [`HEADROOM`] Elo below the optimum (on one, [`NEAR`]). The
//! optimum lies at random inside the box, so a uniformly random vector is much weaker than the start.
//!
//! The gains of `spsa-scaled` were set by looking at the first five shapes with seeds from 0 on. The shapes that are
//! [held out](Shape::is_held_out) were made afterwards: nothing was ever chosen by them.

mod driver;

pub use driver::{Gain, Rater, tune, tune_budgets};

use crate::protocol::GameResult;
use crate::purpose::Purpose;
use crate::space::{Dimension, Space, SpaceError, Vector};
use vidmar_rng::Rng;

/// How much there is to gain.
pub const HEADROOM: f64 = 300.0;
/// How much there is to gain where the start is a good one already.
pub const NEAR: f64 = 30.0;

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
    Rotated, "rotated", "an ellipsoid turned at random: every parameter is entangled with every other";
    Kinked, "kinked", "absolute differences instead of squares: a ridge roof with a sharp top";
    Saturating, "saturating", "a hill on a plain: far from the top the ground is nearly flat";
    Rippled, "rippled", "an ellipsoid with ripples: a chain of local tops along every parameter";
    Sparse, "sparse", "nine parameters of ten do nothing";
    Near, "near", "an ellipsoid as steep as the first, whose start lies only 30 Elo below the top";
}

impl Shape {
    /// Whether no method was ever set by it.
    pub fn is_held_out(self) -> bool {
        matches!(
            self,
            Self::Rotated | Self::Kinked | Self::Saturating | Self::Rippled | Self::Sparse | Self::Near
        )
    }

    /// How far its start lies below its optimum.
    pub fn headroom(self) -> f64 {
        match self {
            Self::Null => 0.0,
            Self::Near => NEAR,
            _ => HEADROOM,
        }
    }
}

/// A known function of strength.
#[derive(Clone, Debug)]
pub struct Landscape {
    shape: Shape,
    space: Space,
    optimum: Vector,
    weights: Vec<f64>,
    /// Unit vectors, at each of which a rotated landscape is mirrored.
    mirrors: Vec<Vector>,
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
        let weight = |(j, exponent): (usize, &f64)| match shape {
            Shape::Sparse if j % 10 > 0 => 0.0,
            _ => libm::pow(100.0, *exponent),
        };
        let weights = exponents.iter().enumerate().map(weight).collect();
        let space = if shape == Shape::Near {
            begun_near(&space, &optimum)?
        } else {
            space
        };
        let mut landscape = Self {
            shape,
            space,
            optimum,
            weights,
            mirrors: mirrors(shape, dimensions, seed),
            scale: 1.0,
        };
        let loss = landscape.loss(landscape.space.start());
        landscape.scale = if loss > 0.0 { shape.headroom() / loss } else { 0.0 };
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
            Shape::Ellipsoid | Shape::Quantised | Shape::Intransitive | Shape::Near | Shape::Sparse => {
                off.iter().zip(&self.weights).map(|(u, w)| w * u * u).sum()
            }
            Shape::Rotated => self.weighted(&self.turned(off), |u| u * u),
            Shape::Kinked => self.weighted(&off, f64::abs),
            Shape::Saturating => self.weighted(&off, |u| u * u / (u * u + PLAIN * PLAIN)),
            Shape::Rippled => self.weighted(&off, |u| u * u + RIPPLE * (1.0 - libm::cos(40.0 * u))),
            Shape::CorrelatedPairs => off.chunks(2).map(correlated).sum(),
            Shape::RosenbrockPairs => off.chunks(2).map(rosenbrock).sum(),
        }
    }

    fn weighted(&self, off: &[f64], part: impl Fn(f64) -> f64) -> f64 {
        off.iter().zip(&self.weights).map(|(&u, w)| w * part(u)).sum()
    }

    /// Mirrored at every mirror, which turns all directions into mixtures of each other.
    fn turned(&self, mut off: Vector) -> Vector {
        for mirror in &self.mirrors {
            let along: f64 = off.iter().zip(mirror).map(|(u, m)| u * m).sum();
            off.iter_mut()
                .zip(mirror)
                .for_each(|(u, m)| *u -= 2.0 * along * m);
        }
        off
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

/// The distance, in shares of the interval, at which half of a saturating loss is reached.
const PLAIN: f64 = 0.2;
/// The height of ripples; their slope changes its sign up to 0.2 of the interval away from the top.
const RIPPLE: f64 = 0.01;
/// Mirrors of a rotated landscape.
const MIRRORS: u32 = 4;

fn mirrors(shape: Shape, dimensions: usize, seed: u64) -> Vec<Vector> {
    let mirror = |number: u32| {
        let mut rng = Purpose::Landscape.rng(seed, 0, 1 + number, 0);
        let vector: Vector = (0..dimensions).map(|_| rng.normal()).collect();
        let length = vector.iter().map(|x| x * x).sum::<f64>().sqrt();
        vector.iter().map(|x| x / length).collect()
    };
    let count = if shape == Shape::Rotated { MIRRORS } else { 0 };
    (0..count).map(mirror).collect()
}

/// The space with a start so much nearer to the optimum than the middle that of [`HEADROOM`] Elo [`NEAR`] are left.
fn begun_near(space: &Space, optimum: &[f64]) -> Result<Space, SpaceError> {
    let share = (NEAR / HEADROOM).sqrt();
    let starts = space.start().iter().zip(optimum);
    let starts = starts.map(|(middle, best)| (best + share * (middle - best)).round());
    let dimensions = space.dimensions().iter().cloned().zip(starts);
    Space::new(
        dimensions
            .map(|(dimension, start)| dimension.starting_at(start))
            .collect(),
    )
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
                assert!(landscape.space().contains(landscape.optimum()), "{shape:?}");
                assert_eq!(landscape.elo(landscape.optimum()), 0.0, "{shape:?}");
                assert!(
                    (landscape.elo(landscape.space().start()) + shape.headroom()).abs() < 1e-9,
                    "{shape:?}"
                );
                let mut rng = Purpose::Initial.rng(1, 0, 0, 0);
                assert!((0..50).all(|_| landscape.elo(&landscape.space().random(&mut rng)) <= 0.0));
            }
        }
    }

    /// Where the start is near, the middle is as far below as on the others, and so are random vectors.
    #[test]
    fn a_near_start_is_near_on_a_steep_hill() {
        let [near, far] = [Shape::Near, Shape::Ellipsoid].map(|shape| Landscape::new(shape, 16, 4).unwrap());
        assert_eq!(near.optimum(), far.optimum());
        let middle = far.space().start();
        assert!((near.elo(middle) + HEADROOM).abs() < 5.0, "{}", near.elo(middle));
        let mut rng = Purpose::Initial.rng(1, 0, 0, 0);
        let random = far.space().random(&mut rng);
        assert!((near.elo(&random) / far.elo(&random) - 1.0).abs() < 0.02);
    }

    /// Lengths stay, directions do not.
    #[test]
    fn a_rotation_entangles() {
        let landscape = Landscape::new(Shape::Rotated, 16, 4).unwrap();
        let mut off = vec![0.0; 16];
        off[3] = 0.5;
        let turned = landscape.turned(off);
        let length: f64 = turned.iter().map(|u| u * u).sum();
        assert!((length - 0.25).abs() < 1e-12, "{length}");
        assert!(turned.iter().filter(|u| u.abs() > 0.01).count() > 8, "{turned:?}");
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
