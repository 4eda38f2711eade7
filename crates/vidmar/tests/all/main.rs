//! The binary as its users call it, in one program that is linked once.

mod bases;
mod book;
mod cases;
mod consent;
mod engine;
mod eval;
mod fleet;
mod generate;
mod match_engines;
mod matches;
mod net;
mod openings;
mod perft;
mod players;
mod rate;
mod readme;
mod reproduce;
mod runs;
mod search;
mod sources;
mod stats;
#[cfg(unix)]
mod tour;
mod tune;
mod uci_python;
mod web;
