//! Perft suites: positions with the number of move sequences at each depth.
//!
//! Two forms are in use, and may be mixed: one line a position, `FEN ;D1 20 ;D2 400`, and records of
//! lines, `id NAME`, `epd POSITION`, `perft DEPTH COUNT` (shakmaty's test files). Blank lines and lines
//! that begin with `#` are passed over.

use thiserror::Error;
use vidmar_chess::{FenError, Position};
use vidmar_text::Excerpt;

/// A position with its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PerftCase {
    /// The line where it stands, from 1.
    pub line: usize,
    /// Its name, if it has one.
    pub name: Option<String>,
    /// The position.
    pub position: Position,
    /// Depth and count, as the file has them.
    pub counts: Vec<(u32, u64)>,
}

/// A line of a perft suite is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct PerftSuiteError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: PerftSuiteFault,
}

/// What is wrong with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum PerftSuiteFault {
    /// No position.
    #[error(transparent)]
    Position(#[from] FenError),
    /// Not a depth with a count.
    #[error("'{0}' is not a depth and a count (expected for example ;D4 197281 or perft 4 197281)")]
    Count(Excerpt),
    /// A count before its position.
    #[error("perft without a position before it (expected an epd line)")]
    Early,
    /// A position with nothing to check.
    #[error("no counts for the position")]
    Empty,
}

/// Reads a whole suite: each position, or what is wrong with it.
///
/// ```
/// # use vidmar_formats::perft_suite;
/// let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400";
/// let cases = perft_suite::parse(start).into_iter().collect::<Result<Vec<_>, _>>()?;
/// assert_eq!(cases[0].counts, [(1, 20), (2, 400)]);
/// # Ok::<(), perft_suite::PerftSuiteError>(())
/// ```
pub fn parse(text: &str) -> Vec<Result<PerftCase, PerftSuiteError>> {
    let mut cases: Vec<Result<PerftCase, PerftSuiteError>> = Vec::new();
    let mut name = None;
    // Whether counts may still be added to the last case.
    let mut open = false;
    for (index, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let number = index + 1;
        let at = |fault| PerftSuiteError { line: number, fault };
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "" => {}
            _ if word.starts_with('#') => {}
            "id" => {
                name = Some(rest.trim().to_owned());
                open = false;
            }
            "epd" => {
                let case = rest.parse().map(|position| PerftCase {
                    line: number,
                    name: name.take(),
                    position,
                    counts: Vec::new(),
                });
                cases.push(case.map_err(|error: FenError| at(error.into())));
                open = true;
            }
            "perft" => match (cases.last_mut().filter(|_| open), parse_count(rest)) {
                (None, _) => cases.push(Err(at(PerftSuiteFault::Early))),
                (Some(Ok(case)), Ok(count)) => case.counts.push(count),
                (Some(Ok(_)), Err(fault)) => cases.push(Err(at(fault))),
                // Counts of a position that is none.
                (Some(Err(_)), _) => {}
            },
            _ => {
                cases.push(parse_one_line(line, number).map_err(at));
                open = false;
            }
        }
    }
    for case in &mut cases {
        if let Ok(PerftCase { line, counts, .. }) = case
            && counts.is_empty()
        {
            *case = Err(PerftSuiteError {
                line: *line,
                fault: PerftSuiteFault::Empty,
            });
        }
    }
    cases
}

fn parse_one_line(line: &str, number: usize) -> Result<PerftCase, PerftSuiteFault> {
    let mut pieces = line.split(';').map(str::trim);
    let position = pieces.next().unwrap_or("").parse()?;
    let counts = pieces
        .filter(|piece| !piece.is_empty())
        .map(|piece| match piece.strip_prefix(['D', 'd']) {
            Some(count) => parse_count(count),
            None => Err(PerftSuiteFault::Count(piece.into())),
        });
    Ok(PerftCase {
        line: number,
        name: None,
        position,
        counts: counts.collect::<Result<_, _>>()?,
    })
}

fn parse_count(text: &str) -> Result<(u32, u64), PerftSuiteFault> {
    let mut words = text.split_ascii_whitespace();
    let numbers = (
        words.next().and_then(|word| word.parse().ok()),
        words.next().and_then(|word| word.parse().ok()),
        words.next(),
    );
    match numbers {
        (Some(depth), Some(count), None) => Ok((depth, count)),
        _ => Err(PerftSuiteFault::Count(text.into())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

    #[test]
    fn both_forms() {
        let text = format!(
            "\u{feff}# a suite\r\n\r\n{START} 0 1 ;D1 20 ;D2 400  \r\nid start\nepd {START}\nperft 1 20\n"
        );
        let cases: Vec<PerftCase> = parse(&text).into_iter().map(Result::unwrap).collect();
        let found: Vec<_> = cases
            .iter()
            .map(|case| (case.line, case.name.as_deref(), case.counts.len()))
            .collect();
        assert_eq!(found, [(3, None, 2), (5, Some("start"), 1)]);
        assert_eq!(cases[0].position, cases[1].position);
    }

    #[test]
    fn faults_have_their_line() {
        for (text, message) in [
            (
                "\nperft 1 20",
                "line 2: perft without a position before it (expected an epd line)",
            ),
            (
                "x",
                "line 1: 'x' in the board of the FEN (expected a piece letter, a digit 1-8 or '/')",
            ),
            (
                &format!("{START} ;D1 x"),
                "line 1: '1 x' is not a depth and a count (expected for example ;D4 197281 or perft 4 197281)",
            ),
            (START, "line 1: no counts for the position"),
        ] {
            let error = parse(text)[0].as_ref().unwrap_err().to_string();
            assert_eq!(error, message);
        }
    }
}
