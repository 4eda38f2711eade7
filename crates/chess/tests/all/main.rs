//! The rules and boards from outside, in one program: what is generic is compiled once for all of it.

mod boards;
mod game;
mod perft_suites;
mod suite;
mod text;
mod walks;
