//! `vidmar bench`: the signature of the engine and its speed.

use std::process::ExitCode;

use anyhow::{Context as _, anyhow, bail};
use clap::Args;
use vidmar_engine::Control;
use vidmar_engine::bench::{self, BenchSettings};
use vidmar_engine::memory::room_for;
use vidmar_search::{Parallel, SettingsError};

use crate::arguments::{self, named};
use crate::output;

/// Search fixed positions to a fixed depth: the number of nodes is the engine's signature
///
/// Prints the nodes of every position, what a move of a tuner's game (depth 6) costs, and on the last two lines
/// the nodes altogether and the nodes per second.
#[derive(Args)]
pub(crate) struct Bench {
    /// Plies
    #[arg(long, default_value_t = bench::DEPTH, value_name = "N", value_parser = arguments::depth::<u32>())]
    depth: u32,
    /// Threads that search together; with more than one the number of nodes is not the signature
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: u16,
    /// How several threads share the work
    #[arg(long, default_value = Parallel::Lazy.name(), value_name = "HOW", value_parser = named::<Parallel>())]
    parallel: Parallel,
    /// Size of the table in MiB
    #[arg(long, default_value_t = 16, value_name = "MIB", value_parser = arguments::hash::<u32>())]
    hash: u32,
    /// What to evaluate by: the name of a vector, a parameter file or a net; with another than the default the number of nodes is not the signature
    #[arg(long, value_name = "NAME|FILE")]
    eval: Option<String>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Bench {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let settings = BenchSettings {
            evaluation: arguments::evaluation("--eval", self.eval.as_deref())?,
            depth: self.depth,
            threads: usize::from(self.threads),
            parallel: self.parallel,
            hash: self.hash as usize,
            ..BenchSettings::default()
        };
        if settings.threads > 1 && settings.parallel == Parallel::None {
            return Err(SettingsError::ThreadsAlone(settings.threads).into());
        }
        if settings.threads == 1 && settings.parallel == Parallel::YoungBrothersWait {
            bail!(
                "--parallel {} has no effect with one thread",
                settings.parallel.name()
            );
        }
        room_for(settings.hash).map_err(|reason| anyhow!("--hash: {reason}"))?;
        let mut printed = Ok(());
        let report = bench::run(&settings, &Control::new(), |index, position| {
            if !self.json && printed.is_ok() {
                let line = format!("{:>2}  {:>10}  {}\n", index + 1, position.nodes, position.fen);
                printed = output::print(&line);
            }
        });
        printed?;
        let report = report.context("the bench was stopped")?;
        output::print(&if self.json {
            serde_json::to_string(&report)? + "\n"
        } else {
            bench::summary(&report)
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
