//! A scan of a million cases beside a plain read of the same bytes, in turns, the best round of each.
//!
//! `cargo run --release -p vidmar-cases --example scan_speed [-- CASES [ROUNDS]]`

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use vidmar_cases::{CaseBoard, CaseList, CaseMove, Origin, ScanKernel};
use vidmar_chess::Position;
use vidmar_rng::Rng;

/// Boards of random games, from a small generator of its own.
fn cases(count: usize) -> CaseList {
    let mut list = CaseList::default();
    let mut rng = Rng::from_seed(1);
    let mut position = Position::default();
    let mut plies = 0;
    while list.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || plies == 150 {
            position = Position::default();
            plies = 0;
            continue;
        }
        let m = moves[rng.index(moves.len())];
        list.push(&CaseBoard::new(&position), CaseMove::from(m), Origin::Learned);
        position.play(m);
        plies += 1;
    }
    list
}

fn timed<T>(best: &mut Duration, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let answer = black_box(work());
    *best = begun.elapsed().min(*best);
    answer
}

fn main() {
    let mut numbers = std::env::args().skip(1).map(|text| text.parse::<usize>());
    let count = numbers.next().and_then(Result::ok).unwrap_or(1_000_000);
    let rounds = numbers.next().and_then(Result::ok).unwrap_or(50);
    let list = cases(count);
    let query = list.board(count / 2);
    let kernels: Vec<ScanKernel> = ScanKernel::all().collect();
    let (mut scans, mut read) = (vec![Duration::MAX; kernels.len()], Duration::MAX);
    for _ in 0..rounds {
        timed(&mut read, || black_box(&list).read_all());
        for (&kernel, best) in kernels.iter().zip(&mut scans) {
            let found = timed(best, || nearest(kernel, &list, &query));
            assert_eq!(found, 256, "the query is one of the cases");
        }
    }
    let bytes = (count * 32) as f64;
    println!("{count} cases, {rounds} rounds, the best of each");
    println!("| | ms | GB/s | % of the plain read |\n| --- | --- | --- | --- |");
    let row = |what: &str, time: Duration| {
        let (seconds, share) = (time.as_secs_f64(), read.as_secs_f64() / time.as_secs_f64());
        let speed = bytes / seconds / 1e9;
        println!(
            "| {what} | {:.2} | {speed:.1} | {:.0} |",
            seconds * 1e3,
            100.0 * share
        );
    };
    row("plain read", read);
    for (kernel, scan) in kernels.iter().zip(scans) {
        row(&format!("scan, {}", kernel.name()), scan);
    }
}

/// The similarity of the nearest case.
fn nearest(kernel: ScanKernel, list: &CaseList, query: &CaseBoard) -> u16 {
    let mut best = 0;
    list.scan_by(kernel, black_box(query), |_, similarity| {
        best = similarity.max(best);
        best
    });
    best
}
