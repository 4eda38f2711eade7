//! What a technique or a number of the flagship search is worth: matches at fixed nodes.
//!
//! `cargo run --release -p vidmar-search --features switches --example worth -- --technique null-move,killers`
//! plays the search without each of the techniques against the whole; `--set name=value` plays the search with
//! another number against the default; `--vector name` plays the search with another evaluation. Each opening is played twice with the sides exchanged; openings come
//! from a seed and are balanced by a shallow search; games are at a fixed number of nodes, so that the same
//! command gives the same games on every machine and with any number of threads.

#![allow(clippy::print_stdout)]

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, bail};
use clap::Parser;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use vidmar_chess::{BitboardBoard, Board, Color, Position};
use vidmar_eval::{Evaluator, FullEvaluation, Vector};
use vidmar_search::flagship::{Flagship, FlagshipLimits, SearchParameters, Technique, Techniques};

/// Matches of changed searches against the flagship as it is
#[derive(Parser)]
struct Arguments {
    /// Techniques to leave out, one match each; `all` for every one
    #[arg(long, value_delimiter = ',')]
    technique: Vec<String>,
    /// Numbers to change, `name=value`, one match each; several joined by `+` are changed together
    #[arg(long, value_delimiter = ',')]
    set: Vec<String>,
    /// Named vectors of evaluation parameters to play with, one match each, against `guess`
    #[arg(long, value_delimiter = ',')]
    vector: Vec<String>,
    /// Pairs of games a match
    #[arg(long, default_value_t = 200)]
    pairs: usize,
    /// Nodes a move
    #[arg(long, default_value_t = 10_000)]
    nodes: u64,
    /// Games at once
    #[arg(long, default_value_t = 2)]
    threads: usize,
    /// Plies of an opening
    #[arg(long, default_value_t = 8)]
    plies: usize,
    /// Seed of the openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// A search that differs from the default.
#[derive(Clone)]
struct Variant {
    name: String,
    techniques: Techniques,
    parameters: SearchParameters,
    evaluation: Arc<FullEvaluation>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let variants = variants(&arguments)?;
    if variants.is_empty() {
        bail!("nothing to measure: give --technique, --set or --vector");
    }
    println!("| change | wins | draws | losses | Elo | ± 95 % |\n| --- | --: | --: | --: | --: | --: |");
    for variant in &variants {
        let pairs = play_match(variant, &arguments);
        let [wins, draws, losses] = pairs.iter().flatten().fold([0; 3], |mut sum, &points| {
            sum[2 - points] += 1;
            sum
        });
        let (elo, error) = elo_of_pairs(&pairs);
        println!(
            "| {} | {wins} | {draws} | {losses} | {elo:+.1} | {error:.1} |",
            variant.name
        );
    }
    Ok(())
}

fn variants(arguments: &Arguments) -> anyhow::Result<Vec<Variant>> {
    let plain = || Variant {
        name: String::new(),
        techniques: Techniques::default(),
        parameters: SearchParameters::default(),
        evaluation: Arc::new(FullEvaluation::new(&Vector::guess())),
    };
    let mut variants = Vec::new();
    for name in &arguments.technique {
        for technique in Technique::ALL
            .iter()
            .filter(|t| name == "all" || t.name() == name)
        {
            let techniques = Techniques::default().without(*technique);
            variants.push(Variant {
                name: format!("without {}", technique.name()),
                techniques,
                ..plain()
            });
        }
    }
    for changes in &arguments.set {
        let mut variant = Variant {
            name: changes.clone(),
            ..plain()
        };
        for change in changes.split('+') {
            let (name, value) = change
                .split_once('=')
                .with_context(|| format!("'{change}' is not name=value"))?;
            if !variant
                .parameters
                .set(name, value.parse().with_context(|| change.to_owned())?)
            {
                bail!("there is no number called '{name}'");
            }
        }
        variants.push(variant);
    }
    for name in &arguments.vector {
        let evaluation = Arc::new(FullEvaluation::new(&Vector::named(name)?));
        variants.push(Variant {
            name: name.clone(),
            evaluation,
            ..plain()
        });
    }
    Ok(variants)
}

/// The variant's half points in both games of every opening.
fn play_match(variant: &Variant, arguments: &Arguments) -> Vec<[usize; 2]> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![[1; 2]; arguments.pairs]);
    let guess = Arc::new(FullEvaluation::new(&Vector::guess()));
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                let engine = |evaluation: &Arc<FullEvaluation>| {
                    Flagship::new(4, vec![Evaluator::new(evaluation.clone())])
                };
                let (mut changed, mut plain) = (engine(&variant.evaluation), engine(&guess));
                changed.set_techniques(variant.techniques);
                changed.set_parameters(variant.parameters.clone());
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= arguments.pairs {
                        return;
                    }
                    let start = opening(index, arguments, &mut plain);
                    let white = play_game(&start, &mut changed, &mut plain, arguments.nodes);
                    let black = 2 - play_game(&start, &mut plain, &mut changed, arguments.nodes);
                    if let Ok(mut results) = results.lock() {
                        results[index] = [white, black];
                    }
                }
            });
        }
    });
    results.into_inner().unwrap_or_default()
}

/// A random walk of the given length whose end a shallow search calls balanced.
fn opening(index: usize, arguments: &Arguments, judge: &mut Flagship<Evaluator>) -> BitboardBoard {
    let mut random = ChaCha8Rng::seed_from_u64(arguments.seed << 32 | index as u64);
    loop {
        let mut board = BitboardBoard::new(&Position::default());
        for _ in 0..arguments.plies {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.make(moves[(random.next_u32() as usize) % moves.len()]);
        }
        if board.outcome().is_some() {
            continue;
        }
        judge.new_game();
        let limits = FlagshipLimits {
            depth: Some(8),
            ..FlagshipLimits::default()
        };
        let report = judge.search(&board, &limits, &AtomicBool::new(false), |_| {});
        if report.value.abs() <= 80 {
            return board;
        }
    }
}

/// White's half points. A side five pawns ahead for six plies in both eyes has won.
fn play_game(
    start: &BitboardBoard,
    white: &mut Flagship<Evaluator>,
    black: &mut Flagship<Evaluator>,
    nodes: u64,
) -> usize {
    white.new_game();
    black.new_game();
    let mut board = start.clone();
    let limits = FlagshipLimits {
        nodes: Some(nodes),
        ..FlagshipLimits::default()
    };
    let stop = AtomicBool::new(false);
    let mut decided = 0_i32;
    for _ in 0..400 {
        if let Some(outcome) = board.outcome_with_claims() {
            return outcome
                .winner()
                .map_or(1, |side| if side == Color::White { 2 } else { 0 });
        }
        let side = if board.turn() == Color::White {
            &mut *white
        } else {
            &mut *black
        };
        let report = side.search(&board, &limits, &stop, |_| {});
        let Some(m) = report.best else { return 1 };
        let for_white = if board.turn() == Color::White {
            report.value
        } else {
            -report.value
        };
        decided = match for_white {
            500.. => decided.max(0) + 1,
            ..=-500 => decided.min(0) - 1,
            _ => 0,
        };
        if decided.abs() >= 6 {
            return if decided > 0 { 2 } else { 0 };
        }
        board.make(m);
    }
    1
}

/// Elo and the half width of its 95 % interval, from the scatter of the pairs.
fn elo_of_pairs(pairs: &[[usize; 2]]) -> (f64, f64) {
    let n = pairs.len() as f64;
    let scores: Vec<f64> = pairs
        .iter()
        .map(|pair| (pair[0] + pair[1]) as f64 / 4.0)
        .collect();
    let mean = scores.iter().sum::<f64>() / n;
    let variance = scores.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (n - 1.0).max(1.0);
    let half = 1.96 * (variance / n).sqrt();
    let elo = |score: f64| -400.0 * (1.0 / score.clamp(0.001, 0.999) - 1.0).log10();
    (elo(mean), (elo(mean + half) - elo(mean - half)) / 2.0)
}
