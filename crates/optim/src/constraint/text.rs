//! Constraints as people write them: `2 * Knight <= Bishop + Rook - 10`, `"Pawn Structure" > 0.5 "King Safety"`.
//!
//! A side is a sum of terms with `+` and `-`; a term is a number, a name, or a number and a name with or without `*`. A name
//! with spaces or signs in it stands in quotes.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Constraint;

/// Why a text is no constraint.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "constraint '{text}': expected {expected}, found {found}; for example 'Rook < Bishop + 2 Pawn' or '2*Knight <= Rook + 50'"
)]
pub struct ConstraintTextError {
    /// The text.
    text: String,
    /// What could stand there.
    expected: &'static str,
    /// What stands there.
    found: String,
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    Number(f64),
    Name(String),
    Sign(char),
    /// `<`, `<=`, `>` or `>=`.
    Relation(String),
    /// A character that means nothing here.
    Other(char),
}

impl fmt::Display for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Token::Number(number) => write!(f, "'{number}'"),
            Token::Name(text) | Token::Relation(text) => write!(f, "'{text}'"),
            Token::Sign(sign) | Token::Other(sign) => write!(f, "'{sign}'"),
        }
    }
}

/// Everything that ends a name outside of quotes.
const SIGNS: &str = "+-*<>=\"'";

fn tokens(text: &str) -> Vec<Token> {
    let mut rest = text.trim_start();
    let mut tokens = Vec::new();
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let quoted = matches!(first, '"' | '\'')
            .then(|| after.split_once(first))
            .flatten();
        let (token, left) = match first {
            '+' | '-' | '*' => (Token::Sign(first), after),
            '<' | '>' => match after.strip_prefix('=') {
                Some(left) => (Token::Relation(format!("{first}=")), left),
                None => (Token::Relation(first.into()), after),
            },
            _ => match quoted {
                Some((name, left)) => (Token::Name(name.to_owned()), left),
                None if SIGNS.contains(first) => (Token::Other(first), after),
                None => {
                    let ends = |c: char| c.is_whitespace() || SIGNS.contains(c);
                    let (word, left) = rest.split_at(rest.find(ends).unwrap_or(rest.len()));
                    (word_token(word), left)
                }
            },
        };
        tokens.push(token);
        rest = left.trim_start();
    }
    tokens
}

/// `inf` and `nan` are names, and so is what is too large to be a number.
fn word_token(word: &str) -> Token {
    let begins_as_number = word.starts_with(|c: char| c.is_ascii_digit() || c == '.');
    match word.parse() {
        Ok(number) if begins_as_number && f64::is_finite(number) => Token::Number(number),
        _ => Token::Name(word.to_owned()),
    }
}

/// A side: its terms, and what its numbers come to.
type Sum = (Vec<(String, f64)>, f64);

/// Reads tokens from the left.
struct Reader<'a> {
    text: &'a str,
    tokens: &'a [Token],
}

impl Reader<'_> {
    fn fault(&self, expected: &'static str) -> ConstraintTextError {
        ConstraintTextError {
            text: self.text.to_owned(),
            expected,
            found: self
                .tokens
                .first()
                .map_or_else(|| "the end".to_owned(), Token::to_string),
        }
    }

    fn take(&mut self) -> Option<Token> {
        let (first, rest) = self.tokens.split_first()?;
        self.tokens = rest;
        Some(first.clone())
    }

    fn takes(&mut self, sign: char) -> bool {
        let is_it = self.tokens.first() == Some(&Token::Sign(sign));
        if is_it {
            self.tokens = &self.tokens[1..];
        }
        is_it
    }

    fn sum(&mut self) -> Result<Sum, ConstraintTextError> {
        let (mut terms, mut number) = (Vec::new(), 0.0);
        let mut sign = if self.takes('-') { -1.0 } else { 1.0 };
        loop {
            match self.term()? {
                (Some(name), factor) => terms.push((name, sign * factor)),
                (None, value) => number += sign * value,
            }
            sign = if self.takes('+') {
                1.0
            } else if self.takes('-') {
                -1.0
            } else {
                return Ok((terms, number));
            };
        }
    }

    /// A name with its factor, or a number alone.
    fn term(&mut self) -> Result<(Option<String>, f64), ConstraintTextError> {
        const TERM: &str = "a name or a number";
        match self.tokens.first() {
            Some(Token::Name(name)) => {
                self.take();
                if !self.takes('*') {
                    return Ok((Some(name.clone()), 1.0));
                }
                match self.tokens.first() {
                    Some(&Token::Number(factor)) => {
                        self.take();
                        Ok((Some(name.clone()), factor))
                    }
                    _ => Err(self.fault("a number")),
                }
            }
            Some(&Token::Number(number)) => {
                self.take();
                let multiplies = self.takes('*');
                match self.tokens.first() {
                    Some(Token::Name(name)) => {
                        self.take();
                        Ok((Some(name.clone()), number))
                    }
                    _ if multiplies => Err(self.fault("a name")),
                    _ => Ok((None, number)),
                }
            }
            _ => Err(self.fault(TERM)),
        }
    }
}

impl FromStr for Constraint {
    type Err = ConstraintTextError;

    fn from_str(text: &str) -> Result<Self, ConstraintTextError> {
        let tokens = tokens(text);
        let mut reader = Reader {
            text,
            tokens: &tokens,
        };
        let left = reader.sum()?;
        let relation = match reader.tokens.first() {
            Some(Token::Relation(relation)) => relation.clone(),
            _ => return Err(reader.fault("<, <=, > or >=")),
        };
        reader.take();
        let right = reader.sum()?;
        if !reader.tokens.is_empty() {
            return Err(reader.fault("+, - or the end"));
        }
        let (larger, smaller) = if relation.starts_with('>') {
            (left, right)
        } else {
            (right, left)
        };
        Ok(Constraint {
            margin: smaller.1 - larger.1,
            larger: larger.0,
            smaller: smaller.0,
            strict: !relation.ends_with('='),
        })
    }
}

/// As it is read.
impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let relation = if self.strict { ">" } else { ">=" };
        write_sum(f, &self.larger, 0.0)?;
        write!(f, " {relation} ")?;
        write_sum(f, &self.smaller, self.margin)
    }
}

fn write_sum(f: &mut fmt::Formatter<'_>, terms: &[(String, f64)], number: f64) -> fmt::Result {
    let alone = (number != 0.0 || terms.is_empty()).then_some((None, number));
    let named = terms.iter().map(|(name, factor)| (Some(name), *factor));
    for (index, (name, factor)) in named.chain(alone).enumerate() {
        f.write_str(match (index, factor < 0.0) {
            (0, true) => "-",
            (0, false) => "",
            (_, true) => " - ",
            (_, false) => " + ",
        })?;
        match (name, factor.abs()) {
            (None, number) => write!(f, "{number}")?,
            (Some(name), 1.0) => f.write_str(&quoted(name))?,
            (Some(name), factor) => write!(f, "{factor} {}", quoted(name))?,
        }
    }
    Ok(())
}

/// A name, in quotes where it would not be read as one without.
fn quoted(name: &str) -> Cow<'_, str> {
    if tokens(name) == [Token::Name(name.to_owned())] {
        return name.into();
    }
    let quote = if name.contains('"') { '\'' } else { '"' };
    format!("{quote}{name}{quote}").into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> String {
        match text.parse::<Constraint>() {
            Ok(constraint) => constraint.to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn sums_factors_and_relations_of_both_sides() {
        assert_eq!(read("Rook >= Bishop + Pawn + 60"), "Rook >= Bishop + Pawn + 60");
        assert_eq!(read("Rook < Bishop + 2 Pawn"), "Bishop + 2 Pawn > Rook");
        assert_eq!(read("2*Knight<=Rook+Pawn-10"), "Rook + Pawn >= 2 Knight + 10");
        assert_eq!(read("Knight*2 > 5 + Rook"), "2 Knight > Rook + 5");
        assert_eq!(read("-A + 3 >= -0.5 B[2]"), "-A >= -0.5 B[2] - 3");
        assert_eq!(
            read("\"Pawn Structure\" > 0.5 'King Safety'"),
            "\"Pawn Structure\" > 0.5 \"King Safety\""
        );
    }

    #[test]
    fn what_is_written_is_read() {
        for text in [
            "A + 50 >= B - 0.5 C",
            "-2 A > -7",
            "'say \"A\"' < \"the 'B'\" + \"2\" - \"\"",
            "0 >= A - B",
            "1e999 > A",
        ] {
            let constraint: Constraint = text.parse().expect(text);
            assert_eq!(constraint.to_string().parse(), Ok(constraint), "{text}");
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        let of = |text: &str| read(text).split_once("; for example").unwrap().0.to_owned();
        assert_eq!(
            of("A = B"),
            "constraint 'A = B': expected <, <=, > or >=, found '='"
        );
        assert_eq!(
            of("A B > C"),
            "constraint 'A B > C': expected <, <=, > or >=, found 'B'"
        );
        assert_eq!(
            of("A < B < C"),
            "constraint 'A < B < C': expected +, - or the end, found '<'"
        );
        assert_eq!(
            of("A >"),
            "constraint 'A >': expected a name or a number, found the end"
        );
        assert_eq!(of("2 * > A"), "constraint '2 * > A': expected a name, found '>'");
        assert_eq!(
            of("A * B > C"),
            "constraint 'A * B > C': expected a number, found 'B'"
        );
        assert_eq!(
            of("A > \"B"),
            "constraint 'A > \"B': expected a name or a number, found '\"'"
        );
    }
}
