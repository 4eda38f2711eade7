//! Games and matches from outside, in one program that is linked once.

mod engines;
mod faults;
mod games;
mod matches;
mod processes;
mod runner;
