//! Why an experiment cannot be run or reported.

use std::fmt;
use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::data::Missing;

/// Why an experiment cannot be run or reported.
#[derive(Debug, Error)]
pub enum ReproduceError {
    /// No such name.
    #[error("there is no experiment '{name}'{hint} (vidmar reproduce lists them)")]
    Unknown {
        /// What was given.
        name: String,
        /// What was probably meant.
        hint: String,
    },
    /// Something that does not come with the program is not there.
    #[error("{experiment} needs what is not here:\n  {}", listed(.missing))]
    Missing {
        /// The experiment.
        experiment: &'static str,
        /// What it needs.
        missing: Vec<Missing>,
    },
    /// The folder holds the same experiment with another plan.
    #[error("{} was begun with {begun}: go on with that, or give another --out", folder.display())]
    OtherPlan {
        /// The experiment's folder.
        folder: PathBuf,
        /// What it was begun with.
        begun: String,
    },
    /// Nothing was begun there.
    #[error("{} holds no experiment: expected the --out of vidmar reproduce", .0.display())]
    NothingThere(PathBuf),
    /// A file cannot be read or written.
    #[error("{}: {reason}", path.display())]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What the system says.
        reason: io::Error,
    },
    /// A file is not what a step wrote.
    #[error("{}: {reason}; remove it and run the step again", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// A step failed.
    #[error("{step}: {reason}")]
    Step {
        /// The step.
        step: String,
        /// Why.
        reason: StepError,
    },
}

fn listed(missing: &[Missing]) -> String {
    let lines: Vec<String> = missing.iter().map(ToString::to_string).collect();
    lines.join("\n  ")
}

/// Why a step failed: the error of the part that carried it out. Any error becomes one; what it says is all that is wanted of it.
pub struct StepError(Box<dyn std::error::Error + Send + Sync>);

impl<E: std::error::Error + Send + Sync + 'static> From<E> for StepError {
    fn from(error: E) -> StepError {
        StepError(Box::new(error))
    }
}

impl fmt::Debug for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
