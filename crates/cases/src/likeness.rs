//! How alike two boards are when pieces may have moved: for every piece of either board, the way to the nearest like
//! piece of the other.
//!
//! The way is the Manhattan distance, and 14, the longest, if there is no piece of that colour and type. The similarity
//! is 1 less the mean way over 14, rounded down to the same 256ths in which [squares](crate::similarity) are counted.
//! The published work names the idea and no formula; this one is ours.

use vidmar_chess::{Color, Role};

use crate::board::CaseBoard;
use crate::similarity::WHOLE;

const LONGEST: u32 = 14;
const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;

/// The similarity by nearest like pieces, from 0 to [`WHOLE`].
pub fn likeness(one: &CaseBoard, other: &CaseBoard) -> u16 {
    let pieces = one.occupied().count_ones() + other.occupied().count_ones();
    if pieces == 0 {
        return WHOLE;
    }
    let mut ways = 0;
    for color in Color::ALL {
        for role in Role::ALL {
            let (here, there) = (one.squares_of(role.of(color)), other.squares_of(role.of(color)));
            ways += ways_to_nearest(here, there) + ways_to_nearest(there, here);
        }
    }
    let most = LONGEST * pieces;
    ((most - ways) * u32::from(WHOLE) / most) as u16
}

/// The sum over the squares of `from` of the distance to the nearest square of `to`, found by letting `to` grow.
fn ways_to_nearest(from: u64, to: u64) -> u32 {
    if to == 0 {
        return LONGEST * from.count_ones();
    }
    let (mut reached, mut sum) = (to, 0);
    loop {
        let left = from & !reached;
        if left == 0 {
            return sum;
        }
        sum += left.count_ones();
        reached |= reached << 8 | reached >> 8 | (reached & !H_FILE) << 1 | (reached & !A_FILE) >> 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::{Position, Square};

    fn board(fen: &str) -> CaseBoard {
        CaseBoard::new(&fen.parse::<Position>().unwrap())
    }

    /// Square by square.
    fn slowly(one: &CaseBoard, other: &CaseBoard) -> u16 {
        let mut ways = 0;
        let mut pieces = 0;
        for (here, there) in [(one, other), (other, one)] {
            for square in Square::ALL {
                let Some(piece) = here.piece_at(square) else {
                    continue;
                };
                pieces += 1;
                ways += Square::ALL
                    .into_iter()
                    .filter(|&target| there.piece_at(target) == Some(piece))
                    .map(|target| {
                        square.file().index().abs_diff(target.file().index())
                            + square.rank().index().abs_diff(target.rank().index())
                    })
                    .min()
                    .unwrap_or(14);
            }
        }
        (256 * (14 * pieces - ways) / (14 * pieces)) as u16
    }

    #[test]
    fn ways_by_hand() {
        let one = board("7k/8/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(likeness(&one, &one), WHOLE);
        // The white king three steps away, seen from both boards: 6 of 4 · 14.
        let other = board("7k/8/8/8/8/8/2K5/8 w - - 0 1");
        assert_eq!(likeness(&one, &other), 256 * (56 - 6) / 56);
        // A queen that the other board has not: 14 of 5 · 14.
        let queen = board("7k/8/8/8/8/8/8/KQ6 b - - 0 1");
        assert_eq!(likeness(&one, &queen), 256 * (70 - 14) / 70);
        assert_eq!(likeness(&CaseBoard::default(), &CaseBoard::default()), WHOLE);
    }

    #[test]
    fn growing_is_the_same_as_looking() {
        let boards = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        ]
        .map(board);
        for one in &boards {
            for other in &boards {
                assert_eq!(likeness(one, other), slowly(one, other));
            }
        }
    }
}
