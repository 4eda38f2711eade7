//! The minorisation-maximisation algorithm (Hunter, Annals of Statistics 32(1), 2004), extended by
//! ties and home advantage together.
//!
//! In strengths g = e^rating, with alpha = e^advantage and theta = e^D, the logarithms of sums in the
//! likelihood are bounded from below by their tangents; what remains separates, and each parameter has
//! its best value in closed form:
//!
//! * g of player i = (what i took) / sum over its pairings of the tangents' slopes,
//! * alpha = (what White took) / sum of slopes,
//! * theta = (d + sqrt(d² + c²)) / c with d draws and slope c.
//!
//! No step ever lowers the likelihood and none needs a step length. Convergence is linear, though, and
//! slow where groups of players are loosely joined: this is the base that the faster solver in
//! `newton` starts from and is tested against.

use crate::likelihood::{Likelihood, Point};

/// Sweeps over all parameters until none moves by more than `tolerance` (natural units), `limit` at most.
/// Returns the number of sweeps, or `None` where the limit was reached.
pub(crate) fn climb(
    likelihood: &Likelihood,
    point: &mut Point,
    free: &[bool],
    tolerance: f64,
    limit: usize,
) -> Option<usize> {
    let took = taken(likelihood);
    for sweep in 1..=limit {
        let moved = ratings_step(likelihood, point, free, &took)
            .max(advantage_step(likelihood, point, free))
            .max(draw_step(likelihood, point, free));
        if moved <= tolerance {
            return Some(sweep);
        }
    }
    None
}

/// Wins + draws of every player.
fn taken(likelihood: &Likelihood) -> Vec<f64> {
    let mut took = vec![0.0; likelihood.players];
    for term in &likelihood.terms {
        took[term.white] += term.white_took;
        took[term.black] += term.black_took;
    }
    took
}

/// The parts of one term: strengths of both sides with White's advantage in White's, and the two slopes
/// `white_took / (white + theta black)` and `black_took / (theta white + black)`.
fn for_each_term(
    likelihood: &Likelihood,
    point: &[f64],
    mut visit: impl FnMut(usize, usize, f64, f64, f64, f64),
) {
    let strengths: Vec<f64> = point[..likelihood.players]
        .iter()
        .map(|rating| rating.exp())
        .collect();
    let alpha = point[likelihood.advantage_at()].exp();
    let theta = point[likelihood.draw_at()].exp();
    for term in &likelihood.terms {
        let (white, black) = (alpha * strengths[term.white], strengths[term.black]);
        let first = term.white_took / (white + theta * black);
        let second = term.black_took / (theta * white + black);
        visit(term.white, term.black, white, black, first, second);
    }
}

fn ratings_step(likelihood: &Likelihood, point: &mut Point, free: &[bool], took: &[f64]) -> f64 {
    let alpha = point[likelihood.advantage_at()].exp();
    let theta = point[likelihood.draw_at()].exp();
    let mut slopes = vec![0.0; likelihood.players];
    for_each_term(likelihood, point, |white, black, _, _, first, second| {
        slopes[white] += alpha * (first + theta * second);
        slopes[black] += theta * first + second;
    });
    let mut moved: f64 = 0.0;
    for player in 0..likelihood.players {
        if free[player] && took[player] > 0.0 {
            let rating = (took[player] / slopes[player]).ln();
            moved = moved.max((rating - point[player]).abs());
            point[player] = rating;
        }
    }
    moved
}

fn advantage_step(likelihood: &Likelihood, point: &mut Point, free: &[bool]) -> f64 {
    let index = likelihood.advantage_at();
    if !free[index] {
        return 0.0;
    }
    let theta = point[likelihood.draw_at()].exp();
    let took: f64 = likelihood.terms.iter().map(|term| term.white_took).sum();
    let mut slope = 0.0;
    for_each_term(likelihood, point, |_, _, white, _, first, second| {
        slope += white * (first + theta * second);
    });
    // `white` holds alpha already, so this ratio is the factor on alpha.
    let change = (took / slope).ln();
    point[index] += change;
    change.abs()
}

fn draw_step(likelihood: &Likelihood, point: &mut Point, free: &[bool]) -> f64 {
    let index = likelihood.draw_at();
    if !free[index] {
        return 0.0;
    }
    let mut slope = 0.0;
    for_each_term(likelihood, point, |_, _, white, black, first, second| {
        slope += black * first + white * second;
    });
    let draws = likelihood.draws;
    let draw = ((draws + draws.hypot(slope)) / slope).ln();
    let change = draw - point[index];
    point[index] = draw;
    change.abs()
}
