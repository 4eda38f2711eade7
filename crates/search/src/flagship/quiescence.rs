//! Quiescence: captures until the position is calm enough to be evaluated.
//!
//! In check every move is tried; otherwise the side may stand pat on the static value, and only captures and
//! promotions to a queen that do not lose material are tried, and at its first ply quiet checks that do not.

use vidmar_chess::{Bitboard, Board, Bound, Move, MoveList, Role};
use vidmar_eval::Evaluation;

use super::picker::{Context, Picker, SEE_VALUES};
use super::table::{Entry, NO_STATIC};
use super::techniques::Technique;
use super::worker::Worker;
use crate::value::{DRAW, INFINITE, MAX_PLY, Value, is_mate, mated_at};

/// What one node of quiescence knows so far.
struct Calm {
    alpha: Value,
    beta: Value,
    ply: usize,
    /// The static value as the evaluation gave it, and what standing pat is worth.
    raw: Value,
    standing: Value,
    best: Value,
    best_move: Option<Move>,
}

impl<E: Evaluation> Worker<'_, E> {
    /// The value of the position once the captures are over; `checks` says whether quiet checks are tried as well.
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
        checks: bool,
    ) -> Value {
        self.enter::<PV>(ply);
        if self.is_over() {
            return DRAW;
        }
        self.quiescence_nodes += 1;
        if self.is_draw(ply) {
            return DRAW;
        }
        let in_check = self.board.in_check();
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.evaluate() };
        }
        let checks = checks && !in_check && self.uses(Technique::QuietChecks);
        let depth = if checks { 0 } else { -1 };
        let key = self.board.key();
        let entry = self.shared.table.get(key, ply);
        if !PV
            && let Some(entry) = entry
            && entry.depth >= depth
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            }
        {
            return entry.value;
        }

        let mut calm = self.stand_pat(alpha, beta, ply, in_check, entry.as_ref());
        if calm.best < beta {
            let count = self.loud_moves::<PV>(&mut calm, in_check, entry.and_then(|entry| entry.best));
            if in_check && count == 0 {
                return mated_at(ply);
            }
            if checks && calm.best < beta && !self.is_over() {
                self.quiet_checks::<PV>(&mut calm);
            }
        } else {
            return calm.best;
        }
        if self.is_over() {
            return DRAW;
        }
        let bound = if calm.best >= beta {
            Bound::Lower
        } else if PV && calm.best > alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let learned = Entry {
            best: calm.best_move,
            value: calm.best,
            static_value: calm.raw,
            depth,
            bound,
            pv: entry.is_some_and(|entry| entry.pv),
        };
        self.shared.table.put(key, ply, learned);
        calm.best
    }

    /// What doing nothing is worth; in check it is not allowed.
    fn stand_pat(
        &mut self,
        alpha: Value,
        beta: Value,
        ply: usize,
        in_check: bool,
        entry: Option<&Entry>,
    ) -> Calm {
        let mut calm = Calm {
            alpha,
            beta,
            ply,
            raw: NO_STATIC,
            standing: -INFINITE,
            best: -INFINITE,
            best_move: None,
        };
        if in_check {
            return calm;
        }
        calm.raw = match entry {
            Some(entry) if entry.static_value != NO_STATIC => entry.static_value,
            _ => self.evaluate(),
        };
        calm.best = self.corrected(calm.raw, self.correction_keys(ply));
        if let Some(entry) = entry
            && !is_mate(entry.value)
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value > calm.best,
                Bound::Upper => entry.value < calm.best,
            }
        {
            calm.best = entry.value;
        }
        calm.standing = calm.best;
        calm.alpha = calm.alpha.max(calm.best);
        calm
    }

    /// Captures and promotions to a queen, in check all moves; how many there were.
    fn loud_moves<const PV: bool>(
        &mut self,
        calm: &mut Calm,
        in_check: bool,
        table_move: Option<Move>,
    ) -> usize {
        let table_move = table_move.filter(|&m| {
            let position = self.board.current();
            position.is_legal(m) && (in_check || position.is_capture(m))
        });
        let mut picker = if in_check {
            let context = Context {
                killers: [None; 2],
                counter: None,
                continuations: [None; 3],
                threats: Bitboard::EMPTY,
                techniques: self.shared.techniques,
            };
            Picker::new(table_move, context)
        } else {
            Picker::captures(table_move, 0)
        };
        let mut count = 0;
        while let Some(m) = picker.next(self.board.current(), self.history) {
            count += 1;
            if !in_check && !is_mate(calm.best) && self.misses_alpha(calm, m) {
                continue;
            }
            // One answer to a check that is not mated is enough to know the worst is averted.
            if in_check && count > 3 && !is_mate(calm.best) && !self.board.current().is_capture(m) {
                break;
            }
            if self.try_calm::<PV>(calm, m) {
                break;
            }
        }
        count
    }

    /// Even with what it captures the move does not come near alpha; the value it might reach is kept.
    fn misses_alpha(&self, calm: &mut Calm, m: Move) -> bool {
        if !self.uses(Technique::DeltaPruning) || m.promotion().is_some() {
            return false;
        }
        let victim = self
            .board
            .current()
            .captured(m)
            .map_or(0, |role: Role| SEE_VALUES[role as usize]);
        let reach = calm.standing + victim + self.shared.parameters.delta_margin;
        if reach > calm.alpha {
            return false;
        }
        calm.best = calm.best.max(reach);
        true
    }

    /// Quiet moves that check and are not simply lost.
    fn quiet_checks<const PV: bool>(&mut self, calm: &mut Calm) {
        let mut list = MoveList::new();
        self.board.current().generate_quiet_checks(&mut list);
        for m in list {
            if self.board.current().see_ge(m, 0, &SEE_VALUES) && self.try_calm::<PV>(calm, m) {
                return;
            }
        }
    }

    /// Searches a move; whether the node is over.
    fn try_calm<const PV: bool>(&mut self, calm: &mut Calm, m: Move) -> bool {
        self.make(m, calm.ply);
        let value = -self.quiescence::<PV>(-calm.beta, -calm.alpha, calm.ply + 1, false);
        self.board.unmake();
        if self.is_over() {
            return true;
        }
        if value > calm.best {
            calm.best = value;
            if value > calm.alpha {
                calm.alpha = value;
                calm.best_move = Some(m);
                if PV {
                    self.lines.improve(calm.ply, m);
                }
                return value >= calm.beta;
            }
        }
        false
    }
}
