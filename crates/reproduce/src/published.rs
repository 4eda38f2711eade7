//! The published figures, as the works print them.

use std::collections::BTreeMap;

/// A published table.
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// The tables, by name.
macro_rules! tables {
    ($($(#[$about:meta])* $name:ident: $file:literal,)*) => {
        $($(#[$about])* pub fn $name() -> Table {
            Table::read(include_str!(concat!("../published/", $file)))
        })*
    };
}

tables! {
    /// [boskovic-2010]: adjusted p-values of all pairs.
    adjusted_p: "adjusted-p.csv",
    /// [qvarford-2015]: the summary of the study.
    case_based: "case-based.csv",
    /// [urminsky-2007]: the two printed games.
    evolved_games: "evolved-games.csv",
    /// [urminsky-2007]: ten games against a minimax program.
    evolved_moves: "evolved-moves.csv",
    /// [boskovic-2010]: piece values from nothing.
    no_expert_knowledge: "no-expert-knowledge.csv",
    /// [erk-2008]: the twenty best of the run with ratings.
    rated_20: "rated-20.csv",
    /// [maribor-2004]: test suites.
    suites: "suites.csv",
    /// [boskovic-2010] and [erk-2008]: tournaments.
    tournaments: "tournaments.csv",
    /// [boskovic-2010]: ratings of the ten runs of every experiment.
    tuning_runs: "tuning-runs.csv",
}

impl Table {
    fn read(text: &str) -> Table {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let columns = reader.headers().expect("a table of our own has a header");
        let columns = columns.iter().map(str::to_owned).collect();
        let rows = reader.records().map(|row| {
            let row = row.expect("a table of our own is even");
            row.iter().map(str::to_owned).collect()
        });
        Table {
            columns,
            rows: rows.collect(),
        }
    }

    /// Its rows, each by the names of its columns.
    pub fn rows(&self) -> impl Iterator<Item = BTreeMap<&str, &str>> {
        let columns = || self.columns.iter().map(String::as_str);
        self.rows
            .iter()
            .map(move |row| columns().zip(row.iter().map(String::as_str)).collect())
    }

    /// A column of numbers.
    ///
    /// # Panics
    /// If there is no such column, or it holds something else.
    pub fn numbers(&self, column: &str) -> Vec<f64> {
        self.rows().map(|row| number(&row, column)).collect()
    }
}

/// A number of a row.
///
/// # Panics
/// If there is none.
pub fn number(row: &BTreeMap<&str, &str>, column: &str) -> f64 {
    row.get(column)
        .and_then(|text| text.parse().ok())
        .unwrap_or_else(|| panic!("no number in the column {column}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_rating::stats::Estimate;

    /// The means that the text of the work prints are those of its table.
    #[test]
    fn the_tables_are_those_of_the_text() {
        let runs = tuning_runs();
        let tuned = Estimate::of(&runs.numbers("history10_tuned"));
        assert!((tuned.mean - 2142.5).abs() < 0.05 && (tuned.deviation - 35.89).abs() < 0.01);
        let initial = Estimate::of(&runs.numbers("wide10_initial"));
        assert!((initial.mean - 1471.3).abs() < 0.3, "{}", initial.mean);
        assert_eq!(suites().numbers("solved"), [273.0, 222.0, 666.0, 1161.0]);
        assert_eq!(no_expert_knowledge().rows().count(), 16);
        assert_eq!(evolved_games().rows().count(), 43);
        assert_eq!((rated_20().rows().count(), tournaments().rows().count()), (24, 8));
        assert_eq!((adjusted_p().rows().count(), case_based().rows().count()), (6, 5));
        assert_eq!(evolved_moves().numbers("losses"), [9.0]);
    }
}
