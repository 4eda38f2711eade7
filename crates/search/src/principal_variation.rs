//! The principal variation of an iteration, from what the search has left: no node is visited for it.
//!
//! The [triangular array](crate::lines) ends wherever the table answered, and where windows are minimal only the first two moves of
//! its line are proven. The table goes on from there: a node on the principal variation of MTD(f) was cut off in one of its searches
//! and failed low in another, and its entry keeps the move that cut off. A node of an entry without such a move has at least one
//! that came nearest. (The principal variation is what the proof of the lower bound and that of the upper one have in common:
//! Plaat, Schaeffer, Pijls and de Bruin 1996.)
//!
//! Entries may have been replaced or be those of other searches. So moves must be legal, and each entry must allow the value that
//! the line leads to; where that ends the line early, the longer one of the array is taken.

use vidmar_chess::{Board, Bound, Move};

use crate::draws::{self, table_key};
use crate::report::Report;
use crate::table::{Entry, Table};
use crate::value::{Value, from_root};
use crate::worker::Worker;

/// The line of an iteration that has just ended; its first move is the best one.
pub(crate) fn of_iteration<B: Board, E>(
    worker: &Worker<'_, B, E>,
    depth: u32,
    value: Value,
    bound: Bound,
) -> Vec<Move> {
    let table = worker.shared.table;
    let exact = worker.shared.settings.exact;
    let (collected, proven) = worker.root.collected();
    let known = (bound == Bound::Exact).then_some(value);
    let walk = |line: &[Move], known| Walk::new(&worker.board, table, exact, depth, known, line).go_on();
    let line = walk(&collected[..proven.min(collected.len())], known);
    if line.len() < collected.len() {
        // What is not proven may not lead to the value.
        walk(&collected, None)
    } else {
        line
    }
}

/// The best move of a search, and the line that the table has after it.
pub(crate) fn from_table<B: Board, E>(worker: &Worker<'_, B, E>, report: &Report) -> Vec<Move> {
    let known = (report.bound == Bound::Exact).then_some(report.value);
    let exact = worker.shared.settings.exact;
    let best: Vec<Move> = report.best.into_iter().collect();
    Walk::new(
        &worker.board,
        worker.shared.table,
        exact,
        report.depth,
        known,
        &best,
    )
    .go_on()
}

/// A way through the table.
struct Walk<'t, B> {
    board: B,
    table: &'t Table,
    exact: bool,
    /// Plies left of the search.
    left: u32,
    /// What the position is worth to the side to move, if that is known.
    value: Option<Value>,
    line: Vec<Move>,
}

impl<'t, B: Board> Walk<'t, B> {
    /// Begins where a line of legal moves ends.
    fn new(
        board: &B,
        table: &'t Table,
        exact: bool,
        depth: u32,
        value: Option<Value>,
        line: &[Move],
    ) -> Walk<'t, B> {
        let mut walk = Walk {
            board: board.clone(),
            table,
            exact,
            left: depth,
            value,
            line: Vec::with_capacity(depth as usize),
        };
        for &m in line {
            walk.make(m);
        }
        walk
    }

    fn make(&mut self, m: Move) {
        self.board.make(m);
        self.line.push(m);
        self.left = self.left.saturating_sub(1);
        self.value = self.value.map(|value| -value);
    }

    /// Follows the table as far as it leads.
    fn go_on(mut self) -> Vec<Move> {
        while let Some(m) = self.next() {
            self.make(m);
        }
        self.line
    }

    fn next(&self) -> Option<Move> {
        let ply = self.line.len();
        if self.left == 0 || ply > 0 && draws::is_draw(&self.board, ply, self.exact) {
            return None;
        }
        let entry = self.entry(&self.board, self.left)?;
        let m = entry.best.filter(|&m| self.board.is_legal(m))?;
        let mut after = self.board.clone();
        after.make(m);
        let reply = self.entry(&after, self.left - 1);
        let allows = allows(&entry, ply, self.value)
            && reply.is_none_or(|entry| allows(&entry, ply + 1, self.value.map(|value| -value)));
        allows.then_some(m)
    }

    /// The entry of a position with so many plies left, if it is as deep.
    fn entry(&self, board: &B, left: u32) -> Option<Entry> {
        let found = self.table.probe(table_key(board, left));
        found.filter(|entry| {
            let depth = u32::from(entry.depth);
            if self.exact { depth == left } else { depth >= left }
        })
    }
}

/// Whether an entry at a ply agrees with a value.
fn allows(entry: &Entry, ply: usize, value: Option<Value>) -> bool {
    let told = from_root(entry.value, ply);
    value.is_none_or(|value| match entry.bound {
        Bound::Exact => value == told,
        Bound::Lower => value >= told,
        Bound::Upper => value <= told,
    })
}
