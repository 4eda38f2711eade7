//! `vidmar tune run`: a run from its configuration to its validation.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Args, Command, Error};
use vidmar_tune::config::{Config, PRESETS, Request};
use vidmar_tune::objective::ObjectiveKind;

use super::pipeline::Driving;
use crate::{home, output};

/// Tune with a preset or a configuration file, then validate the result
///
/// Needs no files at all: without arguments it finds what pieces are worth (the preset `pieces`). The run's directory holds its configuration and a store with every
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
    /// Parameters of another engine as Fishtest, `OpenBench`, weather-factory (config.json) or chess-tuning-tools list them
    #[arg(long, value_name = "FILE")]
    parameters: Option<PathBuf>,
    /// The run's directory [default: the first free one of runs/tune-PRESET, runs/tune-PRESET-2, …]
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
    /// Multiply generations and games of the validation match
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
  vidmar tune run                                   # pieces: two minutes
  vidmar tune run narrow --threads 16 --out runs/narrow1
  vidmar tune run narrow --set games=5 --set history=off --scale 0.1
  vidmar tune run --config my.toml --set seed=7
  vidmar tune run narrow --set method=spsa-scaled --start runs/texel1/recommended.txt
  vidmar tune run --parameters spsa.txt --set engine.command=./engine --set nodes=5000
  vidmar tune run narrow --print-config > my.toml   # a file to begin with";

/// Examples, and the objectives with their settings.
fn after_help() -> String {
    let mut text = String::from("Objectives, by --set kind=KIND and then --set for their settings:\n");
    for kind in ObjectiveKind::ALL {
        let _ = writeln!(text, "  {:<10} {}", kind.name(), kind.help());
        for setting in kind.settings() {
            let _ = writeln!(text, "    {:<10} {}", setting.key, setting.help);
        }
    }
    format!("{text}\n{EXAMPLES}")
}

/// The name of a preset. A file in its place is told where it belongs.
pub(super) fn presets() -> impl TypedValueParser<Value = String> {
    let rows = PRESETS.iter();
    PresetParser(PossibleValuesParser::new(
        rows.map(|preset| PossibleValue::new(preset.name).help(preset.help)),
    ))
}

#[derive(Clone)]
struct PresetParser(PossibleValuesParser);

impl TypedValueParser for PresetParser {
    type Value = String;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        self.0.parse_ref(command, arg, value).map_err(|mut error| {
            let file = Path::new(value);
            let takes_files = command.get_arguments().any(|other| other.get_id() == "config");
            if takes_files && file.extension().is_some() {
                let tip = format!("a configuration file is given with '--config {}'", file.display());
                error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
            }
            error
        })
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        self.0.possible_values()
    }
}

fn factor(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(factor) if factor > 0.0 && factor <= 1e6 => Ok(factor),
        _ => Err("expected a number above 0, at most 1000000".into()),
    }
}

/// A list may say more than the method asks for.
fn tell_unused_gains(request: &Request, config: &Config) -> anyhow::Result<()> {
    let (Some(list), Some(path)) = (request.list()?, &request.parameters) else {
        return Ok(());
    };
    let (given, used) = (list.gains(), config.optimizer.own_gains());
    let unused = [
        ("c_end", given.c_end && !used.c_end),
        ("r_end", given.r_end && !used.r_end),
    ];
    for (gain, _) in unused.into_iter().filter(|&(_, is_unused)| is_unused) {
        let method = config.optimizer.method().name();
        output::warn(&format!("{method} does not use the {gain} of {}", path.display()));
    }
    Ok(())
}

impl Run {
    pub(crate) fn run(mut self) -> anyhow::Result<ExitCode> {
        let request = Request {
            preset: self.preset,
            parameters: self.parameters,
            file: self.config,
            sets: self.set,
            start: self.start,
            seed: self.seed,
            scale: self.scale,
        };
        let config = request.config()?;
        tell_unused_gains(&request, &config)?;
        if self.print_config {
            vidmar_tune::run::Run::check(&config)?;
            output::print(&config.anchored().to_toml())?;
            return Ok(ExitCode::SUCCESS);
        }
        if !config.is_repeatable() && !self.driving.is_silent() {
            output::hint(
                "games by the clock: nothing is lost when it is resumed, but no two runs are the same bit for bit",
            );
        }
        if let Some(file) = &request.file {
            self.driving.allow(file, &config.programs(), &request.sets)?;
        }
        let free = || {
            request
                .free_directory(Path::new(home::RUNS))
                .context("every directory holds a run: use --out")
        };
        let directory = self.out.map_or_else(free, Ok)?;
        self.driving
            .carry_out(&directory, |pipeline| pipeline.begin(&directory, &config))
    }
}
