//! How the moves of a position are found: one row each ([maribor-2004]).
//!
//! All three find the same moves, and a test holds every board to it. They differ in what they cost: a legal generator
//! knows pins and checks beforehand, a pseudo-legal one leaves them to the move that is made, a staged one does not look
//! for quiet moves while captures are left, and never does where a capture cuts off.

use vidmar_text::named_enum;

use crate::board::Board;
use crate::moves::{Generate, MoveList};

named_enum! {
    /// How the moves of a position are found.
    pub enum Generation: "generation";
    Legal, "legal", "every legal move at once";
    PseudoLegal, "pseudo", "every pseudo-legal move at once; whether it is legal shows when it is made";
    Staged, "staged", "legal moves in stages, each generated once the one before is through: captures, then quiet moves";
}

impl Generation {
    /// Adds the moves of one sort to a list.
    #[inline]
    pub fn generate<B: Board>(self, board: &B, what: Generate, moves: &mut MoveList) {
        match self {
            Generation::PseudoLegal => board.generate_pseudo_legal(what, moves),
            Generation::Legal | Generation::Staged => board.generate(what, moves),
        }
    }

    /// Whether its last move, which has been made, was legal.
    #[inline]
    pub fn was_legal<B: Board>(self, board: &B) -> bool {
        self != Generation::PseudoLegal || !board.has_left_king_in_check()
    }

    /// The number of move sequences of `depth` plies, every move generated in this way and made: slower than
    /// [`Board::perft`], which counts the last ply and knows only legal moves.
    pub fn perft<B: Board>(self, board: &mut B, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let stages: &[Generate] = match self {
            Generation::Staged => &[Generate::Captures, Generate::Quiets],
            Generation::Legal | Generation::PseudoLegal => &[Generate::All],
        };
        let mut nodes = 0;
        for &stage in stages {
            let mut moves = MoveList::new();
            self.generate(board, stage, &mut moves);
            for m in moves {
                board.make(m);
                if self.was_legal(board) {
                    nodes += self.perft(board, depth - 1);
                }
                board.unmake();
            }
        }
        nodes
    }
}
