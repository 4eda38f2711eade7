//! A run directory as a long run leaves it, in a minute: `cargo run --profile test -p vidmar-tune --example long_run -- DIR
//! [PRESET] [SECONDS]`.
//!
//! Optimiser, states, generations and store are those of a run; only the games are not played: a result is drawn from the
//! distance of the two vectors to a target, and the moves are those of one of fifty random games. The last twentieth of the
//! games is spread over SECONDS, so that others can watch the run grow.
#![allow(clippy::print_stdout, clippy::unwrap_used, reason = "a measurement")]

use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use vidmar_chess::{Outcome, Position};
use vidmar_optim::protocol::{Answer, Ask};
use vidmar_optim::{Optimizer, Setup, Space};
use vidmar_rng::Rng;
use vidmar_store::{Batch, Checkpoint, Game, Player, Store};
use vidmar_tune::config::Config;
use vidmar_tune::parameters::Tunables;
use vidmar_tune::ratings::ratings_of;
use vidmar_tune::run::{CONFIG_FILE, Generation, STORE_FILE};

/// A game of random moves, as the store keeps it.
fn random_game(rng: &mut Rng) -> String {
    let mut position = Position::default();
    let mut moves = Vec::new();
    for _ in 0..80 + rng.index(60) {
        let legal = position.legal_moves();
        if legal.is_empty() {
            break;
        }
        let m = legal[rng.index(legal.len())];
        moves.push(m.uci(position.castling_notation()).to_string());
        position.play(m);
    }
    moves.join(" ")
}

/// How far a vector is from three quarters of every interval, as Elo.
fn strength(space: &Space, vector: &[f64]) -> f64 {
    let far = |(dimension, x): (&vidmar_optim::Dimension, &f64)| {
        ((x - dimension.min) / dimension.width().max(1e-9) - 0.75).powi(2)
    };
    let sum: f64 = space.dimensions().iter().zip(vector).map(far).sum();
    -1500.0 * sum / vector.len() as f64
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let directory = PathBuf::from(arguments.next().expect("a directory"));
    let preset = arguments.next().unwrap_or_else(|| "narrow".to_owned());
    let seconds: u64 = arguments.next().map_or(0, |text| text.parse().expect("seconds"));
    let config = Config::read(Some(&preset), None, &[]).unwrap();
    std::fs::create_dir_all(&directory).unwrap();
    std::fs::write(directory.join(CONFIG_FILE), config.to_toml()).unwrap();
    let mut store = Store::open(&directory.join(STORE_FILE)).unwrap();
    let run = store.begin_run("tune", &config.to_toml()).unwrap();

    let tunables = Tunables::new(&config.parameters, &[]).unwrap();
    let setup = Setup {
        space: tunables.space().clone(),
        evidence: config.evidence(),
        budget: config.optimizer_budget(),
        seed: config.seed,
        repair: config.repair,
    };
    let mut optimizer = Optimizer::new(setup, config.optimizer.clone()).unwrap();
    let mut rng = Rng::from_seed(config.seed + 1);
    let plays: Vec<String> = (0..50).map(|_| random_game(&mut rng)).collect();
    let mut places: HashMap<String, u32> = HashMap::new();
    let begun = Instant::now();
    let (mut number, mut slow) = (0, None);
    while !optimizer.is_finished() {
        if optimizer.progress() >= 0.95 && slow.is_none() {
            println!("{number} games after {:.1} s", begun.elapsed().as_secs_f64());
            let left = 0.05 / 0.95 * number as f64;
            slow = Some(Duration::from_secs_f64(seconds as f64 / left.max(1.0)));
        }
        let round = optimizer.propose().clone();
        let (is_first, earlier) = (optimizer.jobs() == 0, optimizer.generation());
        let mut batch = Batch::new(run);
        let mut answers = Vec::new();
        match &round.ask {
            Ask::Rate { players, games } => answers.push(Answer::Ratings(ratings_of(*players, games))),
            Ask::Gradients(_) => unreachable!("de-history plays games"),
            Ask::Values(players) => {
                let space = &optimizer.setup().space;
                answers.extend(
                    players
                        .iter()
                        .map(|&p| Answer::Value(strength(space, &round.players[p]))),
                );
            }
            Ask::Games(pairings) => {
                let space = optimizer.setup().space.clone();
                let mut place = |vector: &Vec<f64>, batch: &mut Batch| {
                    let description = serde_json::to_string(vector).unwrap();
                    let next = places.len() as u32;
                    *places.entry(description).or_insert_with_key(|description| {
                        let player = Player {
                            number: next,
                            name: format!("#{next}"),
                            description: description.clone(),
                        };
                        batch.players.push(player);
                        next
                    })
                };
                for pairing in pairings {
                    let (white, black) = (&round.players[pairing.white], &round.players[pairing.black]);
                    let lead = strength(&space, white) - strength(&space, black) + 20.0;
                    let wins = 1.0 / (1.0 + 10_f64.powf((100.0 - lead) / 400.0));
                    let losses = 1.0 / (1.0 + 10_f64.powf((100.0 + lead) / 400.0));
                    let drawn = rng.unit();
                    let (result, told) = match drawn {
                        x if x < wins => (Outcome::WHITE_WINS, vidmar_optim::GameResult::White),
                        x if x < wins + losses => (Outcome::BLACK_WINS, vidmar_optim::GameResult::Black),
                        _ => (Outcome::Draw, vidmar_optim::GameResult::Draw),
                    };
                    let game = Game {
                        number,
                        round: round.round,
                        white: place(white, &mut batch),
                        black: place(black, &mut batch),
                        result: Some(result),
                        termination: ["White mates", "resignation", "threefold repetition"][rng.index(3)]
                            .to_owned(),
                        opening: "by chance".to_owned(),
                        given: 8,
                        moves: plays[rng.index(plays.len())].clone(),
                        ..Game::default()
                    };
                    number += 1;
                    answers.push(Answer::Game(told));
                    batch.games.push(game);
                    if let Some(pause) = slow {
                        std::thread::sleep(pause);
                        store
                            .commit(&std::mem::replace(&mut batch, Batch::new(run)))
                            .unwrap();
                    }
                }
            }
        }
        for (job, answer) in answers.into_iter().enumerate() {
            optimizer.tell(round.round, job, answer).unwrap();
        }
        let mut keep = |generation: u64, name: &str, data: Vec<u8>| {
            batch.checkpoints.push(Checkpoint {
                generation,
                name: name.to_owned(),
                data,
            });
        };
        keep(0, "state", serde_json::to_vec(&optimizer).unwrap());
        if is_first || optimizer.generation() > earlier {
            let generation = Generation::of(&optimizer);
            keep(
                generation.generation,
                "generation",
                serde_json::to_vec(&generation).unwrap(),
            );
            keep(
                generation.generation,
                "clock",
                begun.elapsed().as_secs_f64().to_string().into_bytes(),
            );
        }
        store.commit(&batch).unwrap();
    }
    let batch = Batch {
        state: Some("tuned".to_owned()),
        ..Batch::new(run)
    };
    store.commit(&batch).unwrap();
    println!(
        "{number} games of {} players after {:.1} s",
        places.len(),
        begun.elapsed().as_secs_f64()
    );
}
