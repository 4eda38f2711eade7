//! The commands, one file each.

pub(crate) mod eval;
pub(crate) mod perft;
pub(crate) mod rate;
pub(crate) mod stats;
