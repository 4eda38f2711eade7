//! Positions to try nets on.

use vidmar_chess::{BitboardBoard, Board as _, Position};
use vidmar_rng::Rng;

/// The start position, castling both ways, en passant, promotions, Chess960 with castling that moves king or rook not at all or past
/// each other, few pieces.
pub(crate) const STARTS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1",
    "8/8/4k3/3q4/8/8/1Q3K2/8 b - - 0 1",
    "8/8/8/K2pP2k/8/8/8/8 w - d6 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
];

/// Moves that change more than two squares, and passes, that were made.
#[derive(Copy, Clone, Debug, Default)]
pub(crate) struct Made {
    pub(crate) castling: usize,
    pub(crate) en_passant: usize,
    pub(crate) promotions: usize,
    pub(crate) passes: usize,
}

/// Random games: `visit` sees the board before and after every move, every pass, and every move taken back.
pub(crate) fn walk(seed: u64, plies: usize, visit: &mut dyn FnMut(&mut BitboardBoard)) -> Made {
    let mut kinds = Made::default();
    let mut rng = Rng::from_seed(seed);
    for fen in STARTS {
        let position: Position = fen.parse().expect("legal");
        let mut board = BitboardBoard::new(&position);
        visit(&mut board);
        let mut made = Vec::new();
        for _ in 0..plies {
            let moves = board.legal_moves();
            let passes = !board.in_check() && rng.chance(0.1);
            if moves.is_empty() || (!made.is_empty() && rng.chance(0.3)) {
                match made.pop() {
                    Some(true) => board.unmake_null(),
                    Some(false) => board.unmake(),
                    None => break,
                }
            } else {
                made.push(passes);
                if passes {
                    kinds.passes += 1;
                    board.make_null();
                } else {
                    let rare = moves
                        .iter()
                        .copied()
                        .find(|m| m.is_en_passant() || m.is_castling());
                    let m = rare
                        .filter(|_| rng.chance(0.3))
                        .unwrap_or(moves[rng.index(moves.len())]);
                    kinds.castling += usize::from(m.is_castling());
                    kinds.en_passant += usize::from(m.is_en_passant());
                    kinds.promotions += usize::from(m.promotion().is_some());
                    board.make(m);
                }
            }
            visit(&mut board);
        }
    }
    kinds
}
