//! What is bounded: bodies, games, analyses, clients that do not read.

use std::io::Write as _;
use std::net::TcpStream;

use reqwest::{Method, StatusCode};
use serde_json::json;
use vidmar_web::Config;

use crate::site::{Site, id, person};

#[tokio::test]
async fn bodies_that_are_too_large_are_refused() {
    let site = Site::start(Config::default());
    let large = json!({"moves": vec!["e2e4"; 20_000]});
    let (status, refused) = site.post("/positions", &large).await;
    assert_eq!(
        (status, &refused["error"]["code"]),
        (StatusCode::PAYLOAD_TOO_LARGE, &json!("too-large"))
    );
    let text = "1. e4 e5 *\n".repeat(500_000);
    let sent = site.request(Method::POST, "/pgn").body(text).send().await;
    // The server may close the connection before it has read everything.
    if let Ok(answer) = sent {
        assert_eq!(answer.status(), StatusCode::PAYLOAD_TOO_LARGE);
    }
    let (status, _) = site.get("/about").await;
    assert_eq!(status, StatusCode::OK);
}

#[tokio::test]
async fn games_and_analyses_come_to_an_end() {
    let site = Site::start(Config::default());
    let slow = json!({"kind": "engine", "options": {"movetime": 60_000, "hash": 1}});
    let body = json!({"white": slow, "black": person()});
    let mut refused = None;
    for _ in 0..65 {
        let (status, answer) = site.post("/games", &body).await;
        if status != StatusCode::CREATED {
            refused = Some((status, answer));
            break;
        }
    }
    let (status, answer) = refused.expect("there is a limit");
    assert_eq!(
        (status, &answer["error"]["code"]),
        (StatusCode::TOO_MANY_REQUESTS, &json!("too-many-games"))
    );
    let (_, list) = site.get("/games").await;
    let first = list[0]["id"].as_str().expect("an id");
    site.delete(&format!("/games/{first}")).await;
    let ask = json!({"seat": slow, "limit": {"movetime": 60_000}});
    let mut statuses = Vec::new();
    for _ in 0..17 {
        statuses.push(site.post("/analyses", &ask).await.0);
    }
    assert_eq!(statuses.last(), Some(&StatusCode::TOO_MANY_REQUESTS));
    assert_eq!(
        statuses
            .iter()
            .filter(|&&status| status == StatusCode::CREATED)
            .count(),
        16
    );
}

#[tokio::test]
async fn a_client_that_does_not_read_gets_the_newest_and_costs_nothing() {
    let site = Site::start(Config::default());
    let mut game = site.begin(&json!({"white": person(), "black": person()})).await;
    // It asks for the events and reads nothing.
    let mut deaf = TcpStream::connect(site.address).expect("a connection");
    let path = format!("/api/v1/games/{}/events", id(&game));
    let request = format!("GET {path} HTTP/1.1\r\nHost: {}\r\n\r\n", site.address);
    deaf.write_all(request.as_bytes()).expect("sent");
    let mut slow = site.events(&format!("/games/{}/events", id(&game))).await;
    slow.next("game").await.expect("a snapshot");
    let dance = ["g1f3", "g8f6", "f3g1", "f6g8"];
    for uci in dance.iter().cycle().take(16) {
        let (status, next) = site.play(&game, uci).await;
        assert_eq!(status, StatusCode::OK, "{next}");
        game = next;
    }
    let last = game["version"].as_u64().expect("a version");
    let mut seen = 0;
    loop {
        let event = slow.next("game").await.expect("the newest comes");
        seen += 1;
        if event["version"].as_u64() == Some(last) {
            break;
        }
    }
    assert!(seen <= 16, "{seen}");
}
