//! Quiescence search: leaves are searched on until nothing is being taken.
//!
//! A side may stand pat, that is accept the static value, or take something. A side in check may not
//! stand pat: once on each line all its answers are searched instead ([maribor-2004]). The tree
//! cannot explode: only captures are followed, there is one full-width ply at most, and after
//! [`FREE_PLIES`] plies only recaptures on the square of the last capture.
//!
//! A setting can end every line after so many plies ([urminsky-2007]: three), in check or not.
//!
//! None of this looks at the window before it looks at the position, so the value of a leaf is that
//! of a fixed tree, and algorithms that return the value of minimax do so with quiescence too.

use vidmar_chess::{Board, Generate, MoveList, Square};
use vidmar_eval::Evaluation;

use crate::limits::Interrupted;
use crate::ordering::OrderedMoves;
use crate::value::{DRAW, INFINITE, Value};
use crate::worker::Worker;

/// Plies of captures of anything; deeper ones take back only.
const FREE_PLIES: usize = 6;

/// A node beyond the full-width depth.
#[derive(Copy, Clone)]
struct QuietNode {
    ply: usize,
    /// Plies since the leaf.
    beyond: usize,
    alpha: Value,
    beta: Value,
    /// Whether a check has been answered on this line.
    evaded: bool,
    /// Where the last capture was.
    last_capture: Option<Square>,
}

/// The value of a leaf that has legal moves.
pub(crate) fn search<B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    ply: usize,
    alpha: Value,
    beta: Value,
    legal_moves: usize,
) -> Result<Value, Interrupted> {
    let node = QuietNode {
        ply,
        beyond: 0,
        alpha,
        beta,
        evaded: false,
        last_capture: None,
    };
    search_with(worker, node, legal_moves)
}

fn search_node<B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    node: QuietNode,
) -> Result<Value, Interrupted> {
    worker.visit()?;
    worker.counts.quiescence_nodes += 1;
    if worker.board.has_insufficient_material() {
        return Ok(DRAW);
    }
    match worker.board.count_legal_moves() {
        0 => Ok(worker.without_moves(node.ply)),
        legal_moves => search_with(worker, node, legal_moves),
    }
}

fn search_with<B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    mut node: QuietNode,
    legal_moves: usize,
) -> Result<Value, Interrupted> {
    let most = worker.settings().quiescence_plies as usize;
    if most > 0 && node.beyond >= most {
        let value = worker.evaluate(legal_moves);
        return Ok(worker.bounded(value, node.alpha, node.beta));
    }
    if worker.board.in_check() && !node.evaded {
        node.evaded = true;
        let moves = generate(worker, Generate::All);
        let evasions = worker
            .move_history
            .order(&worker.board, &moves, node.ply, None, None);
        return search_moves(worker, node, -INFINITE, evasions);
    }
    let stand_pat = worker.evaluate(legal_moves);
    if stand_pat >= node.beta {
        return Ok(worker.bounded(stand_pat, node.alpha, node.beta));
    }
    let mut captures = generate(worker, Generate::Captures);
    if node.beyond >= FREE_PLIES {
        captures.retain(|m| Some(m.to()) == node.last_capture);
    }
    let captures = worker.move_history.order_captures(&worker.board, &captures);
    search_moves(worker, node, stand_pat, captures)
}

/// Moves of one sort, legal or pseudo-legal. Captures are a stage of their own: there is nothing to stage.
#[inline]
fn generate<B: Board, E: Evaluation>(worker: &Worker<'_, B, E>, what: Generate) -> MoveList {
    let mut moves = MoveList::new();
    worker
        .settings()
        .generation
        .generate(&worker.board, what, &mut moves);
    moves
}

fn search_moves<B: Board, E: Evaluation>(
    worker: &mut Worker<'_, B, E>,
    node: QuietNode,
    mut best: Value,
    moves: OrderedMoves,
) -> Result<Value, Interrupted> {
    let generation = worker.settings().generation;
    let mut alpha = node.alpha.max(best);
    for m in moves {
        let last_capture = worker.board.is_capture(m).then_some(m.to());
        if !worker.make(generation, m) {
            continue;
        }
        let child = QuietNode {
            ply: node.ply + 1,
            beyond: node.beyond + 1,
            alpha: -node.beta,
            beta: -alpha,
            last_capture,
            ..node
        };
        let value = search_node(worker, child);
        worker.board.unmake();
        best = best.max(-value?);
        alpha = alpha.max(best);
        if alpha >= node.beta {
            break;
        }
    }
    Ok(worker.bounded(best, node.alpha, node.beta))
}
