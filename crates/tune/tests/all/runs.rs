//! Whole runs with real games, small ones: the same end whatever happens on the way.

use std::collections::{BTreeSet, VecDeque};
use std::path::Path;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use vidmar_arena::{Executor, Feed, Worker};
use vidmar_engine::Control;
use vidmar_optim::Space;
use vidmar_store::{Checkpoint, Game, Store};
use vidmar_tune::Resources;
use vidmar_tune::config::{Budget, Config};
use vidmar_tune::progress::{Phase, Progress, Standing};
use vidmar_tune::run::{Event, Run, RunError, STORE_FILE, Stop};
use vidmar_tune::status::View;
use vidmar_tune::time_series::TimeSeries;
use vidmar_tune::verify::verify;

/// A run of some dozen games of depth 1.
fn config(sets: &[&str]) -> Config {
    let usual = [
        "population=5",
        "games=3",
        "generations=2",
        "depth=1",
        "hash=1",
        "lead=400",
        "max_moves=30",
        "pairs=2",
    ];
    let openings = ["openings.source=built-in", "deeper=[0]", "inject=2"];
    // What another method or objective has no use for would be refused.
    let has = |set: &str| sets.contains(&set);
    let is_used = |set: &&&str| match **set {
        "population=5" | "inject=2" => !["spsa", "newton", "regression"]
            .iter()
            .any(|m| has(&format!("method={m}"))),
        "games=3" => !has("kind=texel"),
        _ => true,
    };
    let usual = usual.iter().chain(&openings).filter(is_used);
    let sets: Vec<String> = usual.chain(sets).map(|&s| s.to_owned()).collect();
    Config::read(Some("no-knowledge"), None, &sets).unwrap()
}

/// States and generations, games, players.
type Remains = (Vec<Checkpoint>, Vec<Game>, Vec<String>);

/// All that a run leaves behind, but for the time it took.
fn remains(directory: &Path) -> Remains {
    let store = Store::open_read_only(&directory.join(STORE_FILE)).unwrap();
    let run = store.runs().unwrap()[0].id;
    let mut checkpoints = store.checkpoints(run, "state").unwrap();
    checkpoints.extend(store.checkpoints(run, "generation").unwrap());
    let players = store
        .players(run)
        .unwrap()
        .into_iter()
        .map(|p| p.description)
        .collect();
    (checkpoints, store.games(run).unwrap(), players)
}

fn whole(config: &Config, threads: usize) -> (tempfile::TempDir, Remains) {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::create(folder.path(), config).unwrap();
    let stop = run
        .advance(&Resources::threads(threads), &Control::new(), &mut |_| {})
        .unwrap();
    assert_eq!(stop, Stop::Finished);
    drop(run);
    let remains = remains(folder.path());
    (folder, remains)
}

#[test]
fn threads_do_not_matter() {
    for sets in [
        &[][..],
        &["method=de-rated", "population=5"],
        &["method=spsa", "directions=4", "games=2"],
        &["method=regression", "directions=4", "games=2"],
        &[
            "method=spsa",
            "directions=4",
            "games=2",
            "lag=20",
            "generations=6",
        ],
        &[
            "method=regression",
            "directions=1",
            "games=2",
            "lag=7",
            "generations=9",
        ],
        &[
            "method=spsa",
            "kind=opponents",
            "directions=2",
            "games=2",
            "lag=9",
            "generations=4",
        ],
    ] {
        let config = config(sets);
        let (_, one) = whole(&config, 1);
        assert!(one.1.len() > 8, "{} games", one.1.len());
        for threads in [2, 8] {
            assert!(whole(&config, threads).1 == one, "{threads} threads, {sets:?}");
        }
    }
}

/// A rule for level games ends those that both sides see as level, and only where it is stated.
#[test]
fn level_games_are_drawn_by_rule() {
    let draws = |sets: &[&str]| {
        let (_folder, (_, games, _)) = whole(&config(sets), 2);
        let by_rule = |game: &&Game| game.termination == "draw by adjudication";
        (games.iter().filter(by_rule).count(), games.len())
    };
    let rule = "rules.draw=movenumber=12 movecount=2 score=5000";
    let (drawn, of) = draws(&["lead=0", rule]);
    assert!(drawn * 2 > of, "{drawn} of {of}");
    assert_eq!(draws(&["lead=0"]).0, 0);
}

/// Stopped after every few games, opened again, and so on to the end.
#[test]
fn stopping_does_not_matter() {
    for sets in [
        &[][..],
        &["method=de-rated", "population=5"],
        &["method=regression", "directions=12", "games=2"],
        &[
            "method=spsa",
            "directions=4",
            "games=2",
            "lag=20",
            "generations=12",
        ],
    ] {
        let config = config(sets);
        let (_, expected) = whole(&config, 2);
        for every in [1, 7] {
            let folder = tempfile::tempdir().unwrap();
            drop(Run::create(folder.path(), &config).unwrap());
            let mut sessions = 0;
            loop {
                let control = Control::new();
                let mut games = 0;
                let mut watch = |event: &Event<'_>| {
                    games += u32::from(matches!(event, Event::Job { .. }));
                    if games == every {
                        control.stop();
                    }
                };
                let mut run = Run::open(folder.path()).unwrap();
                sessions += 1;
                if run.advance(&Resources::threads(2), &control, &mut watch).unwrap() == Stop::Finished {
                    break;
                }
            }
            assert!(sessions > 5, "{sessions} sessions");
            assert!(
                remains(folder.path()) == expected,
                "stopped after every {every} games"
            );
        }
    }
}

/// Has so many games in hand before it finishes one, the oldest; as so many threads would that are never idle.
struct Busy {
    hands: usize,
    games: usize,
}

impl Executor for Busy {
    fn execute(&self, feed: &Feed<'_>, control: &Control) {
        let (mut worker, mut held, mut played) = (Worker::default(), VecDeque::new(), 0);
        let mut waited = Duration::ZERO;
        while played < self.games {
            if let Poll::Ready(Some(assignment)) = feed.poll() {
                held.push_back(assignment);
            } else if held.len() >= self.hands.min(self.games - played) {
                let assignment = held.pop_front().unwrap();
                let record = worker.play(&assignment.task, control);
                assert!(feed.answer(assignment, record).is_none());
                (played, waited) = (played + 1, Duration::ZERO);
            } else {
                // The run is at work with the last answer; a deadlock fails the test.
                let pause = Duration::from_millis(1);
                assert!(
                    waited < Duration::from_mins(1),
                    "{} of {} hands are idle",
                    self.hands - held.len(),
                    self.hands
                );
                std::thread::sleep(pause);
                waited += pause;
            }
        }
    }
}

/// A pair of games is a round: with a lag two threads, or eight, have a game each all the time, and the run is the same.
#[test]
fn no_thread_waits_for_the_end_of_a_round() {
    for (lag, hands) in [(2, 2), (14, 8)] {
        let sets = ["method=spsa", "directions=1", "games=2", "generations=20"];
        let lag = format!("lag={lag}");
        let config = config(&[&sets[..], &[&lag]].concat());
        let (_, expected) = whole(&config, 1);
        let folder = tempfile::tempdir().unwrap();
        let mut run = Run::create(folder.path(), &config).unwrap();
        let busy = Resources {
            threads: 1,
            executor: Arc::new(Busy { hands, games: 40 }),
        };
        assert_eq!(
            run.advance(&busy, &Control::new(), &mut |_| {}).unwrap(),
            Stop::Finished
        );
        drop(run);
        assert!(remains(folder.path()) == expected, "{lag}, {hands} at a time");
    }
}

/// Values that are computed are never late, and other methods need all answers of a round for the next.
#[test]
fn a_lag_that_cannot_be_honoured_is_refused_by_name() {
    let read = |sets: &[&str]| {
        let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
        Config::read(Some("quick"), None, &sets)
    };
    let config = read(&["kind=agreement", "lag=4"]).unwrap();
    let error = Run::check(&config).unwrap_err().to_string();
    assert!(error.contains("optimizer.lag = 4: expected 0"), "{error}");
    let error = read(&["method=cma-es", "lag=4"]).unwrap_err().to_string();
    assert!(error.contains("unknown setting 'lag'"), "{error}");
}

/// What an observer says of a run: at it, stopped, deserted, done; and the way so far, read in one go or in pieces.
#[test]
fn onlookers_know_how_a_run_stands() {
    let config = config(&[]);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(STORE_FILE);
    let look = || {
        let is_written = Store::writing_process(&path).is_some();
        Store::read(&path, |store| Progress::of(&store, &config, is_written))
            .unwrap()
            .unwrap()
    };
    let mut followed = TimeSeries::default();
    let mut run = Run::create(folder.path(), &config).unwrap();
    let begun = look();
    assert_eq!(
        (begun.standing, begun.share, begun.generation),
        (Standing::Running, 0.0, None)
    );
    drop(run);
    let deserted = look();
    assert_eq!((deserted.standing, deserted.failure), (Standing::Crashed, None));

    let control = Control::new();
    let mut jobs = 0;
    run = Run::open(folder.path()).unwrap();
    let stop = run.advance(&Resources::threads(2), &control, &mut |event| {
        jobs += u32::from(matches!(event, Event::Job { .. }));
        if jobs == 40 {
            control.stop();
        }
    });
    assert_eq!(stop.unwrap(), Stop::Interrupted);
    drop(run);
    let paused = look();
    assert_eq!((paused.standing, paused.phase), (Standing::Paused, Phase::Tuning));
    assert!(
        paused.games >= 40 && paused.share > 0.0 && paused.share < 1.0,
        "{paused:?}"
    );
    assert!(paused.seconds_left().unwrap() > 0.0);
    let update = |time_series: &mut TimeSeries| {
        let store = Store::open_read_only(&path).unwrap();
        time_series.update(&store, store.runs().unwrap()[0].id).unwrap();
    };
    update(&mut followed);

    run = Run::open(folder.path()).unwrap();
    assert_eq!(
        run.advance(&Resources::threads(2), &Control::new(), &mut |_| {})
            .unwrap(),
        Stop::Finished
    );
    verify(run, &Resources::threads(2), &Control::new(), &mut |_, _| {})
        .unwrap()
        .unwrap();
    let done = look();
    assert_eq!(
        (done.standing, done.phase, done.share),
        (Standing::Finished, Phase::Done, 1.0)
    );
    assert!(done.validation_games > 0);

    update(&mut followed);
    let mut whole = TimeSeries::default();
    update(&mut whole);
    let view = View::open(folder.path()).unwrap();
    let space = view.space().unwrap();
    let points = whole.convergence(space, 100, None);
    assert_eq!(points, followed.convergence(space, 100, None));
    assert_eq!(points.len(), 3);
    for (point, generation) in points.iter().zip(&view.generations) {
        let (best, mean) = generation.scores().unwrap();
        let scores = point.scores.unwrap();
        assert_eq!(scores.max, best);
        // The same numbers, added up in another order.
        assert!((scores.mean - mean).abs() < 1e-12);
        assert!(
            point.best_again.is_some_and(|again| (0.0..=1.0).contains(&again)),
            "{point:?}"
        );
        assert!(point.best_again_games.unwrap() >= 3);
    }
    let (mean, _) = view.generations[2].moments()[4];
    assert!((whole.course(4, 100)[2].band.mean - mean).abs() < 1e-9);
}

#[test]
fn a_taken_directory_is_not_touched() {
    let config = config(&[]);
    let (folder, expected) = whole(&config, 2);
    let error = Run::create(folder.path(), &config).err().unwrap();
    assert!(matches!(error, RunError::Exists { .. }), "{error}");
    assert!(remains(folder.path()) == expected);
    let empty = tempfile::tempdir().unwrap();
    assert!(matches!(
        Run::open(empty.path()).err().unwrap(),
        RunError::NotARun { .. }
    ));
}

#[test]
fn the_proof_is_played_on_other_openings_and_kept() {
    let config = config(&[]);
    let (folder, before) = whole(&config, 2);
    let run = Run::open(folder.path()).unwrap();
    let validations = verify(run, &Resources::threads(2), &Control::new(), &mut |_, _| {})
        .unwrap()
        .unwrap();
    assert!(
        !validations.is_empty() && validations.iter().all(|validation| validation.games == 4),
        "{validations:?}"
    );
    assert!(
        validations
            .iter()
            .any(|validation| validation.recommended && validation.against == "start")
    );
    // Nothing is played twice, and tuning is not disturbed.
    let run = Run::open(folder.path()).unwrap();
    let mut played = 0;
    let again = verify(run, &Resources::threads(2), &Control::new(), &mut |_, _| {
        played += 1;
    })
    .unwrap()
    .unwrap();
    assert_eq!((again, played), (validations.clone(), 0));
    assert!(remains(folder.path()).1 == before.1);
    let view = View::open(folder.path()).unwrap();
    let status = view.status().unwrap();
    assert_eq!((status.state, status.verify), ("verified", validations));
    let opening = |game: &Game| {
        game.moves
            .split(' ')
            .take(game.given as usize)
            .map(str::to_owned)
            .collect::<Vec<_>>()
    };
    let tuning: Vec<_> = before.1.iter().map(opening).collect();
    let verify_run = view.store.runs().unwrap()[1].id;
    for game in view.store.games(verify_run).unwrap() {
        assert!(
            !tuning.contains(&opening(&game)),
            "game {} of the validation",
            game.number
        );
    }
}

#[test]
fn parameters_may_be_frozen_between_sittings() {
    freeze_in_the_middle(&config(&[]));
    let sets = [
        "method=spsa",
        "directions=4",
        "games=2",
        "lag=20",
        "generations=9",
    ];
    freeze_in_the_middle(&config(&sets));
}

fn freeze_in_the_middle(config: &Config) {
    let folder = tempfile::tempdir().unwrap();
    let mut run = Run::create(folder.path(), config).unwrap();
    let control = Control::new();
    let mut games = 0;
    let mut watch = |event: &Event<'_>| {
        games += u32::from(matches!(event, Event::Job { .. }));
        if games == 40 {
            control.stop();
        }
    };
    assert_eq!(
        run.advance(&Resources::threads(1), &control, &mut watch).unwrap(),
        Stop::Interrupted
    );
    drop(run);
    let mut run = Run::open(folder.path()).unwrap();
    let freeze = |space: &Space| {
        let mut dimensions = space.dimensions().to_vec();
        dimensions[3] = dimensions[3].clone().frozen_at(500.0);
        Ok(Space::constrained(dimensions, space.constraints().to_vec())?)
    };
    assert_eq!(
        run.respace(freeze, &Resources::threads(2), &Control::new())
            .unwrap(),
        Stop::Finished
    );
    assert_eq!(
        run.advance(&Resources::threads(2), &Control::new(), &mut |_| {})
            .unwrap(),
        Stop::Finished
    );
    let last = run.optimizer().population();
    assert!(last.iter().all(|champion| champion.vector[3] == 500.0));
    drop(run);
    let reopened = Run::open(folder.path()).unwrap();
    assert_eq!(reopened.tunables().space().degrees(), 15);
}

#[test]
fn games_against_fixed_opponents_are_values() {
    let sets = [
        "kind=opponents",
        "opponents=[\"start\", \"random:seed=1\"]",
        "games=4",
        "paired=true",
    ];
    let config = config(&sets);
    let (folder, (_, games, players)) = whole(&config, 2);
    assert!(players.iter().any(|p| p == "start") && players.iter().any(|p| p.starts_with("random")));
    assert!(games.len() >= 4 * 15);
    // Everybody of a round meets the same openings.
    let openings = |from: usize| -> Vec<String> {
        let moves = |game: &Game| game.moves.split(' ').take(8).collect::<Vec<_>>().join(" ");
        games[from..from + 4].iter().map(moves).collect()
    };
    assert_eq!(openings(0), openings(4));
    let population = View::open(folder.path()).unwrap().optimizer.unwrap().population();
    assert!(population.iter().all(|c| (0.0..=1.0).contains(&c.score)));
}

#[test]
fn a_store_of_another_kind_is_refused_and_kept() {
    let config = config(&[]);
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join(STORE_FILE),
        "not a store at all, but somebody's text\n",
    )
    .unwrap();
    let error = Run::create(folder.path(), &config).err().unwrap().to_string();
    assert!(error.contains("is not a store"), "{error}");
    let text = std::fs::read_to_string(folder.path().join(STORE_FILE)).unwrap();
    assert!(text.starts_with("not a store"));
}

/// A method that has found what it sought before its budget is used up has finished.
#[test]
fn a_method_that_needs_less_than_its_budget_has_finished() {
    let config = config(&["kind=texel", "method=newton", "self_play=10", "generations=500"]);
    let (folder, _) = whole(&config, 2);
    let store = Store::open_read_only(&folder.path().join(STORE_FILE)).unwrap();
    let done = Progress::of(&store, &config, false).unwrap().unwrap();
    assert!(done.generation < Some(500), "{done:?}");
    assert_eq!(
        (done.standing, done.phase, done.share),
        (Standing::Finished, Phase::Done, 1.0)
    );
}

/// Texel's method on games of our own: the same positions, the same vector, for any number of threads and sessions.
#[test]
fn own_games_make_texels_positions() {
    let sets = [
        "kind=texel",
        "method=newton",
        "self_play=10",
        "generations=2",
        "objective.lambda=[1, 0.8]",
        "prior=[0.2, 0.02]",
    ];
    let config = config(&sets);
    let (folder, expected) = whole(&config, 1);
    assert_eq!(
        (expected.1.len(), expected.2.as_slice()),
        (10, &["start".to_owned()][..])
    );
    for threads in [2, 8] {
        assert!(whole(&config, threads).1 == expected, "{threads} threads");
    }
    let stopped = tempfile::tempdir().unwrap();
    drop(Run::create(stopped.path(), &config).unwrap());
    // How many games are over before a stop is heard is a matter of the machine; what was stopped is not.
    let mut stopped_while = BTreeSet::new();
    loop {
        let control = Control::new();
        let mut watch = |event: &Event<'_>| {
            let stops = match event {
                Event::Preparing { .. } => {
                    stopped_while.insert("preparing");
                    true
                }
                // A choice is made in one session.
                Event::Tried { .. } => stopped_while.insert("choosing"),
                Event::Generation { .. } => {
                    stopped_while.insert("tuning");
                    true
                }
                Event::Job { .. } => false,
            };
            if stops {
                control.stop();
            }
        };
        let mut run = Run::open(stopped.path()).unwrap();
        if run.advance(&Resources::threads(1), &control, &mut watch).unwrap() == Stop::Finished {
            break;
        }
    }
    assert_eq!(Vec::from_iter(stopped_while), ["choosing", "preparing", "tuning"]);
    assert!(remains(stopped.path()) == expected);
    let view = View::open(folder.path()).unwrap();
    let (first, last) = (
        view.generations[0].fit.unwrap(),
        view.status().unwrap().fit.unwrap(),
    );
    assert!(
        last.loss < first.loss && last.kept_out_positions > 0,
        "{first:?} {last:?}"
    );
    let tried = view.status().unwrap().tried;
    let combinations: Vec<(f64, f64)> = tried.iter().map(|one| (one.lambda, one.prior)).collect();
    assert_eq!(combinations, [(1.0, 0.2), (1.0, 0.02), (0.8, 0.2), (0.8, 0.02)]);
    assert!(tried.iter().all(|one| one.kept_out_results.is_some()));
    let elsewhere = View::open(stopped.path()).unwrap().status().unwrap().tried;
    assert_eq!(elsewhere, tried);
    let openings: std::collections::HashSet<&str> =
        expected.1.iter().map(|game| game.moves.as_str()).collect();
    assert_eq!(openings.len(), 10, "a game was played twice");
    assert_eq!(view.results().unwrap().unwrap().recommended, "value");
}

#[test]
fn a_store_of_another_version_is_refused_and_kept() {
    let (folder, _) = whole(&config(&[]), 2);
    let path = folder.path().join(STORE_FILE);
    let store = Store::open(&path).unwrap();
    store
        .with_connection(|connection| connection.pragma_update(None, "user_version", 99))
        .unwrap();
    drop(store);
    let before = std::fs::read(&path).unwrap();
    for error in [
        Run::open(folder.path()).err().unwrap(),
        View::open(folder.path()).err().unwrap(),
    ] {
        assert!(error.to_string().contains("is a store of version 99"), "{error}");
    }
    assert!(
        std::fs::read(&path).unwrap() == before,
        "a refused store was written to"
    );
}

/// Games from positions that a base knows are over before they begin. Needs the tables of `VIDMAR_DATA`.
#[test]
fn syzygy_tables_end_tuning_games() {
    let Some(data) = std::env::var_os("VIDMAR_DATA") else {
        println!("skipped: VIDMAR_DATA is not set");
        return;
    };
    let folder = Path::new(&data).join("syzygy");
    let mut file = tempfile::Builder::new().suffix(".epd").tempfile().unwrap();
    // Bishop and knight mate, which the bases built in do not know.
    let text = "8/8/8/3k4/8/8/8/K1BN4 w - - id \"mate\";\n".repeat(8);
    std::io::Write::write_all(&mut file, text.as_bytes()).unwrap();
    let sets = [
        "openings.source=file".to_owned(),
        format!("openings.file={}", file.path().display()),
        format!("tablebases={}", folder.display()),
    ];
    let sets: Vec<&str> = sets.iter().map(String::as_str).collect();
    let (_, (_, games, _)) = whole(&config(&sets), 2);
    assert!(games.len() > 10);
    for game in &games {
        let won = Some(vidmar_chess::Outcome::WHITE_WINS);
        assert_eq!(
            (game.result, game.moves.as_str()),
            (won, ""),
            "{}",
            game.termination
        );
    }
}

/// Stop rules end a run between two rounds; resumed it stays ended, stopped and killed on the way it ends in the same place, and with
/// another budget it goes on.
#[test]
fn rules_end_a_run_early_and_in_the_same_place() {
    let sets = ["generations=40", "stop.no_gain_after=40"];
    let config = config(&sets);
    let (folder, expected) = whole(&config, 2);
    let view = View::open(folder.path()).unwrap();
    let status = view.status().unwrap();
    assert!(status.generation < 40, "{} generations", status.generation);
    assert_eq!(status.state, "tuned");
    let why = status.ended.unwrap();
    assert!(
        why.contains("less than its error, as stop.no_gain_after says"),
        "{why}"
    );
    let progress = Progress::of(&view.store, &config, false).unwrap().unwrap();
    assert_eq!(progress.phase, Phase::Done);
    drop(view);
    let stopped = tempfile::tempdir().unwrap();
    drop(Run::create(stopped.path(), &config).unwrap());
    loop {
        let control = Control::new();
        let mut watch = |event: &Event<'_>| {
            if matches!(event, Event::Generation { .. }) {
                control.stop();
            }
        };
        let mut run = Run::open(stopped.path()).unwrap();
        if run.advance(&Resources::threads(2), &control, &mut watch).unwrap() == Stop::Finished {
            break;
        }
    }
    assert!(remains(stopped.path()) == expected);
    // Ended is ended; until somebody wants more.
    let mut run = Run::open(folder.path()).unwrap();
    let games = run.optimizer().jobs();
    run.advance(&Resources::threads(2), &Control::new(), &mut |_| {})
        .unwrap();
    assert_eq!(run.optimizer().jobs(), games);
    let longer = Budget {
        generations: 41,
        total_games: 0,
    };
    run.rebudget(longer).unwrap();
    run.advance(&Resources::threads(2), &Control::new(), &mut |_| {})
        .unwrap();
    assert!(run.optimizer().jobs() > games);
}

/// Games of rounds that are not learned from yet have no say in it, however many there are.
#[test]
fn a_rule_ends_a_late_run_in_the_same_place() {
    let sets = ["method=spsa", "directions=2", "games=2", "lag=20"];
    let config = config(&[&sets[..], &["generations=60", "stop.no_gain_after=24"]].concat());
    // The state that it ended with, and what the games said.
    let end = |threads: usize| {
        let (folder, (states, ..)) = whole(&config, threads);
        let store = Store::open_read_only(&folder.path().join(STORE_FILE)).unwrap();
        let run = store.runs().unwrap()[0].id;
        (states, store.latest_checkpoint(run, "ended").unwrap().unwrap())
    };
    let one = end(1);
    assert!(one.0.len() < 60, "{} generations", one.0.len());
    for threads in [2, 8] {
        assert!(end(threads) == one, "{threads} threads");
    }
}

/// A run that may take no more than a second ends with the round that was open, and says so.
#[test]
fn time_ends_a_run() {
    let (folder, _) = whole(&config(&["generations=1000000", "stop.seconds=1"]), 1);
    let status = View::open(folder.path()).unwrap().status().unwrap();
    assert_eq!(status.state, "tuned");
    let why = status.ended.unwrap();
    assert!(why.ends_with("as stop.seconds says"), "{why}");
}
