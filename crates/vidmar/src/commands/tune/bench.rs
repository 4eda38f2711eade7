//! `vidmar tune bench`: all optimisers where the truth is known.

mod files;
mod tables;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use vidmar_optim::Method;
use vidmar_optim::landscape::Shape;
use vidmar_tune::bench::{Contender, Family, Plan, problems, run};

use crate::arguments::named;
use crate::{arguments, output, progress};

/// Compare the optimisers on synthetic landscapes whose optimum is known
///
/// Vectors play games drawn from the Bradley-Terry model, on landscapes that lie 300 Elo below their optimum at the
/// start (`near`: 30). Each number is the true Elo gained by the recommended vector, mean ± 95 % interval over the seeds,
/// and in brackets that of the vector with the best rating or points per game, where a method keeps such. Means over the
/// landscapes and rank tests follow, of those that were held out and of those by which a method was set apart, and of every
/// budget apart: a run with more games begins with the one with fewer.
#[derive(Args)]
#[command(after_help = after_help())]
pub(crate) struct Bench {
    /// 16 parameters, small budgets and four seeds: seconds
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
    /// The first seed [default: 1000; those from 0 on were looked at when methods were made]
    #[arg(long, value_name = "N")]
    first_seed: Option<u64>,
    /// Seeds whose mean makes a row of the rank tests [default: 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000))]
    group: Option<u64>,
    /// Games that a vector plays to be evaluated once
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1000))]
    games: Option<u32>,
    /// Optimisers, each with changed settings if wanted
    #[arg(long, value_name = "NAME[:KEY=VALUE]...,...", value_delimiter = ',')]
    methods: Vec<Contender>,
    /// Also give the difference of every other optimiser to this one, seed by seed, p adjusted after Holm
    #[arg(long, value_name = "NAME")]
    control: Option<String>,
    /// Landscapes
    #[arg(long, value_name = "NAME,...", value_delimiter = ',', value_parser = named::<Shape>())]
    landscapes: Vec<Shape>,
    /// Threads
    #[arg(long, default_value_t = 2, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: u16,
    /// Write every run as a row of this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the table of the rank tests (held-out landscapes where there are any, the largest budget) to this file, for
    /// `vidmar stats`
    #[arg(long, value_name = "FILE")]
    ranks: Option<PathBuf>,
    /// Print a JSON object a line instead of tables
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let plan = self.plan()?;
        let control = self
            .control
            .as_deref()
            .map(|name| control(&plan, name))
            .transpose()?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(self.threads))
            .build()?;
        let bar = progress::bar(plan.len(), "runs");
        let cells = pool.install(|| run(&plan, || bar.inc(1)))?;
        bar.finish_and_clear();
        let problems = problems(&plan, &cells);
        if let Some(path) = &self.csv {
            output::write_file(path, &files::every_run(&plan, &cells)?)?;
        }
        if let Some(path) = &self.ranks {
            output::write_file(path, &files::for_rank_tests(&plan, &cells)?)?;
        }
        if self.json {
            output::print(&files::json(&plan, &problems))?;
            return Ok(ExitCode::SUCCESS);
        }
        output::print(&tables::by_landscape(&plan, &problems))?;
        for family in Family::ALL {
            if plan.shapes.iter().any(|&shape| family.has(shape)) {
                output::print(&tables::means(&plan, &cells, family))?;
                if let Some(control) = control {
                    output::print(&tables::differences(&plan, &cells, family, control))?;
                }
                output::print(&tables::ranks(&plan, &cells, family))?;
            }
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
            plan.contenders.clone_from(&self.methods);
        }
        if !self.landscapes.is_empty() {
            plan.shapes.clone_from(&self.landscapes);
        }
        plan.seed_count = self.seeds.unwrap_or(plan.seed_count);
        plan.first_seed = self.first_seed.unwrap_or(plan.first_seed);
        plan.group = self.group.map_or(plan.group, |group| group as usize);
        plan.games = self.games.unwrap_or(plan.games);
        if let Some(bad) = plan.dimensions.iter().find(|&&d| !(2..=100_000).contains(&d)) {
            bail!("--dimensions {bad}: expected 2 to 100000");
        }
        Ok(plan)
    }
}

fn after_help() -> String {
    let methods: Vec<String> = Method::for_games()
        .map(|method| format!("  {:<18} {}", method.name(), method.help()))
        .collect();
    format!(
        "Optimisers:\n{}\n\nWithout --methods all of them, those with a population once more with one around the start \
         (spread=0.1).\n\n\
         Examples:\n  vidmar tune bench --csv runs.csv --ranks ranks.csv\n  \
         vidmar tune bench --methods de-rated,de-rated:memory=none --control de-rated:memory=none",
        methods.join("\n")
    )
}

/// The index of a contender.
fn control(plan: &Plan, name: &str) -> anyhow::Result<usize> {
    let names = || plan.contenders.iter().map(Contender::name);
    names().position(|known| known == name).with_context(|| {
        format!(
            "--control {name}: not among the optimisers{}",
            vidmar_text::did_you_mean(name, names())
        )
    })
}
