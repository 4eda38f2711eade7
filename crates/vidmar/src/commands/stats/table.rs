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

/// Headings of a table with one value a row: what together names a problem, the algorithm, the value.
const PROBLEM_HEADINGS: [&str; 2] = ["problem", "seed"];
/// Headings of conditions under which the same problems were met again: each condition has a test of its own, or one seed would
/// be counted as several. Of the last two the first that is there.
const CONDITION_HEADINGS: [&[&str]; 2] = [&["equal"], &["limit", "depth"]];
const ALGORITHM_HEADINGS: [&str; 2] = ["algorithm", "method"];
const VALUE_HEADINGS: [&str; 2] = ["value", "score"];
/// The heading of a column that says of every row whether it counts.
const COMPARED: &str = "compared";

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

    /// Leaves the rows out that do not have the value, `COLUMN=VALUE`.
    fn keep(&mut self, want: &str) -> anyhow::Result<()> {
        let (column, value) = want
            .split_once('=')
            .map(|(column, value)| (column.trim(), value.trim()))
            .with_context(|| format!("--where {want}: expected COLUMN=VALUE"))?;
        let is_it = |heading: &String| heading.eq_ignore_ascii_case(column);
        let Some(index) = self.header.iter().position(is_it) else {
            bail!(
                "--where {want}: there is no column '{column}': the header has {}",
                self.header.join(", ")
            );
        };
        let mut there: Vec<String> = Vec::new();
        for (_, record) in &self.records {
            if !there.contains(&record[index]) {
                there.push(record[index].clone());
            }
        }
        ensure!(
            there.iter().any(|other| other == value),
            "--where {want}: no row has '{value}' there: {column} is {}",
            there.join(", ")
        );
        self.records.retain(|(_, record)| record[index] == value);
        Ok(())
    }

    /// The rows that have the same values in these columns, with those values, in the order in which they come.
    fn parted(self, columns: &[usize]) -> Vec<(Vec<String>, Cells)> {
        let mut parts: Vec<(Vec<String>, Cells)> = Vec::new();
        for (line, record) in self.records {
            let values: Vec<String> = columns.iter().map(|&index| record[index].clone()).collect();
            let at = parts
                .iter()
                .position(|(known, _)| *known == values)
                .unwrap_or_else(|| {
                    let empty = Cells {
                        header: self.header.clone(),
                        records: Vec::new(),
                        decimal_comma: self.decimal_comma,
                    };
                    parts.push((values, empty));
                    parts.len() - 1
                });
            parts[at].1.records.push((line, record));
        }
        parts
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

/// A table, and the conditions under which its values were found.
pub(super) struct Stratum {
    /// Headings and what stood below them; nothing where a file is one table.
    pub(super) conditions: Vec<(String, String)>,
    pub(super) table: Table,
}

/// `equal games, limit depth 4`.
pub(super) fn in_words(conditions: &[(String, String)]) -> String {
    let conditions = conditions.iter();
    let words: Vec<String> = conditions
        .map(|(heading, value)| format!("{heading} {value}"))
        .collect();
    words.join(", ")
}

/// The tables of a file: one, or one for each condition. `is_long` says that it has one value a row even where its header does
/// not. Only rows are read that have these values, `COLUMN=VALUE`.
pub(super) fn read(
    path: &Path,
    columns: &[String],
    is_long: bool,
    wanted: &[String],
) -> anyhow::Result<Vec<Stratum>> {
    let mut cells = Cells::read(path)?;
    for want in wanted {
        cells.keep(want)?;
    }
    let found = match LongColumns::of(&cells.header) {
        None if is_long => Some(LongColumns::first_three(&cells.header)?),
        found => found,
    };
    let Some(found) = found else {
        let table = read_wide(&cells, columns)?;
        return Ok(vec![Stratum {
            conditions: Vec::new(),
            table,
        }]);
    };
    if let Some(index) = found.compared {
        cells.records.retain(|(_, record)| record[index] != "false");
        ensure!(
            !cells.records.is_empty(),
            "no row is to be compared: '{COMPARED}' is false in all"
        );
    }
    let parts = cells.parted(&found.conditions);
    let mut strata = Vec::with_capacity(parts.len());
    for (values, cells) in parts {
        let headings = found.conditions.iter().map(|&index| cells.header[index].clone());
        let conditions: Vec<(String, String)> = headings.zip(values).collect();
        let table = read_long(&cells, &found, columns);
        let table = match &in_words(&conditions)[..] {
            "" => table,
            name => table.with_context(|| name.to_owned()),
        }?;
        strata.push(Stratum { conditions, table });
    }
    Ok(strata)
}

/// One column for every algorithm.
fn read_wide(cells: &Cells, columns: &[String]) -> anyhow::Result<Table> {
    let candidates: Vec<usize> = (usize::from(cells.first_names_rows())..cells.header.len()).collect();
    let chosen = if columns.is_empty() {
        candidates
            .iter()
            .map(|&index| (cells.header[index].clone(), index))
            .collect()
    } else {
        choose(&cells.header, &candidates, columns)?
    };
    let mut rows = Vec::with_capacity(cells.records.len());
    for (line, record) in &cells.records {
        let row: anyhow::Result<Vec<f64>> = chosen
            .iter()
            .map(|&(_, index)| cells.number(*line, index, &record[index]))
            .collect();
        rows.push(row?);
    }
    finished(chosen.into_iter().map(|(label, _)| label).collect(), rows)
}

/// Where a table with one value a row has what.
struct LongColumns {
    /// Columns that together name a problem.
    problem: Vec<usize>,
    /// Columns of conditions, each of which has a table of its own.
    conditions: Vec<usize>,
    algorithm: usize,
    value: usize,
    /// Rows that say `false` here are further results of the same run.
    compared: Option<usize>,
}

impl LongColumns {
    /// As the header names them; `vidmar tune compare` writes such tables.
    fn of(header: &[String]) -> Option<LongColumns> {
        let index = |name: &str| {
            header
                .iter()
                .position(|heading| heading.eq_ignore_ascii_case(name))
        };
        let mut problem: Vec<usize> = PROBLEM_HEADINGS.iter().filter_map(|name| index(name)).collect();
        let conditions = CONDITION_HEADINGS.iter();
        let mut conditions: Vec<usize> = conditions
            .filter_map(|names| names.iter().find_map(|name| index(name)))
            .collect();
        // Without anything that was met again, what is called a depth is what was met.
        if problem.is_empty() {
            problem = std::mem::take(&mut conditions);
        }
        Some(LongColumns {
            algorithm: ALGORITHM_HEADINGS.iter().find_map(|name| index(name))?,
            value: VALUE_HEADINGS.iter().find_map(|name| index(name))?,
            compared: index(COMPARED),
            problem: Some(problem).filter(|problem| !problem.is_empty())?,
            conditions,
        })
    }

    fn first_three(header: &[String]) -> anyhow::Result<LongColumns> {
        ensure!(
            header.len() >= 3,
            "a long table has three columns: problem, algorithm, value"
        );
        Ok(LongColumns {
            problem: vec![0],
            conditions: Vec::new(),
            algorithm: 1,
            value: 2,
            compared: None,
        })
    }

    /// The problem of a row, with the headings where several columns name it.
    fn problem(&self, header: &[String], record: &[String]) -> String {
        if let [index] = self.problem[..] {
            return record[index].clone();
        }
        let parts = self.problem.iter();
        let parts = parts.map(|&index| format!("{} {}", header[index], record[index]));
        parts.collect::<Vec<String>>().join(", ")
    }
}

/// One value a row.
fn read_long(cells: &Cells, indices: &LongColumns, columns: &[String]) -> anyhow::Result<Table> {
    let (mut problems, mut algorithms) = (Vec::new(), Vec::new());
    let mut values: HashMap<(usize, usize), f64> = HashMap::new();
    for (line, record) in &cells.records {
        let (problem, algorithm) = (indices.problem(&cells.header, record), &record[indices.algorithm]);
        let row = place_of(&mut problems, &problem);
        let column = place_of(&mut algorithms, algorithm);
        let value = cells.number(*line, indices.value, &record[indices.value])?;
        if values.insert((row, column), value).is_some() {
            bail!(
                "line {line}: a second value for '{algorithm}' on '{problem}': expected one (average repeated runs first)"
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
    for (index, name) in algorithms.iter().enumerate() {
        ensure!(
            !algorithms[..index].contains(name),
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
        if let Some(index) = exact(want) {
            chosen.push((want.to_owned(), index));
        } else if let Some((label, index)) = want
            .split_once('=')
            .and_then(|(label, name)| Some((label, exact(name.trim())?)))
        {
            chosen.push((label.trim().to_owned(), index));
        } else {
            let matching: Vec<usize> = algorithms
                .iter()
                .copied()
                .filter(|&index| want.contains('*') && matches(want, &header[index]))
                .collect();
            ensure!(
                !matching.is_empty(),
                "there is no column '{want}': the header has {}",
                header.join(", ")
            );
            chosen.extend(matching.into_iter().map(|index| (header[index].clone(), index)));
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
