//! The positions that are counted, with the number of move sequences of every length.
//!
//! Positions and counts are the chessprogramming wiki's "Perft Results" (initial position, positions
//! 2, 3 and 6). A time counts only together with the right number of nodes, so a generator that is
//! one ply shallower is checked too.

/// A position to count, with its known answers.
pub(crate) struct Position {
    pub(crate) name: &'static str,
    /// All six fields: some of the crates accept nothing less.
    pub(crate) fen: &'static str,
    /// `nodes[d - 1]` is the count at depth `d`; the last one is the depth that is timed.
    pub(crate) nodes: &'static [u64],
}

impl Position {
    /// The depth at which the position is timed.
    pub(crate) fn depth(&self) -> u32 {
        self.nodes.len() as u32
    }

    /// The known count at a depth of at least 1 and at most [`Position::depth`].
    pub(crate) fn nodes_at(&self, depth: u32) -> u64 {
        self.nodes[depth as usize - 1]
    }
}

/// The positions of the comparison, one row each.
pub(crate) const POSITIONS: [Position; 4] = [
    Position {
        name: "start",
        fen: "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        nodes: &[20, 400, 8_902, 197_281, 4_865_609, 119_060_324],
    },
    Position {
        name: "kiwipete",
        fen: "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        nodes: &[48, 2_039, 97_862, 4_085_603, 193_690_690],
    },
    Position {
        name: "endgame",
        fen: "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        nodes: &[14, 191, 2_812, 43_238, 674_624, 11_030_083, 178_633_661],
    },
    Position {
        name: "middlegame",
        fen: "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
        nodes: &[46, 2_079, 89_890, 3_894_594, 164_075_551],
    },
];
