//! What a cell holds, and the list of a side's pieces.
//!
//! A piece keeps its slot in its side's list from the start to the end of the game, and its cell
//! names the slot: moving it, taking it and undoing both touch nothing but its own entries, and
//! no list is ever searched or shifted.

use crate::color::Color;
use crate::piece::{Piece, Role};

/// Nothing, a piece with its slot, or border: slot in bits 0–3, role in 4–6, a bit for each side.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Cell(u16);

const WHITE: u16 = 1 << 7;
const BLACK: u16 = 1 << 8;
const SIDES: u16 = WHITE | BLACK;

impl Cell {
    pub(super) const EMPTY: Cell = Cell(0);
    /// Occupied, by neither side.
    pub(super) const BORDER: Cell = Cell(SIDES);

    #[inline(always)]
    pub(super) const fn new(piece: Piece, slot: u8) -> Cell {
        Cell(Cell::kind(piece) | slot as u16)
    }

    const fn kind(piece: Piece) -> u16 {
        (piece.role as u16) << 4 | Cell::side(piece.color)
    }

    const fn side(color: Color) -> u16 {
        match color {
            Color::White => WHITE,
            Color::Black => BLACK,
        }
    }

    #[inline(always)]
    pub(super) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether a piece of the side stands here.
    #[inline(always)]
    pub(super) const fn is_of(self, color: Color) -> bool {
        self.0 & SIDES == Cell::side(color)
    }

    /// Whether this piece stands here.
    #[inline(always)]
    pub(super) const fn is(self, piece: Piece) -> bool {
        self.0 & !15 == Cell::kind(piece)
    }

    /// The role of the piece here; a pawn's for cells without one.
    #[inline(always)]
    pub(super) const fn role(self) -> Role {
        // The last two are never stored; eight entries need no test.
        const ROLES: [Role; 8] = [
            Role::Pawn,
            Role::Knight,
            Role::Bishop,
            Role::Rook,
            Role::Queen,
            Role::King,
            Role::King,
            Role::King,
        ];
        ROLES[(self.0 >> 4 & 7) as usize]
    }

    #[inline(always)]
    pub(super) const fn slot(self) -> u8 {
        (self.0 & 15) as u8
    }

    #[inline(always)]
    pub(super) const fn piece(self) -> Option<Piece> {
        match self.0 & SIDES {
            WHITE => Some(self.role().of(Color::White)),
            BLACK => Some(self.role().of(Color::Black)),
            _ => None,
        }
    }
}

/// A set of slots, which is a set of pieces of one side.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Slots(u16);

impl Slots {
    pub(super) const EMPTY: Slots = Slots(0);

    #[inline(always)]
    pub(super) const fn contains(self, slot: u8) -> bool {
        self.0 >> slot & 1 != 0
    }

    #[inline(always)]
    pub(super) const fn add(&mut self, slot: u8) {
        self.0 |= 1 << slot;
    }

    #[inline(always)]
    pub(super) const fn remove(&mut self, slot: u8) {
        self.0 &= !(1 << slot);
    }

    #[inline(always)]
    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }
}

impl IntoIterator for Slots {
    type Item = u8;
    type IntoIter = EachSlot;

    #[inline(always)]
    fn into_iter(self) -> EachSlot {
        EachSlot(self.0)
    }
}

/// The slots of a set, the lowest first.
pub(super) struct EachSlot(u16);

impl Iterator for EachSlot {
    type Item = u8;

    #[inline(always)]
    fn next(&mut self) -> Option<u8> {
        if self.0 == 0 {
            return None;
        }
        let slot = self.0.trailing_zeros() as u8;
        self.0 &= self.0 - 1;
        Some(slot)
    }
}

/// A side's pieces: the cell of each slot, and the slots of each role. The king has slot 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Army {
    cells: [u8; 16],
    roles: [Slots; 6],
}

impl Army {
    pub(super) const KING: u8 = 0;

    #[inline(always)]
    pub(super) fn king(&self) -> u8 {
        self.cells[usize::from(Army::KING)]
    }

    /// Where the piece of a slot stands.
    #[inline(always)]
    pub(super) fn cell(&self, slot: u8) -> u8 {
        self.cells[usize::from(slot & 15)]
    }

    #[inline(always)]
    pub(super) fn slots(&self, role: Role) -> Slots {
        self.roles[role as usize]
    }

    /// The slot and cell of each piece of a role.
    #[inline(always)]
    pub(super) fn pieces(&self, role: Role) -> impl Iterator<Item = (u8, u8)> {
        self.slots(role).into_iter().map(|slot| (slot, self.cell(slot)))
    }

    #[inline(always)]
    pub(super) fn place(&mut self, slot: u8, cell: u8) {
        self.cells[usize::from(slot & 15)] = cell;
    }

    #[inline(always)]
    pub(super) fn enlist(&mut self, role: Role, slot: u8) {
        self.roles[role as usize].add(slot);
    }

    #[inline(always)]
    pub(super) fn dismiss(&mut self, role: Role, slot: u8) {
        self.roles[role as usize].remove(slot);
    }
}
