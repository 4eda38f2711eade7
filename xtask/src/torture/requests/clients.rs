//! The clients, one row each.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use anyhow::{Context, Result, ensure};
use serde_json::{Value, json};
use vidmar_rng::Rng;

use super::super::server::Server;

/// A client: the answer is how many requests it made, an error a finding.
pub(super) struct Client {
    pub(super) name: &'static str,
    pub(super) visit: fn(&Server, &mut Rng) -> Result<u64>,
}

/// The clients; a new one is a row here.
pub(super) const CLIENTS: &[Client] = &[
    Client {
        name: "foreign hosts and origins",
        visit: foreign,
    },
    Client {
        name: "wrong tokens",
        visit: tokens,
    },
    Client {
        name: "paths out of the page",
        visit: paths,
    },
    Client {
        name: "no HTTP",
        visit: no_http,
    },
    Client {
        name: "bodies without end",
        visit: oversized,
    },
    Client {
        name: "deep JSON",
        visit: deep,
    },
    Client {
        name: "bad bodies",
        visit: bad_bodies,
    },
    Client {
        name: "bad positions",
        visit: positions,
    },
    Client {
        name: "bad games",
        visit: games_as_text,
    },
    Client {
        name: "clients that leave",
        visit: leaves,
    },
    Client {
        name: "many connections",
        visit: connections,
    },
    Client {
        name: "many games",
        visit: many_games,
    },
    Client {
        name: "many analyses",
        visit: many_analyses,
    },
    Client {
        name: "many runs",
        visit: many_runs,
    },
];

/// Requests that are refused with a status of a client's error, whatever they are.
fn refused(server: &Server, bytes: &[u8], what: &str) -> Result<()> {
    let Some(answer) = server.raw(bytes)? else {
        return Ok(());
    };
    ensure!(
        (400..500).contains(&answer.status) || answer.status == 501 || answer.status == 505,
        "{what}: {} {}",
        answer.status,
        String::from_utf8_lossy(&answer.body)
            .chars()
            .take(200)
            .collect::<String>()
    );
    Ok(())
}

fn foreign(server: &Server, _: &mut Rng) -> Result<u64> {
    let right = server.head("GET", "/about");
    let host = format!("Host: {}", server.address);
    let hosts = [
        "evil.example",
        "127.0.0.1.evil.example",
        "",
        "localhost.evil",
        "[::1",
        "\u{e9}vil",
    ];
    for name in hosts {
        refused(
            server,
            (right.replace(&host, &format!("Host: {name}")) + "\r\n").as_bytes(),
            name,
        )?;
    }
    for origin in ["http://evil.example", "null", "https://127.0.0.1", "file://"] {
        for header in [
            format!("Origin: {origin}"),
            format!("Sec-Fetch-Site: cross-site\r\nOrigin: {origin}"),
        ] {
            let head = server.head("POST", "/positions");
            refused(
                server,
                format!("{head}{header}\r\nContent-Length: 2\r\n\r\n{{}}").as_bytes(),
                &header,
            )?;
        }
    }
    Ok(hosts.len() as u64 + 8)
}

fn tokens(server: &Server, rng: &mut Rng) -> Result<u64> {
    let own = server.token.clone();
    let cut = &own[..own.len() - 1];
    let noise: String = (0..own.len())
        .map(|_| char::from(b'a' + rng.below(26) as u8))
        .collect();
    let all = [
        String::new(),
        cut.to_owned(),
        format!("{own}x"),
        own.to_uppercase() + "x",
        noise,
        "x".repeat(4000),
        "\u{0}".to_owned(),
    ];
    for token in &all {
        let head = server.head("GET", "/games").replace(&own, token);
        refused(server, format!("{head}\r\n").as_bytes(), "a wrong token")?;
        let query = format!(
            "GET /?token={token} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n",
            server.address
        );
        refused(server, query.as_bytes(), "a wrong token in the address")?;
    }
    Ok(2 * all.len() as u64)
}

fn paths(server: &Server, _: &mut Rng) -> Result<u64> {
    let up = [
        "../",
        "..%2f",
        "%2e%2e/",
        "%2e%2e%2f",
        "..\\",
        "..%5c",
        "..%00/",
        "....//",
        "%c0%ae%c0%ae/",
        "/../",
    ];
    let below = [
        "/",
        "/assets/",
        "/api/v1/runs/",
        "/api/v1/runs/x/files/",
        "/api/v1/games/",
    ];
    let mut requests = 0;
    for base in below {
        for up in up {
            let path = format!("{base}{}etc/passwd", up.repeat(8));
            let head = server.head("GET", "/@").replace("/api/v1/@", &path);
            let answer = server.raw(format!("{head}\r\n").as_bytes())?;
            let is_leak = answer.is_some_and(|answer| answer.body.windows(5).any(|five| five == b"root:"));
            ensure!(!is_leak, "{path} is /etc/passwd");
            requests += 1;
        }
    }
    Ok(requests)
}

fn no_http(server: &Server, rng: &mut Rng) -> Result<u64> {
    let head = server.head("GET", "/about");
    let long = "a".repeat(1 << 20);
    let many = "X-Y: 1\r\n".repeat(5000);
    let mut all: Vec<Vec<u8>> = [
        "\r\n\r\n".to_owned(),
        "GET\r\n\r\n".to_owned(),
        "GET / HTTP/9.9\r\n\r\n".to_owned(),
        "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(),
        format!("GET /{long} HTTP/1.1\r\n\r\n"),
        format!("{head}X: {long}\r\n\r\n"),
        format!("{head}{many}\r\n"),
        format!("{head}Content-Length: -1\r\n\r\n"),
        format!("{head}Content-Length: 18446744073709551616\r\n\r\n"),
        format!("{head}Content-Length: 5\r\nContent-Length: 6\r\n\r\nabcde"),
        format!("{head}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\nzzz\r\n"),
        format!("{head}Host: other\r\n\r\n"),
        format!(
            "{}Expect: 200-maybe\r\nContent-Length: 2\r\n\r\n{{}}",
            server.head("POST", "/positions")
        ),
        "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}".to_owned(),
    ]
    .map(String::into_bytes)
    .to_vec();
    for _ in 0..20 {
        all.push((0..rng.below(3000)).map(|_| rng.bits() as u8).collect());
    }
    for bytes in &all {
        let mut stream = server.connect()?;
        let _ = stream.write_all(bytes);
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.take(1 << 20).read_to_end(&mut answer);
        let is_internal = answer.starts_with(b"HTTP/1.1 500");
        ensure!(
            !is_internal,
            "500 to {:?}",
            String::from_utf8_lossy(&bytes[..bytes.len().min(80)])
        );
    }
    Ok(all.len() as u64)
}

/// More than is announced, more than is taken, without end.
fn oversized(server: &Server, _: &mut Rng) -> Result<u64> {
    for path in ["/positions", "/games", "/analyses", "/pgn", "/runs"] {
        let head = server.head("POST", path);
        refused(
            server,
            format!("{head}Content-Length: 1000000000000\r\n\r\n{{").as_bytes(),
            path,
        )?;
        let body = vec![b' '; 5 << 20];
        let mut bytes = format!("{head}Content-Length: {}\r\n\r\n", body.len()).into_bytes();
        bytes.extend(body);
        refused(server, &bytes, path)?;
        // In pieces, for as long as it is taken.
        let mut stream = server.connect()?;
        stream.write_all(format!("{head}Transfer-Encoding: chunked\r\n\r\n").as_bytes())?;
        let piece = format!("10000\r\n{}\r\n", "9".repeat(0x10000));
        let taken = (0..1000)
            .take_while(|_| stream.write_all(piece.as_bytes()).is_ok())
            .count();
        ensure!(taken < 1000, "{path}: {taken} pieces of 64 KiB are taken");
    }
    Ok(15)
}

fn deep(server: &Server, rng: &mut Rng) -> Result<u64> {
    let depth = 30_000 - rng.below(100) as usize;
    let all = [
        "[".repeat(depth * 2),
        "{\"a\":".repeat(depth / 3),
        format!("{{\"white\":{}", "[{\"options\":".repeat(depth / 8)),
        format!("{{\"fen\":\"{}\"}}", "8/".repeat(depth)),
        format!("{{\"moves\":[{}\"e2e4\"]}}", "\"e2e4\",".repeat(depth / 4)),
    ];
    for body in &all {
        for path in ["/positions", "/games", "/analyses", "/runs", "/pgn"] {
            let answer = server.ask("POST", path, body.as_bytes())?;
            ensure!(answer.status < 500, "{path}: {}", answer.status);
        }
    }
    Ok(25)
}

/// Bodies that are right but for one part, which is anything.
fn bad_bodies(server: &Server, rng: &mut Rng) -> Result<u64> {
    let right = [
        (
            "/games",
            json!({"white": {"kind": "random", "options": {"seed": 1}}, "black": {"kind": "person"}, "seed": 1,
            "clock": {"base_ms": 1000, "increment_ms": 0}, "start": {"fen": "8/8/8/8/8/8/8/K1k5 w - - 0 1", "moves": []}}),
        ),
        ("/positions", json!({"fen": null, "moves": ["e2e4"]})),
        (
            "/analyses",
            json!({"fen": null, "moves": [], "seat": {"kind": "engine", "options": {"hash": 1}}, "limit": {"depth": 1}, "multipv": 1}),
        ),
        (
            "/runs",
            json!({"preset": "no-such-preset", "name": "x", "seed": 1, "scale": 1.0}),
        ),
    ];
    let anything = [
        json!(null),
        json!(-1),
        json!(0),
        json!(u64::MAX),
        json!(i64::MIN),
        json!(1e308),
        json!(0.5),
        json!(true),
        json!(""),
        json!("x".repeat(10_000)),
        json!("\u{0}"),
        json!("../../x"),
        json!([]),
        json!({}),
        json!([[[]]]),
        json!("18446744073709551616"),
    ];
    let mut requests = 0;
    for _ in 0..200 {
        let (path, body) = rng.pick(&right).context("bodies")?;
        let value = rng.pick(&anything).context("values")?.clone();
        let mut body = body.clone();
        replace(&mut body, value, rng);
        let answer = server.post(path, &body)?;
        ensure!(answer.status < 500, "{path} {body}: {}", answer.status);
        let told = String::from_utf8_lossy(&answer.body);
        ensure!(
            !told.contains("panicked") && !told.contains("backtrace"),
            "{path} {body}: {told}"
        );
        requests += 1;
    }
    clear(server)?;
    Ok(requests)
}

/// Puts a value at a random place of another.
fn replace(body: &mut Value, value: Value, rng: &mut Rng) {
    let inner: Vec<String> = body
        .as_object()
        .map(|map| map.keys().cloned().collect())
        .unwrap_or_default();
    match rng.pick(&inner) {
        Some(key) if rng.chance(0.8) => replace(&mut body[key.as_str()], value, rng),
        _ => *body = value,
    }
}

fn positions(server: &Server, rng: &mut Rng) -> Result<u64> {
    let right = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let letters = b"rnbqkpRNBQKP12345678/ -wabcdefgh0";
    for _ in 0..200 {
        let mut fen = right.as_bytes().to_vec();
        for _ in 0..=rng.below(4) {
            let at = rng.index(fen.len());
            fen[at] = *rng.pick(letters).context("letters")?;
        }
        let fen = String::from_utf8(fen)?;
        let answer = server.post("/positions", &json!({"fen": fen, "moves": ["e1g1"]}))?;
        ensure!(answer.status < 500, "{fen}: {}", answer.status);
    }
    Ok(200)
}

fn games_as_text(server: &Server, rng: &mut Rng) -> Result<u64> {
    let many = |text: &str, times: usize| text.repeat(times);
    let mut all = vec![
        many("(", 1_000_000),
        format!("1. e4 {}", many("( 1... e5 ", 100_000)),
        many("[A \"b\"]\n", 400_000),
        many("{", 3_000_000),
        format!("1. e4 {{{}", many("x", 3_000_000)),
        many("1. e4 e5 ", 300_000),
        many("[Event \"x\"]\n\n1. e4 *\n\n", 100_000),
        many("$1 ", 1_000_000),
        format!("[Event \"{}\"]\n\n*", many("\\\"", 1_000_000)),
        many("\u{feff}", 100_000),
    ];
    for _ in 0..5 {
        all.push((0..50_000).map(|_| char::from(rng.bits() as u8 & 0x7f)).collect());
    }
    for text in &all {
        let answer = server.ask("POST", "/pgn", text.as_bytes())?;
        ensure!(answer.status < 500, "{:?}: {}", &text[..20], answer.status);
    }
    Ok(all.len() as u64)
}

/// Requests that are cut off, and streams that nobody reads.
fn leaves(server: &Server, rng: &mut Rng) -> Result<u64> {
    let text = "[Event \"x\"]\n\n1. e4 e5 2. Nf3 *\n\n".repeat(60_000);
    for _ in 0..10 {
        let mut bytes = server.head("POST", "/pgn").into_bytes();
        bytes.extend(format!("Content-Length: {}\r\n\r\n{text}", text.len()).bytes());
        bytes.truncate(bytes.len() - rng.index(bytes.len() / 2));
        let _ = server.connect()?.write_all(&bytes);
    }
    let game = server
        .post(
            "/games",
            &json!({"white": {"kind": "person"}, "black": {"kind": "random"}}),
        )?
        .json();
    let id = game["id"].as_str().context("a game")?;
    for _ in 0..100 {
        let mut stream = server.connect()?;
        stream.write_all(format!("{}\r\n", server.head("GET", &format!("/games/{id}/events"))).as_bytes())?;
        let mut first = [0; 64];
        let _ = stream.read(&mut first);
    }
    clear(server)?;
    Ok(111)
}

fn connections(server: &Server, _: &mut Rng) -> Result<u64> {
    let open: Vec<_> = (0..700)
        .map_while(|_| TcpStream::connect_timeout(&server.address, Duration::from_secs(1)).ok())
        .collect();
    let count = open.len() as u64;
    ensure!(count > 0, "no connection at all");
    drop(open);
    Ok(count)
}

fn many_games(server: &Server, _: &mut Rng) -> Result<u64> {
    let quick = json!({"white": {"kind": "person"}, "black": {"kind": "person"}});
    let large = json!({"white": {"kind": "engine", "options": {"hash": 64, "nodes": 1000}}, "black": {"kind": "person"}});
    let mut refusals = 0;
    for number in 0..600 {
        let answer = server.post("/games", if number % 4 == 0 { &large } else { &quick })?;
        ensure!(
            matches!(answer.status, 201 | 409 | 429),
            "game {number}: {}",
            answer.status
        );
        refusals += u64::from(answer.status != 201);
    }
    ensure!(refusals > 0, "600 games and no end");
    clear(server)?;
    Ok(600)
}

fn many_analyses(server: &Server, _: &mut Rng) -> Result<u64> {
    let body = json!({"fen": null, "moves": [], "seat": {"kind": "engine", "options": {"hash": 16}}, "limit": {"movetime": 500}, "multipv": 1});
    for _ in 0..60 {
        let answer = server.post("/analyses", &body)?;
        ensure!(matches!(answer.status, 201 | 409 | 429), "{}", answer.status);
    }
    Ok(60)
}

fn many_runs(server: &Server, rng: &mut Rng) -> Result<u64> {
    let mut refusals = 0;
    for number in 0..14 {
        let body =
            json!({"preset": "quick", "name": format!("run-{}-{number}", rng.bits32()), "scale": 100.0});
        let answer = server.post("/runs", &body)?;
        ensure!(
            matches!(answer.status, 201 | 429),
            "run {number}: {}",
            answer.status
        );
        refusals += u64::from(answer.status == 429);
    }
    server.stop_runs()?;
    ensure!(refusals >= 4, "{refusals} of 14 runs refused");
    Ok(14)
}

/// Deletes every game.
fn clear(server: &Server) -> Result<()> {
    let list = server.get("/games")?.json();
    for game in list.as_array().into_iter().flatten() {
        if let Some(id) = game["id"].as_str() {
            server.ask("DELETE", &format!("/games/{id}"), b"")?;
        }
    }
    Ok(())
}

/// Connections that send a little and then nothing: the server must not wait for them for ever.
pub(super) struct Held(Vec<TcpStream>);

impl Held {
    pub(super) fn open(server: &Server) -> Result<Held> {
        let mut held = Vec::new();
        for number in 0..20 {
            let mut stream = server.connect()?;
            let sent = match number % 3 {
                0 => "GET /api".to_owned(),
                1 => server.head("POST", "/positions"),
                _ => server.head("POST", "/positions") + "Content-Length: 1000\r\n\r\n{",
            };
            stream.write_all(sent.as_bytes())?;
            held.push(stream);
        }
        Ok(Held(held))
    }

    /// Whether all are closed; asked for after less than a minute, they may still be open.
    pub(super) fn are_closed(self, after: Duration) -> Result<()> {
        if after < Duration::from_mins(1) {
            return Ok(());
        }
        let mut open = 0;
        for mut stream in self.0 {
            stream.set_read_timeout(Some(Duration::from_secs(1)))?;
            let mut rest = Vec::new();
            open += u32::from(
                stream
                    .read_to_end(&mut rest)
                    .is_err_and(|error| error.kind() == std::io::ErrorKind::WouldBlock),
            );
        }
        ensure!(open == 0, "{open} of 20 are open after {} s", after.as_secs());
        Ok(())
    }
}
