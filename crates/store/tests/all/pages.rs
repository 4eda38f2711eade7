//! Onlookers: pages of games, what is new, who writes, and no trace left behind.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use vidmar_chess::Outcome;
use vidmar_store::{Batch, Direction, Filter, Game, Listed, Store, StoreError};

fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    (folder, path)
}

/// Game `n` of a round of ten: players `n % 4` and 4, every third drawn, every seventh without a result.
fn game(number: u64) -> Game {
    Game {
        number,
        round: number / 10,
        white: (number % 4) as u32,
        black: 4,
        result: match number {
            n if n % 7 == 6 => None,
            n if n % 3 == 0 => Some(Outcome::Draw),
            _ => Some(Outcome::WHITE_WINS),
        },
        termination: if number.is_multiple_of(2) {
            "White mates"
        } else {
            "resignation"
        }
        .to_owned(),
        opening: if number < 50 { "Réti Opening" } else { "" }.to_owned(),
        moves: vec!["e2e4"; (number % 5) as usize].join(" "),
        ..Game::default()
    }
}

fn filled(path: &Path) -> (Store, i64) {
    let mut store = Store::open(path).unwrap();
    let other = store.begin_run("match", "{}").unwrap();
    let run = store.begin_run("match", "{}").unwrap();
    for (run, games) in [(other, 0..3), (run, 0..100)] {
        let batch = Batch {
            games: games.map(game).collect(),
            ..Batch::new(run)
        };
        store.commit(&batch).unwrap();
    }
    (store, run)
}

fn numbers(games: &[Listed]) -> Vec<u64> {
    games.iter().map(|game| game.outline.number).collect()
}

#[test]
fn pages_run_forwards_and_backwards() {
    let (_folder, path) = folder();
    let (store, run) = filled(&path);
    let page = |direction| store.page(run, &Filter::default(), direction, 3).unwrap();
    assert_eq!(numbers(&page(Direction::After(None)).games), [0, 1, 2]);
    assert_eq!(numbers(&page(Direction::After(Some(2))).games), [3, 4, 5]);
    assert_eq!(numbers(&page(Direction::Before(None)).games), [97, 98, 99]);
    assert_eq!(numbers(&page(Direction::Before(Some(97))).games), [94, 95, 96]);
    assert_eq!(numbers(&page(Direction::After(Some(98))).games), [99]);
    assert_eq!(page(Direction::After(Some(99))).games, []);
    assert_eq!(page(Direction::After(None)).total, 100);
    let plies: Vec<u32> = page(Direction::Before(None))
        .games
        .iter()
        .map(|game| game.plies)
        .collect();
    assert_eq!(plies, [2, 3, 4]);
    assert_eq!(page(Direction::After(None)).games[0].plies, 0);
}

/// Every filter against the same question asked of all games.
#[test]
fn filters_agree_with_a_plain_search() {
    let (_folder, path) = folder();
    let (store, run) = filled(&path);
    let all = store.games(run).unwrap();
    let check = |filter: Filter, wanted: &dyn Fn(&Game) -> bool| {
        let expected: Vec<u64> = all
            .iter()
            .filter(|game| wanted(game))
            .map(|game| game.number)
            .collect();
        let page = store.page(run, &filter, Direction::After(None), 1000).unwrap();
        assert!(!expected.is_empty() && expected.len() < all.len(), "{filter:?}");
        assert_eq!(numbers(&page.games), expected, "{filter:?}");
        assert_eq!(page.total, expected.len() as u64);
    };
    let filter = Filter::default;
    check(
        Filter {
            player: Some(2),
            ..filter()
        },
        &|game| game.white == 2,
    );
    check(
        Filter {
            round: Some(4),
            ..filter()
        },
        &|game| game.round == 4,
    );
    check(
        Filter {
            result: Some(None),
            ..filter()
        },
        &|game| game.result.is_none(),
    );
    let drawn = Some(Some(Outcome::Draw));
    check(
        Filter {
            result: drawn,
            ..filter()
        },
        &|game| game.result == Some(Outcome::Draw),
    );
    let mates = Some("MATES".to_owned());
    check(
        Filter {
            termination: mates,
            ..filter()
        },
        &|game| game.number.is_multiple_of(2),
    );
    let opening = Some("opening".to_owned());
    check(
        Filter {
            opening: opening.clone(),
            round: Some(1),
            ..filter()
        },
        &|game| game.round == 1,
    );
    // Nothing in a filter is SQL.
    let odd = Filter {
        opening: Some("%' OR 1=1 --".to_owned()),
        ..filter()
    };
    assert_eq!(
        store.page(run, &odd, Direction::After(None), 10).unwrap().total,
        0
    );
}

#[test]
fn one_game_counts_and_terminations() {
    let (_folder, path) = folder();
    let (store, run) = filled(&path);
    assert_eq!(store.game(run, 42).unwrap(), Some(game(42)));
    assert_eq!(store.game(run, 100).unwrap(), None);
    assert_eq!(store.game(run, u64::MAX).unwrap(), None);
    assert_eq!(store.games_count(run).unwrap(), 100);
    assert_eq!(store.faults_count(run).unwrap(), 0);
    let ends = store.terminations(run).unwrap();
    assert_eq!(
        ends,
        [("White mates".to_owned(), 50), ("resignation".to_owned(), 50)]
    );
}

#[test]
fn what_is_new_comes_once_and_in_the_order_of_commits() {
    let (_folder, path) = folder();
    let (mut store, run) = filled(&path);
    let (first, mark) = store.results_after(run, 0).unwrap();
    assert_eq!(first, store.results(run).unwrap());
    for number in [205, 203] {
        let batch = Batch {
            games: vec![game(number)],
            ..Batch::new(run)
        };
        store.commit(&batch).unwrap();
    }
    let (new, mark) = store.results_after(run, mark).unwrap();
    assert_eq!(new.iter().map(|game| game.number).collect::<Vec<_>>(), [205, 203]);
    assert_eq!(store.results_after(run, mark).unwrap(), (vec![], mark));
}

/// Every file of a folder with its bytes, but for the index of a log, which every reader of a live store takes part in.
fn contents(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| {
            (
                entry.file_name().into_string().unwrap(),
                std::fs::read(entry.path()).unwrap(),
            )
        })
        .filter(|(name, _)| !name.ends_with("-shm"))
        .collect()
}

#[test]
fn reading_leaves_no_trace() {
    let (folder, path) = folder();
    let (store, run) = filled(&path);
    // While somebody writes, then after the writer has ended.
    let count = || Store::read(&path, |store| store.games_count(run)).unwrap();
    let before = contents(folder.path());
    assert_eq!(count(), 100);
    assert_eq!(contents(folder.path()), before);
    drop(store);
    let before = contents(folder.path());
    assert!(!before.contains_key("games.db-wal"), "{:?}", before.keys());
    assert_eq!(count(), 100);
    assert_eq!(contents(folder.path()), before);
    let missing = Store::read(&folder.path().join("none.db"), |_| Ok::<(), StoreError>(()));
    assert!(matches!(missing, Err(StoreError::Open { .. })), "{missing:?}");
    let odd = folder.path().join("what? 100% #1.db");
    std::fs::copy(&path, &odd).unwrap();
    assert_eq!(Store::read(&odd, |store| store.games_count(run)).unwrap(), 100);
}

/// Somebody begins to write while a file is read that nobody wrote to: the reader is asked again, and sees it.
#[test]
fn a_writer_that_comes_meanwhile_is_seen() {
    let (_folder, path) = folder();
    let run = filled(&path).1;
    let writer = std::cell::RefCell::new(None);
    let count = Store::read(&path, |store| {
        let mut writer = writer.borrow_mut();
        if writer.is_none() {
            let mut other = Store::open(&path)?;
            other.commit(&Batch {
                games: vec![game(100)],
                ..Batch::new(run)
            })?;
            *writer = Some(other);
        }
        store.games_count(run)
    });
    assert_eq!(count.unwrap(), 101);
}

#[test]
fn the_writing_process_is_known() {
    let (_folder, path) = folder();
    assert_eq!(Store::writing_process(&path), None);
    let (store, _) = filled(&path);
    assert_eq!(Store::writing_process(&path), Some(std::process::id()));
    drop(store);
    assert_eq!(Store::writing_process(&path), None);
}

/// Looking whether somebody writes does not keep anybody from it.
#[test]
fn onlookers_do_not_stop_a_writer() {
    let (_folder, path) = folder();
    drop(filled(&path));
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                Store::writing_process(&path);
            }
        });
        let opened: Vec<bool> = (0..50).map(|_| Store::open(&path).is_ok()).collect();
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(opened.iter().all(|&is_open| is_open));
    });
}
