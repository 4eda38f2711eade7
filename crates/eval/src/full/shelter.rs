//! The pawns round a king: shelter by its own, storm by the enemy's.
//!
//! On the king's file, counted twice, and the files beside it, the nearest own pawn level with the king or
//! before it shelters; the penalty grows with its distance from home: 0 on the second rank, 11, 20, 27, 32, 35
//! on the third to seventh, 36 without a pawn. The most advanced enemy pawn on each of these files, level with
//! the king or before it, storms: 1 unit on its fourth rank, 3 on the fifth, 6 on the sixth. A king that may
//! still castle has the best of the shelters that it can reach: where it stands, c1 and g1.

use vidmar_chess::{Bitboard, Color, File, Position, Rank, Role, Square};

use crate::extended::Extended;
use crate::spans::{files, rank};
use crate::tapered::{Tapered, fold};
use crate::weights::Weights;

const STORM_UNITS: [i32; 8] = [0, 0, 0, 1, 3, 6, 0, 0];

/// A king's shelter, with all that it depends on besides the pawns.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Shelter {
    king: u8,
    castling: u8,
    /// The penalty as a (negative) value.
    pub(crate) value: Tapered,
    /// What the extended terms say of the king's position among the pawns.
    pub(crate) among_pawns: Tapered,
}

impl Shelter {
    /// Of no king.
    pub(crate) const UNKNOWN: Shelter = Shelter {
        king: 64,
        castling: 0,
        value: Tapered::ZERO,
        among_pawns: Tapered::ZERO,
    };

    /// The shelter of a side's king, from the cache if it is the same king.
    #[inline(always)]
    pub(crate) fn of(self, weights: &Weights, position: &Position, us: Color) -> Shelter {
        let king = position.king(us);
        let castling = wings(position, us, king);
        if self.king == king as u8 && self.castling == castling {
            self
        } else {
            Shelter {
                king: king as u8,
                castling,
                value: best(weights, position, us, king, castling),
                among_pawns: weights
                    .extended
                    .as_ref()
                    .map_or(Tapered::ZERO, |x| among_pawns(x, position, king)),
            }
        }
    }
}

/// The wings on which the side may castle: 1 short, 2 long.
#[inline(always)]
fn wings(position: &Position, us: Color, king: Square) -> u8 {
    let rooks = position.castling() & rank(us, Rank::First);
    let long = Bitboard(rooks.0 & (Bitboard::of(king).0 - 1)).any();
    u8::from(rooks > Bitboard::of(king)) | u8::from(long) << 1
}

#[cold]
#[inline(never)]
fn best(weights: &Weights, position: &Position, us: Color, king: Square, castling: u8) -> Tapered {
    let mut penalty = penalty(weights, position, us, king);
    for (wing, file) in [(1, File::G), (2, File::C)] {
        if castling & wing != 0 {
            let castled = Square::at(file, Rank::back(us));
            penalty = penalty.min(self::penalty(weights, position, us, castled));
        }
    }
    Tapered::opening_only(-penalty)
}

fn penalty(weights: &Weights, position: &Position, us: Color, king: Square) -> i32 {
    let from_king_on = ranks_from(us, king.rank());
    let own = position.pieces(us, Role::Pawn) & from_king_on;
    let enemy = position.pieces(!us, Role::Pawn) & from_king_on;
    let (mut shelter, mut storm) = (0, 0);
    for (files, times) in [(0, 2), (-1, 1), (1, 1)] {
        if let Some(square) = king.offset(files, 0) {
            let file: Bitboard = square.file().into();
            let home_distance =
                nearest(us, own & file).map_or(0, |pawn| 7 - pawn.rank().relative_to(us) as i32);
            shelter += times * (36 - home_distance * home_distance);
            let advance = nearest(us, enemy & file).map_or(0, |pawn| pawn.rank().relative_to(!us).index());
            storm += STORM_UNITS[advance];
        }
    }
    fold(shelter as i64 * weights.shelter as i64 / 256) + fold(storm as i64 * weights.storm as i64)
}

/// The rank and all ranks beyond it, as the side sees them.
fn ranks_from(us: Color, from: Rank) -> Bitboard {
    match us {
        Color::White => Bitboard(!0 << (8 * from as u32)),
        Color::Black => Bitboard(!0 >> (8 * (7 - from as u32))),
    }
}

/// The square nearest to the side's back rank.
fn nearest(us: Color, set: Bitboard) -> Option<Square> {
    match us {
        Color::White => set.first(),
        Color::Black => set.last(),
    }
}

/// Where a king stands among the pawns of both sides.
#[cold]
#[inline(never)]
fn among_pawns(x: &Extended, position: &Position, king: Square) -> Tapered {
    let pawns = position.role(Role::Pawn);
    let mut value = Tapered::ZERO;
    if (king_flank(king) & files(pawns)).is_empty() {
        value -= x.pawnless_flank;
    }
    if let Some(steps) = pawns.into_iter().map(|pawn| king.distance(pawn)).min() {
        value -= x.king_pawn_distance * steps as i32;
    }
    value
}

/// The four files round a king.
pub(crate) fn king_flank(king: Square) -> Bitboard {
    const QUEEN_SIDE: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);
    const CENTRE: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);
    const KING_SIDE: Bitboard = Bitboard(0xF0F0_F0F0_F0F0_F0F0);
    match king.file() {
        File::A | File::B | File::C => QUEEN_SIDE,
        File::D | File::E => CENTRE,
        File::F | File::G | File::H => KING_SIDE,
    }
}
