//! The perft of chess-move-gen on one thread and without its cache.

use anyhow::{Result, anyhow};
use chess_move_gen::Position;

pub(super) fn perft(fen: &str, depth: u32) -> Result<u64> {
    let mut position = Position::from_fen(fen).map_err(|error| anyhow!("{error}"))?;
    Ok(chess_move_gen::perft(&mut position, depth as usize, false, 0))
}
