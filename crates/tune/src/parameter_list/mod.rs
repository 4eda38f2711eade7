//! Lists of parameters as other tuners write them.
//!
//! Whoever tunes an engine has such a list already: Fishtest and `OpenBench` take lines of text, weather-factory and
//! chess-tuning-tools a JSON file. A [`ParameterList`] is read from any of them, told apart by their form, and becomes the
//! `parameters` of a configuration; the vector that a run recommends is written in any of them ([`ListFormat`]), or as what
//! an engine is told over UCI.
//!
//! Perturbation and learning rate are those with which SPSA ends (`c_end`, `r_end`); weather-factory's `step` is taken as the
//! former.

mod json;
mod lines;

use std::str::FromStr;

use thiserror::Error;
use vidmar_optim::{Dimension, OwnGains, Settings, spsa};
use vidmar_text::named_enum;

use crate::config::{Config, Listed, Source};
use crate::parameters::Tunables;

named_enum! {
    /// The forms of a list.
    pub enum ListFormat: "form of a list";
    Fishtest, "fishtest", "lines of name,value,min,max,c_end,r_end";
    OpenBench, "openbench", "lines of name, int|float, value, min, max, c_end, r_end";
    WeatherFactory, "weather-factory", "its config.json";
    ChessTuningTools, "chess-tuning-tools", "the parameter_ranges of its JSON file";
    Uci, "uci", "setoption lines; cannot be read, having no intervals";
}

/// Why a list cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ListError {
    /// Nothing in it.
    #[error("no parameter in it")]
    Empty,
    /// Neither JSON nor lines of six or seven fields.
    #[error(
        "line {line}: {found} fields, expected 6 (name,value,min,max,c_end,r_end) or 7 (with int or float after the name)"
    )]
    Fields {
        /// The line, from 1.
        line: usize,
        /// How many there are.
        found: usize,
    },
    /// Something that is no number where one is expected.
    #[error("line {line}: {field} '{text}': expected {expected}")]
    Field {
        /// The line, from 1.
        line: usize,
        /// What it stands for.
        field: &'static str,
        /// What stands there.
        text: String,
        /// What should.
        expected: &'static str,
    },
    /// Not the JSON of one of the tuners.
    #[error("{0}")]
    Json(String),
    /// A range that is no interval of numbers.
    #[error("{name}: '{text}': expected Integer(MIN, MAX), Real(MIN, MAX) or (MIN, MAX)")]
    Range {
        /// The parameter.
        name: String,
        /// What stands there.
        text: String,
    },
}

/// Parameters of an engine as another tuner lists them.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterList {
    /// In the order of the file.
    pub parameters: Vec<Listed>,
}

impl FromStr for ParameterList {
    type Err = ListError;

    fn from_str(text: &str) -> Result<Self, ListError> {
        let text = text.trim_start_matches('\u{feff}');
        let parameters = if text.trim_start().starts_with('{') {
            json::read(text)?
        } else {
            lines::read(text)?
        };
        if parameters.is_empty() {
            return Err(ListError::Empty);
        }
        Ok(Self { parameters })
    }
}

impl ParameterList {
    /// A configuration that tunes these; by SPSA, where the list says how.
    pub(crate) fn over(&self, mut config: Config) -> Config {
        config.parameters.source = Source::List;
        config.parameters.list.clone_from(&self.parameters);
        for relations in [
            &mut config.parameters.names,
            &mut config.parameters.frozen,
            &mut config.parameters.constraints,
        ] {
            relations.clear();
        }
        let gains = self.gains();
        if gains.c_end || gains.r_end {
            config.optimizer = Settings::Spsa(spsa::Settings {
                lag: USUAL_LAG,
                ..spsa::Settings::fishtest()
            });
        }
        config
    }

    /// Which gains it has.
    pub fn gains(&self) -> OwnGains {
        OwnGains {
            c_end: self.parameters.iter().any(|p| p.c_end.is_some()),
            r_end: self.parameters.iter().any(|p| p.r_end.is_some()),
        }
    }
}

impl Config {
    /// Leaves out the gains of listed parameters for which the method has no use.
    pub(crate) fn without_unused_gains(mut self) -> Config {
        let used = self.optimizer.own_gains();
        for listed in &mut self.parameters.list {
            listed.c_end = listed.c_end.filter(|_| used.c_end);
            listed.r_end = listed.r_end.filter(|_| used.r_end);
        }
        self
    }
}

/// A list of Fishtest's is tuned as Fishtest does it, without waiting for the last game of a batch: with so many games beside those of
/// the batch, up to sixteen threads have one each.
const USUAL_LAG: u32 = 16;

/// With what SPSA is to end where nothing else is known, as Stockfish's own lists have it.
const USUAL_R_END: f64 = 0.002;

fn c_end(dimension: &Dimension) -> f64 {
    dimension.c_end.unwrap_or(dimension.width() / 20.0)
}

fn r_end(dimension: &Dimension) -> f64 {
    dimension.r_end.unwrap_or(USUAL_R_END)
}

/// A vector of a space in one of the forms. What is held fixed is no parameter of a list, but the engine is told it too, and in the
/// engine's own names and units.
pub fn written(format: ListFormat, tunables: &Tunables, vector: &[f64]) -> String {
    let all = tunables.space().dimensions().iter().zip(vector.iter().copied());
    let free: Vec<(&Dimension, f64)> = all.filter(|(d, _)| !d.frozen).collect();
    match format {
        ListFormat::Fishtest => lines::fishtest(&free),
        ListFormat::OpenBench => lines::open_bench(&free),
        ListFormat::WeatherFactory => json::weather_factory(&free),
        ListFormat::ChessTuningTools => json::tuning_tools(&free),
        ListFormat::Uci => {
            let options = tunables.options(vector).into_iter();
            let lines = options.map(|(name, value)| format!("setoption name {name} value {value}\n"));
            lines.collect()
        }
    }
}

#[cfg(test)]
mod tests;
