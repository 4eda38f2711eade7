//! What can go wrong between a coordinator, a server and workers: each time the games are those that they should be.

use std::convert::Infallible;
use std::path::Path;
use std::time::Duration;

use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy};
use vidmar_arena::{
    FaultPolicy, GameRecord, GameTask, MissingPlayers, PlayedGame, Runner, RunnerError, Sink,
};
use vidmar_chess::{Outcome, Termination};
use vidmar_engine::Control;
use vidmar_fleet::protocol::{Answer, Entry, LARGEST_MESSAGE, Order, RunKey, Subjects, TaskId};
use vidmar_fleet::roster::order;
use vidmar_fleet::testing::LocalServer;
use vidmar_fleet::{Coordinator, Credentials, FleetError, Settings};

use crate::fleet::{
    LocalWorker, Notices, RUN, WorkerProcess, coordinator, light_tasks, locally, played, played_and_seen,
    server, settings, settings_at, tasks, wait_for,
};
use crate::rogue::Rogue;

/// A server, a run, and an honest worker that others misbehave beside.
struct Stage {
    coordinator: Coordinator,
    notices: Notices,
    server: LocalServer,
    lists: u64,
    // Ends before its server does.
    _honest: LocalWorker,
}

/// Games of a list.
const GAMES: u64 = 12;

impl Stage {
    fn new() -> Option<Stage> {
        let server = server()?;
        let notices = Notices::default();
        Some(Stage {
            coordinator: coordinator(&server, &notices),
            _honest: LocalWorker::start(&server, "honest", &notices),
            notices,
            server,
            lists: 0,
        })
    }

    fn order(&self, wanted: &Order) {
        let (address, credentials) = (self.server.url().parse().unwrap(), Credentials::default());
        let honest = "honest".parse().unwrap();
        wait_for("the honest worker", || {
            order(&address, &credentials, &honest, wanted).is_ok()
        });
    }

    /// A list of games of which somebody takes the first batch before an honest worker comes: the games are right.
    fn play(&mut self, name: &str, misbehave: impl FnOnce(&Rogue)) {
        let first = self.lists * GAMES;
        self.lists += 1;
        let list = || tasks(first + GAMES).split_off(first as usize);
        self.order(&Order::Pause);
        std::thread::scope(|scope| {
            let games = scope.spawn(|| played(&self.coordinator, list()));
            misbehave(&Rogue::join(&self.server, name));
            self.order(&Order::Resume);
            assert_eq!(games.join().unwrap(), locally(list()), "{name}");
        });
        assert_eq!(self.coordinator.roster().games, self.lists * GAMES, "{name}");
    }

    /// Why a worker is not believed, if it is not.
    fn refusal(&self, name: &str) -> Option<String> {
        let workers = self.coordinator.roster().workers;
        let worker = workers.into_iter().find(|worker| worker.name.to_string() == name);
        worker.and_then(|worker| worker.refused)
    }

    /// The same, and that somebody was shut out for it.
    fn is_shut_out(&mut self, name: &str, reason: &str, misbehave: impl FnOnce(&Rogue)) {
        self.play(name, misbehave);
        let refusal = self.refusal(name).unwrap_or_default();
        assert!(
            refusal.starts_with("shut out: ") && refusal.contains(reason),
            "{name}: {refusal}"
        );
        let told = self.notices.text();
        assert!(told.contains(&format!("worker {name} is shut out: ")), "{told}");
    }

    /// The same, and that nobody was blamed.
    fn is_harmless(&mut self, name: &str, misbehave: impl FnOnce(&Rogue)) {
        self.play(name, misbehave);
        assert_eq!(self.refusal(name), None, "{name}");
    }
}

/// Takes a batch and answers it with these bytes.
fn answer_with(rogue: &Rogue, bytes: impl FnOnce(Answer) -> Vec<u8>) {
    let taken = rogue.take();
    rogue.send(bytes(rogue.answer(Rogue::play_all(&taken)))).unwrap();
    rogue.acknowledge(&taken);
}

#[test]
fn workers_that_die() {
    let Some(mut stage) = Stage::new() else { return };
    stage.is_harmless("before-acknowledging", |rogue| drop(rogue.take()));
    stage.is_harmless("after-acknowledging", |rogue| {
        let taken = rogue.take();
        rogue.acknowledge(&taken);
    });
    stage.is_harmless("between-answer-and-acknowledgement", |rogue| {
        let taken = rogue.take();
        rogue.send_entries(Rogue::play_all(&taken));
    });
    stage.is_harmless("in-the-middle-of-a-batch", |rogue| {
        let taken = rogue.take();
        let mut entries = Rogue::play_all(&taken);
        entries.truncate(1);
        rogue.send_entries(entries);
    });
}

#[test]
fn answers_that_are_refused() {
    let Some(mut stage) = Stage::new() else { return };
    stage.is_shut_out("half", "the digest does not fit", |rogue| {
        answer_with(rogue, |answer| {
            let bytes = answer.encode();
            bytes[..bytes.len() / 2].to_vec()
        });
    });
    stage.is_shut_out("wrong-digest", "the digest does not fit", |rogue| {
        answer_with(rogue, |answer| {
            let mut bytes = answer.encode().to_vec();
            *bytes.last_mut().unwrap() ^= 1;
            bytes
        });
    });
    stage.is_shut_out("nonsense", "half an answer", |rogue| {
        for bytes in [&b""[..], b"x", b"\0\0\0\0\0\0\0\0\0\0\0\0", b"{\"run\":\"test\"}"] {
            rogue.send(bytes.to_vec()).unwrap();
        }
    });
    stage.is_shut_out("wrong-signature", "with bench signature", |rogue| {
        answer_with(rogue, |mut answer| {
            answer.build.signature += 1;
            answer.encode().to_vec()
        });
    });
    stage.is_shut_out("forger", "it was sent by forger in the name of honest", |rogue| {
        answer_with(rogue, |mut answer| {
            answer.worker = "honest".parse().unwrap();
            answer.encode().to_vec()
        });
    });
    assert_eq!(stage.refusal("honest"), None);
}

/// Changes the first game of a batch.
fn change_game(rogue: &Rogue, change: impl FnOnce(&mut GameRecord)) {
    answer_with(rogue, |mut answer| {
        let Some(Entry::Played(played)) = answer.entries.first_mut() else {
            panic!("a game")
        };
        change(&mut played.record);
        answer.encode().to_vec()
    });
}

#[test]
fn games_that_cannot_be() {
    let Some(mut stage) = Stage::new() else { return };
    stage.is_shut_out("illegal-move", "a game that cannot be: ply 1: ", |rogue| {
        change_game(rogue, |record| record.moves[1] = record.moves[0]);
    });
    stage.is_shut_out("half-a-game", "the game ends with nothing", |rogue| {
        change_game(rogue, |record| record.moves.truncate(4));
    });
    stage.is_shut_out("another-result", "not with 1/2-1/2 (stalemate)", |rogue| {
        change_game(rogue, |record| {
            record.outcome = Some(Outcome::Draw);
            record.termination = Termination::Stalemate;
        });
    });
}

#[test]
fn messages_that_do_no_harm() {
    let Some(mut stage) = Stage::new() else { return };
    stage.is_harmless("again-and-again", |rogue| {
        let taken = rogue.take();
        let bytes = rogue.answer(Rogue::play_all(&taken)).encode();
        for _ in 0..20 {
            rogue.send(bytes.clone()).unwrap();
        }
        rogue.acknowledge(&taken);
    });
    let dropped = stage.coordinator.roster().dropped;
    assert!(dropped >= 19, "{dropped}");
    stage.is_harmless("another-run", |rogue| {
        answer_with(rogue, |mut answer| {
            answer.run = RunKey::random();
            answer.encode().to_vec()
        });
    });
    assert!(stage.coordinator.roster().dropped > dropped);
    stage.is_harmless("too-large", |rogue| {
        let error = rogue.send(vec![0; LARGEST_MESSAGE + 10_000]).unwrap_err();
        assert!(error.contains("message size exceeds"), "{error}");
    });
    stage.is_harmless("no-question", |rogue| {
        let mut entries = Vec::new();
        for number in 0..500 {
            let mut task = tasks(1).remove(0);
            task.number = 1_000_000 + number;
            entries.push(Entry::Returned(TaskId::of(&RunKey::random(), &task, 0)));
        }
        rogue.send_entries(entries);
    });
    // Nothing that is decided by time depends on what another machine's clock says.
    stage.is_harmless("wrong-clock", |rogue| {
        let taken = rogue.take();
        let mut entries = Rogue::play_all(&taken);
        for (index, entry) in entries.iter_mut().enumerate() {
            let Entry::Played(played) = entry else { continue };
            played.seconds = [f32::NAN, f32::INFINITY, -1e30, f32::MAX][index % 4];
            for ply in &mut played.record.moves {
                ply.info.time = Duration::MAX;
            }
        }
        rogue.send_entries(entries);
        rogue.acknowledge(&taken);
    });
}

/// It says that it is at it, and never comes to an end; its answer comes when all is over.
#[test]
fn a_worker_that_is_slow() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    std::thread::scope(|scope| {
        let games = scope.spawn(|| played(&coordinator, tasks(GAMES)));
        let rogue = Rogue::join(&server, "rogue");
        let taken = rogue.take();
        let _honest = LocalWorker::start(&server, "honest", &notices);
        while !games.is_finished() {
            let progress = async_nats::jetstream::AckKind::Progress;
            rogue.block_on(taken.message.ack_with(progress)).unwrap();
            rogue.beat();
            std::thread::sleep(Duration::from_millis(200));
        }
        assert_eq!(games.join().unwrap(), locally(tasks(GAMES)));
        rogue.send_entries(Rogue::play_all(&taken));
        // The next list is not disturbed by it.
        let more: Vec<GameTask> = tasks(GAMES + 10).split_off(GAMES as usize);
        assert_eq!(played(&coordinator, more.clone()), locally(more));
        let rows = coordinator.roster().workers;
        assert!(rows.iter().all(|row| row.refused.is_none()), "{rows:?}");
    });
}

/// Sends a signal to a process.
fn signal(process: u32, name: &str) {
    let mut kill = std::process::Command::new("kill");
    let sent = kill.args([name, &process.to_string()]).status();
    assert!(sent.unwrap().success());
}

/// A machine that sleeps: others play what it has taken, what it says when it wakes does no harm, and it plays on.
#[test]
fn a_worker_that_is_suspended() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let sleeper = WorkerProcess::start(&server, "sleeper");
    let mut honest = None;
    let games = played_and_seen(&coordinator, light_tasks(MANY), &mut |_| {
        if honest.is_none() {
            signal(sleeper.id(), "-STOP");
            honest = Some(LocalWorker::start(&server, "honest", &notices));
        }
    });
    assert_eq!(games, locally(light_tasks(MANY)));
    signal(sleeper.id(), "-CONT");
    let row = || {
        let rows = coordinator.roster().workers;
        rows.into_iter()
            .find(|row| row.name.to_string() == "sleeper")
            .unwrap()
    };
    let before = row().games;
    drop(honest);
    // Nobody else is there for these.
    let more = || light_tasks(2 * MANY).split_off(MANY as usize);
    assert_eq!(played(&coordinator, more()), locally(more()));
    let row = row();
    assert!(row.games > before && row.refused.is_none(), "{row:?}");
}

/// A coordinator that was silent so long that another one has the run ends; what it has committed stays.
#[test]
fn a_coordinator_that_has_lost_its_run() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let runner = Runner {
        executor: &coordinator,
        faults: FaultPolicy::Replay,
        missing: MissingPlayers::EndTheRun,
    };
    std::thread::scope(|scope| {
        let run = scope.spawn(|| runner.collect(tasks(GAMES), &Control::new(), &mut |_| {}));
        let rogue = Rogue::join(&server, "rogue");
        let other = serde_json::json!({
            "host": "another-machine", "process": 1, "session": "00112233445566778899aabbccddeeff", "is_over": false, "beats": 7,
        });
        rogue.put("lease", other.to_string().into());
        let error = run.join().unwrap().unwrap_err().to_string();
        assert!(error.contains("another coordinator has taken the run"), "{error}");
    });
}

/// More than can be finished and not taken in: when the server goes, there is something left to play.
const MANY: u64 = 300;

#[test]
fn a_server_that_is_gone_for_a_while() {
    let Some(mut server) = server() else { return };
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let worker = LocalWorker::start(&server, "honest", &notices);
    let there = || notices.text().matches("is there again").count();
    let (mut seen, mut before) = (0, 0);
    let games = played_and_seen(&coordinator, light_tasks(MANY), &mut |_| {
        seen += 1;
        if seen == 10 {
            before = there();
            server.kill();
            wait_for("both to miss it", || {
                notices.text().matches("cannot be reached").count() >= 2
            });
            server.restart();
        }
    });
    assert_eq!(games, locally(light_tasks(MANY)));
    wait_for("both to see it again", || there() >= before + 2);
    drop(worker);
}

/// A stream that takes only a few batches at a time.
#[test]
fn a_stream_that_is_full() {
    let Some(server) = server() else { return };
    let subjects = Subjects(RUN.parse().unwrap());
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let client = async_nats::connect(server.url()).await.unwrap();
        let small = Config {
            name: subjects.tasks_stream(),
            subjects: vec![subjects.all_tasks()],
            retention: RetentionPolicy::WorkQueue,
            discard: DiscardPolicy::New,
            max_bytes: 4_000,
            ..Config::default()
        };
        async_nats::jetstream::new(client)
            .create_stream(small)
            .await
            .unwrap();
    });
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let _worker = LocalWorker::start(&server, "honest", &notices);
    assert_eq!(played(&coordinator, tasks(40)), locally(tasks(40)));
    let told = notices.text();
    assert!(told.contains("tasks cannot be published: "), "{told}");
}

/// A sink that is full after a while.
struct SmallDisk(Vec<PlayedGame>, usize);

impl Sink for SmallDisk {
    type Error = &'static str;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), &'static str> {
        if self.0.len() + games.len() > self.1 {
            return Err("no space left on device");
        }
        self.0.extend(games);
        Ok(())
    }
}

#[test]
fn a_disk_that_is_full_at_the_coordinator() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let _worker = LocalWorker::start(&server, "honest", &notices);
    let runner = Runner {
        executor: &coordinator,
        faults: FaultPolicy::Replay,
        missing: MissingPlayers::EndTheRun,
    };
    let mut disk = SmallDisk(Vec::new(), 20);
    let failed = runner.run(tasks(60), &mut disk, &Control::new());
    assert_eq!(failed, Err(RunnerError::Sink("no space left on device")));
    // What is missing is played once there is room.
    let missing = |task: &GameTask| disk.0.iter().all(|game| game.task.number != task.number);
    let rest: Vec<GameTask> = tasks(60).into_iter().filter(missing).collect();
    let mut games = disk.0.clone();
    games.iter_mut().for_each(crate::fleet::without_times);
    games.extend(played(&coordinator, rest));
    games.sort_by_key(|game| game.task.number);
    assert_eq!(games, locally(tasks(60)));
}

#[test]
fn two_coordinators_of_one_run() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    // So long that the first one is heard of before, however busy the machine is.
    let patient = || Settings {
        lease: Duration::from_secs(10),
        ..settings(&server, &notices)
    };
    let first = Coordinator::open(patient(), &Control::new()).unwrap();
    let second = Coordinator::open(patient(), &Control::new());
    let Err(error @ FleetError::InUse { .. }) = second else {
        panic!("two coordinators")
    };
    let shown = error.to_string();
    assert!(
        shown.starts_with("run test is coordinated by process "),
        "{shown}"
    );
    drop(first);
    // One that has let go is followed at once.
    let begun = std::time::Instant::now();
    let patient = Settings {
        lease: Duration::from_mins(10),
        ..settings(&server, &notices)
    };
    drop(Coordinator::open(patient, &Control::new()).unwrap());
    assert!(begun.elapsed() < Duration::from_mins(5));
}

/// A sink that never fails, for lists that are stopped.
struct Nothing;

impl Sink for Nothing {
    type Error = Infallible;

    fn commit(&mut self, _: Vec<PlayedGame>) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A run that nobody plays for can be stopped.
#[test]
fn a_run_without_workers_says_so_and_can_be_stopped() {
    let Some(server) = server() else { return };
    let notices = Notices::default();
    let coordinator = coordinator(&server, &notices);
    let control = Control::new();
    std::thread::scope(|scope| {
        let runner = Runner {
            executor: &coordinator,
            faults: FaultPolicy::Replay,
            missing: MissingPlayers::EndTheRun,
        };
        let control = &control;
        let run = scope.spawn(move || runner.run(tasks(10), &mut Nothing, control));
        wait_for("a complaint", || {
            notices.text().contains("no worker is connected")
        });
        control.stop();
        assert_eq!(run.join().unwrap(), Ok(vidmar_arena::Completion::Stopped));
    });
}

#[test]
fn what_is_wrong_with_a_server_is_said() {
    let open = |url: &str| {
        let settings = settings_at(url, &Notices::default());
        match Coordinator::open(settings, &Control::new()) {
            Ok(_) => panic!("it opened"),
            Err(error) => error.to_string(),
        }
    };
    let shown = open("nats://127.0.0.1:1");
    assert!(
        shown.starts_with("no NATS server answers at nats://127.0.0.1:1: "),
        "{shown}"
    );
    let Some(plain) = LocalServer::start(&["--plain"]) else {
        return;
    };
    let shown = open(&plain.url());
    assert!(
        shown.contains("runs without JetStream; start it with: nats-server -js"),
        "{shown}"
    );
    let Some(guarded) = LocalServer::start(&["--user", "me", "--pass", "secret"]) else {
        return;
    };
    let shown = open(&guarded.url());
    assert!(shown.contains("refuses these credentials"), "{shown}");
    let wrong = guarded.url().replace("nats://", "nats://me:wrong@");
    let shown = open(&wrong);
    assert!(
        shown.contains("refuses these credentials") && !shown.contains("wrong@"),
        "{shown}"
    );
    let right = guarded.url().replace("nats://", "nats://me:secret@");
    let settings = Settings::new(
        right.parse().unwrap(),
        RUN.parse().unwrap(),
        Notices::default().observer(),
    );
    drop(Coordinator::open(settings, &Control::new()).unwrap());
}

/// The guide names a test for every fault: they are there.
#[test]
fn the_tests_that_the_guide_names_are_there() {
    let guide = include_str!("../../../../docs/fleet.md");
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/all");
    let mut named = 0;
    for (module, test) in guide.split('`').filter_map(|word| word.split_once("::")) {
        let source = std::fs::read_to_string(tests.join(format!("{module}.rs"))).unwrap_or_default();
        let is_there = source.contains(&format!("\n#[test]\nfn {test}()"));
        assert!(is_there, "{module}::{test}");
        named += 1;
    }
    assert!(named >= 20, "{named}");
}
