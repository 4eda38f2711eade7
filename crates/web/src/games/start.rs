//! Where a game begins.

use vidmar_chess::Game;
use vidmar_formats::pgn::Reader;

use super::types::StartRequest;
use crate::error::{ApiError, ApiResult};
use crate::position::{MOST_PLIES, PositionRequest};

/// The game so far, if one is given.
pub(super) fn game(start: Option<&StartRequest>) -> ApiResult<Game> {
    let Some(start) = start else {
        return Ok(Game::default());
    };
    let Some(pgn) = &start.pgn else {
        if start.ply.is_some() {
            return Err(ApiError::bad_request("bad-start", "a ply is one of a pgn").field("ply"));
        }
        let request = PositionRequest {
            fen: start.fen.clone(),
            moves: start.moves.clone(),
        };
        return request.game();
    };
    if start.fen.is_some() || !start.moves.is_empty() {
        let message = "expected a pgn, or a fen with moves, not both";
        return Err(ApiError::bad_request("bad-start", message).field("pgn"));
    }
    from_pgn(pgn, start.ply)
}

fn from_pgn(text: &str, ply: Option<usize>) -> ApiResult<Game> {
    let bad = |message: String| ApiError::bad_request("bad-pgn", message).field("pgn");
    let read = Reader::new(text.as_bytes()).games().next();
    let read = read.ok_or_else(|| bad("there is no game in it".to_owned()))?;
    let read = read.map_err(|error| bad(error.to_string()))?;
    let mut game = Game::new(read.start().clone());
    let all = read.main.plies.len();
    let wanted = ply.unwrap_or(all);
    if wanted > all || wanted > MOST_PLIES {
        let message = format!("the game has {all} plies, and {MOST_PLIES} may be played");
        return Err(ApiError::bad_request("bad-ply", message).field("ply"));
    }
    for played in read.moves().take(wanted) {
        game.play(played.ok_or_else(|| bad("a null move cannot be played".to_owned()))?);
    }
    Ok(game)
}
