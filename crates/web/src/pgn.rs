//! `POST /pgn`: games from a text, ready to be walked through.
//!
//! A text is anybody's, so all that it costs is bounded: so many are read at a time, from their first byte to the last byte
//! of the answer; a game has so many tags, moves and comments; and reading ends when the client has left.

use std::io::{self, Read};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio_stream::StreamExt as _;
use ts_rs::TS;
use vidmar_chess::{Game, Outcome, Position, WhiteScore};
use vidmar_formats::pgn::{self, Limits, PgnError, Reader};

use crate::body;
use crate::error::{ApiError, ApiResult};
use crate::position::{MoveText, opening};
use crate::server::Server;

/// The largest text.
pub(crate) const LARGEST: usize = 4 * 1024 * 1024;
/// The most games and plies of an answer: a page shows one game at a time.
const MOST_GAMES: usize = 500;
const MOST_PLIES: usize = 100_000;
const MOST_PROBLEMS: usize = 100;
/// The largest game: the longest that the rules allow has fewer than 12,000 plies.
const LARGEST_GAME: Limits = Limits {
    tags: 1_000,
    parts: MOST_PLIES,
};
/// Texts that are read or answered at the same time, and how long another one waits.
const AT_ONCE: usize = 4;
const WAIT: Duration = Duration::from_secs(10);
/// Bytes of an answer that are handed over at once.
const PIECE: usize = 64 * 1024;

/// Places for texts.
pub(crate) fn permits() -> Arc<Semaphore> {
    Arc::new(Semaphore::new(AT_ONCE))
}

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
    /// What might have been played instead; what is said before such a line is said of its first move.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[ts(as = "Option<Vec<Vec<PgnPly>>>")]
    pub variations: Vec<Vec<PgnPly>>,
}

pub(crate) async fn read(State(server): State<Server>, request: Request) -> ApiResult<Response> {
    let wait = tokio::time::timeout(WAIT, server.pgn_permits().acquire_owned());
    let Ok(Ok(permit)) = wait.await else {
        let message = format!("{AT_ONCE} texts are being read already; try again");
        return Err(ApiError::too_many("too-many-texts", message));
    };
    let text = body::bytes(&server, request).await?;
    let left = Left::default();
    let source = Source {
        text: io::Cursor::new(text),
        has_left: Arc::clone(&left.0),
    };
    let read = tokio::task::spawn_blocking(move || serde_json::to_vec(&answer(source)));
    let Ok(Ok(json)) = read.await else {
        return Err(ApiError::bad_request("bad-pgn", "this text cannot be read"));
    };
    drop(left);
    Ok(whole(json.into(), permit))
}

/// An answer that keeps its permit until the client has it.
fn whole(json: Bytes, permit: OwnedSemaphorePermit) -> Response {
    let pieces = (0..json.len())
        .step_by(PIECE)
        .map(move |at| json.slice(at..json.len().min(at + PIECE)));
    let pieces = tokio_stream::iter(pieces).map(move |piece| {
        let _ = &permit;
        Ok::<_, io::Error>(piece)
    });
    let headers = [(header::CONTENT_TYPE, "application/json")];
    (headers, Body::from_stream(pieces)).into_response()
}

/// Says that the client has left when it is dropped, which happens when the request is given up.
#[derive(Default)]
struct Left(Arc<AtomicBool>);

impl Drop for Left {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// A text that ends when nobody waits for it any more.
struct Source {
    text: io::Cursor<Bytes>,
    has_left: Arc<AtomicBool>,
}

impl Read for Source {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.has_left.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::ConnectionAborted.into());
        }
        self.text.read(into)
    }
}

fn answer(text: impl Read) -> PgnAnswer {
    let mut answer = PgnAnswer::default();
    let mut plies = 0;
    for read in Reader::new(text).within(LARGEST_GAME).games() {
        if answer.games.len() >= MOST_GAMES || plies >= MOST_PLIES || answer.problems.len() >= MOST_PROBLEMS {
            answer.problems.push(PgnProblem {
                line: 0,
                message: format!("only the first {} games are shown", answer.games.len()),
            });
            break;
        }
        match read {
            Ok(game) => {
                plies += count(&game.main);
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

/// The plies of a line with those of its variations.
fn count(line: &pgn::Line) -> usize {
    let below = |ply: &pgn::Ply| ply.variations.iter().map(count).sum::<usize>();
    line.plies.len() + line.plies.iter().map(below).sum::<usize>()
}

/// A variation from a position.
fn shown_line(from: &Position, line: &pgn::Line) -> Vec<PgnPly> {
    let mut now = from.clone();
    let mut plies: Vec<PgnPly> = line.plies.iter().map(|ply| shown_ply(&mut now, ply)).collect();
    if let (Some(said), Some(first)) = (joined(&line.comments), plies.first_mut()) {
        let own = first.comment.take();
        first.comment = Some(own.map_or(said.clone(), |own| format!("{said} {own}")));
    }
    plies
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
    let variations = ply.variations.iter();
    let variations = variations.map(|line| shown_line(now, line)).collect();
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
        variations,
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_is_too_large_is_a_problem_and_the_others_are_shown() {
        let tags: Vec<String> = (0..2_000).map(|number| format!("[T{number} \"\"]\n")).collect();
        let tags = tags.concat();
        let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(MOST_PLIES / 4 + 1);
        for large in [format!("{tags}\n*"), shuffle] {
            let text = format!("{large}\n\n[Event \"x\"]\n\n1. e4 *\n");
            let found = answer(text.as_bytes());
            assert_eq!(
                (found.games.len(), found.problems.len()),
                (1, 1),
                "{:?}",
                found.problems
            );
            assert!(
                found.problems[0].message.contains("more than"),
                "{:?}",
                found.problems
            );
        }
    }

    #[test]
    fn variations_are_shown_with_what_is_said_of_them() {
        let text = "1. e4 e5 ({ sharper } 1... c5 2. Nf3 (2. c3 d5) d6 { solid }) 2. Nf3 *";
        let found = answer(text.as_bytes());
        let plies = &found.games[0].plies;
        assert_eq!(plies.len(), 3);
        let [line] = plies[1].variations.as_slice() else {
            panic!("{plies:?}");
        };
        let sans: Vec<&str> = line.iter().map(|ply| ply.san.as_str()).collect();
        assert_eq!(sans, ["c5", "Nf3", "d6"]);
        assert_eq!(line[0].comment.as_deref(), Some("sharper"));
        assert_eq!(line[2].comment.as_deref(), Some("solid"));
        let within: Vec<&str> = line[1].variations[0].iter().map(|ply| ply.san.as_str()).collect();
        assert_eq!(within, ["c3", "d5"]);
        assert!(
            line[1].variations[0][0].fen.contains(" b KQkq"),
            "from the position before 2. Nf3"
        );
        assert!(plies[2].variations.is_empty());
    }

    #[test]
    fn reading_ends_when_the_client_has_left() {
        let left = Left::default();
        let mut source = Source {
            text: io::Cursor::new(vec![b'x'; 10].into()),
            has_left: Arc::clone(&left.0),
        };
        let mut buffer = [0; 4];
        assert_eq!(source.read(&mut buffer).ok(), Some(4));
        drop(left);
        assert!(source.read(&mut buffer).is_err());
    }
}
