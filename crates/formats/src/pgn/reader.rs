//! The streaming reader.
//!
//! Every move is checked against the rules while it is read. A broken game costs that game only: its
//! error tells the location, and reading goes on at the next result or tag.

use std::io::{self, Read};

use vidmar_text::Excerpt;

use super::buffer::Location;
use super::error::{Fault, GameError, PgnError};
use super::lexer::{LexError, Lexer, Token};
use super::replay::Replay;
use super::tag::{RawTag, TagValue, looks_like_tag, starts_game};
use super::variant;
use super::visitor::{Moves, Visitor};
use crate::text::Text;

/// Reads games from any source of bytes.
///
/// ```
/// use vidmar_chess::{Move, Position};
/// use vidmar_formats::pgn::{Reader, Visitor};
///
/// #[derive(Default)]
/// struct Plies(usize);
///
/// impl Visitor for Plies {
///     fn played(&mut self, _position: &Position, _played: Option<Move>) {
///         self.0 += 1;
///     }
/// }
///
/// let mut plies = Plies::default();
/// let mut reader = Reader::new(&b"1. e4 e5 2. Nf3 (2. f4) Nc6 1/2-1/2"[..]);
/// while reader.read_game(&mut plies)? {}
/// assert_eq!(plies.0, 4);
/// # Ok::<(), vidmar_formats::pgn::PgnError>(())
/// ```
#[derive(Debug)]
pub struct Reader<R> {
    lexer: Lexer<R>,
    replay: Replay,
    games: u64,
    limits: Limits,
}

/// How large one game may be, for those who keep it in memory and did not choose the file: a larger one is a broken game.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Tags.
    pub tags: usize,
    /// Moves, glyphs, comments and variations, all together.
    pub parts: usize,
}

impl Default for Limits {
    /// None.
    fn default() -> Limits {
        Limits {
            tags: usize::MAX,
            parts: usize::MAX,
        }
    }
}

/// What the tags say that a reader needs.
#[derive(Debug, Default)]
struct Rules {
    tags: usize,
    fen: Option<(Vec<u8>, Location)>,
    variant: Option<(Vec<u8>, Location)>,
}

/// Why a game could not be read to its end.
#[derive(Debug)]
enum Stop {
    Io(io::Error),
    /// A word or sign of the file is wrong: the last one.
    Here(Fault),
    /// Something earlier is wrong.
    At(Location, Fault),
}

impl From<LexError> for Stop {
    fn from(error: LexError) -> Stop {
        match error {
            LexError::Io(error) => Stop::Io(error),
            LexError::Fault(fault) => Stop::Here(fault),
        }
    }
}

impl From<Box<LexError>> for Stop {
    fn from(error: Box<LexError>) -> Stop {
        Stop::from(*error)
    }
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Io(error)
    }
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::Here(fault)
    }
}

impl<R: Read> Reader<R> {
    /// A reader of a file, a slice, standard input, …; no buffering is needed around it.
    pub fn new(source: R) -> Reader<R> {
        Reader {
            lexer: Lexer::new(source),
            replay: Replay::default(),
            games: 0,
            limits: Limits::default(),
        }
    }

    /// The same reader for games of a bounded size.
    pub fn within(self, limits: Limits) -> Reader<R> {
        Reader { limits, ..self }
    }

    /// Reads the next game into a visitor; `false` at the end of the file.
    ///
    /// After a [`PgnError::Game`] call it again for the game after the broken one.
    pub fn read_game<V: Visitor>(&mut self, visitor: &mut V) -> Result<bool, PgnError> {
        self.games += 1;
        match self.read(visitor) {
            Ok(true) => Ok(true),
            Ok(false) => {
                self.games -= 1;
                Ok(false)
            }
            Err(Stop::Io(error)) => Err(error.into()),
            Err(Stop::Here(fault)) => {
                let location = self.lexer.location();
                self.report(location, fault)
            }
            Err(Stop::At(location, fault)) => self.report(location, fault),
        }
    }

    /// The games read so far, broken ones included.
    pub fn games_read(&self) -> u64 {
        self.games
    }

    fn read<V: Visitor>(&mut self, visitor: &mut V) -> Result<bool, Stop> {
        visitor.begin_game();
        let mut rules = Rules::default();
        let first = self.read_tags(visitor, &mut rules)?;
        if first == Token::End && rules.tags == 0 {
            return Ok(false);
        }
        if let Err((location, fault)) = self.set_up(&rules) {
            self.lexer.put_back();
            return Err(Stop::At(location, fault));
        }
        match visitor.begin_moves(&self.replay.position) {
            Moves::Read => self.read_moves(visitor, first)?,
            Moves::Skip => {
                self.lexer.put_back();
                self.skip_moves(visitor, false, 0)?;
            }
        }
        visitor.end_game(&self.replay.position);
        Ok(true)
    }

    /// Reads tags, and gives the first token that belongs to the moves.
    fn read_tags<V: Visitor>(&mut self, visitor: &mut V, rules: &mut Rules) -> Result<Token, Stop> {
        loop {
            match self.lexer.next()? {
                Token::Comment => visitor.comment(Text::new(self.lexer.text())),
                Token::Bracket => {
                    let blank_before = self.lexer.newlines() > 1;
                    let line = self.lexer.line()?;
                    if rules.tags > 0 && blank_before && starts_game(line, false) {
                        return Ok(Token::Bracket);
                    }
                    let Some(tag) = RawTag::parse(line) else {
                        return Err(Fault::Tag(line.into()).into());
                    };
                    if rules.tags >= self.limits.tags {
                        let (what, limit) = ("tags", self.limits.tags);
                        return Err(Fault::TooMany { what, limit }.into());
                    }
                    visitor.tag(Text::new(tag.name), TagValue::new(tag.value));
                    rules.tags += 1;
                    let length = tag.length;
                    if let b"FEN" | b"Variant" = tag.name {
                        let (is_fen, value) = (tag.name == b"FEN", tag.value.to_vec());
                        let noted = Some((value, self.lexer.location()));
                        *(if is_fen {
                            &mut rules.fen
                        } else {
                            &mut rules.variant
                        }) = noted;
                    }
                    self.lexer.consume(length);
                }
                other => return Ok(other),
            }
        }
    }

    /// Puts the pieces where the tags want them.
    fn set_up(&mut self, rules: &Rules) -> Result<(), (Location, Fault)> {
        if let Some((name, location)) = &rules.variant {
            let name = TagValue::new(name).decode();
            if !variant::is_chess(&name) {
                return Err((*location, Fault::Variant((*name).into())));
            }
        }
        match &rules.fen {
            None => self.replay.start_standard(),
            Some((fen, location)) => {
                let fen = TagValue::new(fen).decode();
                let position = fen.parse().map_err(|error| (*location, Fault::Fen(error)))?;
                self.replay.start(position);
            }
        }
        Ok(())
    }

    /// Reads the moves to the result, or to where it should be.
    fn read_moves<V: Visitor>(&mut self, visitor: &mut V, first: Token) -> Result<(), Stop> {
        let mut token = first;
        let mut left = self.limits.parts;
        loop {
            // What somebody may keep.
            if matches!(
                token,
                Token::Word | Token::Comment | Token::Nag(_) | Token::OpenVariation
            ) {
                left = left.checked_sub(1).ok_or(Fault::TooMany {
                    what: "moves and comments",
                    limit: self.limits.parts,
                })?;
            }
            match token {
                Token::Word => self.replay.play_word(self.lexer.text(), visitor)?,
                Token::Comment => visitor.comment(Text::new(self.lexer.text())),
                Token::Nag(nag) => visitor.nag(nag),
                Token::OpenVariation if V::VARIATIONS => self.replay.begin_variation(visitor)?,
                Token::OpenVariation => self.skip_variation()?,
                Token::CloseVariation => self.replay.end_variation(visitor)?,
                Token::Result(outcome) if self.replay.depth() == 0 => {
                    self.read_last_comments(visitor)?;
                    visitor.result(outcome);
                    return Ok(());
                }
                Token::FirstMove if self.another_game_begins() => return self.end_early(),
                // Some programs end variations with a result.
                Token::FirstMove | Token::Result(_) => {}
                Token::Bracket => {
                    let ahead = self.lexer.ahead();
                    if !looks_like_tag(ahead) {
                        return Err(Fault::Unexpected(first_word(ahead)).into());
                    }
                    return self.end_early();
                }
                Token::End => return self.end_early(),
            }
            token = self.lexer.next()?;
        }
    }

    /// Whether a number 1 at the beginning of a line, where the main line has moves, begins a game: after
    /// a blank line always, else if the first move is complete.
    fn another_game_begins(&self) -> bool {
        let after_blank_line = self.lexer.newlines() > 1;
        self.replay.depth() == 0
            && self.replay.has_moved()
            && (after_blank_line || self.replay.has_finished_a_move())
    }

    /// The next game begins, or the file ends, before a result.
    fn end_early(&mut self) -> Result<(), Stop> {
        match self.replay.depth() {
            0 => {
                self.lexer.put_back();
                Ok(())
            }
            depth => Err(Fault::UnclosedVariation(depth).into()),
        }
    }

    /// Comments that follow the result on its line are about this game.
    fn read_last_comments<V: Visitor>(&mut self, visitor: &mut V) -> io::Result<()> {
        loop {
            match self.lexer.next() {
                Ok(Token::Comment) if self.lexer.newlines() == 0 => {
                    visitor.comment(Text::new(self.lexer.text()));
                }
                // What stands there, right or wrong, is the next game's matter.
                Ok(_) => break,
                Err(error) => match *error {
                    LexError::Io(error) => return Err(error),
                    LexError::Fault(_) => break,
                },
            }
        }
        self.lexer.put_back();
        Ok(())
    }

    /// Passes over a variation and those inside it.
    fn skip_variation(&mut self) -> Result<(), Stop> {
        if !self.replay.has_moved() {
            return Err(Fault::EarlyVariation.into());
        }
        let mut depth = 1;
        while depth > 0 {
            match self.lexer.next()? {
                Token::OpenVariation => depth = Replay::deeper(depth)?,
                Token::CloseVariation => depth -= 1,
                Token::End => return Err(Fault::UnclosedVariation(depth).into()),
                Token::Bracket => {
                    let ahead = self.lexer.ahead();
                    return Err(if looks_like_tag(ahead) {
                        Fault::UnclosedVariation(depth).into()
                    } else {
                        Fault::Unexpected(first_word(ahead)).into()
                    });
                }
                _ => {}
            }
        }
        Ok(())
    }

    #[cold]
    fn report(&mut self, location: Location, fault: Fault) -> Result<bool, PgnError> {
        match &fault {
            Fault::UnclosedComment | Fault::TooLong { .. } | Fault::TooMany { .. } => {
                self.lexer.skip_to_game()?;
            }
            fault => {
                let in_tags = matches!(fault, Fault::Tag(_));
                let words = match fault {
                    Fault::Tag(_) | Fault::Fen(_) | Fault::Variant(_) => 0,
                    _ => 1,
                };
                if in_tags {
                    self.lexer.skip_line()?;
                } else if matches!(fault, Fault::UnclosedVariation(_)) {
                    self.lexer.put_back();
                }
                match self.skip_moves(&mut Nobody, in_tags, words) {
                    Ok(()) => {}
                    Err(Stop::Io(error)) => return Err(error.into()),
                    Err(Stop::Here(_) | Stop::At(..)) => self.lexer.skip_to_game()?,
                }
            }
        }
        Err(PgnError::Game(GameError {
            game: self.games,
            location,
            fault,
        }))
    }

    /// Passes over the rest of a game, whatever it is, and tells only its result.
    fn skip_moves<V: Visitor>(
        &mut self,
        visitor: &mut V,
        mut in_tags: bool,
        mut words: usize,
    ) -> Result<(), Stop> {
        // An error in a variation leaves the main line still to come.
        let mut depth = if words > 0 { self.replay.depth() } else { 0 };
        loop {
            let token = match self.lexer.next().map_err(|error| *error) {
                Ok(token) => token,
                Err(LexError::Io(error)) => return Err(error.into()),
                Err(LexError::Fault(Fault::UnclosedComment | Fault::TooLong { .. })) => {
                    self.lexer.skip_to_game()?;
                    return Ok(());
                }
                Err(LexError::Fault(_)) => continue,
            };
            // A parenthesis that was never closed must not swallow the next games.
            if self.lexer.newlines() > 1 {
                depth = 0;
            }
            match token {
                Token::End => break,
                Token::Result(outcome) if depth == 0 => {
                    self.read_last_comments(&mut Nobody)?;
                    visitor.result(outcome);
                    return Ok(());
                }
                Token::OpenVariation => depth += 1,
                Token::CloseVariation => depth = depth.saturating_sub(1),
                Token::FirstMove if words > 0 => break,
                Token::FirstMove | Token::Result(_) | Token::Comment | Token::Nag(_) => {}
                Token::Word => {
                    words += 1;
                    in_tags = false;
                }
                Token::Bracket => {
                    let blank_before = self.lexer.newlines() > 1;
                    let ahead = self.lexer.ahead();
                    if in_tags && !(blank_before && starts_game(ahead, false)) {
                        self.lexer.skip_line()?;
                    } else if looks_like_tag(ahead) {
                        break;
                    }
                }
            }
        }
        self.lexer.put_back();
        Ok(())
    }
}

/// What to quote of something that should not be there.
fn first_word(text: &[u8]) -> Excerpt {
    let end = text.iter().position(u8::is_ascii_whitespace);
    Excerpt::from(&text[..end.unwrap_or(text.len())])
}

/// A visitor that looks away.
struct Nobody;

impl Visitor for Nobody {}
