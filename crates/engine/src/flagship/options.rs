//! The options of the flagship: their rows, and what setting them does.

use vidmar_eval::Vector;
use vidmar_eval::parameters::PARAMETERS;
use vidmar_search::Parallel;
use vidmar_search::flagship::SearchParameters;

use super::{DEFAULT_ELO, FlagshipThinker};
use crate::book::OwnBook;
use crate::options::{OptionError, OptionKind, OptionRow, OptionValue};
use crate::strength::Strength;
use crate::tablebases::PlayerTablebases;
use crate::thinker::Thinker as _;

/// The largest table: more than any machine of today has, less than what would overflow.
const MOST_MEBIBYTES: i64 = 1 << 22;
const MOST_THREADS: i64 = 512;
const MOST_LINES: i64 = 256;

const HASH: &str = "Hash";
const THREADS: &str = "Threads";
const PARALLEL: &str = "ParallelSearch";
/// The default first.
const PARALLELS: [Parallel; 2] = [Parallel::Lazy, Parallel::YoungBrothersWait];
const CLEAR: &str = "Clear Hash";
const MULTIPV: &str = "MultiPV";
const LIMIT_STRENGTH: &str = "UCI_LimitStrength";
const ELO: &str = "UCI_Elo";
const SEED: &str = "Strength Seed";
const ANALYSE: &str = "UCI_AnalyseMode";
const EVAL_FILE: &str = "EvalFile";

pub(super) fn rows() -> Vec<OptionRow> {
    let (least, most) = (i64::from(Strength::MIN), i64::from(Strength::MAX));
    let mut rows = vec![
        OptionRow::spin(HASH, 16, 1, MOST_MEBIBYTES),
        OptionRow::spin(THREADS, 1, 1, MOST_THREADS),
        OptionRow::new(
            PARALLEL,
            OptionKind::Combo {
                default: 0,
                values: PARALLELS.map(Parallel::name).to_vec(),
            },
        ),
        OptionRow::new(CLEAR, OptionKind::Button),
        OptionRow::spin(MULTIPV, 1, 1, MOST_LINES),
        OptionRow::check(LIMIT_STRENGTH, false),
        OptionRow::spin(ELO, i64::from(DEFAULT_ELO), least, most),
        OptionRow::spin(SEED, 0, 0, i64::from(u32::MAX)),
        OptionRow::check(ANALYSE, false),
        OptionRow::new(EVAL_FILE, OptionKind::Text(String::new())),
    ];
    rows.extend(PlayerTablebases::rows());
    rows.extend(OwnBook::rows());
    rows.extend(SearchParameters::TABLE.iter().map(|row| {
        let (default, min, max) = (row.default.into(), row.min.into(), row.max.into());
        OptionRow::tuning(row.name, default, min, max)
    }));
    let defaults = Vector::default();
    rows.extend(PARAMETERS.iter().enumerate().map(|(place, row)| {
        let default = defaults.at(place);
        let min = row.narrow.min.min(row.wide.min).min(default);
        let max = row.narrow.max.max(row.wide.max).max(default);
        OptionRow::tuning(row.name, default.into(), min.into(), max.into())
    }));
    rows
}

impl FlagshipThinker {
    pub(super) fn set(&mut self, name: &str, value: &OptionValue) -> Result<(), OptionError> {
        if self.book.set(name, value)? || self.settings.tablebases.set(name, value)? {
            return Ok(());
        }
        match (name, value) {
            (HASH, &OptionValue::Spin(mebibytes)) => self.set_hash(mebibytes as usize)?,
            (PARALLEL, &OptionValue::Combo(place)) => {
                self.settings.parallel = PARALLELS[place];
                if let Some(search) = &mut self.search {
                    search.set_parallel(self.settings.parallel);
                }
            }
            (THREADS, &OptionValue::Spin(threads)) => {
                if threads as usize != self.settings.threads {
                    self.settings.threads = threads as usize;
                    self.search = None;
                }
            }
            (CLEAR, _) => self.new_game(),
            (MULTIPV, &OptionValue::Spin(lines)) => self.settings.multipv = lines as usize,
            (LIMIT_STRENGTH, &OptionValue::Check(on)) => self.is_limited = on,
            (ELO, &OptionValue::Spin(elo)) => self.limit.elo = elo as u32,
            (SEED, &OptionValue::Spin(seed)) => self.limit.seed = seed as u64,
            (ANALYSE, &OptionValue::Check(on)) => self.is_analysing = on,
            (EVAL_FILE, OptionValue::Text(path)) => self.set_eval_file(path)?,
            (_, &OptionValue::Spin(number)) => self.set_parameter(name, number)?,
            _ => return Err(OptionError::Unknown(name.into())),
        }
        self.settings.strength = self.is_limited.then_some(self.limit);
        Ok(())
    }

    fn set_hash(&mut self, mebibytes: usize) -> Result<(), OptionError> {
        if mebibytes == self.settings.hash {
            return Ok(());
        }
        // The old table goes first: both may not fit.
        self.search = None;
        let mut trial: Vec<u8> = Vec::new();
        if trial.try_reserve_exact(mebibytes << 20).is_err() {
            return Err(OptionError::Refused {
                name: HASH.to_owned(),
                reason: format!("there is no memory for {mebibytes} MiB"),
            });
        }
        self.settings.hash = mebibytes;
        Ok(())
    }

    /// Reads a parameter file over the default vector; no file is the default vector.
    fn set_eval_file(&mut self, path: &str) -> Result<(), OptionError> {
        let refused = |reason: String| OptionError::Refused {
            name: EVAL_FILE.to_owned(),
            reason: reason.replace(char::is_control, " "),
        };
        let mut vector = Vector::default();
        if !path.is_empty() {
            let text = std::fs::read_to_string(path).map_err(|error| refused(format!("{path}: {error}")))?;
            vector
                .read(&text)
                .map_err(|error| refused(format!("{path}: {error}")))?;
        }
        self.settings.vector = vector;
        self.search = None;
        Ok(())
    }

    fn set_parameter(&mut self, name: &str, value: i64) -> Result<(), OptionError> {
        let value = value as i32;
        if self.settings.parameters.set(name, value) {
            if let Some(search) = &mut self.search {
                search.set_parameters(self.settings.parameters.clone());
            }
            return Ok(());
        }
        self.search = None;
        self.settings
            .vector
            .set(name, value)
            .map_err(|error| OptionError::Refused {
                name: name.to_owned(),
                reason: error.to_string(),
            })
    }
}
