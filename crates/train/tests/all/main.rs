//! Tests of the public face of the crate.
#![allow(clippy::unwrap_used)]

mod export;
mod games;
mod packed;
mod self_play;
mod training;
