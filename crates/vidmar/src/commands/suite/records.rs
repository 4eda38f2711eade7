//! The records of a suite that say what a solution is.

use std::fmt;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

use anyhow::Context as _;
use serde::Serialize;
use vidmar_chess::Move;
use vidmar_formats::epd::{Epd, EpdError, Reader, Warning};

use crate::output;

/// A position with moves to find or to avoid.
pub(super) struct Record {
    pub(super) id: String,
    pub(super) epd: Epd,
}

/// What a solution is, in SAN.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Expected {
    /// Moves of which one is to be found.
    bm: Vec<String>,
    /// Moves to avoid.
    am: Vec<String>,
}

impl Record {
    pub(super) fn is_solved_by(&self, m: Move) -> bool {
        let (best, avoid) = (self.epd.best_moves(), self.epd.avoid_moves());
        (best.is_empty() || best.contains(&m)) && !avoid.contains(&m)
    }

    pub(super) fn expected(&self) -> Expected {
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

/// The records that can be used, and how many cannot: each of those is a warning with its line. A suite without a single
/// record of use is an error.
pub(super) fn read(path: &Path) -> anyhow::Result<(Vec<Record>, usize)> {
    let name = path.display();
    let file = File::open(path).with_context(|| name.to_string())?;
    let (mut records, mut left_out) = (Vec::new(), Vec::new());
    for (line, record) in Reader::new(BufReader::new(file)) {
        let usable = match record {
            Ok((epd, warnings)) => usable(line, epd, &warnings),
            Err(error @ EpdError::Io(_)) => return Err(error).with_context(|| name.to_string()),
            Err(error) => Err(error.to_string()),
        };
        match usable {
            Ok(record) => records.push(record),
            Err(reason) => left_out.push(format!("{name}: line {line}: {reason}")),
        }
    }
    match &left_out[..] {
        [] => anyhow::ensure!(!records.is_empty(), "{name} holds no position"),
        [first, ..] => anyhow::ensure!(!records.is_empty(), "{first}; {name} has no other record of use"),
    }
    for reason in &left_out {
        output::warn(&format!("{reason}; left out"));
    }
    Ok((records, left_out.len()))
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
