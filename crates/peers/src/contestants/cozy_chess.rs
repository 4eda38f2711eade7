//! cozy-chess delivers moves as one set of targets per piece: the last ply only asks for their sizes.

use anyhow::Result;
use cozy_chess::Board;

pub(super) fn perft(fen: &str, depth: u32) -> Result<u64> {
    Ok(count(&Board::from_fen(fen, false)?, depth))
}

fn count(board: &Board, depth: u32) -> u64 {
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut child = board.clone();
                child.play_unchecked(mv);
                nodes += count(&child, depth - 1);
            }
        }
        false
    });
    nodes
}
