//! Coordinators in processes of their own, killed in the middle with their workers and the server, and followed by others: the store
//! comes to hold the games that two threads play. Kills at random moments: `cargo xtask torture --only workers`.

use std::collections::HashSet;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use vidmar_arena::archive::stored_game;
use vidmar_arena::{Completion, FaultPolicy, MissingPlayers, PlayedGame, Runner, Sink};
use vidmar_engine::Control;
use vidmar_store::{Batch, Game, RunId, Store, StoreError};

use crate::fleet::{Notices, WorkerProcess, coordinator_at, light_tasks, locally, server};

/// The test below, which is killed, and what it is told.
const COORDINATOR: &str = "killing::coordinates";
const URL: &str = "VIDMAR_TEST_URL";
const STORE: &str = "VIDMAR_TEST_STORE";
const STOP: &str = "VIDMAR_TEST_STOP";
/// What it says when it waits to be killed.
const WAITS: &str = "waits";

/// Games of the run.
const GAMES: u64 = 400;

#[test]
fn a_run_whose_coordinator_workers_and_server_are_killed() {
    let Some(mut server) = server() else { return };
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().join("games.db");
    let start = |number: u64| WorkerProcess::start(&server, &format!("mortal{number}"));
    let mut workers: Vec<WorkerProcess> = (0..2).map(start).collect();
    for kill in 1..=4 {
        let mut coordinator = Process::start(&server.url(), &store, kill * GAMES / 5);
        assert!(coordinator.waits(), "coordinator {kill}");
        drop(workers.remove(0));
        // The server too, every second time, and while nobody coordinates.
        if kill % 2 == 0 {
            server.kill();
        }
        drop(coordinator);
        if kill % 2 == 0 {
            server.restart();
        }
        workers.push(WorkerProcess::start(&server, &format!("mortal{}", kill + 2)));
    }
    let ended = Process::start(&server.url(), &store, u64::MAX).ends();
    assert!(ended.success(), "{ended}");
    let expected: Vec<Game> = locally(light_tasks(GAMES))
        .iter()
        .map(|game| stored_game(&game.task, &game.record))
        .collect();
    let mut games = Store::open_read_only(&store).unwrap().games(1).unwrap();
    for thought in games.iter_mut().flat_map(|game| &mut game.thoughts) {
        thought.time = Duration::ZERO;
    }
    assert_eq!(games, expected);
}

/// A coordinator in a process of its own; it is killed with this value.
struct Process(Child);

impl Process {
    fn start(url: &str, store: &Path, stop: u64) -> Process {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", COORDINATOR, "--ignored", "--nocapture"])
            .env(URL, url)
            .env(STORE, store)
            .env(STOP, stop.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        Process(child.unwrap())
    }

    /// Whether it comes to wait for its end.
    fn waits(&mut self) -> bool {
        let mut output = BufReader::new(self.0.stdout.take().unwrap());
        let mut line = String::new();
        while output.read_line(&mut line).is_ok_and(|read| read > 0) {
            if line.contains(WAITS) {
                return true;
            }
            line.clear();
        }
        false
    }

    fn ends(mut self) -> ExitStatus {
        let _ = self
            .0
            .stdout
            .take()
            .map(|mut output| output.read_to_end(&mut Vec::new()));
        self.0.wait().unwrap()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Commits games, and waits for its end after so many.
struct Stopping {
    store: Store,
    run: RunId,
    committed: u64,
    stop: u64,
}

impl Stopping {
    #[allow(clippy::print_stdout, reason = "it is read")]
    fn look(&self) {
        if self.committed >= self.stop {
            println!("{WAITS}");
            let _ = std::io::stdin().read_to_end(&mut Vec::new());
            std::process::exit(1);
        }
    }
}

impl Sink for Stopping {
    type Error = StoreError;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), StoreError> {
        self.committed += games.len() as u64;
        let batch = Batch {
            games: games
                .iter()
                .map(|game| stored_game(&game.task, &game.record))
                .collect(),
            ..Batch::new(self.run)
        };
        self.store.commit(&batch)?;
        self.look();
        Ok(())
    }
}

#[test]
#[ignore = "started and killed by the test above"]
fn coordinates() {
    let told = |name: &str| std::env::var(name).ok();
    let (Some(url), Some(path), Some(stop)) = (told(URL), told(STORE), told(STOP)) else {
        return;
    };
    let mut store = Store::open(&PathBuf::from(path)).unwrap();
    let has_run = !store.runs().unwrap().is_empty();
    let run = if has_run {
        1
    } else {
        store.begin_run("test", "{}").unwrap()
    };
    let known: HashSet<u64> = store.finished(run).unwrap().into_iter().collect();
    let mut sink = Stopping {
        committed: known.len() as u64,
        stop: stop.parse().unwrap(),
        store,
        run,
    };
    sink.look();
    let coordinator = coordinator_at(&url, &Notices::default());
    let runner = Runner {
        executor: &coordinator,
        faults: FaultPolicy::Replay,
        missing: MissingPlayers::EndTheRun,
    };
    let missing = light_tasks(GAMES)
        .into_iter()
        .filter(|task| !known.contains(&task.number));
    let completion = runner.run(missing, &mut sink, &Control::new()).unwrap();
    assert_eq!(completion, Completion::Complete);
    coordinator.close(true);
}
