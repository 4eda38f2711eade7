//! The answers of an xboard engine: a move, a resignation, a claim.

use vidmar_chess::{Board as _, Game, Move, Outcome, Position, Termination};
use vidmar_text::Excerpt;

use crate::fault::{Fault, FaultKind};
use crate::process::first_word;

/// What a line means to the game.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Answer {
    /// The move; none is a resignation.
    Decided(Option<Move>),
    /// The protocol's small talk.
    SmallTalk,
    /// Something else.
    Unknown,
}

/// The beginnings of lines that are in order and of no matter.
const SMALL_TALK: &[&str] = &[
    "#",
    "Hint:",
    "accepted",
    "askuser",
    "feature",
    "offer",
    "pong",
    "rejected",
    "tellall",
    "tellics",
    "tellicsnoalias",
    "tellopponent",
    "tellothers",
    "telluser",
    "tellusererror",
];

/// Reads a line that is no thinking.
pub(super) fn read(line: &str, game: &Game) -> Result<Answer, Fault> {
    let position = game.position();
    let (word, rest) = first_word(line);
    let own_move = match word {
        "move" => Some(rest),
        "My" => rest
            .strip_prefix("move is")
            .map(|rest| rest.trim_start_matches([' ', ':'])),
        _ => None,
    };
    if let Some(text) = own_move {
        return read_move(first_word(text).0, position).map(|m| Answer::Decided(Some(m)));
    }
    if let Ok(outcome) = word.parse() {
        return Ok(claim(outcome, rest, game));
    }
    match word {
        "resign" => Ok(Answer::Decided(None)),
        "Illegal" => Err(Fault::new(
            FaultKind::Garbage,
            format!("'{}' about a legal one", Excerpt::from(line)),
        )),
        _ if SMALL_TALK.contains(&word) || word.starts_with('#') => Ok(Answer::SmallTalk),
        _ => Ok(Answer::Unknown),
    }
}

/// A move in any of the notations that engines use.
pub(super) fn any_notation(text: &str, position: &Position) -> Option<Move> {
    let lower = text.to_ascii_lowercase();
    let written = position.parse_uci(&lower).ok();
    let castled = || match lower.as_str() {
        "o-o" | "0-0" => position.parse_san("O-O").ok(),
        "o-o-o" | "0-0-0" => position.parse_san("O-O-O").ok(),
        _ => None,
    };
    written.or_else(castled).or_else(|| position.parse_san(text).ok())
}

fn read_move(text: &str, position: &Position) -> Result<Move, Fault> {
    any_notation(text, position).ok_or_else(|| {
        let lower = text.to_ascii_lowercase();
        let looks_like_one = lower.len() >= 2
            && lower.is_ascii()
            && lower.chars().any(|c| c.is_ascii_digit())
            && lower
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-=+#x".contains(c));
        let kind = if looks_like_one {
            FaultKind::IllegalMove
        } else {
            FaultKind::Garbage
        };
        Fault::new(kind, format!("'move {}' in {position}", Excerpt::from(text)))
    })
}

/// A result instead of a move. Who says that it resigns gives up; a draw must be one move away, by the rules on
/// repetition, on 50 moves or on material: then that move is played. Everything else is no answer: it may be a late word
/// about the game before.
fn claim(outcome: Outcome, reason: &str, game: &Game) -> Answer {
    let lost = Outcome::win(!game.position().turn());
    if outcome == lost && reason.to_ascii_lowercase().contains("resign") {
        return Answer::Decided(None);
    }
    let draws = |m: Move| {
        let mut board = game.board().clone();
        board.make(m);
        board.termination_with_claims().and_then(Termination::outcome) == Some(Outcome::Draw)
    };
    let moves = game.position().legal_moves();
    match moves.iter().copied().find(|&m| draws(m)) {
        Some(m) if outcome == Outcome::Draw => Answer::Decided(Some(m)),
        _ => Answer::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(fen: &str) -> Game {
        Game::new(fen.parse().expect(fen))
    }

    #[test]
    fn moves_come_in_many_notations() {
        let castling = game("r3k3/1P6/8/8/8/8/8/R3K2R w KQ - 0 1");
        let uci = |text: &str| Answer::Decided(Some(castling.position().parse_uci(text).expect(text)));
        for (line, expected) in [
            ("move e1g1", "e1g1"),
            ("move O-O", "e1g1"),
            ("move o-o-o", "e1c1"),
            ("My move is : Kf2", "e1f2"),
            ("move b7b8Q", "b7b8q"),
            ("move bxa8=N+", "b7a8n"),
        ] {
            assert_eq!(read(line, &castling), Ok(uci(expected)), "{line}");
        }
        assert_eq!(
            read("move e1e3", &castling).unwrap_err().kind,
            FaultKind::IllegalMove
        );
        assert_eq!(read("move ?!", &castling).unwrap_err().kind, FaultKind::Garbage);
        assert_eq!(read("tellics hello", &castling), Ok(Answer::SmallTalk));
        assert_eq!(read("lorem ipsum", &castling), Ok(Answer::Unknown));
    }

    #[test]
    fn a_side_may_give_up_and_claim_what_is_true() {
        let start = Game::default();
        assert_eq!(read("resign", &start), Ok(Answer::Decided(None)));
        assert_eq!(read("0-1 {White resigns}", &start), Ok(Answer::Decided(None)));
        for no_answer in [
            "1-0 {White resigns}",
            "0-1 {Black mates}",
            "1/2-1/2 {Draw by agreement}",
        ] {
            assert_eq!(read(no_answer, &start), Ok(Answer::Unknown));
        }
        let fifty = game("8/8/4k3/8/8/4K3/4R3/8 w - - 99 80");
        assert!(matches!(
            read("1/2-1/2 {50 moves}", &fifty),
            Ok(Answer::Decided(Some(_)))
        ));
    }
}
