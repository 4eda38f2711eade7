//! The model: chances of the three results from two ratings.
//!
//! With x = White's rating - Black's rating + advantage, and everything in Elo,
//!
//! * P(White wins) = 1 / (1 + 10^((draw - x) / 400)),
//! * P(Black wins) = 1 / (1 + 10^((draw + x) / 400)),
//! * P(draw) = the rest.
//!
//! This is the Bradley-Terry model with home advantage and with ties after Rao and Kupper (1967), as
//! Hunter (2004) writes it, and the one that `BayesElo` fits; the two defaults are `BayesElo`'s.

/// White's advantage in Elo that `BayesElo` uses when it is not fitted.
pub const DEFAULT_ADVANTAGE: f64 = 32.8;

/// The draw parameter in Elo that `BayesElo` uses when it is not fitted.
pub const DEFAULT_DRAW_ELO: f64 = 97.3;

/// Elo points of one natural unit: a rating in Elo is this times the logarithm of a strength.
pub(crate) const ELO_PER_NATURAL: f64 = 400.0 / std::f64::consts::LN_10;

/// 1 / (1 + e^-x).
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// White's advantage and the draw parameter, in Elo.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// What the white pieces are worth.
    pub advantage: f64,
    /// Half the width of the band of near-equal play that ends drawn.
    pub draw_elo: f64,
}

impl Default for Model {
    fn default() -> Self {
        Model {
            advantage: DEFAULT_ADVANTAGE,
            draw_elo: DEFAULT_DRAW_ELO,
        }
    }
}

impl Model {
    /// Chances that White wins, that the game is drawn, and that Black wins.
    pub fn chances(&self, white_elo: f64, black_elo: f64) -> [f64; 3] {
        let x = white_elo - black_elo + self.advantage;
        let white = logistic((x - self.draw_elo) / ELO_PER_NATURAL);
        let black = logistic((-x - self.draw_elo) / ELO_PER_NATURAL);
        [white, 1.0 - white - black, black]
    }

    /// `BayesElo`'s factor on its ratings, 4x / (1 + x)^2 with x = 10^(-draw / 400): the slope of the
    /// expected score of equal players under this model over the slope without draws, so that a rating
    /// difference near 0 means the same expected score as in the usual Elo formula.
    pub fn bayeselo_scale(&self) -> f64 {
        let x = (-self.draw_elo / ELO_PER_NATURAL).exp();
        4.0 * x / ((1.0 + x) * (1.0 + x))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_follow_the_formulas_of_the_specification() {
        let model = Model::default();
        let [white, draw, black] = model.chances(2100.0, 2000.0);
        let expected_white = 1.0 / (1.0 + 10f64.powf((2000.0 - 2100.0 - 32.8 + 97.3) / 400.0));
        let expected_black = 1.0 / (1.0 + 10f64.powf((2100.0 - 2000.0 + 32.8 + 97.3) / 400.0));
        assert!((white - expected_white).abs() < 1e-14);
        assert!((black - expected_black).abs() < 1e-14);
        assert!((white + draw + black - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_published_scale_is_0_9255() {
        assert!((Model::default().bayeselo_scale() - 0.9255).abs() < 5e-5);
    }

    #[test]
    fn the_scale_is_the_slope_of_the_expected_score() {
        let model = Model {
            advantage: 0.0,
            ..Model::default()
        };
        let score = |difference: f64| {
            let [white, draw, _] = model.chances(difference, 0.0);
            white + 0.5 * draw
        };
        let slope = (score(0.01) - score(-0.01)) / 0.02;
        let usual = 0.25 / ELO_PER_NATURAL;
        assert!((slope / usual - model.bayeselo_scale()).abs() < 1e-9);
    }
}
