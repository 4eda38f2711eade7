//! Any text as an EPD record: an error or a record, never a panic; a record survives being written and read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_formats::{epd, perft_suite};

fuzz_target!(|text: &str| {
    if let Ok((record, warnings)) = epd::parse_line(text) {
        let written = record.to_string();
        let (again, new_warnings) = epd::parse_line(&written).expect("our own EPD");
        assert_eq!(again.to_string(), written);
        // What was strange and kept as it is may be warned of again; nothing else is.
        assert!(!warnings.is_empty() || new_warnings.is_empty(), "{new_warnings:?} of {written}");
    }
    let _ = perft_suite::parse(text);
});
