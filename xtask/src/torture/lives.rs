//! A match or a tuning run that is killed and goes on, again and again: the command that goes on, and what must come of it.

use std::path::Path;

use anyhow::Result;

use super::fixtures::done;
use super::plan::Plan;
use super::runs::{self, result_of_match, result_of_run};

/// What is killed.
#[derive(Clone, Copy)]
pub(crate) enum Subject {
    Match,
    Run,
}

/// How long it is, and who plays it.
#[derive(Clone, Copy)]
pub(crate) struct Kind<'k> {
    pub(crate) rounds: &'k str,
    pub(crate) generations: &'k str,
    /// Workers of this server play the games; else two threads do.
    pub(crate) on: Option<&'k str>,
}

/// What each of them comes to if nobody disturbs it.
pub(crate) struct Calm {
    of_match: String,
    of_run: Vec<String>,
}

impl Calm {
    /// Plays both of them in two threads.
    pub(crate) fn make(plan: &Plan, kind: Kind<'_>) -> Result<Calm> {
        let folder = plan.empty("calm")?;
        let kind = Kind { on: None, ..kind };
        for subject in [Subject::Match, Subject::Run] {
            let words = subject.words(plan, &folder, kind);
            done(plan, &folder, &words)?;
        }
        Ok(Calm {
            of_match: result_of_match(plan, &folder, "games.db")?,
            of_run: result_of_run(plan, &folder.join("run"))?,
        })
    }
}

impl Subject {
    /// Runs and matches by turns, each with a number.
    pub(crate) fn by_turns() -> Vec<(u64, Subject)> {
        let subject = |number: u64| {
            if number.is_multiple_of(2) {
                Subject::Run
            } else {
                Subject::Match
            }
        };
        (0..10_000).map(|number| (number, subject(number))).collect()
    }

    /// What it is called in a tally.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Subject::Match => "matches",
            Subject::Run => "tuning runs",
        }
    }

    /// The command that goes on, or begins where there is nothing to go on with.
    pub(crate) fn words<'k>(self, plan: &Plan, folder: &Path, kind: Kind<'k>) -> Vec<&'k str> {
        // A run goes on as soon as it has a configuration, a match as soon as the store holds it.
        let has_begun = match self {
            Subject::Match => has_match(plan, folder),
            Subject::Run => folder.join("run/config.toml").exists(),
        };
        let mut words = match self {
            Subject::Match if has_begun => vec!["match", "-resume", "games.db"],
            Subject::Match => [runs::MATCH, &["-rounds", kind.rounds, "--store", "games.db"]].concat(),
            Subject::Run if has_begun => vec!["tune", "resume", "run", "--quiet", "--no-verify"],
            // Who plays is said below.
            Subject::Run => {
                let small = runs::SMALL_RUN.iter().copied();
                small
                    .filter(|word| !["--threads", "2"].contains(word))
                    .chain(["--out", "run"])
                    .collect()
            }
        };
        match (self, kind.on) {
            (Subject::Match, Some(url)) => words.extend(["-on", url]),
            (Subject::Match, None) => words.extend(["-concurrency", "2"]),
            (Subject::Run, Some(url)) => words.extend(["--on", url]),
            (Subject::Run, None) => words.extend(["--threads", "2"]),
        }
        if let (Subject::Run, false) = (self, has_begun) {
            words.extend(["--set", kind.generations]);
        }
        words
    }

    /// An error unless the end is that of an undisturbed one, and its store is whole.
    pub(crate) fn compare(self, plan: &Plan, folder: &Path, calm: &Calm) -> Result<()> {
        let (is_same, store) = match self {
            Subject::Match => (
                result_of_match(plan, folder, "games.db")? == calm.of_match,
                "games.db",
            ),
            Subject::Run => (
                result_of_run(plan, &folder.join("run"))? == calm.of_run,
                "run/games.db",
            ),
        };
        anyhow::ensure!(is_same, "another result than without kills");
        done(plan, folder, &["store", "check", store])?;
        Ok(())
    }
}

/// Whether the store holds the match; one that was killed while it was made may hold none.
fn has_match(plan: &Plan, folder: &Path) -> bool {
    let listed = done(plan, folder, &["store", "list", "games.db", "--json"]);
    listed.is_ok_and(|listed| !listed.is_empty())
}
