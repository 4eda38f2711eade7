//! What one coordinator holds: simulated workers answer its tasks with games that were played before.
//!
//! `cargo run --release -p vidmar-fleet --example capacity -- --workers 1000 --results 1000000`
//!
//! The server, the coordinator, the runner and the store are the real ones; every record is replayed, spot checks are made, every
//! result is committed to a file. Workers are connections of a second process that take batches and answer with the record
//! of the same game, which they have played at the start: what is measured is everything but the play. Processor time is that
//! of each process by itself, and in the coordinator of each thread.
#![allow(clippy::print_stdout, reason = "a measurement")]

mod games;
mod parts;
mod simulated;
mod usage;

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use anyhow::{Context as _, ensure};
use clap::Parser;
use vidmar_arena::archive::{stored_faults, stored_game};
use vidmar_arena::{Completion, FaultPolicy, MissingPlayers, PlayedGame, Runner, Sink};
use vidmar_engine::Control;
use vidmar_fleet::testing::LocalServer;
use vidmar_fleet::{Coordinator, Notice, Settings};
use vidmar_store::{Batch, RunId, Store, StoreError};

use usage::Usage;

/// Measure what one coordinator holds
#[derive(Parser)]
struct Arguments {
    /// Results to be committed
    #[arg(long, default_value_t = 20_000)]
    results: u64,
    /// Connected workers
    #[arg(long, default_value_t = 100)]
    workers: usize,
    /// What a game takes, as the workers say: batches and answers are sized by it
    #[arg(long, default_value_t = 0.2, value_name = "SECONDS")]
    game: f32,
    /// Games in an answer [default: what a worker collects whose games take so long]
    #[arg(long, value_name = "N")]
    together: Option<usize>,
    /// The share of games that are compared, in percent
    #[arg(long, default_value_t = 2.0, value_name = "PERCENT")]
    spot_checks: f64,
    /// Rows of the table
    #[arg(long, default_value_t = 10)]
    rows: u64,
    /// Where the store is made, on the disk that is to be measured [default: a temporary folder]
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
    /// Be the workers: the address of the server
    #[arg(long, hide = true)]
    simulate: Option<String>,
}

/// The run.
const RUN: &str = "capacity";

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let together = arguments
        .together
        .unwrap_or_else(|| ((vidmar_fleet::worker::LINGER.as_secs_f32() / arguments.game) as usize).max(1));
    if let Some(url) = &arguments.simulate {
        return simulated::run(url, arguments.workers, arguments.game, together);
    }
    let games = games::play();
    println!(
        "{} games of {:.0} plies on average, played before",
        games.len(),
        games::plies(&games)
    );
    parts::measure(&games)?;
    let server = LocalServer::start(&[]).context("nats-server (Debian package nats-server)")?;
    let workers = Simulated::start(&server, &arguments, together)?;
    let coordinator = Coordinator::open(
        Settings {
            spot_checks: arguments.spot_checks / 100.0,
            ..Settings::new(
                server.url().parse()?,
                RUN.parse()?,
                Arc::new(|notice| {
                    if matches!(notice, Notice::ShutOut { .. } | Notice::Trouble(_)) {
                        println!("{notice}");
                    }
                }),
            )
        },
        &Control::new(),
    )?;
    let folder = match &arguments.folder {
        Some(folder) => tempfile::tempdir_in(folder)?,
        None => tempfile::tempdir()?,
    };
    let mut store = Store::open(&folder.path().join("games.db"))?;
    let run = store.begin_run("capacity", "{}")?;
    println!(
        "{} workers, {} results, {} games in an answer, {} % compared",
        arguments.workers, arguments.results, together, arguments.spot_checks
    );
    println!("{}", Table::HEADER);
    let mut table = Table {
        store,
        run,
        coordinator: &coordinator,
        processes: [std::process::id(), server.process(), workers.0.id()],
        committed: 0,
        every: (arguments.results / arguments.rows.max(1)).max(1),
        begun: None,
        last: None,
    };
    let runner = Runner {
        executor: &coordinator,
        faults: FaultPolicy::Replay,
        missing: MissingPlayers::EndTheRun,
    };
    let tasks = (0..arguments.results).map(games::task);
    let completion = runner.run(tasks, &mut table, &Control::new())?;
    ensure!(completion == Completion::Complete, "{completion:?}");
    let (store, committed) = table.finish();
    let kept: u64 = store.with_connection(|connection| {
        connection.query_row("SELECT count(*) FROM game", [], |row| row.get(0))
    })?;
    ensure!(
        kept == arguments.results && committed == arguments.results,
        "{kept} of {} games are in the store",
        arguments.results
    );
    let size = std::fs::metadata(store.path())?.len();
    println!("the store has {kept} games, {} bytes each", size / kept.max(1));
    drop(workers);
    coordinator.close(true);
    Ok(())
}

/// The process of the simulated workers, which ends with its input.
struct Simulated(Child);

impl Simulated {
    fn start(server: &LocalServer, arguments: &Arguments, together: usize) -> anyhow::Result<Simulated> {
        // Each of them is a file to the system.
        let child = Command::new("sh")
            .args(["-c", "ulimit -n $(ulimit -H -n); exec \"$0\" \"$@\""])
            .arg(std::env::current_exe()?)
            .args(["--simulate", &server.url()])
            .args(["--workers", &arguments.workers.to_string()])
            .args(["--game", &arguments.game.to_string()])
            .args(["--together", &together.to_string()])
            .stdin(Stdio::piped())
            .spawn()?;
        Ok(Simulated(child))
    }
}

impl Drop for Simulated {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Commits what comes, and prints a row now and then.
struct Table<'c> {
    store: Store,
    run: RunId,
    coordinator: &'c Coordinator,
    /// The coordinator, the server, the workers.
    processes: [u32; 3],
    committed: u64,
    every: u64,
    /// When the first result came, and what had been used then.
    begun: Option<(Instant, [Usage; 3], [f64; 2])>,
    /// The last row's.
    last: Option<(Instant, u64)>,
}

impl Sink for Table<'_> {
    type Error = StoreError;

    fn commit(&mut self, played: Vec<PlayedGame>) -> Result<(), StoreError> {
        if self.begun.is_none() {
            self.begun = Some((Instant::now(), self.processes.map(Usage::of), usage::threads()));
        }
        let games = || played.iter().map(|game| (&game.task, &game.record));
        self.store.commit(&Batch {
            games: games().map(|(task, record)| stored_game(task, record)).collect(),
            faults: games()
                .flat_map(|(task, record)| stored_faults(task, record))
                .collect(),
            ..Batch::new(self.run)
        })?;
        let before = self.committed;
        self.committed += played.len() as u64;
        if before / self.every < self.committed / self.every {
            self.row();
        }
        Ok(())
    }
}

impl Table<'_> {
    const HEADER: &'static str = "   results  seconds  lately/s  overall/s |  coordinator  server  workers, MiB |  workers connected, open, dropped, compared";

    fn row(&mut self) {
        let Some((begun, ..)) = self.begun else { return };
        let now = Instant::now();
        let (since, count) = self.last.unwrap_or((begun, 0));
        let rate = |count: u64, time: Duration| count as f64 / time.as_secs_f64().max(1e-3);
        let memory = self.processes.map(|process| Usage::of(process).memory >> 20);
        let roster = self.coordinator.roster();
        println!(
            "{:>10} {:>8.1} {:>9.0} {:>10.0} | {:>12} {:>7} {:>13} | {}, {}, {}, {}",
            self.committed,
            (now - begun).as_secs_f64(),
            rate(self.committed - count, now - since),
            rate(self.committed, now - begun),
            memory[0],
            memory[1],
            memory[2],
            roster.workers.len(),
            roster.open,
            roster.dropped,
            roster.compared
        );
        self.last = Some((now, self.committed));
    }

    /// What was used altogether.
    fn finish(self) -> (Store, u64) {
        if let Some((begun, before, threads)) = self.begun {
            let seconds = begun.elapsed().as_secs_f64();
            println!(
                "{} results in {seconds:.1} s: {:.0} a second",
                self.committed,
                self.committed as f64 / seconds
            );
            let line = |name: &str, seconds: f64| {
                println!(
                    "{name}: {seconds:.1} s of processor time, {:.0} µs a result",
                    seconds * 1e6 / self.committed as f64
                );
            };
            let used: Vec<f64> = self
                .processes
                .iter()
                .zip(&before)
                .map(|(process, before)| Usage::of(*process).processor - before.processor)
                .collect();
            let [committing, network] = usage::threads();
            let (committing, network) = (committing - threads[0], network - threads[1]);
            line("the coordinator", used[0]);
            line("  its store", committing);
            line("  its network", network);
            line("  tasks, answers, replays", used[0] - committing - network);
            line("nats-server", used[1]);
            line("the simulated workers", used[2]);
        }
        (self.store, self.committed)
    }
}
