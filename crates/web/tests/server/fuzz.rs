//! Whatever is sent, the answer is a client's error or a success: never a panic, never a 5xx.

use std::sync::LazyLock;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use proptest::prelude::*;
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tower::ServiceExt as _;
use vidmar_web::{Config, Server, app};

/// Every endpoint that takes a body, and some that do not.
const ENDPOINTS: &[(Method, &str)] = &[
    (Method::POST, "/games"),
    (Method::POST, "/games/ID/moves"),
    (Method::POST, "/games/ID/takeback"),
    (Method::POST, "/games/ID/resign"),
    (Method::POST, "/games/ID/draw"),
    (Method::POST, "/games/ID/pause"),
    (Method::POST, "/games/ID/continue"),
    (Method::POST, "/positions"),
    (Method::POST, "/analyses"),
    (Method::POST, "/pgn"),
    (Method::GET, "/games/ID"),
    (Method::GET, "/games/ID/pgn"),
    (Method::GET, "/games/ID/why/PLY"),
    (Method::DELETE, "/analyses/ID"),
];

static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("threads"));
static SERVER: LazyLock<(Server, String)> = LazyLock::new(|| {
    let server = Server::new(Config::default()).expect("a server");
    let body = json!({"white": {"kind": "person"}, "black": {"kind": "person"}});
    let (status, game) = RUNTIME.block_on(send(
        &server,
        &Method::POST,
        "/games",
        body.to_string().into_bytes(),
    ));
    assert_eq!(status, StatusCode::CREATED);
    let game: Value = serde_json::from_slice(&game).expect("JSON");
    (server, game["id"].as_str().expect("an id").to_owned())
});

async fn send(server: &Server, method: &Method, path: &str, body: Vec<u8>) -> (StatusCode, Vec<u8>) {
    let request = Request::builder()
        .method(method.clone())
        .uri(format!("/api/v1{path}"))
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(Body::from(body))
        .expect("a request");
    let response = app(server.clone()).oneshot(request).await.expect("infallible");
    let status = response.status();
    let body = axum::body::to_bytes(response.into_body(), usize::MAX).await;
    (status, body.expect("a body").to_vec())
}

/// Words that mean something somewhere.
fn word() -> impl Strategy<Value = String> {
    let known = prop::sample::select(vec![
        "white",
        "black",
        "start",
        "clock",
        "seed",
        "fen",
        "moves",
        "pgn",
        "ply",
        "kind",
        "name",
        "options",
        "uci",
        "version",
        "side",
        "action",
        "seat",
        "limit",
        "multipv",
        "depth",
        "nodes",
        "movetime",
        "base_ms",
        "increment_ms",
        "person",
        "random",
        "search",
        "claim",
        "accept",
        "offer",
        "e2e4",
        "elo",
        "1. e4 e5",
        "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    ]);
    prop_oneof![4 => known.prop_map(str::to_owned), 1 => any::<String>()]
}

/// Any JSON, with some words that mean something.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        (0..5i64).prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(word(), inner, 0..6).prop_map(|map| map.into_iter().collect()),
        ]
    })
}

/// A body that is right but for one part.
fn nearly_right() -> impl Strategy<Value = Value> {
    let right = prop::sample::select(vec![
        json!({"white": {"kind": "random"}, "black": {"kind": "person"}, "start": {"fen": "8/8/8/8/8/8/8/K1k5 w - - 0 1", "moves": []},
            "clock": {"base_ms": 1000, "increment_ms": 0}, "seed": 1}),
        json!({"white": {"kind": "person"}, "black": {"kind": "person"}, "start": {"pgn": "1. e4", "ply": 1}}),
        json!({"uci": "e2e4", "version": 2}),
        json!({"action": "offer", "side": "white", "version": 1}),
        json!({"fen": null, "moves": ["e2e4"]}),
        json!({"fen": null, "moves": [], "seat": {"kind": "random", "options": {"seed": 1}}, "limit": {"depth": 1}, "multipv": 1}),
    ]);
    (right, word(), anything(), 0..4usize, any::<prop::sample::Index>()).prop_map(
        |(mut body, key, value, change, place)| {
            if let Some(map) = body.as_object_mut() {
                let known = map
                    .keys()
                    .nth(place.index(map.len()))
                    .cloned()
                    .unwrap_or_default();
                match change {
                    // As it is.
                    0 => {}
                    1 => drop(map.insert(key, value)),
                    _ => drop(map.insert(known, value)),
                }
            }
            body
        },
    )
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => anything().prop_map(|value| value.to_string().into_bytes()),
        6 => nearly_right().prop_map(|value| value.to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..200),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn whatever_is_sent_is_answered(
        endpoint in prop::sample::select(ENDPOINTS),
        known in any::<bool>(),
        odd in "[a-z0-9%._~-]{1,20}",
        ply in prop_oneof![any::<u64>().prop_map(|ply| ply.to_string()), "[a-z0-9-]{1,8}".prop_map(String::from)],
        body in body(),
    ) {
        let (server, id) = &*SERVER;
        let (method, path) = endpoint;
        // A lone % is no URI at all, and never reaches the server.
        let id = if known { id.clone() } else { odd.replace('%', "%25") };
        let path = path.replace("ID", &id).replace("PLY", &ply);
        let (status, answer) = RUNTIME.block_on(send(server, &method, &path, body.clone()));
        prop_assert!(
            status.is_success() || status.is_client_error(),
            "{method} {path} {}: {status}", String::from_utf8_lossy(&body)
        );
        if status.is_client_error() {
            let answer: Value = serde_json::from_slice(&answer).expect("errors are JSON");
            let told = answer["error"]["message"].as_str();
            prop_assert!(answer["error"]["code"].is_string() && told.is_some_and(|text| !text.is_empty()));
        }
    }
}
