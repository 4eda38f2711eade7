//! `cargo xtask test`: the one test command, as named steps.
//!
//! A failed step does not hide the ones after it. Whatever an outside program is needed for and not to
//! be had is skipped and named in the summary; under `VIDMAR_REQUIRE_ALL` it is a failure.

use std::fmt;
use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Child, ExitCode};
use std::thread;
use std::time::Duration;

use anyhow::{Result, bail, ensure};
use clap::Args;

use crate::cargo::{cargo, command, succeeds, target_dir};
use crate::programs::run_shown;
use crate::stopwatch::{Spent, Stopwatch};
use crate::{commits, deny, figures, fuzz, programs, targets, web};

/// Check everything: format, dependencies, lints, other systems, tests, commit messages, the page in a browser, torture, examples, documentation, a short fuzz run
#[derive(Args)]
pub(crate) struct Test {
    /// Only the steps that find most mistakes: format, lints and tests
    #[arg(long)]
    quick: bool,
    /// Only this step; may be repeated
    #[arg(long, value_name = "STEP", value_parser = STEPS.map(|step| step.name))]
    only: Vec<String>,
}

/// A step, its place among the quick ones, and what it does.
#[derive(Clone, Copy)]
struct Step {
    name: &'static str,
    quick: bool,
    run: fn() -> Result<()>,
}

/// The steps in their order; a new one is a row here.
const STEPS: [Step; 12] = [
    Step {
        name: "format",
        quick: true,
        run: format,
    },
    // Before anything is compiled: the binary holds the page.
    Step {
        name: "web",
        quick: false,
        run: web_page,
    },
    Step {
        name: "lints",
        quick: true,
        run: lints,
    },
    Step {
        name: "targets",
        quick: false,
        run: targets::check,
    },
    Step {
        name: "tests",
        quick: true,
        run: tests,
    },
    // After the tests, whose binary tells the bench signature.
    Step {
        name: "commits",
        quick: true,
        run: commits::check,
    },
    Step {
        name: "figures",
        quick: true,
        run: figures::check,
    },
    Step {
        name: "page",
        quick: false,
        run: page,
    },
    Step {
        name: "torture",
        quick: false,
        run: torture,
    },
    Step {
        name: "examples",
        quick: false,
        run: examples,
    },
    Step {
        name: "docs",
        quick: false,
        run: docs,
    },
    Step {
        name: "fuzz",
        quick: false,
        run: short_fuzz,
    },
];

/// The names of the steps.
#[cfg(test)]
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    STEPS.into_iter().map(|step| step.name)
}

fn format() -> Result<()> {
    run_shown(cargo(&["fmt", "--all", "--check"]))
}

fn lints() -> Result<()> {
    run_shown(cargo(&[
        "clippy",
        "--workspace",
        "--all-targets",
        "--locked",
        "--",
        "-D",
        "warnings",
    ]))?;
    deny::check_if_here()
}

fn tests() -> Result<()> {
    const ALL: [&str; 5] = ["--workspace", "--lib", "--bins", "--tests", "--no-fail-fast"];
    let mut command = if succeeds(&mut cargo(&["nextest", "--version"])) {
        // A third of the time of all tests is waiting: for engines that are silent, servers that are gone, limits that pass.
        let processors = thread::available_parallelism().map_or(1, usize::from);
        let mut nextest = cargo(&["nextest", "run", "--test-threads"]);
        nextest.arg((processors + 1).to_string());
        nextest
    } else {
        cargo(&["test"])
    };
    command.args(ALL);
    run_shown(command)
}

/// Types and style of the page, and its build.
fn web_page() -> Result<()> {
    web::install()?;
    // Node uses one processor at a time.
    thread::scope(|scope| {
        let checking = scope.spawn(web::check);
        let built = web::build();
        checking.join().expect("checking the page does not panic")?;
        built
    })
}

/// The page of the tested binary in a real browser.
fn page() -> Result<()> {
    web::install()?;
    web::build()?;
    let mut browse = web::npm(&["run", "--silent", "test"]);
    browse.env("VIDMAR_BINARY", tested_binary()?);
    run_shown(browse)
}

/// The binary of the tests as they left it. It is built in the same words as the tests are: without their dependencies cargo
/// would choose other features and compile everything again.
pub(crate) fn tested_binary() -> Result<PathBuf> {
    run_shown(cargo(&[
        "test",
        "--no-run",
        "--workspace",
        "--lib",
        "--bins",
        "--tests",
    ]))?;
    Ok(target_dir("debug").join("vidmar"))
}

/// What must never break, a few hundred times.
#[cfg(unix)]
fn torture() -> Result<()> {
    crate::torture::short()
}

#[cfg(not(unix))]
fn torture() -> Result<()> {
    bail!(Skip("it needs signals and limits of Unix".to_owned()))
}

fn examples() -> Result<()> {
    run_shown(cargo(&["test", "--workspace", "--doc"]))
}

fn docs() -> Result<()> {
    let mut command = cargo(&["doc", "--workspace", "--no-deps"]);
    command.env("RUSTDOCFLAGS", "-D warnings");
    run_shown(command)
}

/// Long enough to run the seeds and some ten thousand mutations of them.
fn short_fuzz() -> Result<()> {
    let faults = fuzz::run_light(Duration::from_secs(4))?;
    ensure!(faults.is_empty(), "a fault in {}", faults.join(", "));
    Ok(())
}

/// Why a step could not be done, as an error that is no fault.
#[derive(Debug)]
pub(crate) struct Skip(pub(crate) String);

impl fmt::Display for Skip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Skip {}

/// What became of a step.
enum Outcome {
    Passed,
    Failed(String),
    Skipped(String),
}

/// A line of the summary.
struct Line {
    name: &'static str,
    outcome: Outcome,
    spent: Spent,
}

impl Test {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let chosen: Vec<Step> = STEPS.into_iter().filter(|step| self.wants(step)).collect();
        if chosen.is_empty() {
            bail!("none of the steps {:?} is among the quick ones", self.only);
        }
        let mut lines = install_programs(&chosen);
        let last = chosen.last().map(|step| step.name);
        let mut beside = None;
        for step in chosen {
            let is_beside = step.name == BESIDE && last != Some(BESIDE);
            if is_beside && programs::blocking(step.name).is_none() {
                beside = Some(Beside::start(step.name)?);
            } else {
                lines.push(run_step(&step));
            }
        }
        lines.extend(beside.map(Beside::finish));
        Ok(summary(&lines))
    }

    fn wants(&self, step: &Step) -> bool {
        (step.quick || !self.quick)
            && (self.only.is_empty() || self.only.iter().any(|name| name == step.name))
    }
}

/// A line for each outside program that was wanted and cannot be had.
fn install_programs(steps: &[Step]) -> Vec<Line> {
    let names: Vec<&str> = steps.iter().map(|step| step.name).collect();
    let missing = |program: &programs::Program| {
        let watch = Stopwatch::start();
        let reason = program.ensure().err()?;
        let outcome = if programs::all_required() {
            Outcome::Failed(reason)
        } else {
            Outcome::Skipped(reason)
        };
        Some(Line {
            name: "programs",
            outcome,
            spent: watch.spent(),
        })
    };
    programs::used_by(&names)
        .into_iter()
        .filter_map(missing)
        .collect()
}

/// A browser waits more than it works: this step runs beside those after it.
const BESIDE: &str = "page";

/// A step in a process of its own, whose words are shown when it is over.
struct Beside {
    name: &'static str,
    process: Child,
    log: PathBuf,
}

impl Beside {
    fn start(name: &'static str) -> Result<Beside> {
        println!("\n=== {name}, beside what follows");
        let log = target_dir("xtask").join(format!("{name}.log"));
        fs::create_dir_all(target_dir("xtask"))?;
        let words = File::create(&log)?;
        let process = command(std::env::current_exe()?)
            .args(["test", "--only", name])
            .stdout(words.try_clone()?)
            .stderr(words)
            .spawn()?;
        Ok(Beside { name, process, log })
    }

    /// Its time is what it took after everything else was done.
    fn finish(mut self) -> Line {
        let watch = Stopwatch::start();
        let ended = self.process.wait();
        println!("\n=== {}", self.name);
        print!("{}", fs::read_to_string(&self.log).unwrap_or_default());
        let outcome = match ended {
            Ok(status) if status.success() => Outcome::Passed,
            Ok(status) => Outcome::Failed(format!("it ended with {status}: see above")),
            Err(error) => Outcome::Failed(error.to_string()),
        };
        Line {
            name: self.name,
            outcome,
            spent: watch.spent(),
        }
    }
}

fn run_step(step: &Step) -> Line {
    println!("\n=== {}", step.name);
    let watch = Stopwatch::start();
    let outcome = match programs::blocking(step.name) {
        Some(program) => Outcome::Skipped(format!("without {}", program.name)),
        None => match (step.run)() {
            Ok(()) => Outcome::Passed,
            Err(error) if error.is::<Skip>() => Outcome::Skipped(error.to_string()),
            Err(error) => Outcome::Failed(format!("{error:#}")),
        },
    };
    Line {
        name: step.name,
        outcome,
        spent: watch.spent(),
    }
}

/// Prints how every step went; the exit code is 1 when one failed.
fn summary(lines: &[Line]) -> ExitCode {
    println!("\n=== summary");
    for Line { name, outcome, spent } in lines {
        let (word, reason) = match outcome {
            Outcome::Passed => ("passed", String::new()),
            Outcome::Failed(reason) => ("FAILED", format!("  {reason}")),
            Outcome::Skipped(reason) => ("skipped", format!("  {reason}")),
        };
        println!("{name:<10} {word:<8} {spent}{reason}");
    }
    let tests_ran = lines.iter().any(|line| line.name == "tests");
    if tests_ran && std::env::var_os("VIDMAR_DATA").is_none() {
        println!("The tests that read a data folder were skipped: VIDMAR_DATA is not set.");
    }
    let count = |wanted: fn(&Outcome) -> bool| lines.iter().filter(|line| wanted(&line.outcome)).count();
    let failed = count(|outcome| matches!(outcome, Outcome::Failed(_)));
    let skipped = count(|outcome| matches!(outcome, Outcome::Skipped(_)));
    let passed = lines.len() - failed - skipped;
    let total: Spent = lines.iter().map(|line| line.spent).sum();
    println!("{:<19} {total}", "altogether");
    println!("{passed} passed, {failed} failed, {skipped} skipped");
    ExitCode::from(u8::from(failed > 0))
}
