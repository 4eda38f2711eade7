//! Games over a real server. Each test starts a server of its own; without the program they are skipped.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod binaries;
#[cfg(target_os = "linux")]
mod ending;
mod engines;
mod faults;
mod fleet;
mod killing;
mod opening;
mod resuming;
mod rogue;
mod roster;
mod same_bits;
mod security;
mod trust;
