//! Nanoseconds per evaluation over the positions two plies after a few games' positions, as a search meets
//! them; the sum of the scores shows that two runs did the same work.
//!
//! Instructions: run the binary with `--once` and the name of a vector under
//! `valgrind --tool=callgrind --toggle-collect='*measured*'`.
#![allow(clippy::print_stdout, reason = "a benchmark reports")]

use std::sync::Arc;
use std::time::Instant;

use vidmar_chess::Position;
use vidmar_eval::{Evaluator, FullEvaluation, Vector};

const FENS: [&str; 10] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r1bqk2r/2p1bppp/p1np1n2/1p2p3/4P3/1B3N2/PPPP1PPP/RNBQR1K1 w kq - 0 8",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 5 8",
    "2rq1rk1/pb1nbppp/1p2pn2/2pp4/2PP4/1P1BPN2/PB1N1PPP/2RQ1RK1 w - - 4 12",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3N4/1BN1B3/PPP1QPPP/3R1RK1 b - - 3 14",
    "3r2k1/pp3ppp/2p1b3/4q3/4P3/2N1Q3/PP3PPP/3R2K1 w - - 0 22",
    "2r3k1/pp3pp1/4p2p/3pP3/3P4/P2N1P2/1P3KPP/2R5 b - - 2 28",
    "8/5pk1/3p2p1/2pPp2p/1rP1P2P/5PP1/3R2K1/8 w - - 0 38",
    "8/2k2p2/1p4p1/p1p1P1Kp/P1P2P1P/1P4P1/8/8 b - - 0 45",
    "6k1/5p2/4p1p1/3bP2p/1p1B1P1P/1P4P1/5K2/8 w - - 0 40",
];

fn positions() -> Vec<Position> {
    let mut positions = Vec::new();
    for fen in FENS {
        let root: Position = fen.parse().expect(fen);
        for first in root.legal_moves() {
            let mut child = root.clone();
            child.play(first);
            for second in child.legal_moves() {
                let mut grandchild = child.clone();
                grandchild.play(second);
                positions.push(grandchild);
            }
        }
    }
    positions
}

#[inline(never)]
fn measured(evaluator: &mut Evaluator, positions: &[Position]) -> i64 {
    positions
        .iter()
        .map(|position| i64::from(evaluator.evaluate(position)))
        .sum()
}

fn main() {
    let positions = positions();
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    // One round, after one that fills the pawn table, is enough for an instruction count.
    let rounds = if arguments.iter().any(|argument| argument == "--once") {
        1
    } else {
        200
    };
    for name in ["guess", "fitted", "tuned"] {
        let others = arguments
            .iter()
            .any(|argument| !argument.starts_with('-') && argument != name);
        if others {
            continue;
        }
        let vector = Vector::named(name).expect(name);
        let start = Instant::now();
        let evaluation = FullEvaluation::new(&vector);
        let built = start.elapsed();
        let mut evaluator = Evaluator::new(Arc::new(evaluation));
        for position in &positions {
            evaluator.evaluate(position);
        }
        let (mut best, mut sum) = (f64::INFINITY, 0);
        for _ in 0..rounds {
            let start = Instant::now();
            sum = measured(&mut evaluator, &positions);
            best = best.min(start.elapsed().as_secs_f64());
        }
        let nanoseconds = best / positions.len() as f64 * 1e9;
        println!(
            "{name}: {} positions, sum {sum}, built in {built:?}, {nanoseconds:.1} ns each",
            positions.len()
        );
    }
}
