//! Legal move generation on bitboards.
//!
//! One generator finds the legal moves as sets, piece by piece, and hands them to a [`Sink`]: a list,
//! a counter or perft. No move is made and taken back to test it: pins and checks are known
//! beforehand, the king avoids the squares that the enemy attacks through it, and only en passant,
//! which empties two squares at once, looks again at the lines to the king.
//!
//! The pseudo-legal generator is the same one blind to pins and checks: what leaves the own king in check is found
//! when the move is made. Castling alone is always tested whole, for a king that has arrived does not show what it crossed.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::bitboards::{Bitboards, Checks, castling_targets, en_passant_victim, forward};
use crate::color::Side;
use crate::moves::{Generate, Move, MoveKind, MoveList};
use crate::piece::{Promotion, Role};
use crate::square::{Rank, Square};

/// What is done with the moves found.
pub(crate) trait Sink {
    /// A knight, bishop, rook, queen or king may go to each of the squares.
    fn piece(&mut self, role: Role, from: Square, to: Bitboard);
    /// A pawn may go to each of the squares, from the square `delta` before it.
    fn pawns(&mut self, to: Bitboard, delta: i32);
    /// Likewise by two squares.
    fn double_pushes(&mut self, to: Bitboard, delta: i32);
    /// Likewise to the last rank, becoming any of four.
    fn promotions(&mut self, to: Bitboard, delta: i32);
    /// A pawn may take en passant.
    fn en_passant(&mut self, from: Square, to: Square);
    /// The king may castle with the rook.
    fn castling(&mut self, king: Square, rook: Square);
}

impl Bitboards {
    /// Hands every legal move of the side to the sink.
    #[inline(always)]
    pub(crate) fn generate<S: Side>(&self, checks: &Checks, what: Generate, sink: &mut impl Sink) {
        if checks.checkers.is_empty() {
            self.piece_moves::<S>(checks, Bitboard::FULL, what, sink);
            self.pawn_moves::<S, true>(checks, Bitboard::FULL, what, sink);
            self.king_moves::<S, true>(checks, what, sink, true);
        } else {
            if let Some(checker) = checks.checkers.single() {
                let answers = attacks::between(checks.king, checker) | checker.into();
                // A pinned piece never answers a check: its line meets the king from elsewhere.
                self.piece_moves::<S>(checks, answers, what, sink);
                self.pawn_moves::<S, true>(checks, answers, what, sink);
            }
            self.king_moves::<S, true>(checks, what, sink, false);
        }
    }

    /// Hands every pseudo-legal move of the side to the sink.
    #[inline(always)]
    pub(crate) fn generate_pseudo_legal<S: Side>(
        &self,
        checks: &Checks,
        what: Generate,
        sink: &mut impl Sink,
    ) {
        let blind = Checks {
            checkers: Bitboard::EMPTY,
            pinned: Bitboard::EMPTY,
            ..*checks
        };
        self.piece_moves::<S>(&blind, Bitboard::FULL, what, sink);
        self.pawn_moves::<S, false>(&blind, Bitboard::FULL, what, sink);
        self.king_moves::<S, false>(&blind, what, sink, checks.checkers.is_empty());
    }

    #[inline(always)]
    fn piece_moves<S: Side>(&self, checks: &Checks, answers: Bitboard, what: Generate, sink: &mut impl Sink) {
        let occupied = self.occupied();
        let targets = answers & self.targets::<S>(what);
        let free = !checks.pinned;
        for from in self.pieces::<S>(Role::Knight) & free {
            sink.piece(Role::Knight, from, attacks::knight(from) & targets);
        }
        for from in self.pieces::<S>(Role::Bishop) & free {
            sink.piece(Role::Bishop, from, attacks::bishop(from, occupied) & targets);
        }
        for from in self.pieces::<S>(Role::Rook) & free {
            sink.piece(Role::Rook, from, attacks::rook(from, occupied) & targets);
        }
        for from in self.pieces::<S>(Role::Queen) & free {
            sink.piece(Role::Queen, from, attacks::queen(from, occupied) & targets);
        }
        if checks.pinned.any() {
            self.pinned_moves::<S>(checks, targets, sink);
        }
    }

    /// Pinned sliders move along their pin; a pinned knight cannot move at all.
    #[inline(always)]
    fn pinned_moves<S: Side>(&self, checks: &Checks, targets: Bitboard, sink: &mut impl Sink) {
        let occupied = self.occupied();
        let along = |from: Square| attacks::line(checks.king, from) & targets;
        for from in self.pieces::<S>(Role::Bishop) & checks.pinned {
            sink.piece(Role::Bishop, from, attacks::bishop(from, occupied) & along(from));
        }
        for from in self.pieces::<S>(Role::Rook) & checks.pinned {
            sink.piece(Role::Rook, from, attacks::rook(from, occupied) & along(from));
        }
        for from in self.pieces::<S>(Role::Queen) & checks.pinned {
            sink.piece(Role::Queen, from, attacks::queen(from, occupied) & along(from));
        }
    }

    #[inline(always)]
    fn pawn_moves<S: Side, const LEGAL: bool>(
        &self,
        checks: &Checks,
        answers: Bitboard,
        what: Generate,
        sink: &mut impl Sink,
    ) {
        let ahead = if S::IS_WHITE { 8 } else { -8 };
        let last = Bitboard::of_rank(Rank::Eighth.relative_to(S::COLOR));
        let pawns = self.pieces::<S>(Role::Pawn);
        // A pinned pawn moves in the one direction of its pin: each kind of move excludes the pawns
        // pinned on another line than the one that it follows through the king.
        let unless_pinned_off = |line: Bitboard| pawns & !(checks.pinned & !line);

        if what.quiets() {
            let empty = !self.occupied();
            let third = Bitboard::of_rank(Rank::Third.relative_to(S::COLOR));
            let single = forward::<S>(unless_pinned_off(checks.king.file().into())) & empty;
            let double = forward::<S>(single & third) & empty & answers;
            let single = single & answers;
            sink.pawns(single & !last, ahead);
            sink.double_pushes(double, 2 * ahead);
            if (single & last).any() {
                sink.promotions(single & last, ahead);
            }
        }

        if what.captures() {
            let targets = self.color(S::Opponent::COLOR) & answers;
            let (rising, falling) = attacks::diagonals(checks.king);
            let (west_line, east_line) = if S::IS_WHITE {
                (falling, rising)
            } else {
                (rising, falling)
            };
            let west = forward::<S>(unless_pinned_off(west_line)).west() & targets;
            let east = forward::<S>(unless_pinned_off(east_line)).east() & targets;
            sink.pawns(west & !last, ahead - 1);
            sink.pawns(east & !last, ahead + 1);
            if ((west | east) & last).any() {
                sink.promotions(west & last, ahead - 1);
                sink.promotions(east & last, ahead + 1);
            }
            if let Some(target) = self.en_passant() {
                self.en_passant_moves::<S, LEGAL>(checks, target, sink);
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn en_passant_moves<S: Side, const LEGAL: bool>(
        &self,
        checks: &Checks,
        target: Square,
        sink: &mut impl Sink,
    ) {
        for from in attacks::pawn(S::Opponent::COLOR, target) & self.pieces::<S>(Role::Pawn) {
            if !LEGAL || self.en_passant_is_safe::<S>(checks, from, target) {
                sink.en_passant(from, target);
            }
        }
    }

    /// Whether the king is safe once both pawns have left their squares.
    pub(crate) fn en_passant_is_safe<S: Side>(&self, checks: &Checks, from: Square, target: Square) -> bool {
        let victim = Bitboard::of(en_passant_victim(from, target));
        let occupied = (self.occupied() ^ from.into() ^ victim) | target.into();
        let leapers = self.role(Role::Knight) | self.role(Role::Pawn);
        (checks.checkers & leapers & !victim).is_empty()
            && (attacks::bishop(checks.king, occupied) & self.diagonal_sliders::<S::Opponent>()).is_empty()
            && (attacks::rook(checks.king, occupied) & self.straight_sliders::<S::Opponent>()).is_empty()
    }

    #[inline(always)]
    fn king_moves<S: Side, const LEGAL: bool>(
        &self,
        checks: &Checks,
        what: Generate,
        sink: &mut impl Sink,
        may_castle: bool,
    ) {
        let king = checks.king;
        let steps = attacks::king(king) & self.targets::<S>(what);
        let rooks = if may_castle && what.quiets() {
            self.castling() & Bitboard::of_rank(Rank::back(S::COLOR))
        } else {
            Bitboard::EMPTY
        };
        if (steps | rooks).is_empty() {
            return;
        }
        // The king does not hide behind itself: sliders see through the square that it leaves.
        let attacked = if LEGAL || rooks.any() {
            self.attacked_by::<S::Opponent>(self.occupied() ^ king.into())
        } else {
            Bitboard::EMPTY
        };
        sink.piece(Role::King, king, if LEGAL { steps & !attacked } else { steps });
        for rook in rooks {
            if self.castling_is_open::<S>(king, rook, attacked) {
                sink.castling(king, rook);
            }
        }
    }

    /// Whether nothing stands in the way and the king crosses no attacked square.
    #[inline(always)]
    fn castling_is_open<S: Side>(&self, king: Square, rook: Square, attacked: Bitboard) -> bool {
        let (king_to, rook_to) = castling_targets(king, rook);
        let others = self.occupied().without(king).without(rook);
        let king_path = attacks::between(king, king_to).with(king_to);
        let rook_path = attacks::between(rook, rook_to).with(rook_to);
        if (others & (king_path | rook_path)).any() || (attacked & king_path).any() {
            return false;
        }
        // In Chess960 the rook may have stood between the king and a slider of the back rank.
        let after = others.with(king_to).with(rook_to);
        (attacks::rook_lines(king_to)
            & self.straight_sliders::<S::Opponent>()
            & Bitboard::of_rank(king.rank()))
        .is_empty()
            || (attacks::rook(king_to, after) & self.straight_sliders::<S::Opponent>()).is_empty()
    }

    #[inline(always)]
    fn targets<S: Side>(&self, what: Generate) -> Bitboard {
        match what {
            Generate::All => !self.color(S::COLOR),
            Generate::Captures => self.color(S::Opponent::COLOR),
            Generate::Quiets => !self.occupied(),
        }
    }
}

/// Writes the moves down.
impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, _: Role, from: Square, to: Bitboard) {
        for to in to {
            self.push(Move::normal(from, to));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, delta: i32) {
        for to in to {
            self.push(Move::normal(to.step(-delta), to));
        }
    }

    #[inline(always)]
    fn double_pushes(&mut self, to: Bitboard, delta: i32) {
        self.pawns(to, delta);
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, delta: i32) {
        for to in to {
            for promotion in Promotion::ALL.into_iter().rev() {
                self.push(Move::new(to.step(-delta), to, MoveKind::Promotion(promotion)));
            }
        }
    }

    #[inline(always)]
    fn en_passant(&mut self, from: Square, to: Square) {
        self.push(Move::new(from, to, MoveKind::EnPassant));
    }

    #[inline(always)]
    fn castling(&mut self, king: Square, rook: Square) {
        self.push(Move::new(king, rook, MoveKind::Castling));
    }
}

/// Counts the moves.
pub(crate) struct Count(pub(crate) u32);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Role, _: Square, to: Bitboard) {
        self.0 += to.len();
    }

    #[inline(always)]
    fn pawns(&mut self, to: Bitboard, _: i32) {
        self.0 += to.len();
    }

    #[inline(always)]
    fn double_pushes(&mut self, to: Bitboard, _: i32) {
        self.0 += to.len();
    }

    #[inline(always)]
    fn promotions(&mut self, to: Bitboard, _: i32) {
        self.0 += 4 * to.len();
    }

    #[inline(always)]
    fn en_passant(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }

    #[inline(always)]
    fn castling(&mut self, _: Square, _: Square) {
        self.0 += 1;
    }
}
