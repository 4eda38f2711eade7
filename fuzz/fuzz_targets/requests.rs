//! Any bytes as the body of a request, to every endpoint that takes one: a client's error or a success, never a panic.
#![no_main]

use std::sync::LazyLock;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use libfuzzer_sys::fuzz_target;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt as _;
use vidmar_web::{Config, Server, app};

const PATHS: [&str; 6] = ["positions", "pgn", "analyses", "runs", "games", "games/x/moves"];

/// Made once: to make all routes takes longer than to answer.
static SERVER: LazyLock<(Runtime, Router)> = LazyLock::new(|| {
    let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
    let server = runtime.block_on(async { Server::new(Config::default()) }).expect("a server");
    (runtime, app(server))
});

fuzz_target!(|bytes: &[u8]| {
    let Some((&first, body)) = bytes.split_first() else {
        return;
    };
    let (runtime, routes) = &*SERVER;
    let path = PATHS[usize::from(first) % PATHS.len()];
    let request = Request::post(format!("/api/v1/{path}"))
        .header("host", "localhost")
        .header("content-type", "application/json")
        .body(Body::from(body.to_vec()))
        .expect("a request");
    let status = runtime.block_on(routes.clone().oneshot(request)).expect("infallible").status();
    assert!(status.is_success() || status.is_client_error(), "{path}: {status}");
});
