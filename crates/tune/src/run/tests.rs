use super::*;
use crate::resources::Resources;
use vidmar_engine::Control;

fn small(sets: &[&str]) -> Config {
    let usual = ["population=5", "games=2", "depth=1", "max_moves=20"];
    let sets: Vec<String> = usual.iter().chain(sets).map(|&set| set.to_owned()).collect();
    Config::read(Some("no-knowledge"), None, &sets).unwrap()
}

/// A run that is made longer, even one that has ended, ends like one that was begun with all of it.
#[test]
fn a_longer_run_is_the_same_run() {
    let finish = |run: &mut Run| {
        assert_eq!(
            run.advance(&Resources::threads(2), &Control::new(), &mut |_| {})
                .unwrap(),
            Stop::Finished
        );
        run.optimizer().population()
    };
    let whole = tempfile::tempdir().unwrap();
    let expected = finish(&mut Run::create(whole.path(), &small(&["generations=5"])).unwrap());
    let parts = tempfile::tempdir().unwrap();
    let mut run = Run::create(parts.path(), &small(&["generations=2"])).unwrap();
    assert_ne!(finish(&mut run), expected);
    let longer = Budget {
        generations: 5,
        total_games: 0,
    };
    run.rebudget(longer).unwrap();
    drop(run);
    let mut run = Run::open(parts.path()).unwrap();
    assert_eq!(run.config().budget, longer);
    assert_eq!(finish(&mut run), expected);
    let scheduled = tempfile::tempdir().unwrap();
    let sets = ["method=spsa-scaled", "games=2", "depth=1"].map(str::to_owned);
    let config = Config::read(Some("quick"), None, &sets).unwrap();
    let error = Run::create(scheduled.path(), &config)
        .unwrap()
        .rebudget(longer)
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("spsa-scaled plans its steps"), "{error}");
}

fn made(directory: &Path) -> String {
    drop(Run::create(directory, &small(&["generations=2"])).unwrap());
    std::fs::read_to_string(directory.join(CONFIG_FILE)).unwrap()
}

#[test]
fn an_edited_configuration_is_shown_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join(CONFIG_FILE);
    let text = made(folder.path());
    for (edited, shown) in [
        (
            text.replacen("seed = 1", "seed = 2", 1),
            "\n  seed: 1 in the run, 2 in the file\n",
        ),
        (
            text.replace("depth = 1", "depth = 2"),
            "\n  engine.depth: 1 in the run, 2 in the file\n",
        ),
        (
            text.replace("generations = 2", "generations = 3"),
            "\n  budget.generations: 2 in the run, 3 in the file\n",
        ),
        (String::new(), "\n  engine.depth: 1 in the run, 6 in the file\n"),
    ] {
        assert_ne!(edited, text);
        std::fs::write(&file, &edited).unwrap();
        let error = Run::open(folder.path()).err().map(|error| error.to_string());
        let error = error.unwrap_or_else(|| panic!("accepted:\n{edited}"));
        assert!(error.contains(shown), "{error}");
        assert_eq!(
            std::fs::read_to_string(&file).unwrap(),
            edited,
            "the edit is the user's"
        );
    }
    // What changes no setting is nobody's business.
    std::fs::write(&file, format!("# mine\n{text}")).unwrap();
    Run::open(folder.path()).unwrap();
}

#[test]
fn who_comes_second_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let other = Store::open(&folder.path().join(STORE_FILE)).unwrap();
    let error = Run::create(folder.path(), &small(&[])).err().unwrap().to_string();
    let process = format!("is in use by process {}", std::process::id());
    assert!(error.contains(&process), "{error}");
    assert!(!folder.path().join(CONFIG_FILE).exists());
    drop(other);
    made(folder.path());
    let error = Run::create(folder.path(), &small(&[])).err().unwrap();
    assert!(matches!(error, RunError::Exists { .. }), "{error}");
}

#[test]
fn a_run_without_its_store_does_not_begin_again() {
    let folder = tempfile::tempdir().unwrap();
    made(folder.path());
    for ending in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(folder.path().join(format!("{STORE_FILE}{ending}")));
    }
    let error = Run::open(folder.path()).err().unwrap();
    assert!(matches!(error, RunError::NoStore { .. }), "{error}");
}

/// Killed between the store's new budget and the file's.
#[test]
fn a_change_that_was_cut_short_is_completed() {
    let folder = tempfile::tempdir().unwrap();
    let before = made(folder.path());
    let mut run = Run::open(folder.path()).unwrap();
    run.rebudget(Budget {
        generations: 5,
        total_games: 0,
    })
    .unwrap();
    let after = std::fs::read_to_string(folder.path().join(CONFIG_FILE)).unwrap();
    run.journal.reconfigure(&after, &before);
    run.journal.flush().unwrap();
    std::fs::write(folder.path().join(CONFIG_FILE), &before).unwrap();
    drop(run);
    let run = Run::open(folder.path()).unwrap();
    assert_eq!(run.config().budget.generations, 5);
    assert_eq!(
        std::fs::read_to_string(folder.path().join(CONFIG_FILE)).unwrap(),
        after
    );
}

/// The store may grow by a few pages more: as a full disk, the write fails, and what was committed stays.
#[test]
fn a_full_disk_ends_the_run_and_loses_nothing() {
    let config = small(&["games=4", "generations=6", "max_moves=30"]);
    let finish = |run: &mut Run| {
        let stop = run.advance(&Resources::threads(2), &Control::new(), &mut |_| {});
        stop.map(|stop| assert_eq!(stop, Stop::Finished))
    };
    let population = |run: &Run| run.optimizer().population();
    let calm = tempfile::tempdir().unwrap();
    let mut undisturbed = Run::create(calm.path(), &config).unwrap();
    finish(&mut undisturbed).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::create(folder.path(), &config).unwrap();
    let store = run.journal.store();
    store
        .with_connection(|connection| {
            let pages: i64 = connection.pragma_query_value(None, "page_count", |row| row.get(0))?;
            connection.pragma_update(None, "max_page_count", pages + 12)
        })
        .unwrap();
    let error = finish(&mut run).unwrap_err();
    assert!(
        matches!(error, RunError::Store(StoreError::Full { .. })),
        "{error}"
    );
    drop(run);
    let mut run = Run::open(folder.path()).unwrap();
    let kept = run.journal.known_from(0).len();
    assert!(kept > 0 && kept < 280, "{kept}");
    finish(&mut run).unwrap();
    assert_eq!(population(&run), population(&undisturbed));
}
