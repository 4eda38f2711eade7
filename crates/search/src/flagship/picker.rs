//! The moves of a node, best first, made and scored only as far as they are asked for.
//!
//! Stages: the table's move; captures that do not lose material; killers and the counter move; the other
//! quiet moves by history; the captures that lose. Most nodes end in the first two.

use arrayvec::ArrayVec;
use vidmar_chess::{Bitboard, Generate, Move, MoveList, Piece, Position, Promotion, SeeValues};

use super::history::{Continuation, History};
use super::techniques::{Technique, Techniques};

/// Values in exchanges and captures: close to the evaluation's, fixed so that the search's choices do not move with
/// every tuned evaluation.
pub(crate) const SEE_VALUES: SeeValues = [100, 320, 330, 500, 950, 20_000];

/// A move with its score for the order: sorting these is sorting integers.
#[derive(Copy, Clone)]
struct Scored {
    score: i32,
    m: Move,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Refutations,
    MakeQuiets,
    Quiets,
    BadCaptures,
    Done,
}

/// What of a node's past orders its quiet moves.
#[derive(Copy, Clone)]
pub(crate) struct Context {
    pub(crate) killers: [Option<Move>; 2],
    pub(crate) counter: Option<Move>,
    /// After the moves one, two and four plies before.
    pub(crate) continuations: [Option<Continuation>; 3],
    /// What the opponent attacks.
    pub(crate) threats: Bitboard,
    pub(crate) techniques: Techniques,
}

/// Gives the legal moves of a node one after another.
pub(crate) struct Picker {
    stage: Stage,
    table_move: Option<Move>,
    context: Option<Context>,
    /// Captures must gain at least this to count as good.
    threshold: i32,
    refutations: ArrayVec<Move, 3>,
    moves: ArrayVec<Scored, 256>,
    next: usize,
    bad: ArrayVec<Move, 64>,
}

impl Picker {
    /// All moves of a node; `table_move` must be legal.
    pub(crate) fn new(table_move: Option<Move>, context: Context) -> Picker {
        Picker::with(table_move, Some(context), 0)
    }

    /// Only captures and promotions to a queen, for quiescence and ProbCut; those that gain less than the threshold are left out.
    pub(crate) fn captures(table_move: Option<Move>, threshold: i32) -> Picker {
        Picker::with(table_move, None, threshold)
    }

    fn with(table_move: Option<Move>, context: Option<Context>, threshold: i32) -> Picker {
        Picker {
            stage: Stage::Table,
            table_move,
            context,
            threshold,
            refutations: ArrayVec::new(),
            moves: ArrayVec::new(),
            next: 0,
            bad: ArrayVec::new(),
        }
    }

    /// Whether the moves still to come are quiet or losing ones, so that no capture is skipped by ending early.
    pub(crate) fn skip_quiets(&mut self) {
        if matches!(self.stage, Stage::Refutations | Stage::MakeQuiets | Stage::Quiets) {
            self.stage = Stage::BadCaptures;
            self.next = 0;
        }
    }

    /// The next move.
    pub(crate) fn next(&mut self, position: &Position, history: &History) -> Option<Move> {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Stage::MakeCaptures;
                    if self.table_move.is_some() {
                        return self.table_move;
                    }
                }
                Stage::MakeCaptures => {
                    self.make_captures(position, history);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => match self.best_left() {
                    Some(m) if position.see_ge(m, self.threshold, &SEE_VALUES) => return Some(m),
                    Some(m) => {
                        let _ = self.bad.try_push(m);
                    }
                    None => self.after_captures(position),
                },
                Stage::Refutations => {
                    let m = self.refutations.get(self.next).copied();
                    self.next += 1;
                    if m.is_some() {
                        return m;
                    }
                    self.stage = Stage::MakeQuiets;
                }
                Stage::MakeQuiets => {
                    self.make_quiets(position, history);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if let Some(m) = self.best_left() {
                        return Some(m);
                    }
                    self.stage = Stage::BadCaptures;
                    self.next = 0;
                }
                Stage::BadCaptures => {
                    let m = self.bad.get(self.next).copied();
                    self.next += 1;
                    if m.is_none() {
                        self.stage = Stage::Done;
                    }
                    return m;
                }
                Stage::Done => return None,
            }
        }
    }

    /// The best of what is left in the list, by selection: most nodes ask for a few only.
    #[inline]
    fn best_left(&mut self) -> Option<Move> {
        let rest = self.moves.get_mut(self.next..).filter(|rest| !rest.is_empty())?;
        // The index is part of the number, the first of equals the larger: no branch depends on the scores.
        let ranked =
            |(index, scored): (usize, &Scored)| (i64::from(scored.score) << 8) | (255 - index as i64);
        let best = rest.iter().enumerate().map(ranked).max()?;
        rest.swap(0, 255 - (best & 255) as usize);
        self.next += 1;
        Some(rest[0].m)
    }

    fn make_captures(&mut self, position: &Position, history: &History) {
        let mut list = MoveList::new();
        position.generate(Generate::Captures, &mut list);
        for m in list {
            if Some(m) == self.table_move {
                continue;
            }
            if let (Some(piece), Some(victim)) = (position.piece_at(m.from()), position.captured(m)) {
                let learned = match self.context {
                    Some(context) if !context.techniques.has(Technique::CaptureHistory) => 0,
                    _ => history.capture(piece, m.to(), victim) / 32,
                };
                let promotion = m.promotion().map_or(0, |p| SEE_VALUES[p.role() as usize]);
                let score = SEE_VALUES[victim as usize] * 8 + promotion - piece.role as i32 + learned;
                self.moves.push(Scored { score, m });
            }
        }
        self.add_queen_promotions(position);
    }

    /// A pawn that becomes a queen changes the material as a capture does.
    fn add_queen_promotions(&mut self, position: &Position) {
        let seventh = vidmar_chess::Rank::Seventh.relative_to(position.turn());
        if (position.pieces(position.turn(), vidmar_chess::Role::Pawn) & seventh.into()).is_empty() {
            return;
        }
        let mut list = MoveList::new();
        position.generate(Generate::Quiets, &mut list);
        for m in list {
            if m.promotion() == Some(Promotion::Queen) && Some(m) != self.table_move {
                self.moves.push(Scored {
                    score: SEE_VALUES[4] * 8,
                    m,
                });
            }
        }
    }

    fn after_captures(&mut self, position: &Position) {
        let Some(context) = self.context else {
            self.stage = Stage::Done;
            return;
        };
        for m in context.killers.into_iter().chain([context.counter]).flatten() {
            let known = Some(m) == self.table_move || self.refutations.contains(&m);
            if !known && !position.is_capture(m) && m.promotion().is_none() && position.is_legal(m) {
                self.refutations.push(m);
            }
        }
        self.stage = Stage::Refutations;
        self.moves.clear();
        self.next = 0;
    }

    fn make_quiets(&mut self, position: &Position, history: &History) {
        let Some(context) = self.context else { return };
        let mut list = MoveList::new();
        position.generate(Generate::Quiets, &mut list);
        let side = position.turn();
        self.next = 0;
        for m in list {
            let given = Some(m) == self.table_move
                || self.refutations.contains(&m)
                || m.promotion() == Some(Promotion::Queen);
            if given {
                continue;
            }
            let Some(piece) = position.piece_at(m.from()) else {
                continue;
            };
            let score = quiet_history(history, &context, side, piece, m);
            self.moves.push(Scored { score, m });
        }
    }
}

/// How a quiet move did so far, over all tables in use.
pub(crate) fn quiet_history(
    history: &History,
    context: &Context,
    side: vidmar_chess::Color,
    piece: Piece,
    m: Move,
) -> i32 {
    let mut score = 0;
    if context.techniques.has(Technique::ButterflyHistory) {
        score += history.butterfly(side, context.threats, m);
    }
    if context.techniques.has(Technique::ContinuationHistory) {
        for after in context.continuations.into_iter().flatten() {
            score += history.continuation(after, piece, m.to());
        }
    }
    score
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    /// Whatever the table move, killers and counter are, every legal move comes exactly once.
    #[test]
    fn every_legal_move_once() {
        let fens = [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "8/2p5/3p4/KP5r/1R2Pp1k/8/6P1/8 b - e3 0 1",
            "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
        ];
        let history = History::new();
        for fen in fens {
            let position: Position = fen.parse().expect("legal");
            let legal = position.legal_moves();
            let elsewhere = Position::default().legal_moves();
            for i in 0..=legal.len() {
                let table_move = legal.get(i).copied();
                let context = Context {
                    killers: [legal.get(i / 2).copied(), elsewhere.get(i % 20).copied()],
                    counter: legal.get(i / 3).copied(),
                    continuations: [None; 3],
                    threats: Bitboard::EMPTY,
                    techniques: Techniques::default(),
                };
                let mut picker = Picker::new(table_move, context);
                let given: Vec<Move> = std::iter::from_fn(|| picker.next(&position, &history)).collect();
                let distinct: HashSet<Move> = given.iter().copied().collect();
                assert_eq!(distinct.len(), given.len(), "{fen}: one twice in {given:?}");
                assert_eq!(distinct, legal.iter().copied().collect(), "{fen}");
                if let Some(first) = table_move {
                    assert_eq!(given[0], first);
                }
            }
        }
    }
}
