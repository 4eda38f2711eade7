//! Programs that a run brings along: who runs them, and who never does.

#![cfg(unix)]

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use vidmar_arena::{FaultPolicy, GameTask, MissingPlayers, PlayedGame, Runner};
use vidmar_engine::Control;
use vidmar_fleet::protocol::{LARGEST_BINARY, RunCard};
use vidmar_fleet::testing::LocalServer;
use vidmar_fleet::worker::WorkerSettings;
use vidmar_fleet::{Coordinator, Settings};

use crate::engines::{engine_tasks, engine_that, worker_settings};
use crate::fleet::{LocalWorker, Notices, RUN, locally, played, server, settings, wait_for};
use crate::rogue::Rogue;
use crate::security::{configured, permissions};

/// A coordinator that offers what it plays with.
fn offering(settings: Settings) -> Coordinator {
    Coordinator::open(
        Settings {
            offers_binaries: true,
            ..settings
        },
        &Control::new(),
    )
    .unwrap()
}

fn accepting(server: &LocalServer, notices: &Notices) -> LocalWorker {
    LocalWorker::with(WorkerSettings {
        accepts_binaries: true,
        ..worker_settings(server, notices, Vec::new())
    })
}

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

/// What a file of one line says.
fn line(path: &Path) -> Option<PathBuf> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(text.lines().next()?.into())
}

#[test]
fn a_program_goes_to_those_that_accept_it_and_to_nobody_else() {
    let folder = tempfile::tempdir().unwrap();
    let users = format!(
        "authorization {{ users = [ {{ user: all, password: s }}, {{ user: few, password: s, permissions: {} }} ] }}",
        permissions(RUN, "engines", true)
    );
    let Some(server) = configured(folder.path(), &users) else {
        return;
    };
    let address = |user: &str| {
        server
            .url()
            .replace("://", &format!("://{user}:s@"))
            .parse()
            .unwrap()
    };
    // It says where it is started, and with what.
    let started = folder.path().join("started");
    let says = format!("echo \"$program\" > '{}'; resign", started.display());
    let program = engine_that(folder.path(), "script", &says);
    let text = std::fs::read_to_string(&program).unwrap();
    std::fs::write(&program, text.replacen('\n', "\nprogram=\"$0\"\n", 1)).unwrap();
    let expected = locally(engine_tasks(&program, 6));
    std::fs::remove_file(&started).unwrap();
    let notices = Notices::default();
    let coordinator = offering(Settings {
        address: address("all"),
        ..settings(&server, &notices)
    });
    let there = std::thread::scope(|scope| {
        let games = scope.spawn(|| played(&coordinator, engine_tasks(&program, 6)));
        let without = LocalWorker::with(WorkerSettings {
            address: address("few"),
            ..worker_settings(&server, &notices, Vec::new())
        });
        wait_for("the refusal", || {
            let told = notices.text();
            told.contains("the engine script (SHA-256 ") && told.contains("workers with --accept-binaries")
        });
        assert!(!games.is_finished() && !started.exists());
        drop(without);
        let _with = LocalWorker::with(WorkerSettings {
            address: address("few"),
            accepts_binaries: true,
            ..worker_settings(&server, &notices, Vec::new())
        });
        assert_eq!(games.join().unwrap(), expected);
        assert!(notices.text().contains("from run test"), "{}", notices.text());
        // Where nobody else looks, as nobody can change it.
        let there = line(&started).unwrap();
        assert_ne!(there, program);
        assert_eq!((mode(&there), mode(there.parent().unwrap())), (0o500, 0o700));
        there
    });
    assert!(!there.parent().unwrap().exists(), "it goes with its worker");
    coordinator.close(true);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let left = runtime.block_on(async {
        let options = async_nats::ConnectOptions::with_user_and_password("all".into(), "s".into());
        let client = options.connect(server.url()).await.unwrap();
        let jetstream = async_nats::jetstream::new(client);
        jetstream.get_stream(format!("OBJ_vidmar-{RUN}")).await.is_ok()
    });
    assert!(!left, "it goes with its run");
}

fn play(
    coordinator: &Coordinator,
    tasks: Vec<GameTask>,
    control: &Control,
) -> Result<Option<Vec<PlayedGame>>, String> {
    let runner = Runner {
        executor: coordinator,
        faults: FaultPolicy::Replay,
        missing: MissingPlayers::EndTheRun,
    };
    let games = runner.collect(tasks, control, &mut |_| {});
    games.map_err(|error| error.to_string())
}

/// Somebody who can write to the server puts another program in its place, or a larger one.
#[test]
fn what_is_not_the_program_or_too_large_is_not_run() {
    let Some(server) = server() else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = engine_that(folder.path(), "script", "resign");
    let trace = folder.path().join("trace");
    let evil = format!("#!/bin/sh\ntouch '{}'\n", trace.display());
    let notices = Notices::default();
    let coordinator = offering(settings(&server, &notices));
    let control = Control::new();
    std::thread::scope(|scope| {
        let games = scope.spawn(|| play(&coordinator, engine_tasks(&program, 4), &control));
        let rogue = Rogue::join(&server, "rogue");
        let mut card: Option<RunCard> = None;
        wait_for("the program to be there", || {
            card = rogue.card_now().filter(|card| !card.binaries.is_empty());
            card.is_some()
        });
        let mut card = card.unwrap();
        let bucket = rogue.subjects.bucket();
        rogue.block_on(async {
            let store = rogue.jetstream.get_object_store(&bucket).await.unwrap();
            let name = card.binaries[0].sha256.as_str();
            store.put(name, &mut evil.as_bytes()).await.unwrap();
        });
        let worker = accepting(&server, &notices);
        wait_for("the other program to be refused", || {
            let told = notices.text();
            told.contains("not playing for run test: what is offered as script (SHA-256 ")
                && told.contains("is another program")
        });
        drop(worker);
        card.binaries[0].bytes = LARGEST_BINARY + 1;
        rogue.block_on(async {
            let cards = rogue.jetstream.get_key_value(&bucket).await.unwrap();
            let bytes = serde_json::to_vec(&card).unwrap();
            cards.put("card", bytes.into()).await.unwrap();
        });
        let _worker = accepting(&server, &notices);
        wait_for("its size to be refused", || {
            notices.text().contains("are the most that is accepted")
        });
        assert!(!games.is_finished() && !trace.exists());
        control.stop();
        assert_eq!(games.join().unwrap(), Ok(None));
    });
}

#[test]
fn a_program_that_is_too_large_is_not_offered() {
    let Some(server) = server() else { return };
    let folder = tempfile::tempdir().unwrap();
    let program = engine_that(folder.path(), "script", "resign");
    let file = std::fs::File::options().write(true).open(&program).unwrap();
    file.set_len(LARGEST_BINARY + 1).unwrap();
    let coordinator = offering(settings(&server, &Notices::default()));
    let error = play(&coordinator, engine_tasks(&program, 1), &Control::new()).unwrap_err();
    assert!(
        error.contains("script: its program has") && error.contains("are the most that a run offers"),
        "{error}"
    );
}
