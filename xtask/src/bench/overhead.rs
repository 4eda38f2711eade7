//! `cargo xtask bench overhead [--games N] [--rounds N] [--player SPEC] [--binary FILE]`: what it costs to have games played by a worker.
//!
//! The same match in one thread of `vidmar match`, and by `vidmar match -on` with one `vidmar worker --threads 1`, with spot checks as usual
//! and without, by turns; the best of each kind is compared, because what else goes on in a machine only ever adds processor time. What counts is
//! that of all processes but the server's, which is printed beside it: their start, the signature that each measures then, and the spot checks,
//! which the coordinator plays where there is one worker, are in it. A worker that has played more games than the match has
//! played some twice.
//!
//! What a start costs is the same for two games and for a million: each kind plays a match of two games as well, and what is left without it is
//! compared besides.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Parser;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;

use crate::cargo::{cargo, run as run_command, target_dir};
use crate::nats::{Process, Server};
use crate::stopwatch::processor_seconds;

#[derive(Parser)]
#[command(name = "overhead", no_binary_name = true)]
struct Arguments {
    /// Games of a match
    #[arg(long, default_value_t = 2000)]
    games: u64,
    /// Matches of each kind
    #[arg(long, default_value_t = 5)]
    rounds: u32,
    /// Who plays itself
    #[arg(long, default_value = "engine:nodes=2000,hash=1")]
    player: String,
    /// The program [default: that of a release build]
    #[arg(long)]
    binary: Option<PathBuf>,
}

/// Games of a match that is little but its start.
const START: u64 = 2;

/// A way to play a match.
struct Kind {
    name: &'static str,
    /// Whether a worker plays, and what is said besides.
    on: Option<&'static [&'static str]>,
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "a thread",
        on: None,
    },
    Kind {
        name: "a worker",
        on: Some(&[]),
    },
    Kind {
        name: "a worker, no spot checks",
        on: Some(&["-spot-checks", "0"]),
    },
];

pub(super) fn run(arguments: &[String]) -> Result<ExitCode> {
    let arguments = Arguments::try_parse_from(arguments)?;
    let binary = if let Some(binary) = &arguments.binary {
        std::path::absolute(binary)?
    } else {
        run_command(&mut cargo(&["build", "--release", "-p", "vidmar"]))?;
        target_dir("release").join("vidmar")
    };
    let mut best = [f64::INFINITY; KINDS.len()];
    let mut starts = [f64::INFINITY; KINDS.len()];
    println!(
        "{:<26} {:>7} {:>9} {:>9} {:>10} {:>10}",
        "games by", "played", "CPU s", "games/s", "match's s", "server's s"
    );
    for _ in 0..arguments.rounds {
        for (kind, (best, start)) in KINDS.iter().zip(best.iter_mut().zip(&mut starts)) {
            *start = start.min(play(&arguments, START, &binary, kind)?.all);
            let Spent {
                all,
                of_match,
                of_server,
                played,
            } = play(&arguments, arguments.games, &binary, kind)?;
            *best = best.min(all);
            println!(
                "{:<26} {played:>7} {all:>9.2} {:>9.2} {of_match:>10.2} {of_server:>10.2}",
                kind.name,
                arguments.games as f64 / all
            );
        }
    }
    let share = |of: &dyn Fn(usize) -> f64, kind: usize| 100.0 * of(0) / of(kind);
    let rest = |kind: usize| best[kind] - starts[kind];
    for (index, kind) in KINDS.iter().enumerate().skip(1) {
        println!(
            "{}: {:.2} % of the games that a thread plays in the same processor time, {:.2} % without the first {START} \
             and the start ({:.2} s, a thread {:.2} s); best of {}",
            kind.name,
            share(&|kind| best[kind], index),
            share(&rest, index),
            starts[index],
            starts[0],
            arguments.rounds
        );
    }
    Ok(ExitCode::SUCCESS)
}

/// Processor seconds of a match: of all processes but the server, of the command alone, of the server.
struct Spent {
    all: f64,
    of_match: f64,
    of_server: f64,
    /// Games that were played for it.
    played: u64,
}

fn play(arguments: &Arguments, games: u64, binary: &Path, kind: &Kind) -> Result<Spent> {
    let folder = target_dir("overhead");
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(&folder)?;
    let player = format!("player={}", arguments.player);
    let rounds = games.div_ceil(2).to_string();
    let mut words = vec![
        "match", "-engine", &player, "name=a", "-engine", &player, "name=b",
    ];
    words.extend(["-rounds", &rounds, "-seed", "1", "--store", "games.db"]);
    let Some(more) = kind.on else {
        words.extend(["-concurrency", "1"]);
        let before = processor_seconds();
        finish(&mut started(binary, &folder, &words)?)?;
        let all = processor_seconds() - before;
        return Ok(Spent {
            all,
            of_match: all,
            of_server: 0.0,
            played: games,
        });
    };
    let server = Server::start(&folder)?;
    let url = server.url();
    words.extend(["-on", &url]);
    words.extend(more);
    let before = processor_seconds();
    let mut worker = started(binary, &folder, &["worker", &url, "--threads", "1"])?;
    finish(&mut started(binary, &folder, &words)?)?;
    let of_match = processor_seconds() - before;
    // As Ctrl-C does.
    kill(Pid::from_raw(worker.0.id().cast_signed()), Signal::SIGINT)?;
    finish(&mut worker)?;
    let told = fs::read_to_string(folder.join("worker"))?;
    let last = told
        .lines()
        .rev()
        .find_map(|line| line.split_once(" games played"));
    let played = last.and_then(|(games, _)| games.parse().ok());
    Ok(Spent {
        all: processor_seconds() - before,
        of_match,
        of_server: of_process(server.process.0.id()),
        played: played.context("the worker does not say how many games it played")?,
    })
}

/// Starts the program; what it says goes into a file with the name of the command.
fn started(binary: &Path, folder: &Path, words: &[&str]) -> Result<Process> {
    let mut command = Command::new(binary);
    command
        .args(words)
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(fs::File::create(folder.join(words[0]))?);
    Process::start(&mut command)
}

fn finish(process: &mut Process) -> Result<()> {
    let status = process.0.wait()?;
    ensure!(status.success(), "it ended with {status}");
    Ok(())
}

/// Processor seconds of a process that still works, in hundredths of a second, as Linux tells; zero elsewhere.
fn of_process(process: u32) -> f64 {
    let told = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let fields = told.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks = fields
        .skip(11)
        .take(2)
        .filter_map(|field| field.parse::<f64>().ok());
    ticks.sum::<f64>() / 100.0
}
