//! What is bounded: bodies, games, analyses, clients that do not read.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use vidmar_web::{Config, Timeouts};

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

fn large_game() -> Value {
    let engine = json!({"kind": "engine", "options": {"movetime": 60_000, "hash": 256}});
    json!({"white": engine, "black": person()})
}

#[tokio::test]
async fn the_memory_of_all_players_together_is_bounded() {
    let site = Site::start(Config {
        memory_mib: Some(600),
        ..Config::default()
    });
    let (first, second) = (site.begin(&large_game()).await, site.begin(&large_game()).await);
    for (path, body) in [
        ("/games", large_game()),
        ("/analyses", json!({"seat": large_game()["white"]})),
    ] {
        let (status, answer) = site.post(path, &body).await;
        assert_eq!(
            (status, &answer["error"]["code"]),
            (StatusCode::TOO_MANY_REQUESTS, &json!("no-memory")),
            "{path}: {answer}"
        );
    }
    // Small ones have room, and large ones again when another has ended or waits.
    let small = json!({"kind": "engine", "options": {"nodes": 100, "hash": 1}});
    site.begin(&json!({"white": small, "black": person()})).await;
    site.delete(&format!("/games/{}", id(&first))).await;
    let (status, _) = site
        .post(&format!("/games/{}/pause", id(&second)), &json!({}))
        .await;
    assert_eq!(status, StatusCode::OK);
    let begun = Instant::now();
    let mut left = 2;
    while left > 0 {
        let (status, answer) = site.post("/games", &large_game()).await;
        left -= usize::from(status == StatusCode::CREATED);
        assert!(begun.elapsed() < Duration::from_mins(1), "{answer}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // A game that goes on and finds no memory waits, and says why.
    let (_, game) = site
        .post(&format!("/games/{}/continue", id(&second)), &json!({}))
        .await;
    assert_eq!(game["status"]["state"], "paused", "{game}");
    let note = game["note"].as_str().expect("a note");
    assert!(note.contains("260 MiB of memory are needed"), "{note}");
}

#[tokio::test]
async fn games_for_which_there_is_no_memory_are_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = |memory| Config {
        state: Some(folder.path().to_owned()),
        memory_mib: Some(memory),
        ..Config::default()
    };
    let site = Site::start(config(600));
    let games = [site.begin(&large_game()).await, site.begin(&large_game()).await];
    drop(site);
    let site = Site::start(config(300));
    let mut states = Vec::new();
    for game in &games {
        let (status, game) = site.get(&format!("/games/{}", id(game))).await;
        assert_eq!(status, StatusCode::OK, "{game}");
        let told = game["note"].as_str().is_some_and(|note| note.contains("MiB"));
        let state = game["status"]["state"].as_str().expect("a state").to_owned();
        assert_eq!(state == "paused", told, "{game}");
        states.push(state);
    }
    states.sort();
    assert_eq!(states, ["paused", "playing"]);
}

#[tokio::test]
async fn a_text_of_many_tags_is_answered_at_once() {
    let site = Site::start(Config::default());
    let tags: Vec<String> = (0..290_000).map(|number| format!("[T{number} \"\"]\n")).collect();
    let tags = tags.concat();
    let begun = Instant::now();
    let sent = site
        .request(Method::POST, "/pgn")
        .body(format!("{tags}\n*\n"))
        .send()
        .await;
    let answer: Value = sent.expect("an answer").json().await.expect("JSON");
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let problem = answer["problems"][0]["message"].as_str().expect("a problem");
    assert!(problem.contains("more than 1000 tags"), "{problem}");
}

#[tokio::test]
async fn texts_are_read_a_few_at_a_time() {
    let site = Site::start(Config::default());
    let text = "Nf3 Nf6 Ng1 Ng8\n".repeat(24_000);
    let mut answers = tokio::task::JoinSet::new();
    for _ in 0..10 {
        answers.spawn(site.request(Method::POST, "/pgn").body(text.clone()).send());
    }
    while let Some(answer) = answers.join_next().await {
        let answer = answer.expect("no panic").expect("an answer");
        let status = answer.status();
        assert!(
            [StatusCode::OK, StatusCode::TOO_MANY_REQUESTS].contains(&status),
            "{status}"
        );
        assert!(!answer.bytes().await.expect("a body").is_empty());
    }
}

#[tokio::test]
async fn clients_that_take_too_long_lose_their_connection() {
    let short = Duration::from_millis(300);
    let site = Site::start(Config {
        timeouts: Timeouts {
            head: short,
            body: short,
            reading: short,
        },
        ..Config::default()
    });
    let begun = Instant::now();
    let connect = |text: String| {
        let mut stream = TcpStream::connect(site.address).expect("a connection");
        stream
            .set_read_timeout(Some(Duration::from_secs(30)))
            .expect("set");
        stream.write_all(text.as_bytes()).expect("sent");
        stream
    };
    // A head that does not end, and a connection that asks for nothing.
    for text in ["GET /api/v1/about HTTP/1.1\r\nHost: loc", ""] {
        let mut answer = String::new();
        connect(text.to_owned())
            .read_to_string(&mut answer)
            .expect("it is closed");
        assert!(!answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
    // A body that does not come.
    for (path, media_type) in [("games", "application/json"), ("pgn", "text/plain")] {
        let head = format!(
            "POST /api/v1/{path} HTTP/1.1\r\nHost: {}\r\nContent-Type: {media_type}\r\nContent-Length: 100\r\n\r\n{{",
            site.address
        );
        let mut answer = String::new();
        connect(head).read_to_string(&mut answer).expect("it is closed");
        assert!(answer.starts_with("HTTP/1.1 408"), "{path}: {answer}");
        assert!(answer.contains("too-slow"), "{path}: {answer}");
    }
    assert!(begun.elapsed() < Duration::from_secs(25), "{:?}", begun.elapsed());
    // An answer that nobody reads.
    let text = "Nf3 Nf6 Ng1 Ng8\n".repeat(24_000);
    let head = format!(
        "POST /api/v1/pgn HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\n\r\n{text}",
        site.address,
        text.len()
    );
    let mut deaf = connect(head);
    // However long it takes to read all the games: the answer has begun, and nobody takes it for ten times as long as is allowed.
    let begun = deaf.peek(&mut [0]);
    tokio::time::sleep(10 * short).await;
    assert!(matches!(begun, Ok(1)), "{begun:?}");
    let mut all = Vec::new();
    let read = deaf.read_to_end(&mut all);
    assert!(read.is_err() || all.len() < 10_000_000, "{} bytes", all.len());
}

#[tokio::test]
async fn numbers_that_are_too_large_are_refused_by_their_key() {
    let site = Site::start(Config::default());
    for number in ["9223372036854775808", "18446744073709551615", "1e30", "-1"] {
        let engine = format!("{{\"kind\": \"engine\", \"options\": {{\"hash\": {number}}}}}");
        let person = "{\"kind\": \"person\"}";
        for (path, body, key) in [
            (
                "/games",
                format!("{{\"white\": {engine}, \"black\": {person}}}"),
                "white.options",
            ),
            (
                "/games",
                format!("{{\"white\": {person}, \"black\": {person}, \"seed\": {number}}}"),
                "seed",
            ),
            (
                "/games",
                format!(
                    "{{\"white\": {person}, \"black\": {person}, \"clock\": {{\"base_ms\": {number}, \"increment_ms\": 0}}}}"
                ),
                "clock",
            ),
            (
                "/runs",
                format!("{{\"preset\": \"quick\", \"name\": \"x\", \"seed\": {number}}}"),
                "seed",
            ),
        ] {
            let request = site
                .request(Method::POST, path)
                .header("content-type", "application/json");
            let answer = request.body(body.clone()).send().await.expect("an answer");
            let status = answer.status();
            let error: Value = answer.json().await.expect("JSON");
            // Without a directory there is no run, whatever its seed.
            if path == "/runs" && error["error"]["code"] == "no-directory" {
                continue;
            }
            assert!(status.is_client_error(), "{body}: {error}");
            let field = error["error"]["field"].as_str().unwrap_or_default();
            assert!(field.starts_with(key), "{body}: {error}");
        }
    }
}
