//! Chess files.

pub mod results;
