//! Sets of squares before, behind and beside others, as a side sees them.

use vidmar_chess::{Bitboard, Color, Rank};

/// Every square moved one rank forward.
#[inline(always)]
pub(crate) const fn forward(us: Color, set: Bitboard) -> Bitboard {
    match us {
        Color::White => set.north(),
        Color::Black => set.south(),
    }
}

/// The squares and all those before them.
#[inline(always)]
pub(crate) const fn forward_fill(us: Color, set: Bitboard) -> Bitboard {
    let mut bits = set.0;
    match us {
        Color::White => {
            bits |= bits << 8;
            bits |= bits << 16;
            bits |= bits << 32;
        }
        Color::Black => {
            bits |= bits >> 8;
            bits |= bits >> 16;
            bits |= bits >> 32;
        }
    }
    Bitboard(bits)
}

/// All squares before these.
#[inline(always)]
pub(crate) const fn ahead(us: Color, set: Bitboard) -> Bitboard {
    forward_fill(us, forward(us, set))
}

/// All squares behind these.
#[inline(always)]
pub(crate) const fn behind(us: Color, set: Bitboard) -> Bitboard {
    ahead(us.opponent(), set)
}

/// The whole files of these squares.
#[inline(always)]
pub(crate) const fn files(set: Bitboard) -> Bitboard {
    forward_fill(Color::Black, forward_fill(Color::White, set))
}

/// The squares right and left of these.
#[inline(always)]
pub(crate) const fn beside(set: Bitboard) -> Bitboard {
    Bitboard(set.east().0 | set.west().0)
}

/// The squares that these pawns attack.
#[inline(always)]
pub(crate) const fn pawn_attacks(us: Color, pawns: Bitboard) -> Bitboard {
    beside(forward(us, pawns))
}

/// A rank as the side counts it.
#[inline(always)]
pub(crate) const fn rank(us: Color, rank: Rank) -> Bitboard {
    Bitboard::of_rank(rank.relative_to(us))
}

/// A set given from White's side, as the side sees it.
#[inline(always)]
pub(crate) const fn relative(us: Color, set: Bitboard) -> Bitboard {
    match us {
        Color::White => set,
        Color::Black => set.flip_vertical(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::Square;

    #[test]
    fn spans_are_what_the_coordinates_say() {
        for us in Color::ALL {
            for square in Square::ALL {
                let set = Bitboard::of(square);
                let rank_of = |s: Square| s.rank().relative_to(us);
                let where_ =
                    |test: &dyn Fn(Square) -> bool| Square::ALL.into_iter().filter(|&s| test(s)).collect();
                let same_file = |s: Square| s.file() == square.file();
                assert_eq!(
                    ahead(us, set),
                    where_(&|s| same_file(s) && rank_of(s) > rank_of(square))
                );
                assert_eq!(
                    behind(us, set),
                    where_(&|s| same_file(s) && rank_of(s) < rank_of(square))
                );
                assert_eq!(files(set), where_(&same_file));
                assert_eq!(pawn_attacks(us, set), vidmar_chess::attacks::pawn(us, square));
                assert_eq!(rank(us, rank_of(square)), square.rank().into());
                assert_eq!(relative(us, set), square.relative_to(us).into());
            }
        }
    }
}
