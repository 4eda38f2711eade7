//! What every row of the objectives must do: the same run for any number of threads and sessions, and what it says of itself.

use std::path::Path;

use vidmar_engine::Control;
use vidmar_optim::Method;
use vidmar_store::{Checkpoint, Game, Store};
use vidmar_tune::Resources;
use vidmar_tune::config::Config;
use vidmar_tune::learned::Uncertainty;
use vidmar_tune::objective::{ObjectiveKind, reference};
use vidmar_tune::run::{Event, Run, STORE_FILE, Stop};
use vidmar_tune::status::View;

/// Positions with a solution and a result: a queen up, a queen down, level.
fn positions(folder: &Path) -> String {
    let up = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq -";
    let down = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let level = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let text =
        format!("{up} c9 \"0-1\"; bm e4;\n{down} c9 \"1-0\"; bm d4;\n{level} c9 \"1/2-1/2\"; bm e4;\n");
    let file = folder.join("positions.epd");
    std::fs::write(&file, text).unwrap();
    file.display().to_string()
}

/// A run of seconds. An objective that takes positions has a file of them.
fn config(kind: ObjectiveKind, file: &str) -> Config {
    let mut sets: Vec<String> = [
        "population=4",
        "generations=2",
        "depth=1",
        "max_moves=20",
        "openings.source=built-in",
        "inject=1",
        "objective.kind=",
    ]
    .map(str::to_owned)
    .to_vec();
    sets.last_mut().unwrap().push_str(kind.name());
    if kind.settings().iter().any(|setting| setting.key == "file") {
        sets.push(format!("objective.file={file}"));
    }
    Config::read(Some("no-knowledge"), None, &sets).unwrap()
}

/// States and generations, games.
fn remains(directory: &Path) -> (Vec<Checkpoint>, Vec<Game>) {
    let store = Store::open_read_only(&directory.join(STORE_FILE)).unwrap();
    let run = store.runs().unwrap()[0].id;
    let mut checkpoints = store.checkpoints(run, "state").unwrap();
    checkpoints.extend(store.checkpoints(run, "generation").unwrap());
    (checkpoints, store.games(run).unwrap())
}

#[test]
fn threads_and_sessions_do_not_matter() {
    let folder = tempfile::tempdir().unwrap();
    let file = positions(folder.path());
    for &kind in ObjectiveKind::ALL {
        let config = config(kind, &file);
        let whole = |threads: usize| {
            let directory = folder.path().join(format!("{}-{threads}", kind.name()));
            let mut run = Run::create(&directory, &config).unwrap();
            let stop = run
                .advance(&Resources::threads(threads), &Control::new(), &mut |_| {})
                .unwrap();
            assert_eq!(stop, Stop::Finished);
            drop(run);
            (remains(&directory), directory)
        };
        let (expected, directory) = whole(1);
        assert!(whole(2).0 == expected, "{kind:?}: threads matter");

        let stopped = folder.path().join(format!("{}-stopped", kind.name()));
        drop(Run::create(&stopped, &config).unwrap());
        for session in 0.. {
            let control = Control::new();
            let mut run = Run::open(&stopped).unwrap();
            let stop = run.advance(&Resources::threads(2), &control, &mut |event| {
                if matches!(event, Event::Generation { .. }) {
                    control.stop();
                }
            });
            if stop.unwrap() == Stop::Finished {
                assert!(session > 1, "{kind:?}");
                break;
            }
        }
        assert!(remains(&stopped) == expected, "{kind:?}: stopping matters");

        let plays = config.objective.games_per_job() > 0;
        assert_eq!(!expected.1.is_empty(), plays, "{kind:?}");
        let results = View::open(&directory).unwrap().results().unwrap().unwrap();
        let is_exact = results.recommended == "value";
        assert_eq!(kind.answers().is_exact(), is_exact, "{kind:?}");
    }
}

/// Known vectors are not asked for again, and their values are below 0 for two of three: who has no value must not lead.
#[test]
fn the_history_of_exact_values_is_led_by_the_best_of_them() {
    let folder = tempfile::tempdir().unwrap();
    let file = positions(folder.path());
    for &kind in ObjectiveKind::ALL.iter().filter(|kind| kind.answers().is_exact()) {
        let mut config = config(kind, &file);
        config.budget.generations = 6;
        let directory = folder.path().join(kind.name());
        let mut run = Run::create(&directory, &config).unwrap();
        let mut leaders = Vec::new();
        let stop = run.advance(&Resources::threads(2), &Control::new(), &mut |event| {
            if let Event::Generation { generation, .. } = event {
                let leader = |champion: &Option<vidmar_optim::Champion>| champion.clone().unwrap();
                leaders.push((leader(&generation.by_efficiency), leader(&generation.by_value)));
            }
        });
        assert_eq!(stop.unwrap(), Stop::Finished);
        assert_eq!(leaders.len(), 7, "{kind:?}");
        for (efficient, best) in &leaders {
            assert!(
                efficient.games > 0 && efficient.score <= best.score + 1e-12,
                "{kind:?}: {efficient:?}"
            );
        }
        for entry in run.optimizer().finalists(usize::MAX) {
            assert!(entry.games > 0, "{kind:?}: {entry:?}");
        }
    }
}

/// A fit that comes to rest does so while it compares steps, between two generations.
#[test]
fn a_fit_at_rest_is_told_with_its_errors() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config(ObjectiveKind::Texel, &positions(folder.path()));
    config.optimizer = Method::Newton.settings();
    config.budget.generations = 1_000;
    let directory = folder.path().join("fit");
    let mut run = Run::create(&directory, &config).unwrap();
    let stop = run.advance(&Resources::threads(2), &Control::new(), &mut |_| {});
    assert_eq!(stop.unwrap(), Stop::Finished);
    assert!(run.optimizer().generation() < 1_000);
    drop(run);
    let learned = View::open(&directory).unwrap().learned().unwrap().unwrap();
    assert_eq!(learned.uncertainty, Some(Uncertainty::StandardError));
    assert!(learned.parameters.iter().all(|row| row.error.is_some()));
}

#[test]
fn every_row_reads_back_from_its_configuration() {
    for &kind in ObjectiveKind::ALL {
        let config = config(kind, "positions.epd");
        let read = Config::read(None, Some((Path::new("it"), &config.to_toml())), &[]).unwrap();
        assert_eq!(read, config, "{kind:?}");
        let shown = config.objective.shown();
        assert!(shown.iter().all(|(setting, _)| !setting.is_path), "{shown:?}");
    }
}

#[test]
fn the_documentation_has_the_rows() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tuning.md");
    let text = std::fs::read_to_string(page).unwrap();
    assert!(
        text.contains(&reference()),
        "docs/tuning.md should hold\n{}",
        reference()
    );
}
