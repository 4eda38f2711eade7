//! Games against the engines of other people, where they are installed.

#![allow(clippy::print_stdout, reason = "what is skipped is said")]

use std::path::Path;
use std::time::Duration;

use vidmar_arena::{GameRecord, GameSetup, Opening, Rules, TimeControl, play};
use vidmar_chess::{ByColor, Outcome, Position, Termination};
use vidmar_engine::Control;
use vidmar_players::{Player, PlayerSpec};

/// Every engine that may be there: the specification and the program.
const ENGINES: &[(&str, &str)] = &[
    (
        "uci:cmd=/usr/games/stockfish,option.Hash=1",
        "/usr/games/stockfish",
    ),
    (
        "uci:cmd=/usr/games/ethereal-chess,option.hash=2",
        "/usr/games/ethereal-chess",
    ),
    (
        "uci:cmd=/usr/games/glaurung,option.OwnBook=false",
        "/usr/games/glaurung",
    ),
    (
        "uci:cmd=/usr/games/toga2,option.OwnBook=false",
        "/usr/games/toga2",
    ),
    ("uci:cmd=/usr/games/gnuchess,args=--uci", "/usr/games/gnuchess"),
    ("xboard:cmd=/usr/games/gnuchess", "/usr/games/gnuchess"),
    ("xboard:cmd=/usr/games/phalanx", "/usr/games/phalanx"),
    ("xboard:cmd=/usr/games/fairymax", "/usr/games/fairymax"),
];

fn installed() -> impl Iterator<Item = &'static str> {
    ENGINES.iter().filter_map(|&(spec, program)| {
        let is_there = Path::new(program).exists();
        if !is_there {
            println!("skipped: {program} is not installed");
        }
        is_there.then_some(spec)
    })
}

fn player(spec: &str) -> Box<dyn Player> {
    let patient = if spec.contains("cmd=") {
        format!("{spec},answer-ms=60000")
    } else {
        spec.to_owned()
    };
    let spec: PlayerSpec = patient.parse().expect(spec);
    spec.player().unwrap_or_else(|fault| panic!("{spec}: {fault}"))
}

fn game(white: &mut dyn Player, black: &mut dyn Player, start: &str, limits: TimeControl) -> GameRecord {
    let start: Position = start.parse().expect(start);
    let setup = GameSetup {
        opening: Opening {
            start,
            ..Opening::default()
        },
        limits: ByColor::new(limits, limits),
        rules: Rules {
            max_moves: Some(120),
            ..Rules::default()
        },
        seed: 1,
        keeps_pvs: false,
    };
    play(&setup, ByColor::new(white, black), None, &Control::new())
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn every_engine_beats_chance_with_either_colour_and_tells_its_score() {
    let depth = TimeControl {
        depth: Some(3),
        ..TimeControl::default()
    };
    for spec in installed() {
        let (mut engine, mut dice) = (player(spec), player("random:seed=5"));
        for engine_is_white in [true, false] {
            let record = if engine_is_white {
                game(engine.as_mut(), dice.as_mut(), START, depth)
            } else {
                game(dice.as_mut(), engine.as_mut(), START, depth)
            };
            assert_eq!(record.faults, [], "{spec}");
            assert_ne!(
                record.outcome,
                Some(Outcome::win(
                    vidmar_chess::Color::ALL[usize::from(engine_is_white)]
                ))
            );
            let own = record.moves.iter().skip(usize::from(!engine_is_white)).step_by(2);
            let told = own
                .clone()
                .filter(|ply| ply.info.score.is_some() && ply.info.depth > 0)
                .count();
            assert!(told * 2 > own.count(), "{spec} told {told} scores");
        }
    }
}

#[test]
fn engines_keep_a_short_clock() {
    let clock = TimeControl {
        base: Some(Duration::from_millis(1500)),
        increment: Duration::from_millis(20),
        // What a busy machine adds is not the engine's.
        margin: Duration::from_secs(10),
        ..TimeControl::default()
    };
    for spec in installed() {
        let (mut engine, mut ours) = (player(spec), player("engine:hash=1,nodes=2000"));
        let record = game(engine.as_mut(), ours.as_mut(), START, clock);
        assert_eq!(record.faults, [], "{spec}");
        assert!(
            !matches!(record.termination, Termination::TimeForfeit(_)),
            "{spec}"
        );
    }
}

#[test]
fn chess960_castling_is_understood_on_both_sides() {
    let start = "nrk1brnb/pp1ppppp/8/2p5/3P4/1N1Q1N2/1PP1PPPP/qRK1BR1B w KQkq - 2 10";
    let depth = TimeControl {
        depth: Some(4),
        ..TimeControl::default()
    };
    for spec in installed().filter(|spec| spec.contains("stockfish") || spec.contains("ethereal")) {
        let (mut engine, mut ours) = (player(spec), player("engine:hash=1"));
        let record = game(engine.as_mut(), ours.as_mut(), start, depth);
        assert_eq!(record.faults, [], "{spec}");
    }
}

/// GNU Chess over xboard lost the line by which it is asked what it can do, and then thought for ever at a fixed depth.
#[test]
fn gnu_chess_plays_whole_games_over_xboard_with_who_answers_at_once() {
    let depth = TimeControl {
        depth: Some(1),
        ..TimeControl::default()
    };
    for spec in installed().filter(|spec| spec.starts_with("xboard") && spec.contains("gnuchess")) {
        for start in 0..4 {
            let mut engine = player(spec);
            for number in 0..5 {
                let mut dice = player(&format!("random:seed={}", 5 * start + number));
                let record = if number % 2 == 0 {
                    game(engine.as_mut(), dice.as_mut(), START, depth)
                } else {
                    game(dice.as_mut(), engine.as_mut(), START, depth)
                };
                assert_eq!(record.faults, [], "start {start}, game {number}");
                assert!(record.outcome.is_some(), "start {start}, game {number}");
            }
        }
    }
}
