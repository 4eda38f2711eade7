//! The readers and writers from outside, in one program that is linked once.

mod data_folder;
mod epd_files;
mod epd_records;
mod pgn_collections;
mod pgn_edge_files;
mod pgn_features;
mod pgn_round_trip;
mod pgn_writing;
mod polyglot_books;
mod results;
