//! A tiny net from a few thousand positions.

use std::path::Path;
use std::sync::Arc;

use vidmar_chess::Position;
use vidmar_engine::{ChosenEvaluation, Control};
use vidmar_train::packed::PackedWriter;
use vidmar_train::{
    Beginning, CheckpointFile, Dataset, DatasetError, Filter, Teacher, TrainError, TrainEvent, TrainSettings,
    Trained, train,
};

use crate::games::random_game;

fn settings() -> TrainSettings {
    TrainSettings {
        hidden: 32,
        epochs: 8,
        batch: 256,
        rate: 0.005,
        validation: 0.1,
        lambda: 1.0,
        ..TrainSettings::default()
    }
}

/// Two files of random games, scored by the pieces on the board.
fn games(folder: &Path) {
    for (file, games) in [("a.packed", 0..90), ("b.packed", 90..150)] {
        let mut writer = PackedWriter::open(&folder.join(file), "{}").unwrap();
        for seed in games {
            writer.add(&random_game(seed)).unwrap();
        }
        writer.finish().unwrap();
    }
}

fn open(folder: &Path, settings: &TrainSettings) -> Result<Dataset, DatasetError> {
    Dataset::open(folder, settings.filter, settings.validation, settings.seed)
}

/// Trains in so many threads; with `steps`, stops after so many and goes on, until it is finished.
fn trained(folder: &Path, settings: &TrainSettings, threads: usize, steps: Option<u64>) -> Trained {
    trained_from(folder, settings, &Beginning::default(), threads, steps)
}

fn trained_from(
    folder: &Path,
    settings: &TrainSettings,
    beginning: &Beginning,
    threads: usize,
    steps: Option<u64>,
) -> Trained {
    let dataset = open(folder, settings).unwrap();
    let file = CheckpointFile::new(folder.join(format!(
        "{}-{threads}-{}.checkpoint",
        settings.distil,
        steps.is_some()
    )));
    loop {
        let control = Control::new();
        let mut left = steps;
        let mut observe = |event: &TrainEvent<'_>| {
            if let (TrainEvent::Step(_), Some(left)) = (event, &mut left) {
                *left -= 1;
                if *left == 0 {
                    control.stop();
                }
            }
        };
        let done = train(
            &dataset,
            settings,
            beginning,
            &file,
            threads,
            &control,
            &mut observe,
        );
        if let Some(trained) = done.unwrap() {
            file.remove().unwrap();
            return trained;
        }
        assert!(steps.is_some());
    }
}

#[test]
fn a_tiny_net_learns_what_pieces_are_worth() {
    let folder = tempfile::tempdir().unwrap();
    games(folder.path());
    let trained = trained(folder.path(), &settings(), 1, None);
    let [first, .., last] = &trained.epochs[..] else {
        panic!()
    };
    assert!(first.positions > 3_000, "{first:?}");
    assert!(
        last.validation_loss < first.validation_loss / 2.0,
        "{:?}",
        trained.epochs
    );
    assert!(
        last.training_loss < first.training_loss / 2.0,
        "{:?}",
        trained.epochs
    );
    // Rounding costs little.
    assert!(
        trained.rounded_loss < last.validation_loss * 1.05,
        "{}",
        trained.rounded_loss
    );
    let score = |fen: &str| trained.network.evaluate(&fen.parse::<Position>().unwrap());
    let even = score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let queen_up = score("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let queen_down = score("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1");
    assert!(
        queen_up > even + 200 && queen_down < even - 200,
        "{queen_down} {even} {queen_up}"
    );
}

#[test]
fn what_the_hand_crafted_evaluation_taught_need_not_be_learnt_from_games() {
    let folder = tempfile::tempdir().unwrap();
    games(folder.path());
    let rows = |distil| {
        let settings = TrainSettings {
            distil,
            epochs: 1,
            ..settings()
        };
        trained(folder.path(), &settings, 1, None).epochs
    };
    let [alone] = rows(0)[..] else { panic!() };
    let [first, .., last, taught] = rows(8)[..] else {
        panic!()
    };
    assert!(first.distilled && last.distilled && !taught.distilled);
    assert!(
        last.training_loss < first.training_loss / 2.0,
        "{first:?} {last:?}"
    );
    assert!(
        taught.training_loss < alone.training_loss / 2.0,
        "{taught:?} {alone:?}"
    );
}

#[test]
fn training_goes_on_from_a_net() {
    let folder = tempfile::tempdir().unwrap();
    games(folder.path());
    let settings = TrainSettings {
        epochs: 4,
        ..settings()
    };
    let first = trained(folder.path(), &settings, 2, None);
    let more = TrainSettings {
        epochs: 1,
        rate: 0.000_1,
        ..settings
    };
    let from_it = Beginning {
        network: Some(Arc::new(first.network.clone())),
        ..Beginning::default()
    };
    let second = trained_from(folder.path(), &more, &from_it, 2, None);
    let [first, second] = [first, second].map(|net| net.epochs.last().unwrap().validation_loss);
    let anew = trained(folder.path(), &more, 2, None).epochs[0].validation_loss;
    assert!(
        second < first * 1.02 && second < anew / 2.0,
        "{first} {second} {anew}"
    );
}

#[test]
fn threads_and_interruptions_change_no_bit() {
    let folder = tempfile::tempdir().unwrap();
    games(folder.path());
    let settings = TrainSettings {
        distil: 2,
        epochs: 4,
        ..settings()
    };
    let whole = trained(folder.path(), &settings, 1, None);
    let kinds: Vec<(bool, u64)> = whole
        .epochs
        .iter()
        .map(|row| (row.distilled, row.epoch))
        .collect();
    assert_eq!(
        kinds,
        [
            (true, 1),
            (true, 2),
            (false, 1),
            (false, 2),
            (false, 3),
            (false, 4)
        ]
    );
    for (threads, steps) in [(3, None), (2, Some(37))] {
        let other = trained(folder.path(), &settings, threads, steps);
        assert!(
            other.network == whole.network && other.epochs == whole.epochs,
            "{threads} {steps:?}"
        );
    }
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path();
    assert!(matches!(open(path, &settings()), Err(DatasetError::Empty(_))));
    games(path);
    let refused_from = |beginning: &Beginning, settings: &TrainSettings, file: &CheckpointFile| {
        let control = Control::new();
        let dataset = open(path, settings).unwrap();
        let done = train(&dataset, settings, beginning, file, 1, &control, &mut |_| {
            control.stop();
        });
        done.map(|trained| trained.is_none())
    };
    let refused =
        |settings: &TrainSettings, file: &CheckpointFile| refused_from(&Beginning::default(), settings, file);
    let file = CheckpointFile::new(path.join("checkpoint"));
    assert!(refused(&settings(), &file).unwrap());
    let other = TrainSettings {
        lambda: 0.5,
        ..settings()
    };
    let error = refused(&other, &file).unwrap_err();
    assert!(
        matches!(&error, TrainError::Checkpoint(_)) && error.to_string().contains("other settings"),
        "{error}"
    );
    let by_the_net = Beginning {
        teacher: Teacher::from(&ChosenEvaluation::default()),
        ..Beginning::default()
    };
    let error = refused_from(&by_the_net, &settings(), &file).unwrap_err();
    assert!(error.to_string().contains("another teacher"), "{error}");
    let from_the_net = Beginning {
        network: Some(vidmar_net::embedded()),
        ..Beginning::default()
    };
    let error = refused_from(&from_the_net, &settings(), &file).unwrap_err();
    assert!(matches!(&error, TrainError::Shape(_)), "{error}");
    let mut writer = PackedWriter::open(&path.join("a.packed"), "{}").unwrap();
    writer.add(&random_game(1_000)).unwrap();
    writer.finish().unwrap();
    let error = refused(&settings(), &file).unwrap_err();
    assert!(error.to_string().contains("other games"), "{error}");
    let mut bytes = std::fs::read(file.path()).unwrap();
    bytes[100] ^= 1;
    std::fs::write(file.path(), bytes).unwrap();
    let error = refused(&settings(), &file).unwrap_err();
    assert!(error.to_string().contains("damaged"), "{error}");
}

#[test]
fn filters_and_repetitions_leave_out_what_they_name() {
    let folder = tempfile::tempdir().unwrap();
    games(folder.path());
    let kept = |filter: Filter| {
        let counts = open(folder.path(), &TrainSettings { filter, ..settings() })
            .unwrap()
            .counts();
        assert_eq!(counts.games, 150);
        (
            counts.training + counts.validation,
            counts.positions,
            counts.repeated,
        )
    };
    let usual = Filter::default();
    let all = Filter {
        in_check: true,
        captures: true,
        mates: true,
        repeated: true,
        early_plies: 0,
    };
    let (some, positions, _) = kept(usual);
    assert_eq!(kept(all), (positions, positions, 0));
    for filter in [
        Filter {
            in_check: true,
            ..usual
        },
        Filter {
            captures: true,
            ..usual
        },
    ] {
        assert!((some + 1..positions).contains(&kept(filter).0), "{filter:?}");
    }
    assert!(
        kept(Filter {
            early_plies: 40,
            ..usual
        })
        .0 < some
    );
    // The same games once more, in a file of their own.
    std::fs::copy(folder.path().join("a.packed"), folder.path().join("c.packed")).unwrap();
    let again = open(folder.path(), &settings()).unwrap().counts();
    // A few share a place in the memory.
    let kept = again.training + again.validation;
    assert!((some..some + some / 100).contains(&kept), "{kept} and {some}");
    assert!(again.repeated > some / 3, "{again:?}");
}
