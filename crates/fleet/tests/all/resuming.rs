//! Coordinators that are killed, and what the next one finds.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tokio_stream::StreamExt as _;
use vidmar_arena::{Completion, FaultPolicy, MissingPlayers, PlayedGame, Runner, Sink};
use vidmar_engine::Control;
use vidmar_fleet::protocol::RunName;
use vidmar_fleet::{Coordinator, Settings};

use crate::fleet::{
    LocalWorker, Notices, RUN, coordinator, light_tasks, locally, played, server, settings, tasks, wait_for,
};
use crate::rogue::Rogue;

/// Keeps games.
struct Kept<'a>(&'a mut Vec<PlayedGame>);

impl Sink for Kept<'_> {
    type Error = String;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), String> {
        self.0.extend(games);
        Ok(())
    }
}

/// Games of a run that is stopped twice.
const GAMES: u64 = 160;
/// Tasks that a coordinator takes before it has any answer.
const AT_FIRST: usize = 64;

/// A run that is stopped again and again, each time with a new coordinator: what is missing is played.
#[test]
fn a_run_that_is_stopped_and_resumed_is_the_same_run() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let _worker = LocalWorker::start(&server, "steady", &notices);
    let mut games: Vec<PlayedGame> = Vec::new();
    // Stopped when some tasks more are taken than wait for their answers: something is played then, and something is not.
    for stop_at in [Some(AT_FIRST + 5), Some(AT_FIRST + 1), None] {
        let coordinator = coordinator(&server, &notices);
        let runner = Runner {
            executor: &coordinator,
            faults: FaultPolicy::Replay,
            missing: MissingPlayers::EndTheRun,
        };
        let known: Vec<u64> = games.iter().map(|game| game.task.number).collect();
        let missing = light_tasks(GAMES)
            .into_iter()
            .filter(|task| !known.contains(&task.number));
        let missing: Vec<_> = missing.collect();
        let control = Control::new();
        let stopping = missing.into_iter().enumerate().map(|(index, task)| {
            if stop_at == Some(index) {
                control.stop();
            }
            task
        });
        let completion = runner.run(stopping, &mut Kept(&mut games), &control).unwrap();
        let is_last = stop_at.is_none();
        assert_eq!(completion == Completion::Complete, is_last);
        assert!(games.len() > known.len(), "every one of them plays something");
        coordinator.close(is_last);
    }
    games.sort_by_key(|game| game.task.number);
    games.iter_mut().for_each(crate::fleet::without_times);
    assert_eq!(games, locally(light_tasks(GAMES)));
}

/// Answers that came while nobody listened are found by the next coordinator, and are not played again.
#[test]
fn answers_that_came_meanwhile_are_found() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    // So patient that no batch comes twice.
    let first = Coordinator::open(
        Settings {
            patience: Duration::from_mins(10),
            ..settings(&server, &notices)
        },
        &Control::new(),
    )
    .unwrap();
    let control = Control::new();
    let (rogue, taken) = std::thread::scope(|scope| {
        let run = scope.spawn(|| {
            let runner = Runner {
                executor: &first,
                faults: FaultPolicy::Replay,
                missing: MissingPlayers::EndTheRun,
            };
            runner.collect(tasks(20), &control, &mut |_| {}).unwrap()
        });
        let rogue = Rogue::join(&server, "rogue");
        let (mut taken, mut count) = (Vec::new(), 0);
        while count < 20 {
            let batch = rogue.take();
            count += batch.tasks.len();
            taken.push(batch);
        }
        control.stop();
        assert!(run.join().unwrap().is_none());
        (rogue, taken)
    });
    first.close(false);
    assert_eq!(taken.iter().map(|batch| batch.tasks.len()).sum::<usize>(), 20);
    for batch in &taken {
        rogue.send_entries(Rogue::play_all(batch));
    }
    // Nobody is there to play anything.
    let second = coordinator(&server, &notices);
    assert_eq!(played(&second, tasks(20)), locally(tasks(20)));
}

/// What a finished run leaves on the server: nothing.
#[test]
fn a_finished_run_leaves_nothing() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let worker = LocalWorker::start(&server, "w", &notices);
    let coordinator = coordinator(&server, &notices);
    played(&coordinator, tasks(5));
    coordinator.close(true);
    wait_for("the worker to see it", || {
        notices.text().contains("run test is over")
    });
    drop(worker);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let left: Vec<_> = runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let jetstream = async_nats::jetstream::new(client);
        jetstream.stream_names().collect().await
    });
    assert!(left.is_empty(), "{left:?}");
    let error = vidmar_fleet::coordinator::forget(
        &server.url().parse().unwrap(),
        &vidmar_fleet::Credentials::default(),
        &RUN.parse::<RunName>().unwrap(),
    )
    .unwrap_err();
    assert_eq!(error.to_string(), "no run test is on this server");
}

/// Keeps a child from outliving its test.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The lease of a process that was killed is taken at once; that of a machine that is silent after a while.
#[test]
fn a_dead_coordinator_is_followed() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    drop(coordinator(&server, &notices));
    let mut dead = Process(Command::new("true").stdin(Stdio::null()).spawn().unwrap());
    dead.0.wait().unwrap();
    let host = std::env::var("HOSTNAME").ok().filter(|name| !name.is_empty());
    let host = host.unwrap_or_else(|| std::fs::read_to_string("/etc/hostname").unwrap_or_default());
    let host = if host.trim().is_empty() {
        "here"
    } else {
        host.trim()
    };
    for (host, process) in [(host, dead.0.id()), ("another-machine", 1)] {
        let holder = serde_json::json!({
            "host": host, "process": process, "session": "00112233445566778899aabbccddeeff", "is_over": false, "beats": 7,
        });
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let client = async_nats::connect(server.url()).await.unwrap();
            let bucket = async_nats::jetstream::new(client)
                .get_key_value("vidmar-test")
                .await
                .unwrap();
            bucket.put("lease", holder.to_string().into()).await.unwrap();
        });
        let begun = std::time::Instant::now();
        drop(coordinator(&server, &notices));
        if host == "another-machine" {
            assert!(begun.elapsed() >= Duration::from_millis(500));
        }
    }
}
