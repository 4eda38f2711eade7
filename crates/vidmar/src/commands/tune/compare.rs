//! `vidmar tune compare`: methods side by side in real chess.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{bail, ensure};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use vidmar_rows::{ValidationRow, elo_text};
use vidmar_text::duration;
use vidmar_tune::config::Config;
use vidmar_tune::pipeline::{Event, Observer, Options, Pipeline, Validate};
use vidmar_tune::rivals::{Comparison, Equal, Rival, Row, Summary, summaries};
use vidmar_tune::run::programs;

use super::pipeline::{Driving, interrupted};
use super::run;
use super::screen::Screen;
use crate::{elsewhere, interrupt, output};

/// Let methods tune the same parameters with the same number of games, and validate all against the same start
///
/// Every method has a run directory of its own inside DIR, METHOD-SEED; the same command goes on with what is missing.
/// Texel's method spends its games on positions: the start plays itself; `td-texel` also learns from what the searches
/// said, as far as that helps to predict results. The validation plays the result of each run against the start, on
/// openings that no tuning game began with. The table is also written to DIR/compare.csv, which `vidmar stats` reads. What
/// it says of the methods is printed below it: means and 95 % intervals over the seeds, and the pairs seed by seed, p
/// adjusted after Holm.
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
    /// The methods, or several joined by `+` [default: de-history, de-rated, evolution, spsa, spsa-scaled, regression,
    /// cma-es, texel, td-texel]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    methods: Vec<String>,
    /// Games that each method has
    #[arg(long, value_name = "N", default_value_t = 4_000, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: u64,
    /// Seeds: a run of every method for each
    #[arg(long, value_name = "N,...", value_delimiter = ',', default_value = "1")]
    seeds: Vec<u64>,
    /// Then again with as many games for each as take it the processor time of the slowest
    #[arg(long)]
    equal_cpu: bool,
    /// Change a setting of all, as in `tune run`
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Where the run directories go
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    driving: Driving,
}

impl Compare {
    pub(crate) fn run(mut self) -> anyhow::Result<ExitCode> {
        let comparison = Comparison {
            rivals: self.rivals()?,
            base: Config::read(Some(&self.preset), None, &self.set)?.anchored(),
            seeds: self.seeds.clone(),
            games: self.games,
            out: self.out.clone(),
        };
        ensure!(
            !self.equal_cpu || comparison.base.tells_processor_time(),
            "--equal-cpu: this system does not tell the processor time of {}",
            match comparison.base.programs().first() {
                None => "a process".to_owned(),
                Some(program) => format!("other programs that go on, and {program} is one"),
            }
        );
        for (option, names) in [
            ("--methods", repeated(&self.methods)),
            ("--seeds", repeated(&self.seeds)),
        ] {
            if let Some(name) = names {
                bail!("{option}: {name} stands there twice: it would be counted twice");
            }
        }
        // A directory that is there already may be anybody's, and so may the stages in it.
        for directory in comparison.begun() {
            self.driving
                .allow(&directory, &programs(&directory)?, &self.set)?;
        }
        let mut entries = comparison.entries()?;
        ensure!(
            !(self.equal_cpu && self.driving.is_elsewhere()),
            "--equal-cpu counts the processor time of this machine: not with --on"
        );
        let cancel = interrupt::control()?;
        let coordinator = self.driving.coordinator(&self.out, &cancel)?;
        let mut watch = Progress(Screen::new(self.driving.clone()));
        let mut pipeline = Pipeline {
            options: Options {
                validate: Validate::LastStage,
                ..self.driving.options(coordinator.as_ref())
            },
            cancel: &cancel,
            observer: &mut watch,
        };
        let mut rows = Vec::new();
        for equal in [Equal::Games, Equal::Cpu] {
            for entry in entries {
                if !self.driving.is_silent() {
                    output::hint(&format!("{} with seed {}", entry.rival.name(), entry.seed));
                }
                match entry.rows(&mut pipeline)? {
                    Some(found) => rows.extend(found),
                    None => return Ok(interrupted("the same command")),
                }
            }
            if equal == Equal::Cpu || !self.equal_cpu {
                break;
            }
            entries = comparison.entries_with_equal_cpu(&rows)?;
        }
        drop(pipeline);
        elsewhere::close(coordinator, true);
        output::write_file(&self.out.join("compare.csv"), &csv_of(&rows)?)?;
        if self.driving.json {
            let lines: Result<Vec<String>, _> = rows.iter().map(serde_json::to_string).collect();
            let mut lines = lines?;
            lines.extend(
                several_seeds(&rows)
                    .iter()
                    .map(|summary| summary_json(summary).to_string()),
            );
            output::print(&(lines.join("\n") + "\n"))?;
        } else {
            output::print(&table(&rows))?;
            output::print(&over_seeds(&rows))?;
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
}

/// The first that stands there again.
fn repeated<T: PartialEq + ToString>(all: &[T]) -> Option<String> {
    let mut later = all.iter().enumerate().skip(1);
    let found = later.find(|(at, one)| all[..*at].contains(one));
    found.map(|(_, one)| one.to_string())
}

/// What happens on the way, without the results of single runs; none of it is JSON.
struct Progress(Screen);

impl Observer for Progress {
    fn event(&mut self, event: &Event<'_>) {
        if !self.0.is_json() && !matches!(event, Event::Complete { .. }) {
            self.0.event(event);
        }
    }
}

fn csv_of(rows: &[Row]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record([
        "method",
        "equal",
        "seed",
        "tuning_games",
        "cpu_seconds",
        "compared",
        "vector",
        "recommended",
        "against",
        "depth",
        "deeper",
        "limit",
        "games",
        "wins",
        "draws",
        "losses",
        "score",
        "elo",
        "error",
        "low",
        "high",
    ])?;
    // What is infinite is left empty.
    let number = |value: Option<f64>| value.map_or_else(String::new, |value| format!("{value:.1}"));
    for row in rows {
        let validation = &row.validation;
        writer.write_record([
            &row.method,
            &row.equal.name().to_owned(),
            &row.seed.to_string(),
            &row.tuning_games.to_string(),
            &format!("{:.1}", row.cpu_seconds),
            &row.compared.to_string(),
            &validation.vector,
            &validation.recommended.to_string(),
            &validation.against,
            &validation
                .depth
                .map_or_else(String::new, |depth| depth.to_string()),
            &validation.deeper.to_string(),
            &validation.limit,
            &validation.games.to_string(),
            &validation.wins.to_string(),
            &validation.draws.to_string(),
            &validation.losses.to_string(),
            &format!("{:.6}", score(validation)),
            &number(validation.elo),
            &number(validation.error),
            &number(validation.low),
            &number(validation.high),
        ])?;
    }
    output::csv_text(writer)
}

/// The share of the points, by which `vidmar stats` ranks: finite also where Elo is not. Who recommends what it began with
/// is as good as that.
fn score(validation: &ValidationRow) -> f64 {
    let points = validation.wins as f64 + validation.draws as f64 / 2.0;
    match validation.games {
        0 => 0.5,
        games => points / games as f64,
    }
}

fn table(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header([
        "method",
        "seed",
        "games",
        "CPU",
        "vector",
        "limit",
        "won",
        "drawn",
        "lost",
        "Elo (95 %)",
        "",
    ]);
    for row in rows {
        let validation = &row.validation;
        table.add_row([
            row.method.clone(),
            row.seed.to_string(),
            row.tuning_games.to_string(),
            duration(row.cpu_seconds),
            validation.vector.clone(),
            validation.limit.clone(),
            validation.wins.to_string(),
            validation.draws.to_string(),
            validation.losses.to_string(),
            elo_text(validation.interval()),
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

/// What the runs say of the methods; one seed says nothing of them.
fn over_seeds(rows: &[Row]) -> String {
    several_seeds(rows).iter().map(one_summary).collect()
}

fn several_seeds(rows: &[Row]) -> Vec<Summary> {
    let mut summaries = summaries(rows);
    summaries.retain(|summary| summary.methods.iter().any(|method| method.seeds > 1));
    summaries
}

fn summary_json(summary: &Summary) -> serde_json::Value {
    let methods = summary.methods.iter().map(|method| {
        serde_json::json!({
            "method": method.method,
            "seeds": method.seeds,
            "tuning_games": method.tuning_games,
            "cpu_seconds": method.cpu_seconds,
            "elo": (method.elo.count > 0).then_some(method.elo.mean),
            "error": method.elo.error(),
        })
    });
    let name = |index: usize| &summary.methods[index].method;
    let pairs = summary.pairs.iter().map(|pair| {
        serde_json::json!({
            "a": name(pair.a),
            "b": name(pair.b),
            "difference": pair.difference.mean,
            "error": pair.difference.error(),
            "p": pair.p,
            "holm": pair.holm,
        })
    });
    serde_json::json!({"summary": {
        "equal": summary.equal,
        "depth": summary.depth,
        "deeper": summary.deeper,
        "limit": summary.limit,
        "methods": methods.collect::<Vec<_>>(),
        "pairs": pairs.collect::<Vec<_>>(),
    }})
}

fn one_summary(summary: &Summary) -> String {
    let equal = match summary.equal {
        Equal::Games => "equal games",
        Equal::Cpu => "equal processor time",
    };
    let mut methods = Table::new();
    methods.load_preset(presets::NOTHING).set_header([
        "method",
        "seeds",
        "games",
        "CPU",
        "mean Elo ± 95 % over seeds",
    ]);
    for method in &summary.methods {
        let elo = &method.elo;
        let interval = elo.error().map_or_else(
            || "no interval".to_owned(),
            |error| format!("{:+.1} ± {error:.1}", elo.mean),
        );
        methods.add_row([
            method.method.clone(),
            method.seeds.to_string(),
            format!("{:.0}", method.tuning_games),
            duration(method.cpu_seconds),
            interval,
        ]);
    }
    let mut pairs = Table::new();
    pairs
        .load_preset(presets::NOTHING)
        .set_header(["pair, seed by seed", "difference ± 95 %", "p", "Holm"]);
    for pair in &summary.pairs {
        let name = |index: usize| summary.methods[index].method.as_str();
        let number = |p: Option<f64>| p.map_or_else(String::new, |p| format!("{p:.3}"));
        let error = pair.difference.error().unwrap_or_default();
        pairs.add_row([
            format!("{} − {}", name(pair.a), name(pair.b)),
            format!("{:+.1} ± {error:.1}", pair.difference.mean),
            number(pair.p),
            number(pair.holm),
        ]);
    }
    format!(
        "\nWith {equal}, matches at {}:\n{methods}\n\n{pairs}\n",
        summary.limit
    )
}
