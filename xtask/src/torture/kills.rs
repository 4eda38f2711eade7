//! A match and a tuning run, killed at chosen system calls and at random moments and resumed until they are done.
//!
//! `strace` sends the signal at the Nth call of a kind, so that a kill falls between any two things that reach the disk. Where there is
//! no strace, moments are random.

use std::process::{Command, ExitStatus};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use vidmar_rng::Rng;

use super::fixtures::done;
use super::lives::{Calm, Kind, Subject};
use super::plan::Plan;
use super::tally::Tally;
use super::trial::silent;
use crate::cargo::succeeds;

/// Calls that reach the disk, and some that a run is full of.
const CALLS: [&str; 12] = [
    "write",
    "pwrite64",
    "fsync",
    "fdatasync",
    "openat",
    "rename",
    "unlink",
    "ftruncate",
    "fcntl",
    "futex",
    "mmap",
    "pread64",
];

/// Kills of one life; then it may end.
const KILLS: u32 = 25;

/// Some hundred games.
const KIND: Kind<'_> = Kind {
    rounds: "60",
    generations: "budget.generations=12",
    on: None,
};

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let calm = Calm::make(plan, KIND)?;
    let has_strace = succeeds(silent(Command::new("strace").arg("-V")));
    plan.each(&Subject::by_turns(), |worker, &(number, subject)| {
        let life = Life {
            plan,
            folder: plan.empty(worker)?,
            subject,
            has_strace,
        };
        life.live(&mut plan.rng(number + 1), &calm)
    })
}

/// From a beginning to an end, with kills in between.
struct Life<'p> {
    plan: &'p Plan,
    folder: std::path::PathBuf,
    subject: Subject,
    has_strace: bool,
}

impl Life<'_> {
    fn live(&self, rng: &mut Rng, calm: &Calm) -> Result<Tally> {
        let mut tally = Tally::default();
        let mut history = Vec::new();
        for _ in 0..KILLS {
            if !self.plan.next() {
                break;
            }
            let (how, status) = self.attempt(rng)?;
            history.push(how);
            if status.success() {
                break;
            }
            if status.code().is_some() {
                tally.find(
                    format!("ended with {status} instead of being killed"),
                    history.join("; "),
                );
                return Ok(tally);
            }
            tally.trials += 1;
        }
        if history.is_empty() {
            return Ok(tally);
        }
        let ended = done(self.plan, &self.folder, &self.words());
        let compared = ended.and_then(|_| self.subject.compare(self.plan, &self.folder, calm));
        if let Err(error) = compared {
            tally.find(format!("{error:#}"), history.join("; "));
        }
        tally.note(self.subject.name());
        Ok(tally)
    }

    fn words(&self) -> Vec<&'static str> {
        self.subject.words(self.plan, &self.folder, KIND)
    }

    /// One process that is killed or ends; how, in words.
    fn attempt(&self, rng: &mut Rng) -> Result<(String, ExitStatus)> {
        let words = self.words();
        if self.has_strace && !rng.chance(0.25) {
            let call = *rng.pick(&CALLS).context("calls")?;
            let exponent = rng.below(10);
            let when = 1 + rng.below(1 << exponent);
            let mut command = Command::new("strace");
            command
                .args(["-f", "-qq", "-o", "/dev/null", "-e", &format!("trace={call}")])
                .args(["-e", &format!("inject={call}:signal=SIGKILL:when={when}")])
                .arg(&self.plan.binary)
                .args(&words)
                .current_dir(&self.folder);
            return Ok((format!("{call} {when}"), silent(&mut command).status()?));
        }
        let moment = Duration::from_millis(rng.below(400));
        let mut child = silent(&mut self.plan.vidmar(&self.folder, &words)).spawn()?;
        thread::sleep(moment);
        child.kill()?;
        Ok((format!("after {moment:?}"), child.wait()?))
    }
}
