//! NegaScout (Reinefeld 1983): principal variation search with two savings. A move that turned out
//! better is searched again only above the value already shown, and not at all where the value shown is
//! known to be exact: just above the leaves.

use vidmar_chess::{Board, Bound};
use vidmar_eval::Evaluation;

use super::{Driver, search_root};
use crate::limits::Interrupted;
use crate::node::{self, Node, Scout};
use crate::settings::{Fail, Settings};
use crate::table::Scheme;
use crate::value::{INFINITE, Value};
use crate::worker::Worker;

pub(crate) struct NegaScout;

impl Scout for NegaScout {
    #[inline]
    fn later<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        child: Node,
    ) -> Result<Value, Interrupted> {
        let (alpha, beta) = (-child.beta, -child.alpha);
        let minimal = child.with_window(-alpha - 1, -alpha);
        let value = -node::search::<NegaScout, B, E>(worker, minimal)?;
        if value <= alpha || value >= beta || shown_exactly(worker.settings(), child.depth) {
            return Ok(value);
        }
        let above = child.with_window(-beta, -value);
        Ok(value.max(-node::search::<NegaScout, B, E>(worker, above)?))
    }
}

/// Whether a child searched to this depth shows its very value even in a minimal window, when it lies
/// above it. A leaf does, if no quiescence search looks at the window. One ply above the leaves,
/// the child has refuted nothing and so has searched all its leaves; but the table may have answered
/// with a bound in their stead, futility left some out, and hard bounds hide the value.
fn shown_exactly(settings: &Settings, depth: u32) -> bool {
    if settings.quiescence {
        return false;
    }
    match depth {
        0 => true,
        1 => settings.table == Scheme::None && !settings.futility && settings.fail == Fail::Soft,
        _ => false,
    }
}

impl Driver for NegaScout {
    type Scout = NegaScout;

    fn iteration<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        _: Value,
    ) -> Result<(Value, Bound), Interrupted> {
        let value = search_root::<NegaScout, B, E>(worker, depth, -INFINITE, INFINITE)?;
        Ok((value, Bound::Exact))
    }
}
