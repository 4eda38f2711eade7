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
    /// The replies of this iteration with the most that is proven, and how many of them are.
    replies: (Vec<Move>, usize),
}

/// The state of the root, kept over iterations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Root {
    moves: Vec<RootMove>,
    best_line: Vec<Move>,
    /// How many moves of it are proven; none that is older than the present iteration.
    proven: usize,
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
                    replies: (Vec::new(), 0),
                })
                .collect(),
            best_line: moves.first().map(|&m| vec![m]).unwrap_or_default(),
            proven: 0,
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

    /// The line of this iteration for the best move, and how many moves of it are proven. With minimal windows one search proves
    /// the move and another the reply; and where nothing was good enough, the move is that of an earlier iteration.
    pub(crate) fn collected(&self) -> (Vec<Move>, usize) {
        let best = self.best_line.first().copied();
        match self.moves.iter().find(|root_move| Some(root_move.m) == best) {
            Some(root_move) if root_move.replies.1 >= self.proven => {
                let (replies, proven) = &root_move.replies;
                let line = std::iter::once(root_move.m).chain(replies.iter().copied());
                (line.collect(), 1 + proven)
            }
            _ => (self.best_line.clone(), self.proven),
        }
    }

    /// An iteration begins.
    pub(crate) fn next_iteration(&mut self) {
        self.proven = 0;
        for root_move in &mut self.moves {
            root_move.replies = (Vec::new(), 0);
        }
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

    /// A move has been searched: how large its tree was, which line answered it, and how many moves of that are proven.
    pub(crate) fn record(&mut self, m: Move, nodes: u64, replies: &[Move], proven: usize) {
        if let Some(root_move) = self.moves.iter_mut().find(|root_move| root_move.m == m) {
            root_move.nodes = nodes;
            if proven > 0 {
                root_move.refutation = replies[..proven].to_vec();
            }
            if proven > 0 || root_move.replies.1 == 0 {
                root_move.replies = (replies.to_vec(), proven);
            }
        }
    }

    /// A move has raised the root's lower bound.
    pub(crate) fn improve(&mut self, line: &[Move], proven: usize) {
        self.best_line = line.to_vec();
        self.proven = proven;
    }
}
