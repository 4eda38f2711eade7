//! `vidmar tune bench`: all optimisers where the truth is known.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::bail;
use clap::Args;
use vidmar_optim::Method;
use vidmar_optim::landscape::Shape;
use vidmar_rating::stats::{Better, compare};
use vidmar_tune::bench::{Cell, Plan, Problem, problems, rank_table, run};

use crate::arguments::{named, some_of};
use crate::commands::stats;
use crate::{arguments, output, progress};

/// Compare the optimisers on synthetic landscapes whose optimum is known
///
/// Vectors play games drawn from the Bradley-Terry model, on landscapes that lie 300 Elo below their optimum at the
/// start. Each number is the true Elo gained by the recommended vector, mean ± standard deviation over the seeds,
/// and in brackets that of the vector with the best rating or points per game, where a method keeps such. Rank tests
/// over all landscapes and budgets follow.
#[derive(Args)]
pub(crate) struct Bench {
    /// 16 parameters, small budgets and three seeds: seconds
    #[arg(long)]
    quick: bool,
    /// Numbers of parameters
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    dimensions: Vec<usize>,
    /// Games
    #[arg(long, value_name = "N,...", value_delimiter = ',')]
    budgets: Vec<u64>,
    /// Seeds: landscapes and runs on each
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    seeds: Option<u64>,
    /// Games that a vector plays to be evaluated once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: Option<u32>,
    /// Optimisers
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = some_of(Method::for_games()))]
    methods: Vec<Method>,
    /// Landscapes
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = named::<Shape>())]
    landscapes: Vec<Shape>,
    /// Threads
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: u16,
    /// Write every run as a row of this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the table of the rank tests to this file, for `vidmar stats`
    #[arg(long, value_name = "FILE")]
    ranks: Option<PathBuf>,
    /// Print a JSON object a line instead of tables
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let plan = self.plan()?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(self.threads))
            .build()?;
        let bar = progress::bar(plan.len(), "runs");
        let cells = pool.install(|| run(&plan, || bar.inc(1)))?;
        bar.finish_and_clear();
        let problems = problems(&plan, &cells);
        if let Some(path) = &self.csv {
            output::write_file(path, &every_run(&plan, &cells)?)?;
        }
        if let Some(path) = &self.ranks {
            output::write_file(path, &for_rank_tests(&plan, &problems)?)?;
        }
        if self.json {
            return json(&plan, &problems).map(|()| ExitCode::SUCCESS);
        }
        output::print(&tables(&plan, &problems))?;
        let table = rank_table(&plan, &problems);
        match compare(&table, Better::Higher, 0.05, None) {
            Ok(comparison) => output::print(&stats::summary(&comparison))?,
            Err(error) => output::warn(&format!("no rank tests: {error}")),
        }
        Ok(ExitCode::SUCCESS)
    }

    fn plan(&self) -> anyhow::Result<Plan> {
        let mut plan = if self.quick { Plan::quick() } else { Plan::full() };
        if !self.dimensions.is_empty() {
            plan.dimensions.clone_from(&self.dimensions);
        }
        if !self.budgets.is_empty() {
            plan.budgets.clone_from(&self.budgets);
            plan.budgets.sort_unstable();
            plan.budgets.dedup();
        }
        if !self.methods.is_empty() {
            plan.methods.clone_from(&self.methods);
        }
        if !self.landscapes.is_empty() {
            plan.shapes.clone_from(&self.landscapes);
        }
        plan.seeds = self.seeds.unwrap_or(plan.seeds);
        plan.games = self.games.unwrap_or(plan.games);
        if let Some(bad) = plan.dimensions.iter().find(|&&d| !(2..=100_000).contains(&d)) {
            bail!("--dimensions {bad}: expected 2 to 100000");
        }
        Ok(plan)
    }
}

fn tables(plan: &Plan, problems: &[Problem]) -> String {
    let mut text = String::new();
    for of_landscape in problems.chunks(plan.budgets.len()) {
        let Some(first) = of_landscape.first() else {
            continue;
        };
        let (shape, dimensions) = (first.shape, first.dimensions);
        let _ = writeln!(
            text,
            "{}, {dimensions} parameters: {}",
            shape.name(),
            shape.help()
        );
        let _ = write!(text, "{:<18}", "games");
        for problem in of_landscape {
            let _ = write!(text, "{:>20}", problem.budget);
        }
        text.push('\n');
        for (index, method) in plan.methods.iter().enumerate() {
            let _ = write!(text, "{:<18}", method.name());
            for problem in of_landscape {
                let gained = problem.centroid[index];
                let best = problem.best[index].map_or_else(String::new, |m| format!(" ({:+.0})", m.mean));
                let cell = format!("{:+.0} ± {:.0}{best}", gained.mean, gained.deviation);
                let _ = write!(text, "{cell:>20}");
            }
            text.push('\n');
        }
        text.push('\n');
    }
    text
}

fn every_run(plan: &Plan, cells: &[Cell]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let header = [
        "landscape",
        "dimensions",
        "budget",
        "seed",
        "method",
        "games",
        "centroid",
        "by_efficiency",
        "by_rating",
    ];
    writer.write_record(header)?;
    let number = |value: Option<f64>| value.map_or_else(String::new, |v| format!("{v:.2}"));
    for cell in cells {
        for (budget, gain) in plan.budgets.iter().zip(&cell.gains) {
            writer.write_record([
                cell.shape.name(),
                &cell.dimensions.to_string(),
                &budget.to_string(),
                &cell.seed.to_string(),
                cell.method.name(),
                &gain.games.to_string(),
                &number(Some(gain.centroid)),
                &number(gain.by_efficiency),
                &number(gain.by_rating),
            ])?;
        }
    }
    output::csv_text(writer)
}

fn for_rank_tests(plan: &Plan, problems: &[Problem]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(std::iter::once("problem").chain(plan.methods.iter().map(|m| m.name())))?;
    for problem in problems.iter().filter(|problem| problem.shape != Shape::Null) {
        let name = format!(
            "{}-{}-{}",
            problem.shape.name(),
            problem.dimensions,
            problem.budget
        );
        let values = problem
            .centroid
            .iter()
            .map(|moments| format!("{:.3}", moments.mean));
        writer.write_record(std::iter::once(name).chain(values))?;
    }
    output::csv_text(writer)
}

fn json(plan: &Plan, problems: &[Problem]) -> anyhow::Result<()> {
    let mut text = String::new();
    for problem in problems {
        for (index, method) in plan.methods.iter().enumerate() {
            let gained = problem.centroid[index];
            let line = serde_json::json!({
                "landscape": problem.shape.name(),
                "dimensions": problem.dimensions,
                "budget": problem.budget,
                "method": method.name(),
                "elo": gained.mean,
                "deviation": gained.deviation,
                "best": problem.best[index].map(|moments| moments.mean),
            });
            let _ = writeln!(text, "{line}");
        }
    }
    output::print(&text)
}
