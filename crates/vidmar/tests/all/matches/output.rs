//! What a match prints: tables, JSON, the manners of other runners.

use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;
use std::path::Path;

use super::{Folder, TWO, count};

#[test]
fn json_has_the_promised_keys() {
    let folder = Folder::new();
    let answer = folder.json(&[TWO, &["-rounds", "5"]]);
    assert_eq!(answer["games"], 10);
    assert_eq!(answer["sprt"], Value::Null);
    assert_eq!(answer["state"], "complete");
    let players = answer["players"].as_array().unwrap();
    assert_eq!(players.len(), 2);
    for player in players {
        for key in ["name", "wins", "draws", "losses", "elo", "error", "faults"] {
            assert!(player.get(key).is_some(), "{key}");
        }
        let games: u64 = ["wins", "draws", "losses"]
            .iter()
            .map(|key| player[key].as_u64().unwrap())
            .sum();
        assert_eq!(games, 10);
        let pairs: u64 = player["pentanomial"]
            .as_array()
            .unwrap()
            .iter()
            .map(|n| n.as_u64().unwrap())
            .sum();
        assert_eq!(pairs, 5);
    }
    assert_eq!(players[0]["wins"], players[1]["losses"]);
    for (end, other) in [("low", "high"), ("high", "low")] {
        assert_eq!(
            players[0][end].as_f64().map(f64::round),
            players[1][other].as_f64().map(|value| (-value).round())
        );
    }
    let statement = answer["statement"].as_str().unwrap();
    assert!(statement.contains(" proven for a against b: "), "{statement}");
    assert!(folder.path("runs/match-a-b.db").exists());
}

#[test]
fn the_table_and_the_manners_of_others() {
    let folder = Folder::new();
    folder
        .play(&[TWO, &["-rounds", "3", "-event", "x"]])
        .success()
        .stdout(
            contains("name")
                .and(contains("Elo"))
                .and(contains(" proven for a against b: ")),
        )
        .stdout(contains("pairs with 0, ½, 1, 1½, 2 points:"));
    folder
        .play(&[
            TWO,
            &[
                "-rounds",
                "10",
                "-output",
                "format=fastchess",
                "-sprt",
                "elo0=0",
                "elo1=50",
            ],
        ])
        .success()
        .stdout(
            contains("Results of a vs b (built-in openings):")
                .and(contains("nElo:"))
                .and(contains("Ptnml(0-2): [")),
        )
        .stdout(contains("LLR: "));
    folder
        .play(&[TWO, &["-rounds", "3", "-output", "format=cutechess"]])
        .success()
        .stdout(contains("Score of a vs b: ").count(7))
        .stdout(contains("Elo difference: "))
        .stdout(contains("Finished match"));
    for format in ["fastchess", "cutechess"] {
        let output = format!("format={format}");
        let told = folder
            .play(&[
                TWO,
                &[
                    "-rounds",
                    "2",
                    "-concurrency",
                    "2",
                    "-each",
                    "depth=1",
                    "-output",
                    &output,
                ],
            ])
            .success()
            .get_output()
            .stdout
            .clone();
        let told = String::from_utf8(told).unwrap();
        for game in 1..=4 {
            let names = if game % 2 == 1 { "a vs b" } else { "b vs a" };
            let started = told.find(&format!("Started game {game} of 4 ({names})\n"));
            let finished = told.find(&format!("Finished game {game} ({names}): "));
            assert!(started.is_some() && started < finished, "{game}: {told}");
        }
        if format == "fastchess" {
            assert!(
                told.contains("Results of a vs b (depth 1, built-in openings):"),
                "{told}"
            );
        }
    }
    let three = ["-engine", "player=random:seed=3", "name=c", "-rounds", "1"];
    folder
        .play(&[TWO, &three])
        .success()
        .stdout(contains("/2").and(contains("against").not()))
        .stderr(contains("6 of 6").not());
}

/// Who has no score is neither level nor lost, and the PGN says nothing of pawns. Who ends by itself needs no limit.
#[test]
fn players_without_scores_are_not_adjudicated() {
    let folder = Folder::new();
    let rules = [
        "-rounds",
        "2",
        "-draw",
        "movenumber=10",
        "movecount=4",
        "score=20",
        "-resign",
        "movecount=2",
        "score=300",
        "-pgnout",
        "file=games.pgn",
    ];
    let scoreless = "has no effect: no player gives scores with its moves";
    let named = contains(format!("-draw {scoreless}")).and(contains(format!("-resign {scoreless}")));
    folder.play(&[TWO, &rules]).success().stderr(named);
    let evolve = ["-engine", "player=evolve:generations=3,genes=2", "name=a"];
    let random = ["-engine", "player=random", "name=b", "-maxmoves", "20"];
    folder.play(&[&evolve, &random, &rules]).success();
    let text = std::fs::read_to_string(folder.path("games.pgn")).unwrap();
    assert_eq!(count(&text), 8);
    assert!(!text.contains("draw by adjudication"), "{text}");
    for comment in text.split('{').skip(1) {
        let comment = comment.split('}').next().unwrap_or_default();
        assert!(
            !comment.contains('/') && !comment.starts_with(['+', '-']),
            "{comment}"
        );
    }
}

/// What adjudicates nothing with these players is named, and only that.
#[test]
fn rules_without_effect_are_named() {
    let rounds = ["-rounds", "1", "-maxmoves", "4"];
    let random = ["-engine", "player=random:seed=1", "name=a"];
    let engine = ["-engine", "player=engine:depth=1,hash=1", "name=b"];
    let draw = ["-draw", "movenumber=10", "movecount=4", "score=20"];
    let resign = ["-resign", "movecount=2", "score=300"];
    let margin = ["-each", "timemargin=10"];
    let alone = "has no effect: both sides must give scores, and only one player does";
    for (rule, note) in [
        (&draw[..], Some(format!("-draw {alone}"))),
        (&resign, None),
        (
            &[&resign[..], &["twosided=true"]].concat(),
            Some(format!("-resign {alone}")),
        ),
        (
            &margin,
            Some("timemargin has no effect on a: it has neither tc nor st".to_owned()),
        ),
        (&[&margin[..], &["tc=10"]].concat(), None),
    ] {
        let played = Folder::new().play(&[&random, &engine, &rounds, rule]).success();
        match note {
            Some(note) => played.stderr(contains(note)),
            None => played.stderr(contains("has no effect").not()),
        };
    }
}

#[test]
fn games_are_appended_to_what_a_file_held() {
    let folder = Folder::new();
    let held = "[White \"x\"]\n[Black \"y\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n";
    std::fs::write(folder.path("games.pgn"), held).unwrap();
    let arguments = [
        "-rounds",
        "2",
        "-pgnout",
        "file=games.pgn",
        "-epdout",
        "file=end.epd",
    ];
    folder.play(&[TWO, &arguments]).success();
    let text = std::fs::read_to_string(folder.path("games.pgn")).unwrap();
    assert!(text.starts_with(held));
    assert_eq!(count(&text), 5);
    assert_eq!(
        std::fs::read_to_string(folder.path("end.epd"))
            .unwrap()
            .lines()
            .count(),
        4
    );
    let arguments = [
        "-rounds",
        "1",
        "-pgnout",
        "file=games.pgn",
        "append=false",
        "min=true",
    ];
    folder.play(&[TWO, &arguments]).success();
    let text = std::fs::read_to_string(folder.path("games.pgn")).unwrap();
    assert_eq!(count(&text), 2);
    assert!(!text.contains('{'));
}

#[test]
fn a_test_ends_the_match_early_and_the_same_way_for_any_number_of_workers() {
    let folder = Folder::new();
    let players = [
        "-engine",
        "player=engine:depth=3,hash=1",
        "name=good",
        "-engine",
        "player=random",
        "name=bad",
    ];
    let play = |workers: &str| {
        let store = format!("{workers}.db");
        let arguments = [
            "-rounds",
            "1000",
            "-concurrency",
            workers,
            "-sprt",
            "elo0=0",
            "elo1=100",
            "--store",
            &store,
        ];
        folder.json(&[&players, &arguments])
    };
    let (one, four) = (play("1"), play("4"));
    assert_eq!(one["state"], "decided");
    assert_eq!(one["sprt"]["decision"], "H1");
    assert!(one["games"].as_u64().unwrap() < 400);
    assert_eq!(
        (&one["games"], &one["sprt"], &one["players"]),
        (&four["games"], &four["sprt"], &four["players"])
    );
}

#[test]
fn what_has_no_effect_is_said() {
    let folder = Folder::new();
    folder
        .play(&[
            TWO,
            &["-rounds", "1", "-recover", "-bookmode", "disk", "-show-latency"],
        ])
        .success()
        .stderr(
            contains("-recover has no effect")
                .and(contains("-bookmode has no effect"))
                .and(contains("-show-latency")),
        );
}

/// A game is what its description says; where a player makes that untrue, the match says so.
#[test]
fn a_player_whose_games_are_never_the_same_is_named() {
    let note = "the same command will play other games another time: a: it thinks in several threads";
    let folder = Folder::new();
    for (threads, is_said) in [("threads=1", false), ("threads=2", true)] {
        let player = format!("player=engine:depth=1,hash=1,{threads}");
        let players: &[&str] = &[
            "-engine",
            &player,
            "name=a",
            "-engine",
            "player=random:seed=2",
            "name=b",
        ];
        let said = folder
            .play(&[players, &["-rounds", "1", "-maxmoves", "2"]])
            .success();
        let said = String::from_utf8_lossy(&said.get_output().stderr).into_owned();
        assert_eq!(said.contains(note), is_said, "{said}");
    }
}

#[test]
fn help_and_the_manual_have_every_argument() {
    let folder = Folder::new();
    let help = folder.play(&[&["--help"]]).success().get_output().stdout.clone();
    let help = String::from_utf8(help).unwrap();
    let manual = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/match.md");
    let manual = std::fs::read_to_string(manual).unwrap();
    let mut seen = 0;
    for line in help.lines().filter_map(|line| line.strip_prefix("  -")) {
        let name = format!("-{}", line.split_whitespace().next().unwrap());
        assert!(
            manual.contains(&format!("`{name}")),
            "docs/match.md does not have {name}"
        );
        seen += 1;
    }
    assert!(seen > 40, "{seen}");
}
