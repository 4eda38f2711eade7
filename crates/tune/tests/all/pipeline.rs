//! The pipeline: what an observer sees of it, and that cancelling and resuming change nothing.

use std::path::Path;

use vidmar_engine::Control;
use vidmar_tune::Resources;
use vidmar_tune::config::{Budget, Config};
use vidmar_tune::pipeline::{Changes, Event, Observer, Options, Pipeline, SpaceChange, StopReason, Validate};
use vidmar_tune::run::ChangedEngines;
use vidmar_tune::status::View;

/// Two stages of some dozen games each, a gauntlet after both.
fn config() -> Config {
    let file = "
        [budget]
        generations = 1
        [engine]
        depth = 1
        [rules]
        max_moves = 20
        [openings]
        source = \"built-in\"
        [objective]
        games = 2
        [optimizer]
        method = \"de-history\"
        population = 5
        [verify]
        pairs = 1
        deeper = [0]
        [gauntlet]
        each = 1
        limit = 1
        references = [{ elo = 1000.0, player = \"random:seed=1\" }]
        [[then]]
        name = \"again\"
        change = { budget = { generations = 2 } }
    ";
    Config::read(Some("no-knowledge"), Some((Path::new("small.toml"), file)), &[]).unwrap()
}

/// The kinds of events, each once in a row; cancels at the first of one kind.
struct Watcher<'a> {
    seen: Vec<&'static str>,
    cancel_at: Option<&'static str>,
    control: &'a Control,
}

impl Observer for Watcher<'_> {
    fn event(&mut self, event: &Event<'_>) {
        let kind = match event {
            Event::Stage(_) => "stage",
            Event::Tuning(_) => "tuning",
            Event::Validation { done, total } => {
                assert!(done <= total);
                "validation"
            }
            Event::Gauntlet { .. } => "gauntlet",
            Event::Complete { files, .. } => {
                assert!(files.iter().all(|(_, path)| path.exists()));
                "complete"
            }
        };
        if self.seen.last() != Some(&kind) {
            self.seen.push(kind);
        }
        if self.cancel_at == Some(kind) {
            self.control.stop();
        }
    }
}

fn carried_out(
    cancel_at: Option<&'static str>,
    validate: Validate,
    run: impl FnOnce(&mut Pipeline<'_>) -> StopReason,
) -> (StopReason, Vec<&'static str>) {
    let control = Control::new();
    let mut watcher = Watcher {
        seen: Vec::new(),
        cancel_at,
        control: &control,
    };
    let reason = run(&mut Pipeline {
        options: Options {
            resources: Resources::threads(2),
            validate,
            changed_engines: ChangedEngines::Refused,
        },
        cancel: &control,
        observer: &mut watcher,
    });
    (reason, watcher.seen)
}

fn recommended(directory: &Path) -> String {
    std::fs::read_to_string(directory.join("again/recommended.txt")).unwrap()
}

const ALL: [&str; 10] = [
    "stage",
    "tuning",
    "validation",
    "gauntlet",
    "complete",
    "stage",
    "tuning",
    "validation",
    "gauntlet",
    "complete",
];

#[test]
fn steps_follow_each_other_and_are_resumed_where_they_were_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    let whole = folder.path().join("whole");
    let begun = carried_out(None, Validate::EveryStage, |pipeline| {
        pipeline.begin(&whole, &config()).unwrap()
    });
    assert_eq!(begun, (StopReason::Finished, ALL.to_vec()));
    let status = View::open(&whole.join("again")).unwrap().status().unwrap();
    assert_eq!((status.state, status.gauntlet.len() > 1), ("verified", true));

    for kind in ["tuning", "validation", "gauntlet"] {
        let directory = folder.path().join(kind);
        let (reason, _) = carried_out(Some(kind), Validate::EveryStage, |pipeline| {
            pipeline.begin(&directory, &config()).unwrap()
        });
        // The last game of a step may be the one at which it is cancelled: then the next step is.
        let StopReason::Cancelled { directory: stage } = reason else {
            panic!("{kind}: {reason:?}");
        };
        assert!(stage.starts_with(&directory), "{}", stage.display());
        let (reason, seen) = carried_out(None, Validate::EveryStage, |pipeline| {
            pipeline.resume(&directory, &Changes::default()).unwrap()
        });
        assert_eq!(
            (reason, seen.last()),
            (StopReason::Finished, Some(&"complete")),
            "{kind}"
        );
        assert_eq!(recommended(&directory), recommended(&whole), "{kind}");
    }
}

#[test]
fn only_what_is_asked_for_is_validated() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("run");
    let (_, seen) = carried_out(None, Validate::Nothing, |pipeline| {
        pipeline.begin(&directory, &config()).unwrap()
    });
    assert_eq!(
        seen,
        ["stage", "tuning", "complete", "stage", "tuning", "complete"]
    );
    let (_, seen) = carried_out(None, Validate::LastStage, |pipeline| {
        pipeline.resume(&directory, &Changes::default()).unwrap()
    });
    assert_eq!(seen, ["stage", "complete", "stage", "validation", "complete"]);
}

#[test]
fn budget_and_space_are_changed_between_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let mut config = config();
    config.then.clear();
    let (reason, _) = carried_out(None, Validate::Nothing, |pipeline| {
        pipeline.begin(folder.path(), &config).unwrap()
    });
    assert_eq!(reason, StopReason::Finished);
    let changes = Changes {
        budget: Some(Budget {
            generations: 3,
            total_games: 0,
        }),
        space: vec![
            SpaceChange::freeze("RookValueOpening=321").unwrap(),
            SpaceChange::widen("QueenValueOpening=2000..3000").unwrap(),
        ],
    };
    carried_out(None, Validate::Nothing, |pipeline| {
        pipeline.resume(folder.path(), &changes).unwrap()
    });
    let view = View::open(folder.path()).unwrap();
    let status = view.status().unwrap();
    assert_eq!((status.state, status.generation), ("tuned", 3));
    let centroid = status.centroid.unwrap().0;
    let of = |name: &str| centroid.iter().find(|(known, _)| known == name).unwrap().1;
    assert!((of("RookValueOpening") - 321.0).abs() < f64::EPSILON);
    assert!((2000.0..=3000.0).contains(&of("QueenValueOpening")));
    for wrong in ["QueenValueOpening", "QueenValueOpening=1", "Q=a..b"] {
        assert_eq!(SpaceChange::widen(wrong), None, "{wrong}");
    }
    assert_eq!(SpaceChange::freeze("Q=a"), None);
}

/// A fit that is held to its start is no surer than the fit that the start comes from.
#[test]
fn the_errors_of_a_stage_are_those_of_the_one_before_it_too() {
    let folder = tempfile::tempdir().unwrap();
    let file = r#"
        [engine]
        depth = 1
        [objective]
        self_play = 30
        [[then]]
        name = "held"
        change = { objective = { self_play = 10, prior = 0.0001 } }
    "#;
    let file = Some((Path::new("small.toml"), file));
    let config = Config::read(Some("pieces"), file, &[]).unwrap();
    let first = folder.path().join("first");
    let begun = carried_out(None, Validate::Nothing, |pipeline| {
        pipeline.begin(&first, &config).unwrap()
    });
    assert_eq!(begun.0, StopReason::Finished);
    let errors = |directory: &Path| -> Vec<f64> {
        let learned = View::open(directory).unwrap().learned().unwrap().unwrap();
        learned.parameters.iter().map(|row| row.error.unwrap()).collect()
    };
    let (before, held) = (errors(&first), errors(&first.join("held")));
    for (before, held) in before.iter().zip(&held) {
        assert!((0.9..1.2).contains(&(held / before)), "{before} {held}");
    }
}
