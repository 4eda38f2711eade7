//! Self-play games as a file: about three bytes a position, streamed both ways, safe against a killed writer.
//!
//! All numbers are little-endian; a *varint* has seven bits a byte, the lowest first, the top bit set on all but the last.
//!
//! | part | bytes |
//! | --- | --- |
//! | magic | `VIDMARPG` |
//! | version | u32, 1 |
//! | length of the description, its CRC-32 | u32, u32 |
//! | description | JSON of whoever played the games |
//! | chunks | one after the other, to the end of the file |
//!
//! | of a chunk | bytes |
//! | --- | --- |
//! | length of its games | u32, at most [`LARGEST_CHUNK`] |
//! | how many games | u32 |
//! | CRC-32 of these two and the games | u32 |
//! | games | one after the other |
//!
//! | of a game | bytes |
//! | --- | --- |
//! | flags | u8: bits 0–1 the result (0 Black wins, 1 draw, 2 White wins, 3 none), bit 2 set if it does not begin in the usual start position |
//! | start | only with bit 2: length of the FEN as a varint, the FEN |
//! | opening | how many plies as a varint, a byte each: the move |
//! | play | how many plies as a varint; for each the move in a byte, then the change of the score as a varint |
//!
//! A move is its index among the legal moves in ascending order of their 16-bit words ([`Move::word`](vidmar_chess::Move::word)); no
//! position has more than 218. A score is White's, as 16 bits (see [`PackedScore`]); its change since the last one (0 before the
//! first), modulo 2¹⁶, is written as a zigzag number: 0, -1, 1, -2, … are 0, 1, 2, 3, ….
//!
//! A chunk is full, and the next one begun, once its games take [`FULL_CHUNK`] bytes: where chunks end depends on the games alone, so
//! that games written in the same order are the same file however often the writer was stopped. The last chunk is written again in its place
//! as games are added to it. What a killed writer leaves behind the last whole chunk is passed over by readers and
//! cut off by the next writer; damage anywhere else is an error.

mod chunk;
mod error;
mod game;
mod reader;
mod score;
mod varint;
mod writer;

pub use chunk::{Chunk, FULL_CHUNK, LARGEST_CHUNK};
pub use error::{Flaw, PackedError};
pub use game::{GameHead, PackedGame, PackedMove, Replayed};
pub use reader::PackedReader;
pub use score::PackedScore;
pub use writer::PackedWriter;

/// How such files end.
pub const EXTENSION: &str = "packed";

const MAGIC: &[u8; 8] = b"VIDMARPG";
const VERSION: u32 = 1;
/// Magic, version, length and CRC of the description.
const HEAD: usize = 20;
const LONGEST_DESCRIPTION: usize = 1 << 16;
