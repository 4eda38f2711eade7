//! Draws that the position alone does not show, and how tables live with them.
//!
//! A table keeps what is true of a position *however it was reached*. Repetition and the 50-move rule
//! depend on the path there, so a careless table makes an algorithm return another value than minimax.
//! In exact mode every value is a function of position, depth and clock, for these reasons:
//!
//! - **Repetition** is looked for only in the game up to and including the root. Those positions are the
//!   same for every path of the tree, so whether a node repeats one is a property of its position. A
//!   position that occurs twice *within* the tree is searched again; it takes at least five plies for
//!   that to happen at all, and a search to a fixed depth ends anyway.
//! - **The 50-move rule** makes the value depend on the clock only where the clock can run out
//!   within the remaining depth. Just there the clock becomes part of the table's key
//!   (`table_key`), so that two clocks never share an entry.
//! - A table entry answers only for exactly the depth that it was searched to, because deeper means
//!   another value, not a better one.
//! - Mates are stored as distances from their node.
//!
//! In practical mode a position that occurred since the root, or twice in the game before, is a draw,
//! and deeper entries answer for shallower questions, as playing programs do. The keys are the same.
//!
//! Dead material is a draw in both modes: it is a property of the position.

use vidmar_chess::{Board, Key};

/// Plies without progress after which the game is a draw.
const FIFTY_MOVES: u32 = 100;

/// Whether the position at `ply` (not the root) is drawn by rule, other than by stalemate.
#[inline]
pub(crate) fn is_draw<B: Board>(board: &B, ply: usize, exact: bool) -> bool {
    board.has_insufficient_material() || repeats(board, ply, exact) || clock_has_run_out(board)
}

#[inline]
fn repeats<B: Board>(board: &B, ply: usize, exact: bool) -> bool {
    if board.halfmoves() < 4 {
        return false;
    }
    let mut earlier = board.history().earlier();
    if exact {
        earlier.any(|back| back >= ply)
    } else {
        match earlier.next() {
            Some(back) => back <= ply || earlier.next().is_some(),
            None => false,
        }
    }
}

/// 50 moves without progress, unless the last of them mates: mate comes first.
#[inline]
fn clock_has_run_out<B: Board>(board: &B) -> bool {
    u32::from(board.halfmoves()) >= FIFTY_MOVES && !(board.in_check() && board.count_legal_moves() == 0)
}

/// The key under which a table keeps the position searched to a depth.
#[inline]
pub(crate) fn table_key<B: Board>(board: &B, depth: u32) -> Key {
    let clock = u32::from(board.halfmoves());
    if clock + depth < FIFTY_MOVES {
        return board.key();
    }
    // An odd multiplier makes different clocks different keys, spread over all bits.
    Key(board.key().0 ^ u64::from(clock + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::{BitboardBoard, Position};

    fn key(clock: u32, depth: u32) -> Key {
        let fen = format!("8/8/4k3/8/8/R3K3/8/8 w - - {clock} 80");
        let position: Position = fen.parse().expect("a legal position");
        table_key(&BitboardBoard::new(&position), depth)
    }

    #[test]
    fn the_clock_is_part_of_the_key_only_where_it_can_run_out() {
        assert_eq!(key(0, 5), key(94, 5));
        assert_ne!(key(94, 5), key(95, 5));
        assert_ne!(key(95, 5), key(96, 5));
        assert_ne!(key(0, 100), key(1, 100));
    }
}
