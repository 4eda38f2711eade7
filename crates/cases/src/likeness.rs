//! How alike two boards are when pieces may have moved: for every piece of either board, the way to the nearest like
//! piece of the other.
//!
//! The way is the Manhattan distance, and 14, the longest, if there is no piece of that colour and type. The similarity
//! is 1 less the mean way over 14, rounded down to the same 256ths in which [squares](crate::similarity) are counted.
//! The published work ([qvarford-2015]) gives the idea in one sentence and no formula: for every square of one board the inverse distance to
//! the nearest square of the other with the same contents, summed. [`likeness`] is our own form of it, [`square_likeness`] the sentence as
//! written: every square, empty ones too, seen from the position at hand alone; the inverse is 1 / (1 + distance), so that equal is 1.

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

/// A number that 1 to 15, one more than every distance, divide.
const UNIT: u32 = 360_360;

/// The summed inverse distance from every square of `here` to the nearest of `there` with the same contents, from 0 to [`WHOLE`].
pub fn square_likeness(here: &CaseBoard, there: &CaseBoard) -> u16 {
    let mut sum = inverse_to_nearest(!here.occupied(), !there.occupied());
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = role.of(color);
            sum += inverse_to_nearest(here.squares_of(piece), there.squares_of(piece));
        }
    }
    (u64::from(sum) * u64::from(WHOLE) / (64 * u64::from(UNIT))) as u16
}

/// The sum over the squares of `from` of the inverse distance to the nearest square of `to`, in parts of [`UNIT`].
fn inverse_to_nearest(from: u64, to: u64) -> u32 {
    if to == 0 {
        return 0;
    }
    let (mut reached, mut seen, mut sum) = (to, 0, 0);
    for distance in 0..=LONGEST {
        sum += (from & reached & !seen).count_ones() * (UNIT / (1 + distance));
        seen = reached;
        if from & !reached == 0 {
            break;
        }
        reached = grown(reached);
    }
    sum
}

/// With the squares a step away.
fn grown(squares: u64) -> u64 {
    squares | squares << 8 | squares >> 8 | (squares & !H_FILE) << 1 | (squares & !A_FILE) >> 1
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
        reached = grown(reached);
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
    fn inverse_distances_by_hand() {
        let one = board("7k/8/8/8/8/8/8/K7 w - - 0 1");
        assert_eq!(square_likeness(&one, &one), WHOLE);
        // The white king is three steps away (1/4), its square is empty there; one of ours is empty where it stands, with empty ones
        // beside it (1/2): 62 whole squares, a quarter and a half of 64.
        let other = board("7k/8/8/8/8/8/2K5/8 w - - 0 1");
        assert_eq!(square_likeness(&one, &other), 251);
        // A queen that the other board has not counts nothing, and neither side is the same.
        let queen = board("7k/8/8/8/8/8/8/KQ6 b - - 0 1");
        assert_eq!(square_likeness(&queen, &one), 252);
        assert_eq!(square_likeness(&one, &queen), 254);
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
