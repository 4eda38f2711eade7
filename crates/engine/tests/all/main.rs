//! The engine as players and interfaces see it, in one program that is linked once.

mod net;
mod pipe;
mod tablebases;
mod thinker;
mod uci;
