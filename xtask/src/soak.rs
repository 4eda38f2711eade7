//! `cargo xtask soak`: the server under the load of a busy evening, and whether it is the same at the end.
//!
//! Twenty games against engines with a move every few seconds, a tuning run and a match that go on in processes of low priority with a
//! thread each, both followed in several tabs, and somebody who looks at the list of runs. Once a minute a line: memory, open
//! descriptors, requests, and how long the half and all but a hundredth of them took. Neither may grow: the mean in the last
//! fifth may be above that of the second fifth (the first is for warming up) by an eighth and 16 (MiB, descriptors).

use std::fs;
use std::io::Read as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
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
    /// Seconds between two moves of a game
    #[arg(long, default_value_t = 3.0, value_name = "S", value_parser = seconds)]
    pause: f64,
    /// Tabs that follow each of the two runs
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=20))]
    tabs: u64,
    /// The program [default: that of the tests]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

fn seconds(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=3600.0).contains(number));
    number.ok_or_else(|| "expected seconds from 0 to 3600".to_owned())
}

/// How often memory, descriptors and the list of runs are looked at.
const EVERY: Duration = Duration::from_secs(1);

/// A game, and when its next move is due.
struct Seat {
    game: String,
    due: Instant,
}

/// What was measured in a stretch of time.
#[derive(Default)]
struct Stretch {
    moves: Vec<Duration>,
    statuses: Vec<Duration>,
    memory: Vec<u64>,
    descriptors: Vec<u64>,
}

impl Soak {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let binary = match &self.binary {
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
        let _match = in_background(&binary, &runs, MATCH)?;
        let _tuning = in_background(&binary, &runs, TUNING)?;
        let is_over = AtomicBool::new(false);
        let events = AtomicU64::new(0);
        let minutes = thread::scope(|scope| {
            for id in followed(&server)? {
                for _ in 0..self.tabs {
                    let (server, id, is_over, events) = (&server, id.clone(), &is_over, &events);
                    scope.spawn(move || follow(server, &id, is_over, events));
                }
            }
            let measured = self.measure(&server, &events);
            is_over.store(true, Ordering::SeqCst);
            measured
        })?;
        let memory = Growth::of("MiB of memory", &minutes, |minute| &minute.memory);
        let descriptors = Growth::of("descriptors", &minutes, |minute| &minute.descriptors);
        println!("{memory}\n{descriptors}");
        Ok(ExitCode::from(u8::from(
            !(memory.is_flat() && descriptors.is_flat()),
        )))
    }

    /// Plays, asks and looks, minute by minute.
    fn measure(&self, server: &Server, events: &AtomicU64) -> Result<Vec<Stretch>> {
        println!("minute  memory MiB  descriptors   moves  p50 ms  p99 ms  statuses  p50 ms  p99 ms  events");
        let mut rng = Rng::from_seed(1);
        let pause = Duration::from_secs_f64(self.pause);
        let mut seats = Vec::new();
        for index in 0..self.games {
            // Not all at the same moment.
            let due = Instant::now() + pause.mul_f64(index as f64 / self.games as f64);
            seats.push(Seat {
                game: new_game(server)?,
                due,
            });
        }
        let mut done = Vec::new();
        for minute in 1..=self.minutes {
            let (begun, mut now, mut look) = (Instant::now(), Stretch::default(), Instant::now());
            while begun.elapsed() < Duration::from_mins(1) {
                for seat in seats.iter_mut().filter(|seat| seat.due <= Instant::now()) {
                    seat.due = Instant::now() + pause;
                    play_on(server, &mut seat.game, &mut rng, &mut now.moves)?;
                }
                if look <= Instant::now() {
                    look = Instant::now() + EVERY;
                    now.look(server)?;
                }
                thread::sleep(Duration::from_millis(10));
            }
            now.print(minute, events.swap(0, Ordering::SeqCst));
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
                "{what}: {count} requests, p50 {:.1} ms, p99 {:.1} ms, at most {:.1} ms",
                share(times, 0.5),
                share(times, 0.99),
                share(times, 1.0)
            );
        }
        Ok(done)
    }
}

impl Stretch {
    /// Asks for the list of runs, and looks at what the server holds.
    fn look(&mut self, server: &Server) -> Result<()> {
        let (answer, time) = timed(|| server.get("/runs"))?;
        ensure!(answer.status == 200, "the list of runs: {}", answer.status);
        self.statuses.push(time);
        self.memory.push(server.memory());
        self.descriptors.push(server.descriptors());
        Ok(())
    }

    fn print(&mut self, minute: u64, events: u64) {
        println!(
            "{minute:>6}  {:>10.1}  {:>11.1}  {:>6}  {:>6.1}  {:>6.1}  {:>8}  {:>6.1}  {:>6.1}  {events:>6}",
            mean(&self.memory),
            mean(&self.descriptors),
            self.moves.len(),
            share(&mut self.moves, 0.5),
            share(&mut self.moves, 0.99),
            self.statuses.len(),
            share(&mut self.statuses, 0.5),
            share(&mut self.statuses, 0.99),
        );
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
const MATCH: &str = "match -engine player=engine:nodes=2000,hash=1 name=a -engine player=engine:nodes=1000,hash=1 name=b \
                     -rounds 1000000 -wait 50 --store match.db";

/// A tuning run that does not either.
const TUNING: &str = "tune run quick --scale 1000 --threads 1 --out tuning";

/// The program with these arguments, at a low priority: the server is what is watched.
fn in_background(binary: &Path, runs: &Path, words: &str) -> Result<EndedAtLast> {
    let child = Command::new("nice")
        .args(["-n", "19"])
        .arg(binary)
        .args(words.split_whitespace())
        .current_dir(runs)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .with_context(|| format!("cannot start `{words}`"))?;
    Ok(EndedAtLast(child))
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

/// Something that the server holds, early and late.
struct Growth {
    what: &'static str,
    early: f64,
    late: f64,
}

impl Growth {
    fn of(what: &'static str, minutes: &[Stretch], samples: impl Fn(&Stretch) -> &Vec<u64>) -> Growth {
        let samples: Vec<u64> = minutes
            .iter()
            .flat_map(|minute| samples(minute).clone())
            .collect();
        let fifth = (samples.len() / 5).max(1);
        let early = &samples[fifth.min(samples.len() - 1)..(2 * fifth).min(samples.len())];
        Growth {
            what,
            early: mean(early),
            late: mean(&samples[samples.len() - fifth..]),
        }
    }

    fn bound(&self) -> f64 {
        self.early * 1.125 + 16.0
    }

    fn is_flat(&self) -> bool {
        self.late <= self.bound()
    }
}

impl std::fmt::Display for Growth {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (what, early, late, bound) = (self.what, self.early, self.late, self.bound());
        let verdict = if self.is_flat() { "flat" } else { "GROWN" };
        write!(
            f,
            "{what}: {early:.1} early, {late:.1} late, at most {bound:.1}: {verdict}"
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_told_from_noise() {
        let of = |memory: &[u64]| {
            let minute = Stretch {
                memory: memory.to_vec(),
                ..Stretch::default()
            };
            Growth::of("MiB", &[minute], |minute| &minute.memory)
        };
        assert!(of(&[20, 60, 61, 60, 62, 60, 63, 61, 60, 62]).is_flat());
        assert!(!of(&[20, 60, 70, 80, 90, 100, 110, 120, 130, 140]).is_flat());
        let mut times: Vec<Duration> = (1..=100).map(Duration::from_millis).collect();
        assert!(
            (share(&mut times, 0.99) - 100.0).abs() < 1e-9 && (share(&mut times, 0.5) - 51.0).abs() < 1e-9
        );
    }
}
