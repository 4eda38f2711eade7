//! The flagship over the bench's positions with one evaluation, for counting instructions.
//!
//! `flagship_count --vector fitted` searches them to depth 8 and prints the node count; `cargo xtask bench flagship` runs it under
//! callgrind for every vector that costs differently. Search, evaluation and move generation are in the count together: it is
//! what a node of the engine costs.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

use vidmar_chess::Game;
use vidmar_engine::bench::POSITIONS;
use vidmar_engine::{Control, FlagshipSettings, FlagshipThinker, Limits, Thinker as _};
use vidmar_eval::Vector;

const DEPTH: u32 = 8;
/// Without extended terms and with them.
const VECTORS: [&str; 3] = ["guess", "fitted", "tuned"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let vector = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(Vector::default()),
        ["--names"] => {
            println!("{}", VECTORS.join("\n"));
            return ExitCode::SUCCESS;
        }
        ["--vector", name] => Vector::named(name).map_err(|error| error.to_string()),
        _ => Err("expected --vector NAME or --names".to_owned()),
    };
    let vector = match vector {
        Ok(vector) => vector,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let mut thinker = FlagshipThinker::new(FlagshipSettings {
        hash: 1,
        vector,
        ..FlagshipSettings::default()
    });
    let mut nodes = 0;
    for fen in POSITIONS {
        let game = Game::new(fen.parse().expect("a legal position"));
        nodes += thinker
            .think(&game, &Limits::depth(DEPTH), &Control::new(), &mut |_| {})
            .nodes;
    }
    println!("{nodes} nodes");
    ExitCode::SUCCESS
}
