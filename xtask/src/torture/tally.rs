//! What a family found.

use std::collections::BTreeMap;
use std::fmt;

/// Counts of trials, and what went wrong.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) trials: u64,
    /// How many of the trials came to what.
    pub(crate) notes: BTreeMap<&'static str, u64>,
    pub(crate) findings: Vec<Finding>,
}

/// Something that must not be.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) what: String,
    /// What repeats it, for a shell.
    pub(crate) command: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n    again: {}", self.what, self.command)
    }
}

impl Tally {
    /// One more trial that came to this.
    pub(crate) fn note(&mut self, what: &'static str) {
        self.count(what, 1);
    }

    pub(crate) fn count(&mut self, what: &'static str, times: u64) {
        *self.notes.entry(what).or_default() += times;
    }

    pub(crate) fn find(&mut self, what: impl Into<String>, command: impl Into<String>) {
        self.findings.push(Finding {
            what: what.into(),
            command: command.into(),
        });
    }

    /// The notes in a line.
    pub(crate) fn told(&self) -> String {
        let notes: Vec<String> = self
            .notes
            .iter()
            .map(|(what, times)| format!("{times} {what}"))
            .collect();
        notes.join(", ")
    }

    pub(crate) fn add(&mut self, other: Tally) {
        self.trials += other.trials;
        for (what, times) in other.notes {
            self.count(what, times);
        }
        self.findings.extend(other.findings);
    }
}
