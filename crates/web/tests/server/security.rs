//! Whose requests are answered, and with what.

use std::net::{IpAddr, Ipv4Addr};

use reqwest::header::{AUTHORIZATION, COOKIE, HOST, ORIGIN, SET_COOKIE, WWW_AUTHENTICATE};
use reqwest::{Method, StatusCode};
use serde_json::json;
use vidmar_web::{Config, ListenError, Listener, NamedEngine, Token};

use crate::site::{Site, cases, person, program};

#[test]
fn a_port_that_is_taken_is_told() {
    let loopback = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let first = Listener::open(loopback, 0).expect("a free port");
    assert!(first.address().ip().is_loopback());
    let error = Listener::open(loopback, first.address().port())
        .err()
        .expect("taken");
    assert!(matches!(error, ListenError::Taken { .. }), "{error}");
}

#[tokio::test]
async fn foreign_names_are_refused() {
    let site = Site::start(Config::default());
    let port = site.address.port();
    for host in [
        "evil.example",
        "evil.example:80",
        "127.0.0.1.nip.io",
        "10.1.2.3",
        "localhost.evil.example",
        "",
    ] {
        let sent = site
            .request(Method::GET, "/about")
            .header(HOST, host)
            .send()
            .await;
        let answer = sent.expect("an answer");
        assert!(answer.status().is_client_error(), "{host}");
        assert_eq!(answer.headers()["x-frame-options"], "DENY");
    }
    for host in [
        format!("localhost:{port}"),
        "127.0.0.1".to_owned(),
        format!("[::1]:{port}"),
    ] {
        let sent = site
            .request(Method::GET, "/about")
            .header(HOST, host)
            .send()
            .await;
        assert_eq!(sent.expect("an answer").status(), StatusCode::OK);
    }
}

#[tokio::test]
async fn foreign_pages_are_refused() {
    let site = Site::start(Config::default());
    let own = format!("http://{}", site.address);
    let other_port = format!("http://127.0.0.1:{}", site.address.port() ^ 1);
    let body = json!({"white": person(), "black": person()});
    for origin in [
        "https://evil.example",
        "null",
        "file://",
        &other_port,
        "http://localhost",
        "",
        &format!("{own}.evil.example"),
    ] {
        let sent = site
            .request(Method::POST, "/games")
            .header(ORIGIN, origin)
            .json(&body)
            .send()
            .await;
        assert_eq!(
            sent.expect("an answer").status(),
            StatusCode::FORBIDDEN,
            "{origin}"
        );
    }
    let sent = site
        .request(Method::POST, "/games")
        .header(ORIGIN, &own)
        .json(&body)
        .send()
        .await;
    assert_eq!(sent.expect("an answer").status(), StatusCode::CREATED);
    // An image or script of another page tells no origin.
    for (mode, path, expected) in [
        ("no-cors", "/about", StatusCode::FORBIDDEN),
        ("navigate", "/about", StatusCode::FORBIDDEN),
        ("navigate", "/../../", StatusCode::OK),
    ] {
        let request = site.request(Method::GET, path);
        let sent = request
            .header("sec-fetch-site", "cross-site")
            .header("sec-fetch-mode", mode)
            .send()
            .await;
        assert_eq!(sent.expect("an answer").status(), expected, "{mode} {path}");
    }
}

#[tokio::test]
async fn every_answer_has_the_headers() {
    let site = Site::start(Config::default());
    for path in [
        "/about",
        "/nothing",
        "/../../",
        "/../../no/such/file",
        "/games/none/events",
    ] {
        let answer = site.request(Method::GET, path).send().await.expect("an answer");
        let headers = answer.headers();
        let policy = headers["content-security-policy"].to_str().expect("text");
        assert!(
            policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"),
            "{path}"
        );
        assert!(!policy.contains("unsafe") && !policy.contains('*'), "{policy}");
        assert_eq!(headers["x-content-type-options"], "nosniff", "{path}");
        assert_eq!(headers["referrer-policy"], "no-referrer", "{path}");
        assert_eq!(headers["cross-origin-resource-policy"], "same-origin", "{path}");
        assert!(!headers.contains_key("access-control-allow-origin"), "{path}");
    }
    let sent = site
        .request(Method::POST, "/games")
        .header("content-type", "text/plain")
        .body("{}")
        .send()
        .await;
    assert_eq!(
        sent.expect("an answer").status(),
        StatusCode::UNSUPPORTED_MEDIA_TYPE
    );
}

#[tokio::test]
async fn nothing_can_be_named_that_the_server_was_not_started_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let witness = folder.path().join("witness");
    let engine = NamedEngine {
        name: "known".to_owned(),
        spec: program("/nowhere/known"),
    };
    let config = Config {
        engines: vec![engine],
        files: vec![cases(folder.path())],
        ..Config::default()
    };
    let site = Site::start(config);
    let command = format!("touch {}", witness.display());
    let file = folder.path().join("tal.cases").display().to_string();
    let mut seats = vec![
        json!({"kind": "uci", "options": {"cmd": command}}),
        json!({"kind": "uci", "options": {"engine": command}}),
        json!({"kind": "uci", "options": {"engine": "known,cmd=touch"}}),
        json!({"kind": "uci:cmd=touch"}),
        json!({"kind": "xboard", "options": {"cmd": command}}),
        json!({"kind": "cbr", "options": {"cases": file}}),
        json!({"kind": "cbr", "options": {"cases": "../tal"}}),
        json!({"kind": "cbr", "options": {"cases": "tal", "weights": format!("1/1/1,cases={file}")}}),
        json!({"kind": "engine", "cmd": command}),
        json!({"kind": "engine", "options": {"option.EvalFile": file}}),
        json!({"kind": "engine", "options": {"option.Book File": file}}),
        json!({"kind": "engine", "options": {"eval": file}}),
        json!({"kind": "engine", "options": {"eval": "./fitted"}}),
        json!({"kind": "search", "options": {"vector": file}}),
        json!({"kind": "search", "options": {"ordering": "all,cases=x"}}),
        json!({"kind": "search", "options": {"ordering": "all\u{0}"}}),
    ];
    let (_, kinds) = site.get("/players").await;
    for kind in kinds.as_array().expect("kinds") {
        seats.push(json!({"kind": kind["kind"], "options": {"cmd": "touch", "dir": "/", "args": "x"}}));
    }
    for seat in seats {
        let (status, refused) = site
            .post("/games", &json!({"white": seat, "black": person()}))
            .await;
        assert!(status.is_client_error(), "{seat}: {refused}");
        let (status, refused) = site.post("/analyses", &json!({"seat": seat})).await;
        assert!(status.is_client_error(), "{seat}: {refused}");
    }
    assert!(!witness.exists());
    let (_, about) = site.get("/about").await;
    assert_eq!(
        (&about["engines"], &about["cases"]),
        (&json!(["known"]), &json!(["tal"]))
    );
    let told = format!("{about}{kinds}");
    assert!(
        !told.contains("nowhere") && !told.contains(&*folder.path().to_string_lossy()),
        "no paths"
    );
    // Nor a file through the page.
    for path in [
        "/../../../../etc/passwd",
        "/../../assets/../../Cargo.toml",
        "/../../%2e%2e/%2e%2e/Cargo.toml",
        "/../..//etc/passwd",
    ] {
        let answer = site.request(Method::GET, path).send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn without_the_token_nothing_is_answered() {
    const SECRET: &str = "0123456789abcdef-secret";
    let site = Site::start(Config {
        token: Some(Token::given(SECRET).expect("a token")),
        ..Config::default()
    });
    let about = || site.request(Method::GET, "/about");
    let wrong = SECRET.replace('s', "S");
    let port = site.address.port();
    let bearer = |text: &str| about().header(AUTHORIZATION, format!("Bearer {text}"));
    let cookie = |port: u16, text: &str| about().header(COOKIE, format!("a=b; vidmar_{port}={text}; c=d"));
    for (what, request) in [
        ("nothing", about()),
        ("another token", bearer(&wrong)),
        ("a part of it", bearer(&SECRET[1..])),
        ("more than it", bearer(&format!("{SECRET}x"))),
        ("no token", bearer("")),
        (
            "another scheme",
            about().header(AUTHORIZATION, format!("Basic {SECRET}")),
        ),
        ("another cookie", cookie(port, &wrong)),
        ("the cookie of another server", cookie(port ^ 1, SECRET)),
        (
            "a parameter",
            site.request(Method::GET, &format!("/about?token={SECRET}")),
        ),
        ("the page", site.request(Method::GET, "/../../")),
        ("a file of it", site.request(Method::GET, "/../../assets/x.js")),
        (
            "a wrong address",
            site.request(Method::GET, &format!("/../../?token={wrong}")),
        ),
        (
            "a change",
            site.request(Method::POST, "/games")
                .json(&json!({"white": person(), "black": person()})),
        ),
        ("a stream", site.request(Method::GET, "/games/x/events")),
    ] {
        let answer = request.send().await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{what}");
        assert_eq!(answer.headers()[WWW_AUTHENTICATE], "Bearer", "{what}");
        assert_eq!(answer.headers()["x-frame-options"], "DENY", "{what}");
        assert!(!answer.headers().contains_key(SET_COOKIE), "{what}");
        let text = answer.text().await.expect("a body");
        assert!(!text.contains(SECRET) && text.contains("token"), "{what}: {text}");
    }
    for request in [bearer(SECRET), cookie(port, SECRET)] {
        assert_eq!(request.send().await.expect("an answer").status(), StatusCode::OK);
    }
    // The address that is printed gives a browser its cookie.
    let opened = site
        .request(Method::GET, &format!("/../../?token={SECRET}"))
        .send()
        .await;
    let opened = opened.expect("an answer");
    assert_eq!(opened.status(), StatusCode::OK);
    let cookie = opened.headers()[SET_COOKIE].to_str().expect("text");
    assert_eq!(
        cookie,
        format!("vidmar_{port}={SECRET}; Path=/; HttpOnly; SameSite=Strict")
    );
    // A name that is not ours is refused whatever it shows.
    let foreign = bearer(SECRET).header(HOST, "evil.example").send().await;
    assert_eq!(foreign.expect("an answer").status(), StatusCode::FORBIDDEN);
}
