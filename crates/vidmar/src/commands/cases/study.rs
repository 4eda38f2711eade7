//! `vidmar cases study`: do behaviours made from better experts play better?

mod report;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use vidmar_arena::Ending;
use vidmar_arena::case_study::{CaseStudy, CaseStudyGame, study_endings, study_mean_plies, study_pgn};
use vidmar_cases::study::{Expert, PUBLISHED_ROUNDS, PUBLISHED_WEIGHTS, read_experts, summarise};
use vidmar_cases::{CaseSettings, Learn, Weights};
use vidmar_engine::Control;

use crate::{arguments, output, progress};
use report::Row;

/// Let behaviours made from several experts play each other, and see whether the better expert's plays better
///
/// Every ordered pair plays a game a round, with the seed round - 1 for both; the games of a pair are its showdown.
/// The default is the published study: five settings of the weights, 3 rounds, 126 games each.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar cases study --experts experts/ --pgn study.pgn --csv study.csv
  vidmar cases study --experts experts/ --rounds 50 --weights 0.5/0.5/0.5 --set k=20 --set filter=root --set cycles=avoid

Each PGN file in the folder is the games of one expert: the player who occurs most often in it. Experts are ordered by their \
mean rating in those games. The result is the same for any number of threads.")]
pub(super) struct Study {
    /// A folder with one PGN file for each expert
    #[arg(long, value_name = "DIR")]
    experts: PathBuf,
    /// Rounds
    #[arg(long, default_value_t = PUBLISHED_ROUNDS, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    rounds: u32,
    /// Weights of the adaptation; several may be given
    #[arg(long, value_name = "A/B/C", num_args = 1.., default_values_t = PUBLISHED_WEIGHTS)]
    weights: Vec<Weights>,
    /// A setting of all behaviours, such as k=10 or cycles=avoid
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = super::setting)]
    settings: Vec<(String, String)>,
    /// Use only the first games of each expert, so that all have about as many cases
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    games: Option<u32>,
    /// Whose rules end a game
    #[arg(long, value_enum, default_value_t = RulesName::Study)]
    rules: RulesName,
    /// Games at a time
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
    /// Write the games to this file
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Write the summary, in the columns of the published table, to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum RulesName {
    /// The study's: repetition of the board alone, 50 moves without a pawn move
    Study,
    /// Chess
    Chess,
}

impl Study {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let begun = Instant::now();
        let settings = super::settings(&self.settings)?;
        anyhow::ensure!(
            settings.learn != Learn::Session,
            "learn=session makes a game depend on those before it: expected off or game"
        );
        let threads = self.threads.map_or(0, usize::from);
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .context("starting the threads")?;
        let experts = pool.install(|| read_experts(&self.experts, self.games))?;
        let played = self.play(&experts, &settings)?;
        let rows = self.rows(&played, experts.len());
        if let Some(file) = &self.pgn {
            output::write_file(file, &study_pgn(&played, &experts)?)?;
        }
        if let Some(file) = &self.csv {
            output::write_file(file, &report::csv(&rows)?)?;
        }
        let seconds = begun.elapsed().as_secs_f64();
        output::print(&if self.json {
            report::json(&experts, &rows, &settings, seconds)
        } else {
            report::text(&experts, &rows, &settings, seconds)
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// Every game of every setting, in the order of the schedule.
    fn play(&self, experts: &[Expert], settings: &CaseSettings) -> anyhow::Result<Vec<CaseStudyGame>> {
        let with_weights = |&weights| CaseSettings {
            weights,
            ..settings.clone()
        };
        let settings = self.weights.iter().map(with_weights).collect();
        let study = CaseStudy::new(experts, settings, self.rounds, self.ending())?;
        let bar = progress::bar(study.games(), "study");
        let threads = match self.threads.map(usize::from).and_then(NonZeroUsize::new) {
            Some(threads) => threads,
            None => std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        };
        let played = study.play(threads, &Control::new(), &mut || bar.inc(1));
        bar.finish_and_clear();
        Ok(played?.unwrap_or_default())
    }

    fn ending(&self) -> Ending {
        match self.rules {
            RulesName::Study => Ending::Study,
            RulesName::Chess => Ending::Chess,
        }
    }

    fn rows(&self, played: &[CaseStudyGame], players: usize) -> Vec<Row> {
        self.weights
            .iter()
            .enumerate()
            .map(|(setting, &weights)| {
                let games: Vec<_> = played
                    .iter()
                    .filter(|game| game.setting() == setting)
                    .map(CaseStudyGame::counted)
                    .collect();
                Row {
                    weights,
                    summary: summarise(&games, players),
                    endings: study_endings(played, setting),
                    plies: study_mean_plies(played, setting),
                }
            })
            .collect()
    }
}
