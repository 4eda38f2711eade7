//! A whole game in memory: tags, start position, a tree of moves, result.

use std::io::Read;

use vidmar_chess::{CastlingNotation, Move, Outcome, Position};

use super::comment::Comment;
use super::error::PgnError;
use super::nag::Nag;
use super::reader::Reader;
use super::result::parse_result;
use super::tag::TagValue;
use super::tags::Tags;
use super::visitor::{Moves, Visitor};
use crate::text::Text;

/// A game.
///
/// ```
/// use vidmar_formats::pgn::{Game, Reader};
///
/// let text = "[White \"Vidmar\"]\n\n1. d4 {a comment} Nf6 (1... d5 2. c4) 2. c4 *";
/// let game = Reader::new(text.as_bytes()).games().next().expect("a game")?;
/// assert_eq!(game.tags.get("White"), Some("Vidmar"));
/// assert_eq!(game.main.plies.len(), 3);
/// assert_eq!(game.main.plies[1].variations[0].plies.len(), 2);
/// # Ok::<(), vidmar_formats::pgn::PgnError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// The tags.
    pub tags: Tags,
    start: Position,
    /// The moves that were played.
    pub main: Line,
    /// The result: as it ends the moves, else as the tag has it, else unknown.
    pub result: Option<Outcome>,
}

/// Moves in a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line {
    /// What is said before the first move.
    pub comments: Vec<Comment>,
    /// The moves.
    pub plies: Vec<Ply>,
}

/// A move with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move; `None` is a null move.
    pub played: Option<Move>,
    /// The glyphs.
    pub nags: Vec<Nag>,
    /// The comments.
    pub comments: Vec<Comment>,
    /// What might have been played instead.
    pub variations: Vec<Line>,
}

impl Ply {
    /// A move without annotations.
    pub const fn new(played: Option<Move>) -> Ply {
        Ply {
            played,
            nags: Vec::new(),
            comments: Vec::new(),
            variations: Vec::new(),
        }
    }
}

impl Game {
    /// A game without moves from a position, with the tags that such a start needs.
    pub fn new(start: Position) -> Game {
        let mut tags = Tags::default();
        set_start_tags(&mut tags, &start);
        Game {
            tags,
            start,
            ..Game::default()
        }
    }

    /// The start position.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// The moves that were played, null moves as `None`.
    pub fn moves(&self) -> impl Iterator<Item = Option<Move>> {
        self.main.plies.iter().map(|ply| ply.played)
    }

    /// The position after the last move.
    pub fn last_position(&self) -> Position {
        let mut position = self.start.clone();
        for played in self.moves() {
            match played {
                Some(m) => position.play(m),
                None => position.play_null(),
            }
        }
        position
    }
}

/// Describes a start position in the tags; nothing for the standard one.
pub(super) fn set_start_tags(tags: &mut Tags, start: &Position) {
    if *start == Position::default() {
        return;
    }
    if start.castling_notation() == CastlingNotation::Chess960 && tags.get("Variant").is_none() {
        tags.set("Variant", "Chess960");
    }
    tags.set("SetUp", "1");
    tags.set("FEN", &start.to_string());
}

impl<R: Read> Reader<R> {
    /// The games one after the other, broken ones as errors.
    pub fn games(self) -> Games<R> {
        Games {
            reader: self,
            failed: false,
        }
    }
}

/// The games of a file; see [`Reader::games`].
#[derive(Debug)]
pub struct Games<R> {
    reader: Reader<R>,
    failed: bool,
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<Game, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        let mut builder = Builder::default();
        match self.reader.read_game(&mut builder) {
            Ok(true) => Some(Ok(builder.finish())),
            Ok(false) => None,
            Err(error) => {
                self.failed = matches!(error, PgnError::Io(_));
                Some(Err(error))
            }
        }
    }
}

/// Grows a game from what a reader tells.
#[derive(Debug, Default)]
struct Builder {
    /// As they came.
    tags: Vec<(String, String)>,
    sorted: Tags,
    start: Option<Position>,
    result: Option<Outcome>,
    line: Line,
    /// The lines that the open variations left.
    left: Vec<Line>,
}

impl Builder {
    fn finish(self) -> Game {
        Game {
            result: self.result,
            tags: self.sorted,
            start: self.start.unwrap_or_default(),
            main: self.line,
        }
    }
}

impl Visitor for Builder {
    const VARIATIONS: bool = true;

    fn tag(&mut self, name: Text<'_>, value: TagValue<'_>) {
        self.tags
            .push((name.decode().into_owned(), value.decode().into_owned()));
    }

    fn begin_moves(&mut self, start: &Position) -> Moves {
        self.start = Some(start.clone());
        self.sorted = self.tags.drain(..).collect();
        let tag = self.sorted.get("Result").unwrap_or_default();
        self.result = parse_result(tag.as_bytes()).unwrap_or_default();
        Moves::Read
    }

    fn played(&mut self, _position: &Position, played: Option<Move>) {
        self.line.plies.push(Ply::new(played));
    }

    fn nag(&mut self, nag: Nag) {
        // A glyph before the first move speaks of none.
        if let Some(ply) = self.line.plies.last_mut() {
            ply.nags.push(nag);
        }
    }

    fn comment(&mut self, text: Text<'_>) {
        let comments = match self.line.plies.last_mut() {
            Some(ply) => &mut ply.comments,
            None => &mut self.line.comments,
        };
        comments.push(Comment::new(&text.decode()));
    }

    fn begin_variation(&mut self) {
        self.left.push(std::mem::take(&mut self.line));
    }

    fn end_variation(&mut self) {
        let Some(left) = self.left.pop() else {
            return;
        };
        let variation = std::mem::replace(&mut self.line, left);
        let says_something = !variation.plies.is_empty() || !variation.comments.is_empty();
        if let Some(ply) = self.line.plies.last_mut().filter(|_| says_something) {
            ply.variations.push(variation);
        }
    }

    fn result(&mut self, outcome: Option<Outcome>) {
        self.result = outcome;
    }
}
