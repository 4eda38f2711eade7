//! A value for every parameter, the named vectors, and the text of a parameter file.
//!
//! A file has one parameter a line, `name = value`; names with brackets are written in quotes, so that the
//! file is TOML as well. Empty lines and what follows `#` are skipped. A file need not name every
//! parameter: the others keep the value of the vector that the reader starts from.

use std::fmt;
use std::sync::LazyLock;

use thiserror::Error;
use vidmar_text::did_you_mean;

use crate::parameters::{COUNT, PARAMETERS, Parameter, Published, UnknownParameter, find};

/// No value may be larger than this, so that every sum of terms stays inside 32 bits.
pub const VALUE_LIMIT: i32 = 9_999;

/// A value for every parameter, in the order of [`PARAMETERS`](crate::parameters::PARAMETERS).
///
/// ```
/// use vidmar_eval::Vector;
/// let mut vector = Vector::guess();
/// assert_eq!(vector.get("KnightValueOpening")?, 325);
/// vector.set("KnightValueOpening", 310)?;
/// assert_eq!(vector.to_string().parse::<Vector>()?, vector);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Vector([i32; COUNT]);

/// Why a parameter cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SetError {
    /// No parameter has this name.
    #[error(transparent)]
    Unknown(#[from] UnknownParameter),
    /// The value is too large.
    #[error("{name} = {value} is out of range (at most {VALUE_LIMIT} either way)")]
    OutOfRange {
        /// The parameter.
        name: &'static str,
        /// The value it was to have.
        value: i64,
    },
    /// The value is no number.
    #[error("{name} = '{text}': expected an integer")]
    NotANumber {
        /// The parameter.
        name: &'static str,
        /// What stood in place of a number.
        text: String,
    },
    /// There is no `=` to part name and value.
    #[error("'{0}': expected NAME = VALUE")]
    NotAnAssignment(String),
    /// The parameter was set before.
    #[error("{0} is set twice")]
    Repeated(&'static str),
}

/// Why a parameter file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct VectorError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub fault: SetError,
}

/// No vector has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown vector '{name}'{hint}")]
pub struct UnknownVector {
    /// What was asked for.
    pub name: String,
    /// ` (did you mean '…'?)` where a known name is near.
    pub hint: String,
}

/// A vector that has a name.
#[derive(Copy, Clone, Debug)]
pub struct NamedVector {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    source: Source,
}

/// Where the values of a named vector come from.
#[derive(Copy, Clone, Debug)]
enum Source {
    /// Each from its row of the parameter table.
    Table(fn(&Parameter) -> i32),
    /// A parameter file that names them all.
    File(&'static str),
}

/// Every named vector.
pub const VECTORS: &[NamedVector] = &[
    NamedVector {
        name: "guess",
        about: "midpoints of the narrow intervals",
        source: Source::Table(Parameter::guess),
    },
    NamedVector {
        name: "published-narrow",
        about: "the published engine, tuned inside the narrow intervals",
        source: Source::Table(|parameter| published(parameter, |values| values.narrow)),
    },
    NamedVector {
        name: "published-wide",
        about: "the published engine, tuned inside the wide intervals",
        source: Source::Table(|parameter| published(parameter, |values| values.wide)),
    },
    NamedVector {
        name: "fitted",
        about: "every parameter, fitted to results of games between players above 2300 by the example `fit`",
        source: Source::File(include_str!("vectors/fitted.txt")),
    },
    NamedVector {
        name: "tuned",
        about: "every parameter, found from games of the program with itself by `vidmar tune run evaluation`",
        source: Source::File(include_str!("vectors/tuned.txt")),
    },
    NamedVector {
        name: "even",
        about: "all pieces are worth the same, two hundred, and nothing else counts: where tuning from nothing begins",
        source: Source::Table(|parameter| if parameter.is_piece_value() { 200 } else { 0 }),
    },
    NamedVector {
        name: "zero",
        about: "nothing counts",
        source: Source::Table(|_| 0),
    },
];

/// The name of the vector that is used unless another is asked for: the strongest known (docs/evaluation.md).
pub const DEFAULT_VECTOR: &str = "tuned";

fn published(parameter: &Parameter, choose: fn(Published) -> i32) -> i32 {
    parameter.published.map_or(0, choose)
}

impl NamedVector {
    /// Its values.
    pub fn vector(&self) -> Vector {
        match self.source {
            Source::Table(value) => Vector(PARAMETERS.map(|parameter| value(&parameter))),
            Source::File(text) => {
                // Not by `parse`, which begins with the default: that may be this very vector.
                let mut vector = Vector::zero();
                vector.read(text).expect("a file of the program, read in a test");
                vector
            }
        }
    }
}

impl Default for Vector {
    /// The vector called [`DEFAULT_VECTOR`], read once.
    fn default() -> Vector {
        static DEFAULT: LazyLock<Vector> =
            LazyLock::new(|| Vector::named(DEFAULT_VECTOR).expect("a row of the table"));
        DEFAULT.clone()
    }
}

impl Vector {
    /// The expert's guess: midpoints of the narrow intervals, extended parameters off.
    pub fn guess() -> Vector {
        Vector(PARAMETERS.map(|parameter| parameter.guess()))
    }

    /// Nothing counts.
    pub fn zero() -> Vector {
        Vector([0; COUNT])
    }

    /// The vector with this name.
    pub fn named(name: &str) -> Result<Vector, UnknownVector> {
        let found = VECTORS.iter().find(|vector| vector.name == name);
        found.map(NamedVector::vector).ok_or_else(|| UnknownVector {
            name: name.to_owned(),
            hint: did_you_mean(name, VECTORS.iter().map(|vector| vector.name)),
        })
    }

    /// All values, in the order of the table.
    pub fn values(&self) -> &[i32; COUNT] {
        &self.0
    }

    /// The value at an index of the table.
    #[inline]
    pub fn at(&self, index: usize) -> i32 {
        self.0[index]
    }

    /// The value of the parameter with this name.
    pub fn get(&self, name: &str) -> Result<i32, UnknownParameter> {
        find(name).map(|index| self.0[index])
    }

    /// Changes the value at an index of the table.
    pub fn set_at(&mut self, index: usize, value: i32) -> Result<(), SetError> {
        if value.unsigned_abs() > VALUE_LIMIT as u32 {
            return Err(SetError::OutOfRange {
                name: PARAMETERS[index].name,
                value: value.into(),
            });
        }
        self.0[index] = value;
        Ok(())
    }

    /// Changes the value of the parameter with this name.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), SetError> {
        self.set_at(find(name)?, value)
    }

    /// Changes a value as a text `NAME=VALUE` says, and tells its index.
    pub fn assign(&mut self, text: &str) -> Result<usize, SetError> {
        let (name, value) = text
            .split_once('=')
            .ok_or_else(|| SetError::NotAnAssignment(text.trim().to_owned()))?;
        let index = find(unquoted(name.trim()))?;
        let (name, value) = (PARAMETERS[index].name, value.trim());
        let number: i64 = value.parse().map_err(|_| SetError::NotANumber {
            name,
            text: value.to_owned(),
        })?;
        let small = i32::try_from(number).map_err(|_| SetError::OutOfRange { name, value: number })?;
        self.set_at(index, small)?;
        Ok(index)
    }

    /// Changes every value that a parameter file names; on an error, nothing.
    pub fn read(&mut self, file: &str) -> Result<(), VectorError> {
        let mut changed = self.clone();
        let mut seen = [false; COUNT];
        for (number, line) in file.lines().enumerate() {
            let line_text = line.split('#').next().unwrap_or_default().trim();
            if line_text.is_empty() {
                continue;
            }
            let fault = match changed.assign(line_text) {
                Ok(index) if seen[index] => SetError::Repeated(PARAMETERS[index].name),
                Ok(index) => {
                    seen[index] = true;
                    continue;
                }
                Err(fault) => fault,
            };
            return Err(VectorError {
                line: number + 1,
                fault,
            });
        }
        *self = changed;
        Ok(())
    }
}

fn unquoted(name: &str) -> &str {
    name.strip_prefix('"')
        .and_then(|rest| rest.strip_suffix('"'))
        .unwrap_or(name)
}

/// A parameter file that names every parameter.
impl fmt::Display for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (parameter, value) in PARAMETERS.iter().zip(self.0) {
            if parameter.name.contains('[') {
                writeln!(f, "\"{}\" = {value}", parameter.name)?;
            } else {
                writeln!(f, "{} = {value}", parameter.name)?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Vector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map()
            .entries(PARAMETERS.iter().map(|parameter| parameter.name).zip(self.0))
            .finish()
    }
}

/// Reads a parameter file over the default vector.
impl std::str::FromStr for Vector {
    type Err = VectorError;

    fn from_str(file: &str) -> Result<Vector, VectorError> {
        let mut vector = Vector::default();
        vector.read(file)?;
        Ok(vector)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_round_trip_for_every_named_vector() {
        for named in VECTORS {
            let vector = named.vector();
            let mut read = Vector::zero();
            read.read(&vector.to_string()).unwrap();
            assert_eq!(read, vector, "{}", named.name);
            assert_eq!(Vector::named(named.name), Ok(vector));
        }
    }

    #[test]
    fn a_partial_file_leaves_the_rest() {
        let vector: Vector =
            "# tuned\n\nPawnValueOpening=80 # more\n \"KnightLine[0]\" = -7\nKnightLine[1] = 1\r\n"
                .parse()
                .unwrap();
        assert_eq!(vector.get("PawnValueOpening"), Ok(80));
        assert_eq!(vector.get("KnightLine[0]"), Ok(-7));
        assert_eq!(vector.get("KnightLine[1]"), Ok(1));
        assert_eq!(vector.get("PawnValueEndgame"), Ok(90));
    }

    #[test]
    fn errors_name_the_line_the_token_and_what_was_expected() {
        let cases = [
            (
                "\nPawnValueOpenin = 1",
                "line 2: unknown parameter 'PawnValueOpenin' (did you mean 'PawnValueOpening'?)",
            ),
            (
                "PawnValueOpening 1",
                "line 1: 'PawnValueOpening 1': expected NAME = VALUE",
            ),
            (
                "# x\n\nDoubledOpening = ten",
                "line 3: DoubledOpening = 'ten': expected an integer",
            ),
            (
                "DoubledOpening = 1.5",
                "line 1: DoubledOpening = '1.5': expected an integer",
            ),
            (
                "DoubledOpening = 10000",
                "line 1: DoubledOpening = 10000 is out of range (at most 9999 either way)",
            ),
            (
                "DoubledOpening = -99999999999",
                "line 1: DoubledOpening = -99999999999 is out of range (at most 9999 either way)",
            ),
            (
                "Rook7thOpening = 1\nRook7thOpening = 1",
                "line 2: Rook7thOpening is set twice",
            ),
            (
                "knightline[7] = 1",
                "line 1: unknown parameter 'knightline[7]' (did you mean 'KnightLine[7]'?)",
            ),
        ];
        for (file, message) in cases {
            let mut vector = Vector::guess();
            assert_eq!(vector.read(file).unwrap_err().to_string(), message);
            assert_eq!(vector, Vector::guess(), "a bad file changes nothing");
        }
        assert_eq!(
            Vector::named("publish-narrow").unwrap_err().to_string(),
            "unknown vector 'publish-narrow' (did you mean 'published-narrow'?)"
        );
        assert!(Vector::zero().set("PawnValueOpening", i32::MIN).is_err());
    }
}
