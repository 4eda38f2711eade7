//! Simultaneous perturbation: all parameters move at once, each by the toss of a coin.

use crate::contest::{Contest, Form};
use crate::optimizer::{Context, Round};
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

/// The round of these players, the first against the second, the third against the fourth, and so on. Exact values are believed, so where there are such the point
/// itself must be among those told; against itself it moves nothing.
pub(crate) fn duels(context: &Context<'_>, mut players: Vec<Vector>, point: &[f64]) -> Round {
    let mut duels: Vec<(usize, usize)> = (0..players.len()).step_by(2).map(|one| (one, one + 1)).collect();
    if context.is_valued() {
        duels.push((players.len(), players.len()));
        players.push(context.settled(point));
    }
    Round::Contest(Contest {
        known: vec![None; players.len()],
        players,
        form: Form::Duels(duels),
    })
}
