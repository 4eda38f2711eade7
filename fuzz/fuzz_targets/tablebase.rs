//! Any bytes as a tablebase, with a checksum that fits: an error or a table, never a panic; a table is written as it was read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_tablebases::{Ending, Tablebase};

fuzz_target!(|bytes: &[u8]| {
    let mut whole = bytes.to_vec();
    whole.extend(crc32fast::hash(bytes).to_le_bytes());
    for bytes in [bytes, &whole] {
        if let Ok(table) = Tablebase::from_bytes(bytes) {
            assert_eq!(table.to_bytes(), bytes);
        }
    }
    if let Ok(text) = std::str::from_utf8(bytes)
        && let Ok(ending) = text.parse::<Ending>()
    {
        assert_eq!(ending.to_string().parse::<Ending>(), Ok(ending));
    }
});
