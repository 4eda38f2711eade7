//! The kinds of work that steps are made of, one file each. Every one can be stopped or killed at any moment and gone on with.

mod algorithms;
mod late_changes;
pub(crate) mod matches;
mod replay;
mod study;
mod suite;
mod tuning;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use vidmar_arena::Executor;
use vidmar_engine::Control;
use vidmar_store::{Store, StoreError};

pub use algorithms::{Algorithms, Variants};
pub use late_changes::{LateChange, LateChanges, Population};
pub use matches::{MatchResult, MatchStep, Seat};
pub use replay::{PrintedGame, Replay, Replayed};
pub use study::{Cut, Known, Study, StudyRow};
pub use suite::{SuiteResult, SuiteStep};
pub use tuning::Tuning;

use crate::data::{Data, Missing, Needed};
use crate::error::{ReproduceError, StepError};

/// What is counted of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Games.
    Games,
    /// Searches of positions.
    Searches,
}

/// Those who play games on other machines.
pub type Elsewhere = Arc<dyn Executor + Send + Sync>;

/// What work is done with; nothing here changes a result.
pub struct Resources<'a> {
    /// Games or searches at a time, on this machine.
    pub threads: usize,
    /// Who plays games, if not this machine.
    pub elsewhere: Option<&'a Elsewhere>,
    /// Stops it.
    pub control: &'a Control,
    /// Files that do not come with the program.
    pub data: &'a Data,
}

impl Resources<'_> {
    /// Where a file is; without it there is nothing to do.
    fn find(&self, work: &'static str, needed: &Needed) -> Result<PathBuf, StepError> {
        let missing = |missing| ReproduceError::Missing {
            experiment: work,
            missing: vec![missing],
        };
        self.data.find(needed).map_err(|reason| missing(reason).into())
    }
}

/// One kind of work.
pub trait Work: Sync {
    /// What is counted.
    fn unit(&self) -> Unit;
    /// How many of them.
    fn units(&self) -> u64;
    /// The same work by hand.
    fn command(&self, folder: &Path) -> String;
    /// What it needs and is not there.
    fn missing(&self, data: &Data) -> Vec<Missing>;
    /// Why it is done on this machine even where games are played elsewhere; none where they are all it is made of.
    fn stays_here(&self) -> Option<&'static str> {
        (self.unit() == Unit::Searches).then_some("it searches positions and plays no games")
    }
    /// How many units a folder has of it.
    fn done(&self, folder: &Path) -> Result<u64, ReproduceError>;
    /// Does what is missing of it, and tells how many units there are; false where it was stopped.
    fn carry_out(
        &self,
        folder: &Path,
        with: &Resources<'_>,
        tell: &mut (dyn FnMut(u64) + Send),
    ) -> Result<bool, StepError>;
}

/// Looks into a store; none where there is none, or where a kill has left one that was not made yet.
fn stored<T>(
    path: &Path,
    look: impl Fn(Store) -> Result<T, StoreError>,
) -> Result<Option<T>, ReproduceError> {
    if !path.exists() {
        return Ok(None);
    }
    match Store::read(path, look) {
        Ok(found) => Ok(Some(found)),
        Err(StoreError::NotAStore { .. }) => Ok(None),
        Err(error) => Err(ReproduceError::Step {
            step: path.display().to_string(),
            reason: error.into(),
        }),
    }
}
