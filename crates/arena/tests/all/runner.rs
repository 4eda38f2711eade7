//! Lists of games: the same for any number of threads, whatever players do, and never without an end.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use vidmar_arena::{
    Completion, Executor, ExecutorError, FaultPolicy, Feed, GameSetup, GameTask, MOST_ATTEMPTS,
    MissingPlayers, Opening, PlayedGame, Rules, Runner, RunnerError, Sink, TaskPlayer, TaskQueue,
    ThreadExecutor,
};
use vidmar_chess::{ByColor, Color, Game, Outcome, Termination};
use vidmar_engine::{Control, Limits};
use vidmar_players::{
    EngineCommand, Fault, FaultKind, MoveLimits, Player, PlayerSpec, Protocol, RandomThinker, Reply,
    ThinkerPlayer,
};

/// How often players were made, and how often restarted.
#[derive(Default)]
struct Counts {
    made: AtomicUsize,
    restarted: AtomicUsize,
}

/// A player by chance whose name says what it does at its fifth move.
struct Actor {
    inner: ThinkerPlayer,
    part: String,
    counts: Arc<Counts>,
    begun: u32,
    moves: u32,
}

impl Player for Actor {
    fn name(&self) -> &str {
        &self.part
    }

    fn new_game(&mut self, chess960: bool, seed: u64) -> Result<(), Fault> {
        self.begun += 1;
        self.moves = 0;
        self.inner.new_game(chess960, seed)
    }

    fn choose(&mut self, game: &Game, limits: &Limits, control: &Control) -> Result<Reply, Fault> {
        self.moves += 1;
        if self.moves == 5 {
            match self.part.as_str() {
                "crashes" => return Err(Fault::new(FaultKind::Crash, "as asked")),
                "crashes first" if self.begun == 1 => return Err(Fault::new(FaultKind::Crash, "as asked")),
                "dies" | "dies once" if self.counts.restarted.load(Ordering::Relaxed) == 0 => {
                    return Err(Fault::new(FaultKind::Crash, "as asked"));
                }
                "panics" => panic!("on purpose"),
                _ => {}
            }
        }
        self.inner.choose(game, limits, control)
    }

    fn restart(&mut self) -> Result<(), Fault> {
        self.counts.restarted.fetch_add(1, Ordering::Relaxed);
        if self.part.starts_with("dies") {
            return Err(Fault::new(FaultKind::Start, "gone"));
        }
        Ok(())
    }
}

fn threads(count: usize, counts: &Arc<Counts>) -> ThreadExecutor {
    let counts = Arc::clone(counts);
    let make = move |spec: &PlayerSpec| {
        counts.made.fetch_add(1, Ordering::Relaxed);
        let part = spec.name();
        let is_gone = part == "dies" && counts.restarted.load(Ordering::Relaxed) > 0;
        if part == "missing" || is_gone {
            return Err(Fault::new(FaultKind::Start, "no such program"));
        }
        Ok(Box::new(Actor {
            inner: ThinkerPlayer::new(Box::new(RandomThinker::default()), MoveLimits::default(), 1),
            part,
            counts: Arc::clone(&counts),
            begun: 0,
            moves: 0,
        }) as Box<dyn Player>)
    };
    ThreadExecutor::new(NonZeroUsize::new(count).unwrap()).with_players(Arc::new(make))
}

fn task(number: u64, white: &str, black: &str) -> GameTask {
    let player =
        |index, part: &str| TaskPlayer::new(index, "random".parse::<PlayerSpec>().unwrap().named(part));
    GameTask {
        number,
        round: 0,
        players: ByColor::new(player(0, white), player(1, black)),
        setup: GameSetup {
            rules: Rules {
                max_moves: Some(20),
                ..Rules::default()
            },
            seed: number,
            ..GameSetup::default()
        },
    }
}

fn collected(
    executor: &dyn Executor,
    faults: FaultPolicy,
    tasks: Vec<GameTask>,
) -> Result<Vec<PlayedGame>, RunnerError<std::convert::Infallible>> {
    let runner = Runner {
        executor,
        faults,
        missing: MissingPlayers::AreFaults,
    };
    let mut games = runner.collect(tasks, &Control::new(), &mut |_| {})?.unwrap();
    for game in &mut games {
        for ply in &mut game.record.moves {
            ply.info.time = Duration::ZERO;
        }
    }
    Ok(games)
}

#[test]
fn any_number_of_threads_plays_the_same_games_with_few_players() {
    let tasks: Vec<GameTask> = (0..30).map(|number| task(number, "plays", "plays")).collect();
    let play = |count| {
        let counts = Arc::default();
        let games = collected(&threads(count, &counts), FaultPolicy::Replay, tasks.clone()).unwrap();
        let made = counts.made.load(Ordering::Relaxed);
        assert!(made <= 2 * count, "{made} players were made for {count} threads");
        assert_eq!(counts.restarted.load(Ordering::Relaxed), 0);
        games
    };
    let games = play(1);
    assert!(games.iter().map(|game| game.task.number).eq(0..30));
    assert_eq!(play(2), games);
    assert_eq!(play(8), games);
}

#[test]
fn a_player_is_restarted_if_it_asks_for_it() {
    let counts = Arc::default();
    let mut tasks: Vec<GameTask> = (0..10).map(|number| task(number, "plays", "other")).collect();
    for task in &mut tasks {
        task.players[Color::Black].restart = true;
    }
    collected(&threads(1, &counts), FaultPolicy::Replay, tasks).unwrap();
    assert_eq!(counts.made.load(Ordering::Relaxed), 2);
    assert_eq!(counts.restarted.load(Ordering::Relaxed), 9);
}

#[test]
fn faults_are_replayed_lost_or_dropped() {
    let play = |faults, part| {
        let games = collected(&threads(1, &Arc::default()), faults, vec![task(0, "plays", part)]).unwrap();
        let record = games[0].record.clone();
        let attempts: Vec<u32> = record.faults.iter().map(|fault| fault.attempt).collect();
        assert!(record.faults.iter().all(|fault| fault.side == Color::Black));
        (record.outcome, record.termination, attempts)
    };
    let ended = Termination::Fault(Color::Black);
    let all: Vec<u32> = (0..MOST_ATTEMPTS).collect();
    assert_eq!(play(FaultPolicy::Replay, "crashes"), (None, ended, all));
    assert_eq!(play(FaultPolicy::Drop, "crashes"), (None, ended, vec![0]));
    assert_eq!(
        play(FaultPolicy::Loss, "crashes"),
        (Some(Outcome::win(Color::White)), ended, vec![0])
    );
    let (outcome, termination, attempts) = play(FaultPolicy::Replay, "crashes first");
    assert!(outcome.is_some() && termination != ended, "{termination:?}");
    assert_eq!(attempts, [0]);
}

#[test]
fn a_player_that_is_not_there_is_a_fault_or_the_end() {
    let executor = threads(1, &Arc::default());
    let tasks = || vec![task(0, "plays", "missing"), task(1, "plays", "plays")];
    let games = collected(&executor, FaultPolicy::Replay, tasks()).unwrap();
    assert_eq!(games[0].record.unavailable, Some(Color::Black));
    assert_eq!(games[0].record.faults.len(), MOST_ATTEMPTS as usize);
    assert!(games[1].record.outcome.is_some());
    let runner = Runner {
        executor: &executor,
        faults: FaultPolicy::Replay,
        missing: MissingPlayers::EndTheRun,
    };
    let error = runner.collect(tasks(), &Control::new(), &mut |_| {}).unwrap_err();
    let fault = Fault::new(FaultKind::Start, "no such program");
    assert_eq!(error, RunnerError::Start { index: 1, fault });
}

/// Keeps what is committed.
#[derive(Default)]
struct Kept(Vec<PlayedGame>);

impl Sink for Kept {
    type Error = std::convert::Infallible;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), Self::Error> {
        self.0.extend(games);
        Ok(())
    }
}

#[test]
fn a_player_that_does_not_come_back_costs_some_games_and_not_all() {
    let play = |part: &str| {
        let executor = threads(1, &Arc::default());
        let runner = Runner {
            executor: &executor,
            faults: FaultPolicy::Loss,
            missing: MissingPlayers::EndAfter(4),
        };
        let tasks: Vec<GameTask> = (0..12).map(|number| task(number, "plays", part)).collect();
        let mut kept = Kept::default();
        let ended = runner.run(tasks, &mut kept, &Control::new());
        let lost = |game: &PlayedGame| game.record.ended_by_fault() == Some(Color::Black);
        let faults = kept.0.iter().filter(|game| lost(game)).count();
        (ended, kept.0.len(), faults)
    };
    // A crash and a failed restart are one lost game; the next one starts it again.
    assert_eq!(play("dies once"), (Ok(Completion::Complete), 12, 1));
    // The game that it died in and two more; the fourth in a row ends the run.
    let fault = Fault::new(FaultKind::Start, "no such program");
    let gone = RunnerError::Start { index: 1, fault };
    assert_eq!(play("dies"), (Err(gone.clone()), 3, 3));
    // One that was never there ends it at once.
    assert_eq!(play("missing"), (Err(gone), 0, 0));
}

#[test]
fn a_panic_ends_the_run_and_does_not_hang_it() {
    for count in [1, 3] {
        let tasks = (0..100)
            .map(|number| task(number, "plays", if number == 4 { "panics" } else { "plays" }))
            .collect();
        let error = collected(&threads(count, &Arc::default()), FaultPolicy::Replay, tasks).unwrap_err();
        let expected = ExecutorError::Panicked("on purpose".to_owned());
        assert_eq!(error, RunnerError::Executor(expected));
    }
}

#[test]
fn a_task_that_is_never_answered_is_noticed() {
    struct Forgetful;
    impl Executor for Forgetful {
        fn execute(&self, feed: &Feed<'_>, _control: &Control) {
            drop(feed.next());
        }
    }
    let error = collected(&Forgetful, FaultPolicy::Replay, vec![task(0, "plays", "plays")]).unwrap_err();
    assert_eq!(error, RunnerError::Executor(ExecutorError::Unanswered(1)));
}

/// Takes so many games, then fails or asks for the end.
struct Bounded<'a> {
    taken: Vec<u64>,
    most: usize,
    then: Then,
    control: &'a Control,
}

/// What a sink that is full does.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Then {
    SaysStop,
    IsSatisfied,
    Fails,
}

impl Sink for Bounded<'_> {
    type Error = &'static str;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), &'static str> {
        self.taken.extend(games.iter().map(|game| game.task.number));
        match self.then {
            _ if self.taken.len() < self.most => {}
            Then::SaysStop => self.control.stop(),
            Then::IsSatisfied => {}
            Then::Fails => return Err("full"),
        }
        Ok(())
    }

    fn is_satisfied(&self) -> bool {
        self.then == Then::IsSatisfied && self.taken.len() >= self.most
    }
}

#[test]
fn games_without_end_are_made_as_they_are_needed_until_somebody_says_stop() {
    let executor = threads(2, &Arc::default());
    let runner = Runner {
        executor: &executor,
        faults: FaultPolicy::Replay,
        missing: MissingPlayers::EndTheRun,
    };
    for then in [Then::SaysStop, Then::IsSatisfied, Then::Fails] {
        let control = Control::new();
        let mut sink = Bounded {
            taken: Vec::new(),
            most: 20,
            then,
            control: &control,
        };
        let ended = runner.run(
            (0..).map(|number| task(number, "plays", "plays")),
            &mut sink,
            &control,
        );
        let expected = match then {
            Then::SaysStop | Then::IsSatisfied => Ok(Completion::Stopped),
            Then::Fails => Err(RunnerError::Sink("full")),
        };
        assert_eq!(ended, expected);
        // The caller may have other games to play.
        assert_eq!(control.is_stopped(), then == Then::SaysStop);
        assert!(sink.taken.len() >= 20);
    }
}

/// Adds a task for every game that is committed, up to a number, and then closes the queue, or fails, or says stop.
struct Following<'a> {
    queue: &'a TaskQueue,
    taken: Vec<u64>,
    most: u64,
    then: Option<Then>,
    control: &'a Control,
}

impl Sink for Following<'_> {
    type Error = &'static str;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), &'static str> {
        for game in games {
            self.taken.push(game.task.number);
            let next = self.taken.len() as u64;
            if next < self.most {
                self.queue.extend([task(next, "plays", "plays")]);
            }
        }
        match self.then {
            _ if (self.taken.len() as u64) < self.most => {}
            None => self.queue.close(),
            Some(Then::Fails) => return Err("full"),
            Some(Then::SaysStop) => self.control.stop(),
            Some(Then::IsSatisfied) => {}
        }
        Ok(())
    }

    fn is_satisfied(&self) -> bool {
        self.then == Some(Then::IsSatisfied) && self.taken.len() as u64 >= self.most
    }
}

/// Only one game is known at a time: all threads but one wait for it, and none of them for ever.
#[test]
fn games_may_follow_from_games() {
    for count in [1, 2, 8] {
        let executor = threads(count, &Arc::default());
        let runner = Runner {
            executor: &executor,
            faults: FaultPolicy::Replay,
            missing: MissingPlayers::EndTheRun,
        };
        for then in [
            None,
            Some(Then::SaysStop),
            Some(Then::IsSatisfied),
            Some(Then::Fails),
        ] {
            let (queue, control) = (TaskQueue::default(), Control::new());
            queue.extend([task(0, "plays", "plays")]);
            let mut sink = Following {
                queue: &queue,
                taken: Vec::new(),
                most: 20,
                then,
                control: &control,
            };
            let ended = runner.run_queue(&queue, &mut sink, &control);
            let expected = match then {
                None => Ok(Completion::Complete),
                Some(Then::SaysStop | Then::IsSatisfied) => Ok(Completion::Stopped),
                Some(Then::Fails) => Err(RunnerError::Sink("full")),
            };
            assert_eq!(ended, expected, "{then:?}");
            assert_eq!(sink.taken, (0..20).collect::<Vec<u64>>());
        }
    }
}

/// A process is started for each side and lives on, though every game wants other values of its options.
#[cfg(unix)]
#[test]
fn an_engine_lives_on_when_only_its_options_change() {
    let folder = tempfile::tempdir().unwrap();
    let (script, log) = (folder.path().join("engine.sh"), folder.path().join("log"));
    let text = format!(
        "echo start >>{log}\nwhile read -r word rest; do case $word in\n\
         uci) echo 'option name Hash type spin default 1 min 1 max 64'; echo uciok ;;\n\
         isready) echo readyok ;;\n\
         setoption|ucinewgame) echo $word $rest >>{log} ;;\n\
         go) echo bestmove 0000 ;;\n\
         quit) exit 0 ;;\nesac; done\n",
        log = log.display()
    );
    std::fs::write(&script, text).unwrap();
    let engine = |hash: u64| {
        let command = EngineCommand::new("sh")
            .argument(script.display().to_string())
            .option("Hash", hash.to_string());
        PlayerSpec::external(Protocol::Uci, &command, None)
    };
    let tasks = (0..5).map(|number| GameTask {
        players: ByColor::new(
            TaskPlayer::new(0, engine(1 + number)),
            TaskPlayer::new(1, "random".parse().unwrap()),
        ),
        // White is mated before the first move: the engine is asked nothing.
        setup: GameSetup {
            opening: Opening {
                start: "6k1/8/8/8/8/8/r7/1r5K w - - 0 1".parse().unwrap(),
                ..Opening::default()
            },
            ..GameSetup::default()
        },
        number,
        round: 0,
    });
    let executor = ThreadExecutor::new(NonZeroUsize::MIN);
    collected(&executor, FaultPolicy::Drop, tasks.collect()).unwrap();
    drop(executor);
    let log = std::fs::read_to_string(&log).unwrap();
    assert_eq!(log.matches("start").count(), 1, "{log}");
    let values: Vec<&str> = log.lines().filter(|line| line.starts_with("setoption")).collect();
    let expected: Vec<String> = (1..=5)
        .map(|hash| format!("setoption name Hash value {hash}"))
        .collect();
    assert_eq!(values, expected);
    assert_eq!(log.matches("ucinewgame").count(), 5, "{log}");
}

/// A sink that takes its time over the first games, and then says stop.
struct Slow<'a> {
    taken: &'a AtomicUsize,
    control: &'a Control,
    committed: usize,
}

/// More games than may be finished and not committed.
const MANY: usize = 2_000;

impl Sink for Slow<'_> {
    type Error = std::convert::Infallible;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), Self::Error> {
        let begun = std::time::Instant::now();
        while self.committed == 0
            && self.taken.load(Ordering::SeqCst) < MANY
            && begun.elapsed() < Duration::from_secs(3)
        {
            std::thread::sleep(Duration::from_millis(5));
        }
        self.committed += games.len();
        self.control.stop();
        Ok(())
    }
}

/// Players that are quicker than the disk do not fill the memory, and a run that is stopped ends soon.
#[test]
fn games_wait_for_a_slow_sink() {
    let (taken, control) = (AtomicUsize::new(0), Control::new());
    let tasks = (0..1_000_000).map(|number| {
        taken.fetch_add(1, Ordering::SeqCst);
        let mut task = task(number, "a", "b");
        task.setup.rules.max_moves = Some(1);
        task
    });
    let mut sink = Slow {
        taken: &taken,
        control: &control,
        committed: 0,
    };
    let runner = Runner {
        executor: &threads(2, &Arc::default()),
        faults: FaultPolicy::default(),
        missing: MissingPlayers::AreFaults,
    };
    assert_eq!(runner.run(tasks, &mut sink, &control), Ok(Completion::Stopped));
    let (taken, committed) = (taken.load(Ordering::SeqCst), sink.committed);
    assert!(taken < MANY, "{taken} games were begun");
    assert!(committed > 0 && committed <= taken, "{committed} of {taken}");
}

/// A pause of days before every game is no reason to go on for days.
#[test]
fn a_stop_is_heard_during_a_pause() {
    let (control, begun) = (Control::new(), std::time::Instant::now());
    let executor = threads(2, &Arc::default()).waiting(Duration::from_hours(1));
    let runner = Runner {
        executor: &executor,
        faults: FaultPolicy::default(),
        missing: MissingPlayers::AreFaults,
    };
    let taken = AtomicUsize::new(0);
    let played = std::thread::scope(|scope| {
        let tasks = (0..2).map(|number| {
            taken.fetch_add(1, Ordering::SeqCst);
            task(number, "a", "b")
        });
        let run = scope.spawn(|| runner.collect(tasks, &control, &mut |_| {}).unwrap());
        while taken.load(Ordering::SeqCst) < 2 {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(50));
        control.stop();
        run.join().unwrap()
    });
    assert!(played.is_none() && begun.elapsed() < Duration::from_mins(5));
}
