//! Games from their beginning to their end.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use vidmar_web::Config;

use crate::site::{Site, engine, id, person};

fn code(answer: &Value) -> &str {
    answer["error"]["code"].as_str().unwrap_or_default()
}

#[tokio::test]
async fn two_people_play_to_mate_and_take_it_back() {
    let site = Site::start(Config::default());
    let mut game = site.begin(&json!({"white": person(), "black": person()})).await;
    assert_eq!(game["legal"].as_array().map(Vec::len), Some(20));
    for uci in ["f2f3", "e7e5", "g2g4", "d8h4"] {
        let (status, next) = site.play(&game, uci).await;
        assert_eq!(status, StatusCode::OK, "{next}");
        game = next;
    }
    assert_eq!(
        game["status"],
        json!({"state": "over", "result": "0-1", "reason": "black mates"})
    );
    assert_eq!(
        (&game["plies"][3]["san"], &game["check"]),
        (&json!("Qh4#"), &json!(true))
    );
    assert_eq!(game["opening"], "Fool's Mate");
    assert_eq!(game["legal"], json!([]));
    let (status, refused) = site.play(&game, "e1f2").await;
    assert_eq!((status, code(&refused)), (StatusCode::CONFLICT, "game-over"));
    let (_, text) = site.get(&format!("/games/{}/pgn", id(&game))).await;
    assert!(
        text.as_str()
            .is_some_and(|text| text.contains("1. f3 e5 2. g4 Qh4# 0-1")),
        "{text}"
    );
    let (status, back) = site
        .post(&format!("/games/{}/takeback", id(&game)), &json!({}))
        .await;
    assert_eq!(
        (status, back["plies"].as_array().map(Vec::len)),
        (StatusCode::OK, Some(3))
    );
    assert_eq!(back["status"]["state"], "playing");
}

#[tokio::test]
async fn what_is_not_a_move_changes_nothing() {
    let site = Site::start(Config::default());
    let game = site.begin(&json!({"white": person(), "black": person()})).await;
    for bad in ["e2e5", "e7e5", "", "castle", "e2e4q", "0000"] {
        let (status, refused) = site.play(&game, bad).await;
        assert_eq!(
            (status, code(&refused)),
            (StatusCode::BAD_REQUEST, "bad-move"),
            "{bad}"
        );
        assert_eq!(refused["error"]["field"], "uci");
    }
    let (_, still) = site.get(&format!("/games/{}", id(&game))).await;
    assert_eq!(still["version"], game["version"]);
}

#[tokio::test]
async fn two_tabs_do_not_collide() {
    let site = Site::start(Config::default());
    let game = site.begin(&json!({"white": person(), "black": person()})).await;
    let (first, second) = tokio::join!(site.play(&game, "e2e4"), site.play(&game, "d2d4"));
    let mut statuses = [first.0, second.0];
    statuses.sort();
    assert_eq!(statuses, [StatusCode::OK, StatusCode::CONFLICT]);
    let refused = if first.0 == StatusCode::CONFLICT {
        first.1
    } else {
        second.1
    };
    assert_eq!(code(&refused), "stale-version");
}

#[tokio::test]
async fn an_engine_answers_and_everybody_hears_of_it() {
    let site = Site::start(Config::default());
    let game = site
        .begin(&json!({"white": person(), "black": engine(2000)}))
        .await;
    let path = format!("/games/{}/events", id(&game));
    let (mut here, mut there) = (site.events(&path).await, site.events(&path).await);
    assert_eq!(
        here.next("game").await.expect("a snapshot")["version"],
        game["version"]
    );
    let (status, _) = site.play(&game, "e2e4").await;
    assert_eq!(status, StatusCode::OK);
    for events in [&mut here, &mut there] {
        loop {
            let seen = events.next("game").await.expect("the game goes on");
            if seen["plies"].as_array().is_some_and(|plies| plies.len() == 2) {
                assert_eq!(seen["turn"], "white");
                assert!(seen["plies"][1]["score"]["cp"].is_number(), "{seen}");
                assert_eq!(seen["plies"][1]["why"], true);
                break;
            }
        }
    }
    // Taking back takes the answer too.
    let (status, back) = site
        .post(&format!("/games/{}/takeback", id(&game)), &json!({}))
        .await;
    assert_eq!(
        (status, back["plies"].as_array().map(Vec::len)),
        (StatusCode::OK, Some(0))
    );
}

#[tokio::test]
async fn two_players_play_each_other_to_the_end() {
    let site = Site::start(Config::default());
    let random = |seed: u32| json!({"kind": "random", "options": {"seed": seed}});
    let body = json!({"white": random(1), "black": random(2), "seed": 5});
    let game = site.begin(&body).await;
    let over = site
        .wait(id(&game), |game| game["status"]["state"] == "over")
        .await;
    // The same seeds, the same game.
    let again = site.begin(&body).await;
    let other = site
        .wait(id(&again), |game| game["status"]["state"] == "over")
        .await;
    let moves = |game: &Value| -> Vec<Value> {
        game["plies"]
            .as_array()
            .expect("plies")
            .iter()
            .map(|ply| ply["uci"].clone())
            .collect()
    };
    assert_eq!(moves(&over), moves(&other));
    let (status, refused) = site
        .post(&format!("/games/{}/takeback", id(&game)), &json!({}))
        .await;
    assert_eq!(
        (status, code(&refused)),
        (StatusCode::CONFLICT, "nothing-to-take-back")
    );
}

#[tokio::test]
async fn a_pause_stops_a_thought_and_going_on_begins_another() {
    let site = Site::start(Config::default());
    let slow = json!({"kind": "engine", "options": {"movetime": 60000}});
    let game = site.begin(&json!({"white": slow, "black": person()})).await;
    let action = |name: &str| format!("/games/{}/{name}", id(&game));
    let (status, paused) = site.post(&action("pause"), &json!({})).await;
    assert_eq!(
        (status, &paused["status"]["state"]),
        (StatusCode::OK, &json!("paused"))
    );
    let (status, refused) = site.post(&action("pause"), &json!({})).await;
    assert_eq!((status, code(&refused)), (StatusCode::CONFLICT, "paused"));
    let (status, playing) = site.post(&action("continue"), &json!({})).await;
    assert_eq!(
        (status, &playing["status"]["state"]),
        (StatusCode::OK, &json!("playing"))
    );
    let (status, over) = site.post(&action("resign"), &json!({})).await;
    assert_eq!(
        (status, &over["status"]["result"]),
        (StatusCode::OK, &json!("1-0"))
    );
    assert_eq!(over["status"]["reason"], "black resigns");
}

#[tokio::test]
async fn flags_fall_without_anybody_asking() {
    let site = Site::start(Config::default());
    let clock = json!({"base_ms": 400, "increment_ms": 0});
    let game = site
        .begin(&json!({"white": person(), "black": person(), "clock": clock}))
        .await;
    let (_, game) = site.play(&game, "e2e4").await;
    let mut events = site.events(&format!("/games/{}/events", id(&game))).await;
    let (_, game) = site.play(&game, "e7e5").await;
    assert_eq!(game["clocks"]["running"], "white");
    loop {
        let seen = events.next("game").await.expect("the game goes on");
        if seen["status"]["state"] == "over" {
            assert_eq!(seen["status"]["reason"], "white loses on time");
            assert_eq!(seen["clocks"]["white_ms"], 0);
            break;
        }
    }
}

#[tokio::test]
async fn draws_are_offered_answered_and_claimed() {
    let site = Site::start(Config::default());
    let mut game = site.begin(&json!({"white": person(), "black": person()})).await;
    let draw = format!("/games/{}/draw", id(&game));
    let (status, refused) = site.post(&draw, &json!({"action": "claim"})).await;
    assert_eq!(
        (status, code(&refused)),
        (StatusCode::CONFLICT, "nothing-to-claim")
    );
    let (_, offered) = site.post(&draw, &json!({"side": "white"})).await;
    assert_eq!(offered["draw_offer"], "white");
    let (status, refused) = site
        .post(&draw, &json!({"action": "accept", "side": "white"}))
        .await;
    assert_eq!((status, code(&refused)), (StatusCode::CONFLICT, "own-offer"));
    let (_, declined) = site.post(&draw, &json!({"action": "decline"})).await;
    assert_eq!(
        (&declined["draw_offer"], &declined["note"]),
        (&Value::Null, &json!("black declines the draw"))
    );
    game = declined;
    for uci in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"] {
        game = site.play(&game, uci).await.1;
    }
    assert_eq!(game["claimable"], "threefold repetition");
    let (_, over) = site.post(&draw, &json!({"action": "claim"})).await;
    assert_eq!(over["status"]["result"], "1/2-1/2");
    // A player does not take a draw in the opening.
    let game = site
        .begin(&json!({"white": person(), "black": engine(100)}))
        .await;
    let (_, answer) = site.post(&format!("/games/{}/draw", id(&game)), &json!({})).await;
    assert_eq!(answer["note"], "black declines the draw");
}

#[tokio::test]
async fn games_begin_where_they_are_told_to() {
    let site = Site::start(Config::default());
    let begin = |start: Value| json!({"white": person(), "black": person(), "start": start});
    let fen = "8/P6k/8/8/8/8/8/K7 w - - 0 1";
    let game = site.begin(&begin(json!({"fen": fen}))).await;
    assert_eq!(game["start_fen"], fen);
    let (status, game) = site.play(&game, "a7a8n").await;
    assert_eq!(
        (status, &game["plies"][0]["san"]),
        (StatusCode::OK, &json!("a8=N"))
    );
    let pgn = "[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 *";
    let game = site.begin(&begin(json!({"pgn": pgn, "ply": 4}))).await;
    assert_eq!((&game["given"], &game["turn"]), (&json!(4), &json!("white")));
    let game = site.begin(&begin(json!({"moves": ["e2e4", "c7c5"]}))).await;
    assert_eq!(game["opening"], "Sicilian Defence");
    for (start, field) in [
        (json!({"fen": "nonsense"}), "start.fen"),
        (json!({"pgn": "1. e5"}), "start.pgn"),
        (json!({"pgn": "1. e4", "ply": 9}), "start.ply"),
        (json!({"moves": ["e2e4", "e2e4"]}), "start.moves[1]"),
        (json!({"pgn": "1. e4", "fen": fen}), "start.pgn"),
    ] {
        let (status, refused) = site.post("/games", &begin(start.clone())).await;
        assert_eq!(
            (status, &refused["error"]["field"]),
            (StatusCode::BAD_REQUEST, &json!(field)),
            "{start}"
        );
    }
}

#[tokio::test]
async fn games_are_listed_and_deleted() {
    let site = Site::start(Config::default());
    let game = site
        .begin(&json!({"white": person(), "black": {"kind": "person", "name": "Ana"}}))
        .await;
    let (_, list) = site.get("/games").await;
    assert_eq!(list[0]["black"], "Ana");
    let mut events = site.events(&format!("/games/{}/events", id(&game))).await;
    assert!(events.next("game").await.is_some());
    assert_eq!(
        site.delete(&format!("/games/{}", id(&game))).await,
        StatusCode::NO_CONTENT
    );
    assert_eq!(
        site.delete(&format!("/games/{}", id(&game))).await,
        StatusCode::NOT_FOUND
    );
    let (status, refused) = site.play(&game, "e2e4").await;
    assert_eq!((status, code(&refused)), (StatusCode::NOT_FOUND, "no-such-game"));
    assert_eq!(events.next("game").await, None, "its stream ends");
    assert_eq!(
        site.request(Method::PUT, "/games")
            .send()
            .await
            .expect("an answer")
            .status(),
        405
    );
}
