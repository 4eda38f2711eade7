//! The search from outside, in one program: the boards and algorithms are compiled once for all of it.

mod chances;
mod equality;
mod flagship;
mod generation;
mod limits;
mod net;
mod null_move;
mod parallel;
mod positions;
mod principal_variation;
mod switches;
mod tablebases;
