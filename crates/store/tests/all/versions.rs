//! Files of every version that there has been are read, and brought up to date when they are written to.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use vidmar_store::{Batch, Checkpoint, Fault, Game, Player, Run, Store, VERSION};

/// A stored file of a version, as that version's program left it.
fn stored(version: i64) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/data/version-{version}.db"))
}

/// All that a store holds.
type Contents = (
    Vec<Run>,
    Vec<Vec<Player>>,
    Vec<Vec<Game>>,
    Vec<Vec<Fault>>,
    Vec<Vec<Checkpoint>>,
);

fn contents(store: &Store) -> Contents {
    let runs = store.runs().unwrap();
    let ids: Vec<i64> = runs.iter().map(|run| run.id).collect();
    let checkpoints = |&id: &i64| {
        let names = ["clock", "cpu", "generation", "state"];
        names
            .into_iter()
            .flat_map(move |name| store.checkpoints(id, name).unwrap())
    };
    (
        runs,
        ids.iter().map(|&id| store.players(id).unwrap()).collect(),
        ids.iter().map(|&id| store.games(id).unwrap()).collect(),
        ids.iter().map(|&id| store.faults(id).unwrap()).collect(),
        ids.iter().map(|id| checkpoints(id).collect()).collect(),
    )
}

fn version(path: &Path) -> i64 {
    let connection = Connection::open(path).unwrap();
    connection
        .pragma_query_value(None, "user_version", |row| row.get(0))
        .unwrap()
}

#[test]
fn every_past_version_is_read_without_a_trace_and_migrated_by_writing() {
    for past in 1..VERSION {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.db");
        std::fs::copy(stored(past), &path).unwrap();
        let before = std::fs::read(&path).unwrap();
        let read = Store::read(&path, |store| Ok::<_, vidmar_store::StoreError>(contents(&store))).unwrap();
        assert_eq!(
            std::fs::read(&path).unwrap(),
            before,
            "version {past} was changed by reading"
        );
        assert!(!folder.path().join("games.db-wal").exists());
        let (runs, players, games, faults, checkpoints) = &read;
        assert!(!runs.is_empty() && runs.iter().all(|run| !run.config.is_empty()));
        let all = |lens: Vec<usize>| lens.iter().sum::<usize>();
        assert!(all(players.iter().map(Vec::len).collect()) > 1);
        assert!(all(games.iter().map(Vec::len).collect()) > 10);
        assert_eq!(all(faults.iter().map(Vec::len).collect()), 1);
        assert!(all(checkpoints.iter().map(Vec::len).collect()) > 4);

        let mut store = Store::open(&path).unwrap();
        assert_eq!(store.check(), Ok(()));
        assert_eq!(contents(&store), read, "version {past}");
        let run = runs[0].id;
        let game = Game {
            number: 1000,
            clock_scale: Some(1250),
            ..Game::default()
        };
        store
            .commit(&Batch {
                games: vec![game],
                ..Batch::new(run)
            })
            .unwrap();
        drop(store);
        assert_eq!(version(&path), VERSION);
        let again = Store::open_read_only(&path).unwrap();
        assert_eq!(again.check(), Ok(()));
        assert!(again.finished(run).unwrap().contains(&1000));
        let scale = again.game(run, 1000).unwrap().unwrap().clock_scale;
        assert_eq!(scale, Some(1250));
    }
}
