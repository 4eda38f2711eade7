//! Who attacks what: checks, pins, and the board as it will be after a move.
//!
//! Attacks are found from the attackers' list. The [`Relation`] of an attacker's square to the
//! target dismisses most of them; only where a slider is in line are the cells between looked at.

use super::geometry::Geometry;
use super::pieces::{Army, Cell, Slots};
use super::relation::{
    ALL, DIAGONAL, EAST, KNIGHT_JUMPS, NORTH_EAST, NORTH_WEST, Relation, SOUTH_EAST, SOUTH_WEST, STRAIGHT,
    WEST, step_of,
};
use super::{Mailbox, NO_CELL};
use crate::bitboard::Bitboard;
use crate::color::Side;
use crate::piece::Role;

pub(super) const SLIDERS: [Role; 3] = [Role::Bishop, Role::Rook, Role::Queen];

/// The directions in which a side's pawns take.
#[inline(always)]
pub(super) const fn pawn_captures<S: Side>() -> [u8; 2] {
    if S::IS_WHITE {
        [NORTH_WEST, NORTH_EAST]
    } else {
        [SOUTH_WEST, SOUTH_EAST]
    }
}

/// What threatens the king of the side to move.
#[derive(Copy, Clone, Debug)]
pub(super) struct Threats {
    pub(super) checkers: u32,
    /// The cell of a piece that gives check.
    pub(super) checker: u8,
    /// The own pieces that alone stand between the king and a slider.
    pub(super) pinned: Slots,
    /// A bit for each direction in which a step of the king stays on the line of a checking slider.
    pub(super) retreats: u8,
}

impl Threats {
    /// Nothing does.
    pub(super) const NONE: Threats = Threats {
        checkers: 0,
        checker: NO_CELL,
        pinned: Slots::EMPTY,
        retreats: 0,
    };
}

/// The cells that a move empties and fills, so that lines can be seen as they will be.
#[derive(Copy, Clone, Debug)]
pub(super) struct Change {
    pub(super) emptied: [u8; 2],
    pub(super) filled: [u8; 2],
}

impl Change {
    /// A piece goes from one cell to another.
    pub(super) const fn plain(from: u8, to: u8) -> Change {
        Change {
            emptied: [from, NO_CELL],
            filled: [to, NO_CELL],
        }
    }
}

impl<G: Geometry> Mailbox<G> {
    #[inline(always)]
    pub(super) fn look(&self, cell: u8) -> Cell {
        self.cells[usize::from(cell)]
    }

    #[inline(always)]
    pub(super) fn relation(from: u8, to: u8) -> Relation {
        Relation::between(G::wide(from), G::wide(to))
    }

    /// Whether the cells between two that are in line are empty.
    #[inline(always)]
    pub(super) fn is_open(&self, from: u8, line: Relation) -> bool {
        let step = step_of(line.direction);
        let mut at = from;
        for _ in 1..line.distance {
            match G::step(at, step) {
                Some(next) if self.look(next).is_empty() => at = next,
                _ => return false,
            }
        }
        true
    }

    /// Whether they will be empty after the change.
    fn is_open_after(&self, from: u8, line: Relation, change: Change) -> bool {
        let step = step_of(line.direction);
        let mut at = from;
        for _ in 1..line.distance {
            let Some(next) = G::step(at, step) else {
                return false;
            };
            let empty = self.look(next).is_empty() || change.emptied.contains(&next);
            if !empty || change.filled.contains(&next) {
                return false;
            }
            at = next;
        }
        true
    }

    /// Whether a piece of the side attacks the cell.
    #[inline(always)]
    pub(super) fn is_attacked_by<By: Side>(&self, target: u8) -> bool {
        let army = &self.armies[By::COLOR];
        self.pawn_attackers::<By>(target).next().is_some()
            || Self::relation(army.king(), target).reaches(Role::King)
            || army
                .pieces(Role::Knight)
                .any(|(_, at)| Self::relation(at, target).reaches(Role::Knight))
            || SLIDERS.into_iter().any(|role| {
                army.pieces(role).any(|(_, at)| {
                    let line = Self::relation(at, target);
                    line.reaches(role) && self.is_open(at, line)
                })
            })
    }

    /// Every square that the side attacks, as a set, since that is how the trait speaks of them.
    pub(super) fn attacked_squares<By: Side>(&self) -> Bitboard {
        let army = &self.armies[By::COLOR];
        let mut set = Bitboard::EMPTY;
        let mut add = |to: Option<u8>| {
            if let Some(to) = to.filter(|&to| self.look(to) != Cell::BORDER) {
                set |= G::square(to).into();
            }
        };
        for (_, from) in army.pieces(Role::Pawn) {
            for direction in pawn_captures::<By>() {
                add(G::step(from, step_of(direction)));
            }
        }
        for (_, from) in army.pieces(Role::Knight) {
            for jump in KNIGHT_JUMPS {
                add(G::jump(from, jump));
            }
        }
        for direction in ALL {
            add(G::step(army.king(), step_of(direction)));
        }
        for (role, directions) in [
            (Role::Bishop, DIAGONAL),
            (Role::Rook, STRAIGHT),
            (Role::Queen, ALL),
        ] {
            for (_, from) in army.pieces(role) {
                for direction in directions.clone() {
                    let mut at = from;
                    while let Some(to) = G::step(at, step_of(direction)) {
                        add(Some(to));
                        if !self.look(to).is_empty() {
                            break;
                        }
                        at = to;
                    }
                }
            }
        }
        set
    }

    /// The pawns of the side that attack the cell.
    #[inline(always)]
    fn pawn_attackers<By: Side>(&self, target: u8) -> impl Iterator<Item = u8> {
        // A pawn attacks the cells from which enemy pawns attack its own.
        pawn_captures::<By::Opponent>()
            .into_iter()
            .filter_map(move |direction| {
                let at = G::step(target, step_of(direction))?;
                self.look(at).is(Role::Pawn.of(By::COLOR)).then_some(at)
            })
    }

    /// Checks and pins of the side to move.
    #[inline(always)]
    pub(super) fn threats<S: Side>(&self) -> Threats {
        let king = self.armies[S::COLOR].king();
        let enemies = &self.armies[S::Opponent::COLOR];
        let mut threats = Threats::NONE;
        for role in SLIDERS {
            for (_, at) in enemies.pieces(role) {
                let line = Self::relation(king, at);
                if line.reaches(role) {
                    self.see_line::<S>(king, at, line, &mut threats);
                }
            }
        }
        let knights = enemies
            .pieces(Role::Knight)
            .map(|(_, at)| at)
            .filter(|&at| Self::relation(king, at).reaches(Role::Knight));
        for at in knights.chain(self.pawn_attackers::<S::Opponent>(king)) {
            threats.checkers += 1;
            threats.checker = at;
        }
        threats
    }

    /// A slider in line with the king gives check, or pins the one piece between, or does nothing.
    #[inline(always)]
    fn see_line<S: Side>(&self, king: u8, slider: u8, line: Relation, threats: &mut Threats) {
        let step = step_of(line.direction);
        let mut shield = None;
        let mut at = king;
        for _ in 1..line.distance {
            let Some(next) = G::step(at, step) else { return };
            at = next;
            let cell = self.look(at);
            if !cell.is_empty() {
                if shield.is_some() || !cell.is_of(S::COLOR) {
                    return;
                }
                shield = Some(cell.slot());
            }
        }
        if let Some(slot) = shield {
            threats.pinned.add(slot);
        } else {
            threats.checkers += 1;
            threats.checker = slider;
            threats.retreats |= 1 << super::relation::opposite(line.direction);
        }
    }

    /// Whether a piece of the side will attack the cell after the change, which takes what stands on
    /// `taken`.
    pub(super) fn will_be_attacked_by<By: Side>(&self, target: u8, change: Change, taken: u8) -> bool {
        let army = &self.armies[By::COLOR];
        self.pawn_attackers::<By>(target).any(|at| at != taken)
            || Self::relation(army.king(), target).reaches(Role::King)
            || army
                .pieces(Role::Knight)
                .any(|(_, at)| at != taken && Self::relation(at, target).reaches(Role::Knight))
            || self.sliders_will_attack(army, target, change, taken)
    }

    fn sliders_will_attack(&self, army: &Army, target: u8, change: Change, gone: u8) -> bool {
        SLIDERS.into_iter().any(|role| {
            army.pieces(role).any(|(_, at)| {
                let line = Self::relation(at, target);
                at != gone
                    && !change.emptied.contains(&at)
                    && line.reaches(role)
                    && self.is_open_after(at, line, change)
            })
        })
    }

    /// Whether a piece of the side, having moved to a cell, attacks another.
    fn arrives_attacking<S: Side>(&self, role: Role, at: u8, target: u8, change: Change) -> bool {
        if role == Role::Pawn {
            return pawn_captures::<S>()
                .into_iter()
                .any(|direction| G::step(at, step_of(direction)) == Some(target));
        }
        let line = Self::relation(at, target);
        line.reaches(role) && (role == Role::Knight || self.is_open_after(at, line, change))
    }

    /// Whether the side's move, with a piece of this role arriving on a cell, attacks the enemy king.
    pub(super) fn checks_after<S: Side>(&self, role: Role, at: u8, change: Change) -> bool {
        let king = self.armies[S::Opponent::COLOR].king();
        self.arrives_attacking::<S>(role, at, king, change)
            || self.sliders_will_attack(&self.armies[S::COLOR], king, change, NO_CELL)
    }

    /// Whether the king may castle: nothing in the way of king and rook, no attacked cell on the
    /// king's. The king must not be in check.
    pub(super) fn castling_is_open<S: Side>(&self, king: u8, rook: u8, king_to: u8, rook_to: u8) -> bool {
        // The cells of a rank are neighbours in every geometry, and the two ways overlap or touch.
        let first = king.min(rook).min(king_to).min(rook_to);
        let last = king.max(rook).max(king_to).max(rook_to);
        let free = |cell: u8| self.look(cell).is_empty() || cell == king || cell == rook;
        if !(first..=last).all(free) {
            return false;
        }
        let mut way = king.min(king_to)..=king.max(king_to);
        if way.any(|cell| cell != king && self.is_attacked_by::<S::Opponent>(cell)) {
            return false;
        }
        // In Chess960 the rook may have stood between the king and a slider of the back rank.
        let outward = step_of(if rook_to < king_to { EAST } else { WEST });
        let mut at = king_to;
        while let Some(next) = G::step(at, outward) {
            let cell = self.look(next);
            if next != rook && !cell.is_empty() {
                let slider = matches!(cell.role(), Role::Rook | Role::Queen);
                return !(slider && cell.is_of(S::Opponent::COLOR));
            }
            at = next;
        }
        true
    }
}
