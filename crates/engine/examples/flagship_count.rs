//! The flagship over the bench's positions with one evaluation, for counting instructions.
//!
//! `flagship_count --vector fitted` searches them to depth 8 and prints the node count; `cargo xtask bench flagship` runs it under
//! callgrind for every evaluation that costs differently: vectors, and nets of random weights and so many hidden neurons. Search, evaluation and move generation are in the count together: it is
//! what a node of the engine costs.
#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;
use std::sync::Arc;

use vidmar_chess::Game;
use vidmar_engine::bench::POSITIONS;
use vidmar_engine::settings::Value;
use vidmar_engine::{ChosenEvaluation, Control, FlagshipSettings, FlagshipThinker, Limits, Thinker as _};
use vidmar_net::{Kings, Network};
use vidmar_rng::Rng;

const DEPTH: u32 = 8;
/// Without extended terms and with them; nets of random weights.
const EVALUATIONS: [&str; 5] = ["guess", "fitted", "tuned", "random-net-256", "random-net-512"];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let evaluation = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(ChosenEvaluation::default()),
        ["--names"] => {
            println!("{}", EVALUATIONS.join("\n"));
            return ExitCode::SUCCESS;
        }
        ["--vector", name] => evaluation(name),
        _ => Err("expected --vector NAME or --names".to_owned()),
    };
    let evaluation = match evaluation {
        Ok(evaluation) => evaluation,
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(2);
        }
    };
    let mut thinker = FlagshipThinker::new(FlagshipSettings {
        hash: 1,
        evaluation,
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

fn evaluation(name: &str) -> Result<ChosenEvaluation, String> {
    let Some(hidden) = name.strip_prefix("random-net-") else {
        return ChosenEvaluation::read(&Value::from(name));
    };
    let hidden = hidden
        .parse()
        .map_err(|_| format!("'{hidden}': expected a number"))?;
    let network = Network::random(Kings::PLAIN, hidden, 1, &mut Rng::from_seed(1))
        .map_err(|error| error.to_string())?;
    Ok(ChosenEvaluation::Net {
        name: name.to_owned(),
        network: Arc::new(network),
    })
}
