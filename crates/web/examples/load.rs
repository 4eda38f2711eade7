//! Twenty people play against the engine at once, two browsers watch every game, and each request is timed.
//!
//!     cargo run --release -p vidmar-web --example load -- [GAMES] [PLIES]
//!
//! What is timed is `POST /moves`, from its sending to the end of its answer: the rules, the snapshot for all who watch,
//! and the game on its way to the disk; the engine's thought begins after it. Each is preceded by a `GET /about`, which
//! does nothing: what that takes is the machine's doing.

use std::net::{IpAddr, Ipv4Addr};
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value, json};
use vidmar_web::{Config, Listener, Server};

/// What the engine takes for a move.
const THOUGHT_MS: u64 = 50;

#[allow(clippy::print_stdout)]
#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let games = numbers.next().transpose()?.unwrap_or(20);
    let plies = numbers.next().transpose()?.unwrap_or(40);
    let folder = tempfile::tempdir()?;
    let config = Config {
        state: Some(folder.path().to_owned()),
        ..Config::default()
    };
    let (tell, told) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        let listener = Listener::open(IpAddr::V4(Ipv4Addr::LOCALHOST), 0).expect("a free port");
        let server = Server::new(config).expect("a server");
        tell.send(listener.address()).expect("somebody waits");
        listener.serve(server, std::future::pending());
    });
    let base = format!("http://{}/api/v1", told.recv()?);
    let before = memory_kib("VmRSS");
    let begun = Instant::now();
    let players: Vec<_> = (0..games)
        .map(|_| tokio::spawn(play(base.clone(), plies)))
        .collect();
    let (mut idle, mut times): (Vec<Duration>, Vec<Duration>) = (Vec::new(), Vec::new());
    for player in players {
        for (nothing, time) in player.await?.map_err(|error| error.to_string())? {
            idle.push(nothing);
            times.push(time);
        }
    }
    println!(
        "{games} games, {} moves in {:.1} s",
        times.len(),
        begun.elapsed().as_secs_f64()
    );
    println!("a request that does nothing: {}", spread(idle));
    println!("a move request: {}", spread(times));
    println!(
        "memory: {before} KiB before, {} KiB after, {} KiB at most",
        memory_kib("VmRSS"),
        memory_kib("VmHWM")
    );
    Ok(())
}

/// The middle and the far end of some times.
fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |share: f64| {
        times
            .get(((times.len().max(1) - 1) as f64 * share) as usize)
            .copied()
            .unwrap_or_default()
    };
    format!(
        "median {:.1?}, p95 {:.1?}, p99 {:.1?}, max {:.1?}",
        at(0.5),
        at(0.95),
        at(0.99),
        at(1.0)
    )
}

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// One game of a person who plays the first legal move that there is.
async fn play(base: String, plies: usize) -> Result<Vec<(Duration, Duration)>, Failure> {
    let client = Client::new();
    let seat = json!({"kind": "engine", "options": {"movetime": THOUGHT_MS}});
    let body = json!({"white": {"kind": "person"}, "black": seat});
    let game: Value = client
        .post(format!("{base}/games"))
        .json(&body)
        .send()
        .await?
        .json()
        .await?;
    let id = game["id"].as_str().ok_or("no game")?;
    let game_url = format!("{base}/games/{id}");
    for _ in 0..2 {
        let mut events = client.get(format!("{game_url}/events")).send().await?;
        tokio::spawn(async move { while let Ok(Some(_)) = events.chunk().await {} });
    }
    let mut times = Vec::new();
    loop {
        let game: Value = client.get(&game_url).send().await?.json().await?;
        let played = game["plies"].as_array().map_or(0, Vec::len);
        if game["status"]["state"] == "over" || played >= plies {
            return Ok(times);
        }
        if game["turn"] == "black" {
            tokio::time::sleep(Duration::from_millis(20)).await;
            continue;
        }
        let body = json!({"uci": game["legal"][0]["uci"], "version": game["version"]});
        let sent = Instant::now();
        let _: Value = client.get(format!("{base}/about")).send().await?.json().await?;
        let nothing = sent.elapsed();
        let sent = Instant::now();
        let answer = client
            .post(format!("{game_url}/moves"))
            .json(&body)
            .send()
            .await?;
        let status = answer.status();
        let _: Value = answer.json().await?;
        times.push((nothing, sent.elapsed()));
        if !status.is_success() {
            return Err(format!("a move was refused: {status}").into());
        }
    }
}

/// A line of what the system knows of this process; 0 where it tells nothing.
fn memory_kib(name: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
    line.and_then(|line| line.split_whitespace().next()?.parse().ok())
        .unwrap_or(0)
}
