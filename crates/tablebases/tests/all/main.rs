//! Tablebases against outside truths, in one program that is linked once.

mod files;
mod four_pieces;
mod positions;
mod syzygy;
mod three_pieces;
