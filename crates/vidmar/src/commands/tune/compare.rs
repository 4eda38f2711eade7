//! `vidmar tune compare`: methods side by side in real chess.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use vidmar_engine::Control;
use vidmar_tune::config::Config;
use vidmar_tune::rivals::Rival;
use vidmar_tune::run::{CONFIG_FILE, Event, Run as TuningRun, Stop, read_config};
use vidmar_tune::status::View;
use vidmar_tune::verify::{Validation, verify};

use super::drive::{self, Driving};
use super::{interrupt, run, show};
use crate::output;

/// Let methods tune the same parameters with the same number of games, and prove all against the same start
///
/// Every method has a run directory of its own inside DIR, METHOD-SEED; the same command goes on with what is missing.
/// Texel's method spends its games on positions: the start plays itself; `td-texel` also learns from what the searches
/// said, as far as that helps to predict results. The validation plays what each run hands over against the start, on
/// openings that no tuning game began with. The table is also written to DIR/compare.csv.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar tune compare narrow --games 4000 --set depth=4 --out rivals
  vidmar tune compare quick --games 2000 --seeds 1,2,3 --methods de-history,spsa-scaled,texel --out rivals16
  vidmar tune compare narrow --methods texel,texel+spsa-scaled --out chains   # half of the games for each part")]
pub(crate) struct Compare {
    /// The preset that says what is tuned
    #[arg(value_parser = run::presets(), default_value = "narrow")]
    preset: String,
    /// The methods, or several joined by `+` [default: de-history, de-rated, evolution, spsa, spsa-scaled, cma-es, texel,
    /// td-texel]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    methods: Vec<String>,
    /// Games that each method has
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Seeds: a run of every method for each
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1")]
    seeds: Vec<u64>,
    /// Change a setting of all, as in `tune run`
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Where the run directories go
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    driving: Driving,
}

/// A line of the table.
#[derive(Serialize)]
struct Row {
    method: String,
    seed: u64,
    /// Games that it tuned with.
    tuning_games: u64,
    cpu_seconds: f64,
    depth: u32,
    #[serde(flatten)]
    validation: Validation,
}

impl Compare {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let rivals = self.rivals()?;
        let base = Config::read(Some(&self.preset), None, &self.set)?.anchored();
        let plan: Vec<(&Rival, u64)> = self
            .seeds
            .iter()
            .flat_map(|&seed| rivals.iter().map(move |rival| (rival, seed)))
            .collect();
        // Everything that can be wrong is found before the first game.
        let mut runs = Vec::new();
        for &(rival, seed) in &plan {
            let directory = self.out.join(format!("{}-{seed}", rival.name()));
            let run = opened(&directory, &rival.config(&base, self.games, seed))?;
            drop(run);
            runs.push(directory);
        }
        let control = interrupt::control()?;
        let mut rows = Vec::new();
        for (&(rival, seed), directory) in plan.iter().zip(&runs) {
            self.say(&format!("{} with seed {seed}", rival.name()));
            let Some(stages) = self.carry_out(directory, &control)? else {
                return Ok(drive::interrupted_before("the same command"));
            };
            rows.extend(rows_of(&stages, rival, seed)?);
        }
        let csv = csv_of(&rows)?;
        output::write_file(&self.out.join("compare.csv"), &csv)?;
        if self.driving.is_json() {
            let lines: Result<Vec<String>, _> = rows.iter().map(serde_json::to_string).collect();
            output::print(&(lines?.join("\n") + "\n"))?;
        } else {
            output::print(&table(&rows))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn rivals(&self) -> anyhow::Result<Vec<Rival>> {
        let named = |names: &mut dyn Iterator<Item = &str>| names.map(Rival::named).collect::<Result<_, _>>();
        Ok(match &self.methods[..] {
            [] => named(&mut Rival::USUAL.into_iter())?,
            given => named(&mut given.iter().map(String::as_str))?,
        })
    }

    fn say(&self, text: &str) {
        if !self.driving.is_silent() {
            output::hint(text);
        }
    }

    /// Tunes, one stage after the other, and proves what the last hands over, or what is missing of it. The directories
    /// of the stages; none if it was stopped.
    fn carry_out(&self, directory: &Path, control: &Control) -> anyhow::Result<Option<Vec<PathBuf>>> {
        let mut stages = Vec::new();
        let mut next = Some(TuningRun::open(directory)?);
        while let Some(mut run) = next {
            let directory = run.directory().to_owned();
            if self.advance(&mut run, control)? == Stop::Interrupted {
                return Ok(None);
            }
            if run.config().then.is_empty() {
                let mut screen = drive::ValidationScreen::new("validation", &self.driving);
                let mut watch = |done, total| screen.show(done, total);
                if verify(run, self.driving.threads(), control, &mut watch)?.is_none() {
                    return Ok(None);
                }
            } else {
                drop(run);
            }
            show::write_vectors(&View::open(&directory)?, &directory)?;
            next = drive::follow(&directory)?;
            stages.push(directory);
        }
        Ok(Some(stages))
    }

    fn advance(&self, run: &mut TuningRun, control: &Control) -> anyhow::Result<Stop> {
        let mut screen = drive::Screen::new(run, &self.driving);
        let is_json = self.driving.is_json();
        let mut watch = |event: &Event<'_>| {
            if !is_json {
                screen.show(event);
            }
        };
        Ok(run.advance(self.driving.threads(), control, &mut watch)?)
    }
}

/// The validation of the last stage; a run that recommends what it began with has nothing to prove and says so by a row without
/// games.
fn rows_of(stages: &[PathBuf], rival: &Rival, seed: u64) -> anyhow::Result<Vec<Row>> {
    let views: Vec<View> = stages
        .iter()
        .map(|directory| View::open(directory))
        .collect::<Result<_, _>>()?;
    let (mut tuning_games, mut cpu_seconds) = (0, 0.0);
    for view in &views {
        let status = view.status()?;
        tuning_games += status.games;
        cpu_seconds += status.cpu_seconds;
    }
    let view = views.last().context("a rival has a stage")?;
    let mut validations = view.status()?.verify;
    if !validations.iter().any(|validation| validation.recommended) {
        let outcome = view.outcome()?.context("a finished run has an outcome")?;
        validations.push(Validation {
            vector: outcome.recommended.to_owned(),
            recommended: true,
            against: outcome.beginning().name.to_owned(),
            deeper: 0,
            games: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            elo: 0.0,
            error: 0.0,
        });
    }
    let row = |validation: Validation| Row {
        method: rival.name().to_owned(),
        seed,
        tuning_games,
        cpu_seconds,
        depth: view.config.engine.depth + validation.deeper,
        validation,
    };
    Ok(validations.into_iter().map(row).collect())
}

/// The run in that directory, which must be the one that is wanted.
fn opened(directory: &Path, config: &Config) -> anyhow::Result<TuningRun> {
    if !directory.join(CONFIG_FILE).exists() {
        return TuningRun::create(directory, config).with_context(|| directory.display().to_string());
    }
    if read_config(directory)? != *config {
        bail!(
            "{} holds a run with other settings: use another --out",
            directory.display()
        );
    }
    Ok(TuningRun::open(directory)?)
}

fn csv_of(rows: &[Row]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "method",
        "seed",
        "tuning_games",
        "cpu_seconds",
        "vector",
        "recommended",
        "against",
        "depth",
        "games",
        "wins",
        "draws",
        "losses",
        "elo",
        "error",
    ])?;
    for row in rows {
        let validation = &row.validation;
        writer.write_record([
            &row.method,
            &row.seed.to_string(),
            &row.tuning_games.to_string(),
            &format!("{:.1}", row.cpu_seconds),
            &validation.vector,
            &validation.recommended.to_string(),
            &validation.against,
            &row.depth.to_string(),
            &validation.games.to_string(),
            &validation.wins.to_string(),
            &validation.draws.to_string(),
            &validation.losses.to_string(),
            &format!("{:.1}", validation.elo),
            &format!("{:.1}", validation.error),
        ])?;
    }
    output::csv_text(writer)
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header([
        "method",
        "seed",
        "games",
        "CPU",
        "vector",
        "depth",
        "won",
        "drawn",
        "lost",
        "Elo ± 95 %",
        "",
    ]);
    for row in rows {
        let validation = &row.validation;
        table.add_row([
            row.method.clone(),
            row.seed.to_string(),
            row.tuning_games.to_string(),
            show::duration(row.cpu_seconds),
            validation.vector.clone(),
            row.depth.to_string(),
            validation.wins.to_string(),
            validation.draws.to_string(),
            validation.losses.to_string(),
            format!("{:+.1} ± {:.1}", validation.elo, validation.error),
            if validation.recommended { "recommended" } else { "" }.to_owned(),
        ]);
    }
    for column in [1, 2, 3, 5, 6, 7, 8, 9] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{table}\n")
}
