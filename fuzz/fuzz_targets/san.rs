//! Any bytes as a move in algebraic notation: an error or a legal move, never a panic; a move survives
//! being written and read.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use vidmar_chess::Position;

/// Positions with castling, promotion, en passant and pieces that must be told apart.
static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
        "4k3/8/8/3pPp2/8/2N1N3/8/RNR1K2R w KQ f6 0 1",
        "8/8/1k6/8/2pP4/8/5PPP/4K2R b K d3 0 1",
    ]
    .map(|fen| fen.parse().expect("legal"))
    .to_vec()
});

fuzz_target!(|text: &[u8]| {
    for position in POSITIONS.iter() {
        if let Ok(m) = position.parse_san_bytes(text) {
            assert!(position.legal_moves().contains(&m));
            assert_eq!(position.parse_san(&position.san(m).to_string()), Ok(m));
        }
    }
});
