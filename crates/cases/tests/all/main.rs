//! The case-based player from outside, in one program that is linked once.

mod building;
mod player;
mod retrieval;
