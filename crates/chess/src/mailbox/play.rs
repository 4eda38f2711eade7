//! Making moves and taking them back.
//!
//! A move is undone by moving back. What cannot be had that way is kept for each move: the piece
//! taken, castling rights, en passant, clocks and keys.

use std::num::NonZeroU16;

use super::Mailbox;
use super::geometry::Geometry;
use super::pieces::Cell;
use crate::bitboard::Bitboard;
use crate::bitboards::{castling_targets, en_passant_victim};
use crate::color::{Color, Side};
use crate::key::Key;
use crate::moves::{Move, MoveKind};
use crate::piece::{Piece, Role};
use crate::square::{Rank, Square};

/// The irreversible part of a move, or of a pass.
#[derive(Copy, Clone, Debug)]
pub(super) struct Undo {
    m: Option<Move>,
    taken: Cell,
    en_passant: Option<Square>,
    castling: Bitboard,
    key: Key,
    pawn_key: Key,
    halfmoves: u16,
    fullmoves: NonZeroU16,
}

impl<G: Geometry> Mailbox<G> {
    fn undo_of(&self, m: Option<Move>) -> Undo {
        Undo {
            m,
            taken: Cell::EMPTY,
            en_passant: self.en_passant,
            castling: self.castling,
            key: self.key,
            pawn_key: self.pawn_key,
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }

    /// Makes a legal move. (An illegal one leaves a position that breaks the rules, but no other harm.)
    #[inline(always)]
    pub(super) fn play<S: Side>(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        let mut undo = self.undo_of(Some(m));
        self.forget_en_passant();
        if self.castling.any() {
            self.lose_castling::<S>(from, to);
        }
        self.halfmoves = self.halfmoves.saturating_add(1);
        match m.kind() {
            MoveKind::Normal => {
                undo.taken = self.take(to);
                let role = self.relocate(from, to);
                if role == Role::Pawn {
                    self.halfmoves = 0;
                    if from as u8 ^ to as u8 == 16 {
                        self.note_double_step::<S>(from, to);
                    }
                }
            }
            MoveKind::Promotion(promotion) => {
                undo.taken = self.take(to);
                self.relocate(from, to);
                self.transform(to, promotion.role());
                self.toggle_keys(Role::Pawn.of(S::COLOR), to);
                self.toggle_keys(promotion.role().of(S::COLOR), to);
                self.halfmoves = 0;
            }
            MoveKind::EnPassant => {
                undo.taken = self.take(en_passant_victim(from, to));
                self.relocate(from, to);
                self.halfmoves = 0;
            }
            MoveKind::Castling => {
                let (king_to, rook_to) = castling_targets(from, to);
                self.relocate_both([from, to], [king_to, rook_to]);
                for (role, from, to) in [(Role::King, from, king_to), (Role::Rook, to, rook_to)] {
                    self.toggle_keys(role.of(S::COLOR), from);
                    self.toggle_keys(role.of(S::COLOR), to);
                }
            }
        }
        self.end_turn();
        let progress = self.halfmoves == 0 || self.castling != undo.castling;
        self.past.push(undo);
        self.history.push(self.repetition_key(), progress);
    }

    pub(super) fn pass(&mut self) {
        self.past.push(self.undo_of(None));
        self.forget_en_passant();
        self.halfmoves = self.halfmoves.saturating_add(1);
        self.end_turn();
        self.history.push(self.key, true);
    }

    pub(super) fn take_back(&mut self) {
        let Some(undo) = self.past.pop() else { return };
        self.turn = !self.turn;
        self.en_passant = undo.en_passant;
        self.castling = undo.castling;
        self.key = undo.key;
        self.pawn_key = undo.pawn_key;
        self.halfmoves = undo.halfmoves;
        self.fullmoves = undo.fullmoves;
        self.history.pop();
        let Some(m) = undo.m else { return };
        let (from, to) = (m.from(), m.to());
        match m.kind() {
            MoveKind::Normal => self.move_back(from, to, to, undo.taken),
            MoveKind::Promotion(_) => {
                self.transform(to, Role::Pawn);
                self.move_back(from, to, to, undo.taken);
            }
            MoveKind::EnPassant => self.move_back(from, to, en_passant_victim(from, to), undo.taken),
            MoveKind::Castling => {
                let (king_to, rook_to) = castling_targets(from, to);
                self.relocate_both([king_to, rook_to], [from, to]);
            }
        }
    }

    #[inline(always)]
    fn end_turn(&mut self) {
        self.key ^= Key::WHITE_TO_MOVE;
        if self.turn == Color::Black {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        self.turn = !self.turn;
    }

    #[inline(always)]
    fn forget_en_passant(&mut self) {
        if let Some(square) = self.en_passant.take() {
            self.key ^= Key::en_passant(square.file());
        }
    }

    /// The passed square counts only if an enemy pawn stands ready to take there.
    #[inline(always)]
    fn note_double_step<S: Side>(&mut self, from: Square, to: Square) {
        let passed = Square::new(u32::midpoint(from as u32, to as u32));
        if self.en_passant_origins::<S::Opponent>(passed).next().is_some() {
            self.en_passant = Some(passed);
            self.key ^= Key::en_passant(passed.file());
        }
    }

    /// A rook that moves or is taken loses its right, a king that moves both. Before the move, while
    /// the kings still stand where the rights' keys need them.
    #[inline(always)]
    fn lose_castling<S: Side>(&mut self, from: Square, to: Square) {
        let mut touched = Bitboard::of(from) | Bitboard::of(to);
        if self.look(G::cell(from)).is(Role::King.of(S::COLOR)) {
            touched |= Bitboard::of_rank(Rank::back(S::COLOR));
        }
        let lost = self.castling & touched;
        if lost.any() {
            let king = |color| Bitboard::of(G::square(self.armies[color].king()));
            self.key ^= Key::castling(lost, king(Color::White) | king(Color::Black));
            self.castling &= !touched;
        }
    }

    #[inline(always)]
    fn put(&mut self, square: Square, content: Cell) {
        let cell = G::cell(square);
        self.cells[usize::from(cell)] = content;
        if let Some(piece) = content.piece() {
            self.armies[piece.color].place(content.slot(), cell);
        }
    }

    /// Takes what stands on a square, if anything.
    #[inline(always)]
    fn take(&mut self, square: Square) -> Cell {
        let content = self.look(G::cell(square));
        if let Some(piece) = content.piece() {
            self.put(square, Cell::EMPTY);
            self.armies[piece.color].dismiss(piece.role, content.slot());
            self.toggle_keys(piece, square);
            self.halfmoves = 0;
        }
        content
    }

    /// Moves a piece to an empty square and tells its role.
    #[inline(always)]
    fn relocate(&mut self, from: Square, to: Square) -> Role {
        let content = self.look(G::cell(from));
        if let Some(piece) = content.piece() {
            self.put(from, Cell::EMPTY);
            self.put(to, content);
            self.toggle_keys(piece, from);
            self.toggle_keys(piece, to);
        }
        content.role()
    }

    /// Moves king and rook at once, since each may go where the other was; keys stay as they are.
    fn relocate_both(&mut self, from: [Square; 2], to: [Square; 2]) {
        let contents = from.map(|square| self.look(G::cell(square)));
        for square in from {
            self.put(square, Cell::EMPTY);
        }
        for (square, content) in to.into_iter().zip(contents) {
            self.put(square, content);
        }
    }

    /// Makes a pawn another piece, or a promoted piece a pawn again; keys stay as they are.
    fn transform(&mut self, square: Square, role: Role) {
        let content = self.look(G::cell(square));
        if let Some(piece) = content.piece() {
            let army = &mut self.armies[piece.color];
            army.dismiss(piece.role, content.slot());
            army.enlist(role, content.slot());
            self.put(square, Cell::new(role.of(piece.color), content.slot()));
        }
    }

    /// Moves a piece back and restores the one that it took; keys stay as they are.
    #[inline(always)]
    fn move_back(&mut self, from: Square, to: Square, taken_on: Square, taken: Cell) {
        let content = self.look(G::cell(to));
        self.put(to, Cell::EMPTY);
        self.put(from, content);
        if let Some(piece) = taken.piece() {
            self.put(taken_on, taken);
            self.armies[piece.color].enlist(piece.role, taken.slot());
        }
    }

    #[inline(always)]
    fn toggle_keys(&mut self, piece: Piece, square: Square) {
        let key = Key::piece(piece, square);
        self.key ^= key;
        if piece.role == Role::Pawn {
            self.pawn_key ^= key;
        }
    }
}
