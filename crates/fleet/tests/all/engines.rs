//! Engines by name and content: what a worker plays with, and what it never does.

use std::path::{Path, PathBuf};
use std::time::Duration;

use vidmar_arena::{FaultPolicy, GameTask, MissingPlayers, Runner, TaskPlayer, TimeControl};
use vidmar_chess::{ByColor, Color};
use vidmar_engine::Control;
use vidmar_fleet::engines::OfferedEngine;
use vidmar_fleet::protocol::{Answer, Batch, Entry, WirePlayer};
use vidmar_fleet::testing::LocalServer;
use vidmar_fleet::worker::WorkerSettings;

use crate::fleet::{LocalWorker, Notices, coordinator, locally, played, server, tasks, wait_for};
use crate::rogue::Rogue;

/// A UCI engine in a few lines of shell, which does this when it is to move: resigns by the null move, as a rule.
pub(crate) fn engine_that(folder: &Path, name: &str, moves: &str) -> PathBuf {
    use std::os::unix::fs::PermissionsExt as _;
    let path = folder.join(name);
    let script = format!(
        "#!/bin/sh\nresign() {{ echo 'info depth 1 score cp 0 nodes 1'; echo 'bestmove 0000'; }}\n\
        while read line; do case \"$line\" in\nuci) echo id name script; echo uciok;;\nisready) echo readyok;;\n\
        go*) {moves};;\nstop) resign;;\nquit) exit;;\nesac; done\n"
    );
    std::fs::write(&path, script).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn engine(folder: &Path, name: &str) -> PathBuf {
    engine_that(folder, name, "resign")
}

/// An engine that thinks without end until it is allowed to answer at once.
pub(crate) struct ThinkingEngine {
    pub(crate) program: PathBuf,
    asked: PathBuf,
    allowed: PathBuf,
}

impl ThinkingEngine {
    pub(crate) fn new(folder: &Path) -> ThinkingEngine {
        let (asked, allowed) = (folder.join("asked"), folder.join("allowed"));
        let thinks = format!(
            "if [ -e '{}' ]; then resign; else touch '{}'; fi",
            allowed.display(),
            asked.display()
        );
        ThinkingEngine {
            program: engine_that(folder, "script", &thinks),
            asked,
            allowed,
        }
    }

    /// Whether a game waits for it.
    pub(crate) fn is_asked(&self) -> bool {
        self.asked.exists()
    }

    pub(crate) fn answer_at_once(&self) {
        std::fs::write(&self.allowed, "").unwrap();
    }

    /// A worker that offers it.
    pub(crate) fn worker(&self, server: &LocalServer, name: &str, notices: &Notices) -> WorkerSettings {
        let offered = format!("script={}", self.program.display()).parse().unwrap();
        WorkerSettings {
            name: name.parse().unwrap(),
            ..worker_settings(server, notices, vec![offered])
        }
    }
}

/// Games of an external engine.
pub(crate) fn engine_tasks(program: &Path, count: u64) -> Vec<GameTask> {
    let spec = format!("uci:cmd={},name=script", program.display());
    let mut tasks = tasks(count);
    for task in &mut tasks {
        let side = if task.number % 2 == 0 {
            Color::White
        } else {
            Color::Black
        };
        task.players[side] = TaskPlayer::new(7, spec.parse().unwrap());
    }
    tasks
}

pub(crate) fn worker_settings(
    server: &LocalServer,
    notices: &Notices,
    engines: Vec<OfferedEngine>,
) -> WorkerSettings {
    WorkerSettings {
        name: "engines".parse().unwrap(),
        engines: engines.into(),
        ..WorkerSettings::new(server.url().parse().unwrap(), notices.observer())
    }
}

fn worker(server: &LocalServer, notices: &Notices, engines: Vec<OfferedEngine>) -> LocalWorker {
    LocalWorker::with(worker_settings(server, notices, engines))
}

#[test]
fn an_engine_is_known_by_its_content() {
    let Some(server) = server() else { return };
    let folder = tempfile::tempdir().unwrap();
    let at_coordinator = engine(folder.path(), "script");
    let elsewhere = folder.path().join("elsewhere");
    std::fs::create_dir(&elsewhere).unwrap();
    let at_worker = engine(&elsewhere, "other-name");
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let expected = locally(engine_tasks(&at_coordinator, 8));
    let without = worker(&server, &notices, Vec::new());
    std::thread::scope(|scope| {
        let games = scope.spawn(|| played(&coordinator, engine_tasks(&at_coordinator, 8)));
        wait_for("the refusal", || {
            notices
                .text()
                .contains("not playing for run test: the engine script (SHA-256 ")
        });
        wait_for("the run to hear of it", || {
            notices
                .text()
                .contains("worker engines is refused: the engine script")
        });
        assert!(!games.is_finished());
        drop(without);
        let offered = format!("script={}", at_worker.display()).parse().unwrap();
        let _with = worker(&server, &notices, vec![offered]);
        assert_eq!(games.join().unwrap(), expected);
    });
}

#[test]
fn another_program_of_that_name_is_not_started() {
    let Some(server) = server() else { return };
    let folder = tempfile::tempdir().unwrap();
    let ours = engine(folder.path(), "script");
    let theirs = folder.path().join("theirs");
    std::fs::write(&theirs, "#!/bin/sh\ntouch started\n").unwrap();
    let offered: OfferedEngine = format!("script={}", theirs.display()).parse().unwrap();
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let control = Control::new();
    std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let runner = Runner {
                executor: &coordinator,
                faults: FaultPolicy::Replay,
                missing: MissingPlayers::EndTheRun,
            };
            runner
                .collect(engine_tasks(&ours, 4), &control, &mut |_| {})
                .unwrap()
        });
        let _worker = worker(&server, &notices, vec![offered]);
        wait_for("the refusal", || {
            notices.text().contains("is wanted, and script (SHA-256")
        });
        control.stop();
        assert!(run.join().unwrap().is_none());
    });
}

/// A task with a command, from somebody who can write to the stream.
#[test]
fn no_command_of_a_task_is_run() {
    let Some(server) = server() else { return };
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("trace");
    let program = folder.path().join("evil");
    std::fs::write(&program, format!("#!/bin/sh\ntouch {}\n", trace.display())).unwrap();
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let control = Control::new();
    let rogue = std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let runner = Runner {
                executor: &coordinator,
                faults: FaultPolicy::Replay,
                missing: MissingPlayers::EndTheRun,
            };
            runner.collect(tasks(4), &control, &mut |_| {}).unwrap()
        });
        let rogue = Rogue::join(&server, "rogue");
        control.stop();
        run.join().unwrap();
        rogue
    });
    // Nobody reads answers but this test.
    coordinator.close(false);
    let task = tasks(1).remove(0);
    let program = program.display().to_string();
    for (player, key, value, reason) in [
        ("uci", "cmd", program.as_str(), "the task carries a command (cmd="),
        ("uci", "args", "-x", "the task carries a command (args="),
        ("uci", "initstr", "x", "the task carries a command (initstr="),
        ("uci", "option.Hash", "1", "is not offered here"),
        (
            "engine",
            "eval",
            program.as_str(),
            "is a file, and files stay on their machine",
        ),
        (
            "engine",
            "syzygy",
            "/tables",
            "is a file, and files stay on their machine",
        ),
    ] {
        let json = serde_json::json!({"spec": {"type": player, "settings": {key: value}}});
        let wire: WirePlayer = serde_json::from_value(json).unwrap();
        let mut batch = Batch::new(rogue.card.key);
        let id = vidmar_fleet::protocol::TaskId::of(&rogue.card.key, &task, 0);
        batch.add(id, &task, ByColor::new(&wire, &wire));
        let told = rogue.answer_to(&server, &batch, &notices);
        assert!(told.contains(reason), "{told}");
    }
    assert!(!trace.exists());
}

/// A worker of a quarter of the run's speed gives its players four times the time, and the game says so.
#[test]
fn clocks_are_scaled_by_speed() {
    let Some(server) = server() else { return };
    let folder = tempfile::tempdir().unwrap();
    let asked = folder.path().join("asked");
    let says = format!("echo \"$line\" >> '{}'; resign", asked.display());
    let program = engine_that(folder.path(), "script", &says);
    let mut tasks = engine_tasks(&program, 2);
    for task in &mut tasks {
        task.setup.limits = ByColor::from_fn(|_| TimeControl {
            base: Some(Duration::from_secs(100)),
            increment: Duration::from_millis(500),
            ..TimeControl::default()
        });
    }
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let games = std::thread::scope(|scope| {
        let games = scope.spawn(|| played(&coordinator, tasks));
        let mut rogue = Rogue::join(&server, "rogue");
        rogue.card.nps *= 4;
        rogue.put_card(&rogue.card);
        let offered = format!("script={}", program.display()).parse().unwrap();
        let _worker = LocalWorker::with(WorkerSettings {
            scales_clocks: true,
            ..worker_settings(&server, &notices, vec![offered])
        });
        games.join().unwrap()
    });
    let scales: Vec<Option<u32>> = games.iter().map(|game| game.record.clock_scale).collect();
    assert_eq!(scales, [Some(4000), Some(4000)]);
    let asked = std::fs::read_to_string(asked).unwrap();
    // Times are scaled once, at the beginning, and the null move is tried more than once.
    let is_scaled =
        |line: &str| line.starts_with("go wtime 400000 winc 2000 btime 40") && line.ends_with("binc 2000");
    assert!(!asked.is_empty() && asked.lines().all(is_scaled), "{asked}");
}

impl Rogue {
    /// What our worker answers to a batch.
    fn answer_to(&self, server: &LocalServer, batch: &Batch, notices: &Notices) -> String {
        let subject = self.subjects.tasks(&self.card.classes[0].name);
        self.block_on(async {
            self.jetstream
                .publish(subject, batch.encode())
                .await
                .unwrap()
                .await
                .unwrap()
        });
        let _worker = worker(server, notices, Vec::new());
        let bytes = self.next_answer();
        let answer = Answer::decode(&bytes).unwrap();
        match &answer.entries[..] {
            [Entry::Failed { reason, .. }] => reason.clone(),
            other => panic!("{other:?}"),
        }
    }
}
