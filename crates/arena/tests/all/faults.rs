//! Engines that misbehave: every way is told from the others, the engine is started again, the next game is played, and
//! nobody is left behind.

#![cfg(unix)]

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use vidmar_arena::{GameRecord, GameSetup, Rules, TimeControl, play};
use vidmar_chess::{ByColor, Color, Termination};
use vidmar_engine::Control;
use vidmar_players::{
    EngineCommand, FaultKind, MoveLimits, RandomThinker, ThinkerPlayer, Timeouts, UciPlayer,
};

/// An engine that misbehaves at its third move, in its first process only.
struct Scripted {
    player: UciPlayer,
    _memory: tempfile::TempDir,
}

/// What a sound engine needs is far below these on the busiest machine; one that hangs is waited for as long.
fn timeouts() -> Timeouts {
    let short = Duration::from_millis(300);
    Timeouts {
        start: Duration::from_mins(1),
        ready: Duration::from_secs(3),
        answer: Some(Duration::from_secs(2)),
        overrun: Duration::from_mins(1),
        // Who has not answered until now does not answer to these either.
        stop: short,
        quit: short,
    }
}

fn scripted(mode: &str) -> Scripted {
    let memory = tempfile::tempdir().expect("a folder");
    let file = memory.path().join("done");
    let command = EngineCommand {
        timeouts: timeouts(),
        ..EngineCommand::new(env!("CARGO_BIN_EXE_scripted-engine"))
            .argument(mode)
            .argument("3")
            .argument(file.display().to_string())
    };
    Scripted {
        player: UciPlayer::start(command, MoveLimits::default(), None).expect(mode),
        _memory: memory,
    }
}

fn game(engine: &mut UciPlayer, limits: TimeControl) -> GameRecord {
    let mut dice = ThinkerPlayer::new(Box::new(RandomThinker::default()), MoveLimits::default(), 3);
    let setup = GameSetup {
        limits: ByColor::new(limits, limits),
        rules: Rules {
            max_moves: Some(8),
            ..Rules::default()
        },
        seed: 11,
        ..GameSetup::default()
    };
    play(&setup, ByColor::new(engine, &mut dice), None, &Control::new())
}

fn depth() -> TimeControl {
    TimeControl {
        depth: Some(1),
        ..TimeControl::default()
    }
}

fn is_running(id: u32) -> bool {
    let state = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
    let state = state.rsplit(')').next().unwrap_or_default().trim();
    !state.is_empty() && !state.starts_with('Z')
}

/// The processes whose group is that one.
fn members_of_group(group: u32) -> Vec<u32> {
    let processes = std::fs::read_dir("/proc").expect("a Linux machine");
    processes
        .filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok())
        .filter(|id: &u32| {
            let stat = std::fs::read_to_string(format!("/proc/{id}/stat")).unwrap_or_default();
            let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
            fields.clone().nth(2) == Some(group.to_string().as_str()) && fields.clone().next() != Some("Z")
        })
        .collect()
}

/// Waits until a group has no process left. The signal is out by now; the kernel ends what the engine has started, which nobody
/// here can wait for, in its own time, and on a busy machine later. Left alone it would sleep for minutes.
fn assert_nobody_is_left(group: u32, what: &str) {
    let deadline = Instant::now() + Duration::from_mins(1);
    while !members_of_group(group).is_empty() {
        let left = members_of_group(group);
        assert!(Instant::now() < deadline, "{what}: {left:?} still run");
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn every_fault_is_known_by_its_kind_and_the_next_game_goes_on() {
    for (mode, kind) in [
        ("crash", FaultKind::Crash),
        ("abort", FaultKind::Crash),
        ("hang", FaultKind::Hang),
        ("no-bestmove", FaultKind::Hang),
        ("illegal", FaultKind::IllegalMove),
        ("null", FaultKind::IllegalMove),
        ("nonsense", FaultKind::Garbage),
        ("garbage", FaultKind::Garbage),
        ("flood", FaultKind::Flood),
        ("long-line", FaultKind::Flood),
    ] {
        let mut engine = scripted(mode);
        let first = engine.player.process_id().unwrap();
        let record = game(&mut engine.player, depth());
        let kinds: Vec<FaultKind> = record.faults.iter().map(|fault| fault.fault.kind).collect();
        assert_eq!(kinds, [kind], "{mode}: {:?}", record.faults);
        assert_eq!(record.termination, Termination::Fault(Color::White), "{mode}");
        assert_eq!((record.outcome, record.moves.len()), (None, 4), "{mode}");
        assert_nobody_is_left(first, mode);
        let second = engine.player.process_id().unwrap();
        assert_ne!(first, second, "{mode}");
        let record = game(&mut engine.player, depth());
        assert_eq!(record.faults, [], "{mode}: the next game");
        assert_eq!(record.termination, Termination::MaxMoves, "{mode}: the next game");
        drop(engine);
        assert_nobody_is_left(second, mode);
    }
}

#[test]
fn slow_readiness_is_told_from_a_hang() {
    let mut engine = scripted("slow-ready");
    let record = game(&mut engine.player, depth());
    let kinds: Vec<FaultKind> = record.faults.iter().map(|fault| fault.fault.kind).collect();
    assert_eq!(kinds, [FaultKind::NotReady], "{:?}", record.faults);
    assert!(record.moves.is_empty());
    let record = game(&mut engine.player, depth());
    assert_eq!(record.faults, []);
}

#[test]
fn a_late_answer_is_a_time_loss_and_needs_no_new_process() {
    let mut engine = scripted("late");
    let clock = TimeControl {
        base: Some(Duration::from_millis(2500)),
        ..TimeControl::default()
    };
    let first = engine.player.process_id();
    let record = game(&mut engine.player, clock);
    assert_eq!(
        record.termination,
        Termination::TimeForfeit(Color::White),
        "{record:?}"
    );
    assert_eq!(record.outcome, None);
    assert_eq!(record.faults[0].fault.kind, FaultKind::TimeLoss);
    assert_eq!(engine.player.process_id(), first);
    assert_eq!(game(&mut engine.player, clock).faults, []);
}

#[test]
fn what_an_engine_starts_ends_with_it() {
    let engine = scripted("grandchild");
    let group = engine.player.process_id().unwrap();
    assert_eq!(members_of_group(group).len(), 2);
    drop(engine);
    assert_nobody_is_left(group, "grandchild");
    let stubborn = scripted("ignores-the-end");
    let id = stubborn.player.process_id().unwrap();
    drop(stubborn);
    assert!(!is_running(id));
}

#[test]
fn an_engine_that_does_not_start_is_a_clear_fault() {
    let started = |command: EngineCommand| {
        UciPlayer::start(command, MoveLimits::default(), None)
            .err()
            .unwrap()
    };
    let fault = started(EngineCommand::new("/no/such/engine"));
    assert_eq!(fault.kind, FaultKind::Start);
    assert!(fault.detail.starts_with("/no/such/engine: "), "{fault}");
    let fault = started(EngineCommand::new("false"));
    assert_eq!(fault.kind, FaultKind::Start, "{fault}");
    let fault = started(EngineCommand {
        timeouts: Timeouts {
            start: Duration::from_millis(200),
            ..timeouts()
        },
        ..EngineCommand::new(env!("CARGO_BIN_EXE_scripted-engine"))
            .argument("mute")
            .argument("1")
            .argument("/dev/null")
    });
    assert_eq!(
        (fault.kind, fault.detail.as_str()),
        (FaultKind::Start, "no uciok in time")
    );
    let fault = started(
        EngineCommand::new(env!("CARGO_BIN_EXE_scripted-engine"))
            .argument("none")
            .argument("1")
            .argument("/dev/null")
            .option("Hsh", "16"),
    );
    assert_eq!(fault.detail, "offers no option 'Hsh' (did you mean 'Hash'?)");
}

#[test]
fn a_closed_pipe_of_a_living_engine_is_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let script = script(
        folder.path(),
        "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) exec >&-; sleep 300;; esac; done",
    );
    let command = EngineCommand {
        timeouts: timeouts(),
        ..EngineCommand::new("sh").argument(script.display().to_string())
    };
    let mut player = UciPlayer::start(command, MoveLimits::default(), None).unwrap();
    let id = player.process_id().unwrap();
    let record = game(&mut player, depth());
    assert_eq!(record.faults[0].fault.kind, FaultKind::Crash);
    assert_eq!(record.faults[0].fault.detail, "closed its output and runs on");
    assert_nobody_is_left(id, "closed output");
}

fn script(folder: &Path, text: &str) -> PathBuf {
    let path = folder.join("engine.sh");
    std::fs::write(&path, text).expect("a file");
    path
}

#[test]
fn a_match_that_is_stopped_does_not_wait_for_the_engine() {
    let mut engine = scripted("hang");
    let control = std::sync::Arc::new(Control::new());
    let other = std::sync::Arc::clone(&control);
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(250));
        other.stop();
    });
    let hour = TimeControl {
        base: Some(Duration::from_hours(1)),
        ..TimeControl::default()
    };
    let mut dice = ThinkerPlayer::new(Box::new(RandomThinker::default()), MoveLimits::default(), 3);
    let setup = GameSetup {
        limits: ByColor::new(hour, hour),
        ..GameSetup::default()
    };
    let begun = Instant::now();
    let players = ByColor::new(&mut engine.player as _, &mut dice as _);
    let record = play(&setup, players, None, &control);
    assert_eq!(record.termination, Termination::Stopped);
    // The clock of the game has an hour.
    assert!(begun.elapsed() < Duration::from_mins(2), "{:?}", begun.elapsed());
    stopper.join().unwrap();
}

/// A child of the engine holds its output open: nothing is heard of its end by the pipe.
#[test]
fn an_engine_that_is_gone_is_noticed_though_its_pipe_is_open() {
    let folder = tempfile::tempdir().unwrap();
    let script = script(
        folder.path(),
        "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) sleep 300 & exit 3;; esac; done",
    );
    let command = EngineCommand {
        timeouts: Timeouts {
            answer: Some(Duration::from_mins(5)),
            ..timeouts()
        },
        ..EngineCommand::new("sh").argument(script.display().to_string())
    };
    let mut player = UciPlayer::start(command, MoveLimits::default(), None).unwrap();
    let id = player.process_id().unwrap();
    let begun = Instant::now();
    let record = game(&mut player, depth());
    // It has five minutes for an answer.
    assert!(begun.elapsed() < Duration::from_mins(4), "{:?}", begun.elapsed());
    assert_eq!(record.faults[0].fault.kind, FaultKind::Crash);
    let detail = &record.faults[0].fault.detail;
    assert!(detail.starts_with("ended with exit code 3, and "), "{detail}");
    assert_nobody_is_left(id, "gone");
}
