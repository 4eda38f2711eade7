//! From settled positions back to those that lead to them.

use std::sync::atomic::{AtomicU8, Ordering};

use arrayvec::ArrayVec;
use vidmar_chess::{Color, Rank, Role, Square, attacks};

use super::{FINAL, LOSS, Retrograde, Settled, WIN};
use crate::ending::Placement;
use crate::layout::side_index;
use crate::wdl::Wdl;

/// Room for the moves back of a side with two queens.
type Numbers = ArrayVec<u32, 128>;

impl Retrograde<'_> {
    /// Tells the predecessors of these positions; those that are settled by it are returned.
    pub(super) fn follow_back(&self, settled: &[Settled]) -> Vec<Settled> {
        let mut next = Vec::new();
        let mut numbers = Numbers::new();
        for entry in settled {
            let turn = entry.turn();
            let is_lost =
                self.states[side_index(turn)][entry.number() as usize].load(Ordering::Relaxed) == LOSS;
            numbers.clear();
            self.predecessors(entry.number(), turn, is_lost, &mut numbers);
            for &number in &numbers {
                let state = &self.states[side_index(!turn)][number as usize];
                if if is_lost { win(state) } else { lose_one(state) } {
                    next.push(Settled::new(number, !turn));
                }
            }
        }
        next
    }

    /// The numbers from which the other side's move leads here. Impossible ones may be among them: their state is
    /// final and nothing changes it.
    fn predecessors(&self, number: u32, turn: Color, is_lost: bool, numbers: &mut Numbers) {
        let placement = self.layout.placement(number);
        let occupied = self.occupied(placement);
        let mover = !turn;
        let may_coincide = self.may_coincide(placement.kings[side_index(turn)]);
        let king = side_index(mover);
        for from in attacks::king(placement.kings[king]) & !occupied {
            let mut before = placement;
            before.kings[king] = from;
            numbers.extend(self.layout.number(before));
        }
        for (index, role, square) in self.pieces_of(placement, mover) {
            let mut note = |from: Square| {
                if may_coincide {
                    let mut before = placement;
                    before.squares[index] = from;
                    numbers.extend(self.layout.number(before));
                } else {
                    numbers.push(self.layout.number_after(number, placement, index, from));
                }
            };
            if role == Role::Pawn {
                let step = if mover == Color::White { -1 } else { 1 };
                let free = |ranks: i32| square.offset(0, ranks).filter(|&from| !occupied.contains(from));
                let Some(single) = free(step).filter(|from| from.rank() != Rank::back(mover)) else {
                    continue;
                };
                note(single);
                if square.rank() == Rank::Fourth.relative_to(mover)
                    && let Some(double) = free(2 * step)
                    && self.tells_of_double_step(placement, index, mover, is_lost)
                {
                    note(double);
                }
            } else {
                for from in attacks::of(role, mover, square, occupied) & !occupied {
                    note(from);
                }
            }
        }
        if may_coincide {
            numbers.sort_unstable();
            let mut last = None;
            numbers.retain(|number| last.replace(*number) != Some(*number));
        }
    }

    /// Whether the value here, which knows of no en passant, says something of the double step that led here. The
    /// step wins only if the capture loses as well; and a step that was already counted as lost is not counted twice.
    fn tells_of_double_step(&self, placement: Placement, index: usize, mover: Color, is_lost: bool) -> bool {
        match self.en_passant(placement, index, mover) {
            None | Some(Wdl::Loss) => true,
            Some(Wdl::Draw) => !is_lost,
            Some(Wdl::Win) => false,
        }
    }
}

/// A lost successor: the position is won. True if that is new.
fn win(state: &AtomicU8) -> bool {
    change(state, |_| WIN).is_some()
}

/// A won successor: one less to hope for. True if it was the last.
fn lose_one(state: &AtomicU8) -> bool {
    change(state, |open| if open == 1 { LOSS } else { open - 1 }) == Some(1)
}

/// Changes a state that is not final; returns what it was.
fn change(state: &AtomicU8, new: impl Fn(u8) -> u8) -> Option<u8> {
    state
        .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |old| {
            (old < FINAL).then(|| new(old))
        })
        .ok()
}
