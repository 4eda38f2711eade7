//! A run as lists show it: where it stands, how far it is, how fast it goes.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use serde::Serialize;
use ts_rs::TS;
use vidmar_tune::progress::{Phase, Progress, Standing};

use super::library::{Entry, Kind, lock};
use super::notes::RunNotes;
use super::result::RunElo;
use super::stamp::Stamp;

/// The rate is that of the last minute.
const WINDOW: Duration = Duration::from_mins(1);
const SHORTEST: Duration = Duration::from_secs(2);

/// A tuning run or a match.
#[derive(Clone, Debug, Serialize, TS)]
pub struct Run {
    /// By which the page asks for it.
    pub id: String,
    /// What it is called.
    pub name: String,
    /// The directory that the server was started with, by name.
    pub directory: String,
    /// Whether it came with the program.
    pub is_example: bool,
    /// Which kind of run.
    pub kind: RunKind,
    /// Where it stands.
    pub state: RunState,
    /// What a tuning run is about.
    pub phase: Option<RunPhase>,
    /// Grows whenever anything has changed.
    pub version: u64,
    /// How much is done, 0 to 1.
    pub progress: f64,
    /// Games of the tuning or of the match.
    pub games: u64,
    /// Games planned, where games are counted.
    pub planned_games: Option<u64>,
    /// Games of a tuning run's validation.
    pub validation_games: u64,
    /// The last whole generation.
    pub generation: Option<u64>,
    /// Generations planned, where generations are counted.
    pub generations: Option<u64>,
    /// Games a second.
    pub rate: Option<f64>,
    /// Seconds until the tuning or the match is done.
    pub eta_s: Option<f64>,
    /// Seconds of work so far.
    pub seconds: Option<f64>,
    /// When it began, in seconds since 1970.
    pub begun: i64,
    /// Misbehaviours of players.
    pub faults: u64,
    /// What it is, in some words: the method, or the players.
    pub about: String,
    /// What came of it so far, in a sentence: what the validation of a tuning run or the games of a match prove.
    pub result: Option<String>,
    /// What is wrong with it.
    pub problem: Option<String>,
    /// Elo with its interval, where something was played that can prove anything.
    pub elo: Option<RunElo>,
    /// What people say about it.
    pub notes: RunNotes,
}

/// Which kind of run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum RunKind {
    /// `vidmar tune run`
    Tuning,
    /// `vidmar match`
    Match,
}

impl RunKind {
    /// As JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            RunKind::Tuning => "tuning",
            RunKind::Match => "match",
        }
    }
}

/// Where a run stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// A process is at it.
    Running,
    /// It was stopped and can go on.
    Paused,
    /// It was asked for and goes on when another one has ended.
    Waiting,
    /// An error of its own stopped it, which is its problem; it can go on.
    Failed,
    /// Its process ended without a word; it can go on.
    Crashed,
    /// There is nothing left to do.
    Finished,
    /// Its files make no sense.
    Unreadable,
}

impl RunState {
    /// As JSON has it.
    pub const fn name(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Paused => "paused",
            RunState::Waiting => "waiting",
            RunState::Failed => "failed",
            RunState::Crashed => "crashed",
            RunState::Finished => "finished",
            RunState::Unreadable => "unreadable",
        }
    }
}

/// What a tuning run is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub enum RunPhase {
    /// The optimiser has work.
    Tuning,
    /// The result is being validated.
    Validation,
    /// Neither.
    Done,
}

impl From<Standing> for RunState {
    fn from(standing: Standing) -> RunState {
        match standing {
            Standing::Running => RunState::Running,
            Standing::Paused => RunState::Paused,
            Standing::Failed => RunState::Failed,
            Standing::Crashed => RunState::Crashed,
            Standing::Finished => RunState::Finished,
        }
    }
}

/// What was seen of a run last.
#[derive(Default)]
pub(super) struct Seen {
    last: Option<(Stamp, Run)>,
    /// Games by time, while it goes on.
    pace: VecDeque<(Instant, u64)>,
    version: u64,
    is_waiting: bool,
    /// Why it could not be started when its turn had come.
    failure: Option<String>,
}

impl Seen {
    fn rate(&mut self, is_running: bool, games: u64) -> Option<f64> {
        if !is_running {
            self.pace.clear();
            return None;
        }
        let now = Instant::now();
        self.pace.push_back((now, games));
        while self.pace.len() > 2 && self.pace.front().is_some_and(|(at, _)| now - *at > WINDOW) {
            self.pace.pop_front();
        }
        let (first, before) = *self.pace.front()?;
        let seconds = (now - first).as_secs_f64();
        (now - first >= SHORTEST).then(|| games.saturating_sub(before) as f64 / seconds)
    }
}

impl Entry {
    /// Whether it waits until another run has ended.
    pub(super) fn set_waiting(&self, is_waiting: bool) {
        let mut seen = lock(&self.seen);
        seen.is_waiting = is_waiting;
        seen.failure = None;
        seen.last = None;
    }

    /// Its turn had come, and it could not be started.
    pub(super) fn set_failure(&self, message: &str) {
        let mut seen = lock(&self.seen);
        seen.failure = Some(self.without_paths(message));
        seen.last = None;
    }

    /// Something about it has changed that its store does not tell.
    pub(super) fn look_again(&self) {
        lock(&self.seen).last = None;
    }

    /// Where it stands now; cheap if nothing has changed.
    pub(crate) fn overview(&self) -> Run {
        let mut seen = lock(&self.seen);
        let stamp = self.stamp();
        if let Some((known, run)) = &seen.last
            && *known == stamp
        {
            return run.clone();
        }
        seen.version += 1;
        let mut run = self.blank(seen.version);
        let read = match &self.kind {
            Kind::Tuning(tuning) => tuning.fill(&mut run, &stamp).map_err(|error| error.to_string()),
            Kind::Match(contest) => contest.fill(&mut run, &stamp).map_err(|error| error.to_string()),
        };
        match read {
            Ok(()) => {
                let is_running = run.state == RunState::Running;
                if let Some(rate) = seen.rate(is_running, run.games + run.validation_games) {
                    run.rate = Some(rate);
                    if let Some(planned) = run
                        .planned_games
                        .filter(|_| rate > 0.0 && run.phase != Some(RunPhase::Validation))
                    {
                        run.eta_s = Some(planned.saturating_sub(run.games) as f64 / rate);
                    }
                }
                if !is_running {
                    run.eta_s = None;
                    let own = run.problem.take().map(|message| self.without_paths(&message));
                    run.problem = seen.failure.clone().or(own);
                }
                let can_go_on = matches!(run.state, RunState::Paused | RunState::Failed | RunState::Crashed);
                if seen.is_waiting && can_go_on {
                    run.state = RunState::Waiting;
                }
            }
            Err(message) => {
                run.state = RunState::Unreadable;
                run.problem = Some(self.without_paths(&message));
            }
        }
        seen.last = Some((stamp, run.clone()));
        run
    }

    fn blank(&self, version: u64) -> Run {
        Run {
            id: self.id.clone(),
            name: self.name.clone(),
            directory: self.directory.clone(),
            is_example: self.is_example,
            kind: match self.kind {
                Kind::Tuning(_) => RunKind::Tuning,
                Kind::Match(_) => RunKind::Match,
            },
            state: RunState::Unreadable,
            phase: None,
            version,
            progress: 0.0,
            games: 0,
            planned_games: None,
            validation_games: 0,
            generation: None,
            generations: None,
            rate: None,
            eta_s: None,
            seconds: None,
            begun: 0,
            faults: 0,
            about: String::new(),
            result: None,
            problem: None,
            elo: None,
            notes: self.notes(),
        }
    }
}

impl Run {
    /// What a tuning run's progress says.
    pub(super) fn take(&mut self, progress: &Progress) {
        self.state = progress.standing.into();
        self.phase = Some(match progress.phase {
            Phase::Tuning => RunPhase::Tuning,
            Phase::Validation => RunPhase::Validation,
            Phase::Done => RunPhase::Done,
        });
        self.progress = progress.share;
        self.games = progress.games;
        self.validation_games = progress.validation_games;
        self.generation = progress.generation;
        self.faults = progress.faults;
        self.seconds = Some(progress.seconds);
        self.begun = progress.begun;
        self.problem.clone_from(&progress.failure);
        if progress.seconds > 0.0 {
            self.rate = Some(progress.games as f64 / progress.seconds);
        }
        if progress.phase == Phase::Tuning {
            self.eta_s = progress.seconds_left();
        }
    }
}
