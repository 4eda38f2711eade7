//! Results only: who played White, who played Black, how it ended. For rating lists.
//!
//! The movetext is not looked at beyond what is needed to find the next game, so this reads hundreds of
//! megabytes a second and accepts what the full reader would reject: other variants, broken moves, no
//! moves at all. One block of the file is in memory at a time.
//!
//! A game ends where the tags of the next one begin: at a line that starts with a tag, outside of any
//! comment, after movetext; or, where there is no movetext, after an empty line once White, Black and
//! Result are known.

use std::borrow::Cow;
use std::io::{self, Read};

use memchr::{memchr, memrchr2};
use vidmar_chess::Outcome;

/// Size of a block, and of the longest line that is accepted.
const BLOCK: usize = 1 << 18;
const LONGEST_LINE: usize = 1 << 26;

/// The result of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResultRecord<'a> {
    /// The player with the white pieces.
    pub white: Cow<'a, str>,
    /// The player with the black pieces.
    pub black: Cow<'a, str>,
    /// Who won; none if it is unfinished or unknown.
    pub result: Option<Outcome>,
    /// The line where the game's tags begin, from 1.
    pub line: u64,
}

/// Why a result could not be read.
#[derive(Debug, thiserror::Error)]
pub enum ResultsError {
    /// The input failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A game without a tag that a rating needs.
    #[error("line {line}: the game that begins here has no {tag} tag")]
    MissingTag {
        /// The line where the game's tags begin.
        line: u64,
        /// The tag that is missing.
        tag: &'static str,
    },
    /// A player without a name.
    #[error("line {line}: the {tag} tag does not name a player: '{value}'")]
    NoName {
        /// The line of the tag.
        line: u64,
        /// The tag.
        tag: &'static str,
        /// Its value.
        value: String,
    },
    /// A value that is not a result.
    #[error("line {line}: '{value}' is not a result: expected 1-0, 0-1, 1/2-1/2 or *")]
    BadResult {
        /// The line of the tag.
        line: u64,
        /// Its value.
        value: String,
    },
    /// A needed tag that has no quoted value.
    #[error("line {line}: the {tag} tag has no value in quotes")]
    BadTag {
        /// The line of the tag.
        line: u64,
        /// The tag.
        tag: &'static str,
    },
    /// Not a text file, most likely.
    #[error("line {line} is longer than {LONGEST_LINE} bytes: is this a PGN file?")]
    LineTooLong {
        /// The line.
        line: u64,
    },
}

/// The tags that matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Needed {
    White,
    Black,
    Result,
}

impl Needed {
    const ALL: [Needed; 3] = [Needed::White, Needed::Black, Needed::Result];

    fn name(self) -> &'static str {
        match self {
            Needed::White => "White",
            Needed::Black => "Black",
            Needed::Result => "Result",
        }
    }
}

/// A tag's value as it stands in the file, and its line; line 0 means not seen.
#[derive(Debug, Default)]
struct Value {
    bytes: Vec<u8>,
    line: u64,
    unreadable: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Section {
    Tags,
    AfterEmptyLine,
    Moves { in_comment: bool },
}

/// Reads results one after the other.
///
/// ```
/// use vidmar_chess::Outcome;
/// use vidmar_formats::results::ResultReader;
///
/// let pgn = "[White \"Ann\"]\n[Black \"Ben\"]\n[Result \"1/2-1/2\"]\n\n1. e4 e5 1/2-1/2\n";
/// let mut reader = ResultReader::new(pgn.as_bytes());
/// let record = reader.next_record()?.expect("there is one game");
/// assert_eq!((&*record.white, record.result), ("Ann", Some(Outcome::Draw)));
/// assert!(reader.next_record()?.is_none());
/// # Ok::<(), vidmar_formats::results::ResultsError>(())
/// ```
///
/// After an error about a game the next call goes on with the game behind it.
#[derive(Debug)]
pub struct ResultReader<R> {
    lines: Lines<R>,
    /// The line that ended the last game and begins this one was looked at but not used yet.
    held: bool,
    section: Section,
    game_line: u64,
    values: [Value; 3],
}

impl<R: Read> ResultReader<R> {
    /// A reader at the beginning of this input.
    pub fn new(input: R) -> Self {
        ResultReader {
            lines: Lines {
                input,
                buffer: Vec::new(),
                start: 0,
                next: 0,
                filled: 0,
                number: 0,
                at_end: false,
            },
            held: false,
            section: Section::Tags,
            game_line: 0,
            values: Default::default(),
        }
    }

    /// The next game, or `None` at the end of the input.
    pub fn next_record(&mut self) -> Result<Option<ResultRecord<'_>>, ResultsError> {
        self.begin_game();
        loop {
            if self.held {
                self.held = false;
            } else if !self.lines.advance()? {
                break;
            }
            if self.take_line() {
                self.held = true;
                break;
            }
        }
        if self.game_line == 0 {
            Ok(None)
        } else {
            self.record().map(Some)
        }
    }

    fn begin_game(&mut self) {
        self.section = Section::Tags;
        self.game_line = 0;
        for value in &mut self.values {
            value.line = 0;
            value.unreadable = false;
        }
    }

    /// Looks at the current line; true if it belongs to the next game already.
    fn take_line(&mut self) -> bool {
        let number = self.lines.number;
        let line = self.lines.current().trim_ascii();
        if let Section::Moves { in_comment: true } = self.section {
            self.section = Section::Moves {
                in_comment: comment_open_after(line, true),
            };
            return false;
        }
        let Some(&first) = line.first() else {
            if self.section == Section::Tags && self.game_line != 0 {
                self.section = Section::AfterEmptyLine;
            }
            return false;
        };
        if first == b'[' && line.get(1).is_some_and(u8::is_ascii_alphanumeric) {
            let complete = self.values.iter().all(|value| value.line != 0);
            let begins_next = match self.section {
                Section::Moves { .. } => true,
                Section::AfterEmptyLine => complete && in_roster(line),
                Section::Tags => false,
            };
            if begins_next {
                return true;
            }
            self.section = Section::Tags;
            if self.game_line == 0 {
                self.game_line = number;
            }
            take_tags(line, number, &mut self.values);
        } else if first != b'%' && self.game_line != 0 {
            self.section = Section::Moves {
                in_comment: comment_open_after(line, false),
            };
        }
        false
    }

    fn record(&self) -> Result<ResultRecord<'_>, ResultsError> {
        for (tag, value) in Needed::ALL.iter().zip(&self.values) {
            if value.line == 0 {
                return Err(ResultsError::MissingTag {
                    line: self.game_line,
                    tag: tag.name(),
                });
            }
            if value.unreadable {
                return Err(ResultsError::BadTag {
                    line: value.line,
                    tag: tag.name(),
                });
            }
        }
        let [white, black, result] = &self.values;
        let outcome = str::from_utf8(&result.bytes).map(Outcome::from_text);
        let Ok(Ok(outcome)) = outcome else {
            return Err(ResultsError::BadResult {
                line: result.line,
                value: text(&result.bytes).into_owned(),
            });
        };
        for (tag, value) in [("White", white), ("Black", black)] {
            if matches!(&*value.bytes, b"" | b"?") {
                return Err(ResultsError::NoName {
                    line: value.line,
                    tag,
                    value: text(&value.bytes).into_owned(),
                });
            }
        }
        Ok(ResultRecord {
            white: text(&white.bytes),
            black: text(&black.bytes),
            result: outcome,
            line: self.game_line,
        })
    }
}

/// Whether the line's tag is one of the seven that every game has: those that begin a game in practice.
fn in_roster(line: &[u8]) -> bool {
    let name = line[1..]
        .split(|&byte| byte == b' ' || byte == b'\t' || byte == b'"')
        .next()
        .unwrap_or_default();
    matches!(
        name,
        b"Event" | b"Site" | b"Date" | b"Round" | b"White" | b"Black" | b"Result"
    )
}

/// Takes the needed values out of a line of tags; there may be several on one line.
fn take_tags(mut line: &[u8], number: u64, values: &mut [Value; 3]) {
    while line.first() == Some(&b'[') {
        let name_end = line
            .iter()
            .position(|&byte| matches!(byte, b' ' | b'\t' | b'"'))
            .unwrap_or(line.len());
        let needed = match &line[1..name_end] {
            b"White" => Some(Needed::White),
            b"Black" => Some(Needed::Black),
            b"Result" => Some(Needed::Result),
            _ => None,
        };
        let quoted = quoted_value(&line[name_end..]);
        if let Some(needed) = needed {
            let value = &mut values[needed as usize];
            value.line = number;
            value.unreadable = quoted.is_none();
            value.bytes.clear();
            value
                .bytes
                .extend_from_slice(quoted.map_or(&[][..], |(bytes, _)| bytes.trim_ascii()));
        }
        let Some((_, rest)) = quoted else { return };
        line = rest;
    }
}

/// The text between the quotes and what follows the closing bracket.
fn quoted_value(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let open = memchr(b'"', line)? + 1;
    let mut close = open;
    loop {
        close += memchr(b'"', &line[close..])?;
        if !escaped(&line[open..close]) {
            let rest = line[close + 1..].trim_ascii_start();
            match rest.first() {
                Some(b']') => return Some((&line[open..close], rest[1..].trim_ascii_start())),
                None => return Some((&line[open..close], rest)),
                // A quote inside the value that nobody escaped: look for a later one.
                Some(_) => {}
            }
        }
        close += 1;
    }
}

/// Whether what follows these bytes is escaped: an odd number of backslashes at their end.
fn escaped(before: &[u8]) -> bool {
    before.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
}

/// Whether a `{` comment is open behind this line of movetext.
fn comment_open_after(line: &[u8], open: bool) -> bool {
    // Comments do not nest, so mostly the last brace decides.
    match memrchr2(b'{', b'}', line) {
        None => open,
        Some(at) if line[at] == b'}' => false,
        Some(_) => opened_for_good(line, open),
    }
}

/// The same, byte by byte, because the last brace may itself stand in a comment to the end of the line.
fn opened_for_good(line: &[u8], mut open: bool) -> bool {
    for &byte in line {
        match byte {
            b'}' => open = false,
            b'{' => open = true,
            b';' if !open => return false,
            _ => {}
        }
    }
    open
}

/// A tag's value as text: escapes undone, and bytes that are not UTF-8 taken as Latin-1, which older PGN is.
fn text(bytes: &[u8]) -> Cow<'_, str> {
    let decoded: Cow<str> = match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    };
    if memchr(b'\\', bytes).is_none() {
        return decoded;
    }
    let mut unescaped = String::with_capacity(decoded.len());
    let mut letters = decoded.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => unescaped.extend(letters.next()),
            other => unescaped.push(other),
        }
    }
    Cow::Owned(unescaped)
}

/// Lines of an input, read block by block.
#[derive(Debug)]
struct Lines<R> {
    input: R,
    buffer: Vec<u8>,
    /// The current line is `buffer[start..next]`, its end included.
    start: usize,
    next: usize,
    filled: usize,
    number: u64,
    at_end: bool,
}

impl<R: Read> Lines<R> {
    fn current(&self) -> &[u8] {
        let line = &self.buffer[self.start..self.next];
        // A byte-order mark may stand before the first line.
        if self.number == 1 {
            line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)
        } else {
            line
        }
    }

    /// Goes to the next line; false at the end of the input.
    fn advance(&mut self) -> Result<bool, ResultsError> {
        self.start = self.next;
        let mut searched = self.start;
        loop {
            if let Some(found) = memchr(b'\n', &self.buffer[searched..self.filled]) {
                self.next = searched + found + 1;
                break;
            }
            searched = self.filled;
            if self.at_end {
                self.next = self.filled;
                break;
            }
            searched -= self.start;
            self.fill()?;
        }
        if self.start == self.next {
            return Ok(false);
        }
        self.number += 1;
        Ok(true)
    }

    /// Moves the unfinished line to the front and reads behind it.
    fn fill(&mut self) -> Result<(), ResultsError> {
        self.buffer.copy_within(self.start..self.filled, 0);
        self.filled -= self.start;
        (self.start, self.next) = (0, 0);
        if self.filled >= LONGEST_LINE {
            self.at_end = true;
            return Err(ResultsError::LineTooLong {
                line: self.number + 1,
            });
        }
        if self.buffer.len() < self.filled + BLOCK {
            self.buffer.resize(self.filled + BLOCK, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.filled..]) {
                Ok(0) => self.at_end = true,
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error.into()),
            }
            return Ok(());
        }
    }
}
