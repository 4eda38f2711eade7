//! Every algorithm × every table × every board against minimax, on all positions of the test suite.
//!
//! `cargo run --release -p vidmar-search --example equality -- --depth 4 [--positions 200] [--seed 3]`
//! prints one line per algorithm and board, and ends with code 1 if a value differs. Positions whose
//! full tree is beyond `--limit` leaves (default 2000000) are left out, and counted; minimax and negamax, which
//! visit every one of them with every board and table, get those within a twentieth of it.
#![allow(clippy::print_stdout, clippy::print_stderr)]

#[path = "../tests/all/positions.rs"]
mod positions;

use std::process::ExitCode;
use std::time::Instant;

use positions::{Case, cases};
use vidmar_chess::{BitboardBoard, Board, BoardKind, Bound, with_board};
use vidmar_eval::SimpleEvaluation;
use vidmar_search::{Algorithm, Limits, Report, Scheme, Settings, Switch, search_once};

fn main() -> ExitCode {
    let options = match Options::read(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    let started = Instant::now();
    let depth = options.depth;
    let all = cases(options.positions, options.seed);
    let total = all.len();
    let cases: Vec<Case> = all
        .into_iter()
        .filter(|case| case.board::<BitboardBoard>().perft(depth) <= options.limit)
        .collect();
    let leaves: Vec<u64> = cases
        .iter()
        .map(|case| case.board::<BitboardBoard>().perft(depth))
        .collect();
    let truths: Vec<i32> = cases.iter().map(|case| minimax(case, depth)).collect();
    println!(
        "{} positions at depth {depth} (seed {}), {} left out beyond {} leaves",
        cases.len(),
        options.seed,
        total - cases.len(),
        options.limit
    );
    let mut searches = 0_u64;
    let mut different = 0_u64;
    for algorithm in Algorithm::honouring(Switch::Exact) {
        for &board in BoardKind::ALL {
            let mut nodes = 0;
            let mut wrong = 0;
            for &table in Scheme::ALL {
                for ((case, &truth), &leaves) in cases.iter().zip(&truths).zip(&leaves) {
                    if is_exhaustive(algorithm) && leaves > options.limit / 20 {
                        continue;
                    }
                    let report = run(case, board, algorithm, table, depth);
                    nodes += report.counts.nodes;
                    searches += 1;
                    if !agrees(&report, truth, algorithm) {
                        wrong += 1;
                        println!(
                            "{algorithm} {board} {table}: {} instead of {truth}, {}",
                            report.value, case.name
                        );
                    }
                }
            }
            different += wrong;
            println!(
                "{algorithm:<22} {:<10} {nodes:>13} nodes  {wrong} different",
                board.name()
            );
        }
    }
    println!(
        "{searches} searches, {different} different values, {:.0} s",
        started.elapsed().as_secs_f64()
    );
    ExitCode::from(u8::from(different > 0))
}

fn run(case: &Case, board: BoardKind, algorithm: Algorithm, table: Scheme, depth: u32) -> Report {
    let settings = Settings {
        table_mib: 1,
        ..Settings::exact(algorithm, table)
    };
    let limits = Limits::depth(depth);
    with_board!(board, B => search_once(&case.board::<B>(), &SimpleEvaluation::default(), &settings, &limits))
        .expect("settings that fit together")
}

fn minimax(case: &Case, depth: u32) -> i32 {
    run(case, BoardKind::Bitboard, Algorithm::Minimax, Scheme::None, depth).value
}

fn is_exhaustive(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::Minimax | Algorithm::Negamax)
}

fn agrees(report: &Report, truth: i32, algorithm: Algorithm) -> bool {
    match report.bound {
        Bound::Exact => report.value == truth,
        Bound::Lower => !algorithm.exact() && report.value <= truth,
        Bound::Upper => !algorithm.exact() && report.value >= truth,
    }
}

struct Options {
    depth: u32,
    positions: usize,
    seed: u64,
    limit: u64,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let mut options = Options {
            depth: 4,
            positions: 200,
            seed: 3,
            limit: 2_000_000,
        };
        while let Some(name) = arguments.next() {
            let value = arguments
                .next()
                .ok_or_else(|| format!("{name} lacks its number"))?;
            let number: u64 = value
                .parse()
                .map_err(|_| format!("'{value}' after {name} (expected a number)"))?;
            match name.as_str() {
                "--depth" => options.depth = number as u32,
                "--positions" => options.positions = number as usize,
                "--seed" => options.seed = number,
                "--limit" => options.limit = number,
                _ => {
                    return Err(format!(
                        "'{name}' (expected --depth, --positions, --seed or --limit)"
                    ));
                }
            }
        }
        Ok(options)
    }
}
