//! Futility pruning: near the leaves, quiet moves that cannot bring the value up to alpha are left out.
//!
//! A quiet move that gives no check changes the static value by so much at most, we bet: the margin of
//! its depth. The value of the node then is at most static value plus margin, which is what a
//! fail-soft search returns for it. Margins are hundredths of a pawn; where the evaluation has another unit, they are as much in that.

use vidmar_chess::{Board, Move};
use vidmar_eval::PAWN;

use crate::value::{Value, is_mate};

/// What quiet moves may still gain with 1 and 2 plies to go: about three and six pawns' worth of
/// mobility and small captures in the simple evaluation. Deeper nodes are not pruned.
const MARGINS: [Value; 2] = [300, 600];

/// The most that a quiet move can lead to here, if that is too little; `pawn` is what a pawn is worth.
#[inline]
pub(crate) fn hopeless(
    depth: u32,
    alpha: Value,
    pawn: Value,
    evaluate: impl FnOnce() -> Value,
) -> Option<Value> {
    let margin = MARGINS.get(depth.wrapping_sub(1) as usize)?;
    if is_mate(alpha) {
        return None;
    }
    let most = evaluate() + margin * pawn / PAWN;
    (most <= alpha).then_some(most)
}

/// Whether the bet can be made about a move.
#[inline]
pub(crate) fn is_quiet<B: Board>(board: &B, m: Move) -> bool {
    !board.is_capture(m) && m.promotion().is_none() && !board.gives_check(m)
}
