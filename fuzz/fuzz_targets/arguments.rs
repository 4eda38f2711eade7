//! Any words as the arguments of a match: an error or a match, never a panic.
#![no_main]
#![allow(dead_code, unused_imports)]

use libfuzzer_sys::fuzz_target;

#[path = "../../crates/vidmar/src/percent.rs"]
mod percent;

/// They are part of the binary, which is no library.
#[path = "."]
mod matches {
    #[path = "../../crates/vidmar/src/commands/matches/arguments/mod.rs"]
    mod arguments;

    pub fn read(words: &[String]) {
        if let Ok(line) = arguments::split(words).and_then(|arguments| arguments::read(&arguments)) {
            let _ = (line.plan(), line.openings(), line.sprt(), line.concurrency());
        }
    }
}

fuzz_target!(|text: &str| {
    let words: Vec<String> = text.split('\n').map(str::to_owned).collect();
    matches::read(&words);
});
