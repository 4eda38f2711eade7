//! Newton's method on the log-likelihood, each step solved by conjugate gradients.
//!
//! The likelihood is concave, so full steps work near the maximum and halved ones elsewhere. The
//! information matrix is never formed: its product with a vector is one pass over the pairings, so a
//! step costs the same few passes for ten players as for ten thousand. The matrix is singular along
//! "add a constant to a group", where rounding would carry the solution away: one player of each group
//! stays where it is. A few sweeps of minorisation-maximisation come first: they are safe from any start
//! and bring the point to where full steps are accepted.

use crate::likelihood::{Information, Likelihood, Point};
use crate::mm;

/// Sweeps of minorisation-maximisation before the first step.
const FIRST_SWEEPS: usize = 4;

/// More steps than any concave problem of this kind needs; reaching it means no finite maximum.
const MOST_STEPS: usize = 100;

/// How far the linear system of a step is solved, relative to the gradient.
const STEP_ACCURACY: f64 = 1e-7;

/// A step no longer than this is taken whole: rounding hides what the likelihood would say about it.
const WHOLE_STEP: f64 = 1e-4;

/// A step no longer than this that does not get shorter any more is rounding itself: 2e-6 Elo.
const NOISE: f64 = 1e-8;

/// Climbs until a step moves no parameter by more than `tolerance` (natural units). `free` are the
/// parameters that may move, `pinned` one player of each group without an anchor. Returns the number of
/// steps, or `None` where it did not come to rest.
pub(crate) fn climb(
    likelihood: &Likelihood,
    point: &mut Point,
    free: &[bool],
    pinned: &[usize],
    tolerance: f64,
) -> Option<usize> {
    mm::climb(likelihood, point, free, tolerance, FIRST_SWEEPS);
    let mut free = free.to_vec();
    for &player in pinned {
        free[player] = false;
    }
    let mut value = likelihood.value(point);
    let mut last = f64::INFINITY;
    for taken in 1..=MOST_STEPS {
        let (mut gradient, information) = likelihood.derivatives(point);
        hold(&mut gradient, &free);
        let step = solve(likelihood, &information, &gradient, &free);
        let length = step
            .iter()
            .fold(0.0, |longest: f64, part| longest.max(part.abs()));
        let draw = likelihood.draw_at();
        if length <= WHOLE_STEP && point[draw] + step[draw] >= 0.5 * point[draw] {
            add(point, &step, 1.0);
            value = likelihood.value(point);
        } else if !walk(likelihood, point, &mut value, &step, &gradient) {
            return None;
        }
        if length <= tolerance || (length <= NOISE && length >= 0.5 * last) {
            return Some(taken);
        }
        last = length;
    }
    None
}

/// Goes along the step, halved until the likelihood rises by a fair part of what the slope promises.
fn walk(likelihood: &Likelihood, point: &mut Point, value: &mut f64, step: &[f64], gradient: &[f64]) -> bool {
    let promise: f64 = step.iter().zip(gradient).map(|(step, slope)| step * slope).sum();
    let draw = likelihood.draw_at();
    let mut factor = 1.0;
    // The draw parameter lives above 0: go at most nine tenths of the way there.
    if point[draw] + step[draw] <= 0.0 && step[draw] < 0.0 {
        factor = -0.9 * point[draw] / step[draw];
    }
    for _ in 0..60 {
        let mut there = point.clone();
        add(&mut there, step, factor);
        let reached = likelihood.value(&there);
        if reached >= *value + 1e-4 * factor * promise {
            *point = there;
            *value = reached;
            return true;
        }
        factor *= 0.5;
    }
    false
}

/// Preconditioned conjugate gradients for information * step = gradient on the free parameters.
fn solve(likelihood: &Likelihood, information: &Information, gradient: &[f64], free: &[bool]) -> Point {
    let diagonal = diagonal(likelihood, information);
    let precondition = |residual: &[f64]| -> Point {
        residual
            .iter()
            .zip(&diagonal)
            .map(|(part, scale)| if *scale > 0.0 { part / scale } else { 0.0 })
            .collect()
    };
    let mut step = vec![0.0; gradient.len()];
    let mut residual = gradient.to_vec();
    let mut scaled = precondition(&residual);
    let mut direction = scaled.clone();
    let mut product = vec![0.0; gradient.len()];
    let mut energy = dot(&residual, &scaled);
    let target = energy * STEP_ACCURACY * STEP_ACCURACY;
    for _ in 0..10 * gradient.len() {
        if energy <= target || energy == 0.0 {
            break;
        }
        likelihood.product(information, &direction, &mut product);
        hold(&mut product, free);
        let curvature = dot(&direction, &product);
        if curvature <= 0.0 {
            break;
        }
        let length = energy / curvature;
        add(&mut step, &direction, length);
        add(&mut residual, &product, -length);
        scaled = precondition(&residual);
        let next = dot(&residual, &scaled);
        let keep = next / energy;
        energy = next;
        for (along, part) in direction.iter_mut().zip(&scaled) {
            *along = part + keep * *along;
        }
    }
    step
}

fn diagonal(likelihood: &Likelihood, information: &Information) -> Point {
    let mut diagonal = vec![0.0; likelihood.players + 2];
    let mut sum = 0.0;
    for (term, &(own, _)) in likelihood.terms.iter().zip(&information.weights) {
        diagonal[term.white] += own;
        diagonal[term.black] += own;
        sum += own;
    }
    diagonal[likelihood.advantage_at()] = sum;
    diagonal[likelihood.draw_at()] = sum + information.draw_curvature;
    diagonal
}

/// Zeroes what is not free.
fn hold(vector: &mut [f64], free: &[bool]) {
    for (part, &free) in vector.iter_mut().zip(free) {
        if !free {
            *part = 0.0;
        }
    }
}

fn add(to: &mut [f64], what: &[f64], factor: f64) {
    for (to, what) in to.iter_mut().zip(what) {
        *to += factor * what;
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
