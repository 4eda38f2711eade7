//! What the tests share: a run, its tasks, workers.

use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use vidmar_arena::{
    Executor, FaultPolicy, GameSetup, GameTask, MissingPlayers, Openings, PlayedGame, RandomWalks, Rules,
    Runner, TaskPlayer, ThreadExecutor, TimeControl,
};
use vidmar_chess::ByColor;
use vidmar_engine::Control;
use vidmar_fleet::testing::LocalServer;
use vidmar_fleet::worker::{Summary, WorkerSettings, serve};
use vidmar_fleet::{Coordinator, Notice, Observer, Settings};

/// The run of the tests.
pub(crate) const RUN: &str = "test";

/// A server, or a word that there is none.
pub(crate) fn server() -> Option<LocalServer> {
    LocalServer::start(&[])
}

/// What was told.
#[derive(Clone, Default)]
pub(crate) struct Notices(Arc<Mutex<Vec<Notice>>>);

impl Notices {
    pub(crate) fn observer(&self) -> Observer {
        let list = Arc::clone(&self.0);
        Arc::new(move |notice| list.lock().unwrap().push(notice.clone()))
    }

    pub(crate) fn text(&self) -> String {
        let notices = self.0.lock().unwrap();
        let lines: Vec<String> = notices.iter().map(ToString::to_string).collect();
        lines.join("\n")
    }
}

/// Impatient, without spot checks. Whatever is done twice because of that is harmless, so that a busy machine may be as slow as it
/// likes.
pub(crate) fn settings(server: &LocalServer, notices: &Notices) -> Settings {
    settings_at(&server.url(), notices)
}

/// The same at an address.
pub(crate) fn settings_at(url: &str, notices: &Notices) -> Settings {
    Settings {
        spot_checks: 0.0,
        patience: Duration::from_millis(500),
        lease: Duration::from_millis(500),
        grace: Duration::ZERO,
        batch: Duration::from_millis(100),
        ..Settings::new(url.parse().unwrap(), RUN.parse().unwrap(), notices.observer())
    }
}

pub(crate) fn coordinator(server: &LocalServer, notices: &Notices) -> Coordinator {
    Coordinator::open(settings(server, notices), &Control::new()).unwrap()
}

/// The same at an address.
pub(crate) fn coordinator_at(url: &str, notices: &Notices) -> Coordinator {
    Coordinator::open(settings_at(url, notices), &Control::new()).unwrap()
}

/// Short games of built-in players at fixed nodes and depths.
pub(crate) fn tasks(count: u64) -> Vec<GameTask> {
    let players = [
        "engine:nodes=120,hash=1",
        "engine:depth=2,hash=1",
        "random:seed=5",
    ];
    let openings = Openings::walk(RandomWalks { plies: 5, seed: 2 });
    let task = |number: u64| {
        let player = |index: u64| {
            let index = (index % 3) as usize;
            TaskPlayer::new(index, players[index].parse().unwrap())
        };
        GameTask {
            number,
            round: number / 10,
            players: ByColor::new(player(number), player(number / 2 + 1)),
            setup: GameSetup {
                opening: openings.get(number),
                limits: ByColor::from_fn(|_| TimeControl {
                    depth: Some(3),
                    ..TimeControl::default()
                }),
                rules: Rules {
                    max_moves: Some(60),
                    ..Rules::published()
                },
                seed: number + 1,
                keeps_pvs: false,
            },
        }
    };
    (0..count).map(task).collect()
}

/// Games that cost next to nothing, where there must be many.
pub(crate) fn light_tasks(count: u64) -> Vec<GameTask> {
    let mut tasks = tasks(count);
    for task in &mut tasks {
        let player = |index| TaskPlayer::new(index, "random:seed=5".parse().unwrap());
        task.players = ByColor::new(player(0), player(1));
        task.setup.rules.max_moves = Some(20);
    }
    tasks
}

/// Plays tasks; the games in order, without their times.
pub(crate) fn played(executor: &dyn Executor, tasks: Vec<GameTask>) -> Vec<PlayedGame> {
    played_and_seen(executor, tasks, &mut |_| {})
}

/// The same, seen one by one as they come in.
pub(crate) fn played_and_seen(
    executor: &dyn Executor,
    tasks: Vec<GameTask>,
    see: &mut dyn FnMut(&PlayedGame),
) -> Vec<PlayedGame> {
    let runner = Runner {
        executor,
        faults: FaultPolicy::Replay,
        missing: MissingPlayers::EndTheRun,
    };
    let games = runner.collect(tasks, &Control::new(), see).unwrap();
    let mut games = games.expect("nobody stopped it");
    games.iter_mut().for_each(without_times);
    games
}

pub(crate) fn without_times(game: &mut PlayedGame) {
    for ply in &mut game.record.moves {
        ply.info.time = Duration::ZERO;
    }
}

/// The same games in two threads of this process.
pub(crate) fn locally(tasks: Vec<GameTask>) -> Vec<PlayedGame> {
    played(&ThreadExecutor::new(2.try_into().unwrap()), tasks)
}

/// A worker in a thread of this process.
pub(crate) struct LocalWorker {
    control: Arc<Control>,
    thread: Option<JoinHandle<Summary>>,
}

impl LocalWorker {
    pub(crate) fn start(server: &LocalServer, name: &str, notices: &Notices) -> LocalWorker {
        LocalWorker::with(WorkerSettings {
            name: name.parse().unwrap(),
            ..WorkerSettings::new(server.url().parse().unwrap(), notices.observer())
        })
    }

    pub(crate) fn with(settings: WorkerSettings) -> LocalWorker {
        let control = Arc::new(Control::new());
        let stopped = Arc::clone(&control);
        LocalWorker {
            control,
            thread: Some(std::thread::spawn(move || serve(settings, &stopped).unwrap())),
        }
    }

    /// Ctrl-C.
    pub(crate) fn stop(mut self) -> Summary {
        self.control.stop();
        self.thread.take().unwrap().join().unwrap()
    }

    /// Waits until it ends by itself.
    pub(crate) fn ended(mut self) -> Summary {
        self.thread.take().unwrap().join().unwrap()
    }
}

impl Drop for LocalWorker {
    fn drop(&mut self) {
        self.control.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A worker in a process of its own, which can be killed.
pub(crate) struct WorkerProcess(Child);

impl WorkerProcess {
    pub(crate) fn start(server: &LocalServer, name: &str) -> WorkerProcess {
        let child = Command::new(env!("CARGO_BIN_EXE_fleet-worker"))
            .args([&server.url(), name, "1"])
            .stdin(Stdio::piped())
            .spawn();
        WorkerProcess(child.unwrap())
    }

    pub(crate) fn id(&self) -> u32 {
        self.0.id()
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Waits for something that must happen.
pub(crate) fn wait_for(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = std::time::Instant::now();
    while !holds() {
        assert!(begun.elapsed() < Duration::from_mins(1), "{what}");
        std::thread::sleep(Duration::from_millis(10));
    }
}
