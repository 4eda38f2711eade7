//! That the configuration beside a store is the one of the run in it.
//!
//! The store holds the configuration that the run was begun with, as last changed by `tune resume`. The file beside it is for
//! people, and whoever edits it and resumes would get another run under the old one's name: the rest of it with another
//! seed, or against other openings. So every difference is an error that shows it.

use std::fmt;
use std::path::Path;

use toml::Value;
use vidmar_store::{Run as StoredRun, Store};

use super::journal::former_config;
use super::{CONFIG_FILE, RunError, parse_config, write_whole};
use crate::config::{Config, as_table};

/// A setting that the file and the store do not agree on.
#[derive(Clone, Debug, PartialEq)]
pub struct Difference {
    /// Its path: `budget.generations`.
    pub setting: String,
    /// What the run has.
    pub run: Option<Value>,
    /// What the file says.
    pub file: Option<Value>,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |value: &Option<Value>| value.as_ref().map_or("nothing".to_owned(), ToString::to_string);
        write!(
            f,
            "{}: {} in the run, {} in the file",
            self.setting,
            shown(&self.run),
            shown(&self.file)
        )
    }
}

/// The configuration of a run; an error unless the file says what the store says. Where a change was cut short between the
/// two, the file is written again.
pub(super) fn settle(
    directory: &Path,
    store: &Store,
    run: &StoredRun,
    file: Config,
) -> Result<Config, RunError> {
    let parsed = |text: &str| parse_config(store.path(), text);
    let kept = parsed(&run.config)?;
    if kept == file {
        return Ok(file);
    }
    let path = directory.join(CONFIG_FILE);
    if let Some(former) = former_config(store, run.id)?
        && parsed(&former)? == file
    {
        write_whole(&path, &run.config)?;
        return Ok(kept);
    }
    Err(RunError::Edited {
        file: path,
        differences: differences(&kept, &file),
    })
}

/// Every setting that two configurations do not agree on, by path.
fn differences(run: &Config, file: &Config) -> Vec<Difference> {
    let [run, file] = [run, file].map(|config| Value::Table(as_table(config)));
    let mut found = Vec::new();
    compare("", Some(&run), Some(&file), &mut found);
    found
}

fn compare(path: &str, run: Option<&Value>, file: Option<&Value>, found: &mut Vec<Difference>) {
    if run == file {
        return;
    }
    if let (Some(Value::Table(one)), Some(Value::Table(other))) = (run, file) {
        let mut keys: Vec<&String> = one.keys().chain(other.keys()).collect();
        keys.sort();
        keys.dedup();
        for key in keys {
            let path = if path.is_empty() {
                key.clone()
            } else {
                format!("{path}.{key}")
            };
            compare(&path, one.get(key), other.get(key), found);
        }
        return;
    }
    found.push(Difference {
        setting: path.to_owned(),
        run: run.cloned(),
        file: file.cloned(),
    });
}

/// One difference a line.
pub(super) fn listed(differences: &[Difference]) -> String {
    let lines: Vec<String> = differences.iter().map(ToString::to_string).collect();
    lines.join("\n  ")
}
