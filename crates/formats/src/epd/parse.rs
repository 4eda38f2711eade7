//! Reading a record.

use std::io;
use std::num::NonZeroU16;

use thiserror::Error;
use vidmar_chess::{FenError, Move, Position, SanError, Setup};
use vidmar_text::Excerpt;

use super::opcode::{self, Form};
use super::{Epd, Operand, Value};

/// The record has no position that could be used.
#[derive(Debug, Error)]
pub enum EpdError {
    /// The line begins with no position.
    #[error(transparent)]
    Position(#[from] FenError),
    /// The line is longer than any sane file has it.
    #[error("the line is longer than {0} bytes")]
    TooLong(usize),
    /// The file could not be read; nothing follows.
    #[error("the file cannot be read: {0}")]
    Io(#[from] io::Error),
}

/// A liberty that a record takes with the standard.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Warning {
    /// The two counters of FEN stand behind the four fields.
    #[error("six FEN fields instead of the four of EPD")]
    SixFields,
    /// The last operation is not closed.
    #[error("no ';' after the last operation")]
    MissingSemicolon,
    /// A text is not closed.
    #[error("the quote before '{0}' is not closed")]
    UnclosedQuote(Excerpt),
    /// Not an operation; left out.
    #[error("the text '{0}' is not an operation")]
    FreeText(Excerpt),
    /// An opcode stands twice; the last one counts.
    #[error("the operation {0} stands twice")]
    Repeated(Excerpt),
    /// A move that is none; left out.
    #[error("operation {opcode}: {error}")]
    Move {
        /// The operation.
        opcode: String,
        /// What is wrong.
        error: SanError,
    },
    /// An operation lacks what it needs, or has more; kept as words.
    #[error("operation {opcode}: '{operands}' instead of {expected}")]
    Operands {
        /// The operation.
        opcode: String,
        /// What stands there.
        operands: Excerpt,
        /// What should.
        expected: &'static str,
    },
}

/// Reads one record, without its line end.
pub fn parse_line(line: &str) -> Result<(Epd, Vec<Warning>), EpdError> {
    let mut warnings = Vec::new();
    let (mut setup, rest) = parse_setup(line, &mut warnings)?;
    let (counters, segments): (Vec<_>, Vec<_>) = segments(rest, &mut warnings)
        .into_iter()
        .partition(|segment| matches!(segment.opcode(), "hmvc" | "fmvn"));
    for counter in &counters {
        set_counter(&mut setup, counter, &mut warnings);
    }
    let mut epd = Epd::new(setup.position().map_err(FenError::from)?);
    for segment in segments {
        let opcode = segment.opcode().to_owned();
        let value = read_value(&epd.position, &segment, &mut warnings);
        if epd.get(&opcode).is_some() {
            warnings.push(Warning::Repeated(opcode.as_str().into()));
        }
        epd.set(&opcode, value);
    }
    Ok((epd, warnings))
}

/// The four fields of the position, or six, and what follows.
fn parse_setup<'a>(line: &'a str, warnings: &mut Vec<Warning>) -> Result<(Setup, &'a str), FenError> {
    let (position, rest) = split_words(line, 4);
    let (counters, after) = split_words(rest, 2);
    let is_counter = |word: &str| {
        let word = word.trim_end_matches(';');
        !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
    };
    if !counters.is_empty() && counters.split_ascii_whitespace().all(is_counter) {
        warnings.push(Warning::SixFields);
        let fen = format!("{position} {}", counters.trim_end_matches(';'));
        return Ok((fen.parse()?, after));
    }
    Ok((position.parse()?, rest))
}

/// `hmvc` and `fmvn`, which are a part of the position.
fn set_counter(setup: &mut Setup, counter: &Segment, warnings: &mut Vec<Warning>) {
    let number: Option<u16> = match counter.operands() {
        [number] => number.text.parse().ok(),
        _ => None,
    };
    match number {
        Some(number) if counter.opcode() == "hmvc" => setup.halfmoves = number,
        // Move number 0 is a common slip for 1.
        Some(number) => setup.fullmoves = NonZeroU16::new(number).unwrap_or(NonZeroU16::MIN),
        None => warnings.push(counter.wrong("a number up to 65535")),
    }
}

/// Splits after so many words.
fn split_words(text: &str, words: usize) -> (&str, &str) {
    let mut rest = text.trim_start();
    for _ in 0..words {
        let end = rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len());
        rest = rest[end..].trim_start();
    }
    let (head, tail) = text.split_at(text.len() - rest.len());
    (head.trim(), tail)
}

/// An opcode and its operands.
struct Segment(Vec<Operand>);

impl Segment {
    fn opcode(&self) -> &str {
        self.0.first().map_or("", |opcode| opcode.text.as_str())
    }

    fn operands(&self) -> &[Operand] {
        self.0.get(1..).unwrap_or(&[])
    }

    fn wrong(&self, expected: &'static str) -> Warning {
        let words: Vec<&str> = self
            .operands()
            .iter()
            .map(|operand| operand.text.as_str())
            .collect();
        Warning::Operands {
            opcode: self.opcode().to_owned(),
            operands: words.join(" ").as_str().into(),
            expected,
        }
    }
}

/// Splits at the semicolons that stand in no quotes, and leaves out what is no operation.
fn segments(text: &str, warnings: &mut Vec<Warning>) -> Vec<Segment> {
    let mut segments = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (operands, length, closed) = segment(rest, warnings);
        let raw = rest[..length].trim().trim_end_matches(';');
        rest = rest[length..].trim_start();
        let Some(first) = operands.first() else {
            continue;
        };
        let known = opcode::form(&first.text).is_some();
        if first.quoted || !opcode::is_wellformed(&first.text) || (!closed && !known) {
            warnings.push(Warning::FreeText(raw.into()));
            continue;
        }
        if !closed {
            warnings.push(Warning::MissingSemicolon);
        }
        segments.push(Segment(operands));
    }
    segments
}

/// Words and quoted texts up to a semicolon: with how many bytes they take, and whether it was there.
fn segment(text: &str, warnings: &mut Vec<Warning>) -> (Vec<Operand>, usize, bool) {
    let mut operands = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let taken = text.len() - rest.len();
        match rest.chars().next() {
            None => return (operands, taken, false),
            Some(';') => return (operands, taken + 1, true),
            Some('"') => {
                let inside = &rest[1..];
                let end = inside.find('"').unwrap_or_else(|| {
                    warnings.push(Warning::UnclosedQuote(inside.into()));
                    inside.len()
                });
                operands.push(Operand {
                    text: inside[..end].to_owned(),
                    quoted: true,
                });
                rest = inside.get(end + 1..).unwrap_or("");
            }
            Some(_) => {
                let end = rest
                    .find(|c: char| c.is_whitespace() || matches!(c, ';' | '"'))
                    .unwrap_or(rest.len());
                operands.push(Operand {
                    text: rest[..end].to_owned(),
                    quoted: false,
                });
                rest = &rest[end..];
            }
        }
    }
}

fn read_value(position: &Position, segment: &Segment, warnings: &mut Vec<Warning>) -> Value {
    let form = opcode::form(segment.opcode()).unwrap_or(Form::Words);
    let value = match form {
        Form::Words => None,
        Form::Moves if segment.opcode() == "bm" && mate(segment).is_some() => mate(segment).map(Value::Mate),
        Form::Moves | Form::Line => {
            let follow = form == Form::Line;
            let moves = read_moves(position, segment, follow, warnings);
            let value = if follow { Value::Line } else { Value::Moves };
            (!moves.is_empty()).then(|| value(moves))
        }
        Form::Number => {
            let number = match segment.operands() {
                [number] => number.text.trim_start_matches('+').parse().ok(),
                _ => None,
            };
            if number.is_none() {
                warnings.push(segment.wrong("a number"));
            }
            number.map(Value::Number)
        }
        Form::Text => {
            if let [text] = segment.operands() {
                Some(Value::Text(text.text.clone()))
            } else {
                warnings.push(segment.wrong("a text in quotes"));
                None
            }
        }
    };
    value.unwrap_or_else(|| Value::Words(segment.operands().to_vec()))
}

/// `#3`, in the manner of mate suites.
fn mate(segment: &Segment) -> Option<i32> {
    match segment.operands() {
        [Operand { text, quoted: false }] => text.strip_prefix('#')?.parse().ok(),
        _ => None,
    }
}

/// The moves that are legal, each in the position or one after the other.
fn read_moves(
    position: &Position,
    segment: &Segment,
    follow: bool,
    warnings: &mut Vec<Warning>,
) -> Vec<Move> {
    let mut position = position.clone();
    let mut moves = Vec::new();
    if segment.operands().is_empty() {
        warnings.push(segment.wrong("moves"));
    }
    for operand in segment.operands() {
        let word = operand.text.trim_end_matches(',');
        match position.parse_san(word) {
            Ok(m) => {
                moves.push(m);
                if follow {
                    position.play(m);
                }
            }
            Err(error) => {
                warnings.push(Warning::Move {
                    opcode: segment.opcode().to_owned(),
                    error,
                });
                if follow {
                    break;
                }
            }
        }
    }
    moves
}
