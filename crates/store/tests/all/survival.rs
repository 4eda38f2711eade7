//! What was reported as committed is there, whatever happens next.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rusqlite::Connection;
use vidmar_chess::{MoveInfo, Outcome, Score};
use vidmar_store::{Batch, Checkpoint, Fault, Game, Player, Store, StoreError};

const CHILD: &str = "VIDMAR_STORE_TEST_CHILD";

fn game(number: u64) -> Game {
    Game {
        number,
        round: number / 2,
        white: (number % 2) as u32,
        black: (1 - number % 2) as u32,
        result: [Some(Outcome::WHITE_WINS), Some(Outcome::Draw), None][number as usize % 3],
        termination: "checkmate".to_owned(),
        opening: "A00".to_owned(),
        start: String::new(),
        given: 2,
        clock_scale: number.is_multiple_of(2).then_some(1250),
        moves: "e2e4 e7e5 ".repeat(30),
        pvs: ["e2e4 e7e5", "e7e5"].map(str::to_owned)[..number as usize % 3].to_vec(),
        thoughts: vec![
            MoveInfo {
                score: Some(Score::Centipawns(-12)),
                depth: 9,
                nodes: number,
                time: Duration::from_micros(number),
            };
            58
        ],
    }
}

/// Not a test of its own: the process that is killed below. It commits a game, a fault and a checkpoint at a time,
/// and writes down what was committed.
#[test]
fn child_process() {
    let Ok(path) = std::env::var(CHILD) else { return };
    let path = Path::new(&path);
    let mut store = Store::open(path).unwrap();
    let run = match store.runs().unwrap().first() {
        Some(run) => run.id,
        None => store.begin_run("match", "{}").unwrap(),
    };
    let first = store.finished(run).unwrap().len() as u64;
    let told = Arc::new(Mutex::new(
        std::fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path.with_extension("told"))
            .unwrap(),
    ));
    let writer = store.into_writer();
    for number in first.. {
        let told = Arc::clone(&told);
        let batch = Batch {
            games: vec![game(number)],
            faults: vec![Fault {
                game: number,
                kind: "crash".to_owned(),
                ..Fault::default()
            }],
            checkpoints: vec![Checkpoint {
                generation: number,
                name: "state".to_owned(),
                data: number.to_le_bytes().to_vec(),
            }],
            forget_before: Some(number),
            ..Batch::new(run)
        };
        writer
            .submit(batch, move |fate| {
                use std::io::Write as _;
                fate.unwrap();
                writeln!(told.lock().unwrap(), "{number}").unwrap();
            })
            .unwrap();
        if number % 8 == 7 {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
}

#[test]
fn every_reported_game_survives_kill() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let told = path.with_extension("told");
    for round in 0..12 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["survival::child_process", "--exact", "--nocapture"])
            .env(CHILD, &path)
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        // Every fourth time at whatever it is doing, perhaps nothing yet; otherwise a while after another game was reported.
        let reported = || std::fs::read_to_string(&told).map_or(0, |text| text.lines().count());
        let before = reported();
        while round % 4 != 3 && reported() == before && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        std::thread::sleep(Duration::from_millis(37 * (round * 7 % 12)));
        child.kill().unwrap();
        child.wait().unwrap();
        if !path.exists() {
            continue;
        }
        let store = Store::open(&path).unwrap();
        let Some(run) = store.runs().unwrap().first().map(|run| run.id) else {
            continue;
        };
        store.check().unwrap();
        let finished = store.finished(run).unwrap();
        let reported = std::fs::read_to_string(&told).map_or(0, |text| text.lines().count());
        assert!(finished.len() >= reported, "{} < {reported}", finished.len());
        assert!(finished.iter().copied().eq(0..finished.len() as u64));
        assert_eq!(store.faults(run).unwrap().len(), finished.len());
        let state = store.latest_checkpoint(run, "state").unwrap();
        assert_eq!(
            state.map(|state| state.generation),
            finished.last().copied(),
            "state and games belong together"
        );
    }
    let store = Store::open_read_only(&path).unwrap();
    let games = store.games(1).unwrap();
    assert!(
        games.len() > 20,
        "{} games: the test did not get far",
        games.len()
    );
    assert!(games.iter().all(|found| *found == game(found.number)));
}

#[test]
fn a_full_disk_loses_nothing_and_can_be_gone_on_from() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let mut store = Store::open(&path).unwrap();
    let run = store.begin_run("match", "{}").unwrap();
    drop(store);
    // No more pages than these: what SQLite answers then is what it answers on a full disk.
    let mut store = Store::open(&path).unwrap();
    limit_pages(&mut store, 30);
    let mut committed = 0;
    let error = loop {
        let batch = Batch {
            games: vec![game(committed)],
            ..Batch::new(run)
        };
        match store.commit(&batch) {
            Ok(()) => committed += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error, StoreError::Full { path: path.clone() });
    assert!(committed > 0);
    assert_eq!(store.finished(run).unwrap().len() as u64, committed);
    limit_pages(&mut store, 100_000);
    let batch = Batch {
        games: vec![game(committed)],
        ..Batch::new(run)
    };
    store.commit(&batch).unwrap();
    drop(store);
    let store = Store::open_read_only(&path).unwrap();
    store.check().unwrap();
    assert_eq!(store.finished(run).unwrap().len() as u64, committed + 1);
}

/// The limit is a property of a connection, so it has to be set on the store's own.
fn limit_pages(store: &mut Store, pages: u32) {
    store
        .with_connection(|connection: &Connection| connection.pragma_update(None, "max_page_count", pages))
        .unwrap();
}

#[test]
fn runs_are_apart_and_players_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("games.db")).unwrap();
    let first = store.begin_run("match", "{\"a\":1}").unwrap();
    let second = store.begin_run("tune", "{}").unwrap();
    let players = vec![
        Player {
            number: 0,
            name: "Anna".to_owned(),
            description: "engine:depth=1".to_owned(),
        },
        Player::new(1, "Boris"),
    ];
    for run in [first, second] {
        let batch = Batch {
            players: players.clone(),
            games: vec![game(1), game(0)],
            state: (run == second).then(|| "finished".to_owned()),
            ..Batch::new(run)
        };
        store.commit(&batch).unwrap();
    }
    assert_eq!(store.players(first).unwrap(), players);
    assert_eq!(store.games(second).unwrap(), [game(0), game(1)]);
    let states: Vec<(String, String)> = store
        .runs()
        .unwrap()
        .into_iter()
        .map(|run| (run.kind, run.state))
        .collect();
    assert_eq!(
        states,
        [
            ("match".to_owned(), "running".to_owned()),
            ("tune".to_owned(), "finished".to_owned())
        ]
    );
    assert_eq!(store.run(first).unwrap().config, "{\"a\":1}");
    assert!(matches!(store.run(9), Err(StoreError::NoSuchRun { run: 9, .. })));
    let outline = store.results(first).unwrap()[1];
    assert_eq!(
        (outline.number, outline.white, outline.result),
        (1, 1, Some(Outcome::Draw))
    );
}
