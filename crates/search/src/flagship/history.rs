//! What the search learns about moves while it runs, and about its own static values.
//!
//! Every table moves towards a bonus by gravity: the nearer an entry is to the limit, the less of a bonus it
//! takes, so that entries stay inside ±[`LIMIT`] and old lessons fade. A move that cut off gets the bonus, the
//! moves tried before it the malus.

use std::array;

use vidmar_chess::{Bitboard, Color, Move, Piece, Position, Role, Square};

use crate::value::{MAX_PLY, Value};

/// Entries stay between -LIMIT and LIMIT.
pub(crate) const LIMIT: i32 = 16_384;

const PIECES: usize = 12;
const SQUARES: usize = 64;
/// A move leaves an attacked square or not, and enters one or not.
const DANGERS: usize = 4;
const CORRECTIONS: usize = 16_384;
/// What corrections are looked up by.
pub(crate) const CORRECTION_KEYS: usize = 4;
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
    /// By side and danger, from, to.
    butterfly: Vec<[[i16; SQUARES]; SQUARES]>,
    /// By piece, to, victim.
    capture: Box<[[[i16; 6]; SQUARES]; PIECES]>,
    /// By the earlier move's piece and target, then this one's.
    continuation: Vec<[[i16; SQUARES]; PIECES]>,
    /// The answer to a piece's arrival on a square.
    counter: Box<[[Option<Move>; SQUARES]; PIECES]>,
    killers: [[Option<Move>; 2]; MAX_PLY + 2],
    /// By side and what of the position they go by.
    corrections: [[Vec<i16>; CORRECTION_KEYS]; 2],
}

impl History {
    pub(crate) fn new() -> History {
        History {
            butterfly: vec![[[0; SQUARES]; SQUARES]; 2 * DANGERS],
            capture: Box::new([[[0; 6]; SQUARES]; PIECES]),
            continuation: vec![[[0; SQUARES]; PIECES]; PIECES * SQUARES],
            counter: Box::new([[None; SQUARES]; PIECES]),
            killers: [[None; 2]; MAX_PLY + 2],
            corrections: array::from_fn(|_| array::from_fn(|_| vec![0; CORRECTIONS])),
        }
    }

    /// Forgets everything, for a new game.
    pub(crate) fn clear(&mut self) {
        self.butterfly.fill([[0; SQUARES]; SQUARES]);
        *self.capture = [[[0; 6]; SQUARES]; PIECES];
        self.continuation.fill([[0; SQUARES]; PIECES]);
        *self.counter = [[None; SQUARES]; PIECES];
        self.killers = [[None; 2]; MAX_PLY + 2];
        for table in self.corrections.iter_mut().flatten() {
            table.fill(0);
        }
    }

    #[inline]
    pub(crate) fn butterfly(&self, side: Color, threats: Bitboard, m: Move) -> i32 {
        i32::from(self.butterfly[danger(side, threats, m)][m.from().index()][m.to().index()])
    }

    pub(crate) fn add_butterfly(&mut self, side: Color, threats: Bitboard, m: Move, bonus: i32) {
        pull(
            &mut self.butterfly[danger(side, threats, m)][m.from().index()][m.to().index()],
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

    /// The difference from the static value that was learned of positions with these keys, in points; what each key says counts by
    /// its weight in hundredths.
    #[inline]
    pub(crate) fn correction(
        &self,
        side: Color,
        keys: CorrectionKeys,
        weights: &[i32; CORRECTION_KEYS],
    ) -> Value {
        let tables = self.corrections[side as usize].iter();
        let learned = tables.zip(keys.0).zip(weights);
        learned
            .map(|((table, key), weight)| i32::from(table[usize::from(key)]) * weight)
            .sum::<i32>()
            / (100 * CORRECTION_GRAIN)
    }

    /// A search to `depth` found `difference` from the static value.
    pub(crate) fn learn_correction(
        &mut self,
        side: Color,
        keys: CorrectionKeys,
        depth: i32,
        difference: Value,
    ) {
        let weight = i32::min(depth + 1, 16);
        let target = difference.clamp(-CORRECTION_LIMIT, CORRECTION_LIMIT) * (CORRECTION_GRAIN - 1);
        for (table, key) in self.corrections[side as usize].iter_mut().zip(keys.0) {
            let entry = &mut table[usize::from(key)];
            *entry =
                ((i32::from(*entry) * (256 - weight) + target * weight) / 256).clamp(-32_000, 32_000) as i16;
        }
    }
}

/// Which table a move belongs into: by side, whether the opponent attacks where it comes from, and where it goes.
#[inline]
fn danger(side: Color, threats: Bitboard, m: Move) -> usize {
    let [from, to] = [m.from(), m.to()].map(|square| usize::from(threats.contains(square)));
    side as usize * DANGERS + 2 * from + to
}

/// Indices of the corrections of a position: by its pawns, White's pieces, Black's pieces, the last two moves.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CorrectionKeys([u16; CORRECTION_KEYS]);

impl CorrectionKeys {
    #[inline]
    pub(crate) fn new(position: &Position, last: [Option<Continuation>; 2]) -> CorrectionKeys {
        let bits = CORRECTIONS.trailing_zeros();
        let pieces = |color| {
            let of = |role: Role, odd: u64| position.pieces(color, role).0.wrapping_mul(odd);
            let mixed = of(Role::Knight, 0x9E37_79B9_7F4A_7C15)
                ^ of(Role::Bishop, 0xC2B2_AE3D_27D4_EB4F).rotate_left(13)
                ^ of(Role::Rook, 0x1656_67B1_9E37_79F9).rotate_left(27)
                ^ of(Role::Queen, 0x27D4_EB2F_1656_67C5).rotate_left(41)
                ^ of(Role::King, 0x8530_9B2C_75AE_6A4D).rotate_left(53);
            (mixed.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> (64 - bits)) as u16
        };
        let moves = last.map(|after| after.map_or(0, |after| after.0 as u32 + 1));
        let moves = (moves[0] * 769 + moves[1]).wrapping_mul(0x9E37_79B1) >> (32 - bits);
        CorrectionKeys([
            (position.pawn_key().0 as usize % CORRECTIONS) as u16,
            pieces(Color::White),
            pieces(Color::Black),
            moves as u16,
        ])
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
        let keys = CorrectionKeys::new(&Position::default(), [None; 2]);
        for _ in 0..200 {
            history.learn_correction(Color::White, keys, 8, 60);
        }
        for only in 0..CORRECTION_KEYS {
            let mut weights = [0; CORRECTION_KEYS];
            weights[only] = 100;
            let corrected = history.correction(Color::White, keys, &weights);
            assert!((55..=60).contains(&corrected), "{only}: {corrected}");
            assert_eq!(history.correction(Color::Black, keys, &weights), 0);
        }
    }

    #[test]
    fn correction_keys_tell_positions_apart_by_their_own_part_only() {
        let keys = |fen: &str, last| CorrectionKeys::new(&fen.parse().expect("legal"), last).0;
        let knight = Piece {
            color: Color::White,
            role: Role::Knight,
        };
        let moves = [Some(Continuation::new(knight, Square::F3)), None];
        let start = keys(
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            [None; 2],
        );
        let differing = |fen, last| {
            let other = keys(fen, last);
            [0, 1, 2, 3].map(|n| other[n] != start[n])
        };
        let [no, yes] = [false, true];
        assert_eq!(
            differing(
                "rnbqkbnr/pppppppp/8/8/8/P7/1PPPPPPP/RNBQKBNR b KQkq - 0 1",
                [None; 2]
            ),
            [yes, no, no, no]
        );
        assert_eq!(
            differing(
                "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 0 1",
                [None; 2]
            ),
            [no, yes, no, no]
        );
        assert_eq!(
            differing(
                "r1bqkbnr/pppppppp/2n5/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                [None; 2]
            ),
            [no, no, yes, no]
        );
        assert_eq!(
            differing("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", moves),
            [no, no, no, yes]
        );
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
