//! Where the two kings can stand, reduced by the symmetries of the board.
//!
//! Without pawns the board has eight symmetries: White's king is brought into the triangle a1–d1–d4, and if it is on
//! the long diagonal, Black's king to or below that. 462 pairs are left. With pawns only left and right can change
//! indices: White's king is brought to files a–d, and 1806 pairs are left. Pairs that touch are never counted.

use vidmar_chess::Square;

/// Pairs of kings without pawns.
#[cfg(test)]
pub(crate) const PAWNLESS_PAIRS: usize = 462;
/// Pairs of kings with pawns.
pub(crate) const PAWN_PAIRS: usize = 1806;

/// A symmetry of the board as a set of steps, in this order.
const MIRROR_FILES: u8 = 1;
const MIRROR_RANKS: u8 = 2;
/// The reflection in the diagonal a1–h8.
pub(crate) const TRANSPOSE: u8 = 4;

/// The image of every square under every symmetry.
static IMAGES: [[Square; 64]; 8] = images();

/// The image of a square.
#[inline]
pub(crate) fn image(symmetry: u8, square: Square) -> Square {
    IMAGES[usize::from(symmetry & 7)][square.index()]
}

/// What a pair of kings is reduced to.
#[derive(Copy, Clone)]
pub(crate) struct Pair {
    /// Its number; [`Pair::NONE`] for kings that touch.
    pub(crate) number: u16,
    /// The symmetry that reduces it.
    pub(crate) symmetry: u8,
    /// Both kings on the diagonal: the transposition changes nothing of them and is still free.
    pub(crate) on_diagonal: bool,
}

impl Pair {
    const NONE: u16 = u16::MAX;

    #[inline]
    pub(crate) fn is_possible(self) -> bool {
        self.number != Pair::NONE
    }
}

/// The pairs of one kind of ending, both ways.
pub(crate) struct KingTable {
    reduced: [[Pair; 64]; 64],
    pairs: [[Square; 2]; PAWN_PAIRS],
    pub(crate) count: usize,
}

pub(crate) static PAWNLESS: KingTable = KingTable::new(false);
pub(crate) static PAWNS: KingTable = KingTable::new(true);

impl KingTable {
    const fn new(pawns: bool) -> KingTable {
        let none = Pair {
            number: Pair::NONE,
            symmetry: 0,
            on_diagonal: false,
        };
        let mut table = KingTable {
            reduced: [[none; 64]; 64],
            pairs: [[Square::A1; 2]; PAWN_PAIRS],
            count: 0,
        };
        // First the pairs that are already reduced get their numbers, then all others those of their images.
        let mut pass = 0;
        while pass < 2 {
            let mut index = 0;
            while index < 64 * 64 {
                let kings = [Square::new(index / 64), Square::new(index % 64)];
                index += 1;
                if kings[0].distance(kings[1]) <= 1 {
                    continue;
                }
                let symmetry = reduction(kings, pawns);
                let [white, black] = [transform(symmetry, kings[0]), transform(symmetry, kings[1])];
                let mut number = table.reduced[white.index()][black.index()].number;
                if pass == 0 && symmetry == 0 {
                    number = table.count as u16;
                    table.pairs[table.count] = kings;
                    table.count += 1;
                }
                table.reduced[kings[0].index()][kings[1].index()] = Pair {
                    number,
                    symmetry,
                    on_diagonal: !pawns && is_diagonal(white) && is_diagonal(black),
                };
            }
            pass += 1;
        }
        table
    }

    /// What the kings are reduced to.
    #[inline]
    pub(crate) fn reduce(&self, kings: [Square; 2]) -> Pair {
        self.reduced[kings[0].index()][kings[1].index()]
    }

    /// The reduced pair with this number.
    #[inline]
    pub(crate) fn pair(&self, number: usize) -> [Square; 2] {
        self.pairs[number]
    }
}

const fn is_diagonal(square: Square) -> bool {
    square.file() as u8 == square.rank() as u8
}

const fn is_above_diagonal(square: Square) -> bool {
    square.rank() as u8 > square.file() as u8
}

/// The symmetry that brings the kings where they belong; 0 if they are there.
const fn reduction(kings: [Square; 2], pawns: bool) -> u8 {
    let mut symmetry = 0;
    if kings[0].file() as u8 > 3 {
        symmetry |= MIRROR_FILES;
    }
    if pawns {
        return symmetry;
    }
    if kings[0].rank() as u8 > 3 {
        symmetry |= MIRROR_RANKS;
    }
    let white = transform(symmetry, kings[0]);
    let black = transform(symmetry, kings[1]);
    if is_above_diagonal(white) || is_diagonal(white) && is_above_diagonal(black) {
        symmetry |= TRANSPOSE;
    }
    symmetry
}

const fn transform(symmetry: u8, square: Square) -> Square {
    let mut square = square;
    if symmetry & MIRROR_FILES != 0 {
        square = square.flip_horizontal();
    }
    if symmetry & MIRROR_RANKS != 0 {
        square = square.flip_vertical();
    }
    if symmetry & TRANSPOSE != 0 {
        square = Square::new(square.file() as u32 * 8 + square.rank() as u32);
    }
    square
}

const fn images() -> [[Square; 64]; 8] {
    let mut images = [[Square::A1; 64]; 8];
    let mut index = 0;
    while index < 8 * 64 {
        images[index / 64][index % 64] = transform((index / 64) as u8, Square::new(index as u32));
        index += 1;
    }
    images
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pairs_are_those_of_the_literature() {
        assert_eq!(PAWNLESS.count, PAWNLESS_PAIRS);
        assert_eq!(PAWNS.count, PAWN_PAIRS);
    }

    #[test]
    fn every_pair_is_reduced_to_the_pair_with_its_number() {
        for table in [&PAWNLESS, &PAWNS] {
            for white in Square::ALL {
                for black in Square::ALL {
                    let pair = table.reduce([white, black]);
                    assert_eq!(pair.is_possible(), white.distance(black) > 1);
                    if pair.is_possible() {
                        let images = [white, black].map(|king| image(pair.symmetry, king));
                        assert_eq!(table.pair(usize::from(pair.number)), images);
                        assert_eq!(table.reduce(images).symmetry, 0);
                    }
                }
            }
        }
    }
}
