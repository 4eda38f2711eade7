//! `vidmar stats`: which of several algorithms differ, by ranks over many problems.

mod json;
mod latex;
mod table;
mod text;

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context as _, bail, ensure};
use clap::Args;
use vidmar_rating::stats::{
    Better, Comparison, Diagram, MOST_ALGORITHMS, TooManyAlgorithms, compare, critical_difference_svg,
};

use crate::output;

/// Compare algorithms over many problems by rank tests
///
/// Ranks the algorithms on every row, then: the tests of Friedman and of Iman and Davenport, critical
/// differences of Nemenyi and of Bonferroni and Dunn, all pairs with p-values adjusted after Nemenyi, Holm,
/// Shaffer and Bergmann and Hommel, and Wilcoxon's signed-rank test of each pair.
#[derive(Args)]
#[command(after_help = "\
Input: a table with a header, one column for every algorithm and one row for every problem, data set or run, \
separated by comma, semicolon or tab. A first column that holds text, or is headed run, problem, dataset, \
instance, function, seed, name, id or nothing, names the rows and is not an algorithm.

A table with one value a row has the columns algorithm or method, value or score, and problem or seed, which \
together are the problem; rows that say false in a column compared are left out. The columns equal and limit (or \
depth) are conditions under which the same problems were met again: each condition has a test of its own, \
or --where chooses one. The compare.csv of `vidmar tune compare` is such a table: a seed is a problem. With --long, the first \
three columns are problem, algorithm, value whatever their headings.

Examples:
  vidmar stats accuracy.csv
  vidmar stats runs.csv --columns new=history10_tuned,old=nohistory10_tuned
  vidmar stats runs.csv --columns '*_tuned' --control nohistory10_tuned --latex
  vidmar stats errors.csv --lower-is-better --svg diagram.svg
  vidmar stats rivals/compare.csv --control spsa
  vidmar stats rivals/compare.csv --where equal=games --where 'limit=depth 4' --svg diagram.svg")]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(crate) struct Stats {
    /// The table of results; `-` is standard input
    #[arg(value_name = "RUNS.csv")]
    file: PathBuf,
    /// The algorithms to compare: names of columns, `LABEL=NAME` to rename, `*` for any letters [default: all]
    #[arg(long, value_name = "NAME,...", value_delimiter = ',')]
    columns: Vec<String>,
    /// Also compare all others with this one
    #[arg(long, value_name = "NAME")]
    control: Option<String>,
    /// Small values are good: errors, times, costs
    #[arg(long)]
    lower_is_better: bool,
    /// The table has one value a row: problem, algorithm, value; a header with these words needs no such switch
    #[arg(long)]
    long: bool,
    /// Only rows that have this value in that column; may be given several times
    #[arg(long = "where", value_name = "COLUMN=VALUE")]
    only: Vec<String>,
    /// Level of significance
    #[arg(long, value_name = "LEVEL", default_value_t = 0.05)]
    alpha: f64,
    /// Print a JSON object; of several conditions one with a list of them, `strata`
    #[arg(long, group = "format")]
    json: bool,
    /// Print LaTeX tables (booktabs)
    #[arg(long, group = "format")]
    latex: bool,
    /// Also draw the critical-difference diagram to this file, or alone to standard output (`-` or nothing)
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "-")]
    svg: Option<PathBuf>,
}

/// The tests of one condition, or of a whole table.
struct Compared {
    /// The condition in words; nothing for a whole table.
    name: String,
    conditions: Vec<(String, String)>,
    comparison: Comparison,
}

impl Stats {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let name = self.file.display().to_string();
        let strata =
            table::read(&self.file, &self.columns, self.long, &self.only).with_context(|| name.clone())?;
        let better = if self.lower_is_better {
            Better::Lower
        } else {
            Better::Higher
        };
        let mut compared = Vec::with_capacity(strata.len());
        for stratum in strata {
            let condition = table::in_words(&stratum.conditions);
            let found = compare(&stratum.table, better, self.alpha, self.control.as_deref());
            let comparison = match &condition[..] {
                "" => found?,
                condition => found.with_context(|| format!("{name}: {condition}"))?,
            };
            compared.push(Compared {
                name: condition,
                conditions: stratum.conditions,
                comparison,
            });
        }
        let most = compared.iter().map(|one| one.comparison.algorithms.len()).max();
        if let Some(most) = most.filter(|&most| most > MOST_ALGORITHMS) {
            output::warn(&TooManyAlgorithms(most).to_string());
        }
        if let Some(target) = &self.svg {
            let [Compared { comparison, .. }] = &compared[..] else {
                let names: Vec<&str> = compared.iter().map(|one| &one.name[..]).collect();
                bail!(
                    "--svg draws one test, and these are {}: choose one with --where ({})",
                    names.len(),
                    names.join("; ")
                );
            };
            let picture = diagram(comparison);
            if target.as_os_str() == "-" {
                // Standard output is one picture, or it would be none.
                ensure!(
                    !self.json && !self.latex,
                    "--svg to standard output cannot be used with --json or --latex: give it a file"
                );
                output::print(&picture)?;
                return Ok(ExitCode::SUCCESS);
            }
            output::write_file(target, &picture)?;
        }
        output::print(&if self.json {
            json::render(&compared)?
        } else if self.latex {
            latex::render(&compared)
        } else {
            text::render(&compared)
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn diagram(comparison: &Comparison) -> String {
    let control = comparison.control.as_ref().map(|(control, _)| *control);
    let difference = &comparison.critical_difference;
    critical_difference_svg(&Diagram {
        algorithms: &comparison.algorithms,
        ranks: &comparison.ranks,
        critical_difference: if control.is_some() {
            difference.bonferroni_dunn
        } else {
            difference.nemenyi
        },
        control,
    })
}

/// Places of the algorithms from the best mean rank to the worst.
fn best_first(comparison: &Comparison) -> Vec<usize> {
    let mut order: Vec<usize> = (0..comparison.ranks.len()).collect();
    order.sort_by(|&a, &b| comparison.ranks[a].total_cmp(&comparison.ranks[b]));
    order
}
