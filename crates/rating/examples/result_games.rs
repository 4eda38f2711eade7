//! Writes a PGN file of simulated results to standard output: no moves, only the tags
//! White, Black and Result. For timing rating programs.
//!
//! `cargo run --release -p vidmar-rating --example result_games -- 1000000 200 1 > games.pgn`:
//! games, players, seed. A fourth number lets players meet neighbours up to that far only: a loosely
//! joined field, the hard case for slow solvers.
#![allow(
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "an example for developers"
)]

use std::io::{BufWriter, Write};

use vidmar_rating::Model;
use vidmar_rng::Rng;

fn main() {
    let numbers: Vec<u64> = std::env::args()
        .skip(1)
        .map(|word| word.parse().unwrap())
        .collect();
    let (games, players, seed, reach) = match numbers[..] {
        [games, players, seed] if players > 1 => (games, players, seed, players - 1),
        [games, players, seed, reach] if players > 1 && reach > 0 => (games, players, seed, reach),
        _ => {
            eprintln!("expected three or four numbers: games, players (at least 2), seed, reach");
            std::process::exit(2);
        }
    };
    let mut random = Rng::from_seed(seed);
    let mut unit = || random.unit();
    // The sum of four uniform numbers is close enough to a bell of strengths, some 115 Elo wide.
    let strengths: Vec<f64> = (0..players)
        .map(|_| 200.0 * ((0..4).map(|_| unit()).sum::<f64>() - 2.0))
        .collect();
    let model = Model::default();
    let mut out = BufWriter::new(std::io::stdout().lock());
    for _ in 0..games {
        let white = (unit() * players as f64) as usize;
        let (low, high) = (
            white.saturating_sub(reach as usize),
            (white + reach as usize).min(players as usize - 1),
        );
        let other = low + (unit() * (high - low) as f64) as usize;
        let black = if other >= white { other + 1 } else { other };
        let [win, draw, _] = model.chances(strengths[white], strengths[black]);
        let ticket = unit();
        let result = if ticket < win {
            "1-0"
        } else if ticket < win + draw {
            "1/2-1/2"
        } else {
            "0-1"
        };
        writeln!(
            out,
            "[White \"Player {white}\"]\n[Black \"Player {black}\"]\n[Result \"{result}\"]\n\n{result}\n"
        )
        .unwrap();
    }
}
