//! Minimax: the definition of the value, and the oracle of every other algorithm.
//!
//! White maximises, Black minimises, nothing is left out. It shares with the others only what defines
//! the game (draws, leaves), so that their equality with it means something. With a table it looks up
//! values that it has already computed.

use vidmar_chess::{Board, Bound, Color};
use vidmar_eval::Evaluation;

use super::{Driver, alpha_beta};
use crate::draws::table_key;
use crate::limits::Interrupted;
use crate::table::Entry;
use crate::value::{DRAW, INFINITE, Value};
use crate::worker::Worker;

pub(crate) struct Minimax;

impl Driver for Minimax {
    type Scout = alpha_beta::AlphaBeta;

    fn iteration<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        _: Value,
    ) -> Result<(Value, Bound), Interrupted> {
        let white = search(worker, depth, 0)?;
        Ok((for_white(worker.board.turn(), white), Bound::Exact))
    }
}

/// White's value from the mover's, or the other way round.
fn for_white(turn: Color, value: Value) -> Value {
    match turn {
        Color::White => value,
        Color::Black => -value,
    }
}

/// The value of a node for White.
fn search<B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    depth: u32,
    ply: usize,
) -> Result<Value, Interrupted> {
    worker.visit()?;
    worker.lines.clear(ply);
    let turn = worker.board.turn();
    if worker.is_draw(ply) {
        return Ok(DRAW);
    }
    if depth == 0 {
        return Ok(for_white(turn, worker.leaf(ply, -INFINITE, INFINITE)?));
    }
    let before = worker.counts.nodes;
    let key = table_key(&worker.board, depth);
    let known = worker.probe(key, depth, ply);
    if let Some((value, Bound::Exact)) = known.answer
        && ply > 0
    {
        return Ok(for_white(turn, value));
    }
    let mut moves = worker.moves(ply, None, false);
    let mut best = None;
    while let Some(m) = moves.next(worker) {
        if !worker.make(moves.generation(), m) {
            continue;
        }
        let value = search(worker, depth - 1, ply + 1);
        worker.board.unmake();
        let value = value?;
        let better = best.is_none_or(|(best, _)| match turn {
            Color::White => value > best,
            Color::Black => value < best,
        });
        if better {
            best = Some((value, m));
            worker.lines.improve(ply, m);
            if ply == 0 {
                worker.root.improve(worker.lines.from(0), worker.lines.proven(0));
            }
        }
    }
    let Some((white, m)) = best else {
        return Ok(for_white(turn, worker.without_moves(ply)));
    };
    let entry = Entry {
        best: Some(m),
        unproven: false,
        value: for_white(turn, white),
        bound: Bound::Exact,
        depth: depth as u8,
        nodes: worker.counts.nodes - before + 1,
        generation: 0,
    };
    worker.store(key, ply, entry);
    Ok(white)
}
