//! Any text as a constraint between parameters: an error or a constraint, never a panic; one survives being written and read.
#![no_main]

use libfuzzer_sys::fuzz_target;
use vidmar_optim::Constraint;

fuzz_target!(|text: &str| {
    if let Ok(constraint) = text.parse::<Constraint>() {
        let written = constraint.to_string();
        let again: Constraint = written.parse().expect("our own constraint");
        assert_eq!(again.to_string(), written);
    }
});
