//! Any text as a time control, and as seconds: an error or times, never a panic.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_arena::{Clock, seconds};

fuzz_target!(|text: &str| {
    let _ = text.parse::<Clock>();
    let _ = seconds(text);
});
