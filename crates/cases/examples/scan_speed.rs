//! A scan of a million cases beside a plain read of the same bytes, in turns, the best round of each.
//!
//! `cargo run --release -p vidmar-cases --example scan_speed [-- CASES [ROUNDS]]`

#![allow(clippy::print_stdout)]

use std::hint::black_box;
use std::time::{Duration, Instant};

use vidmar_cases::{CaseBoard, CaseList, CaseMove, Origin, kernel_name};
use vidmar_chess::Position;

/// Boards of random games, from a small generator of its own.
fn cases(count: usize) -> CaseList {
    let mut list = CaseList::default();
    let mut state = 1_u64;
    let mut position = Position::default();
    let mut plies = 0;
    while list.len() < count {
        let moves = position.legal_moves();
        if moves.is_empty() || plies == 150 {
            position = Position::default();
            plies = 0;
            continue;
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let m = moves[(state >> 33) as usize % moves.len()];
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
    let (mut scan, mut read) = (Duration::MAX, Duration::MAX);
    let mut found = (0, 0);
    for _ in 0..rounds {
        timed(&mut read, || black_box(&list).read_all());
        found = timed(&mut scan, || {
            let mut best = (0, 0);
            list.scan(black_box(&query), |place, similarity| {
                if similarity > best.1 {
                    best = (place, similarity);
                }
                best.1
            });
            best
        });
    }
    let bytes = (count * 32) as f64;
    let row = |what: &str, time: Duration| {
        let seconds = time.as_secs_f64();
        println!(
            "{what:<24} {:8.3} ms  {:6.1} GB/s",
            seconds * 1e3,
            bytes / seconds / 1e9
        );
    };
    println!(
        "{count} cases, nearest {} of 256 at {}, kernel {}",
        found.1,
        found.0,
        kernel_name()
    );
    row("scan", scan);
    row("plain read", read);
    println!(
        "speed of the plain read  {:8.1} %",
        100.0 * read.as_secs_f64() / scan.as_secs_f64()
    );
}
