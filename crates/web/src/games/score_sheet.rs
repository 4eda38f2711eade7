//! A game as PGN, with clocks and scores in the comments as they are usual on servers.

use std::time::Duration;

use vidmar_chess::{CastlingNotation, Outcome, Position};
use vidmar_formats::pgn;

use super::types::{Game, Ply};

/// The usual width of a game file.
const WIDTH: usize = 80;

/// The game as text.
pub(super) fn pgn(game: &Game) -> String {
    let start: Position = game.start_fen.parse().unwrap_or_default();
    let mut made = pgn::Game::new(start.clone());
    made.tags.set("Event", "Vidmar web");
    made.tags.complete_roster();
    made.tags.set("White", &game.white.name);
    made.tags.set("Black", &game.black.name);
    made.tags.set("Result", &game.status.result);
    if let Some(clock) = game.clock {
        let control = format!("{}+{}", seconds(clock.base_ms), seconds(clock.increment_ms));
        made.tags.set("TimeControl", &control);
    }
    if let Some(opening) = &game.opening {
        made.tags.set("Opening", opening);
    }
    if start.castling_notation() == CastlingNotation::Chess960 {
        made.tags.set("Variant", "Chess960");
    }
    made.result = Outcome::from_text(&game.status.result).unwrap_or_default();
    let mut now = start;
    for ply in &game.plies {
        let Ok(m) = now.parse_uci(&ply.uci) else { break };
        now.play(m);
        let mut written = pgn::Ply::new(Some(m));
        written.comments.extend(comment(ply));
        made.main.plies.push(written);
    }
    made.to_pgn(WIDTH).unwrap_or_default()
}

fn seconds(milliseconds: u64) -> String {
    (milliseconds as f64 / 1000.0).to_string()
}

fn comment(ply: &Ply) -> Option<pgn::Comment> {
    let annotations = pgn::Annotations {
        evaluation: ply.score.map(|score| pgn::Evaluation { score, depth: None }),
        // Whole seconds, as on servers.
        clock: ply.clock_ms.map(|left| Duration::from_secs(left / 1000)),
        ..pgn::Annotations::default()
    };
    (annotations != pgn::Annotations::default()).then(|| pgn::Comment::new(&annotations.to_string()))
}
