//! What a search asks of an evaluation.

use vidmar_chess::Board;

/// A static evaluation of positions, on any board. Every thread of a search has a clone of its own, so that it may keep caches.
pub trait Evaluation: Clone + Send + Sync {
    /// The worth of the position in hundredths of a pawn, for the side to move. The board comes back as it was.
    ///
    /// `legal_moves` is the number of legal moves of the side to move, where the search has counted them to see mates and
    /// stalemates, so that mobility costs no second count. The answer depends on the position alone, never on the path to it
    /// nor on what was asked before, and stays within ±30000.
    fn evaluate<B: Board>(&mut self, board: &mut B, legal_moves: Option<usize>) -> i32;
}
