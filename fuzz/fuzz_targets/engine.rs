//! Any bytes as what a graphical interface says to the engine: it answers every `go` and ends.
#![no_main]

use std::io::{BufReader, Cursor};

use libfuzzer_sys::{Corpus, fuzz_target};
use vidmar_engine::uci::{ServerSettings, serve};
use vidmar_players::RandomThinker;

fuzz_target!(|bytes: &[u8]| -> Corpus {
    // They work for as long as they are told to, or longer.
    let is_long = |word: &&[u8]| [&b"bench"[..], b"perft"].contains(word);
    if bytes.split(u8::is_ascii_whitespace).any(|word| is_long(&word)) {
        return Corpus::Reject;
    }
    let input = BufReader::new(Cursor::new(bytes.to_vec()));
    serve(input, std::io::sink(), Box::<RandomThinker>::default(), ServerSettings::default()).expect("it serves to the end");
    Corpus::Keep
});
