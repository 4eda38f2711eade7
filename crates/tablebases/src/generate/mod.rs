//! Making a tablebase: retrograde analysis of one ending.
//!
//! 1. Every position gets a first state (`first.rs`): impossible, mate, stalemate, won by a capture or promotion into
//!    an ending already known, or the number of its successors that are not yet known to lose.
//! 2. What is settled is followed backwards (`backward.rs`): a position from which a lost one can be reached is won; each won
//!    successor takes one off the count, and a count of nothing left is a loss.
//! 3. What is never reached is drawn.
//!
//! Successors are counted as numbers of the tablebase, not as moves: with the symmetries of the board two moves may lead
//! to one number. That needs the king that stays where it is to be on a long diagonal, and the board to have no
//! pawns, so only there are they compared ([`Retrograde::may_coincide`]).
//!
//! The result does not depend on the order in which positions are settled, and so not on the threads.
//!
//! Sources: K. Thompson, *Retrograde Analysis of Certain Endgames*, ICCA Journal 9(3), 1986; the index by king pairs is that of
//! E. Nalimov, G. Haworth and E. Heinz, *Space-efficient Indexing of Chess Endgame Tables*, ICGA Journal 23(3), 2000.

mod backward;
mod first;

use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use arrayvec::ArrayVec;
use rayon::prelude::*;
use vidmar_chess::{Bitboard, Color, Role, Square};

use crate::ending::{Ending, MAX_NON_KINGS, Placement};
use crate::layout::{Layout, placed, side_index};
use crate::library::Library;
use crate::tablebase::{Cell, Tablebase};
use crate::wdl::Wdl;

/// States from here on are final; below, the number of successors not known to lose.
const FINAL: u8 = 200;
const STALEMATE: u8 = 252;
const LOSS: u8 = 253;
const WIN: u8 = 254;
const UNUSED: u8 = 255;

/// Positions that one thread takes at a time.
const CHUNK: usize = 4096;

/// A position in the list of those just settled: its number and the side to move.
#[derive(Copy, Clone)]
struct Settled(u32);

impl Settled {
    fn new(number: u32, turn: Color) -> Settled {
        Settled(number << 1 | turn as u32)
    }

    fn number(self) -> u32 {
        self.0 >> 1
    }

    fn turn(self) -> Color {
        Color::ALL[(self.0 & 1) as usize]
    }
}

/// The analysis of one ending.
struct Retrograde<'a> {
    ending: Ending,
    layout: Layout,
    has_pawns: bool,
    /// Each side's pieces besides the king, with their indices in the ending.
    pieces: [ArrayVec<(usize, Role), MAX_NON_KINGS>; 2],
    /// The endings that captures and promotions lead to.
    known: &'a Library,
    /// For each side to move, the state of every number.
    states: [Vec<AtomicU8>; 2],
}

/// Makes the tablebase of an ending from those of the endings before it, which must be in `known`. The result is
/// `None` if `stop` was set on the way.
pub(crate) fn generate(ending: Ending, known: &Library, stop: &AtomicBool) -> Option<Tablebase> {
    let layout = Layout::new(ending);
    let fresh = || (0..layout.len()).map(|_| AtomicU8::new(0)).collect::<Vec<_>>();
    let pieces = |side: Color| {
        let all = ending.pieces().enumerate();
        all.filter(|(_, piece)| piece.color == side)
            .map(|(index, piece)| (index, piece.role))
            .collect()
    };
    let analysis = Retrograde {
        ending,
        layout,
        has_pawns: ending.pawns() > 0,
        pieces: Color::ALL.map(pieces),
        known,
        states: [fresh(), fresh()],
    };
    let is_stopped = || stop.load(Ordering::Relaxed);
    if is_stopped() {
        return None;
    }
    let mut settled = analysis.begin();
    while !settled.is_empty() {
        if is_stopped() {
            return None;
        }
        settled = settled
            .par_chunks(CHUNK)
            .flat_map_iter(|chunk| analysis.follow_back(chunk))
            .collect();
    }
    Some(analysis.tablebase())
}

impl Retrograde<'_> {
    /// The first states of all positions; those settled at once are returned.
    fn begin(&self) -> Vec<Settled> {
        let mut settled = Vec::new();
        for turn in Color::ALL {
            let states = self.states[side_index(turn)].par_iter().enumerate();
            settled.par_extend(states.with_min_len(CHUNK).filter_map(|(number, state)| {
                let first = self.first_state(number as u32, turn);
                state.store(first, Ordering::Relaxed);
                matches!(first, WIN | LOSS).then(|| Settled::new(number as u32, turn))
            }));
        }
        settled
    }

    /// The finished tablebase.
    fn tablebase(self) -> Tablebase {
        let Retrograde { ending, states, .. } = self;
        let cells = |turn: Color| -> Vec<Cell> {
            states[side_index(turn)]
                .par_iter()
                .map(|state| match state.load(Ordering::Relaxed) {
                    UNUSED => None,
                    WIN => Some(Wdl::Win),
                    LOSS => Some(Wdl::Loss),
                    _ => Some(Wdl::Draw),
                })
                .collect()
        };
        if ending.is_symmetric() {
            Tablebase::pack(ending, &[cells(Color::White)])
        } else {
            Tablebase::pack(ending, &Color::ALL.map(cells))
        }
    }

    /// The pieces of one side, besides the king: index in the ending, role, square.
    #[inline]
    fn pieces_of(&self, placement: Placement, side: Color) -> impl Iterator<Item = (usize, Role, Square)> {
        self.pieces[side_index(side)]
            .iter()
            .map(move |&(index, role)| (index, role, placement.squares[index]))
    }

    fn occupied(&self, placement: Placement) -> Bitboard {
        let kings = Bitboard::of(placement.kings[0]) | placement.kings[1].into();
        let pieces = self.ending.piece_count() - placement.kings.len();
        placement.squares[..pieces]
            .iter()
            .fold(kings, |all, &square| all.with(square))
    }

    /// Whether moves of one side may lead to images of each other, the other side's king staying where it is.
    fn may_coincide(&self, still: Square) -> bool {
        const LONG_DIAGONALS: Bitboard = Bitboard(0x8142_2418_1824_4281);
        !self.has_pawns && LONG_DIAGONALS.contains(still)
    }

    /// What en passant is worth to the side that may take a pawn which has just made a double step, if it may: the
    /// pieces are those after the step. No tablebase holds such a right, so the capture is looked up where the step is made.
    /// Only pawn against pawn has it in four pieces, and then nothing can forbid the capture: the taker's king
    /// faces no piece but a king.
    fn en_passant(&self, placement: Placement, stepped: usize, mover: Color) -> Option<Wdl> {
        let other = 1 - stepped;
        let (taker, taken_from) = placed(self.ending, placement).nth(other)?;
        let pawn = placement.squares[stepped];
        let is_beside = taken_from.rank() == pawn.rank() && taken_from.distance(pawn) == 1;
        if taker.role != Role::Pawn || taker.color == mover || !is_beside {
            return None;
        }
        let behind = if mover == Color::White { -1 } else { 1 };
        let passed = pawn.offset(0, behind)?;
        let value = self.known.value(placement.kings, &[(taker, passed)], mover);
        Some(-value.expect("pawn against king is known before pawn against pawn"))
    }
}
