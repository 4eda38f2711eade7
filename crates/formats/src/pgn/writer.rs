//! Writing games: the seven tags first, moves in strict notation, lines of limited width.
//!
//! What is written reads back as an equal game. Comments need care for that: lines are broken only
//! where a single blank stands, and a text with a closing brace is written as a `;` comment.

use std::io::{self, Write};

use thiserror::Error;
use vidmar_chess::{CastlingNotation, Color, Outcome, Position};

use super::comment::Comment;
use super::game::{Game, Line, Ply, set_start_tags};
use super::wrapped::Wrapped;

/// Writing a game failed.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The file could not be written.
    #[error("the game cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The game is none.
    #[error("the move {0} of the game is not legal in {1}")]
    Illegal(String, Box<Position>),
}

/// The width of lines that the PGN standard asks for: less than 80 (its 4.3).
const STANDARD_WIDTH: usize = 79;

/// Writes games one after the other.
#[derive(Debug)]
pub struct Writer<W> {
    out: W,
    width: usize,
}

impl<W: Write> Writer<W> {
    /// A writer of lines below 80 characters.
    pub fn new(out: W) -> Writer<W> {
        Writer {
            out,
            width: STANDARD_WIDTH,
        }
    }

    /// The same with lines of at most `width` characters, where words allow it; 0 for no limit.
    pub fn with_width(mut self, width: usize) -> Writer<W> {
        self.width = if width == 0 { usize::MAX } else { width };
        self
    }

    /// Writes a game and an empty line.
    pub fn write(&mut self, game: &Game) -> Result<(), WriteError> {
        let text = game.to_pgn(self.width)?;
        self.out.write_all(text.as_bytes())?;
        self.out.write_all(b"\n")?;
        Ok(())
    }

    /// Writes out what is still on its way.
    pub fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// Gives back what is written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}

impl Game {
    /// The game as PGN text, in lines of at most `width` characters where words allow it.
    pub fn to_pgn(&self, width: usize) -> Result<String, WriteError> {
        let mut text = String::new();
        for (name, value) in self.tags_to_write().iter() {
            let value = value.replace('\\', "\\\\").replace('"', "\\\"");
            text.extend(["[", name, " \"", &value, "\"]\n"]);
        }
        if !text.is_empty() {
            text.push('\n');
        }
        let mut words = Wrapped::new(text, width);
        write_line(&mut words, &self.main, self.start().clone())?;
        words.word(Outcome::text(self.result));
        Ok(words.finish())
    }

    /// The tags, with a start position that is the game's.
    fn tags_to_write(&self) -> super::tags::Tags {
        let mut tags = self.tags.clone();
        let told = match tags.get("FEN") {
            Some(fen) => fen.parse::<Position>().is_ok_and(|start| start == *self.start()),
            None => *self.start() == Position::default(),
        };
        if !told {
            tags.remove("FEN");
            tags.remove("SetUp");
            set_start_tags(&mut tags, self.start());
        }
        tags
    }
}

/// Writes a line of moves with its variations; no deeper nested than the game itself.
fn write_line(words: &mut Wrapped, line: &Line, mut position: Position) -> Result<(), WriteError> {
    for comment in &line.comments {
        write_comment(words, comment);
    }
    // Black's moves are numbered only where White's does not stand before them.
    let mut number_black = true;
    for ply in &line.plies {
        if position.turn() == Color::White {
            words.word(&format!("{}.", position.fullmoves()));
        } else if number_black {
            words.word(&format!("{}...", position.fullmoves()));
        }
        let before = position.clone();
        words.word(&play(&mut position, ply)?);
        for nag in &ply.nags {
            words.word(&nag.to_string());
        }
        for comment in &ply.comments {
            write_comment(words, comment);
        }
        for variation in &ply.variations {
            words.open();
            write_line(words, variation, before.clone())?;
            words.close();
        }
        number_black = !ply.comments.is_empty() || !ply.variations.is_empty();
    }
    Ok(())
}

/// Plays a move and gives its notation.
fn play(position: &mut Position, ply: &Ply) -> Result<String, WriteError> {
    let illegal = |text, position: &Position| Err(WriteError::Illegal(text, Box::new(position.clone())));
    match ply.played {
        Some(m) if position.is_legal(m) => {
            let san = position.san(m).to_string();
            position.play(m);
            Ok(san)
        }
        Some(m) => illegal(m.uci(CastlingNotation::Chess960).to_string(), position),
        None if position.in_check() => illegal("--".to_owned(), position),
        None => {
            position.play_null();
            Ok("--".to_owned())
        }
    }
}

fn write_comment(words: &mut Wrapped, comment: &Comment) {
    let text = comment.as_str();
    if text.contains('}') {
        words.rest_of_line(&format!("; {text}"));
        return;
    }
    let mut piece = String::from("{");
    let mut last = None;
    for (at, c) in text.char_indices() {
        if c == ' ' && may_break(last, &text[at + 1..]) {
            words.word(&piece);
            piece.clear();
        } else {
            piece.push(c);
        }
        last = Some(c);
    }
    piece.push('}');
    words.word(&piece);
}

/// Whether a blank between these may become a line end: it must be the only one, and the next line
/// must not look like a tag or an escaped line.
fn may_break(before: Option<char>, after: &str) -> bool {
    let blank = |c: char| matches!(c, ' ' | '\t');
    before.is_some_and(|c| !blank(c))
        && after.chars().next().is_some_and(|c| !blank(c) && c != '%')
        && (!after.starts_with('[') || after.starts_with("[%"))
}
