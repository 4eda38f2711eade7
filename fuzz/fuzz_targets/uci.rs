//! Any text as a move in UCI notation: an error or a legal move, never a panic; a move survives being
//! written and read.
#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use vidmar_chess::{CastlingNotation, Move, Position};

/// Standard castling, promotion, en passant, and Chess960.
static POSITIONS: LazyLock<Vec<Position>> = LazyLock::new(|| {
    [
        "r3k2r/p1pp1pb1/bn2p1p1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nPP5/BB2P3/q4N2/Pp1P2PP/R2Q1RK1 b kq - 0 1",
        "1rk3r1/8/8/8/8/8/8/1RK3R1 w GBgb - 0 1",
    ]
    .map(|fen| fen.parse().expect("legal"))
    .to_vec()
});

fuzz_target!(|text: &str| {
    for position in POSITIONS.iter() {
        if let Ok(m) = position.parse_uci(text) {
            assert!(position.legal_moves().contains(&m));
            assert_eq!(
                position.parse_uci(&m.uci(CastlingNotation::Chess960).to_string()),
                Ok(m)
            );
            assert_eq!(
                position.parse_uci(&m.uci(position.castling_notation()).to_string()),
                Ok(m)
            );
        }
        // Any word at all is either one of the legal moves or not legal.
        if let [low, high, ..] = *text.as_bytes()
            && let Some(m) = Move::from_word(u16::from_le_bytes([low, high]))
        {
            assert_eq!(position.is_legal(m), position.legal_moves().contains(&m));
        }
    }
});
