//! The inputs: which pieces stand where, as one side sees it.

use vidmar_chess::{Color, Piece, Square};

/// How many inputs there are: own and enemy's pieces of six roles on 64 squares.
pub const FEATURES: usize = 768;

/// The input that a piece on a square is to a side: own pieces come first, then the roles from pawn to king, then the squares from a1 to h8.
/// Black sees the board with its ranks turned round, so that both sides play up the board.
///
/// ```
/// use vidmar_chess::{Color, Piece, Square};
/// use vidmar_net::feature;
/// let (pawn, enemy) = (Piece::from_char('P').unwrap(), Piece::from_char('p').unwrap());
/// assert_eq!(feature(Color::White, pawn, Square::A2), 8);
/// assert_eq!(feature(Color::Black, pawn, Square::A2), 384 + 48);
/// assert_eq!(feature(Color::Black, enemy, Square::A7), 8);
/// ```
#[inline]
pub const fn feature(side: Color, piece: Piece, square: Square) -> usize {
    let enemy = (piece.color as usize ^ side as usize) * (FEATURES / 2);
    let turned = square as usize ^ (side as usize * 56);
    enemy + piece.role as usize * 64 + turned
}

/// The set of output weights that counts with so many pieces on the board, kings included.
///
/// ```
/// use vidmar_net::bucket;
/// assert_eq!((bucket(8, 32), bucket(8, 2), bucket(1, 20)), (7, 0, 0));
/// ```
#[inline]
pub const fn bucket(buckets: usize, pieces: usize) -> usize {
    let wide = 32_usize.div_ceil(buckets);
    let found = pieces.saturating_sub(2) / wide;
    if found < buckets { found } else { buckets - 1 }
}
