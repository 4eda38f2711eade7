//! `vidmar tune run`: a run from its configuration to its validation.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};
use vidmar_tune::config::{Config, PRESETS};
use vidmar_tune::objective::ObjectiveKind;
use vidmar_tune::run::{CONFIG_FILE, Run as TuningRun};

use super::drive::{self, Driving};
use crate::output;

/// Tune with a preset or a configuration file, then prove the result
///
/// Needs no files at all with the preset `quick`. The run's directory holds its configuration and a store with every
/// game; it can be interrupted or killed at any time and resumed.
#[derive(Args)]
#[command(after_help = after_help())]
pub(crate) struct Run {
    /// A preset
    #[arg(value_parser = presets())]
    preset: Option<String>,
    /// A configuration file; what it leaves out is as in the preset, or in `narrow`
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The run's directory [default: the first free one of tune-PRESET, tune-PRESET-2, …]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Change a setting, by its name or its path: games=5, engine.depth=4, history=off
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Where tuning starts: a named vector, a parameter file (another run's recommended.txt), or `middle`
    #[arg(long, value_name = "VECTOR|FILE")]
    start: Option<String>,
    /// Of everything random
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Multiply generations and games of the validation
    #[arg(long, value_name = "X", value_parser = factor)]
    scale: Option<f64>,
    /// Print the configuration and do nothing
    #[arg(long)]
    print_config: bool,
    #[command(flatten)]
    driving: Driving,
}

const EXAMPLES: &str = "\
Examples:
  vidmar tune run                                   # quick: minutes
  vidmar tune run narrow --threads 16 --out narrow1
  vidmar tune run narrow --set games=5 --set history=off --scale 0.1
  vidmar tune run --config my.toml --set seed=7
  vidmar tune run narrow --set method=spsa-scaled --start texel1/recommended.txt
  vidmar tune run narrow --print-config > my.toml   # a file to begin with";

/// Examples, and the objectives with their settings.
fn after_help() -> String {
    let mut text = String::from("Objectives, by --set kind=KIND and then --set for their settings:\n");
    for kind in ObjectiveKind::ALL {
        let _ = writeln!(text, "  {:<10} {}", kind.key(), kind.help());
        for setting in kind.settings() {
            let _ = writeln!(text, "    {:<10} {}", setting.key, setting.help);
        }
    }
    format!("{text}\n{EXAMPLES}")
}

pub(super) fn presets() -> PossibleValuesParser {
    PossibleValuesParser::new(
        PRESETS
            .iter()
            .map(|preset| PossibleValue::new(preset.name).help(preset.help)),
    )
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 0.0 && factor <= 1e6 => Ok(factor),
        _ => Err("expected a number above 0, at most 1000000".into()),
    }
}

impl Run {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let config = self.configuration()?;
        if self.print_config {
            output::print(&config.to_toml())?;
            return Ok(ExitCode::SUCCESS);
        }
        let directory = self.directory()?;
        let run = TuningRun::create(&directory, &config)?;
        drive::drive(run, &self.driving)
    }

    fn configuration(&self) -> anyhow::Result<Config> {
        let read = |path: &PathBuf| {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            anyhow::Ok((path.display().to_string(), text))
        };
        let file = self.config.as_ref().map(read).transpose()?;
        let file = file.as_ref().map(|(name, text)| (name.as_str(), text.as_str()));
        let mut config = Config::read(self.preset.as_deref(), file, &self.set)?;
        config.seed = self.seed.unwrap_or(config.seed);
        if let Some(start) = &self.start {
            config.parameters.start.clone_from(start);
        }
        Ok(match self.scale {
            Some(factor) => config.scaled(factor),
            None => config,
        })
    }

    fn directory(&self) -> anyhow::Result<PathBuf> {
        if let Some(out) = &self.out {
            return Ok(out.clone());
        }
        let of_file = || self.config.as_deref()?.file_stem()?.to_str();
        let name = self.preset.as_deref().or_else(of_file).unwrap_or(PRESETS[0].name);
        let names = (1..10_000).map(|n| match n {
            1 => format!("tune-{name}"),
            n => format!("tune-{name}-{n}"),
        });
        match names
            .map(PathBuf::from)
            .find(|path| !path.join(CONFIG_FILE).exists())
        {
            Some(path) => Ok(path),
            None => bail!("every directory from tune-{name} to tune-{name}-9999 holds a run: use --out"),
        }
    }
}
