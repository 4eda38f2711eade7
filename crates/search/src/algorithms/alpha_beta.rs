//! Alpha-beta: every child is searched with the window that its elder brothers have left.

use vidmar_chess::{Board, Bound};
use vidmar_eval::Evaluation;

use super::{Driver, search_root};
use crate::limits::Interrupted;
use crate::node::{self, Node, Scout};
use crate::value::{INFINITE, Value};
use crate::worker::Worker;

pub(crate) struct AlphaBeta;

impl Scout for AlphaBeta {
    #[inline]
    fn later<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        child: Node,
    ) -> Result<Value, Interrupted> {
        Ok(-node::search::<AlphaBeta, B, E>(worker, child)?)
    }
}

impl Driver for AlphaBeta {
    type Scout = AlphaBeta;

    fn iteration<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        _: Value,
    ) -> Result<(Value, Bound), Interrupted> {
        let value = search_root::<AlphaBeta, B, E>(worker, depth, -INFINITE, INFINITE)?;
        Ok((value, Bound::Exact))
    }
}
