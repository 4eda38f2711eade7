//! Principal variation search: the first move is taken to be the best, and the others have only to be
//! shown worse, for which a minimal window is enough. A move that turns out better is searched again
//! with the whole window (Marsland and Campbell 1982).

use vidmar_chess::{Board, Bound};
use vidmar_eval::Evaluation;

use super::{Driver, search_root};
use crate::limits::Interrupted;
use crate::node::{self, Node, Scout};
use crate::value::{INFINITE, Value};
use crate::worker::Worker;

pub(crate) struct Pvs;

impl Scout for Pvs {
    #[inline]
    fn later<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        child: Node,
    ) -> Result<Value, Interrupted> {
        let (alpha, beta) = (-child.beta, -child.alpha);
        let minimal = child.with_window(-alpha - 1, -alpha);
        let value = -node::search::<Pvs, B, E>(worker, minimal)?;
        if value <= alpha || value >= beta {
            return Ok(value);
        }
        Ok(-node::search::<Pvs, B, E>(worker, child)?)
    }
}

impl Driver for Pvs {
    type Scout = Pvs;

    fn iteration<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        _: Value,
    ) -> Result<(Value, Bound), Interrupted> {
        let value = search_root::<Pvs, B, E>(worker, depth, -INFINITE, INFINITE)?;
        Ok((value, Bound::Exact))
    }
}
