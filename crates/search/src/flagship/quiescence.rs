//! Quiescence: captures until the position is calm enough to be judged.
//!
//! In check every move is tried; otherwise the side may stand pat on the static value, and only captures and
//! promotions to a queen that do not lose material are tried.

use vidmar_chess::{Board, Role};

use super::picker::{Context, EXCHANGE, Picker};
use super::table::{Bound, Entry, NO_STATIC};
use super::techniques::Technique;
use super::worker::{Evaluator, Worker};
use crate::value::{DRAW, INFINITE, MAX_PLY, Value, is_mate, mated_at};

impl<E: Evaluator> Worker<'_, E> {
    /// The value of the position once the captures are over; `depth` is 0 and falls.
    pub(crate) fn quiescence<const PV: bool>(
        &mut self,
        mut alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
    ) -> Value {
        self.enter::<PV>(ply);
        if self.is_over() || self.is_draw(ply) {
            return DRAW;
        }
        let in_check = self.board.in_check();
        if ply >= MAX_PLY {
            return if in_check { DRAW } else { self.evaluate() };
        }
        let key = self.board.key();
        let entry = self.shared.table.get(key, ply);
        if !PV
            && let Some(entry) = entry
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value >= beta,
                Bound::Upper => entry.value <= alpha,
            }
        {
            return entry.value;
        }

        let first_alpha = alpha;
        let mut raw = NO_STATIC;
        let mut best = -INFINITE;
        if !in_check {
            raw = match entry {
                Some(entry) if entry.static_value != NO_STATIC => entry.static_value,
                _ => self.evaluate(),
            };
            best = self.corrected(raw, self.board.pawn_key());
            if let Some(entry) = entry
                && !is_mate(entry.value)
                && match entry.bound {
                    Bound::Exact => true,
                    Bound::Lower => entry.value > best,
                    Bound::Upper => entry.value < best,
                }
            {
                best = entry.value;
            }
            if best >= beta {
                return best;
            }
            alpha = alpha.max(best);
        }
        let standing = best;

        let table_move = entry.and_then(|entry| entry.best).filter(|&m| {
            let position = self.board.current();
            position.is_legal(m) && (in_check || position.is_capture(m))
        });
        let mut picker = if in_check {
            let techniques = self.shared.techniques;
            let context = Context { killers: [None; 2], counter: None, continuations: [None; 3], techniques };
            Picker::new(table_move, context)
        } else {
            Picker::captures(table_move, 0)
        };
        let mut best_move = None;
        let mut count = 0;
        while let Some(m) = picker.next(self.board.current(), self.history) {
            count += 1;
            if !in_check && !is_mate(best) && self.uses(Technique::DeltaPruning) && m.promotion().is_none() {
                let victim = self.board.current().captured(m).map_or(0, |role: Role| EXCHANGE[role as usize]);
                let reach = standing + victim + self.shared.parameters.delta_margin;
                if reach <= alpha {
                    best = best.max(reach);
                    continue;
                }
            }
            // One answer to a check that is not mated is enough to know the worst is averted.
            if in_check && count > 3 && !is_mate(best) && !self.board.current().is_capture(m) {
                break;
            }
            self.make(m, ply);
            let value = -self.quiescence::<PV>(-beta, -alpha, depth - 1, ply + 1);
            self.board.unmake();
            if self.is_over() {
                return DRAW;
            }
            if value > best {
                best = value;
                if value > alpha {
                    alpha = value;
                    best_move = Some(m);
                    if PV {
                        self.lines.extend(ply, m);
                    }
                    if value >= beta {
                        break;
                    }
                }
            }
        }
        if in_check && count == 0 {
            return mated_at(ply);
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if PV && best > first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let pv = entry.is_some_and(|entry| entry.pv);
        let learned = Entry { best: best_move, value: best, static_value: raw, depth: -1, bound, pv };
        self.shared.table.put(key, ply, learned);
        best
    }
}
