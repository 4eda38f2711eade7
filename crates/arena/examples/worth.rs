//! What a technique or a number of the flagship search is worth: matches at fixed nodes.
//!
//! `cargo run --release -p vidmar-arena --features switches --example worth -- --technique null-move,killers`
//! plays the search without each of the techniques against the whole; `--set name=value` plays the search with
//! another number against the default; `--eval name` plays the search with another evaluation. Each opening is played twice with the sides exchanged; openings come
//! from a seed and are balanced by a shallow search; games are at a fixed number of nodes (or, with `--depth`, of plies), so that the same
//! command gives the same games on every machine and with any number of threads. With `--suite FILE.epd` positions are solved instead of
//! games played: what a technique costs in tactics.

#![allow(clippy::print_stdout)]

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow, bail};
use clap::Parser;
use vidmar_arena::{
    DrawRule, Estimate, FaultPolicy, GameSetup, GameTask, MissingPlayers, Opening, Pairs, PlayedGame,
    ResignRule, Rules, Runner, TaskPlayer, ThreadExecutor, TimeControl,
};
use vidmar_chess::{BitboardBoard, Board as _, ByColor, Color, Game, MoveInfo, Outcome};
use vidmar_engine::settings::Value;
use vidmar_engine::{AnyEvaluator, ChosenEvaluation, Control, NET};
use vidmar_players::{Fault, FaultKind, Player, PlayerSpec, Reply};
use vidmar_rng::Rng;
use vidmar_rows::elo_text;
use vidmar_search::{
    Algorithm, Limits, Report, SearchParameters, Searcher, Settings, Technique, Techniques, score_of,
};

type Flagship = Searcher<AnyEvaluator>;

/// Matches of changed searches against the flagship as it is
#[derive(Parser)]
struct Arguments {
    /// Techniques to leave out, one match each; `all` for every one
    #[arg(long, value_delimiter = ',')]
    technique: Vec<String>,
    /// Numbers to change, `name=value`, one match each; several joined by `+` are changed together
    #[arg(long, value_delimiter = ',')]
    set: Vec<String>,
    /// Evaluations to play with, one match each: named vectors, nets, files
    #[arg(long, value_delimiter = ',')]
    eval: Vec<String>,
    /// The evaluation of the unchanged search, and of every variant without one of its own
    #[arg(long, default_value = NET)]
    base: String,
    /// Pairs of games a match
    #[arg(long, default_value_t = 200)]
    pairs: usize,
    /// Nodes a move
    #[arg(long, default_value_t = 10_000)]
    nodes: u64,
    /// Plies a move instead, as deep as they take
    #[arg(long, conflicts_with = "nodes")]
    depth: Option<u32>,
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
    evaluation: ChosenEvaluation,
}

impl Variant {
    fn unchanged(arguments: &Arguments) -> anyhow::Result<Variant> {
        Ok(Variant {
            name: "unchanged".to_owned(),
            techniques: Techniques::default(),
            parameters: SearchParameters::default(),
            evaluation: evaluation(&arguments.base)?,
        })
    }

    /// The numbers of the variant; the techniques that it does without are only in its name.
    fn spec(&self) -> anyhow::Result<PlayerSpec> {
        let search = SearchParameters::TABLE.iter();
        let search = search.filter_map(|row| self.parameters.get(row.name)).collect();
        let spec = PlayerSpec::of("engine")?
            .with("hash", HASH as i64)?
            .with("eval", self.evaluation.value())?
            .with("parameters", Value::Numbers(search))?;
        Ok(spec.named(&self.name))
    }

    fn engine(&self, mebibytes: usize) -> Flagship {
        let settings = Settings {
            algorithm: Algorithm::Flagship,
            table_mib: mebibytes,
            techniques: self.techniques,
            parameters: self.parameters.clone(),
            ..Settings::default()
        };
        Searcher::new(settings, self.evaluation.evaluator()).expect("a build with switches")
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let variants = variants(&arguments)?;
    if let Some(file) = &arguments.suite {
        return solve_suite(file, &variants, &arguments);
    }
    if variants.is_empty() {
        bail!("nothing to measure: give --technique, --set or --eval");
    }
    println!("| change | wins | draws | losses | Elo (95 %) | nodes a move | plies |");
    println!("| --- | --: | --: | --: | --- | --- | --- |");
    let unchanged = Variant::unchanged(&arguments)?;
    for variant in &variants {
        let games = play_match(variant, &unchanged, &arguments)?;
        let [mut wins, mut draws, mut losses] = [0; 3];
        let mut counts = Pairs::default();
        // The variant is White in the first of a pair.
        let points = |(side, game): (Color, &PlayedGame)| {
            let outcome = game.record.outcome.unwrap_or(Outcome::Draw);
            usize::from(outcome.half_points(side))
        };
        for pair in games.chunks(2) {
            let points: Vec<usize> = Color::ALL.into_iter().zip(pair).map(points).collect();
            for &points in &points {
                *[&mut losses, &mut draws, &mut wins][points] += 1;
            }
            counts.add(points.iter().sum());
        }
        let elo = elo_text(Estimate::of_pairs(&counts).map(|estimate| estimate.interval));
        let [own, other] = [true, false].map(|first| effort(&games, first));
        println!(
            "| {} | {wins} | {draws} | {losses} | {elo} | {:.0} to {:.0} | {:.2} to {:.2} |",
            variant.name, own.0, other.0, own.1, other.1
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
    for name in &arguments.eval {
        variants.push(Variant {
            name: name.clone(),
            evaluation: evaluation(name)?,
            ..plain()
        });
    }
    Ok(variants)
}

fn evaluation(name: &str) -> anyhow::Result<ChosenEvaluation> {
    ChosenEvaluation::read(&name.into()).map_err(|reason| anyhow!("{name}: {reason}"))
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

/// A variant at the board. No specification can leave a technique out: a variant is known by its name.
struct VariantPlayer {
    name: String,
    engine: Flagship,
}

impl Player for VariantPlayer {
    fn name(&self) -> &str {
        &self.name
    }

    fn new_game(&mut self, _chess960: bool, _seed: u64) -> Result<(), Fault> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &vidmar_engine::Limits,
        control: &Control,
    ) -> Result<Reply, Fault> {
        let begun = Instant::now();
        let limits = match limits.depth {
            Some(depth) => Limits::depth(depth),
            None => Limits::nodes(limits.nodes.unwrap_or(u64::MAX)),
        };
        let report = self
            .engine
            .search(game.board(), &limits, control.stop_flag(), &mut |_| ());
        let report = report.expect("a bitboard");
        let info = MoveInfo {
            score: Some(score_of(report.value)),
            depth: report.depth,
            nodes: report.counts.nodes,
            time: begun.elapsed(),
        };
        Ok(Reply {
            best: report.best,
            info,
        })
    }
}

/// Nodes and plies a move, the mean of all moves of the variant, or of those of the search as it is.
fn effort(games: &[PlayedGame], of_variant: bool) -> (f64, f64) {
    let moves = games.iter().enumerate().flat_map(|(number, game)| {
        // The variant is White in the first game of a pair; an opening has an even number of plies unless it is told otherwise.
        let white_begins = game.task.setup.opening.moves.len().is_multiple_of(2);
        let variant_begins = white_begins == number.is_multiple_of(2);
        let skipped = usize::from(variant_begins != of_variant);
        game.record.moves.iter().skip(skipped).step_by(2)
    });
    let (mut count, mut nodes, mut plies) = (0_u64, 0, 0);
    for played in moves {
        count += 1;
        nodes += played.info.nodes;
        plies += u64::from(played.info.depth);
    }
    let mean = |sum: u64| sum as f64 / count.max(1) as f64;
    (mean(nodes), mean(plies))
}

/// Both games of every opening, in order.
fn play_match(
    variant: &Variant,
    unchanged: &Variant,
    arguments: &Arguments,
) -> anyhow::Result<Vec<PlayedGame>> {
    let variants = [variant.clone(), unchanged.clone()];
    let specs = [variant.spec()?, unchanged.spec()?];
    let make = move |spec: &PlayerSpec| {
        let name = spec.name();
        let found = variants.iter().find(|variant| variant.name == name);
        let missing = || Fault::new(FaultKind::Start, format!("no variant '{name}'"));
        let engine = found.ok_or_else(missing)?.engine(HASH);
        Ok(Box::new(VariantPlayer { name, engine }) as Box<dyn Player>)
    };
    let threads = NonZeroUsize::new(arguments.threads).unwrap_or(NonZeroUsize::MIN);
    let executor = ThreadExecutor::new(threads).with_players(Arc::new(make));
    let runner = Runner {
        executor: &executor,
        faults: FaultPolicy::Drop,
        missing: MissingPlayers::EndTheRun,
    };
    let mut evaluator = unchanged.engine(HASH);
    let pairs = (0..arguments.pairs).flat_map(|index| {
        let opening = opening(index, arguments, &mut evaluator);
        [0, 1].map(|game| task(2 * index + game, opening.clone(), &specs, arguments))
    });
    let games = runner.collect(pairs, &Control::new(), &mut |_| {})?;
    Ok(games.unwrap_or_default())
}

/// MiB of a player's table.
const HASH: usize = 4;

/// Moves of each side after the opening; games that have not ended by then are drawn.
const MOST_MOVES: usize = 200;

/// One game; the variant is White in the first of a pair. A side that both see five pawns ahead in three moves of each has
/// won; from move 40 on, a game that both see within 8 hundredths of a pawn of level in six moves of each is drawn.
fn task(number: usize, opening: Opening, specs: &[PlayerSpec; 2], arguments: &Arguments) -> GameTask {
    let [variant, unchanged] = [0, 1].map(|index| TaskPlayer::new(index, specs[index].clone()));
    let limits = TimeControl {
        nodes: arguments.depth.is_none().then_some(arguments.nodes),
        depth: arguments.depth,
        ..TimeControl::default()
    };
    GameTask {
        number: number as u64,
        round: number as u64 / 2,
        players: if number.is_multiple_of(2) {
            ByColor::new(variant, unchanged)
        } else {
            ByColor::new(unchanged, variant)
        },
        setup: GameSetup {
            rules: Rules {
                resign: Some(ResignRule {
                    score: 500,
                    moves: 3,
                    two_sided: true,
                }),
                draw: Some(DrawRule {
                    from_move: 40,
                    moves: 6,
                    score: 8,
                }),
                max_moves: Some((opening.moves.len() / 2 + MOST_MOVES) as u32),
                ..Rules::default()
            },
            opening,
            limits: ByColor::new(limits, limits),
            seed: number as u64,
            keeps_pvs: false,
        },
    }
}

/// A random walk of the given length whose end a shallow search calls balanced.
fn opening(index: usize, arguments: &Arguments, evaluator: &mut Flagship) -> Opening {
    let mut random = Rng::from_seed(arguments.seed << 32 | index as u64);
    loop {
        let mut game = Game::default();
        for _ in 0..arguments.plies {
            let moves = game.board().legal_moves();
            if moves.is_empty() {
                break;
            }
            game.play(moves[(random.bits32() as usize) % moves.len()]);
        }
        if game.board().termination().is_some() {
            continue;
        }
        evaluator.new_game();
        let report = search(evaluator, game.board(), &Limits::depth(8));
        if report.value.abs() <= 80 {
            return Opening {
                moves: game.moves().to_vec(),
                ..Opening::default()
            };
        }
    }
}

fn search(engine: &mut Flagship, board: &BitboardBoard, limits: &Limits) -> Report {
    let report = engine.search(board, limits, &AtomicBool::new(false), &mut |_| ());
    report.expect("a bitboard")
}
