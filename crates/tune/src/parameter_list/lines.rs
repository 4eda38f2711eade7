//! The lines of Fishtest and `OpenBench`.

use vidmar_optim::space::round_half_up;
use vidmar_optim::{Dimension, Kind};

use super::{ListError, c_end, r_end};
use crate::config::Listed;

/// Reads lines of either; empty ones and those that begin with `#` say nothing.
pub(super) fn read(text: &str) -> Result<Vec<Listed>, ListError> {
    let lines = text
        .lines()
        .enumerate()
        .map(|(index, line)| (index + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| parameter(number, line))
        .collect()
}

fn parameter(line: usize, text: &str) -> Result<Listed, ListError> {
    let fields: Vec<&str> = text.split(',').map(str::trim).collect();
    let (name, real, numbers) = match fields[..] {
        [name, value, min, max, c_end, r_end] => (name, false, [value, min, max, c_end, r_end]),
        [name, kind, value, min, max, c_end, r_end] => {
            (name, is_real(line, kind)?, [value, min, max, c_end, r_end])
        }
        _ => {
            let found = fields.len();
            return Err(ListError::Fields { line, found });
        }
    };
    if name.is_empty() {
        return Err(ListError::Field {
            line,
            field: "name",
            text: String::new(),
            expected: "the name of an option",
        });
    }
    let number = |index: usize, field: &'static str| number(line, field, numbers[index]);
    let value = number(0, "value")?;
    Ok(Listed {
        name: name.to_owned(),
        // In the middle of a run the value of a whole number is broken; what plays is the nearest.
        start: Some(if real { value } else { round_half_up(value) }),
        min: Some(number(1, "min")?),
        max: Some(number(2, "max")?),
        c_end: Some(number(3, "c_end")?),
        r_end: Some(number(4, "r_end")?),
        real,
        ..Listed::default()
    })
}

fn is_real(line: usize, text: &str) -> Result<bool, ListError> {
    match text {
        "int" => Ok(false),
        "float" => Ok(true),
        _ => Err(ListError::Field {
            line,
            field: "type",
            text: text.to_owned(),
            expected: "int or float",
        }),
    }
}

fn number(line: usize, field: &'static str, text: &str) -> Result<f64, ListError> {
    let number: Option<f64> = text.parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| ListError::Field {
        line,
        field,
        text: text.to_owned(),
        expected: "a number",
    })
}

pub(super) fn fishtest(rows: &[(&Dimension, f64)]) -> String {
    let line = |(d, value): &(&Dimension, f64)| {
        let Dimension { name, min, max, .. } = d;
        format!("{name},{value},{min},{max},{},{}\n", c_end(d), r_end(d))
    };
    rows.iter().map(line).collect::<Vec<String>>().concat()
}

pub(super) fn open_bench(rows: &[(&Dimension, f64)]) -> String {
    let line = |(d, value): &(&Dimension, f64)| {
        let Dimension { name, min, max, .. } = d;
        let kind = match d.kind {
            Kind::Integer => "int",
            Kind::Real => "float",
        };
        format!(
            "{name}, {kind}, {value}, {min}, {max}, {}, {}\n",
            c_end(d),
            r_end(d)
        )
    };
    rows.iter().map(line).collect::<Vec<String>>().concat()
}
