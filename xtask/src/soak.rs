//! `cargo xtask soak`: the server under the load of a busy evening, and whether it is the same at the end.
//!
//! Twenty games against engines, a tuning run and a match that go on, both followed, and somebody who looks at the list of runs. Once a minute
//! a line: memory, requests, and how long the half and all but a hundredth of them took. Memory must not grow: its mean in the last
//! fifth may be above that of the second fifth (the first is for warming up) by an eighth and 16 MiB.

use std::fs;
use std::io::Read as _;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::json;
use vidmar_rng::Rng;

use crate::cargo::target_dir;
use crate::test::tested_binary;
use crate::torture::server::Server;

/// Keep the server busy for long, and watch its memory and its answers
#[derive(Args)]
pub(crate) struct Soak {
    /// How long
    #[arg(long, default_value_t = 60, value_name = "M", value_parser = clap::value_parser!(u64).range(1..=100_000))]
    minutes: u64,
    /// Games at a time
    #[arg(long, default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=60))]
    games: u64,
    /// The program [default: that of the tests]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

/// How often memory is looked at.
const EVERY: Duration = Duration::from_secs(2);

/// What was measured in a stretch of time.
#[derive(Default)]
struct Stretch {
    moves: Vec<Duration>,
    statuses: Vec<Duration>,
    memory: Vec<u64>,
}

impl Soak {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let binary = match self.binary {
            Some(binary) => std::path::absolute(binary)?,
            None => tested_binary()?,
        };
        let folder = target_dir("soak");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        let runs = folder.join("runs");
        fs::create_dir_all(&runs)?;
        let server = Server::start(&binary, &folder.join("state"), &runs)?;
        let _match = EndedAtLast(long_match(&binary, &runs)?);
        let begun = json!({"preset": "quick", "name": "tuning", "scale": 1000.0});
        let answer = server.post("/runs", &begun)?;
        ensure!(answer.status == 201, "no tuning run: {}", answer.json());
        let is_over = AtomicBool::new(false);
        let events = AtomicU64::new(0);
        let minutes = thread::scope(|scope| {
            for id in followed(&server)? {
                let (server, is_over, events) = (&server, &is_over, &events);
                scope.spawn(move || follow(server, &id, is_over, events));
            }
            let measured = measure(&server, self.minutes, self.games, &events);
            is_over.store(true, Ordering::SeqCst);
            measured
        })?;
        let grown = growth(&minutes);
        println!("{grown}");
        Ok(ExitCode::from(u8::from(!grown.is_flat())))
    }
}

/// A process that is ended when nobody needs it any more.
struct EndedAtLast(Child);

impl Drop for EndedAtLast {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A match that does not end by itself soon.
fn long_match(binary: &std::path::Path, runs: &std::path::Path) -> Result<Child> {
    let words = [
        "match",
        "-engine",
        "player=engine:nodes=2000,hash=1",
        "name=a",
        "-engine",
        "player=engine:nodes=1000,hash=1",
        "name=b",
        "-rounds",
        "1000000",
        "-wait",
        "50",
        "--store",
        "match.db",
    ];
    std::process::Command::new(binary)
        .args(words)
        .current_dir(runs)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .context("cannot start a match")
}

/// The two runs, as soon as the server lists both.
fn followed(server: &Server) -> Result<Vec<String>> {
    let begun = Instant::now();
    loop {
        let list = server.get("/runs")?.json();
        let ids = list["runs"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|run| run["id"].as_str());
        let ids: Vec<String> = ids.map(str::to_owned).collect();
        if ids.len() >= 2 {
            return Ok(ids);
        }
        ensure!(
            begun.elapsed() < Duration::from_mins(1),
            "the server does not list both runs: {list}"
        );
        thread::sleep(Duration::from_millis(200));
    }
}

/// Reads the events of a run for as long as there are any.
fn follow(server: &Server, id: &str, is_over: &AtomicBool, events: &AtomicU64) {
    let Ok(mut stream) = server.connect() else { return };
    let _ = stream.set_read_timeout(Some(Duration::from_secs(1)));
    let _ = stream.write_all(format!("{}\r\n", server.head("GET", &format!("/runs/{id}/events"))).as_bytes());
    let mut buffer = vec![0; 1 << 16];
    while !is_over.load(Ordering::SeqCst) {
        let read = stream.read(&mut buffer).unwrap_or(0);
        let heard = buffer[..read].windows(6).filter(|six| six == b"event:").count();
        events.fetch_add(heard as u64, Ordering::SeqCst);
        if read == 0 {
            thread::sleep(Duration::from_millis(50));
        }
    }
}

/// Plays, asks and looks, minute by minute.
fn measure(server: &Server, minutes: u64, games: u64, events: &AtomicU64) -> Result<Vec<Stretch>> {
    println!("minute  memory MiB   moves  p50 ms  p99 ms  statuses  p50 ms  p99 ms  events");
    let mut rng = Rng::from_seed(1);
    let mut seats = (0..games)
        .map(|_| new_game(server))
        .collect::<Result<Vec<String>>>()?;
    let mut done = Vec::new();
    for minute in 1..=minutes {
        let (begun, mut now, mut looked) = (Instant::now(), Stretch::default(), Instant::now());
        while begun.elapsed() < Duration::from_mins(1) {
            for seat in &mut seats {
                play_on(server, seat, &mut rng, &mut now.moves)?;
            }
            let (answer, time) = timed(|| server.get("/runs"))?;
            ensure!(answer.status == 200, "the list of runs: {}", answer.status);
            now.statuses.push(time);
            if looked.elapsed() >= EVERY {
                looked = Instant::now();
                now.memory.push(server.memory());
            }
            thread::sleep(Duration::from_millis(20));
        }
        now.memory.push(server.memory());
        println!(
            "{minute:>6}  {:>10.1}  {:>6}  {:>6.1}  {:>6.1}  {:>8}  {:>6.1}  {:>6.1}  {:>6}",
            mean(&now.memory),
            now.moves.len(),
            share(&mut now.moves, 0.5),
            share(&mut now.moves, 0.99),
            now.statuses.len(),
            share(&mut now.statuses, 0.5),
            share(&mut now.statuses, 0.99),
            events.swap(0, Ordering::SeqCst)
        );
        done.push(now);
    }
    let (mut moves, mut statuses): (Vec<Duration>, Vec<Duration>) = (Vec::new(), Vec::new());
    for minute in &done {
        moves.extend(&minute.moves);
        statuses.extend(&minute.statuses);
    }
    for (what, times) in [("a move", &mut moves), ("a status", &mut statuses)] {
        let count = times.len();
        println!(
            "{what}: {count} requests, p50 {:.1} ms, p99 {:.1} ms",
            share(times, 0.5),
            share(times, 0.99)
        );
    }
    Ok(done)
}

fn timed<T>(request: impl FnOnce() -> Result<T>) -> Result<(T, Duration)> {
    let begun = Instant::now();
    let answer = request()?;
    Ok((answer, begun.elapsed()))
}

/// A game of a person with an engine; its name.
fn new_game(server: &Server) -> Result<String> {
    let body = json!({"white": {"kind": "person"}, "black": {"kind": "engine", "options": {"nodes": 500, "hash": 1}}});
    let answer = server.post("/games", &body)?;
    let game = answer.json();
    ensure!(answer.status == 201, "no game: {game}");
    Ok(game["id"].as_str().context("a game's name")?.to_owned())
}

/// A move, if it is the person's turn; a game that is over makes room for another.
fn play_on(server: &Server, seat: &mut String, rng: &mut Rng, times: &mut Vec<Duration>) -> Result<()> {
    let game = server.get(&format!("/games/{seat}"))?.json();
    if game["status"]["state"] != "playing" {
        server.ask("DELETE", &format!("/games/{seat}"), b"")?;
        *seat = new_game(server)?;
        return Ok(());
    }
    let legal = game["legal"].as_array().filter(|_| game["turn"] == "white");
    let Some(chosen) = legal.and_then(|legal| rng.pick(legal)) else {
        return Ok(());
    };
    let body = json!({"uci": chosen["uci"], "version": game["version"]});
    let (answer, time) = timed(|| server.post(&format!("/games/{seat}/moves"), &body))?;
    ensure!(
        matches!(answer.status, 200 | 409),
        "a move: {} {}",
        answer.status,
        answer.json()
    );
    times.push(time);
    Ok(())
}

/// So many of the times are no longer, in milliseconds.
fn share(times: &mut [Duration], part: f64) -> f64 {
    times.sort_unstable();
    let index = (times.len() as f64 * part) as usize;
    times
        .get(index.min(times.len().saturating_sub(1)))
        .map_or(0.0, |time| time.as_secs_f64() * 1000.0)
}

fn mean(numbers: &[u64]) -> f64 {
    numbers.iter().sum::<u64>() as f64 / numbers.len().max(1) as f64
}

/// Memory early and late.
struct Growth {
    early: f64,
    late: f64,
}

fn growth(minutes: &[Stretch]) -> Growth {
    let samples: Vec<u64> = minutes
        .iter()
        .flat_map(|minute| minute.memory.iter().copied())
        .collect();
    let fifth = (samples.len() / 5).max(1);
    let early = &samples[fifth.min(samples.len() - 1)..(2 * fifth).min(samples.len())];
    Growth {
        early: mean(early),
        late: mean(&samples[samples.len() - fifth..]),
    }
}

impl Growth {
    fn bound(&self) -> f64 {
        self.early * 1.125 + 16.0
    }

    fn is_flat(&self) -> bool {
        self.late <= self.bound()
    }
}

impl std::fmt::Display for Growth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (early, late, bound) = (self.early, self.late, self.bound());
        let verdict = if self.is_flat() { "flat" } else { "GROWN" };
        write!(
            f,
            "memory: {early:.1} MiB early, {late:.1} MiB late, at most {bound:.1}: {verdict}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_told_from_noise() {
        let of = |memory: &[u64]| {
            growth(&[Stretch {
                memory: memory.to_vec(),
                ..Stretch::default()
            }])
        };
        assert!(of(&[20, 60, 61, 60, 62, 60, 63, 61, 60, 62]).is_flat());
        assert!(!of(&[20, 60, 70, 80, 90, 100, 110, 120, 130, 140]).is_flat());
        let mut times: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        assert!(
            (share(&mut times, 0.99) - 100.0).abs() < 1e-9 && (share(&mut times, 0.5) - 51.0).abs() < 1e-9
        );
    }
}
