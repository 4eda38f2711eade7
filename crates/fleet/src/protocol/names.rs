//! Runs and workers by name, and where their messages go. Everything of a run stands under its name, so that the permissions of
//! a server can keep runs and workers apart.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::error::FleetError;

/// The longest name.
const LONGEST: usize = 48;
/// What no run may be called: its subjects are everybody's.
const RESERVED: &str = "workers";

fn is_name(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    !text.is_empty() && text.len() <= LONGEST && text.chars().all(is_plain)
}

/// The name of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct RunName(String);

impl RunName {
    /// A name for what is kept in a file or a folder of this machine: the same each time.
    pub fn of_path(path: &Path, part: &str) -> RunName {
        let whole = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let mut hash = Sha256::new();
        hash.update(host().as_bytes());
        hash.update([0]);
        hash.update(whole.as_os_str().as_encoded_bytes());
        hash.update([0]);
        hash.update(part.as_bytes());
        let digest = hash.finalize();
        let stem = whole.file_stem().map(|stem| stem.to_string_lossy().into_owned());
        let mut name = plain(&stem.unwrap_or_default());
        name.truncate(LONGEST - 9);
        RunName(format!(
            "{name}-{:02x}{:02x}{:02x}{:02x}",
            digest[0], digest[1], digest[2], digest[3]
        ))
    }
}

/// The name of a worker.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WorkerName(String);

impl Default for WorkerName {
    /// This machine and this process.
    fn default() -> WorkerName {
        let mut name = plain(&host());
        name.truncate(LONGEST - 11);
        WorkerName(format!("{name}-{}", std::process::id()))
    }
}

/// The name of this machine.
pub(crate) fn host() -> String {
    let named = std::env::var("HOSTNAME").ok().filter(|name| !name.is_empty());
    let file = || std::fs::read_to_string("/etc/hostname").ok();
    let name = named.or_else(file).unwrap_or_default();
    match name.trim() {
        "" => "here".to_owned(),
        name => name.to_owned(),
    }
}

/// A text as far as it can be part of a name.
fn plain(text: &str) -> String {
    let kept = |c: char| {
        if is_name(c.encode_utf8(&mut [0; 4])) {
            c
        } else {
            '-'
        }
    };
    let name: String = text.chars().map(kept).collect();
    if name.is_empty() { "run".to_owned() } else { name }
}

macro_rules! name {
    ($name:ident) => {
        impl FromStr for $name {
            type Err = FleetError;

            fn from_str(text: &str) -> Result<$name, FleetError> {
                if is_name(text) && text != RESERVED {
                    Ok($name(text.to_owned()))
                } else {
                    Err(FleetError::Name(super::shortened(text)))
                }
            }
        }

        impl TryFrom<String> for $name {
            type Error = FleetError;

            fn try_from(text: String) -> Result<$name, FleetError> {
                text.parse()
            }
        }

        impl From<$name> for String {
            fn from(name: $name) -> String {
                name.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    };
}
name!(RunName);
name!(WorkerName);

/// The subjects and streams of a run.
#[derive(Clone, Debug)]
pub struct Subjects(pub RunName);

impl Subjects {
    /// Asks every worker, of whatever run, who it is.
    pub const ASK_WORKERS: &str = "vidmar.workers.ask";

    /// Orders to a worker.
    pub fn order(worker: &WorkerName) -> String {
        format!("vidmar.workers.order.{worker}")
    }

    /// The run whose stream of tasks this is.
    pub fn run_of_stream(stream: &str) -> Option<RunName> {
        stream
            .strip_prefix("vidmar-")?
            .strip_suffix("-tasks")?
            .parse()
            .ok()
    }

    /// The stream of tasks.
    pub fn tasks_stream(&self) -> String {
        format!("vidmar-{}-tasks", self.0)
    }

    /// The stream of answers.
    pub fn answers_stream(&self) -> String {
        format!("vidmar-{}-answers", self.0)
    }

    /// The key-value bucket.
    pub fn bucket(&self) -> String {
        format!("vidmar-{}", self.0)
    }

    /// Every subject of tasks.
    pub fn all_tasks(&self) -> String {
        format!("vidmar.{}.tasks.*", self.0)
    }

    /// Tasks of a class.
    pub fn tasks(&self, class: &str) -> String {
        format!("vidmar.{}.tasks.{class}", self.0)
    }

    /// Every subject of answers.
    pub fn all_answers(&self) -> String {
        format!("vidmar.{}.answers.*", self.0)
    }

    /// Answers of a worker.
    pub fn answers(&self, worker: &WorkerName) -> String {
        format!("vidmar.{}.answers.{worker}", self.0)
    }

    /// Where all workers say that they are there.
    pub fn all_beats(&self) -> String {
        format!("vidmar.{}.beats.*", self.0)
    }

    /// Where a worker says that it is there.
    pub fn beats(&self, worker: &WorkerName) -> String {
        format!("vidmar.{}.beats.{worker}", self.0)
    }

    /// Asks the coordinator for its roster.
    pub fn ask(&self) -> String {
        format!("vidmar.{}.ask", self.0)
    }

    /// Orders to the coordinator.
    pub fn order_run(&self) -> String {
        format!("vidmar.{}.order", self.0)
    }
}

/// The worker whose subject this is: the last of its parts.
pub fn worker_of(subject: &str) -> Option<WorkerName> {
    subject.rsplit('.').next()?.parse().ok()
}
