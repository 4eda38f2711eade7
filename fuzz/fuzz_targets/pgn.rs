//! Any bytes as games: errors and games, never a panic; a game survives being written and read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_formats::pgn::{Game, Reader};
use vidmar_formats::results::ResultReader;

fuzz_target!(|bytes: &[u8]| {
    let games: Vec<Game> = Reader::new(bytes).games().flatten().collect();
    // All in one text: a reader begins with a buffer of 32 KiB, and an input may hold two thousand games.
    let written = games.iter().map(|game| game.to_pgn(79).ok()).collect::<Vec<_>>();
    let text = written.iter().flatten().map(|game| format!("{game}\n")).collect::<String>();
    let mut again = Reader::new(text.as_bytes()).games();
    for (game, _) in games.iter().zip(&written).filter(|(_, written)| written.is_some()) {
        let read = again.next().expect("a game").expect("our own PGN");
        assert_eq!(read.moves().collect::<Vec<_>>(), game.moves().collect::<Vec<_>>());
    }
    assert!(again.next().is_none(), "more games than were written");
    let mut results = ResultReader::new(bytes);
    while let Ok(Some(_)) = results.next_record() {}
});
