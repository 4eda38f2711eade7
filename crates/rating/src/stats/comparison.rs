//! The whole comparison of a table, ready to be printed.

use super::adjust::{bonferroni, hochberg, holm, shaffer};
use super::bergmann_hommel::bergmann_hommel;
use super::friedman::{
    Friedman, ImanDavenport, bonferroni_dunn_difference, nemenyi_difference, rank_deviation, two_sided,
};
use super::ranks::{Better, Table, mean_ranks};
use super::wilcoxon::{SignedRank, wilcoxon_signed_rank};

/// Why a table cannot be compared.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// One algorithm cannot be compared with itself.
    #[error("a comparison needs at least 2 algorithms (columns), not {0}")]
    TooFewAlgorithms(usize),
    /// One row shows no spread.
    #[error("a comparison needs at least 2 problems (rows), not {0}")]
    TooFewRows(usize),
    /// A row of another length.
    #[error("row {row} has {found} values, not {expected}")]
    UnevenRow {
        /// The row, from 1.
        row: usize,
        /// Its values.
        found: usize,
        /// Columns of the table.
        expected: usize,
    },
    /// NaN or infinite.
    #[error("row {row} has no finite value for '{algorithm}'")]
    NotFinite {
        /// The row, from 1.
        row: usize,
        /// The column.
        algorithm: String,
    },
    /// A name that is not a column.
    #[error("the control '{name}' is not among the algorithms: {known}")]
    UnknownControl {
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A level outside 0 to 1.
    #[error("the level of significance is {0}: expected a number between 0 and 1")]
    BadLevel(f64),
}

/// One pair of algorithms.
#[derive(Clone, Debug, PartialEq)]
pub struct PairRow {
    /// The algorithm with the better mean rank, by its column.
    pub a: usize,
    /// The other one.
    pub b: usize,
    /// Difference of mean ranks over its standard deviation, 0 or more.
    pub z: f64,
    /// Unadjusted p-value.
    pub p: f64,
    /// Nemenyi's adjusted p-value, capped at 1.
    pub nemenyi: f64,
    /// Holm's adjusted p-value.
    pub holm: f64,
    /// Shaffer's (static) adjusted p-value.
    pub shaffer: f64,
    /// Bergmann's and Hommel's adjusted p-value; `None` for more algorithms than can be walked through.
    pub bergmann_hommel: Option<f64>,
    /// Wilcoxon's signed-rank test of the two columns, unadjusted.
    pub wilcoxon: SignedRank,
}

/// One algorithm against the control.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlRow {
    /// The algorithm's column.
    pub algorithm: usize,
    /// Control's mean rank minus this one's over the standard deviation: above 0 where this one is better.
    pub z: f64,
    /// Unadjusted p-value.
    pub p: f64,
    /// Adjusted after Bonferroni and Dunn.
    pub bonferroni_dunn: f64,
    /// Holm's adjusted p-value.
    pub holm: f64,
    /// Hochberg's adjusted p-value.
    pub hochberg: f64,
}

/// Differences of mean ranks from which on two algorithms differ.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CriticalDifferences {
    /// All against one control.
    pub bonferroni_dunn: f64,
    /// All against all.
    pub nemenyi: f64,
}

/// Everything [`compare`] finds.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Names of the algorithms, by column.
    pub algorithms: Vec<String>,
    /// Number of rows.
    pub rows: usize,
    /// Which end of the scale is good.
    pub better: Better,
    /// Level of significance.
    pub alpha: f64,
    /// Mean ranks, by column.
    pub ranks: Vec<f64>,
    /// Friedman's test.
    pub friedman: Friedman,
    /// Friedman's test corrected for ties, where there are any.
    pub friedman_ties: Option<Friedman>,
    /// The form of Iman and Davenport.
    pub iman_davenport: ImanDavenport,
    /// Critical differences at `alpha`.
    pub critical_difference: CriticalDifferences,
    /// All pairs, the clearest first.
    pub pairs: Vec<PairRow>,
    /// The control's column and all others against it, the clearest first.
    pub control: Option<(usize, Vec<ControlRow>)>,
}

/// Compares the columns of a table, and with `control` all others against that one.
pub fn compare(
    table: &Table,
    better: Better,
    alpha: f64,
    control: Option<&str>,
) -> Result<Comparison, StatsError> {
    check(table, alpha)?;
    let (algorithms, rows) = (table.algorithms.len(), table.rows.len());
    let ranks = mean_ranks(table, better);
    let friedman = Friedman::from_mean_ranks(&ranks, rows);
    let control = control
        .map(|name| control_rows(table, &ranks, name))
        .transpose()?;
    Ok(Comparison {
        algorithms: table.algorithms.clone(),
        rows,
        better,
        alpha,
        friedman,
        friedman_ties: friedman.corrected_for_ties(table),
        iman_davenport: friedman.iman_davenport(rows),
        critical_difference: CriticalDifferences {
            bonferroni_dunn: bonferroni_dunn_difference(algorithms, rows, alpha),
            nemenyi: nemenyi_difference(algorithms, rows, alpha),
        },
        pairs: pair_rows(table, &ranks),
        control,
        ranks,
    })
}

fn check(table: &Table, alpha: f64) -> Result<(), StatsError> {
    let expected = table.algorithms.len();
    if expected < 2 {
        return Err(StatsError::TooFewAlgorithms(expected));
    }
    if table.rows.len() < 2 {
        return Err(StatsError::TooFewRows(table.rows.len()));
    }
    if !(alpha > 0.0 && alpha < 1.0) {
        return Err(StatsError::BadLevel(alpha));
    }
    for (row, values) in (1..).zip(&table.rows) {
        if values.len() != expected {
            return Err(StatsError::UnevenRow {
                row,
                found: values.len(),
                expected,
            });
        }
        if let Some(column) = values.iter().position(|value| !value.is_finite()) {
            return Err(StatsError::NotFinite {
                row,
                algorithm: table.algorithms[column].clone(),
            });
        }
    }
    Ok(())
}

fn pair_rows(table: &Table, ranks: &[f64]) -> Vec<PairRow> {
    let count = ranks.len();
    let deviation = rank_deviation(count, table.rows.len());
    let pairs: Vec<(usize, usize)> = (0..count)
        .flat_map(|a| (a + 1..count).map(move |b| (a, b)))
        .collect();
    let scores: Vec<f64> = pairs
        .iter()
        .map(|&(a, b)| (ranks[b] - ranks[a]) / deviation)
        .collect();
    let p: Vec<f64> = scores.iter().map(|&z| two_sided(z)).collect();
    let (nemenyi, holm, shaffer) = (bonferroni(&p), holm(&p), shaffer(&p, count));
    let bergmann_hommel = bergmann_hommel(&p, count).ok();
    let column = |at: usize| -> Vec<f64> { table.rows.iter().map(|row| row[at]).collect() };
    let columns: Vec<Vec<f64>> = (0..count).map(column).collect();

    let mut rows: Vec<PairRow> = Vec::with_capacity(pairs.len());
    for (index, &(first, second)) in pairs.iter().enumerate() {
        let (a, b) = if scores[index] >= 0.0 {
            (first, second)
        } else {
            (second, first)
        };
        rows.push(PairRow {
            a,
            b,
            z: scores[index].abs(),
            p: p[index],
            nemenyi: nemenyi[index],
            holm: holm[index],
            shaffer: shaffer[index],
            bergmann_hommel: bergmann_hommel.as_ref().map(|adjusted| adjusted[index]),
            wilcoxon: wilcoxon_signed_rank(&columns[a], &columns[b]),
        });
    }
    rows.sort_by(|x, y| x.p.total_cmp(&y.p));
    rows
}

fn control_rows(table: &Table, ranks: &[f64], name: &str) -> Result<(usize, Vec<ControlRow>), StatsError> {
    let control = table
        .algorithms
        .iter()
        .position(|algorithm| algorithm == name)
        .ok_or_else(|| StatsError::UnknownControl {
            name: name.to_owned(),
            known: table.algorithms.join(", "),
        })?;
    let deviation = rank_deviation(ranks.len(), table.rows.len());
    let others: Vec<usize> = (0..ranks.len())
        .filter(|&algorithm| algorithm != control)
        .collect();
    let scores: Vec<f64> = others
        .iter()
        .map(|&other| (ranks[control] - ranks[other]) / deviation)
        .collect();
    let p: Vec<f64> = scores.iter().map(|&z| two_sided(z)).collect();
    let (dunn, holm, hochberg) = (bonferroni(&p), holm(&p), hochberg(&p));
    let mut rows: Vec<ControlRow> = others
        .iter()
        .enumerate()
        .map(|(index, &algorithm)| ControlRow {
            algorithm,
            z: scores[index],
            p: p[index],
            bonferroni_dunn: dunn[index],
            holm: holm[index],
            hochberg: hochberg[index],
        })
        .collect();
    rows.sort_by(|x, y| x.p.total_cmp(&y.p));
    Ok((control, rows))
}
