//! The mailbox boards: an array of cells, each holding what stands on it.
//!
//! There is one board, [`Mailbox`], and four [geometries](Geometry) to lay out its cells: 8x8 tests
//! every step for the edge, 10x10 surrounds the board with a ring of border cells and tests only
//! knights, 10x12 has border enough for them too, and 0x88 tells a step off the board by two bits
//! of its index. Everything else is shared, so that what one costs over another is the price of its
//! geometry. Beside the cells each side has a list of its pieces.
//!
//! Neither generation nor attacks use sets of squares; the castling rooks and the squares that a side attacks are ones because
//! the [`Board`] trait speaks of them so.

mod attack;
mod generator;
mod geometry;
mod legality;
mod pieces;
mod play;
mod relation;

use std::marker::PhantomData;
use std::num::NonZeroU16;

use crate::bitboard::Bitboard;
use crate::board::{Board, BoardKind, History};
use crate::color::{ByColor, Color, with_side};
use crate::key::Key;
use crate::moves::{Generate, Move, MoveList};
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::square::Square;

use generator::Count;
pub use geometry::{Geometry, Geometry0x88, Geometry8x8, Geometry10x10, Geometry10x12, GeometryOfTens, Step};
use pieces::{Army, Cell};
use play::Undo;

/// The board in rows of sixteen.
pub type Board0x88 = Mailbox<Geometry0x88>;
/// The board without a border.
pub type Board8x8 = Mailbox<Geometry8x8>;
/// The board with one ring of border.
pub type Board10x10 = Mailbox<Geometry10x10>;
/// The board with a border for knights.
pub type Board10x12 = Mailbox<Geometry10x12>;

/// A cell that is a square in no geometry.
const NO_CELL: u8 = 0xff;

/// A board of cells with lists of pieces.
#[derive(Clone, Debug)]
pub struct Mailbox<G> {
    /// As many as a byte can name, so that no index needs a test; a geometry uses the first 64 to 128.
    cells: [Cell; 256],
    armies: ByColor<Army>,
    castling: Bitboard,
    key: Key,
    pawn_key: Key,
    turn: Color,
    en_passant: Option<Square>,
    halfmoves: u16,
    fullmoves: NonZeroU16,
    past: Vec<Undo>,
    history: History,
    geometry: PhantomData<G>,
}

impl<G: Geometry> Mailbox<G> {
    fn set_up(&mut self, position: &Position) {
        let mut next_slot = ByColor::new(Army::KING + 1, Army::KING + 1);
        for square in Square::ALL {
            let cell = G::cell(square);
            self.cells[usize::from(cell)] = Cell::EMPTY;
            let Some(piece) = position.piece_at(square) else {
                continue;
            };
            let slot = if piece.role == Role::King {
                Army::KING
            } else {
                let next = &mut next_slot[piece.color];
                *next += 1;
                *next - 1
            };
            self.cells[usize::from(cell)] = Cell::new(piece, slot);
            self.armies[piece.color].place(slot, cell);
            self.armies[piece.color].enlist(piece.role, slot);
        }
    }

    /// The key without an en-passant file on which no legal capture waits.
    #[inline(always)]
    fn repetition_key(&self) -> Key {
        match self.en_passant {
            Some(square) if !self.en_passant_is_legal(square) => self.key ^ Key::en_passant(square.file()),
            _ => self.key,
        }
    }

    #[cold]
    fn en_passant_is_legal(&self, target: Square) -> bool {
        with_side!(self.turn, S => self
            .en_passant_origins::<S>(target)
            .any(|from| self.en_passant_is_safe::<S>(from, target)))
    }
}

impl<G: Geometry> Board for Mailbox<G> {
    const KIND: BoardKind = G::KIND;

    fn new(position: &Position) -> Mailbox<G> {
        let mut board = Mailbox {
            cells: [Cell::BORDER; 256],
            armies: ByColor::default(),
            castling: position.castling(),
            key: position.key(),
            pawn_key: position.pawn_key(),
            turn: position.turn(),
            en_passant: position.en_passant(),
            halfmoves: position.halfmoves(),
            fullmoves: position.fullmoves(),
            past: Vec::new(),
            history: History::starting_with(position.repetition_key()),
            geometry: PhantomData,
        };
        board.set_up(position);
        board
    }

    #[inline]
    fn turn(&self) -> Color {
        self.turn
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.look(G::cell(square)).piece()
    }

    #[inline]
    fn count(&self, color: Color, role: Role) -> u32 {
        self.armies[color].slots(role).len()
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        G::square(self.armies[color].king())
    }

    #[inline]
    fn castling(&self) -> Bitboard {
        self.castling
    }

    #[inline]
    fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    #[inline]
    fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    #[inline]
    fn fullmoves(&self) -> NonZeroU16 {
        self.fullmoves
    }

    #[inline]
    fn key(&self) -> Key {
        self.key
    }

    #[inline]
    fn pawn_key(&self) -> Key {
        self.pawn_key
    }

    #[inline]
    fn in_check(&self) -> bool {
        with_side!(self.turn, S => self.is_in_check::<S>())
    }

    fn generate(&self, what: Generate, moves: &mut MoveList) {
        with_side!(self.turn, S => match what {
            Generate::All => self.generate_for::<S>(Generate::All, moves),
            Generate::Captures => self.generate_for::<S>(Generate::Captures, moves),
            Generate::Quiets => self.generate_for::<S>(Generate::Quiets, moves),
        });
    }

    fn generate_pseudo_legal(&self, what: Generate, moves: &mut MoveList) {
        with_side!(self.turn, S => match what {
            Generate::All => self.generate_pseudo_legal_for::<S>(Generate::All, moves),
            Generate::Captures => self.generate_pseudo_legal_for::<S>(Generate::Captures, moves),
            Generate::Quiets => self.generate_pseudo_legal_for::<S>(Generate::Quiets, moves),
        });
    }

    #[inline]
    fn has_left_king_in_check(&self) -> bool {
        with_side!(self.turn, S => self.is_attacked_by::<S>(self.armies[!self.turn].king()))
    }

    fn attacked_by(&self, color: Color) -> Bitboard {
        with_side!(color, S => self.attacked_squares::<S>())
    }

    fn is_legal(&self, m: Move) -> bool {
        with_side!(self.turn, S => self.allows::<S>(m))
    }

    fn gives_check(&self, m: Move) -> bool {
        with_side!(self.turn, S => self.will_check::<S>(m))
    }

    fn make(&mut self, m: Move) {
        with_side!(self.turn, S => self.play::<S>(m));
    }

    fn unmake(&mut self) {
        self.take_back();
    }

    fn make_null(&mut self) {
        self.pass();
    }

    fn unmake_null(&mut self) {
        self.take_back();
    }

    #[inline]
    fn history(&self) -> &History {
        &self.history
    }

    fn count_legal_moves(&self) -> usize {
        let mut count = Count(0);
        with_side!(self.turn, S => self.generate_for::<S>(Generate::All, &mut count));
        count.0
    }
}
