//! The inputs: which pieces stand where, as one side sees it.

use vidmar_chess::{Color, Piece, Square};

/// How many inputs there are for one region of the own king: own and enemy's pieces of six roles on 64 squares.
pub const FEATURES: usize = 768;
/// The most regions of the own king.
pub const MAX_KING_BUCKETS: usize = 8;

/// What a net does with the square of a side's own king.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Kings(u8);

impl Kings {
    /// Nothing: the king is a piece like others.
    pub const PLAIN: Kings = Kings(0);

    /// With 0 nothing. Else a side whose king stands on the files e to h sees the board in a mirror, and there are so many sets of inputs (1, 2, 4 or 8), of which the region of the king chooses one.
    ///
    /// ```
    /// use vidmar_net::Kings;
    /// assert_eq!(Kings::new(0), Some(Kings::PLAIN));
    /// assert_eq!(Kings::new(4).map(Kings::inputs), Some(4 * 768));
    /// assert_eq!(Kings::new(3), None);
    /// ```
    pub const fn new(buckets: usize) -> Option<Kings> {
        match buckets {
            0 | 1 | 2 | 4 | 8 => Some(Kings(buckets as u8)),
            _ => None,
        }
    }

    /// As [`new`](Kings::new) takes it.
    pub const fn buckets(self) -> usize {
        self.0 as usize
    }

    /// How many sets of inputs there are.
    pub const fn regions(self) -> usize {
        if self.0 == 0 { 1 } else { self.0 as usize }
    }

    /// How many inputs there are.
    pub const fn inputs(self) -> usize {
        self.regions() * FEATURES
    }

    /// How many views a side may have.
    pub(crate) const fn views(self) -> usize {
        2 * self.regions()
    }

    /// How a side sees the board while its king stands there.
    #[inline]
    pub const fn view(self, side: Color, king: Square) -> View {
        let turned = side as u8 * 56;
        if self.0 == 0 {
            return View {
                side,
                flip: turned,
                region: 0,
            };
        }
        let seen = king as u8 ^ turned;
        let mirror = if seen & 4 == 0 { 0 } else { 7 };
        View {
            side,
            flip: turned ^ mirror,
            region: self.region(seen ^ mirror),
        }
    }

    /// The region of a square on the files a to d, seen by the king's own side. Kings live on the first rank: more regions divide it first.
    const fn region(self, square: u8) -> u8 {
        let (rank, is_central) = (square / 8, square & 2 != 0);
        match (self.0, rank) {
            (0 | 1, _) | (2, 0) => 0,
            (2, _) => 1,
            (4, 0) => is_central as u8,
            (4, 1) => 2,
            (4, _) => 3,
            (_, 0) => square & 3,
            (_, 1) => 4 + is_central as u8,
            (_, 2) => 6,
            _ => 7,
        }
    }
}

/// How a side sees the board: whether its ranks and its files are turned round, and which set of inputs counts.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct View {
    side: Color,
    /// What a square is changed by.
    flip: u8,
    region: u8,
}

impl View {
    /// The input that a piece on a square is: own pieces come first, then the roles from pawn to king, then the squares from a1 to h8.
    /// Black sees the board with its ranks turned round, so that both sides play up the board.
    ///
    /// ```
    /// use vidmar_chess::{Color, Piece, Square};
    /// use vidmar_net::Kings;
    /// let (pawn, enemy) = (Piece::from_char('P').unwrap(), Piece::from_char('p').unwrap());
    /// let white = Kings::PLAIN.view(Color::White, Square::E1);
    /// let black = Kings::PLAIN.view(Color::Black, Square::E8);
    /// assert_eq!(white.feature(pawn, Square::A2), 8);
    /// assert_eq!(black.feature(pawn, Square::A2), 384 + 48);
    /// assert_eq!(black.feature(enemy, Square::A7), 8);
    /// // A king on the right sees everything in a mirror.
    /// let mirrored = Kings::new(1).unwrap().view(Color::White, Square::E1);
    /// assert_eq!(mirrored.feature(pawn, Square::H2), 8);
    /// ```
    #[inline]
    pub const fn feature(self, piece: Piece, square: Square) -> usize {
        let enemy = (piece.color as usize ^ self.side as usize) * (FEATURES / 2);
        self.offset() + enemy + piece.role as usize * 64 + (square as usize ^ self.flip as usize)
    }

    /// What the number of a square is changed by (exclusive or): 7 turns the files round, 56 the ranks.
    #[inline]
    pub const fn flip(self) -> u8 {
        self.flip
    }

    /// The first input of its set.
    #[inline]
    pub const fn offset(self) -> usize {
        self.region as usize * FEATURES
    }

    /// Its number among the views of a side.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        2 * self.region as usize + (self.flip & 1) as usize
    }
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
