//! The root's moves: their order from iteration to iteration, and the refutation table.
//!
//! The refutation table (Akl and Newborn 1977) keeps for each root move the line that refuted it, or
//! the principal variation. In the next iteration the root moves come best first, then those that
//! were hardest to refute, and under each the old line is followed as long as it is played: one good
//! first move at every ply along it, without any transposition table.

use vidmar_chess::Move;

/// A move of the root and what the last search of it found.
#[derive(Clone, Debug)]
struct RootMove {
    m: Move,
    nodes: u64,
    /// The replies that answered it.
    refutation: Vec<Move>,
}

/// The state of the root, kept over iterations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Root {
    moves: Vec<RootMove>,
    best_line: Vec<Move>,
    /// The old line below the root move now searched.
    followed: Vec<Move>,
}

impl Root {
    pub(crate) fn new(moves: &[Move]) -> Root {
        Root {
            moves: moves
                .iter()
                .map(|&m| RootMove {
                    m,
                    nodes: 0,
                    refutation: Vec::new(),
                })
                .collect(),
            best_line: moves.first().map(|&m| vec![m]).unwrap_or_default(),
            followed: Vec::new(),
        }
    }

    pub(crate) fn moves(&self) -> impl Iterator<Item = Move> {
        self.moves.iter().map(|root_move| root_move.m)
    }

    /// The best line so far; before any search, the first move.
    pub(crate) fn best_line(&self) -> &[Move] {
        &self.best_line
    }

    /// Puts the best move first and then those with the largest trees, others as they were.
    pub(crate) fn reorder(&mut self) {
        let best = self.best_line.first().copied();
        self.moves
            .sort_by_key(|root_move| std::cmp::Reverse((Some(root_move.m) == best, root_move.nodes)));
    }

    /// A move is about to be searched: its old line is the one to follow.
    pub(crate) fn follow(&mut self, m: Move) {
        if let Some(root_move) = self.moves.iter().find(|root_move| root_move.m == m) {
            self.followed.clone_from(&root_move.refutation);
        }
    }

    /// The move of the followed line at a ply below the root.
    #[inline]
    pub(crate) fn followed(&self, ply: usize) -> Option<Move> {
        self.followed.get(ply.wrapping_sub(1)).copied()
    }

    /// A move has been searched: how large its tree was, and which line answered it.
    pub(crate) fn record(&mut self, m: Move, nodes: u64, replies: &[Move]) {
        if let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.m == m) {
            root_move.nodes = nodes;
            if !replies.is_empty() {
                root_move.refutation = replies.to_vec();
            }
        }
    }

    /// A move has raised the root's lower bound.
    pub(crate) fn improve(&mut self, line: &[Move]) {
        self.best_line = line.to_vec();
    }
}
