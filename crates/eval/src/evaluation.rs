//! What a search asks of an evaluation.

use vidmar_chess::Board;

/// What a pawn is worth where values are hundredths of a pawn.
pub const PAWN: i32 = 100;

/// A static evaluation of positions, on any board. Every thread of a search has a clone of its own, so that it may keep caches.
pub trait Evaluation: Clone + Send + Sync {
    /// The worth of the position for the side to move, in hundredths of a pawn unless [`pawn`](Evaluation::pawn) says otherwise.
    /// The board comes back as it was.
    ///
    /// `legal_moves` is the number of legal moves of the side to move, where the search has counted them to see mates and
    /// stalemates, so that mobility costs no second count. The answer depends on the position alone, never on the path to it
    /// nor on what was asked before, and stays within ±30000.
    fn evaluate<B: Board>(&mut self, board: &mut B, legal_moves: Option<usize>) -> i32;

    /// The most that a pawn can be worth in the unit of its values. Margins of a search, which are meant in hundredths of a
    /// pawn, are taken in proportion.
    fn pawn(&self) -> i32 {
        PAWN
    }

    /// A value as hundredths of a pawn for the side to move in a position: what is told outside, where nobody knows the unit.
    fn centipawns<B: Board>(&self, _board: &B, value: i32) -> i32 {
        value
    }
}
