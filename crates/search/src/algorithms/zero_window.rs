//! Zero-window search: one question, "is the root worth at least this much?".
//!
//! No value lies strictly inside the window, so every node is cut off or fails low, and the answer
//! is a bound: a lower one if it is yes, an upper one if it is no. It cannot give the value by itself;
//! MTD(f) asks it repeatedly.

use vidmar_chess::{Board, Bound};
use vidmar_eval::Evaluation;

use super::alpha_beta::AlphaBeta;
use super::{Driver, search_root};
use crate::limits::Interrupted;
use crate::value::Value;
use crate::worker::Worker;

pub(crate) struct ZeroWindow;

/// A bound on the root's value that tells whether it reaches `beta`.
pub(super) fn test<B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    depth: u32,
    beta: Value,
) -> Result<(Value, Bound), Interrupted> {
    // In a minimal window all scouts are alike.
    let value = search_root::<AlphaBeta, B, E>(worker, depth, beta - 1, beta)?;
    let bound = if value >= beta { Bound::Lower } else { Bound::Upper };
    Ok((value, bound))
}

impl Driver for ZeroWindow {
    type Scout = AlphaBeta;

    fn iteration<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        guess: Value,
    ) -> Result<(Value, Bound), Interrupted> {
        test(worker, depth, guess)
    }
}
