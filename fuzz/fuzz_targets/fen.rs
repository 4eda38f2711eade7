//! Any text as FEN: an error or a position, never a panic; a position survives being written and read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_chess::Position;

fuzz_target!(|text: &str| {
    let Ok(position) = text.parse::<Position>() else {
        return;
    };
    for written in [position.to_string(), position.setup().shredder_fen()] {
        let again: Position = written.parse().expect("our own FEN");
        assert_eq!(again.to_string(), position.to_string());
    }
    for m in position.legal_moves() {
        assert!(position.is_legal(m));
        let mut after = position.clone();
        after.play(m);
        assert_eq!((after.key(), after.pawn_key()), after.recomputed_keys());
        assert_eq!(after.in_check(), position.gives_check(m));
    }
});
