//! The commands, read from their lines.

use std::str::FromStr;

use thiserror::Error;
use vidmar_chess::{FenError, Game, Position, UciMoveError};
use vidmar_text::Excerpt;

use crate::settings::MAX_THREADS;

/// What a line asks for.
#[derive(Debug)]
pub(super) enum Command {
    Uci,
    IsReady,
    SetOption {
        name: String,
        value: Option<String>,
    },
    NewGame,
    Position(Box<Game>),
    /// The words after `go`, which mean something only in a position.
    Go(String),
    Stop,
    PonderHit,
    Quit,
    Bench {
        depth: Option<u32>,
        threads: Option<usize>,
    },
    Display,
    Eval,
    Help,
    /// Part of the protocol, and of no matter here.
    Nothing,
}

/// Why a line is no command.
#[derive(Debug, Error)]
pub(super) enum CommandError {
    #[error("unknown command '{0}' ('help' lists the commands)")]
    Unknown(Excerpt),
    #[error("setoption: expected 'name NAME [value VALUE]', not '{0}'")]
    SetOption(Excerpt),
    #[error("position: expected 'startpos' or 'fen FEN', not '{0}'")]
    Position(Excerpt),
    #[error("position: {0}")]
    Fen(#[from] FenError),
    #[error("position: move {number}: {fault}")]
    Move { number: usize, fault: UciMoveError },
    #[error("bench: '{0}' is not a number from 1 to {1}")]
    Bench(Excerpt, u32),
}

pub(super) const HELP: &str = "\
uci                          introduce yourself: name and options
isready                      answer readyok
setoption name N [value V]   set an option
ucinewgame                   the next position belongs to another game
position startpos|fen F [moves M...]
go [wtime T] [btime T] [winc T] [binc T] [movestogo N] [movetime T] [depth N] [nodes N] [mate N]
   [searchmoves M...] [ponder] [infinite]
                             think and answer bestmove; times in milliseconds
go perft N                   count the sequences of N legal moves
stop                         answer now
ponderhit                    the expected move was played
bench [DEPTH] [THREADS]      count nodes over fixed positions: the signature, unless EvalFile or parameters are set
d                            show the position
eval                         show the position's score term by term
quit                         end";

/// Reads a line; an empty one asks for nothing.
pub(super) fn parse(line: &str) -> Result<Option<Command>, CommandError> {
    let line = line.trim();
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let command = match word {
        "" => return Ok(None),
        "uci" => Command::Uci,
        "isready" => Command::IsReady,
        "setoption" => set_option(rest)?,
        "ucinewgame" => Command::NewGame,
        "position" => Command::Position(Box::new(position(rest)?)),
        "go" => Command::Go(rest.to_owned()),
        "stop" => Command::Stop,
        "ponderhit" => Command::PonderHit,
        "quit" => Command::Quit,
        "bench" => bench(rest)?,
        "d" => Command::Display,
        "eval" => Command::Eval,
        "help" => Command::Help,
        "debug" | "register" => Command::Nothing,
        _ => return Err(CommandError::Unknown(line.into())),
    };
    Ok(Some(command))
}

/// `name NAME [value VALUE]`, where both may have spaces.
fn set_option(rest: &str) -> Result<Command, CommandError> {
    let error = || CommandError::SetOption(rest.into());
    let (first, rest_of_line) = rest.split_once(char::is_whitespace).ok_or_else(error)?;
    if first != "name" {
        return Err(error());
    }
    let words: Vec<&str> = rest_of_line.split_whitespace().collect();
    let end = words.iter().position(|&word| word == "value");
    let name = words[..end.unwrap_or(words.len())].join(" ");
    if name.is_empty() {
        return Err(error());
    }
    // The value as it was written, spaces and all: it may be the name of a file.
    let value = end.and_then(|_| after_word(rest_of_line, "value"));
    Ok(Command::SetOption {
        name,
        value: value.map(|text| text.trim().to_owned()),
    })
}

/// What follows the first occurrence of a word among words.
fn after_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        if &rest[..end] == word {
            return Some(&rest[end..]);
        }
        if end == rest.len() {
            return None;
        }
        rest = &rest[end..];
    }
}

fn position(rest: &str) -> Result<Game, CommandError> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let end = words.iter().position(|&word| word == "moves");
    let (setup, moves) = words.split_at(end.unwrap_or(words.len()));
    let start = match setup {
        ["startpos"] => Position::default(),
        ["fen", fen @ ..] if !fen.is_empty() => Position::from_str(&fen.join(" "))?,
        _ => return Err(CommandError::Position(rest.into())),
    };
    let mut game = Game::new(start);
    for (index, text) in moves.iter().skip(1).enumerate() {
        game.play_uci(text).map_err(|fault| CommandError::Move {
            number: index + 1,
            fault,
        })?;
    }
    Ok(game)
}

const MOST_DEPTH: u32 = 100;

fn bench(rest: &str) -> Result<Command, CommandError> {
    let number = |word: Option<&str>, most: u32| {
        let read = |text: &str| {
            let number = text.parse().ok().filter(|number| (1..=most).contains(number));
            number.ok_or_else(|| CommandError::Bench(text.into(), most))
        };
        word.map(read).transpose()
    };
    let mut words = rest.split_whitespace();
    Ok(Command::Bench {
        depth: number(words.next(), MOST_DEPTH)?,
        threads: number(words.next(), MAX_THREADS as u32)?.map(|threads| threads as usize),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        parse(line).expect("a command").expect("not empty")
    }

    fn message(line: &str) -> String {
        parse(line).expect_err("no command").to_string()
    }

    #[test]
    fn options_may_have_spaces_everywhere() {
        let cases = [
            ("setoption name Clear Hash", "Clear Hash", None),
            ("setoption name Hash value 16", "Hash", Some("16")),
            (
                "setoption  name  Move  Overhead  value  50 ",
                "Move Overhead",
                Some("50"),
            ),
            (
                "setoption name EvalFile value /a  b/value c",
                "EvalFile",
                Some("/a  b/value c"),
            ),
            ("setoption name EvalFile value", "EvalFile", Some("")),
            ("setoption name valued value x", "valued", Some("x")),
        ];
        for (line, expected_name, expected_value) in cases {
            let Command::SetOption { name, value } = read(line) else {
                panic!("{line}");
            };
            assert_eq!(
                (name.as_str(), value.as_deref()),
                (expected_name, expected_value),
                "{line}"
            );
        }
        for bad in [
            "setoption",
            "setoption name",
            "setoption value 3",
            "setoption name value 3",
            "setoption Hash 3",
        ] {
            assert!(message(bad).starts_with("setoption: expected"), "{bad}");
        }
    }

    #[test]
    fn positions_with_and_without_moves() {
        let fen = |line: &str| match read(line) {
            Command::Position(game) => game.position().to_string(),
            other => panic!("{other:?}"),
        };
        assert_eq!(
            fen("position startpos moves e2e4 c7c5"),
            "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
        );
        assert_eq!(
            fen("position fen 8/8/8/8/8/4k3/4p3/4K3 w - - 5 70"),
            "8/8/8/8/8/4k3/4p3/4K3 w - - 5 70"
        );
        assert_eq!(fen("position startpos moves"), Position::default().to_string());
        assert_eq!(
            message("position startpos moves e2e4 e2e4"),
            "position: move 2: the move e2e4 is not legal here"
        );
        for bad in [
            "position",
            "position fen",
            "position e4",
            "position startpos e2e4",
            "position fen moves e2e4",
        ] {
            assert!(message(bad).starts_with("position: expected"), "{bad}");
        }
        assert!(message("position fen 8/8/8/8/8/8/8/8 w - - 0 1").starts_with("position: "));
    }

    #[test]
    fn junk_is_quoted_and_cut() {
        assert_eq!(
            message("\0junk"),
            "unknown command '\\0junk' ('help' lists the commands)"
        );
        assert!(message(&"x".repeat(10_000)).len() < 200);
        assert!(parse("  \t ").is_ok_and(|command| command.is_none()));
        assert_eq!(message("bench 0"), "bench: '0' is not a number from 1 to 100");
        // As many threads as the option takes.
        assert!(matches!(
            read("bench 1 1024"),
            Command::Bench {
                threads: Some(1024),
                ..
            }
        ));
        assert_eq!(
            message("bench 1 1025"),
            "bench: '1025' is not a number from 1 to 1024"
        );
    }
}
