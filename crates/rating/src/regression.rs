//! Strength as a function of features: Bradley-Terry where a player's rating is a sum of what its features are worth.
//!
//! A game is a row of differences (the features of White minus those of Black) and White's points. The chance of a point is
//! the logistic function of Σ coefficient · difference, a draw counts as half a win (quasi-likelihood, with the dispersion
//! that draws leave), and every coefficient has a normal prior around 0 (ridge). How wide the priors are together is said
//! by the games themselves: each of several factors counts as much as it makes them likely (the likelihood taken for
//! quadratic around 0). So what few games speak of is near 0 rather than anywhere, and what an estimate is looked up *for* –
//! the point that a tuner has moved to because of these very games – does not flatter it. Nor does the likeliest factor alone:
//! games that say nothing like the narrowest best, and would be sure that nothing matters.
//!
//! The curvature of the logistic likelihood is nowhere above that at even chances, so steps by the inverse of that one
//! matrix never overshoot (Böhning and Lindsay 1988): two sums over all pairs of columns are taken altogether, everything
//! else is linear in the number of columns. A pure function of its input.

use crate::covariance::SquareMatrix;
use crate::model::{ELO_PER_NATURAL, logistic};

/// What is expected of a coefficient.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Prior {
    /// One standard deviation, in Elo for a difference of 1.
    pub elo: f64,
    /// Whether the games may say by which factor it is wider or narrower, the same for all such.
    pub is_scaled: bool,
}

/// Games as rows of differences.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    columns: usize,
    // Half the memory of doubles; differences of parameters have no more digits.
    differences: Vec<f32>,
    points: Vec<f32>,
}

impl Rows {
    /// None yet, of so many columns.
    pub fn new(columns: usize) -> Rows {
        Rows {
            columns,
            ..Rows::default()
        }
    }

    /// Adds a game: White's features minus Black's, and White's points.
    ///
    /// # Panics
    /// If there are not as many differences as columns.
    pub fn push(&mut self, differences: &[f64], points: f64) {
        assert_eq!(differences.len(), self.columns, "one difference a column");
        self.differences.extend(differences.iter().map(|&d| d as f32));
        self.points.push(points as f32);
    }

    /// How many games there are.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    fn iter(&self) -> impl Iterator<Item = (&[f32], f64)> {
        let points = self.points.iter().map(|&points| f64::from(points));
        self.differences.chunks_exact(self.columns.max(1)).zip(points)
    }

    /// Σ weight(row) · differences · differencesᵀ.
    fn products(&self, mut weight: impl FnMut(&[f32]) -> f64) -> SquareMatrix {
        let mut sums = SquareMatrix::zeros(self.columns);
        for (row, _) in self.iter() {
            let weight = weight(row);
            for (j, &by) in row.iter().enumerate().filter(|(_, by)| **by != 0.0) {
                sums.add_to_row(j, weight * f64::from(by), &row[..=j]);
            }
        }
        sums.mirror();
        sums
    }

    /// Σ (points − chance) · differences.
    fn gradient(&self, coefficients: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.columns];
        for (row, points) in self.iter() {
            let left = points - logistic(predicted(row, coefficients));
            for (sum, &by) in sums.iter_mut().zip(row) {
                *sum += left * f64::from(by);
            }
        }
        sums
    }

    /// The variance of points over that of games without draws.
    fn dispersion(&self) -> f64 {
        let count = self.len() as f64;
        let mean = self.points.iter().map(|&p| f64::from(p)).sum::<f64>() / count;
        let squares = self
            .points
            .iter()
            .map(|&p| (f64::from(p) - mean).powi(2))
            .sum::<f64>();
        (squares / count / (mean * (1.0 - mean)).max(1e-9)).clamp(LEAST_DISPERSION, 1.0)
    }
}

/// Even nothing but draws says a little less than everything.
const LEAST_DISPERSION: f64 = 0.05;
/// Factors for the scaled priors, each twice the last and as likely as the others before a game is played.
const FACTORS: [f64; 7] = [0.1, 0.2, 0.4, 0.8, 1.6, 3.2, 6.4];
/// A factor that counts for less than this is left out.
const LEAST_SHARE: f64 = 0.01;
/// Steps, and a change of all coefficients below which they end.
const MOST_STEPS: usize = 300;
const REST: f64 = 1e-6;

/// What the features are worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Regression {
    coefficients: Vec<f64>,
    covariance: SquareMatrix,
}

impl Regression {
    /// From games, with a prior for every column; none without games, or where numbers are not finite.
    pub fn of(rows: &Rows, priors: &[Prior]) -> Option<Regression> {
        if rows.is_empty() || priors.len() != rows.columns {
            return None;
        }
        let games = Games {
            rows,
            dispersion: rows.dispersion(),
        };
        let even = games.information(|_| 0.5);
        let at_zero = games.gradient(&vec![0.0; rows.columns]);
        let mut found = Vec::new();
        for (share, factor) in shares(&even, &at_zero, priors)? {
            found.push((share, games.fit(&even, &precisions(priors, factor))?));
        }
        Some(Regression::mixed(rows.columns, &found))
    }

    /// One for several, each with its share: what they differ in is a part of the error.
    fn mixed(columns: usize, found: &[(f64, Regression)]) -> Regression {
        let mut coefficients = vec![0.0; columns];
        for (share, one) in found {
            for (sum, b) in coefficients.iter_mut().zip(&one.coefficients) {
                *sum += share * b;
            }
        }
        let mut covariance = SquareMatrix::zeros(columns);
        for (share, one) in found {
            let apart: Vec<f64> = one
                .coefficients
                .iter()
                .zip(&coefficients)
                .map(|(b, mean)| b - mean)
                .collect();
            for row in 0..columns {
                for column in 0..columns {
                    let together = one.covariance.at(row, column) + apart[row] * apart[column];
                    covariance.add(row, column, share * together);
                }
            }
        }
        Regression {
            coefficients,
            covariance,
        }
    }

    /// What a difference of features is worth in Elo, and one standard deviation of that.
    pub fn worth(&self, differences: &[f64]) -> (f64, f64) {
        let elo: f64 = self
            .coefficients
            .iter()
            .zip(differences)
            .map(|(b, d)| b * d)
            .sum();
        let moved = self.covariance.times(differences);
        let variance: f64 = moved.iter().zip(differences).map(|(m, d)| m * d).sum();
        (elo * ELO_PER_NATURAL, variance.max(0.0).sqrt() * ELO_PER_NATURAL)
    }

    /// How many columns a row has.
    pub fn columns(&self) -> usize {
        self.coefficients.len()
    }
}

/// Games, and what draws take from the scatter of their points.
struct Games<'a> {
    rows: &'a Rows,
    dispersion: f64,
}

impl Games<'_> {
    /// The slope of their likelihood.
    fn gradient(&self, coefficients: &[f64]) -> Vec<f64> {
        let mut sums = self.rows.gradient(coefficients);
        for sum in &mut sums {
            *sum /= self.dispersion;
        }
        sums
    }

    /// The curvature of their likelihood, where a row's chance is known.
    fn information(&self, mut chance: impl FnMut(&[f32]) -> f64) -> SquareMatrix {
        self.rows.products(|row| {
            let chance = chance(row);
            chance * (1.0 - chance) / self.dispersion
        })
    }

    /// The likeliest coefficients with these priors. `even` is the curvature at even chances.
    fn fit(&self, even: &SquareMatrix, precisions: &[f64]) -> Option<Regression> {
        let mut bound = even.clone();
        bound.add_diagonal(precisions);
        let bound = bound.inverse()?;
        let mut coefficients = vec![0.0; precisions.len()];
        for _ in 0..MOST_STEPS {
            let mut gradient = self.gradient(&coefficients);
            for ((sum, precision), b) in gradient.iter_mut().zip(precisions).zip(&coefficients) {
                *sum -= precision * b;
            }
            let step = bound.times(&gradient);
            let largest = step.iter().fold(0.0_f64, |largest, s| largest.max(s.abs()));
            coefficients.iter_mut().zip(step).for_each(|(b, s)| *b += s);
            if largest < REST {
                break;
            }
        }
        let mut information = self.information(|row| logistic(predicted(row, &coefficients)));
        information.add_diagonal(precisions);
        Some(Regression {
            covariance: information.inverse()?,
            coefficients,
        })
    }
}

/// Standard deviations of parameters that were fitted to observations of which some belong together: by the sandwich
/// H⁻¹ (Σ g gᵀ) H⁻¹ with one gradient g for each group (Huber 1967, Liang and Zeger 1986). `information` is H, the lower
/// triangle row by row; none where it has no inverse.
pub fn grouped_errors(information: &[f64], gradients: &[Vec<f64>]) -> Option<Vec<f64>> {
    let size = gradients.first()?.len();
    let mut matrix = SquareMatrix::zeros(size);
    let mut cells = information.iter();
    for row in 0..size {
        for (column, cell) in (0..=row).zip(&mut cells) {
            matrix.add(row, column, *cell);
        }
    }
    matrix.mirror();
    let inverse = matrix.inverse()?;
    let mut variances = vec![0.0; size];
    for gradient in gradients {
        for (variance, moved) in variances.iter_mut().zip(inverse.times(gradient)) {
            *variance += moved * moved;
        }
    }
    Some(variances.into_iter().map(f64::sqrt).collect())
}

fn predicted(row: &[f32], coefficients: &[f64]) -> f64 {
    row.iter().zip(coefficients).map(|(&d, b)| f64::from(d) * b).sum()
}

/// One over the variance of every prior, in natural units.
fn precisions(priors: &[Prior], factor: f64) -> Vec<f64> {
    let of = |prior: &Prior| {
        let elo = if prior.is_scaled {
            prior.elo * factor
        } else {
            prior.elo
        };
        (ELO_PER_NATURAL / elo).powi(2)
    };
    priors.iter().map(of).collect()
}

/// Factors with the share of each, by how likely the games are with it; the shares add up to 1.
fn shares(even: &SquareMatrix, at_zero: &[f64], priors: &[Prior]) -> Option<Vec<(f64, f64)>> {
    let mut likelihoods = Vec::new();
    for factor in FACTORS {
        let precisions = precisions(priors, factor);
        let mut bound = even.clone();
        bound.add_diagonal(&precisions);
        let (inverse, log_determinant) = bound.inverse_and_log_determinant()?;
        let explained: f64 = inverse
            .times(at_zero)
            .iter()
            .zip(at_zero)
            .map(|(a, b)| a * b)
            .sum();
        let prior: f64 = precisions.iter().map(|precision| precision.ln()).sum();
        likelihoods.push((explained + prior - log_determinant) / 2.0);
    }
    let most = likelihoods.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = likelihoods.iter().map(|l| (l - most).exp()).collect();
    let least = LEAST_SHARE * weights.iter().sum::<f64>();
    let kept = || {
        weights
            .iter()
            .zip(FACTORS)
            .filter(|(weight, _)| **weight >= least)
    };
    let sum: f64 = kept().map(|(weight, _)| weight).sum();
    Some(kept().map(|(weight, factor)| (weight / sum, factor)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIDE: Prior = Prior {
        elo: 1000.0,
        is_scaled: false,
    };

    /// A splitmix generator: the crate knows no other.
    fn unit(state: &mut u64) -> f64 {
        *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = *state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// 75 of 100 points: ln 3 natural units, 190.8 Elo, with the information 100 · ¾ · ¼.
    #[test]
    fn one_column_by_hand() {
        let mut rows = Rows::new(1);
        for game in 0..100 {
            rows.push(&[1.0], if game < 75 { 1.0 } else { 0.0 });
        }
        let flat = Prior {
            elo: 1e6,
            is_scaled: false,
        };
        let (elo, sd) = Regression::of(&rows, &[flat]).unwrap().worth(&[1.0]);
        assert!((elo - 190.85).abs() < 0.1, "{elo}");
        // 400 / ln 10 / √18.75.
        assert!((sd - 40.12).abs() < 0.1, "{sd}");
        // Nothing but draws: equal, and surer than with decided games.
        let mut drawn = Rows::new(1);
        for _ in 0..100 {
            drawn.push(&[1.0], 0.5);
        }
        let (elo, drawn_sd) = Regression::of(&drawn, &[flat]).unwrap().worth(&[1.0]);
        assert!(elo.abs() < 1e-6 && drawn_sd < sd / 2.0, "{elo} {drawn_sd}");
        assert_eq!(Regression::of(&Rows::new(1), &[WIDE]), None);
    }

    /// Games drawn from known coefficients, one of them 0: found within their errors, and 95 % intervals hold.
    #[test]
    fn known_coefficients_are_found_within_their_errors() {
        let truth = [120.0, -60.0, 0.0, 30.0];
        let (mut state, mut inside, mut all) = (7, 0, 0);
        for _ in 0..20 {
            let mut rows = Rows::new(truth.len() + 1);
            for _ in 0..2000 {
                let mut differences: Vec<f64> = truth.iter().map(|_| unit(&mut state) - 0.5).collect();
                let elo: f64 = truth.iter().zip(&differences).map(|(t, d)| t * d).sum();
                differences.push(1.0);
                let chance = logistic((elo + 20.0) / ELO_PER_NATURAL);
                let (luck, is_drawn) = (unit(&mut state), unit(&mut state) < 0.3);
                // A draw in three of ten games, whoever is better by little.
                let points = if is_drawn { 0.5 } else { f64::from(luck < chance) };
                rows.push(&differences, points);
            }
            let scaled = Prior {
                elo: 100.0,
                is_scaled: true,
            };
            let priors = [scaled, scaled, scaled, scaled, WIDE];
            let found = Regression::of(&rows, &priors).unwrap();
            for (j, &known) in truth.iter().enumerate() {
                let mut differences = [0.0; 5];
                differences[j] = 1.0;
                let (elo, sd) = found.worth(&differences);
                // The draws are of even games in this model, so worth a little less.
                inside += usize::from((elo - 0.7 * known).abs() < 1.96 * sd);
                all += 1;
                assert!(sd > 5.0 && sd < 40.0, "{sd}");
            }
        }
        assert!(inside * 100 >= all * 85, "{inside} of {all}");
    }

    /// By hand: H = ((2, 1), (1, 3)) with the inverse ((3, −1), (−1, 2)) / 5; the gradients (5, 0) and (0, 5) move by (3, −1)
    /// and (−1, 2).
    #[test]
    fn errors_of_groups_by_hand() {
        let errors = grouped_errors(&[2.0, 1.0, 3.0], &[vec![5.0, 0.0], vec![0.0, 5.0]]).unwrap();
        assert!((errors[0] - 10_f64.sqrt()).abs() < 1e-12 && (errors[1] - 5_f64.sqrt()).abs() < 1e-12);
        assert_eq!(grouped_errors(&[0.0], &[vec![1.0]]), None);
        assert_eq!(grouped_errors(&[], &[]), None);
    }

    /// Games that hardly differ in a column say nothing about it, and must not be sure that it is nothing.
    #[test]
    fn what_was_not_tried_is_not_known() {
        let mut state = 5;
        let mut rows = Rows::new(5);
        for _ in 0..1000 {
            let differences: Vec<f64> = (0..5).map(|_| 0.02 * (unit(&mut state) - 0.5)).collect();
            rows.push(&differences, f64::from(unit(&mut state) < 0.5));
        }
        let prior = Prior {
            elo: 100.0,
            is_scaled: true,
        };
        let (elo, sd) = Regression::of(&rows, &[prior; 5]).unwrap().worth(&[0.3; 5]);
        assert!(elo.abs() < sd && sd > 60.0, "{elo} {sd}");
    }

    /// Columns that decide nothing: narrow priors count most, and what they seem to be worth together is small.
    #[test]
    fn noise_is_held_near_nothing() {
        let mut state = 3;
        let mut rows = Rows::new(40);
        for _ in 0..500 {
            let differences: Vec<f64> = (0..40).map(|_| unit(&mut state) - 0.5).collect();
            rows.push(&differences, f64::from(unit(&mut state) < 0.5));
        }
        let scaled = |elo| Prior { elo, is_scaled: true };
        let found = Regression::of(&rows, &[scaled(100.0); 40]).unwrap();
        // The vector that these games seem to like best.
        let liked: Vec<f64> = found.coefficients.iter().map(|b| b.signum() / 2.0).collect();
        let (elo, sd) = found.worth(&liked);
        assert!(elo < 4.0 * sd, "{elo} {sd}");
    }
}
