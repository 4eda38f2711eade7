//! What the folder of an experiment has so far, for its report.

use std::path::{Path, PathBuf};

use crate::error::ReproduceError;
use crate::plan::Plan;
use crate::step::{Step, StepNote};

/// The folder of an experiment, looked into.
pub struct Results<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// How much of it is run.
    pub plan: &'a Plan,
    /// Its steps.
    pub steps: &'a [Step],
    /// The folder of all experiments, for those that go on with what others came to.
    pub all: &'a Path,
}

impl Results<'_> {
    /// The folder of a step.
    pub fn of(&self, id: &str) -> PathBuf {
        self.folder.join(id)
    }

    /// Whether a step is finished.
    pub fn is_finished(&self, id: &str) -> Result<bool, ReproduceError> {
        Ok(StepNote::read(&self.of(id))?.is_some_and(|note| note.finished))
    }

    /// How many steps are finished.
    pub fn finished(&self) -> Result<usize, ReproduceError> {
        let mut count = 0;
        for step in self.steps {
            count += usize::from(self.is_finished(&step.id)?);
        }
        Ok(count)
    }

    /// What was taken for the steps until now: seconds, processor seconds.
    pub fn taken(&self) -> Result<(f64, f64), ReproduceError> {
        let mut taken = (0.0, 0.0);
        for step in self.steps {
            if let Some(note) = StepNote::read(&self.of(&step.id))? {
                taken.0 += note.seconds;
                taken.1 += note.cpu_seconds;
            }
        }
        Ok(taken)
    }
}
