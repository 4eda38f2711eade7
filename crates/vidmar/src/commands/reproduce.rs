//! `vidmar reproduce`: the published experiments, run, resumed, and set beside the published figures.

mod listing;
mod report;
mod screen;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::{Args, Subcommand};
use vidmar_reproduce::{Asked, Campaign, Data, Ended, named, work};
use vidmar_text::shell_word;

use self::screen::Screen;
use crate::elsewhere::{self, Elsewhere};
use crate::interrupt::interrupted;
use crate::{arguments, interrupt, output};

/// Repeat the published experiments: list them, run or resume some, report what came of them
///
/// Without a name the experiments are listed with what they cost on this machine and how far they are. Every step is an ordinary
/// tuning run, match, suite, study or comparison in a folder of its own, which `vidmar tune status`, `vidmar store` and the page
/// show; the same command goes on with what was stopped or killed.
#[derive(Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  vidmar reproduce                                  # what there is, what it costs, how far it is
  vidmar reproduce evolved algorithms               # two of the small ones
  vidmar reproduce tuning-family --seeds 5 --threads 16 --out lab
  vidmar reproduce suites --data ~/chess --scale 0.1
  vidmar reproduce all --scale 0.01                 # a little of everything
  vidmar reproduce depth --on nats://localhost      # games are played by `vidmar worker nats://localhost`
  vidmar reproduce report lab > report.md

What does not come with the program (test suites, games of experts, other engines) is looked for in --data, or the folder that \
VIDMAR_DATA names, and on the search path. Steps that lack something are left out and said; the exit code is then 1, and 2 where \
nothing of the experiment is left."
)]
pub(crate) struct Reproduce {
    #[command(subcommand)]
    command: Option<ReproduceCommand>,
    /// Experiments, or `all`
    #[arg(value_name = "NAME")]
    names: Vec<String>,
    /// Independent runs [default: as published; for what was begun, as it was begun]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1000))]
    seeds: Option<u64>,
    /// Multiply generations, games, rounds and positions [default: 1]
    #[arg(long, value_name = "X", value_parser = scale)]
    scale: Option<f64>,
    /// Change every tuning run, as in `vidmar tune run`: another reading, other opponents
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Where the experiments are kept
    #[arg(long, value_name = "DIR", default_value = "runs/reproduce")]
    out: PathBuf,
    /// Games or positions at a time [default: one for each processor; with --on no games, and as many positions]
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
    /// Files that do not come with the program [default: the folder that `VIDMAR_DATA` names]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print a JSON object a line
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    elsewhere: Elsewhere,
}

#[derive(Subcommand)]
enum ReproduceCommand {
    Report(report::Report),
}

/// From nearly nothing to the published size and beyond.
fn scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if (0.001..=100.0).contains(&factor) => Ok(factor),
        _ => Err("expected a number from 0.001 to 100".into()),
    }
}

impl Reproduce {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        if let Some(ReproduceCommand::Report(report)) = self.command {
            return report.run();
        }
        let asked = Asked {
            seeds: self.seeds,
            scale: self.scale,
            sets: self.set.clone(),
        };
        let data = Data::new(self.data.clone());
        if self.names.is_empty() {
            ensure!(
                self.elsewhere.on.is_none(),
                "--on: name the experiments that are to be played there"
            );
            return listing::print(&self.out, &asked, &data, self.json);
        }
        let campaign = Campaign::open(&self.out, &named(&self.names)?, &asked, data)?;
        let (campaign, without) = campaign.without_missing()?;
        for (experiment, missing) in &without {
            for missing in missing {
                output::warn(&format!("{}: left out: {missing}", experiment.name));
            }
        }
        let control = interrupt::control()?;
        // One for everything: workers need not find a run for each of a hundred steps.
        let helping = self.threads.map_or(0, usize::from);
        let coordinator = self
            .elsewhere
            .coordinator(&self.out, "reproduce", helping, &control)?;
        let executor = coordinator
            .clone()
            .map(|coordinator| coordinator as work::Elsewhere);
        let mut screen = Screen::new(self.json);
        let ended = campaign.run(self.threads(), executor.as_ref(), &control, &mut |event| {
            screen.tell(event);
        });
        screen.end();
        drop(executor);
        elsewhere::close(coordinator, matches!(ended, Ok(Ended::Finished)));
        match ended? {
            Ended::Stopped => Ok(interrupted(&self.command())),
            Ended::Finished => {
                let out = self.out.display().to_string();
                output::hint(&format!(
                    "finished; see: vidmar reproduce report {}",
                    shell_word(&out)
                ));
                Ok(ExitCode::from(u8::from(!without.is_empty())))
            }
        }
    }

    fn threads(&self) -> usize {
        let available = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.threads.map_or_else(available, usize::from)
    }

    /// What to type to go on; the folder knows the plan.
    fn command(&self) -> String {
        let mut text = format!("vidmar reproduce {}", self.names.join(" "));
        let _ = write!(text, " --out {}", shell_word(&self.out.display().to_string()));
        if let Some(threads) = self.threads {
            let _ = write!(text, " --threads {threads}");
        }
        if let Some(data) = &self.data {
            let _ = write!(text, " --data {}", shell_word(&data.display().to_string()));
        }
        text + &self.elsewhere.arguments()
    }
}
