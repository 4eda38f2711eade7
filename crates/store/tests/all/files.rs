//! Files that are not as they should be, and what is said of them.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use vidmar_store::{Batch, Game, Player, Store, StoreError, VERSION};

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    (folder, path)
}

fn game(number: u64) -> Game {
    Game {
        number,
        moves: "e2e4 e7e5 ".repeat(40),
        ..Game::default()
    }
}

fn batch(run: i64, numbers: impl IntoIterator<Item = u64>) -> Batch {
    Batch {
        games: numbers.into_iter().map(game).collect(),
        ..Batch::new(run)
    }
}

/// A store with a hundred games.
fn filled(path: &Path) -> i64 {
    let mut store = Store::open(path).unwrap();
    let run = store.begin_run("match", "{}").unwrap();
    store.commit(&batch(run, 0..100)).unwrap();
    run
}

#[test]
fn another_version_is_named_and_left_alone() {
    let (_folder, path) = folder();
    filled(&path);
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    let before = std::fs::read(&path).unwrap();
    for error in [Store::open(&path).err(), Store::open_read_only(&path).err()] {
        assert_eq!(
            error,
            Some(StoreError::Version {
                path: path.clone(),
                found: 99,
                known: VERSION
            })
        );
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn other_files_are_refused_and_left_alone() {
    let (_folder, path) = folder();
    let refused = |path: &Path| {
        let before = std::fs::read(path).unwrap();
        let expected = Some(StoreError::NotAStore {
            path: path.to_owned(),
        });
        assert_eq!(Store::open(path).err(), expected);
        assert_eq!(Store::open_read_only(path).err(), expected);
        assert_eq!(std::fs::read(path).unwrap(), before);
    };
    std::fs::write(&path, "[Event \"?\"]\n\n1. e4 e5 1/2-1/2\n".repeat(40)).unwrap();
    refused(&path);
    std::fs::remove_file(&path).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch("CREATE TABLE money (amount)")
        .unwrap();
    refused(&path);
}

#[test]
fn a_file_that_is_not_there_is_made_or_missed() {
    let (_folder, path) = folder();
    assert!(matches!(
        Store::open_read_only(&path),
        Err(StoreError::Open { .. })
    ));
    assert!(!path.exists());
    drop(Store::open(&path).unwrap());
    assert!(Store::open_read_only(&path).is_ok());
    let nowhere = path.join("no-such-folder").join("games.db");
    assert!(matches!(Store::open(&nowhere), Err(StoreError::Open { .. })));
}

#[test]
fn one_process_writes_at_a_time_and_others_may_read() {
    let (_folder, path) = folder();
    let run = filled(&path);
    let mut store = Store::open(&path).unwrap();
    assert_eq!(
        Store::open(&path).err(),
        Some(StoreError::InUse {
            path: path.clone(),
            process: Some(std::process::id())
        })
    );
    let reader = Store::open_read_only(&path).unwrap();
    store.commit(&batch(run, [100])).unwrap();
    assert_eq!(reader.finished(run).unwrap().len(), 101);
    drop(store);
    assert!(Store::open(&path).is_ok());
}

#[test]
fn a_foreign_lock_is_said_to_be_one_and_goes_by() {
    let (_folder, path) = folder();
    let run = filled(&path);
    let mut store = Store::open(&path).unwrap();
    store
        .with_connection(|connection| connection.busy_timeout(std::time::Duration::ZERO))
        .unwrap();
    let other = Connection::open(&path).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    assert_eq!(
        store.commit(&batch(run, [100])),
        Err(StoreError::Locked { path: path.clone() })
    );
    other.execute_batch("ROLLBACK").unwrap();
    store.commit(&batch(run, [100])).unwrap();
    assert_eq!(store.finished(run).unwrap().len(), 101);
}

#[test]
fn damage_is_found() {
    let (_folder, path) = folder();
    let run = filled(&path);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 4096].fill(0xa5);
    std::fs::write(&path, &bytes).unwrap();
    let store = Store::open_read_only(&path).unwrap();
    assert!(matches!(store.check(), Err(StoreError::Damaged { .. })));
    // Reading it gives an error or what is left, never a panic.
    let _ = store.games(run);
    let _ = store.results(run);
}

#[test]
fn a_value_that_we_did_not_write_is_damage() {
    let (_folder, path) = folder();
    let run = filled(&path);
    Connection::open(&path)
        .unwrap()
        .execute_batch("UPDATE game SET thoughts = x'80' WHERE number = 3")
        .unwrap();
    let store = Store::open_read_only(&path).unwrap();
    assert!(matches!(store.games(run), Err(StoreError::Damaged { .. })));
    assert_eq!(store.results(run).unwrap().len(), 100);
}

#[test]
fn numbers_are_taken_once() {
    let (_folder, path) = folder();
    let run = filled(&path);
    let mut store = Store::open(&path).unwrap();
    let error = store.commit(&batch(run, [100, 7])).unwrap_err();
    assert_eq!(error.to_string(), "run 1 has game 7 already");
    // The batch was refused as a whole.
    assert_eq!(store.finished(run).unwrap().len(), 100);
    assert!(matches!(
        store.commit(&batch(run + 1, [0])),
        Err(StoreError::NoSuchRun { .. })
    ));
    assert_eq!(
        store.commit(&batch(run, [u64::MAX])),
        Err(StoreError::TooLarge(u64::MAX))
    );
    let mut players = Batch::new(run);
    players.players = vec![Player::new(0, "Anna"), Player::new(0, "Boris")];
    assert_eq!(
        store.commit(&players).unwrap_err().to_string(),
        "run 1 has player 0 already"
    );
}

#[test]
fn one_refused_batch_does_not_stop_the_others() {
    let (_folder, path) = folder();
    let run = filled(&path);
    let mut store = Store::open(&path).unwrap();
    let batches = [batch(run, [100]), batch(run, [5]), batch(run, [101])];
    let fates = store.commit_all(&batches.iter().collect::<Vec<_>>());
    assert!(fates[0].is_ok() && fates[1].is_err() && fates[2].is_ok());
    assert_eq!(store.finished(run).unwrap().len(), 102);
}
