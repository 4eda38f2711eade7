//! The records of a suite that say what a solution is.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use serde::Serialize;
use thiserror::Error;
use vidmar_chess::Move;
use vidmar_formats::epd::{Epd, EpdError, Reader, Warning};

/// A position with moves to find or to avoid.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name in the file, or its line.
    pub id: String,
    /// The position and its operations.
    pub epd: Epd,
}

/// What a solution is, in SAN.
#[derive(Clone, Debug, Serialize)]
pub struct Expected {
    /// Moves of which one is to be found.
    pub bm: Vec<String>,
    /// Moves to avoid.
    pub am: Vec<String>,
}

/// The records that can be used, and why others cannot.
#[derive(Clone, Debug)]
pub struct Records {
    /// In the order of the file.
    pub records: Vec<Record>,
    /// What was left out: file, line and reason of each.
    pub left_out: Vec<String>,
}

/// Why a suite cannot be used.
#[derive(Debug, Error)]
pub enum SuiteError {
    /// It cannot be opened.
    #[error("{}: {reason}", file.display())]
    Open {
        /// The file.
        file: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// It cannot be read to its end.
    #[error("{}: {reason}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What was read instead.
        reason: EpdError,
    },
    /// It is empty.
    #[error("{} holds no position", .0.display())]
    Empty(PathBuf),
    /// No record says what a solution is.
    #[error("{first}; {} has no other record of use", file.display())]
    NoneOfUse {
        /// The file.
        file: PathBuf,
        /// What is wrong with the first.
        first: String,
    },
}

impl Record {
    /// Whether a move is a solution.
    pub fn is_solved_by(&self, m: Move) -> bool {
        let (best, avoid) = (self.epd.best_moves(), self.epd.avoid_moves());
        (best.is_empty() || best.contains(&m)) && !avoid.contains(&m)
    }

    /// What a solution is, for people.
    pub fn expected(&self) -> Expected {
        let san = |moves: &[Move]| {
            let moves = moves.iter();
            moves.map(|&m| self.epd.position.san(m).to_string()).collect()
        };
        Expected {
            bm: san(self.epd.best_moves()),
            am: san(self.epd.avoid_moves()),
        }
    }
}

/// `Nf3 or Bd3`, `anything but Kg2`.
impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (best, avoid) = (self.bm.join(" or "), self.am.join(" or "));
        match (best.is_empty(), avoid.is_empty()) {
            (false, true) => f.write_str(&best),
            (true, _) => write!(f, "anything but {avoid}"),
            (false, false) => write!(f, "{best}, not {avoid}"),
        }
    }
}

/// Reads a suite. One without a single record of use is an error.
pub fn read(path: &Path) -> Result<Records, SuiteError> {
    let name = path.display();
    let file = File::open(path).map_err(|reason| SuiteError::Open {
        file: path.to_owned(),
        reason,
    })?;
    let (mut records, mut left_out) = (Vec::new(), Vec::new());
    for (line, record) in Reader::new(BufReader::new(file)) {
        let usable = match record {
            Ok((epd, warnings)) => usable(line, epd, &warnings),
            Err(reason @ EpdError::Io(_)) => {
                return Err(SuiteError::Read {
                    file: path.to_owned(),
                    reason,
                });
            }
            Err(error) => Err(error.to_string()),
        };
        match usable {
            Ok(record) => records.push(record),
            Err(reason) => left_out.push(format!("{name}: line {line}: {reason}")),
        }
    }
    match left_out.first() {
        _ if !records.is_empty() => Ok(Records { records, left_out }),
        None => Err(SuiteError::Empty(path.to_owned())),
        Some(first) => Err(SuiteError::NoneOfUse {
            file: path.to_owned(),
            first: first.clone(),
        }),
    }
}

/// A move that is none would make another riddle of the record.
fn usable(line: u64, epd: Epd, warnings: &[Warning]) -> Result<Record, String> {
    let wrong = |warning: &&Warning| matches!(warning, Warning::Move { opcode, .. } if opcode == "bm" || opcode == "am");
    if let Some(warning) = warnings.iter().find(wrong) {
        return Err(warning.to_string());
    }
    if epd.best_moves().is_empty() && epd.avoid_moves().is_empty() {
        return Err("expected an operation bm or am with a legal move".to_owned());
    }
    let id = epd.id().map_or_else(|| format!("line {line}"), str::to_owned);
    Ok(Record { id, epd })
}
