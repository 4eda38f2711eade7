//! Any text as what an engine says, in either protocol: understood or not, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for line in text.lines() {
        vidmar_players::heard(line);
    }
});
