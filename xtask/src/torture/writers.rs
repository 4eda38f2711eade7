//! Two processes that want the same run directory or store at the same moment: one has it, the other is told who does, and what is kept is all
//! of one of them.

use std::path::Path;
use std::process::{Child, Output, Stdio};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail, ensure};

use super::fixtures::done;
use super::plan::{Plan, copy};
use super::runs::{MATCH, SMALL_RUN, result_of_match, result_of_run};
use super::tally::Tally;

/// What two processes are at.
#[derive(Clone, Copy, Debug)]
enum Dispute {
    /// Two new runs in one directory.
    Run,
    /// Two that resume one run.
    Resume,
    /// Two new matches in one store.
    Match,
}

/// What each seed comes to alone.
struct Calm {
    runs: [Vec<String>; 2],
    resumed: Vec<String>,
    matches: [String; 2],
}

const SEEDS: [&str; 2] = ["11", "12"];
const RESUME: &[&str] = &[
    "tune",
    "resume",
    "run",
    "--quiet",
    "--no-verify",
    "--threads",
    "2",
    "--generations",
    "6",
];

fn new_run(seed: &'static str) -> Vec<&'static str> {
    [SMALL_RUN, &["--out", "made", "--seed", seed]].concat()
}

fn new_match(seed: &'static str) -> Vec<&'static str> {
    [MATCH, &["--store", "new.db", "-seed", seed]].concat()
}

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let calm = calm(plan)?;
    let disputes: Vec<(u64, Dispute)> = (0..100_000)
        .map(|number| {
            let dispute = [Dispute::Run, Dispute::Resume, Dispute::Match][number as usize % 3];
            (number, dispute)
        })
        .collect();
    plan.each(&disputes, |worker, &(number, dispute)| {
        let mut tally = Tally::default();
        if !plan.next() {
            return Ok(tally);
        }
        let folder = plan.fresh(worker)?;
        let delay = Duration::from_micros(plan.rng(number + 1).below(40_000));
        tally.trials += 1;
        match dispute.carried_out(plan, &folder, delay, &calm) {
            Ok(note) => tally.note(note),
            Err(error) => tally.find(
                format!("{dispute:?}: {error:#}"),
                format!("the second {delay:?} after the first: {:?}", dispute.words()),
            ),
        }
        Ok(tally)
    })
}

fn calm(plan: &Plan) -> Result<Calm> {
    let folder = plan.fresh("calm")?;
    let mut runs = [Vec::new(), Vec::new()];
    let mut matches = [String::new(), String::new()];
    for (index, seed) in SEEDS.into_iter().enumerate() {
        let own = folder.join(seed);
        copy(&plan.fixtures(), &own)?;
        done(plan, &own, &new_run(seed))?;
        runs[index] = result_of_run(plan, &own.join("made"))?;
        done(plan, &own, &new_match(seed))?;
        matches[index] = result_of_match(plan, &own, "new.db")?;
    }
    done(plan, &folder, RESUME)?;
    let resumed = result_of_run(plan, &folder.join("run"))?;
    Ok(Calm {
        runs,
        resumed,
        matches,
    })
}

impl Dispute {
    fn words(self) -> [Vec<&'static str>; 2] {
        match self {
            Dispute::Run => SEEDS.map(new_run),
            Dispute::Resume => [RESUME.to_vec(), RESUME.to_vec()],
            Dispute::Match => SEEDS.map(new_match),
        }
    }

    /// Starts both, waits for both, and looks at what is left.
    fn carried_out(self, plan: &Plan, folder: &Path, delay: Duration, calm: &Calm) -> Result<&'static str> {
        let [first, second] = self.words();
        let first = start(plan, folder, &first)?;
        thread::sleep(delay);
        let second = start(plan, folder, &second)?;
        let ended = [first.wait_with_output()?, second.wait_with_output()?];
        let won = ended.each_ref().map(|output| output.status.success());
        for output in ended.iter().filter(|output| !output.status.success()) {
            told_why(output)?;
        }
        ensure!(won != [false, false], "both were refused");
        let winner = usize::from(!won[0]);
        match self {
            Dispute::Run => {
                ensure!(won != [true, true], "both began a run in one directory");
                let resumed = ["tune", "resume", "made", "--quiet", "--no-verify"];
                done(plan, folder, &resumed)?;
                let found = result_of_run(plan, &folder.join("made"))?;
                ensure!(found == calm.runs[winner], "what is kept is not the winner's run");
            }
            Dispute::Resume => {
                let found = result_of_run(plan, &folder.join("run"))?;
                ensure!(found == calm.resumed, "the resumed run has another end");
            }
            Dispute::Match => {
                done(plan, folder, &["store", "check", "new.db"])?;
                let found = result_of_match(plan, folder, "new.db")?;
                let is_one = if won == [true, true] {
                    calm.matches.contains(&found)
                } else {
                    calm.matches[winner] == found
                };
                ensure!(is_one, "what is kept is not the winner's match");
            }
        }
        Ok(if won == [true, true] {
            "one after the other"
        } else {
            "one refused"
        })
    }
}

fn start(plan: &Plan, folder: &Path, words: &[&str]) -> Result<Child> {
    let mut command = plan.vidmar(folder, words);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    Ok(command.spawn()?)
}

/// The loser is told who has it, or that somebody had it.
fn told_why(output: &Output) -> Result<()> {
    let said = String::from_utf8_lossy(&output.stderr);
    let is_told = ["in use by process", "already", "holds a run"]
        .iter()
        .any(|words| said.contains(words));
    if output.status.code() != Some(2) || !is_told {
        bail!("the loser ended with {}: {said}", output.status);
    }
    Ok(())
}
