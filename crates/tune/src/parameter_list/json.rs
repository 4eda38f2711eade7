//! The JSON files of weather-factory (`config.json`: an object of parameters) and of chess-tuning-tools (an object with
//! `parameter_ranges`, whose values are the dimensions of scikit-optimize in words).

use std::fmt;
use std::marker::PhantomData;

use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use vidmar_optim::space::round_half_up;
use vidmar_optim::{Dimension, Kind};

use super::{ListError, c_end};
use crate::config::Listed;

/// An object in its own order.
struct Pairs<T>(Vec<(String, T)>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Pairs<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Collecting<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Collecting<T> {
            type Value = Pairs<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object with a member for each parameter")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Pairs<T>, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }

        deserializer.deserialize_map(Collecting(PhantomData))
    }
}

impl<T: Serialize> Serialize for Pairs<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// A parameter of weather-factory.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Parameter {
    value: f64,
    min_value: f64,
    max_value: f64,
    step: f64,
}

/// What is read of a file of chess-tuning-tools; the rest is about its own games.
#[derive(Serialize, Deserialize)]
struct TuningTools {
    parameter_ranges: Pairs<String>,
}

pub(super) fn read(text: &str) -> Result<Vec<Listed>, ListError> {
    let members: Pairs<serde::de::IgnoredAny> = parsed(text)?;
    if members.0.iter().any(|(name, _)| name == "parameter_ranges") {
        let file: TuningTools = parsed(text)?;
        return file.parameter_ranges.0.into_iter().map(range).collect();
    }
    let file: Pairs<Parameter> = parsed(text)?;
    Ok(file.0.into_iter().map(parameter).collect())
}

fn parsed<T: DeserializeOwned>(text: &str) -> Result<T, ListError> {
    serde_json::from_str(text).map_err(|error| ListError::Json(error.to_string()))
}

fn parameter((name, parameter): (String, Parameter)) -> Listed {
    Listed {
        name,
        start: Some(round_half_up(parameter.value)),
        min: Some(parameter.min_value),
        max: Some(parameter.max_value),
        c_end: Some(parameter.step),
        ..Listed::default()
    }
}

/// `Integer(1, 30)`, `Real(0.5, 3.0)`, or a pair, which is whole where both numbers are written so. A prior beside the bounds
/// would be another search than ours.
fn range((name, text): (String, String)) -> Result<Listed, ListError> {
    let (kind, rest) = text.trim().split_once('(').unwrap_or_default();
    let bounds = rest.strip_suffix(')').and_then(|inside| inside.split_once(','));
    let is_real = match kind.trim() {
        "Integer" => Some(false),
        "Real" => Some(true),
        "" => Some(rest.contains(['.', 'e', 'E'])),
        _ => None,
    };
    let number = |text: &str| text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    let found = bounds.and_then(|(min, max)| Some((number(min)?, number(max)?, is_real?)));
    let Some((min, max, real)) = found else {
        return Err(ListError::Range { name, text });
    };
    Ok(Listed {
        name,
        min: Some(min),
        max: Some(max),
        real,
        ..Listed::default()
    })
}

fn pretty(file: &impl Serialize) -> String {
    let text = serde_json::to_string_pretty(file).expect("names and finite numbers can be written");
    format!("{text}\n")
}

pub(super) fn weather_factory(rows: &[(&Dimension, f64)]) -> String {
    let parameter = |&(d, value): &(&Dimension, f64)| Parameter {
        value,
        min_value: d.min,
        max_value: d.max,
        step: c_end(d),
    };
    pretty(&Pairs(
        rows.iter()
            .map(|row| (row.0.name.clone(), parameter(row)))
            .collect(),
    ))
}

pub(super) fn tuning_tools(rows: &[(&Dimension, f64)]) -> String {
    let range = |d: &Dimension| match d.kind {
        Kind::Integer => format!("Integer({}, {})", d.min, d.max),
        Kind::Real => format!("Real({:?}, {:?})", d.min, d.max),
    };
    let parameter_ranges = Pairs(rows.iter().map(|(d, _)| (d.name.clone(), range(d))).collect());
    pretty(&TuningTools { parameter_ranges })
}
