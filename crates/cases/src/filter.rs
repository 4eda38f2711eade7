//! A small search that follows only suggestions where the behaviour is to move.
//!
//! The opponent may answer with anything; at the leaves captures are followed until the position is quiet. What the cases
//! do not suggest is not seen, so this is a test of the cases more than of the search.

use std::time::Instant;

use vidmar_chess::{Color, Generate, Move, MoveList, Position, SIMPLE_VALUES};
use vidmar_engine::Control;
use vidmar_eval::Evaluator;
use vidmar_search::{DRAW, INFINITE, MATE, Value};

use crate::behaviour::Behaviour;

/// One search.
pub(crate) struct FilteredSearch<'s> {
    behaviour: &'s Behaviour,
    evaluator: &'s mut Evaluator,
    control: &'s Control,
    deadline: Option<Instant>,
    most_nodes: u64,
    us: Color,
    /// Plies before the root: suggestions are drawn by them.
    plies: usize,
    pub(crate) nodes: u64,
    is_over: bool,
}

impl<'s> FilteredSearch<'s> {
    pub(crate) fn new(
        behaviour: &'s Behaviour,
        evaluator: &'s mut Evaluator,
        control: &'s Control,
        us: Color,
        plies: usize,
    ) -> FilteredSearch<'s> {
        FilteredSearch {
            behaviour,
            evaluator,
            control,
            deadline: None,
            most_nodes: u64::MAX,
            us,
            plies,
            nodes: 0,
            is_over: false,
        }
    }

    /// Ends the search at a time or after some nodes.
    pub(crate) fn limit(&mut self, deadline: Option<Instant>, nodes: Option<u64>) {
        self.deadline = deadline;
        self.most_nodes = nodes.unwrap_or(u64::MAX);
    }

    /// The best of some moves and its value for the side to move; the first, if there is no time.
    pub(crate) fn best(&mut self, position: &Position, moves: &[Move], depth: u32) -> Option<(Move, Value)> {
        let mut best = (*moves.first()?, -INFINITE);
        for &m in moves {
            let value = -self.after(position, m, depth, 1, -INFINITE, -best.1);
            if self.is_over {
                break;
            }
            if value > best.1 {
                best = (m, value);
            }
        }
        if best.1 == -INFINITE {
            best.1 = self.evaluator.evaluate(position);
        }
        Some(best)
    }

    fn after(
        &mut self,
        position: &Position,
        m: Move,
        depth: u32,
        ply: usize,
        alpha: Value,
        beta: Value,
    ) -> Value {
        let mut next = position.clone();
        next.play(m);
        self.value(&next, depth - 1, ply, alpha, beta)
    }

    fn value(&mut self, position: &Position, depth: u32, ply: usize, mut alpha: Value, beta: Value) -> Value {
        if self.must_end() {
            return DRAW;
        }
        self.nodes += 1;
        let legal = position.legal_moves();
        if legal.is_empty() {
            return if position.in_check() {
                -MATE + ply as Value
            } else {
                DRAW
            };
        }
        if depth == 0 {
            return self.quiet(position, alpha, beta);
        }
        let moves = if position.turn() == self.us {
            self.behaviour.suggestions(position, self.plies + ply, &legal)
        } else {
            Vec::new()
        };
        let mut moves = if moves.is_empty() { legal.to_vec() } else { moves };
        moves.sort_by_key(|&m| -captured_worth(position, m));
        let mut best = -INFINITE;
        for m in moves {
            let value = -self.after(position, m, depth, ply + 1, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta || self.is_over {
                break;
            }
        }
        best
    }

    /// Follows captures that do not lose material.
    fn quiet(&mut self, position: &Position, mut alpha: Value, beta: Value) -> Value {
        let mut best = self.evaluator.evaluate(position);
        alpha = alpha.max(best);
        let mut captures = MoveList::new();
        position.generate(Generate::Captures, &mut captures);
        captures.sort_by_key(|&m| -captured_worth(position, m));
        for m in captures {
            if alpha >= beta || self.must_end() {
                break;
            }
            if !position.see_ge(m, 0, &SIMPLE_VALUES) {
                continue;
            }
            self.nodes += 1;
            let mut next = position.clone();
            next.play(m);
            let value = -self.quiet(&next, -beta, -alpha);
            best = best.max(value);
            alpha = alpha.max(value);
        }
        best
    }

    fn must_end(&mut self) -> bool {
        self.is_over = self.is_over
            || self.control.is_stopped()
            || self.nodes >= self.most_nodes
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        self.is_over
    }
}

fn captured_worth(position: &Position, m: Move) -> i32 {
    position
        .captured(m)
        .map_or(0, |role| SIMPLE_VALUES[role as usize])
}
