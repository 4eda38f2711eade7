//! Aspiration search: the value is expected near the last iteration's, so the root is searched with a
//! window around it. Where that fails, low or high, the window is opened on that side and the root
//! searched again.

use std::marker::PhantomData;

use vidmar_chess::{Board, Bound};
use vidmar_eval::{Evaluation, PAWN};

use super::{Driver, search_root};
use crate::limits::Interrupted;
use crate::node::Scout;
use crate::value::{INFINITE, Value};
use crate::worker::Worker;

/// Half the width of the first window in hundredths of a pawn ([maribor-2004], aspiration search).
const MARGIN: Value = 50;

/// As much in the unit of the evaluation.
pub(super) fn margin<B: Board, E: Evaluation>(worker: &Worker<'_, B, E>) -> Value {
    MARGIN * worker.pawn() / PAWN
}

/// Aspiration windows at the root of another algorithm's tree.
pub(crate) struct Aspiration<S>(PhantomData<S>);

impl<S: Scout> Driver for Aspiration<S> {
    type Scout = S;

    fn iteration<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        guess: Value,
    ) -> Result<(Value, Bound), Interrupted> {
        let margin = margin(worker);
        let (mut alpha, mut beta) = (guess - margin, guess + margin);
        loop {
            let value = search_root::<S, B, E>(worker, depth, alpha, beta)?;
            if value <= alpha && alpha > -INFINITE {
                (alpha, beta) = (-INFINITE, value + 1);
            } else if value >= beta && beta < INFINITE {
                (alpha, beta) = (value - 1, INFINITE);
            } else {
                return Ok((value, Bound::Exact));
            }
        }
    }
}
