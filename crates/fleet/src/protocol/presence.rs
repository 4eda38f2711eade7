//! Who is there: programs, workers, runs; and what they are told to do.

use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use vidmar_engine::Control;
use vidmar_engine::bench::{self, BenchSettings};

use super::{RunKey, RunName, WorkerName};
use crate::engines::EngineRef;
use crate::error::FleetError;

/// The depth at which a program's own signature is measured when it starts.
const PROBE_DEPTH: u32 = 8;

/// Which program it is, as far as its play is concerned.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Build {
    /// Its version.
    pub version: String,
    /// Its bench signature.
    pub signature: u64,
    /// The positions that its search visited in a small bench when it started: what it really does on this machine.
    pub measured: u64,
}

impl Build {
    /// This program, and how many positions it visits in a second on one processor; measured once.
    pub fn measure(control: &Control) -> Result<(Build, u64), FleetError> {
        static MEASURED: OnceLock<(Build, u64)> = OnceLock::new();
        if let Some(measured) = MEASURED.get() {
            return Ok(measured.clone());
        }
        let settings = BenchSettings {
            depth: PROBE_DEPTH,
            ..BenchSettings::default()
        };
        let report = bench::run(&settings, control, |_, _| {}).ok_or(FleetError::Stopped)?;
        let build = Build {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            signature: bench::SIGNATURE,
            measured: report.nodes,
        };
        Ok(MEASURED.get_or_init(|| (build, report.nps)).clone())
    }

    /// Why games of another program are not those of this one; none if they are.
    pub fn difference(&self, other: &Build) -> Option<String> {
        if self == other {
            return None;
        }
        Some(format!("it is {other}, the run needs {self}"))
    }
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Build {
            version,
            signature,
            measured,
        } = self;
        let version = super::shortened(version);
        write!(
            f,
            "vidmar {version} with bench signature {signature} ({measured} measured)"
        )
    }
}

/// What a worker does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerState {
    /// Takes tasks.
    #[default]
    Playing,
    /// Takes none until it is told otherwise.
    Paused,
    /// Takes none, and ends.
    Draining,
    /// Has ended.
    Gone,
}

/// Why a worker does not play for a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Refusal {
    /// Which.
    pub run: RunName,
    /// Why.
    pub reason: String,
}

/// What a worker says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Presence {
    /// Of the protocol.
    pub version: u16,
    /// Its name.
    pub name: WorkerName,
    /// Processors of its machine.
    pub cores: u32,
    /// Games that it plays at once.
    pub threads: u32,
    /// The program.
    pub build: Build,
    /// Positions in a second, on one processor.
    pub nps: u64,
    /// The engines that it offers.
    pub engines: Vec<EngineRef>,
    /// What it does.
    pub state: WorkerState,
    /// Games at the board.
    pub playing: u32,
    /// Tasks that it has taken and not begun.
    pub queued: u32,
    /// Games that it has played.
    pub games: u64,
    /// The same in a second, lately.
    pub games_per_second: f64,
    /// Runs that it plays for.
    pub runs: Vec<RunName>,
    /// Runs that it does not play for.
    pub refused: Vec<Refusal>,
}

/// Tasks that need the same engines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Class {
    /// Its name, part of a subject.
    pub name: String,
    /// What is needed.
    pub engines: Vec<EngineRef>,
}

/// A program that a run brings along, in its object store under its digest.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Binary {
    /// The SHA-256 of it.
    pub sha256: String,
    /// Its size.
    pub bytes: u64,
}

/// What a run says of itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunCard {
    /// Of the protocol.
    pub version: u16,
    /// Its key.
    pub key: RunKey,
    /// The program.
    pub build: Build,
    /// Positions in a second where it was begun: clocks are scaled by it.
    pub nps: u64,
    /// How long a worker may be silent about a batch before another one gets it.
    pub patience: Duration,
    /// What tasks need.
    pub classes: Vec<Class>,
    /// Programs that workers may fetch.
    #[serde(default)]
    pub binaries: Vec<Binary>,
}

/// What workers and coordinators are told.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "order")]
pub enum Order {
    /// Take no more tasks, finish what was begun, end.
    Drain,
    /// Take no more tasks for now.
    Pause,
    /// Go on.
    Resume,
    /// To a coordinator: believe this worker no more.
    ShutOut {
        /// Which.
        worker: WorkerName,
        /// Why.
        reason: String,
    },
    /// To a coordinator: let it play again.
    LetIn {
        /// Which.
        worker: WorkerName,
    },
}

/// What a coordinator knows of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WorkerRow {
    /// Its name.
    pub name: WorkerName,
    /// Processors of its machine.
    pub cores: u32,
    /// Games that it plays at once.
    pub threads: u32,
    /// Positions in a second, on one processor.
    pub nps: u64,
    /// What it does.
    pub state: WorkerState,
    /// Games of it that were taken.
    pub games: u64,
    /// Games in a second, as it says itself.
    pub games_per_second: f64,
    /// Seconds since it was last heard of.
    pub last_seen: f64,
    /// Spot checks that it has passed.
    pub checks: u64,
    /// Whether it is not believed any more.
    pub is_shut_out: bool,
    /// Why it does not play, or is not believed.
    pub refused: Option<String>,
}

/// What a coordinator says of its run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RosterReply {
    /// The run.
    pub run: RunName,
    /// Who coordinates it.
    pub coordinator: String,
    /// Tasks that are issued and not answered.
    pub open: u64,
    /// Answers taken since the coordinator began.
    pub games: u64,
    /// Answers that were dropped: double, late, unreadable, of workers that are shut out.
    pub dropped: u64,
    /// Games that were played twice, to be compared.
    pub compared: u64,
    /// Its workers.
    pub workers: Vec<WorkerRow>,
}
