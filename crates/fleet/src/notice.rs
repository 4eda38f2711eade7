//! What a user should hear of while games are played elsewhere.

use std::fmt;
use std::sync::Arc;

use crate::protocol::RunName;

/// Is told of what happens; from any thread.
pub type Observer = Arc<dyn Fn(&Notice) + Send + Sync>;

/// Something worth telling.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// There is work, and nobody to do it.
    NoWorkers {
        /// What others would type.
        command: String,
    },
    /// A worker has come.
    Joined {
        /// Its name.
        worker: String,
        /// Games that it plays at once.
        threads: u32,
    },
    /// A worker has gone, in order or not.
    Left {
        /// Its name.
        worker: String,
    },
    /// A worker cannot play for this run.
    Refused {
        /// Its name.
        worker: String,
        /// Why.
        reason: String,
    },
    /// A worker is not believed any more.
    ShutOut {
        /// Its name.
        worker: String,
        /// What it did.
        reason: String,
        /// How many of its games are played again.
        again: usize,
    },
    /// Something is in the way; it is tried again.
    Trouble(String),
    /// The server cannot be reached.
    Disconnected,
    /// It is there again.
    Connected,
    /// A worker has taken up a run.
    Serving(RunName),
    /// A worker does not play for a run.
    NotServing {
        /// The run.
        run: RunName,
        /// Why.
        reason: String,
    },
    /// A worker has fetched a program that a run brings along, and runs it.
    Fetched {
        /// The run.
        run: RunName,
        /// The program.
        engine: String,
    },
    /// A run is over.
    RunOver(RunName),
    /// A worker follows an order.
    Ordered(String),
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::NoWorkers { command } => {
                write!(f, "no worker is connected; waiting for one ({command})")
            }
            Notice::Joined { worker, threads } => {
                write!(f, "worker {worker} has come ({threads} games at once)")
            }
            Notice::Left { worker } => write!(f, "worker {worker} has gone"),
            Notice::Refused { worker, reason } => write!(f, "worker {worker} is refused: {reason}"),
            Notice::ShutOut {
                worker,
                reason,
                again,
            } => write!(
                f,
                "worker {worker} is shut out: {reason}; {again} of its games are played again"
            ),
            Notice::Trouble(reason) => write!(f, "{reason}; trying again"),
            Notice::Disconnected => f.write_str("the NATS server cannot be reached; waiting for it"),
            Notice::Connected => f.write_str("the NATS server is there again"),
            Notice::Serving(run) => write!(f, "playing for run {run}"),
            Notice::NotServing { run, reason } => write!(f, "not playing for run {run}: {reason}"),
            Notice::Fetched { run, engine } => write!(f, "fetched {engine} from run {run}"),
            Notice::RunOver(run) => write!(f, "run {run} is over"),
            Notice::Ordered(order) => write!(f, "ordered: {order}"),
        }
    }
}
