//! The log-likelihood with its first and second derivatives, in natural units.
//!
//! With p = P(White wins), q = P(Black wins) and draw parameter D in natural units, P(draw) =
//! p q (e^(2D) - 1). So with a = wins + draws and b = losses + draws of White the logarithm of the
//! likelihood of one pairing is
//!
//! a ln p(x - D) + b ln q(-x - D) + draws ln(e^(2D) - 1),
//!
//! each part of which is concave in the ratings, the advantage and D together: there is one maximum
//! (up to adding a constant to all ratings of a group), and every way of climbing finds the same one.

use std::collections::HashMap;

use crate::games::Pairing;
use crate::model::logistic;

/// One pairing as the likelihood sees it: a draw counts as something taken by both.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Term {
    pub(crate) white: usize,
    pub(crate) black: usize,
    /// White's wins + draws.
    pub(crate) white_took: f64,
    /// Black's wins + draws.
    pub(crate) black_took: f64,
}

/// The data of the likelihood.
#[derive(Clone, Debug)]
pub(crate) struct Likelihood {
    pub(crate) players: usize,
    pub(crate) terms: Vec<Term>,
    pub(crate) draws: f64,
}

/// A point of the parameter space, or a direction in it: ratings, then the advantage, then D.
pub(crate) type Point = Vec<f64>;

/// Second derivatives, negated, in the form that products with vectors need: one pair of numbers for
/// every term.
pub(crate) struct Information {
    /// Per term: -d²/dx², and -d²/(dx dD).
    pub(crate) weights: Vec<(f64, f64)>,
    /// What the draws add to -d²/dD².
    pub(crate) draw_curvature: f64,
}

impl Likelihood {
    /// The likelihood of the games with `prior` virtual draws for every player, the way `BayesElo` adds
    /// them: half of `prior` drawn games, as many with each colour, spread over the opponents of the
    /// player in proportion to the games with each; the opponents' halves make it `prior` on average.
    pub(crate) fn new(players: usize, pairings: &[Pairing], prior: f64) -> Self {
        let mut played = vec![0.0; players];
        for Pairing { white, black, tally } in pairings {
            played[white.index()] += tally.games();
            played[black.index()] += tally.games();
        }
        let mut terms = TermSum {
            indices: HashMap::with_capacity(pairings.len()),
            terms: Vec::new(),
            draws: 0.0,
        };
        for Pairing { white, black, tally } in pairings {
            let (white, black) = (white.index(), black.index());
            let virtual_draws = 0.25 * prior * tally.games() * (1.0 / played[white] + 1.0 / played[black]);
            terms.add(
                white,
                black,
                tally.wins,
                tally.draws + virtual_draws,
                tally.losses,
            );
            terms.add(black, white, 0.0, virtual_draws, 0.0);
        }
        Likelihood {
            players,
            terms: terms.terms,
            draws: terms.draws,
        }
    }

    /// Keeps the terms between players of the same group only. Between groups one side took everything,
    /// so no draw is among the terms that go.
    pub(crate) fn within_groups(&mut self, group_of: &[usize]) {
        self.terms
            .retain(|term| group_of[term.white] == group_of[term.black]);
    }

    pub(crate) fn advantage_at(&self) -> usize {
        self.players
    }

    pub(crate) fn draw_at(&self) -> usize {
        self.players + 1
    }

    fn difference(&self, term: &Term, point: &[f64]) -> f64 {
        point[term.white] - point[term.black] + point[self.players]
    }

    pub(crate) fn value(&self, point: &[f64]) -> f64 {
        let draw = point[self.draw_at()];
        let mut sum = if self.draws > 0.0 {
            self.draws * (2.0 * draw).exp_m1().ln()
        } else {
            0.0
        };
        for term in &self.terms {
            let x = self.difference(term, point);
            sum += term.white_took * ln_logistic(x - draw) + term.black_took * ln_logistic(-x - draw);
        }
        sum
    }

    /// First derivatives, and the information (negated second derivatives).
    pub(crate) fn derivatives(&self, point: &[f64]) -> (Point, Information) {
        let draw = point[self.draw_at()];
        let mut gradient = vec![0.0; self.players + 2];
        let mut weights = Vec::with_capacity(self.terms.len());
        let (mut by_advantage, mut by_draw) = (0.0, 0.0);
        for term in &self.terms {
            let x = self.difference(term, point);
            let (p, q) = (logistic(x - draw), logistic(-x - draw));
            let (up, down) = (term.white_took * (1.0 - p), term.black_took * (1.0 - q));
            gradient[term.white] += up - down;
            gradient[term.black] -= up - down;
            by_advantage += up - down;
            by_draw -= up + down;
            weights.push((up * p + down * q, down * q - up * p));
        }
        let mut draw_curvature = 0.0;
        if self.draws > 0.0 {
            // d ln(e^(2D) - 1) / dD = 2 / (1 - e^(-2D)); its derivative is -1 / sinh²(D).
            by_draw += self.draws * 2.0 / -(-2.0 * draw).exp_m1();
            draw_curvature = self.draws / draw.sinh().powi(2);
        }
        gradient[self.advantage_at()] = by_advantage;
        gradient[self.draw_at()] = by_draw;
        (
            gradient,
            Information {
                weights,
                draw_curvature,
            },
        )
    }

    /// The information times a direction.
    pub(crate) fn product(&self, information: &Information, direction: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        let along_draw = direction[self.draw_at()];
        let (mut advantage, mut draw) = (0.0, information.draw_curvature * along_draw);
        for (term, &(own, mixed)) in self.terms.iter().zip(&information.weights) {
            let along_x = self.difference(term, direction);
            let change = own * along_x + mixed * along_draw;
            out[term.white] += change;
            out[term.black] -= change;
            advantage += change;
            draw += mixed * along_x + own * along_draw;
        }
        out[self.advantage_at()] = advantage;
        out[self.draw_at()] = draw;
    }
}

/// Collects terms, one for each ordered pair.
struct TermSum {
    indices: HashMap<(usize, usize), usize>,
    terms: Vec<Term>,
    draws: f64,
}

impl TermSum {
    fn add(&mut self, white: usize, black: usize, wins: f64, draws: f64, losses: f64) {
        if wins + draws + losses <= 0.0 {
            return;
        }
        let terms = &mut self.terms;
        let index = *self.indices.entry((white, black)).or_insert_with(|| {
            terms.push(Term {
                white,
                black,
                white_took: 0.0,
                black_took: 0.0,
            });
            terms.len() - 1
        });
        terms[index].white_took += wins + draws;
        terms[index].black_took += losses + draws;
        self.draws += draws;
    }
}

/// ln(1 / (1 + e^-x)) without overflow.
fn ln_logistic(x: f64) -> f64 {
    if x > 0.0 {
        -(-x).exp().ln_1p()
    } else {
        x - x.exp().ln_1p()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> (Likelihood, Point) {
        let mut sum = TermSum {
            indices: HashMap::new(),
            terms: Vec::new(),
            draws: 0.0,
        };
        sum.add(0, 1, 5.0, 2.0, 1.0);
        sum.add(1, 2, 3.0, 4.0, 2.5);
        sum.add(2, 0, 1.0, 0.0, 6.0);
        let likelihood = Likelihood {
            players: 3,
            terms: sum.terms,
            draws: sum.draws,
        };
        (likelihood, vec![0.3, -0.2, 0.1, 0.15, 0.6])
    }

    #[test]
    fn the_value_is_the_log_of_the_products_of_the_chances() {
        let (likelihood, point) = example();
        let model = crate::Model {
            advantage: point[3] * crate::model::ELO_PER_NATURAL,
            draw_elo: point[4] * crate::model::ELO_PER_NATURAL,
        };
        let mut sum = 0.0;
        for (white, black, tally) in [
            (0, 1, [5.0, 2.0, 1.0]),
            (1, 2, [3.0, 4.0, 2.5]),
            (2, 0, [1.0, 0.0, 6.0]),
        ] {
            let elo = |player: usize| point[player] * crate::model::ELO_PER_NATURAL;
            let chances = model.chances(elo(white), elo(black));
            sum += tally
                .iter()
                .zip(chances)
                .map(|(n, chance)| n * f64::ln(chance))
                .sum::<f64>();
        }
        assert!((likelihood.value(&point) - sum).abs() < 1e-10);
    }

    #[test]
    fn derivatives_agree_with_differences() {
        let (likelihood, point) = example();
        let (gradient, information) = likelihood.derivatives(&point);
        let step = 1e-5;
        for k in 0..5 {
            let moved = |by: f64| {
                let mut moved = point.clone();
                moved[k] += by;
                moved
            };
            let slope = (likelihood.value(&moved(step)) - likelihood.value(&moved(-step))) / (2.0 * step);
            assert!(
                (slope - gradient[k]).abs() < 1e-6,
                "parameter {k}: {slope} and {}",
                gradient[k]
            );

            let mut unit = vec![0.0; 5];
            unit[k] = 1.0;
            let mut column = vec![0.0; 5];
            likelihood.product(&information, &unit, &mut column);
            let (above, below) = (
                likelihood.derivatives(&moved(step)).0,
                likelihood.derivatives(&moved(-step)).0,
            );
            for row in 0..5 {
                let curvature = -(above[row] - below[row]) / (2.0 * step);
                assert!(
                    (curvature - column[row]).abs() < 1e-6,
                    "{row}, {k}: {curvature} and {}",
                    column[row]
                );
            }
        }
    }
}
