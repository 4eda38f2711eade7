//! How late a search ends on the wall after its time is up, or after another thread has told it to stop: for every algorithm
//! the median and the worst of so many tries.
//!
//! `cargo run --release -p vidmar-search --example lateness -- 50`. The figures are those of a machine with nothing else to do;
//! what holds on every machine, the nodes and the processor time beyond a limit, is tested (`tests/all/limits.rs`).

#![allow(clippy::print_stdout)]

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use vidmar_chess::{BitboardBoard, Board as _, Position};
use vidmar_eval::SimpleEvaluation;
use vidmar_search::{Algorithm, Limits, Searcher, Settings};

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";
/// How long a search goes on.
const SPAN: Duration = Duration::from_millis(20);

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let tries: usize = std::env::args().nth(1).map_or(Ok(50), |text| text.parse())?;
    let board = BitboardBoard::new(&MIDDLEGAME.parse::<Position>()?);
    println!(
        "{:<12} {:>22} {:>22}",
        "µs late", "time: median, worst", "stop: median, worst"
    );
    for &algorithm in Algorithm::ALL {
        let settings = Settings {
            algorithm,
            table_mib: 1,
            ..Settings::default()
        };
        let mut searcher = Searcher::new(settings, SimpleEvaluation::default())?;
        let mut timed = Vec::new();
        let mut stopped = Vec::new();
        for _ in 0..tries.max(1) {
            let limits = Limits {
                time: Some(SPAN),
                ..Limits::default()
            };
            let begun = Instant::now();
            searcher.search(&board, &limits, &AtomicBool::new(false), &mut |_| ())?;
            timed.push(begun.elapsed().saturating_sub(SPAN));
            stopped.push(after_stop(&mut searcher, &board)?);
        }
        println!(
            "{:<12} {:>22} {:>22}",
            algorithm.name(),
            shown(timed),
            shown(stopped)
        );
    }
    Ok(())
}

/// The time from the moment in which another thread asks to that in which the search has returned.
fn after_stop(
    searcher: &mut Searcher<SimpleEvaluation>,
    board: &BitboardBoard,
) -> Result<Duration, Box<dyn std::error::Error>> {
    let stop = AtomicBool::new(false);
    let (report, asked) = std::thread::scope(|scope| {
        let asks = scope.spawn(|| {
            std::thread::sleep(SPAN);
            stop.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let report = searcher.search(board, &Limits::default(), &stop, &mut |_| ());
        let ended = Instant::now();
        (
            report,
            asks.join().map(|asked| ended.saturating_duration_since(asked)),
        )
    });
    report?;
    asked.map_err(|_| "the thread that asks has failed".into())
}

fn shown(mut times: Vec<Duration>) -> String {
    times.sort_unstable();
    let micros = |time: Option<&Duration>| time.map_or(0, Duration::as_micros);
    format!("{}, {}", micros(times.get(times.len() / 2)), micros(times.last()))
}
