//! The cases of one colour: boards in blocks for the scan, and beside them the moves and where they come from.

use crate::board::CaseBoard;
use crate::case_move::CaseMove;
use crate::scan::{Block, LANES, ScanKernel, scan};

/// Where a case comes from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// A game of the expert: its index in the base, and the ply before which the position stood, from 0.
    Played {
        /// The index of the game.
        game: u32,
        /// The ply.
        ply: u32,
    },
    /// A variation on a good capture of a game of the expert.
    Varied {
        /// The index of the game.
        game: u32,
        /// The ply.
        ply: u32,
    },
    /// The behaviour's own solution earlier on.
    Learned,
}

/// Cases in the order in which they were added.
#[derive(Clone, Debug, Default)]
pub struct CaseList {
    blocks: Vec<Block>,
    moves: Vec<CaseMove>,
    origins: Vec<Origin>,
}

impl CaseList {
    /// How many cases there are.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    /// Adds a case.
    pub fn push(&mut self, board: &CaseBoard, m: CaseMove, origin: Origin) {
        let lane = self.moves.len() % LANES;
        if lane == 0 {
            self.blocks.push(Block::default());
        }
        if let Some(block) = self.blocks.last_mut() {
            block.set(lane, board);
        }
        self.moves.push(m);
        self.origins.push(origin);
    }

    /// Forgets all cases.
    pub fn clear(&mut self) {
        *self = CaseList::default();
    }

    /// The board of a case.
    ///
    /// # Panics
    /// If there is no such case.
    pub fn board(&self, index: usize) -> CaseBoard {
        self.blocks[index / LANES].board(index % LANES)
    }

    /// The move of a case.
    ///
    /// # Panics
    /// If there is no such case.
    pub fn solution(&self, index: usize) -> CaseMove {
        self.moves[index]
    }

    /// Where a case comes from.
    ///
    /// # Panics
    /// If there is no such case.
    pub fn origin(&self, index: usize) -> Origin {
        self.origins[index]
    }

    /// Compares a board with every case: `visit` gets index and similarity of each that is at least what it asked
    /// for last, and at first of any.
    pub fn scan(&self, board: &CaseBoard, visit: impl FnMut(usize, u16) -> u16) {
        self.scan_by(ScanKernel::best(), board, visit);
    }

    /// The same by a kernel of choice.
    pub fn scan_by(&self, kernel: ScanKernel, board: &CaseBoard, mut visit: impl FnMut(usize, u16) -> u16) {
        let len = self.len();
        let mut least = 0;
        scan(kernel, &self.blocks, board, |index, similarity| {
            // The last block may have empty lanes.
            if index < len {
                least = visit(index, similarity);
            }
            least
        });
    }

    /// A sum over every byte that a scan reads: the plain read that a scan's speed is measured against.
    pub fn read_all(&self) -> u64 {
        crate::scan::read_all(&self.blocks)
    }
}
