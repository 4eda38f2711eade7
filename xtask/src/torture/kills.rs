//! A match and a tuning run, killed at chosen system calls and at random moments and resumed until they are done.
//!
//! `strace` sends the signal at the Nth call of a kind, so that a kill falls between any two things that reach the disk. Where there is
//! no strace, moments are random.

use std::path::Path;
use std::process::{Command, ExitStatus};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use vidmar_rng::Rng;

use super::fixtures::done;
use super::plan::Plan;
use super::runs::{self, result_of_match, result_of_run};
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

/// What is killed.
#[derive(Clone, Copy)]
enum Subject {
    Match,
    Run,
}

/// What each of them comes to if nobody disturbs it.
struct Calm {
    of_match: String,
    of_run: Vec<String>,
}

/// How long a run and a match are: some hundred games.
const LONGER_MATCH: &[&str] = &["-rounds", "60", "-concurrency", "2", "--store", "games.db"];
const LONGER_RUN: &[&str] = &["--set", "budget.generations=12", "--out", "run"];

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let folder = plan.empty("calm")?;
    done(plan, &folder, &[runs::MATCH, LONGER_MATCH].concat())?;
    done(plan, &folder, &[runs::SMALL_RUN, LONGER_RUN].concat())?;
    let calm = Calm {
        of_match: result_of_match(plan, &folder, "games.db")?,
        of_run: result_of_run(plan, &folder.join("run"))?,
    };
    let has_strace = succeeds(silent(Command::new("strace").arg("-V")));
    let lives: Vec<(u64, Subject)> = (0..10_000)
        .map(|number| {
            (
                number,
                if number % 2 == 0 {
                    Subject::Run
                } else {
                    Subject::Match
                },
            )
        })
        .collect();
    plan.each(&lives, |worker, &(number, subject)| {
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
        if let Err(error) = ended.and_then(|_| self.compare(calm)) {
            tally.find(format!("{error:#}"), history.join("; "));
        }
        tally.note(match self.subject {
            Subject::Match => "matches",
            Subject::Run => "tuning runs",
        });
        Ok(tally)
    }

    /// Whether the end is that of an undisturbed one.
    fn compare(&self, calm: &Calm) -> Result<()> {
        let is_same = match self.subject {
            Subject::Match => result_of_match(self.plan, &self.folder, "games.db")? == calm.of_match,
            Subject::Run => result_of_run(self.plan, &self.folder.join("run"))? == calm.of_run,
        };
        anyhow::ensure!(is_same, "another result than without kills");
        done(self.plan, &self.folder, &["store", "check", self.store()])?;
        Ok(())
    }

    fn store(&self) -> &'static str {
        match self.subject {
            Subject::Match => "games.db",
            Subject::Run => "run/games.db",
        }
    }

    /// The command that goes on, or begins where there is nothing to go on with.
    fn words(&self) -> Vec<&'static str> {
        let begins = match self.subject {
            Subject::Match => [runs::MATCH, LONGER_MATCH].concat(),
            Subject::Run => [runs::SMALL_RUN, LONGER_RUN].concat(),
        };
        // A run goes on as soon as it has a configuration, a match as soon as the store holds it.
        let has_run = match self.subject {
            Subject::Match => has_match(self.plan, &self.folder),
            Subject::Run => self.folder.join("run/config.toml").exists(),
        };
        match self.subject {
            _ if !has_run => begins,
            Subject::Match => vec!["match", "-resume", "games.db"],
            Subject::Run => vec![
                "tune",
                "resume",
                "run",
                "--quiet",
                "--no-verify",
                "--threads",
                "2",
            ],
        }
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

/// Whether the store holds the match; one that was killed while it was made may hold none.
fn has_match(plan: &Plan, folder: &Path) -> bool {
    let listed = done(plan, folder, &["store", "list", "games.db", "--json"]);
    listed.is_ok_and(|listed| !listed.is_empty())
}
