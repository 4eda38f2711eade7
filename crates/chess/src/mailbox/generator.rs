//! Legal move generation on mailboxes.
//!
//! Checks and pins are found once, from the king. Then pieces walk: a pinned one only along its pin,
//! in check only to cells that answer it, the king only to cells that are not attacked. No move is
//! made to test it.

use super::Mailbox;
use super::attack::{Change, Threats, pawn_captures};
use super::geometry::Geometry;
use super::relation::{
    ALL, DIAGONAL, KNIGHT_JUMPS, NORTH, Relation, SOUTH, STRAIGHT, opposite, same_line, step_of,
};
use crate::bitboard::Bitboard;
use crate::bitboards::{castling_targets, en_passant_victim};
use crate::color::Side;
use crate::moves::{Generate, Move, MoveKind, MoveList};
use crate::piece::{Promotion, Role};
use crate::square::{Rank, Square};

/// What is done with the moves found.
pub(super) trait Sink {
    fn step<G: Geometry>(&mut self, from: u8, to: u8);
    fn promotions<G: Geometry>(&mut self, from: u8, to: u8);
    fn special(&mut self, from: Square, to: Square, kind: MoveKind);
}

/// Writes the moves down.
impl Sink for MoveList {
    #[inline(always)]
    fn step<G: Geometry>(&mut self, from: u8, to: u8) {
        self.push(Move::normal(G::square(from), G::square(to)));
    }

    #[inline(always)]
    fn promotions<G: Geometry>(&mut self, from: u8, to: u8) {
        for promotion in Promotion::ALL.into_iter().rev() {
            self.special(G::square(from), G::square(to), MoveKind::Promotion(promotion));
        }
    }

    #[inline(always)]
    fn special(&mut self, from: Square, to: Square, kind: MoveKind) {
        self.push(Move::new(from, to, kind));
    }
}

/// Counts the moves.
pub(super) struct Count(pub(super) usize);

impl Sink for Count {
    #[inline(always)]
    fn step<G: Geometry>(&mut self, _: u8, _: u8) {
        self.0 += 1;
    }

    #[inline(always)]
    fn promotions<G: Geometry>(&mut self, _: u8, _: u8) {
        self.0 += Promotion::ALL.len();
    }

    #[inline(always)]
    fn special(&mut self, _: Square, _: Square, _: MoveKind) {
        self.0 += 1;
    }
}

/// Which cells a piece other than the king may go to.
trait Goal {
    /// Whether moves that leave the own king in check are kept out.
    const LEGAL: bool = true;

    fn allows<G: Geometry>(&self, to: u8) -> bool;
}

/// Without a check: every cell.
struct Anywhere;

impl Goal for Anywhere {
    #[inline(always)]
    fn allows<G: Geometry>(&self, _: u8) -> bool {
        true
    }
}

/// Pseudo-legal: every cell, come what may.
struct Untested;

impl Goal for Untested {
    const LEGAL: bool = false;

    #[inline(always)]
    fn allows<G: Geometry>(&self, _: u8) -> bool {
        true
    }
}

/// In check: the checker's cell, or one between it and the king.
struct Answer {
    king: u8,
    checker: u8,
    line: Relation,
}

impl Goal for Answer {
    #[inline(always)]
    fn allows<G: Geometry>(&self, to: u8) -> bool {
        let way = Mailbox::<G>::relation(self.king, to);
        // A knight is on no line, and no cell is less than no steps away.
        to == self.checker || (way.direction == self.line.direction && way.distance < self.line.distance)
    }
}

impl<G: Geometry> Mailbox<G> {
    /// Hands every legal move of the side to the sink.
    #[inline(always)]
    pub(super) fn generate_for<S: Side>(&self, what: Generate, sink: &mut impl Sink) {
        let threats = self.threats::<S>();
        if threats.checkers == 0 {
            self.army_moves::<S>(threats, &Anywhere, what, sink);
            if what.quiets() && self.castling.any() {
                self.castling_moves::<S>(sink);
            }
        } else if threats.checkers == 1 {
            self.answers::<S>(threats, what, sink);
        }
        self.king_moves::<S, true>(threats, what, sink);
    }

    /// Hands every pseudo-legal move of the side to the sink: pins and checks are not looked at, except for castling.
    #[inline(always)]
    pub(super) fn generate_pseudo_legal_for<S: Side>(&self, what: Generate, sink: &mut impl Sink) {
        self.army_moves::<S>(Threats::NONE, &Untested, what, sink);
        if what.quiets() && self.castling.any() && !self.is_in_check::<S>() {
            self.castling_moves::<S>(sink);
        }
        self.king_moves::<S, false>(Threats::NONE, what, sink);
    }

    #[cold]
    #[inline(never)]
    fn answers<S: Side>(&self, threats: Threats, what: Generate, sink: &mut impl Sink) {
        let king = self.armies[S::COLOR].king();
        let answer = Answer {
            king,
            checker: threats.checker,
            line: Self::relation(king, threats.checker),
        };
        self.army_moves::<S>(threats, &answer, what, sink);
    }

    #[inline(always)]
    fn army_moves<S: Side>(&self, threats: Threats, goal: &impl Goal, what: Generate, sink: &mut impl Sink) {
        let army = &self.armies[S::COLOR];
        for (slot, from) in army.pieces(Role::Knight) {
            // A pinned knight cannot move at all.
            if !threats.pinned.contains(slot) {
                for jump in KNIGHT_JUMPS {
                    if let Some(to) = G::jump(from, jump)
                        && self.invites::<S>(to, what)
                        && goal.allows::<G>(to)
                    {
                        sink.step::<G>(from, to);
                    }
                }
            }
        }
        self.slider_moves::<S>(Role::Bishop, DIAGONAL, threats, goal, what, sink);
        self.slider_moves::<S>(Role::Rook, STRAIGHT, threats, goal, what, sink);
        self.slider_moves::<S>(Role::Queen, ALL, threats, goal, what, sink);
        self.pawn_moves::<S, _>(threats, goal, what, sink);
    }

    /// Whether a piece of the side may go there, were it not for checks.
    #[inline(always)]
    fn invites<S: Side>(&self, to: u8, what: Generate) -> bool {
        let cell = self.look(to);
        match what {
            Generate::All => cell.is_empty() || cell.is_of(S::Opponent::COLOR),
            Generate::Captures => cell.is_of(S::Opponent::COLOR),
            Generate::Quiets => cell.is_empty(),
        }
    }

    #[inline(always)]
    fn slider_moves<S: Side>(
        &self,
        role: Role,
        directions: std::ops::Range<u8>,
        threats: Threats,
        goal: &impl Goal,
        what: Generate,
        sink: &mut impl Sink,
    ) {
        let army = &self.armies[S::COLOR];
        for (slot, from) in army.pieces(role) {
            if threats.pinned.contains(slot) {
                let pin = Self::relation(army.king(), from).direction;
                if directions.contains(&pin) {
                    self.slide::<S>(from, pin, goal, what, sink);
                    self.slide::<S>(from, opposite(pin), goal, what, sink);
                }
            } else {
                for direction in directions.clone() {
                    self.slide::<S>(from, direction, goal, what, sink);
                }
            }
        }
    }

    #[inline(always)]
    fn slide<S: Side>(
        &self,
        from: u8,
        direction: u8,
        goal: &impl Goal,
        what: Generate,
        sink: &mut impl Sink,
    ) {
        let step = step_of(direction);
        let mut at = from;
        while let Some(to) = G::step(at, step) {
            let cell = self.look(to);
            if !cell.is_empty() {
                if what.captures() && cell.is_of(S::Opponent::COLOR) && goal.allows::<G>(to) {
                    sink.step::<G>(from, to);
                }
                return;
            }
            if what.quiets() && goal.allows::<G>(to) {
                sink.step::<G>(from, to);
            }
            at = to;
        }
    }

    #[inline(always)]
    fn pawn_moves<S: Side, T: Goal>(&self, threats: Threats, goal: &T, what: Generate, sink: &mut impl Sink) {
        let army = &self.armies[S::COLOR];
        let ahead = if S::IS_WHITE { NORTH } else { SOUTH };
        for (slot, from) in army.pieces(Role::Pawn) {
            let pin = threats
                .pinned
                .contains(slot)
                .then(|| Self::relation(army.king(), from).direction);
            let free = |direction| pin.is_none_or(|pin| same_line(pin, direction));
            let promotes = is_on::<G>(from, Rank::Seventh.relative_to(S::COLOR));
            if what.quiets() && free(ahead) {
                self.pawn_steps::<S>(from, promotes, goal, sink);
            }
            if what.captures() {
                for direction in pawn_captures::<S>() {
                    if let Some(to) = G::step(from, step_of(direction))
                        && self.look(to).is_of(S::Opponent::COLOR)
                        && free(direction)
                        && goal.allows::<G>(to)
                    {
                        if promotes {
                            sink.promotions::<G>(from, to);
                        } else {
                            sink.step::<G>(from, to);
                        }
                    }
                }
            }
        }
        if what.captures() && self.en_passant.is_some() {
            self.en_passant_moves::<S>(T::LEGAL, sink);
        }
    }

    #[inline(always)]
    fn pawn_steps<S: Side>(&self, from: u8, promotes: bool, goal: &impl Goal, sink: &mut impl Sink) {
        let ahead = step_of(if S::IS_WHITE { NORTH } else { SOUTH });
        let vacant = |from| G::step(from, ahead).filter(|&to| self.look(to).is_empty());
        let Some(one) = vacant(from) else { return };
        if promotes {
            if goal.allows::<G>(one) {
                sink.promotions::<G>(from, one);
            }
            return;
        }
        if goal.allows::<G>(one) {
            sink.step::<G>(from, one);
        }
        if is_on::<G>(from, Rank::Second.relative_to(S::COLOR))
            && let Some(two) = vacant(one)
            && goal.allows::<G>(two)
        {
            sink.step::<G>(from, two);
        }
    }

    #[cold]
    #[inline(never)]
    fn en_passant_moves<S: Side>(&self, legal: bool, sink: &mut impl Sink) {
        let Some(target) = self.en_passant else { return };
        for from in self.en_passant_origins::<S>(target) {
            if !legal || self.en_passant_is_safe::<S>(from, target) {
                sink.special(from, target, MoveKind::EnPassant);
            }
        }
    }

    /// The pawns of the side that stand ready to take on the square.
    pub(super) fn en_passant_origins<S: Side>(&self, target: Square) -> impl Iterator<Item = Square> {
        pawn_captures::<S::Opponent>()
            .into_iter()
            .filter_map(move |direction| G::step(G::cell(target), step_of(direction)))
            .filter(|&from| self.look(from).is(Role::Pawn.of(S::COLOR)))
            .map(G::square)
    }

    /// Whether the king is safe once both pawns have left their squares.
    pub(super) fn en_passant_is_safe<S: Side>(&self, from: Square, target: Square) -> bool {
        let victim = G::cell(en_passant_victim(from, target));
        let change = Change {
            emptied: [G::cell(from), victim],
            ..Change::plain(G::cell(from), G::cell(target))
        };
        !self.will_be_attacked_by::<S::Opponent>(self.armies[S::COLOR].king(), change, victim)
    }

    #[inline(always)]
    fn king_moves<S: Side, const LEGAL: bool>(&self, threats: Threats, what: Generate, sink: &mut impl Sink) {
        let king = self.armies[S::COLOR].king();
        for direction in ALL {
            if let Some(to) = G::step(king, step_of(direction))
                && self.invites::<S>(to, what)
                && threats.retreats >> direction & 1 == 0
                && !(LEGAL && self.is_attacked_by::<S::Opponent>(to))
            {
                sink.step::<G>(king, to);
            }
        }
    }

    #[inline(always)]
    fn castling_moves<S: Side>(&self, sink: &mut impl Sink) {
        let king = G::square(self.armies[S::COLOR].king());
        for rook in self.castling & Bitboard::of_rank(Rank::back(S::COLOR)) {
            if self.may_castle::<S>(king, rook) {
                sink.special(king, rook, MoveKind::Castling);
            }
        }
    }

    /// Whether castling with a rook that has the right is possible now; the king is not in check.
    pub(super) fn may_castle<S: Side>(&self, king: Square, rook: Square) -> bool {
        let (king_to, rook_to) = castling_targets(king, rook);
        self.castling_is_open::<S>(G::cell(king), G::cell(rook), G::cell(king_to), G::cell(rook_to))
    }
}

/// Whether a cell is on the rank.
#[inline(always)]
fn is_on<G: Geometry>(cell: u8, rank: Rank) -> bool {
    use crate::square::File;
    let (first, last) = (
        G::cell(Square::at(File::A, rank)),
        G::cell(Square::at(File::H, rank)),
    );
    (first..=last).contains(&cell)
}
