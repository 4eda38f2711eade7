//! The seam between tasks and whoever plays them: tasks and records that go through bytes into another process and back
//! are those of threads, bit for bit, times aside.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Duration;

use vidmar_arena::{
    DrawRule, Executor, ExecutorError, FaultPolicy, Feed, GameRecord, GameSetup, GameTask, MissingPlayers,
    Openings, PlayedGame, RandomWalks, ResignRule, Rules, Runner, TablebaseRule, TaskPlayer, ThreadExecutor,
    TimeControl,
};
use vidmar_chess::ByColor;
use vidmar_engine::Control;
use vidmar_eval::Vector;
use vidmar_players::PlayerSpec;

/// Plays tasks in processes that know nothing but the bytes they are sent.
struct ProcessExecutor {
    processes: usize,
}

/// A process that plays what it is sent.
struct Remote {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Remote {
    fn start() -> Remote {
        let mut child = Command::new(env!("CARGO_BIN_EXE_task-worker"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        Remote {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
        }
    }

    fn play(&mut self, task: &GameTask) -> Result<GameRecord, ExecutorError> {
        let lost = |error: &dyn std::error::Error| ExecutorError::Worker(error.to_string());
        let mut bytes = serde_json::to_vec(task).map_err(|error| lost(&error))?;
        bytes.push(b'\n');
        let input = self.input.as_mut().unwrap();
        input.write_all(&bytes).map_err(|error| lost(&error))?;
        input.flush().map_err(|error| lost(&error))?;
        let mut line = String::new();
        self.output.read_line(&mut line).map_err(|error| lost(&error))?;
        serde_json::from_str(&line).map_err(|error| lost(&error))
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}

impl Executor for ProcessExecutor {
    fn execute(&self, feed: &Feed<'_>, _control: &Control) {
        std::thread::scope(|scope| {
            for _ in 0..self.processes {
                scope.spawn(|| {
                    let mut remote = Remote::start();
                    let mut next = feed.next();
                    while let Some(assignment) = next {
                        let answer = remote.play(&assignment.task);
                        next = feed.answer(assignment, answer).or_else(|| feed.next());
                    }
                });
            }
        });
    }
}

/// The engine with numbers that no name stands for.
fn tuned() -> PlayerSpec {
    let mut numbers = Vector::named("guess").unwrap().values().to_vec();
    numbers[3] += 7;
    let spec: PlayerSpec = "engine:hash=1".parse().unwrap();
    spec.with("eval", numbers.as_slice()).unwrap()
}

/// Games of built-in players, an engine with numbers of its own and an external one, with every kind of rule, limit and opening.
fn tasks() -> Vec<GameTask> {
    let external = format!(
        "uci:cmd={},args=none 0 nowhere,depth=1,name=scripted",
        env!("CARGO_BIN_EXE_scripted-engine")
    );
    let players = [
        "engine:nodes=300,hash=1,name=a\\, b".to_owned(),
        "engine:nodes=200,hash=1,elo=1500,seed=7".to_owned(),
        "search:algorithm=mtdf,board=0x88,depth=2,table-mib=1".to_owned(),
        "evolve:genes=2,generations=2,chromosomes=2,seed=3".to_owned(),
        "random:seed=5".to_owned(),
        external,
    ];
    let openings = Openings::walk(RandomWalks { plies: 5, seed: 2 });
    let rules = [
        Rules::published(),
        Rules {
            draw: Some(DrawRule {
                from_move: 10,
                moves: 3,
                score: 50,
            }),
            tablebases: Some(TablebaseRule::default()),
            max_moves: Some(40),
            ..Rules::default()
        },
        Rules {
            resign: Some(ResignRule {
                score: 300,
                moves: 2,
                two_sided: false,
            }),
            max_moves: Some(30),
            ..Rules::default()
        },
    ];
    (0..12)
        .map(|number| {
            let index = number as usize;
            let player = |index: usize| {
                let index = index % (players.len() + 1);
                let spec = match index {
                    6 => tuned(),
                    _ => players[index].parse().unwrap(),
                };
                TaskPlayer {
                    restart: index == 1,
                    ..TaskPlayer::new(index, spec)
                }
            };
            GameTask {
                number,
                round: number / 3,
                players: ByColor::new(player(index), player(index / 2 + 1)),
                setup: GameSetup {
                    opening: openings.get(number),
                    limits: ByColor::from_fn(|_| TimeControl {
                        depth: Some(2),
                        nodes: index.is_multiple_of(2).then_some(500),
                        margin: Duration::from_millis(number),
                        ..TimeControl::default()
                    }),
                    rules: rules[index % rules.len()].clone(),
                    seed: u64::MAX - number,
                    keeps_pvs: false,
                },
            }
        })
        .collect()
}

fn played(executor: &dyn Executor) -> Vec<PlayedGame> {
    let runner = Runner {
        executor,
        faults: FaultPolicy::Replay,
        missing: MissingPlayers::EndTheRun,
    };
    let games = runner.collect(tasks(), &Control::new(), &mut |_| {}).unwrap();
    let mut games = games.expect("nobody stopped it");
    for game in &mut games {
        for ply in &mut game.record.moves {
            ply.info.time = Duration::ZERO;
        }
    }
    games
}

#[test]
fn games_of_another_process_are_those_of_threads() {
    let threads = played(&ThreadExecutor::new(2.try_into().unwrap()));
    let processes = played(&ProcessExecutor { processes: 2 });
    assert_eq!(threads.len(), 12);
    assert_eq!(threads, processes);
    let moves: usize = threads.iter().map(|game| game.record.moves.len()).sum();
    assert!(moves > 300, "{moves}");
    for (one, other) in threads.iter().zip(&processes) {
        assert_eq!(
            serde_json::to_string(&one.record).unwrap(),
            serde_json::to_string(&other.record).unwrap()
        );
    }
}

#[test]
fn a_task_is_the_same_after_bytes() {
    for task in tasks() {
        let bytes = serde_json::to_vec(&task).unwrap();
        let again: GameTask = serde_json::from_slice(&bytes).unwrap();
        assert_eq!(again, task);
        assert_eq!(serde_json::to_vec(&again).unwrap(), bytes);
    }
}

#[test]
fn a_process_that_dies_ends_the_run_with_an_error() {
    struct Dying;
    impl Executor for Dying {
        fn execute(&self, feed: &Feed<'_>, _control: &Control) {
            let mut remote = Remote::start();
            remote.input = None;
            remote.child.wait().unwrap();
            let assignment = feed.next().unwrap();
            let mut line = String::new();
            remote.output.read_line(&mut line).unwrap();
            let error = serde_json::from_str::<GameRecord>(&line).unwrap_err();
            let lost = ExecutorError::Worker(error.to_string());
            assert!(feed.answer(assignment, Err(lost)).is_none());
        }
    }
    let runner = Runner {
        executor: &Dying,
        faults: FaultPolicy::Drop,
        missing: MissingPlayers::EndTheRun,
    };
    let error = runner.collect(tasks(), &Control::new(), &mut |_| {}).unwrap_err();
    assert!(error.to_string().starts_with("a worker is lost: "), "{error}");
}
