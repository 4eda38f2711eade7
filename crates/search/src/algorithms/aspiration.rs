//! Aspiration search: the value is expected near the last iteration's, so the root is searched with a
//! window around it. Where that fails, low or high, the window is opened on that side and the root
//! searched again.

use std::marker::PhantomData;

use vidmar_chess::{Board, Bound};
use vidmar_eval::Evaluation;

use super::{Driver, search_root};
use crate::limits::Interrupted;
use crate::node::Scout;
use crate::value::{INFINITE, Value};
use crate::worker::Worker;

/// Half the width of the first window ([maribor-2004], aspiration search).
pub(super) const MARGIN: Value = 50;

/// Aspiration windows at the root of another algorithm's tree.
pub(crate) struct Aspiration<S>(PhantomData<S>);

impl<S: Scout> Driver for Aspiration<S> {
    type Scout = S;

    fn iteration<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        guess: Value,
    ) -> Result<(Value, Bound), Interrupted> {
        let (mut alpha, mut beta) = (guess - MARGIN, guess + MARGIN);
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
