//! Any bytes as games: errors and games, never a panic; a game survives being written and read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_formats::pgn::Reader;
use vidmar_formats::results::ResultReader;

fuzz_target!(|bytes: &[u8]| {
    for game in Reader::new(bytes).games().flatten() {
        let Ok(written) = game.to_pgn(79) else { continue };
        let again = Reader::new(written.as_bytes()).games().next().expect("a game").expect("our own PGN");
        assert_eq!(again.moves().collect::<Vec<_>>(), game.moves().collect::<Vec<_>>());
    }
    let mut results = ResultReader::new(bytes);
    while let Ok(Some(_)) = results.next_record() {}
});
