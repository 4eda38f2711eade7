//! Values that were changed behind the store's back, and files that were taken away from under it.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::path::{Path, PathBuf};

use rusqlite::Connection;
use vidmar_chess::Outcome;
use vidmar_store::{Batch, Checkpoint, Fault, Game, Player, Store, StoreError};

const STATE: &str = r#"{"generation":3,"population":[[1,20,300],[4,50,600]],"best":0.625}"#;

/// A store with a row in every table.
fn filled(path: &Path) -> (Store, i64) {
    let mut store = Store::open(path).unwrap();
    let run = store.begin_run("tune", "seed = 7").unwrap();
    store.commit(&batch(run, 0)).unwrap();
    (store, run)
}

fn batch(run: i64, number: u64) -> Batch {
    Batch {
        players: vec![Player::new(number as u32, "Anna")],
        games: vec![Game {
            number,
            result: Some(Outcome::WHITE_WINS),
            moves: "e2e4 e7e5".to_owned(),
            ..Game::default()
        }],
        faults: vec![Fault {
            game: number,
            kind: "crash".to_owned(),
            ..Fault::default()
        }],
        checkpoints: vec![Checkpoint {
            generation: 3,
            name: "state".to_owned(),
            data: STATE.into(),
        }],
        ..Batch::new(run)
    }
}

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    (folder, path)
}

#[test]
fn a_digit_changed_in_a_state_is_noticed_wherever_it_is() {
    let (_folder, path) = folder();
    let (store, run) = filled(&path);
    let other = Connection::open(&path).unwrap();
    let digits: Vec<usize> = (0..STATE.len())
        .filter(|&index| STATE.as_bytes()[index].is_ascii_digit())
        .collect();
    for &index in &digits {
        let mut changed = STATE.as_bytes().to_vec();
        changed[index] ^= 1;
        other
            .execute("UPDATE checkpoint SET data = ?1", [changed])
            .unwrap();
        let read = store.latest_checkpoint(run, "state");
        assert!(
            matches!(read, Err(StoreError::Damaged { .. })),
            "{index}: {read:?}"
        );
        assert!(matches!(
            store.checkpoints(run, "state"),
            Err(StoreError::Damaged { .. })
        ));
        let checked = store.check();
        let named = "checkpoint: run 1, generation 3, name state";
        assert!(
            checked.is_err_and(|error| error.to_string().contains(named)),
            "{index}"
        );
    }
    other
        .execute("UPDATE checkpoint SET data = ?1", [STATE.as_bytes()])
        .unwrap();
    assert_eq!(store.check(), Ok(()));
    assert_eq!(
        store.latest_checkpoint(run, "state").unwrap().unwrap().data,
        STATE.as_bytes()
    );
}

#[test]
fn a_check_reads_every_column_of_every_table() {
    for (change, named) in [
        ("UPDATE run SET config = 'seed = 8'", "run: kind tune"),
        ("UPDATE player SET name = 'Anne'", "player: run 1, number 0"),
        ("UPDATE game SET result = '0-1'", "game: run 1, number 0"),
        ("UPDATE game SET result = NULL", "game: run 1, number 0"),
        ("UPDATE game SET moves = 'e2e4 e7e6'", "game: run 1, number 0"),
        ("UPDATE game SET number = 5", "game: run 1, number 5"),
        ("UPDATE fault SET player = 1", "fault: run 1, game 0, attempt 0"),
        (
            "UPDATE checkpoint SET generation = 4",
            "checkpoint: run 1, generation 4",
        ),
    ] {
        let (_folder, path) = folder();
        let (store, _) = filled(&path);
        assert_eq!(store.check(), Ok(()));
        assert_eq!(Connection::open(&path).unwrap().execute(change, []).unwrap(), 1);
        let error = store.check().unwrap_err().to_string();
        assert!(error.contains(named), "{change}: {error}");
    }
}

#[test]
fn the_state_of_a_run_may_change() {
    let (_folder, path) = folder();
    let (mut store, run) = filled(&path);
    store
        .commit(&Batch {
            state: Some("finished".to_owned()),
            ..Batch::new(run)
        })
        .unwrap();
    assert_eq!(store.check(), Ok(()));
}

/// What a lost store's error says, and that nothing of it is lost.
#[cfg(unix)]
fn rescued(mut store: Store, run: i64) -> PathBuf {
    let error = store.commit(&batch(run, 1)).unwrap_err();
    let StoreError::Gone {
        rescued: Some(new), ..
    } = &error
    else {
        panic!("{error}");
    };
    assert!(error.to_string().contains(&new.display().to_string()));
    let found = Store::open(new).unwrap();
    assert_eq!(found.check(), Ok(()));
    assert_eq!(found.finished(run).unwrap(), [0, 1]);
    assert_eq!(found.faults(run).unwrap().len(), 2);
    drop(found);
    // Whoever commits once more finds that in the same file, and no second one.
    assert_eq!(store.commit(&batch(run, 2)), Err(error.clone()));
    let found = Store::open_read_only(new).unwrap();
    assert_eq!(found.finished(run).unwrap(), [0, 1, 2]);
    new.clone()
}

#[test]
#[cfg(unix)]
fn a_file_that_is_removed_replaced_or_moved_is_missed_at_the_next_commit() {
    type Loss = fn(&Path);
    let losses: [(&str, Loss); 5] = [
        ("removed", |path| std::fs::remove_file(path).unwrap()),
        ("moved", |path| {
            std::fs::rename(path, path.with_extension("old")).unwrap();
        }),
        ("replaced", |path| {
            let copy = path.with_extension("copy");
            std::fs::copy(path, &copy).unwrap();
            std::fs::rename(copy, path).unwrap();
        }),
        ("log removed", |path| {
            std::fs::remove_file(format!("{}-wal", path.display())).unwrap();
        }),
        ("all removed", |path| {
            for ending in ["", "-wal", "-shm"] {
                std::fs::remove_file(format!("{}{ending}", path.display())).unwrap();
            }
        }),
    ];
    for (name, lose) in losses {
        let (_folder, path) = folder();
        let (store, run) = filled(&path);
        lose(&path);
        let new = rescued(store, run);
        assert_eq!(new.parent(), path.parent(), "{name}");
        let files = std::fs::read_dir(path.parent().unwrap()).unwrap().flatten();
        let is_rescued = |file: &std::fs::DirEntry| {
            let name = file.file_name().into_string().unwrap();
            name.contains("-rescued-") && !name.ends_with("-lock")
        };
        assert_eq!(files.filter(is_rescued).count(), 1, "{name}");
    }
}

#[test]
#[cfg(unix)]
fn without_the_folder_the_games_are_saved_elsewhere() {
    let (folder, path) = folder();
    let (store, run) = filled(&path);
    drop(folder);
    let new = rescued(store, run);
    assert_ne!(new.parent(), path.parent());
    for ending in ["", "-wal", "-shm", "-lock"] {
        let _ = std::fs::remove_file(format!("{}{ending}", new.display()));
    }
}
