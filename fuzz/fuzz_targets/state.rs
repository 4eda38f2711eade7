//! Any text as the saved state of an optimiser: an error or a state, never a panic; one survives being written and read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_optim::Optimizer;

fuzz_target!(|bytes: &[u8]| {
    let Ok(optimizer) = serde_json::from_slice::<Optimizer>(bytes) else {
        return;
    };
    let Ok(written) = serde_json::to_string(&optimizer) else {
        return;
    };
    // What is no number is written as null, which is none.
    if let Ok(again) = serde_json::from_str::<Optimizer>(&written) {
        assert_eq!(serde_json::to_string(&again).expect("a state"), written);
    }
});
