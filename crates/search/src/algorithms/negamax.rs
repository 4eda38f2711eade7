//! Negamax: minimax with one rule for both sides. A position is worth to one side what it costs the other.

use vidmar_chess::{Board, Bound};
use vidmar_eval::Evaluation;

use super::{Driver, alpha_beta};
use crate::draws::table_key;
use crate::limits::Interrupted;
use crate::table::Entry;
use crate::value::{DRAW, INFINITE, Value};
use crate::worker::Worker;

pub(crate) struct Negamax;

impl Driver for Negamax {
    type Scout = alpha_beta::AlphaBeta;

    fn iteration<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        _: Value,
    ) -> Result<(Value, Bound), Interrupted> {
        Ok((search(worker, depth, 0)?, Bound::Exact))
    }
}

fn search<B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    depth: u32,
    ply: usize,
) -> Result<Value, Interrupted> {
    worker.visit()?;
    worker.lines.clear(ply);
    if worker.is_draw(ply) {
        return Ok(DRAW);
    }
    if depth == 0 {
        return worker.leaf(ply, -INFINITE, INFINITE);
    }
    let before = worker.counts.nodes;
    let key = table_key(&worker.board, depth);
    let known = worker.probe(key, depth, ply);
    if let Some((value, Bound::Exact)) = known.answer
        && ply > 0
    {
        return Ok(value);
    }
    let mut moves = worker.moves(ply, None, false);
    let mut best = -INFINITE;
    let mut best_move = None;
    while let Some(m) = moves.next(worker) {
        if !worker.make(moves.generation(), m) {
            continue;
        }
        let value = search(worker, depth - 1, ply + 1);
        worker.board.unmake();
        let value = -value?;
        if value > best {
            best = value;
            best_move = Some(m);
            worker.lines.improve(ply, m);
            if ply == 0 {
                worker.root.improve(worker.lines.from(0), worker.lines.proven(0));
            }
        }
    }
    if best_move.is_none() {
        return Ok(worker.without_moves(ply));
    }
    let entry = Entry {
        best: best_move,
        unproven: false,
        value: best,
        bound: Bound::Exact,
        depth: depth as u8,
        nodes: worker.counts.nodes - before + 1,
        generation: 0,
    };
    worker.store(key, ply, entry);
    Ok(best)
}
