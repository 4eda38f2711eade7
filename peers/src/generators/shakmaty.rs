//! shakmaty's own perft, which counts the last ply as the length of the list of legal moves.

use anyhow::Result;
use shakmaty::{CastlingMode, Chess, fen::Fen};

pub(super) fn perft(fen: &str, depth: u32) -> Result<u64> {
    let position: Chess = fen.parse::<Fen>()?.into_position(CastlingMode::Standard)?;
    Ok(shakmaty::perft(&position, depth))
}
