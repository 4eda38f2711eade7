//! Any bytes as a case base, with a head that fits: an error or a base, never a panic; a base survives being written and read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_cases::{CaseBase, Weights};

/// Magic and version.
const HEAD: usize = 12;

fuzz_target!(|bytes: &[u8]| {
    let _ = CaseBase::from_bytes(bytes);
    if let Ok(text) = std::str::from_utf8(bytes) {
        let _ = text.parse::<Weights>();
    }
    let Some((head, body)) = bytes.split_at_checked(HEAD) else {
        return;
    };
    let mut whole = head.to_vec();
    whole.extend((body.len() as u64).to_le_bytes());
    whole.extend(crc32fast::hash(body).to_le_bytes());
    whole.extend(body);
    if let Ok(base) = CaseBase::from_bytes(&whole) {
        let written = base.to_bytes();
        let again = CaseBase::from_bytes(&written).expect("our own file");
        assert_eq!(again.to_bytes(), written);
    }
});
