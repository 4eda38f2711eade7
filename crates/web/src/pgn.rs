//! `POST /pgn`: games from a text, ready to be walked through.

use axum::Json;
use axum::body::Bytes;
use serde::Serialize;
use ts_rs::TS;
use vidmar_chess::{Game, Outcome, Position, WhiteScore};
use vidmar_formats::pgn::{self, PgnError, Reader};

use crate::error::{ApiError, ApiResult};
use crate::position::{MoveText, opening};

/// The largest text.
pub(crate) const LARGEST: usize = 4 * 1024 * 1024;
/// The most games and plies of an answer: a page shows one game at a time.
const MOST_GAMES: usize = 500;
const MOST_PLIES: usize = 100_000;
const MOST_PROBLEMS: usize = 100;

/// What was found in a text.
#[derive(Clone, Debug, Default, Serialize, TS)]
pub struct PgnAnswer {
    /// The games that could be read.
    pub games: Vec<PgnGame>,
    /// What could not, in words with its line.
    pub problems: Vec<PgnProblem>,
}

/// Something that could not be read.
#[derive(Clone, Debug, Serialize, TS)]
pub struct PgnProblem {
    /// The number of the line, from 1.
    pub line: u64,
    /// What is wrong.
    pub message: String,
}

/// A game.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct PgnGame {
    /// The tags, in their order.
    pub tags: Vec<(String, String)>,
    /// Where it begins.
    pub start_fen: String,
    /// What is said before the first move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// The moves of its main line.
    pub plies: Vec<PgnPly>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: &'static str,
    /// The last named position on the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opening: Option<&'static str>,
}

/// A move.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct PgnPly {
    /// For programs; `0000` for a null move.
    pub uci: String,
    /// For people.
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// Whether it gives check.
    pub check: bool,
    /// What is said of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
    /// Numeric annotation glyphs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<u8>>")]
    pub nags: Vec<u8>,
    /// The mover's clock.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// The score that is written there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<WhiteScore>,
}

pub(crate) async fn read(body: Bytes) -> ApiResult<Json<PgnAnswer>> {
    let read = tokio::task::spawn_blocking(move || answer(&body)).await;
    let answer = read.map_err(|_| ApiError::bad_request("bad-pgn", "this text cannot be read"))?;
    Ok(Json(answer))
}

fn answer(text: &[u8]) -> PgnAnswer {
    let mut answer = PgnAnswer::default();
    let mut plies = 0;
    for read in Reader::new(text).games() {
        if answer.games.len() >= MOST_GAMES || plies >= MOST_PLIES || answer.problems.len() >= MOST_PROBLEMS {
            answer.problems.push(PgnProblem {
                line: 0,
                message: format!("only the first {} games are shown", answer.games.len()),
            });
            break;
        }
        match read {
            Ok(game) => {
                plies += game.main.plies.len();
                answer.games.push(shown(&game));
            }
            Err(error) => answer.problems.push(PgnProblem {
                line: match &error {
                    PgnError::Game(error) => error.location.line,
                    PgnError::Io(_) => 0,
                },
                message: error.to_string(),
            }),
        }
    }
    answer
}

fn shown(game: &pgn::Game) -> PgnGame {
    let mut now = game.start().clone();
    let mut played = Some(Game::new(now.clone()));
    let mut plies = Vec::with_capacity(game.main.plies.len());
    for ply in &game.main.plies {
        plies.push(shown_ply(&mut now, ply));
        // A game with null moves has no opening.
        played = played.zip(ply.played).map(|(mut game, m)| {
            game.play(m);
            game
        });
    }
    PgnGame {
        tags: game
            .tags
            .iter()
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect(),
        start_fen: game.start().to_string(),
        comment: joined(&game.main.comments),
        plies,
        result: Outcome::text(game.result),
        opening: played.as_ref().and_then(opening),
    }
}

fn shown_ply(now: &mut Position, ply: &pgn::Ply) -> PgnPly {
    let mover = now.turn();
    let text = if let Some(m) = ply.played {
        let text = MoveText::new(now, m);
        now.play(m);
        text
    } else {
        now.play_null();
        MoveText {
            uci: "0000".to_owned(),
            san: "--".to_owned(),
        }
    };
    let notes: Vec<pgn::Annotations> = ply.comments.iter().map(pgn::Comment::annotations).collect();
    let told = notes
        .iter()
        .find_map(|note| note.evaluation.map(|told| told.score));
    let engine = notes
        .iter()
        .find_map(|note| note.engine.map(|told| told.score.for_white(mover)));
    PgnPly {
        uci: text.uci,
        san: text.san,
        fen: now.to_string(),
        check: now.in_check(),
        comment: joined(&ply.comments),
        nags: ply.nags.iter().map(|nag| nag.0).collect(),
        clock_ms: notes
            .iter()
            .find_map(|note| note.clock)
            .map(|clock| clock.as_millis() as u64),
        score: told.or(engine),
    }
}

/// Comments as one text, without what programs write into them.
fn joined(comments: &[pgn::Comment]) -> Option<String> {
    let mut text = String::new();
    for comment in comments {
        let mut rest = comment.as_str();
        while let Some(begin) = rest.find("[%") {
            text.push_str(&rest[..begin]);
            rest = rest[begin..].find(']').map_or("", |end| &rest[begin + end + 1..]);
        }
        text.push_str(rest);
        text.push(' ');
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}
