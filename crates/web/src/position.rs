//! Positions and moves as the page sees them, and `POST /positions`: what can be done in a position.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use ts_rs::TS;
use vidmar_chess::{Board as _, CastlingNotation, Color, Game, Move, Position};
use vidmar_formats::openings::line_name;

use crate::body::Body;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;
use crate::tablebase::{self, TablebaseInfo};

/// The longest game that is taken in from outside, in plies.
pub(crate) const MOST_PLIES: usize = 2_000;

/// A move in both notations.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, TS)]
pub struct MoveText {
    /// For programs.
    pub uci: String,
    /// For people.
    pub san: String,
}

impl MoveText {
    pub(crate) fn new(position: &Position, m: Move) -> MoveText {
        MoveText {
            uci: m.uci(position.castling_notation()).to_string(),
            san: position.san(m).to_string(),
        }
    }

    /// A line whose moves were written already, in both notations.
    pub(crate) fn pairs(uci: &[String], san: &[String]) -> Vec<MoveText> {
        let pairs = uci.iter().zip(san);
        pairs
            .map(|(uci, san)| MoveText {
                uci: uci.clone(),
                san: san.clone(),
            })
            .collect()
    }

    /// A line of legal moves.
    pub(crate) fn line(position: &Position, moves: &[Move]) -> Vec<MoveText> {
        let mut now = position.clone();
        let mut line = Vec::with_capacity(moves.len());
        for &m in moves {
            // Lines come from tables that other searches share: what is not legal ends them.
            if !now.is_legal(m) {
                break;
            }
            line.push(MoveText::new(&now, m));
            now.play(m);
        }
        line
    }
}

/// A position with what can be done in it.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct PositionInfo {
    /// The position.
    pub fen: String,
    /// The moves that led to it.
    pub moves: Vec<MoveText>,
    /// Every legal move.
    pub legal: Vec<MoveText>,
    /// Who is to move.
    pub turn: Color,
    /// Whether the king of that side is attacked.
    pub check: bool,
    /// The last named position on the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<String>,
    /// Why the game is over here, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub over: Option<String>,
    /// The score of the full evaluation, without search, from White's point of view.
    pub static_cp: i32,
    /// What tablebases say of it, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tablebase: Option<TablebaseInfo>,
}

/// A position by its FEN and moves from there.
#[derive(Clone, Debug, Default, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct PositionRequest {
    /// Where it begins; the usual start position if absent.
    #[serde(default)]
    pub fen: Option<String>,
    /// Moves from there, in UCI notation.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>")]
    pub moves: Vec<String>,
}

impl PositionRequest {
    /// The game that leads to the position.
    pub(crate) fn game(&self) -> ApiResult<Game> {
        let mut game = Game::new(start(self.fen.as_deref()).map_err(|error| error.field("fen"))?);
        if self.moves.len() > MOST_PLIES {
            let message = format!("expected at most {MOST_PLIES} moves");
            return Err(ApiError::bad_request("too-long", message).field("moves"));
        }
        for (index, text) in self.moves.iter().enumerate() {
            game.play_uci(text).map_err(|error| {
                ApiError::bad_request("bad-move", error.to_string()).field(format!("moves[{index}]"))
            })?;
        }
        Ok(game)
    }
}

/// Reads a FEN; the usual start position if there is none.
pub(crate) fn start(fen: Option<&str>) -> ApiResult<Position> {
    let Some(fen) = fen else {
        return Ok(Position::default());
    };
    fen.trim()
        .parse()
        .map_err(|error: vidmar_chess::FenError| ApiError::bad_request("bad-fen", error.to_string()))
}

/// Every legal move.
pub(crate) fn legal(position: &Position) -> Vec<MoveText> {
    let moves = position.legal_moves();
    moves.iter().map(|&m| MoveText::new(position, m)).collect()
}

/// The last named position of a game.
pub(crate) fn opening(game: &Game) -> Option<&'static str> {
    line_name(game.start(), game.moves().iter().copied()).map(|found| found.name)
}

/// Whether castling is written as in Chess960.
pub(crate) fn is_chess960(start: &Position) -> bool {
    start.castling_notation() == CastlingNotation::Chess960
}

pub(crate) async fn position(
    State(server): State<Server>,
    Body(request): Body<PositionRequest>,
) -> ApiResult<Json<PositionInfo>> {
    let game = request.game()?;
    let position = game.position();
    let tablebases = &server.config().tablebases;
    let tablebase = if tablebase::may_hold(tablebases, position) {
        // Tables are read from the disk.
        let (tablebases, position) = (Arc::clone(tablebases), position.clone());
        let asked = spawn_blocking(move || tablebase::look_up(&tablebases, &position));
        asked.await.ok().flatten()
    } else {
        None
    };
    let evaluation = vidmar_eval::FullEvaluation::new(&vidmar_eval::Vector::default());
    Ok(Json(PositionInfo {
        fen: position.to_string(),
        moves: MoveText::line(game.start(), game.moves()),
        legal: legal(position),
        turn: position.turn(),
        check: position.in_check(),
        opening: opening(&game).map(str::to_owned),
        over: game
            .board()
            .termination()
            .map(|termination| termination.to_string()),
        static_cp: evaluation.explain(position).white_score,
        tablebase,
    }))
}
