//! Whole matches of built-in and misbehaving players.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use vidmar_arena::archive::{PgnStyle, pgn_of};
use vidmar_arena::{
    Decision, Ended, FaultPolicy, Finished, Match, MatchError, MatchEvent, MatchPlayer, Openings, Plan,
    RandomWalks, Rules, Schedule, Sprt, SprtModel, ThreadExecutor, TimeControl, Tournament,
};
use vidmar_chess::Game;
use vidmar_engine::{Control, Limits};
use vidmar_players::{Fault, FaultKind, MoveLimits, Player, PlayerSpec, RandomThinker, Reply, ThinkerPlayer};
use vidmar_store::{Batch, RunId, Store, StoreError};

/// When a player misbehaves, by its name, the seed of the game and how often it has begun that game.
type Mischief = dyn Fn(&str, u64, u32) -> Option<FaultKind> + Send + Sync;

/// A player by chance that can be made to fail, and that takes an uneven time so that games finish out of order.
struct Troublemaker {
    name: String,
    inner: ThinkerPlayer,
    mischief: Arc<Mischief>,
    seed: u64,
    begun: u32,
    moves: u32,
}

impl Player for Troublemaker {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, chess960: bool, seed: u64) -> Result<(), Fault> {
        self.begun = if self.seed == seed { self.begun + 1 } else { 0 };
        self.seed = seed;
        self.moves = 0;
        self.inner.new_game(chess960, seed)
    }

    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Result<Reply, Fault> {
        self.moves += 1;
        if self.moves == 5 {
            std::thread::sleep(Duration::from_millis(self.seed % 7));
            if let Some(kind) = (self.mischief)(&self.name, self.seed, self.begun) {
                return Err(Fault::new(kind, "asked for"));
            }
        }
        self.inner.choose(game, limits, control)
    }
}

/// A player whose name tells the executor what it is.
fn player(name: &str) -> MatchPlayer {
    MatchPlayer {
        name: name.to_owned(),
        spec: "random".parse::<PlayerSpec>().unwrap().named(name),
        limits: TimeControl::default(),
        restart: false,
    }
}

/// So many threads, in which players by chance misbehave as `mischief` says; it is told their names.
fn workers(
    count: usize,
    mischief: impl Fn(&str, u64, u32) -> Option<FaultKind> + Send + Sync + 'static,
) -> ThreadExecutor {
    let mischief: Arc<Mischief> = Arc::new(mischief);
    let make = move |spec: &PlayerSpec| {
        if spec.name() == "nobody" {
            return Err(Fault::new(FaultKind::Start, "no such program"));
        }
        Ok(Box::new(Troublemaker {
            name: spec.name(),
            inner: ThinkerPlayer::new(Box::new(RandomThinker::default()), MoveLimits::default(), 1),
            mischief: Arc::clone(&mischief),
            seed: u64::MAX,
            begun: 0,
            moves: 0,
        }) as Box<dyn Player>)
    };
    ThreadExecutor::new(NonZeroUsize::new(count).unwrap()).with_players(Arc::new(make))
}

/// So many threads with players that behave.
fn honest(count: usize) -> ThreadExecutor {
    workers(count, |_, _, _| None)
}

fn contest(names: &[&str], rounds: u64) -> Match {
    let plan = Plan {
        rounds,
        ..Plan::default()
    };
    Match {
        schedule: Schedule::new(plan, names.len()).unwrap(),
        players: names.iter().map(|name| player(name)).collect(),
        openings: Openings::walk(RandomWalks { plies: 4, seed: 1 }),
        rules: Rules {
            max_moves: Some(60),
            ..Rules::default()
        },
        faults: FaultPolicy::Replay,
        sprt: None,
        paired: true,
        seed: 42,
        keeps_pvs: false,
    }
}

fn begin(path: &Path, contest: &Match) -> (Store, RunId) {
    let mut store = Store::open(path).unwrap();
    let run = store.begin_run("match", "{}").unwrap();
    let players = contest
        .players
        .iter()
        .enumerate()
        .map(|(index, player)| vidmar_store::Player::new(index as u32, &player.name))
        .collect();
    store
        .commit(&Batch {
            players,
            ..Batch::new(run)
        })
        .unwrap();
    (store, run)
}

fn play_all(contest: &Match, executor: &ThreadExecutor) -> (Finished, RunId, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let (store, run) = begin(&folder.path().join("games.db"), contest);
    let control = Control::new();
    let finished = contest.play(store, run, executor, &control, &mut |_| {}).unwrap();
    assert!(!control.is_stopped(), "the next match would not begin");
    (finished, run, folder)
}

/// The same in a new folder, stopped whenever so many games have ended and resumed; how often it was stopped comes with it.
fn play_in_sittings(
    contest: &Match,
    executor: &ThreadExecutor,
    games: u32,
) -> (Finished, RunId, u32, tempfile::TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let (mut store, run) = begin(&path, contest);
    let mut stops = 0;
    loop {
        let control = Control::new();
        let mut seen = 0;
        let finished = contest
            .play(store, run, executor, &control, &mut |event| {
                if let MatchEvent::Game { .. } = event {
                    seen += 1;
                    if seen == games {
                        control.stop();
                    }
                }
            })
            .unwrap();
        if finished.ended == Ended::Complete {
            return (finished, run, stops, folder);
        }
        assert_eq!(finished.ended, Ended::Stopped);
        stops += 1;
        drop(finished);
        store = Store::open(&path).unwrap();
    }
}

/// All games that count, as PGN without times.
fn exported(finished: &Finished, run: RunId) -> String {
    let players = finished.store.players(run).unwrap();
    let style = PgnStyle {
        no_times: true,
        ..PgnStyle::default()
    };
    let games = finished.store.games(run).unwrap();
    let counted = games
        .iter()
        .filter(|game| game.number < finished.scoreboard.counted());
    counted
        .map(|game| pgn_of(game, &players, &style).unwrap().to_pgn(79).unwrap())
        .collect()
}

#[test]
fn any_number_of_workers_plays_the_same_games() {
    let play = |workers| {
        let contest = contest(&["a", "b", "c"], 4);
        let (finished, run, _folder) = play_all(&contest, &honest(workers));
        assert_eq!(finished.ended, Ended::Complete);
        assert_eq!(finished.store.run(run).unwrap().state, "finished");
        (exported(&finished, run), finished.scoreboard.standings())
    };
    let (games, standings) = play(1);
    assert_eq!(standings.games, 24);
    assert_eq!(games.matches("[White ").count(), 24);
    for workers in [2, 8] {
        assert_eq!(
            play(workers),
            (games.clone(), standings.clone()),
            "{workers} workers"
        );
    }
}

#[test]
fn stopped_and_resumed_is_as_never_stopped() {
    // So many games that the workers, who go on until they see the stop, cannot have played them all before the third.
    let contest = contest(&["a", "b"], 100);
    let executor = honest(3);
    let (whole, run, _folder) = play_all(&contest, &executor);
    let (finished, resumed, stops, _folder) = play_in_sittings(&contest, &executor, 4);
    assert!(stops >= 3, "stopped {stops} times");
    assert_eq!(exported(&finished, resumed), exported(&whole, run));
    assert_eq!(finished.scoreboard.standings(), whole.scoreboard.standings());
}

/// Winners meet winners; the games and the winner are the same for any number of workers, stopped and resumed or not.
#[test]
fn a_knockout_goes_on_with_the_winners() {
    let names = ["a", "b", "c", "d", "e"];
    let mut contest = contest(&names, 2);
    let plan = Plan {
        tournament: Tournament::Knockout,
        ..Plan::default()
    };
    contest.schedule = Schedule::new(plan, names.len()).unwrap();
    let (whole, run, _folder) = play_all(&contest, &honest(1));
    assert_eq!(whole.ended, Ended::Complete);
    assert_eq!(whole.scoreboard.len(), 16);
    let mut schedule = contest.schedule.clone();
    assert_eq!(schedule.known_games(), 4);
    while schedule.advance(whole.scoreboard.games()) {}
    let ties = schedule.ties(whole.scoreboard.games());
    assert_eq!(ties.iter().map(|tie| tie.round).collect::<Vec<_>>(), [0, 1, 1, 2]);
    assert_eq!(ties[0].players, [3, 4]);
    let of_first_round = [0, 1, 2, ties[0].winner.unwrap()];
    for tie in &ties[1..3] {
        assert!(
            tie.players.iter().all(|player| of_first_round.contains(player)),
            "{ties:?}"
        );
    }
    let finalists = [ties[1].winner.unwrap(), ties[2].winner.unwrap()];
    assert!(
        ties[3].players.iter().all(|player| finalists.contains(player)),
        "{ties:?}"
    );
    assert!(ties[3].winner.is_some());
    for (number, game) in whole.scoreboard.games() {
        let tie = &ties[*number as usize / 4];
        let of_game = [game.white as usize, game.black as usize];
        assert!(
            tie.players.iter().all(|player| of_game.contains(player)),
            "game {number}"
        );
        assert_eq!(game.round, tie.round as u64);
    }

    let (finished, resumed, _, _folder) = play_in_sittings(&contest, &honest(3), 3);
    assert_eq!(exported(&finished, resumed), exported(&whole, run));
}

#[test]
fn faults_are_replayed_scored_or_dropped_as_asked() {
    // Every third game of "b" crashes; the first time only, or every time.
    let crash = |always: bool| {
        move |name: &str, seed: u64, begun: u32| {
            let crashes = name == "b" && (begun == 0 || always) && seed.is_multiple_of(3);
            crashes.then_some(FaultKind::Crash)
        }
    };
    let play = |faults, always| {
        let mut contest = contest(&["a", "b"], 10);
        contest.faults = faults;
        let crashing = (0..20)
            .filter(|&number| contest.task(number).setup.seed.is_multiple_of(3))
            .count() as u64;
        assert!((3..=12).contains(&crashing), "{crashing}");
        let (finished, run, folder) = play_all(&contest, &workers(2, crash(always)));
        let kinds = finished.store.faults(run).unwrap();
        assert!(
            kinds
                .iter()
                .all(|fault| fault.kind == "crash" && fault.player == 1)
        );
        drop(folder);
        (finished.scoreboard.standings(), kinds.len() as u64, crashing)
    };
    let (standings, faults, crashing) = play(FaultPolicy::Replay, false);
    assert_eq!((standings.games, standings.unscored, faults), (20, 0, crashing));
    assert_eq!(
        (standings.players[0].faults(), standings.players[1].faults()),
        (0, crashing)
    );

    let (standings, faults, _) = play(FaultPolicy::Replay, true);
    assert_eq!(
        (standings.games, standings.unscored, faults),
        (20 - crashing, crashing, 3 * crashing)
    );

    let (standings, faults, _) = play(FaultPolicy::Drop, true);
    assert_eq!(
        (standings.games, standings.unscored, faults),
        (20 - crashing, crashing, crashing)
    );

    let (standings, faults, _) = play(FaultPolicy::Loss, true);
    assert_eq!((standings.games, standings.unscored, faults), (20, 0, crashing));
    assert!(standings.players[1].tally.losses >= crashing);
}

#[test]
fn a_player_that_cannot_start_ends_the_match() {
    let contest = contest(&["a", "nobody"], 3);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let (store, run) = begin(&path, &contest);
    let error = contest
        .play(store, run, &honest(2), &Control::new(), &mut |_| {})
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "nobody cannot be started: start: no such program"
    );
    let store = Store::open(&path).unwrap();
    assert_eq!(store.run(run).unwrap().state, "paused");
}

#[test]
fn a_full_disk_ends_the_match_and_loses_nothing() {
    let contest = contest(&["a", "b"], 60);
    let executor = honest(2);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("games.db");
    let (store, run) = begin(&path, &contest);
    store
        .with_connection(|connection| connection.pragma_update(None, "max_page_count", 40))
        .unwrap();
    let reported = AtomicU64::new(0);
    let error = contest
        .play(store, run, &executor, &Control::new(), &mut |event| {
            if let MatchEvent::Game { .. } = event {
                reported.fetch_add(1, Ordering::Relaxed);
            }
        })
        .unwrap_err();
    assert_eq!(error, MatchError::Store(StoreError::Full { path: path.clone() }));
    let store = Store::open(&path).unwrap();
    let kept = store.finished(run).unwrap().len() as u64;
    assert!(kept > 0 && kept >= reported.into_inner(), "{kept}");
    let finished = contest
        .play(store, run, &executor, &Control::new(), &mut |_| {})
        .unwrap();
    assert_eq!(
        (finished.ended, finished.scoreboard.len()),
        (Ended::Complete, 120)
    );
}

/// "b" gives every game up by breaking the rules, so that the test is decided soon.
#[test]
fn a_test_decides_the_same_for_any_number_of_workers() {
    let play = |count| {
        let executor = workers(count, |name, seed, _| {
            (name == "b" && seed % 4 > 0).then_some(FaultKind::IllegalMove)
        });
        let mut contest = contest(&["a", "b"], 500);
        contest.faults = FaultPolicy::Loss;
        contest.sprt = Some(Sprt::new(0.0, 50.0, 0.05, 0.05, SprtModel::Logistic).unwrap());
        let (finished, run, folder) = play_all(&contest, &executor);
        assert_eq!(finished.ended, Ended::Decided(Decision::H1));
        let counted = finished.scoreboard.counted();
        assert!(counted < 200 && finished.scoreboard.len() >= counted, "{counted}");
        assert!(finished.scoreboard.ratio().unwrap() >= 2.94);
        let text = exported(&finished, run);
        assert_eq!(text.matches("[White ").count() as u64, counted);
        let standings = finished.scoreboard.standings();
        // Asking again plays nothing more and says the same.
        let again = contest
            .play(
                finished.store,
                run,
                &executor,
                &Control::new(),
                &mut |_| unreachable!(),
            )
            .unwrap();
        assert_eq!(
            (again.ended, again.scoreboard.counted()),
            (Ended::Decided(Decision::H1), counted)
        );
        drop(folder);
        (text, standings, counted)
    };
    let one = play(1);
    assert_eq!(play(2), one);
    assert_eq!(play(8), one);
}
