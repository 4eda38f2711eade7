//! Whole runs with real games, in one program that is linked once.

#![allow(missing_docs, clippy::unwrap_used, clippy::float_cmp)]

mod objectives;
mod pipeline;
mod runs;
