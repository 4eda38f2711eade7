//! A step of an experiment: work in a folder of its own, and a note when it is finished.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::ReproduceError;
use crate::files;
use crate::work::Work;

/// The note, in the folder of the step.
const FILE: &str = "step.json";

/// A step.
pub struct Step {
    /// The name of its folder.
    pub id: String,
    /// What it does, in a few words.
    pub what: String,
    /// The work.
    pub work: Box<dyn Work>,
    /// Processor seconds for a unit of it, as measured where [`crate::cost`] says.
    pub seconds_each: f64,
}

/// That a step is finished.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepNote {
    /// Units of work.
    pub units: u64,
    /// Seconds of the sessions that came to their end.
    pub seconds: f64,
    /// Processor seconds of them.
    pub cpu_seconds: f64,
    /// Whether there is nothing left to do.
    pub finished: bool,
}

impl Step {
    /// A step.
    pub fn new(
        id: impl Into<String>,
        what: impl Into<String>,
        work: impl Work + 'static,
        seconds_each: f64,
    ) -> Step {
        Step {
            id: id.into(),
            what: what.into(),
            work: Box::new(work),
            seconds_each,
        }
    }

    /// Processor seconds of all of it where the rates were measured.
    pub fn cost(&self) -> f64 {
        self.work.units() as f64 * self.seconds_each
    }
}

impl StepNote {
    /// What a folder says of itself.
    pub fn read(folder: &Path) -> Result<Option<StepNote>, ReproduceError> {
        files::read_json(&folder.join(FILE))
    }

    pub(crate) fn write(&self, folder: &Path) -> Result<(), ReproduceError> {
        files::write_json(&folder.join(FILE), self)
    }
}
