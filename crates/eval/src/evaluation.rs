//! What a search asks of an evaluation.

use vidmar_chess::Board;

/// A static evaluation of positions on a board of type `B`.
pub trait Evaluation<B: Board>: Send + Sync {
    /// The worth of the position in hundredths of a pawn, for the side to move. The board comes back as it was.
    ///
    /// `legal_moves` is the number of legal moves of the side to move and at least 1: a search counts
    /// them anyway, to see mates and stalemates, so that mobility costs no second count. The answer
    /// depends on the position alone, never on the way to it, and stays within ±30000.
    fn evaluate(&self, board: &mut B, legal_moves: usize) -> i32;
}
