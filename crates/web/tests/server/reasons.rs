//! Every kind of player tells why.

use reqwest::StatusCode;
use serde_json::{Value, json};
use vidmar_chess::{Color, Position};
use vidmar_eval::FullEvaluation;
use vidmar_net::{Kings, Network, embedded};
use vidmar_rng::Rng;
use vidmar_web::{Config, NamedEngine, NamedFile};

use crate::site::{Site, cases, engine, id, person, program};

async fn why(site: &Site, seat: Value) -> Value {
    let game = site
        .begin(&json!({"white": seat, "black": person(), "seed": 1}))
        .await;
    let answered = |game: &Value| game["plies"].as_array().is_some_and(|plies| !plies.is_empty());
    let game = site.wait(id(&game), answered).await;
    let (status, why) = site.get(&format!("/games/{}/why/1", id(&game))).await;
    assert_eq!(status, StatusCode::OK, "{why}");
    assert_eq!(why["move"]["uci"], game["plies"][0]["uci"]);
    assert!(
        why["headline"].as_str().is_some_and(|text| !text.is_empty()),
        "{why}"
    );
    let arrows = why["arrows"].as_array().expect("arrows");
    assert!(arrows.iter().any(|arrow| arrow["brush"] == "best"), "{why}");
    for ply in ["0", "2", "x", "-1", "18446744073709551615"] {
        let (status, _) = site.get(&format!("/games/{}/why/{ply}", id(&game))).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{ply}");
    }
    why
}

#[tokio::test]
async fn an_engine_shows_lines_and_its_evaluation() {
    let site = Site::start(Config::default());
    let why = why(
        &site,
        json!({"kind": "engine", "options": {"nodes": 20000, "multipv": 3}}),
    )
    .await;
    assert_eq!(why["kind"], "engine");
    let engine = &why["engine"];
    assert_eq!(engine["lines"].as_array().map(Vec::len), Some(3), "{engine}");
    assert!(engine["depth"].as_u64() >= Some(4) && engine["nodes"].as_u64() > Some(1000));
    let total: f64 = ["white", "draw", "black"]
        .iter()
        .filter_map(|key| engine["chances"][key].as_f64())
        .sum();
    assert!((total - 1.0).abs() < 1e-9);
    let terms = engine["terms"].as_array().expect("terms");
    assert!(
        terms
            .iter()
            .any(|term| term["name"] == "material" && term["total"] == 0)
    );
    let sum: i64 = terms.iter().filter_map(|term| term["total"].as_i64()).sum();
    assert_eq!(engine["terms_cp"].as_i64(), Some(sum), "{engine}");
}

/// After a capture the numbers differ from those before it.
#[tokio::test]
async fn the_terms_of_a_move_are_those_of_the_position_after_it() {
    let site = Site::start(Config::default());
    for (fen, side, other, capture) in [
        ("7k/7p/8/3q4/8/8/3R4/K2R4 w - - 0 1", "white", "black", "d2d5"),
        ("k2r4/3r4/8/8/3Q4/8/7P/7K b - - 0 1", "black", "white", "d7d4"),
    ] {
        let seats = json!({side: engine(5000), other: person(), "start": {"fen": fen}});
        let game = site.begin(&seats).await;
        let answered = |game: &Value| game["plies"].as_array().is_some_and(|plies| !plies.is_empty());
        let game = site.wait(id(&game), answered).await;
        assert_eq!(game["plies"][0]["uci"], capture);
        let (_, why) = site.get(&format!("/games/{}/why/1", id(&game))).await;
        let engine = &why["engine"];
        assert_eq!(why["fen"], fen, "the position that was thought about");
        assert_eq!(engine["evaluated_fen"], game["plies"][0]["fen"]);
        let mut after: Position = fen.parse().expect(fen);
        after.play(after.parse_uci(capture).expect(capture));
        let breakdown = FullEvaluation::default().explain(&after);
        assert_eq!(engine["terms_cp"], breakdown.white_score, "{engine}");
        let white_score = match after.turn() {
            Color::White => embedded().evaluate(&after),
            Color::Black => -embedded().evaluate(&after),
        };
        assert_eq!(engine["static_cp"], white_score, "{engine}");
        let shares = serde_json::to_value(breakdown.shares()).expect("numbers");
        assert_eq!(engine["terms"], shares, "{engine}");
    }
}

/// Nets are files, which the page offers by the names that the server was started with.
#[tokio::test]
async fn a_net_shows_what_each_piece_gives() {
    let folder = tempfile::tempdir().expect("a folder");
    let network = Network::random(Kings::PLAIN, 32, 1, &mut Rng::from_seed(1)).expect("a shape of nets");
    let path = folder.path().join("first.net");
    std::fs::write(&path, network.to_bytes()).expect("written");
    let site = Site::start(Config {
        files: vec![NamedFile {
            key: "eval".to_owned(),
            name: "first net".to_owned(),
            path,
        }],
        ..Config::default()
    });
    let seat = json!({"kind": "engine", "options": {"nodes": 500, "eval": "first net"}});
    let why = why(&site, seat).await;
    let engine = &why["engine"];
    let after: Position = engine["evaluated_fen"]
        .as_str()
        .and_then(|fen| fen.parse().ok())
        .expect("a position");
    let white_score = -network.evaluate(&after);
    assert_eq!(engine["static_cp"], white_score, "{engine}");
    let hand_crafted = FullEvaluation::default().explain(&after);
    assert_eq!(engine["terms_cp"], hand_crafted.white_score, "{engine}");
    let shares = network.shares(&after);
    let first = json!({"square": "a1", "piece": "R", "total": shares[0].share});
    assert_eq!(engine["pieces"][0], first, "{engine}");
    assert_eq!(
        engine["pieces"].as_array().map(Vec::len),
        Some(30),
        "all but the kings"
    );
}

#[tokio::test]
async fn a_search_shows_its_line() {
    let site = Site::start(Config::default());
    let seat = json!({"kind": "search", "options": {"algorithm": "mtdf", "board": "0x88", "depth": 3, "eval": "full"}});
    let why = why(&site, seat).await;
    assert_eq!(
        (&why["kind"], &why["engine"]["depth"]),
        (&json!("engine"), &json!(3))
    );
    assert_eq!(why["player"], "mtdf on 0x88");
    assert!(!why["engine"]["terms"].as_array().expect("terms").is_empty());
}

#[tokio::test]
async fn a_case_based_player_shows_its_cases() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = Config {
        files: vec![cases(folder.path())],
        ..Config::default()
    };
    let site = Site::start(config);
    let (_, kinds) = site.get("/players").await;
    assert!(!kinds.to_string().contains("tal.cases"), "no paths");
    let why = why(&site, json!({"kind": "cbr", "options": {"cases": "tal"}})).await;
    assert_eq!(
        (&why["kind"], &why["move"]["san"]),
        (&json!("cases"), &json!("e4"))
    );
    let case = &why["cases"]["cases"][0];
    assert_eq!(
        (&case["similarity"], &case["year"], &case["followed"]),
        (&json!(1.0), &json!(1958), &json!(true))
    );
    assert_eq!(
        case["fen"],
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
    assert_eq!(
        (&case["move"]["san"], &case["adapted"]["san"]),
        (&json!("e4"), &json!("e4"))
    );
    assert!(
        case["source"]
            .as_str()
            .is_some_and(|text| text.contains("Tal") && text.contains("move 1")),
        "{case}"
    );
}

#[tokio::test]
async fn a_player_of_evolved_moves_shows_its_lines() {
    let site = Site::start(Config::default());
    let seat =
        json!({"kind": "evolve", "options": {"genes": 4, "generations": 30, "chromosomes": 2, "seed": 1}});
    let why = why(&site, seat).await;
    assert_eq!(why["kind"], "evolved");
    let lines = why["evolved"]["lines"].as_array().expect("lines");
    assert_eq!(lines.len(), 20);
    assert_eq!(lines.iter().filter(|line| line["chosen"] == true).count(), 1);
    assert_eq!(lines[0]["moves"].as_array().map(Vec::len), Some(4));
    let history = lines[0]["history"].as_array().expect("a history");
    assert!(history.len() > 5 && history[0]["generation"] == 0 && history[0]["diversity"].is_number());
}

#[tokio::test]
async fn a_player_without_reasons_says_so() {
    let site = Site::start(Config::default());
    let why = why(&site, json!({"kind": "random"})).await;
    assert_eq!(why["kind"], "plain");
}

#[tokio::test]
async fn a_player_that_cannot_be_started_pauses_the_game() {
    let engine = NamedEngine {
        name: "gone".to_owned(),
        spec: program("/nowhere/to/be/found"),
    };
    let site = Site::start(Config {
        engines: vec![engine],
        ..Config::default()
    });
    let seat = json!({"kind": "uci", "options": {"engine": "gone"}});
    let game = site.begin(&json!({"white": seat, "black": person()})).await;
    let game = site
        .wait(id(&game), |game| game["status"]["state"] == "paused")
        .await;
    let note = game["note"].as_str().expect("a note");
    assert!(note.starts_with("gone (white) failed"), "{note}");
    assert_eq!(game["status"]["result"], "*");
}
