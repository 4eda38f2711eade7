//! Analyses, positions, games from a text.

use reqwest::{Method, StatusCode};
use serde_json::json;
use vidmar_chess::Position;
use vidmar_eval::FullEvaluation;
use vidmar_web::Config;

use crate::site::{Site, id};

#[tokio::test]
async fn an_analysis_grows_and_has_a_last_word() {
    let site = Site::start(Config::default());
    // White mates in one.
    let body = json!({
        "fen": "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
        "seat": {"kind": "engine"},
        "limit": {"nodes": 20000},
        "multipv": 2,
    });
    let (status, analysis) = site.post("/analyses", &body).await;
    assert_eq!(status, StatusCode::CREATED, "{analysis}");
    let mut events = site.events(&format!("/analyses/{}/events", id(&analysis))).await;
    let last = loop {
        let update = events.next("analysis").await.expect("a last word");
        if update["done"] == true {
            break update;
        }
    };
    assert_eq!(last["why"]["move"]["san"], "Ra8#");
    // The terms are those of the position that was asked about, not of one after a move.
    let position: Position = body["fen"].as_str().expect("a FEN").parse().expect("legal");
    let evaluation = FullEvaluation::default().explain(&position);
    assert_eq!(last["why"]["engine"]["evaluated_fen"], body["fen"]);
    assert_eq!(last["why"]["engine"]["terms_cp"], evaluation.white_score);
    assert_eq!(last["why"]["engine"]["score"], json!({"mate": 1}));
    assert_eq!(last["why"]["engine"]["lines"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        site.delete(&format!("/analyses/{}", id(&analysis))).await,
        StatusCode::NO_CONTENT
    );
    assert_eq!(events.next("analysis").await, None);
}

#[tokio::test]
async fn an_analysis_can_be_stopped() {
    let site = Site::start(Config::default());
    for limit in [json!({"movetime": 60000}), json!({"infinite": true})] {
        let body = json!({"seat": {"kind": "engine"}, "limit": limit});
        let (_, analysis) = site.post("/analyses", &body).await;
        let mut events = site.events(&format!("/analyses/{}/events", id(&analysis))).await;
        let first = events.next("analysis").await.expect("what it thinks");
        assert_eq!(first["done"], false, "{body}");
        assert_eq!(
            site.delete(&format!("/analyses/{}", id(&analysis))).await,
            StatusCode::NO_CONTENT
        );
        let mut done = false;
        while let Some(update) = events.next("analysis").await {
            done = update["done"] == true;
        }
        assert!(done, "its last word comes at once");
    }
}

/// What a seat says of itself ends an analysis that has no limit of its own.
#[tokio::test]
async fn an_analysis_without_a_limit_keeps_to_that_of_the_seat() {
    let site = Site::start(Config::default());
    let body = json!({"seat": {"kind": "engine", "options": {"depth": 2}}, "limit": {"infinite": true}});
    let (_, analysis) = site.post("/analyses", &body).await;
    let mut events = site.events(&format!("/analyses/{}/events", id(&analysis))).await;
    let last = loop {
        let update = events.next("analysis").await.expect("a last word");
        if update["done"] == true {
            break update;
        }
    };
    assert_eq!(last["why"]["engine"]["depth"], 2);
}

#[tokio::test]
async fn opinions_that_make_no_sense_are_refused() {
    let site = Site::start(Config::default());
    for (body, field) in [
        (json!({"seat": {"kind": "person"}}), "seat.kind"),
        (
            json!({"seat": {"kind": "engine"}, "limit": {"depth": 0}}),
            "limit.depth",
        ),
        (
            json!({"seat": {"kind": "engine"}, "limit": {"movetime": 600_000}}),
            "limit.movetime",
        ),
        (
            json!({"seat": {"kind": "engine"}, "limit": {"infinite": true, "depth": 3}}),
            "limit.infinite",
        ),
        (json!({"seat": {"kind": "engine"}, "multipv": 99}), "multipv"),
        (
            json!({"seat": {"kind": "engine", "options": {"elo": 5}}}),
            "seat.options.elo",
        ),
        (
            json!({"seat": {"kind": "engine"}, "fen": "8/8/8/8/8/8/8/8 w - - 0 1"}),
            "fen",
        ),
    ] {
        let (status, refused) = site.post("/analyses", &body).await;
        assert_eq!(
            (status, &refused["error"]["field"]),
            (StatusCode::BAD_REQUEST, &json!(field)),
            "{body}"
        );
    }
    let mate = json!({"fen": "R5k1/5ppp/8/8/8/8/5PPP/6K1 b - - 0 1", "seat": {"kind": "engine"}});
    assert_eq!(site.post("/analyses", &mate).await.0, StatusCode::CONFLICT);
}

#[tokio::test]
async fn positions_are_described() {
    let site = Site::start(Config::default());
    let (status, found) = site
        .post("/positions", &json!({"moves": ["e2e4", "e7e5", "g1f3"]}))
        .await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        (&found["turn"], &found["check"]),
        (&json!("black"), &json!(false))
    );
    assert_eq!(found["legal"].as_array().map(Vec::len), Some(29));
    assert_eq!(
        (&found["opening"], &found["over"]),
        (&json!("King's Knight Opening"), &json!(null))
    );
    assert_eq!(found["moves"][2], json!({"uci": "g1f3", "san": "Nf3"}));
}

#[tokio::test]
async fn games_are_read_from_a_text() {
    let site = Site::start(Config::default());
    let text = "[White \"A\"]\n[Result \"1-0\"]\n\n{ a start } 1. e4 $1 { [%clk 0:01:00] [%eval 0.3] good } e5 2. Nf3 1-0\n\n\
        [White \"B\"]\n\n1. e4 e5 2. Ke3 *\n\n1. d4 *\n";
    let request = site.request(Method::POST, "/pgn").body(text);
    let answer: serde_json::Value = request
        .send()
        .await
        .expect("an answer")
        .json()
        .await
        .expect("JSON");
    let games = answer["games"].as_array().expect("games");
    assert_eq!(games.len(), 2, "{answer}");
    let first = &games[0]["plies"][0];
    assert_eq!(
        (&first["san"], &first["nags"], &first["comment"]),
        (&json!("e4"), &json!([1]), &json!("good"))
    );
    assert_eq!(
        (&first["clock_ms"], &first["score"]),
        (&json!(60_000), &json!({"cp": 30}))
    );
    assert_eq!(
        (&games[0]["opening"], &games[0]["result"]),
        (&json!("King's Knight Opening"), &json!("1-0"))
    );
    assert_eq!(games[0]["comment"], "a start");
    assert_eq!(answer["problems"].as_array().map(Vec::len), Some(1));
    assert_eq!(answer["problems"][0]["line"], 8);
}
