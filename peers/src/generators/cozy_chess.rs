//! cozy-chess delivers moves as one set of targets per piece: the last ply only asks for their sizes.

use anyhow::Result;
use cozy_chess::Board;

pub(super) fn perft(fen: &str, depth: u32) -> Result<u64> {
    Ok(count(&Board::from_fen(fen, false)?, depth))
}

/// Two listeners and not one that asks for the depth: the generator is compiled for each of them, and
/// the one that only counts comes out much faster.
fn count(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    if depth == 1 {
        board.generate_moves(|moves| {
            nodes += moves.len() as u64;
            false
        });
    } else {
        board.generate_moves(|moves| {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += count(&child, depth - 1);
            }
            false
        });
    }
    nodes
}
