//! What a technique or a number of the flagship search is worth: matches at fixed nodes.
//!
//! `cargo run --release -p vidmar-search --features switches --example worth -- --technique null-move,killers`
//! plays the search without each of the techniques against the whole; `--set name=value` plays the search with
//! another number against the default; `--vector name` plays the search with another evaluation. Each opening is played twice with the sides exchanged; openings come
//! from a seed and are balanced by a shallow search; games are at a fixed number of nodes, so that the same
//! command gives the same games on every machine and with any number of threads. With `--suite FILE.epd` positions are solved instead of
//! games played: what a technique costs in tactics.

#![allow(clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use anyhow::{Context, bail};
use clap::Parser;
use vidmar_chess::{BitboardBoard, Board, Color, Position, Termination};
use vidmar_eval::{Evaluator, FullEvaluation, Vector};
use vidmar_rng::Rng;
use vidmar_search::{Algorithm, Limits, Report, SearchParameters, Searcher, Settings, Technique, Techniques};

type Flagship = Searcher<Evaluator>;

/// Matches of changed searches against the flagship as it is
#[derive(Parser)]
struct Arguments {
    /// Techniques to leave out, one match each; `all` for every one
    #[arg(long, value_delimiter = ',')]
    technique: Vec<String>,
    /// Numbers to change, `name=value`, one match each; several joined by `+` are changed together
    #[arg(long, value_delimiter = ',')]
    set: Vec<String>,
    /// Named vectors of evaluation parameters to play with, one match each
    #[arg(long, value_delimiter = ',')]
    vector: Vec<String>,
    /// The named vector of the unchanged search, and of every variant without one of its own
    #[arg(long, default_value = "fitted")]
    base: String,
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
    /// Solve the positions of this EPD file instead of playing games; the unchanged search is the first row
    #[arg(long)]
    suite: Option<PathBuf>,
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

impl Variant {
    fn unchanged(arguments: &Arguments) -> anyhow::Result<Variant> {
        Ok(Variant {
            name: "unchanged".to_owned(),
            techniques: Techniques::default(),
            parameters: SearchParameters::default(),
            evaluation: Arc::new(FullEvaluation::new(&Vector::named(&arguments.base)?)),
        })
    }

    fn engine(&self, mebibytes: usize) -> Flagship {
        let settings = Settings {
            algorithm: Algorithm::Flagship,
            table_mib: mebibytes,
            techniques: self.techniques,
            parameters: self.parameters.clone(),
            ..Settings::default()
        };
        Searcher::new(settings, Evaluator::new(self.evaluation.clone())).expect("a build with switches")
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let variants = variants(&arguments)?;
    if let Some(file) = &arguments.suite {
        return solve_suite(file, &variants, &arguments);
    }
    if variants.is_empty() {
        bail!("nothing to measure: give --technique, --set or --vector");
    }
    println!("| change | wins | draws | losses | Elo | ± 95 % |\n| --- | --: | --: | --: | --: | --: |");
    let unchanged = Variant::unchanged(&arguments)?;
    for variant in &variants {
        let pairs = play_match(variant, &unchanged, &arguments);
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
    let unchanged = Variant::unchanged(arguments)?;
    let plain = || unchanged.clone();
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

/// How many positions of a suite each variant solves at the given nodes.
fn solve_suite(file: &Path, variants: &[Variant], arguments: &Arguments) -> anyhow::Result<()> {
    let reader =
        std::io::BufReader::new(std::fs::File::open(file).with_context(|| file.display().to_string())?);
    let mut cases = Vec::new();
    for (line, record) in vidmar_formats::epd::Reader::new(reader) {
        let (epd, _) = record.with_context(|| format!("{}: line {line}", file.display()))?;
        cases.push(epd);
    }
    let unchanged = Variant::unchanged(arguments)?;
    println!("| change | solved | of |\n| --- | --: | --: |");
    for variant in std::iter::once(&unchanged).chain(variants) {
        let next = AtomicUsize::new(0);
        let solved = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..arguments.threads {
                scope.spawn(|| {
                    let mut engine = variant.engine(64);
                    while let Some(epd) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
                        engine.new_game();
                        let board = BitboardBoard::new(&epd.position);
                        let report = search(&mut engine, &board, &Limits::nodes(arguments.nodes));
                        let (best, avoid) = (epd.best_moves(), epd.avoid_moves());
                        let holds = report
                            .best
                            .is_some_and(|m| (best.is_empty() || best.contains(&m)) && !avoid.contains(&m));
                        solved.fetch_add(usize::from(holds), Ordering::Relaxed);
                    }
                });
            }
        });
        println!("| {} | {} | {} |", variant.name, solved.into_inner(), cases.len());
    }
    Ok(())
}

/// The variant's half points in both games of every opening.
fn play_match(variant: &Variant, unchanged: &Variant, arguments: &Arguments) -> Vec<[usize; 2]> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(vec![[1; 2]; arguments.pairs]);
    std::thread::scope(|scope| {
        for _ in 0..arguments.threads {
            scope.spawn(|| {
                let (mut changed, mut plain) = (variant.engine(4), unchanged.engine(4));
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

fn search(engine: &mut Flagship, board: &BitboardBoard, limits: &Limits) -> Report {
    let report = engine.search(board, limits, &AtomicBool::new(false), &mut |_| ());
    report.expect("a bitboard")
}

/// A random walk of the given length whose end a shallow search calls balanced.
fn opening(index: usize, arguments: &Arguments, evaluator: &mut Flagship) -> BitboardBoard {
    let mut random = Rng::from_seed(arguments.seed << 32 | index as u64);
    loop {
        let mut board = BitboardBoard::new(&Position::default());
        for _ in 0..arguments.plies {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.make(moves[(random.bits32() as usize) % moves.len()]);
        }
        if board.termination().is_some() {
            continue;
        }
        evaluator.new_game();
        let report = search(evaluator, &board, &Limits::depth(8));
        if report.value.abs() <= 80 {
            return board;
        }
    }
}

/// White's half points. A side five pawns ahead for six plies in both eyes has won.
fn play_game(start: &BitboardBoard, white: &mut Flagship, black: &mut Flagship, nodes: u64) -> usize {
    white.new_game();
    black.new_game();
    let mut board = start.clone();
    let limits = Limits::nodes(nodes);
    let mut decided = 0_i32;
    for _ in 0..400 {
        if let Some(outcome) = board.termination_with_claims().and_then(Termination::outcome) {
            return usize::from(outcome.half_points(Color::White));
        }
        let side = if board.turn() == Color::White {
            &mut *white
        } else {
            &mut *black
        };
        let report = search(side, &board, &limits);
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
