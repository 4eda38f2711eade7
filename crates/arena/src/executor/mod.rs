//! Who plays the games of a run.
//!
//! The seam between *what* is played and *where*: a [`Runner`](crate::Runner) gives tasks through a [`Feed`], an executor
//! answers each with a record. Nothing but data crosses it, so that an executor may be threads of this process
//! ([`ThreadExecutor`], the only one here), other processes, or machines behind a message broker. Whatever it is, each of
//! its ends is a [`Worker`].

mod affinity;
mod threads;
mod worker;

use std::any::Any;

use thiserror::Error;
use vidmar_engine::Control;

use crate::runner::Feed;

pub use affinity::{AffinityError, Processors};
pub use threads::ThreadExecutor;
pub use worker::{MakePlayer, Worker};

/// Plays tasks.
pub trait Executor: Sync {
    /// Takes tasks from the feed and answers them, several at a time, until it gives none any more. Once `control` says
    /// stop, games in progress are to be answered at once, as stopped.
    fn execute(&self, feed: &Feed<'_>, control: &Control);
}

/// Why a task has no record.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExecutorError {
    /// The tablebases of its rules are not there.
    #[error(transparent)]
    Tablebases(#[from] crate::TablebaseError),
    /// Somebody who played or gave out games panicked: a defect of this program.
    #[error("a game could not be played because of a defect: {0}")]
    Panicked(String),
    /// Its processor cannot be had.
    #[error(transparent)]
    Affinity(#[from] AffinityError),
    /// Whoever was to play it is gone.
    #[error("a worker is lost: {0}")]
    Worker(String),
    /// Tasks were taken and never answered.
    #[error("{0} games were begun and never heard of again")]
    Unanswered(usize),
}

/// What a panic said.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("it did not say why")
        .to_owned()
}
