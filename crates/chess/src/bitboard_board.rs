//! The bitboard behind the [`Board`] trait: a [`Position`] with a past.
//!
//! Undo keeps whole positions. The published design keeps the irreversible part of each and reverses
//! the rest, which the mailbox boards do; here a position is three cache lines, and copying them
//! back needs no branch on the kind of move.

use std::num::NonZeroU16;

use crate::bitboard::Bitboard;
use crate::board::{Board, BoardKind, History};
use crate::color::Color;
use crate::game::Game;
use crate::key::Key;
use crate::moves::{Generate, Move, MoveList};
use crate::piece::{Piece, Role};
use crate::position::Position;
use crate::setup::Setup;
use crate::square::Square;

/// The fast board.
#[derive(Clone, Debug)]
pub struct BitboardBoard {
    now: Position,
    past: Vec<Position>,
    history: History,
}

impl BitboardBoard {
    /// The present position, for what only bitboards offer.
    #[inline]
    pub fn current(&self) -> &Position {
        &self.now
    }
}

impl Board for BitboardBoard {
    const KIND: BoardKind = BoardKind::Bitboard;

    #[inline]
    fn as_bitboard(&self) -> Option<&BitboardBoard> {
        Some(self)
    }

    fn new(position: &Position) -> BitboardBoard {
        BitboardBoard {
            now: position.clone(),
            past: Vec::new(),
            history: History::starting_with(position.repetition_key()),
        }
    }

    /// The game has one: nothing is made again.
    fn of_game(game: &Game) -> BitboardBoard {
        game.board().clone()
    }

    #[inline]
    fn turn(&self) -> Color {
        self.now.turn()
    }

    #[inline]
    fn piece_at(&self, square: Square) -> Option<Piece> {
        self.now.piece_at(square)
    }

    #[inline]
    fn count(&self, color: Color, role: Role) -> u32 {
        self.now.pieces(color, role).len()
    }

    #[inline]
    fn king(&self, color: Color) -> Square {
        self.now.king(color)
    }

    #[inline]
    fn castling(&self) -> Bitboard {
        self.now.castling()
    }

    #[inline]
    fn en_passant(&self) -> Option<Square> {
        self.now.en_passant()
    }

    #[inline]
    fn halfmoves(&self) -> u16 {
        self.now.halfmoves()
    }

    #[inline]
    fn fullmoves(&self) -> NonZeroU16 {
        self.now.fullmoves()
    }

    #[inline]
    fn key(&self) -> Key {
        self.now.key()
    }

    #[inline]
    fn pawn_key(&self) -> Key {
        self.now.pawn_key()
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.now.in_check()
    }

    #[inline]
    fn generate(&self, what: Generate, moves: &mut MoveList) {
        self.now.generate(what, moves);
    }

    #[inline]
    fn generate_pseudo_legal(&self, what: Generate, moves: &mut MoveList) {
        self.now.generate_pseudo_legal(what, moves);
    }

    #[inline]
    fn has_left_king_in_check(&self) -> bool {
        let mover = !self.now.turn();
        let attackers = self.now.attackers_to(self.now.king(mover), self.now.occupied());
        (attackers & self.now.color(!mover)).any()
    }

    #[inline]
    fn attacked_by(&self, color: Color) -> Bitboard {
        self.now.attacked_by(color)
    }

    #[inline]
    fn is_legal(&self, m: Move) -> bool {
        self.now.is_legal(m)
    }

    #[inline]
    fn gives_check(&self, m: Move) -> bool {
        self.now.gives_check(m)
    }

    #[inline]
    fn make(&mut self, m: Move) {
        let rights = self.now.castling();
        self.past.push(self.now.clone());
        self.now.play(m);
        let progress = self.now.halfmoves() == 0 || self.now.castling() != rights;
        self.history.push(self.now.repetition_key(), progress);
    }

    #[inline]
    fn unmake(&mut self) {
        if let Some(before) = self.past.pop() {
            self.now = before;
            self.history.pop();
        }
    }

    fn make_null(&mut self) {
        self.past.push(self.now.clone());
        self.now.play_null();
        self.history.push(self.now.key(), true);
    }

    fn unmake_null(&mut self) {
        self.unmake();
    }

    #[inline]
    fn history(&self) -> &History {
        &self.history
    }

    #[inline]
    fn count_legal_moves(&self) -> usize {
        self.now.count_legal_moves()
    }

    #[inline]
    fn count_replies_to_pass(&mut self) -> usize {
        self.now.count_replies_to_pass()
    }

    fn perft(&mut self, depth: u32) -> u64 {
        self.now.perft(depth)
    }

    #[inline]
    fn is_capture(&self, m: Move) -> bool {
        self.now.is_capture(m)
    }

    fn setup(&self) -> Setup {
        self.now.setup()
    }

    fn position(&self) -> Position {
        self.now.clone()
    }
}
