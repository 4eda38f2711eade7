//! Piece-square terms for the simple evaluation: rules of thumb, computed instead of listed.
//!
//! Knights and bishops want the centre, pawns want to advance in it, rooks the seventh rank, the king
//! its corner while there are queens and the centre afterwards. The numbers are this project's own and
//! deliberately plain: they exist to show what such terms change, not to play well.

use vidmar_chess::{Color, Piece, Rank, Role, Square};

/// What a piece gains by standing where it stands, in hundredths of a pawn, for its own side.
pub(crate) fn bonus(piece: Piece, square: Square, queens_on_board: bool) -> i32 {
    let rank = square.rank().relative_to(piece.color);
    match piece.role {
        Role::Pawn => 4 * rank as i32 + centrality(square),
        Role::Knight => 6 * centrality(square) - 15,
        Role::Bishop => 3 * centrality(square),
        Role::Rook if rank == Rank::Seventh => 15,
        Role::Rook => 0,
        Role::Queen => centrality(square),
        Role::King if queens_on_board => -8 * centrality(square),
        Role::King => 6 * centrality(square),
    }
}

/// How near the centre a square is: 0 in a corner, 6 on d4, e4, d5 and e5.
fn centrality(square: Square) -> i32 {
    let from_edge = |line: i32| line.min(7 - line);
    from_edge(square.file() as i32) + from_edge(square.rank() as i32)
}

/// The sign of a side in White's sum.
pub(crate) fn sign(color: Color) -> i32 {
    match color {
        Color::White => 1,
        Color::Black => -1,
    }
}
