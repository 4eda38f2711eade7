//! The perft of the chess crate that its documentation calls the fastest.

use anyhow::{Result, anyhow};
use chess::{Board, MoveGen};

pub(super) fn perft(fen: &str, depth: u32) -> Result<u64> {
    let board: Board = fen.parse().map_err(|error| anyhow!("{error}"))?;
    Ok(MoveGen::movegen_perft_test(&board, depth as usize) as u64)
}
