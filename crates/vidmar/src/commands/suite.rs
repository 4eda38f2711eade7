//! `vidmar suite`: how many positions of a test suite the engine solves.

use std::fmt::Write as _;
use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use vidmar_chess::{Game, Move};
use vidmar_engine::{Control, FlagshipSettings, FlagshipThinker, Limits, Thinker as _};
use vidmar_formats::epd::{Epd, Reader};

use crate::{arguments, output, progress};

/// Search every position of an EPD suite and count those solved
///
/// A position is solved if the move in the end is one of `bm` and none of `am`. Every position is a game
/// of its own: nothing is remembered from the one before.
#[derive(Args)]
pub(crate) struct Suite {
    /// The suite, with `bm` or `am` in every record
    #[arg(value_name = "FILE.epd")]
    file: PathBuf,
    #[command(flatten)]
    limit: Limit,
    /// Threads that search a position together
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: u16,
    /// Positions searched at a time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = arguments::threads::<u16>())]
    jobs: u16,
    /// Count as well what was solved at earlier times, in the same run: the last line told until then is the answer
    #[arg(long, value_name = "S", value_delimiter = ',', value_parser = seconds)]
    marks: Vec<Duration>,
    /// Size of each table in MiB
    #[arg(long, default_value_t = 64, value_name = "MIB", value_parser = arguments::hash::<u32>())]
    hash: u32,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// When the search of a position ends.
#[derive(Args)]
#[group(required = true, multiple = true)]
struct Limit {
    /// Time for a position
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<Duration>,
    /// Nodes for a position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies for a position
    #[arg(long, value_name = "N", value_parser = arguments::depth::<u32>())]
    depth: Option<u32>,
}

fn seconds(text: &str) -> Result<Duration, String> {
    let number: f64 = text
        .parse()
        .map_err(|_| "expected a number of seconds".to_owned())?;
    match Duration::try_from_secs_f64(number) {
        Ok(time) if time > Duration::ZERO => Ok(time),
        _ => Err("expected a positive number of seconds".to_owned()),
    }
}

/// A record of the suite that says what a solution is.
struct Case {
    id: String,
    epd: Epd,
}

impl Case {
    fn is_solved_by(&self, m: Move) -> bool {
        let (best, avoid) = (self.epd.best_moves(), self.epd.avoid_moves());
        (best.is_empty() || best.contains(&m)) && !avoid.contains(&m)
    }
}

#[derive(Serialize)]
struct Answer {
    positions: usize,
    solved: usize,
    seconds: f64,
    marks: Vec<Mark>,
    results: Vec<Outcome>,
}

/// What had been solved at an earlier time.
#[derive(Serialize)]
struct Mark {
    seconds: f64,
    solved: usize,
}

#[derive(Serialize)]
struct Outcome {
    id: String,
    solved: bool,
    /// In the notation of the suite.
    r#move: String,
    depth: u32,
    nodes: u64,
    /// Time of the search.
    seconds: f64,
    /// Since when the move in the end was the best without a break, if it is a solution.
    found_after: Option<f64>,
    /// Whether the move was a solution at each of the earlier times.
    marks: Vec<bool>,
}

impl Suite {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let cases = read(&self.file)?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(self.jobs))
            .build()
            .context("starting the threads")?;
        let begun = Instant::now();
        let bar = progress::bar(cases.len(), "suite");
        let results: Vec<Outcome> = pool.install(|| {
            cases
                .par_iter()
                .with_max_len(1)
                .map_init(
                    || self.thinker(),
                    |thinker, case| {
                        let outcome = self.solve(thinker, case);
                        bar.inc(1);
                        outcome
                    },
                )
                .collect()
        });
        bar.finish_and_clear();
        let marks = self.marks.iter().enumerate().map(|(index, mark)| Mark {
            seconds: mark.as_secs_f64(),
            solved: results.iter().filter(|outcome| outcome.marks[index]).count(),
        });
        let answer = Answer {
            marks: marks.collect(),
            positions: results.len(),
            solved: results.iter().filter(|outcome| outcome.solved).count(),
            seconds: begun.elapsed().as_secs_f64(),
            results,
        };
        output::print(&if self.json {
            serde_json::to_string(&answer)? + "\n"
        } else {
            text(&answer)
        })?;
        Ok(ExitCode::SUCCESS)
    }

    fn thinker(&self) -> FlagshipThinker {
        let mut thinker = FlagshipThinker::new(FlagshipSettings {
            hash: self.hash as usize,
            threads: usize::from(self.threads),
            ..FlagshipSettings::default()
        });
        thinker.prepare();
        thinker
    }

    fn solve(&self, thinker: &mut FlagshipThinker, case: &Case) -> Outcome {
        let game = Game::new(case.epd.position.clone());
        thinker.new_game();
        let limits = Limits {
            depth: self.limit.depth,
            nodes: self.limit.nodes,
            move_time: self.limit.seconds,
            overhead: Duration::ZERO,
            ..Limits::none()
        };
        let mut found: Option<Duration> = None;
        let mut marks = vec![false; self.marks.len()];
        let thought = thinker.think(&game, &limits, &Control::new(), &mut |info| {
            let holds = info.pv.first().is_some_and(|&m| case.is_solved_by(m));
            found = holds.then(|| found.unwrap_or(info.elapsed));
            for (mark, solved) in self.marks.iter().zip(&mut marks) {
                if info.elapsed <= *mark {
                    *solved = holds;
                }
            }
        });
        let solved = thought.best.is_some_and(|m| case.is_solved_by(m));
        Outcome {
            id: case.id.clone(),
            solved,
            r#move: thought
                .best
                .map(|m| game.position().san(m).to_string())
                .unwrap_or_default(),
            depth: thought.depth,
            nodes: thought.nodes,
            seconds: thought.elapsed.as_secs_f64(),
            found_after: found.filter(|_| solved).map(|time| time.as_secs_f64()),
            marks,
        }
    }
}

/// Every record has a move to find or to avoid, or the count would mean nothing.
fn read(path: &Path) -> anyhow::Result<Vec<Case>> {
    let name = path.display();
    let file = File::open(path).with_context(|| name.to_string())?;
    let mut cases = Vec::new();
    for (line, record) in Reader::new(BufReader::new(file)) {
        let (epd, _) = record.with_context(|| format!("{name}: line {line}"))?;
        anyhow::ensure!(
            !epd.best_moves().is_empty() || !epd.avoid_moves().is_empty(),
            "{name}: line {line}: expected an operation bm or am with a legal move"
        );
        let id = epd.id().map_or_else(|| format!("line {line}"), str::to_owned);
        cases.push(Case { id, epd });
    }
    anyhow::ensure!(!cases.is_empty(), "{name} holds no position");
    Ok(cases)
}

fn text(answer: &Answer) -> String {
    let mut text = String::new();
    for outcome in answer.results.iter().filter(|outcome| !outcome.solved) {
        let Outcome {
            id, r#move, depth, ..
        } = outcome;
        let _ = writeln!(text, "not solved: {id}: {move} at depth {depth}");
    }
    let Answer {
        positions,
        solved,
        seconds,
        ..
    } = answer;
    for Mark { seconds, solved } in &answer.marks {
        let _ = writeln!(text, "{solved} of {positions} solved after {seconds} s");
    }
    let _ = writeln!(text, "{solved} of {positions} solved in {seconds:.1} s");
    text
}
