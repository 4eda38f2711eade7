//! Reading the table of results from a file of separated values.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Read as _};
use std::path::Path;

use anyhow::{Context as _, bail, ensure};
use vidmar_rating::stats::Table;

/// Headings of a first column that names the rows even where it holds numbers.
const ROW_HEADINGS: [&str; 10] = [
    "", "run", "problem", "dataset", "data set", "instance", "function", "seed", "name", "id",
];

/// A file's header and records, every cell trimmed, with the line of each record.
struct Cells {
    header: Vec<String>,
    records: Vec<(u64, Vec<String>)>,
    decimal_comma: bool,
}

impl Cells {
    fn read(path: &Path) -> anyhow::Result<Self> {
        let text = read_text(path)?;
        let first_line = text
            .lines()
            .find(|line| !line.starts_with('#'))
            .unwrap_or_default();
        let delimiter = *[b',', b';', b'\t']
            .iter()
            .max_by_key(|&&delimiter| {
                (
                    first_line.bytes().filter(|&byte| byte == delimiter).count(),
                    delimiter == b',',
                )
            })
            .expect("there are three delimiters");
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(delimiter)
            .comment(Some(b'#'))
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let header: Vec<String> = reader.headers()?.iter().map(str::to_owned).collect();
        let mut records = Vec::new();
        for record in reader.records() {
            let record = record?;
            let line = record.position().map_or(0, csv::Position::line);
            records.push((line, record.iter().map(str::to_owned).collect()));
        }
        ensure!(!records.is_empty(), "the table has no rows below its header");
        Ok(Cells {
            header,
            records,
            decimal_comma: delimiter == b';',
        })
    }

    fn number(&self, line: u64, column: usize, cell: &str) -> anyhow::Result<f64> {
        let plain = if self.decimal_comma {
            cell.replace(',', ".")
        } else {
            cell.to_owned()
        };
        match plain.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => {
                let name = &self.header[column];
                let what = if cell.is_empty() {
                    "is empty".to_owned()
                } else {
                    format!("holds '{cell}'")
                };
                bail!(
                    "line {line}: column '{name}' {what}: expected a number (choose columns with --columns)"
                )
            }
        }
    }

    /// Whether the first column names the rows.
    fn first_names_rows(&self) -> bool {
        let heading = self
            .header
            .first()
            .map(|name| name.to_lowercase())
            .unwrap_or_default();
        let is_number = |cell: &String| cell.replace(',', ".").parse::<f64>().is_ok() || cell.is_empty();
        ROW_HEADINGS.contains(&heading.as_str())
            || !self
                .records
                .iter()
                .all(|(_, cells)| cells.first().is_none_or(is_number))
    }
}

fn read_text(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if path.as_os_str() == "-" {
        io::stdin()
            .lock()
            .read_to_end(&mut bytes)
            .context("cannot read standard input")?;
    } else {
        bytes = fs::read(path).context("cannot read the file")?;
    }
    let text = String::from_utf8(bytes).context("the file is not UTF-8 text")?;
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// One column for every algorithm.
pub(super) fn read_wide(path: &Path, columns: &[String]) -> anyhow::Result<Table> {
    let cells = Cells::read(path)?;
    let candidates: Vec<usize> = (usize::from(cells.first_names_rows())..cells.header.len()).collect();
    let chosen = if columns.is_empty() {
        candidates
            .iter()
            .map(|&place| (cells.header[place].clone(), place))
            .collect()
    } else {
        choose(&cells.header, &candidates, columns)?
    };
    let mut rows = Vec::with_capacity(cells.records.len());
    for (line, record) in &cells.records {
        let row: anyhow::Result<Vec<f64>> = chosen
            .iter()
            .map(|&(_, place)| cells.number(*line, place, &record[place]))
            .collect();
        rows.push(row?);
    }
    finished(chosen.into_iter().map(|(label, _)| label).collect(), rows)
}

/// Problem, algorithm, value: by these names in the header, or else the first three columns.
pub(super) fn read_long(path: &Path, columns: &[String]) -> anyhow::Result<Table> {
    let cells = Cells::read(path)?;
    ensure!(
        cells.header.len() >= 3,
        "a long table has three columns: problem, algorithm, value"
    );
    let named = |name: &str| {
        cells
            .header
            .iter()
            .position(|heading| heading.eq_ignore_ascii_case(name))
    };
    let [problem_at, algorithm_at, value_at] = match [named("problem"), named("algorithm"), named("value")] {
        [Some(problem), Some(algorithm), Some(value)] => [problem, algorithm, value],
        _ => [0, 1, 2],
    };
    let (mut problems, mut algorithms) = (Vec::new(), Vec::new());
    let mut values: HashMap<(usize, usize), f64> = HashMap::new();
    for (line, record) in &cells.records {
        let row = place_of(&mut problems, &record[problem_at]);
        let column = place_of(&mut algorithms, &record[algorithm_at]);
        let value = cells.number(*line, value_at, &record[value_at])?;
        if values.insert((row, column), value).is_some() {
            bail!(
                "line {line}: a second value for '{}' on '{}': expected one (average repeated runs first)",
                record[algorithm_at],
                record[problem_at]
            );
        }
    }
    let chosen = if columns.is_empty() {
        algorithms.iter().cloned().zip(0..).collect()
    } else {
        choose(&algorithms, &(0..algorithms.len()).collect::<Vec<_>>(), columns)?
    };
    let mut rows = Vec::with_capacity(problems.len());
    for (row, problem) in problems.iter().enumerate() {
        let cell = |column: usize| {
            let value = values.get(&(row, column)).copied();
            value.with_context(|| format!("'{}' has no value on '{problem}'", algorithms[column]))
        };
        rows.push(
            chosen
                .iter()
                .map(|&(_, column)| cell(column))
                .collect::<anyhow::Result<Vec<f64>>>()?,
        );
    }
    finished(chosen.into_iter().map(|(label, _)| label).collect(), rows)
}

fn place_of(names: &mut Vec<String>, name: &str) -> usize {
    names.iter().position(|known| known == name).unwrap_or_else(|| {
        names.push(name.to_owned());
        names.len() - 1
    })
}

fn finished(algorithms: Vec<String>, rows: Vec<Vec<f64>>) -> anyhow::Result<Table> {
    for (place, name) in algorithms.iter().enumerate() {
        ensure!(
            !algorithms[..place].contains(name),
            "two algorithms are called '{name}': rename one with --columns"
        );
    }
    Ok(Table { algorithms, rows })
}

/// The columns asked for, with their labels, in the order asked. A pattern finds `algorithms` only, not the
/// column that names the rows.
fn choose(
    header: &[String],
    algorithms: &[usize],
    wanted: &[String],
) -> anyhow::Result<Vec<(String, usize)>> {
    let exact = |name: &str| header.iter().position(|column| column == name);
    let mut chosen = Vec::new();
    for want in wanted.iter().map(|want| want.trim()) {
        if let Some(place) = exact(want) {
            chosen.push((want.to_owned(), place));
        } else if let Some((label, place)) = want
            .split_once('=')
            .and_then(|(label, name)| Some((label, exact(name.trim())?)))
        {
            chosen.push((label.trim().to_owned(), place));
        } else {
            let matching: Vec<usize> = algorithms
                .iter()
                .copied()
                .filter(|&place| want.contains('*') && matches(want, &header[place]))
                .collect();
            ensure!(
                !matching.is_empty(),
                "there is no column '{want}': the header has {}",
                header.join(", ")
            );
            chosen.extend(matching.into_iter().map(|place| (header[place].clone(), place)));
        }
    }
    Ok(chosen)
}

/// Whether the name fits the pattern, in which `*` stands for any letters.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(mut left) = name.strip_prefix(first) else {
        return false;
    };
    loop {
        if matches(rest, left) {
            return true;
        }
        let mut letters = left.chars();
        if letters.next().is_none() {
            return false;
        }
        left = letters.as_str();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        assert!(matches("*_tuned", "history10_tuned") && matches("a*b*c", "aXXbc") && matches("*", ""));
        assert!(!matches("*_tuned", "history10_initial") && !matches("a*b", "acd") && !matches("ab", "abc"));
    }
}
