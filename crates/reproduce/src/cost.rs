//! What experiments cost on this machine.
//!
//! The tables state processor seconds for a game or a search: those of a release build on one core of an AMD EPYC where steps have been
//! run there, and estimates where they have not. A short bench gives the factor between that machine and this one.

use vidmar_engine::Control;
use vidmar_engine::bench::{self, BenchSettings};

/// Processor seconds of the short bench there.
const REFERENCE_SECONDS: f64 = 0.2;

/// Plies of the short bench.
const DEPTH: u32 = 8;

/// How many times as long as stated this machine takes.
pub fn factor() -> f64 {
    let settings = BenchSettings {
        depth: DEPTH,
        ..BenchSettings::default()
    };
    let begun = vidmar_cpu::total_time();
    let _ = bench::run(&settings, &Control::new(), |_, _| {});
    let taken = vidmar_cpu::total_time().saturating_sub(begun).as_secs_f64();
    // Where the system does not tell, it is taken for as fast.
    if taken > 0.0 {
        taken / REFERENCE_SECONDS
    } else {
        1.0
    }
}
