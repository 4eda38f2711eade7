//! A playable position.
//!
//! It can only be had by validating a [`Setup`], and only changes by legal moves, so that code which
//! holds one never checks again. Pieces, keys, checks and clocks change together in
//! [`Position::play`] and nowhere else.

use std::num::NonZeroU16;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::bitboards::{Bitboards, Checks, castling_targets, en_passant_victim};
use crate::color::{Color, Side, with_side};
use crate::generator::Count;
use crate::key::Key;
use crate::moves::{Generate, Move, MoveKind, MoveList};
use crate::piece::{Piece, Promotion, Role};
use crate::setup::Setup;
use crate::square::Square;
use crate::walk;

mod checking;
mod legality;

pub use checking::CheckingSquares;

/// A legal chess position: pieces, side to move, castling rights, en passant, clocks, keys.
///
/// ```
/// use vidmar_chess::Position;
/// let mut position = Position::default();
/// assert_eq!(position.legal_moves().len(), 20);
/// let e4 = position.parse_san("e4")?;
/// position.play(e4);
/// assert_eq!(position.to_string(), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
/// # Ok::<(), vidmar_chess::SanError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Position {
    sets: Bitboards,
    /// The same pieces by square, for "what stands there".
    roles: [Option<Role>; 64],
    key: Key,
    pawn_key: Key,
    checks: Checks,
    turn: Color,
    halfmoves: u16,
    fullmoves: NonZeroU16,
}

impl Default for Position {
    /// The start position.
    fn default() -> Position {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
            .parse()
            .expect("the start position is legal")
    }
}

/// Two positions are equal when they look the same and the same moves and rules lie ahead.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        self.sets == other.sets
            && self.turn == other.turn
            && self.halfmoves == other.halfmoves
            && self.fullmoves == other.fullmoves
    }
}

impl Eq for Position {}

impl Position {
    /// Only for setups without faults.
    pub(crate) fn from_valid(setup: &Setup) -> Position {
        let mut sets = Bitboards::EMPTY;
        let mut roles = [None; 64];
        for square in Square::ALL {
            if let Some(Piece { color, role }) = setup.board[square.index()] {
                sets.put(color, role, square);
                roles[square.index()] = Some(role);
            }
        }
        sets.set_castling(setup.castling);
        with_side!(setup.turn, S => sets.set_en_passant::<S>(setup.en_passant));
        let mut position = Position {
            checks: with_side!(setup.turn, S => sets.checks::<S>()),
            sets,
            roles,
            key: Key::default(),
            pawn_key: Key::default(),
            turn: setup.turn,
            halfmoves: setup.halfmoves,
            fullmoves: setup.fullmoves,
        };
        (position.key, position.pawn_key) = position.recomputed_keys();
        position
    }

    /// The same position as an editable setup. The en-passant square is given only where a pawn can
    /// really take there.
    pub fn setup(&self) -> Setup {
        Setup {
            board: Square::ALL.map(|square| self.piece_at(square)),
            turn: self.turn,
            castling: self.sets.castling(),
            en_passant: self.legal_en_passant(),
            halfmoves: self.halfmoves,
            fullmoves: self.fullmoves,
        }
    }

    /// The side to move.
    #[inline]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// All pieces.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.sets.occupied()
    }

    /// A side's pieces.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.sets.color(color)
    }

    /// Both sides' pieces of a role.
    #[inline]
    pub fn role(&self, role: Role) -> Bitboard {
        self.sets.role(role)
    }

    /// A side's pieces of a role.
    #[inline]
    pub fn pieces(&self, color: Color, role: Role) -> Bitboard {
        self.sets.color(color) & self.sets.role(role)
    }

    /// A side's king.
    #[inline]
    pub fn king(&self, color: Color) -> Square {
        with_side!(color, S => self.sets.king::<S>())
    }

    /// What stands on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let color = if self.sets.color(Color::White).contains(square) {
            Color::White
        } else {
            Color::Black
        };
        self.roles[square.index()].map(|role| role.of(color))
    }

    /// What stands on a square, whoever's it is.
    #[inline]
    pub fn role_at(&self, square: Square) -> Option<Role> {
        self.roles[square.index()]
    }

    /// The rooks with which castling is still allowed.
    #[inline]
    pub fn castling(&self) -> Bitboard {
        self.sets.castling()
    }

    /// The square that a pawn has just passed, if an enemy pawn stands ready to take it there,
    /// whether or not its king allows it.
    #[inline]
    pub fn en_passant(&self) -> Option<Square> {
        self.sets.en_passant()
    }

    /// The en-passant square, if taking there is legal.
    pub fn legal_en_passant(&self) -> Option<Square> {
        let target = self.sets.en_passant()?;
        let candidates = attacks::pawn(!self.turn, target) & self.pieces(self.turn, Role::Pawn);
        with_side!(self.turn, S => {
            candidates.into_iter().any(|from| self.sets.en_passant_is_safe::<S>(&self.checks, from, target))
        })
        .then_some(target)
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    pub fn halfmoves(&self) -> u16 {
        self.halfmoves
    }

    /// The number of the move to come.
    #[inline]
    pub fn fullmoves(&self) -> NonZeroU16 {
        self.fullmoves
    }

    /// The PolyGlot key.
    #[inline]
    pub fn key(&self) -> Key {
        self.key
    }

    /// The key of the pawns alone.
    #[inline]
    pub fn pawn_key(&self) -> Key {
        self.pawn_key
    }

    /// The key by which the rules call two positions the same: an en-passant capture that is not
    /// legal does not count.
    #[inline]
    pub fn repetition_key(&self) -> Key {
        match self.sets.en_passant() {
            Some(square) if self.legal_en_passant().is_none() => self.key ^ Key::en_passant(square.file()),
            _ => self.key,
        }
    }

    /// Both keys, computed from the pieces.
    pub fn recomputed_keys(&self) -> (Key, Key) {
        let mut pawns = Key::default();
        let mut key = Key::turn(self.turn) ^ Key::castling(self.castling(), self.role(Role::King));
        if let Some(square) = self.en_passant() {
            key ^= Key::en_passant(square.file());
        }
        for square in self.occupied() {
            if let Some(piece) = self.piece_at(square) {
                key ^= Key::piece(piece, square);
                if piece.role == Role::Pawn {
                    pawns ^= Key::piece(piece, square);
                }
            }
        }
        (key, pawns)
    }

    /// The pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checks.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checks.checkers.any()
    }

    /// The pieces of the side to move that alone shield their king from a slider.
    #[inline]
    pub fn pinned(&self) -> Bitboard {
        self.checks.pinned
    }

    /// The pieces of both sides that attack a square when `occupied` stops the sliders.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.sets.attackers_to(square, occupied)
    }

    /// Every square that a side attacks.
    #[inline]
    pub fn attacked_by(&self, color: Color) -> Bitboard {
        with_side!(color, S => self.sets.attacked_by::<S>(self.occupied()))
    }

    /// All legal moves.
    #[inline]
    pub fn legal_moves(&self) -> MoveList {
        let mut moves = MoveList::new();
        self.generate(Generate::All, &mut moves);
        moves
    }

    /// Adds the legal moves of one sort to a list.
    pub fn generate(&self, what: Generate, moves: &mut MoveList) {
        with_side!(self.turn, S => match what {
            Generate::All => self.sets.generate::<S>(&self.checks, Generate::All, moves),
            Generate::Captures => self.sets.generate::<S>(&self.checks, Generate::Captures, moves),
            Generate::Quiets => self.sets.generate::<S>(&self.checks, Generate::Quiets, moves),
        });
    }

    /// Adds the pseudo-legal moves of one sort to a list: see [`Board::generate_pseudo_legal`](crate::Board::generate_pseudo_legal).
    pub fn generate_pseudo_legal(&self, what: Generate, moves: &mut MoveList) {
        let (sets, checks) = (&self.sets, &self.checks);
        with_side!(self.turn, S => match what {
            Generate::All => sets.generate_pseudo_legal::<S>(checks, Generate::All, moves),
            Generate::Captures => sets.generate_pseudo_legal::<S>(checks, Generate::Captures, moves),
            Generate::Quiets => sets.generate_pseudo_legal::<S>(checks, Generate::Quiets, moves),
        });
    }

    /// How many legal moves there are, without writing them down.
    pub fn count_legal_moves(&self) -> usize {
        let mut count = Count(0);
        with_side!(self.turn, S => self.sets.generate::<S>(&self.checks, Generate::All, &mut count));
        count.0 as usize
    }

    /// How many legal moves the other side would have if this one passed; it must not be in check.
    pub fn count_replies_to_pass(&self) -> usize {
        let sets = self.sets.after_null();
        let mut count = Count(0);
        with_side!(self.turn, S => {
            type Opponent = <S as Side>::Opponent;
            sets.generate::<Opponent>(&sets.checks::<Opponent>(), Generate::All, &mut count);
        });
        count.0 as usize
    }

    /// The number of move sequences of `depth` plies.
    pub fn perft(&self, depth: u32) -> u64 {
        with_side!(self.turn, S => walk::perft::<S>(&self.sets, depth))
    }

    /// Whether the move takes something.
    #[inline]
    pub fn is_capture(&self, m: Move) -> bool {
        m.is_en_passant() || (!m.is_castling() && self.occupied().contains(m.to()))
    }

    /// The role of the piece that the move takes.
    #[inline]
    pub fn captured(&self, m: Move) -> Option<Role> {
        match m.kind() {
            MoveKind::EnPassant => Some(Role::Pawn),
            MoveKind::Castling => None,
            MoveKind::Normal | MoveKind::Promotion(_) => self.roles[m.to().index()],
        }
    }

    /// Makes a legal move. (An illegal one leaves a position that breaks the rules, but no other
    /// harm: test words of unknown origin with [`is_legal`](Position::is_legal) first.)
    #[inline]
    pub fn play(&mut self, m: Move) {
        with_side!(self.turn, S => self.play_as::<S>(m));
    }

    fn play_as<S: Side>(&mut self, m: Move) {
        let (from, to) = (m.from(), m.to());
        if let Some(square) = self.sets.en_passant() {
            self.key ^= Key::en_passant(square.file());
        }
        let rights = self.sets.castling();
        let kings = self.sets.role(Role::King);
        self.halfmoves = self.halfmoves.saturating_add(1);
        match m.kind() {
            MoveKind::Normal => self.play_normal::<S>(from, to),
            MoveKind::Promotion(promotion) => self.play_promotion::<S>(from, to, promotion),
            MoveKind::EnPassant => {
                self.sets = self.sets.after_en_passant::<S>(from, to);
                self.remove(Role::Pawn.of(S::Opponent::COLOR), en_passant_victim(from, to));
                self.relocate(Role::Pawn.of(S::COLOR), from, to);
                self.halfmoves = 0;
            }
            MoveKind::Castling => {
                let (king_to, rook_to) = castling_targets(from, to);
                self.sets = self.sets.after_castling::<S>(from, to);
                self.remove(Role::King.of(S::COLOR), from);
                self.remove(Role::Rook.of(S::COLOR), to);
                self.add(Role::King.of(S::COLOR), king_to);
                self.add(Role::Rook.of(S::COLOR), rook_to);
            }
        }
        let lost = rights ^ self.sets.castling();
        if lost.any() {
            self.key ^= Key::castling(lost, kings);
        }
        self.end_turn::<S>();
    }

    #[inline(always)]
    fn play_normal<S: Side>(&mut self, from: Square, to: Square) {
        let Some(role) = self.roles[from.index()] else {
            return;
        };
        if let Some(taken) = self.roles[to.index()] {
            self.remove(taken.of(S::Opponent::COLOR), to);
            self.halfmoves = 0;
        }
        if role == Role::Pawn {
            self.halfmoves = 0;
            if from as u8 ^ to as u8 == 16 {
                self.sets = self.sets.after_double_push::<S>(from, to);
                if let Some(square) = self.sets.en_passant() {
                    self.key ^= Key::en_passant(square.file());
                }
                self.relocate(Role::Pawn.of(S::COLOR), from, to);
                return;
            }
        }
        self.sets = self.sets.after_move::<S>(role, from, to);
        self.relocate(role.of(S::COLOR), from, to);
    }

    #[inline(always)]
    fn play_promotion<S: Side>(&mut self, from: Square, to: Square, promotion: Promotion) {
        if let Some(taken) = self.roles[to.index()] {
            self.remove(taken.of(S::Opponent::COLOR), to);
        }
        self.sets = self.sets.after_promotion::<S>(from, to, promotion);
        self.remove(Role::Pawn.of(S::COLOR), from);
        self.add(promotion.role().of(S::COLOR), to);
        self.halfmoves = 0;
    }

    /// Passes. Not a move of chess: searches use it. The side must not be in check.
    pub fn play_null(&mut self) {
        if let Some(square) = self.sets.en_passant() {
            self.key ^= Key::en_passant(square.file());
        }
        self.sets = self.sets.after_null();
        self.halfmoves = self.halfmoves.saturating_add(1);
        with_side!(self.turn, S => self.end_turn::<S>());
    }

    #[inline(always)]
    fn end_turn<S: Side>(&mut self) {
        self.key ^= Key::WHITE_TO_MOVE;
        self.turn = S::Opponent::COLOR;
        if !S::IS_WHITE {
            self.fullmoves = self.fullmoves.saturating_add(1);
        }
        self.checks = self.sets.checks::<S::Opponent>();
    }

    /// Square view and keys only, as the next two: the sets change in [`Bitboards`].
    #[inline(always)]
    fn add(&mut self, piece: Piece, square: Square) {
        self.roles[square.index()] = Some(piece.role);
        self.toggle_keys(piece, square);
    }

    #[inline(always)]
    fn remove(&mut self, piece: Piece, square: Square) {
        self.roles[square.index()] = None;
        self.toggle_keys(piece, square);
    }

    #[inline(always)]
    fn relocate(&mut self, piece: Piece, from: Square, to: Square) {
        self.remove(piece, from);
        self.add(piece, to);
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
