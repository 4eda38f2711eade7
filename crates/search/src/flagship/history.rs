//! What the search learns about moves while it runs, and about its own static values.
//!
//! Every table moves towards a bonus by gravity: the nearer an entry is to the limit, the less of a bonus it
//! takes, so that entries stay inside ±[`LIMIT`] and old lessons fade. A move that cut off gets the bonus, the
//! moves tried before it the malus.

use vidmar_chess::{Color, Key, Move, Piece, Role, Square};

use super::table::NO_STATIC;
use crate::value::{MATE, MAX_PLY, Value};

/// Entries stay between -LIMIT and LIMIT.
pub(crate) const LIMIT: i32 = 16_384;

const PIECES: usize = 12;
const SQUARES: usize = 64;
const CORRECTIONS: usize = 16_384;
/// Corrections are kept in 1/256 of a point.
const CORRECTION_GRAIN: i32 = 256;
/// The largest correction in points.
const CORRECTION_LIMIT: i32 = 128;

/// A piece as an index of twelve.
#[inline]
pub(crate) fn index_of(piece: Piece) -> usize {
    piece.role as usize * 2 + piece.color as usize
}

#[inline]
fn pull(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / LIMIT) as i16;
}

/// The index of "after this piece went there" in the continuation tables.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Continuation(usize);

impl Continuation {
    pub(crate) fn new(piece: Piece, to: Square) -> Continuation {
        Continuation(index_of(piece) * SQUARES + to.index())
    }
}

/// The tables of one thread.
#[derive(Clone)]
pub(crate) struct History {
    /// By side, from, to.
    butterfly: Box<[[[i16; SQUARES]; SQUARES]; 2]>,
    /// By piece, to, victim.
    capture: Box<[[[i16; 6]; SQUARES]; PIECES]>,
    /// By the earlier move's piece and target, then this one's.
    continuation: Vec<[[i16; SQUARES]; PIECES]>,
    /// The answer to a piece's arrival on a square.
    counter: Box<[[Option<Move>; SQUARES]; PIECES]>,
    killers: [[Option<Move>; 2]; MAX_PLY + 2],
    /// By side and pawns.
    correction: [Vec<i16>; 2],
}

impl History {
    pub(crate) fn new() -> History {
        History {
            butterfly: Box::new([[[0; SQUARES]; SQUARES]; 2]),
            capture: Box::new([[[0; 6]; SQUARES]; PIECES]),
            continuation: vec![[[0; SQUARES]; PIECES]; PIECES * SQUARES],
            counter: Box::new([[None; SQUARES]; PIECES]),
            killers: [[None; 2]; MAX_PLY + 2],
            correction: [vec![0; CORRECTIONS], vec![0; CORRECTIONS]],
        }
    }

    /// Forgets everything, for a new game.
    pub(crate) fn clear(&mut self) {
        *self.butterfly = [[[0; SQUARES]; SQUARES]; 2];
        *self.capture = [[[0; 6]; SQUARES]; PIECES];
        self.continuation.fill([[0; SQUARES]; PIECES]);
        *self.counter = [[None; SQUARES]; PIECES];
        self.killers = [[None; 2]; MAX_PLY + 2];
        for side in &mut self.correction {
            side.fill(0);
        }
    }

    #[inline]
    pub(crate) fn butterfly(&self, side: Color, m: Move) -> i32 {
        i32::from(self.butterfly[side as usize][m.from().index()][m.to().index()])
    }

    pub(crate) fn add_butterfly(&mut self, side: Color, m: Move, bonus: i32) {
        pull(
            &mut self.butterfly[side as usize][m.from().index()][m.to().index()],
            bonus,
        );
    }

    #[inline]
    pub(crate) fn capture(&self, piece: Piece, to: Square, victim: Role) -> i32 {
        i32::from(self.capture[index_of(piece)][to.index()][victim as usize])
    }

    pub(crate) fn add_capture(&mut self, piece: Piece, to: Square, victim: Role, bonus: i32) {
        pull(
            &mut self.capture[index_of(piece)][to.index()][victim as usize],
            bonus,
        );
    }

    #[inline]
    pub(crate) fn continuation(&self, after: Continuation, piece: Piece, to: Square) -> i32 {
        i32::from(self.continuation[after.0][index_of(piece)][to.index()])
    }

    pub(crate) fn add_continuation(&mut self, after: Continuation, piece: Piece, to: Square, bonus: i32) {
        pull(
            &mut self.continuation[after.0][index_of(piece)][to.index()],
            bonus,
        );
    }

    #[inline]
    pub(crate) fn counter(&self, piece: Piece, to: Square) -> Option<Move> {
        self.counter[index_of(piece)][to.index()]
    }

    pub(crate) fn set_counter(&mut self, piece: Piece, to: Square, answer: Move) {
        self.counter[index_of(piece)][to.index()] = Some(answer);
    }

    #[inline]
    pub(crate) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        self.killers[ply]
    }

    pub(crate) fn add_killer(&mut self, ply: usize, m: Move) {
        let [first, second] = &mut self.killers[ply];
        if *first != Some(m) {
            *second = first.replace(m);
        }
    }

    pub(crate) fn forget_killers(&mut self, ply: usize) {
        self.killers[ply] = [None; 2];
    }

    /// The static value with what was learned of positions with these pawns.
    #[inline]
    pub(crate) fn corrected(&self, value: Value, side: Color, pawns: Key, weight: i32) -> Value {
        if value == NO_STATIC {
            return value;
        }
        let learned = i32::from(self.correction[side as usize][pawns.0 as usize % CORRECTIONS]);
        let value = value + learned * weight / (100 * CORRECTION_GRAIN);
        value.clamp(-MATE + 2 * MAX_PLY as Value, MATE - 2 * MAX_PLY as Value)
    }

    /// A search to `depth` found `difference` from the static value.
    pub(crate) fn learn_correction(&mut self, side: Color, pawns: Key, depth: i32, difference: Value) {
        let entry = &mut self.correction[side as usize][pawns.0 as usize % CORRECTIONS];
        let weight = i32::min(depth + 1, 16);
        let target = difference.clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) * (CORRECTION_GRAIN - 1);
        *entry = ((i32::from(*entry) * (256 - weight) + target * weight) / 256).clamp(-32_000, 32_000) as i16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gravity_keeps_entries_inside_the_limit() {
        let mut entry = 0;
        for _ in 0..1000 {
            pull(&mut entry, 1700);
        }
        assert!(i32::from(entry) <= LIMIT && i32::from(entry) > LIMIT * 9 / 10);
        for _ in 0..1000 {
            pull(&mut entry, -1700);
        }
        assert!(i32::from(entry) >= -LIMIT && i32::from(entry) < -LIMIT * 9 / 10);
    }

    #[test]
    fn corrections_move_towards_what_was_found() {
        let mut history = History::new();
        let pawns = Key(5);
        for _ in 0..200 {
            history.learn_correction(Color::White, pawns, 8, 60);
        }
        let corrected = history.corrected(10, Color::White, pawns, 100);
        assert!((65..=70).contains(&corrected), "{corrected}");
        assert_eq!(history.corrected(10, Color::Black, pawns, 100), 10);
        assert_eq!(history.corrected(NO_STATIC, Color::White, pawns, 100), NO_STATIC);
    }

    #[test]
    fn two_killers_the_newest_first() {
        let mut history = History::new();
        let [a, b] = [
            Move::normal(Square::A2, Square::A3),
            Move::normal(Square::B2, Square::B3),
        ];
        history.add_killer(4, a);
        history.add_killer(4, b);
        history.add_killer(4, b);
        assert_eq!(history.killers(4), [Some(b), Some(a)]);
    }
}
