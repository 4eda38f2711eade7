//! Simultaneous perturbation: all parameters move at once, each by the toss of a coin.

use crate::optimizer::Context;
use crate::purpose::Purpose;
use crate::space::{Kind, Repair, Vector};
use vidmar_rng::Rng;

/// One coin for every dimension, ±1, the same whenever this direction of the round is asked for.
pub(crate) fn flips(context: &Context<'_>, direction: usize) -> Vec<f64> {
    let mut rng = context.rng(Purpose::Mutation, direction);
    context.space().dimensions().iter().map(|_| rng.sign()).collect()
}

/// The point moved by these steps as a player. A step out of its interval ends at the bound; with `rounding`, an integer takes its
/// upper neighbour with the probability of the fraction, which keeps the expected difference where steps are small.
pub(crate) fn player(
    context: &Context<'_>,
    point: &[f64],
    steps: impl Iterator<Item = f64>,
    rounding: Option<&mut Rng>,
) -> Vector {
    let mut vector: Vector = point.iter().zip(steps).map(|(x, step)| x + step).collect();
    context.space().confine(&mut vector, Repair::Clamp);
    if let Some(rounding) = rounding {
        for (x, d) in vector.iter_mut().zip(context.space().dimensions()) {
            let luck = rounding.unit();
            if d.kind == Kind::Integer {
                *x = (*x + luck).floor();
            }
        }
    }
    context.settle(&mut vector);
    vector
}
