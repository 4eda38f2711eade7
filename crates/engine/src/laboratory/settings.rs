//! Everything that can be chosen about a laboratory search, one row each; keys and help are those of the search's own table.

use std::str::FromStr;
use std::sync::LazyLock;

use vidmar_chess::{BoardKind, Generation};
use vidmar_eval::Vector;
use vidmar_search::{
    Algorithm, Fail, NullMove, NullMoveRules, Parallel, Scheme, Settings, SettingsError, Switch,
};

use super::leaf::LeafKind;
use crate::settings::{Field, Kind, MAX_HASH, MAX_THREADS, Row, Setting, evaluation_vector, schema};
use crate::{choice, integer, switch};

/// How a laboratory search is set up.
#[derive(Clone, Debug, PartialEq)]
pub struct LaboratorySettings {
    /// The board representation.
    pub board: BoardKind,
    /// The evaluation of the leaves.
    pub leaf: LeafKind,
    /// The parameters of the full evaluation.
    pub vector: Vector,
    /// The search itself.
    pub search: Settings,
}

impl Default for LaboratorySettings {
    fn default() -> LaboratorySettings {
        LaboratorySettings {
            board: BoardKind::Bitboard,
            leaf: LeafKind::Simple,
            vector: Vector::default(),
            search: Settings::default(),
        }
    }
}

impl LaboratorySettings {
    /// The first reason why nothing can search with these settings.
    pub fn check(&self) -> Result<(), SettingsError> {
        let other_board = (self.board != BoardKind::Bitboard).then_some(Switch::Board);
        self.search.algorithm.check(other_board)?;
        self.search.check()?;
        if self.search.algorithm.is_selective() && !self.leaf.is_in_pawns() {
            return Err(SettingsError::NotInPawns(self.search.algorithm));
        }
        if !self.leaf.has_parameters() && self.vector != Vector::default() {
            return Err(SettingsError::NoParameters(self.leaf.name()));
        }
        Ok(())
    }
}

/// Every row; the algorithm first, since it decides what the others can be.
pub const ROWS: &[Row<LaboratorySettings>] = &[
    Row::new(
        "algorithm",
        "Algorithm",
        "Algorithm",
        "how it searches",
        choice!(Algorithm, search.algorithm),
    ),
    Row::new(
        Switch::Board.name(),
        "Board",
        "Board",
        Switch::Board.help(),
        choice!(BoardKind, board),
    ),
    Row::new(
        Switch::Evaluation.name(),
        "Evaluation",
        "Evaluation",
        Switch::Evaluation.help(),
        choice!(LeafKind, leaf),
    ),
    Row::new(
        "vector",
        "Vector",
        "Parameters",
        "parameters of the full evaluation, also as chances: a name, or a file of NAME=VALUE lines",
        Field::Other {
            kind: Kind::evaluation,
            get: |settings| settings.vector.values().as_slice().into(),
            set: |settings, value| evaluation_vector(value).map(|vector| settings.vector = vector),
        },
    ),
    Row::new(
        Switch::Table.name(),
        "Table",
        "Table",
        Switch::Table.help(),
        choice!(Scheme, search.table),
    ),
    Row::new(
        Switch::TableSize.name(),
        "Hash",
        "Memory (MiB)",
        Switch::TableSize.help(),
        integer!(usize, 1, MAX_HASH, search.table_mib),
    ),
    Row::new(
        Switch::Generation.name(),
        "Generation",
        "Move generation",
        Switch::Generation.help(),
        choice!(Generation, search.generation),
    ),
    Row::new(
        Switch::Ordering.name(),
        "Ordering",
        "Move ordering",
        Switch::Ordering.help(),
        Field::Text {
            expected: "all, none, or names with commas between",
            get: |settings| settings.search.ordering.to_string(),
            set: |settings, text| read(text).map(|rules| settings.search.ordering = rules),
        },
    ),
    Row::new(
        Switch::Quiescence.name(),
        "Quiescence",
        "Quiescence",
        Switch::Quiescence.help(),
        switch!(search.quiescence),
    ),
    Row::new(
        Switch::NullMove.name(),
        "Null Move",
        "Null move",
        Switch::NullMove.help(),
        choice!(NullMove, search.null_move),
    ),
    Row::new(
        Switch::NullMoveRules.name(),
        "Null Move Without",
        "Null move without",
        Switch::NullMoveRules.help(),
        Field::Text {
            expected: "names of null-move rules with commas between",
            get: |settings| settings.search.null_move_rules.left_out(),
            set: |settings, text| {
                let rules = NullMoveRules::without(text).map_err(|error| error.to_string())?;
                settings.search.null_move_rules = rules;
                Ok(())
            },
        },
    ),
    Row::new(
        Switch::Futility.name(),
        "Futility",
        "Futility",
        Switch::Futility.help(),
        switch!(search.futility),
    ),
    Row::new(
        Switch::Fail.name(),
        "Fail",
        "Fail soft or hard",
        Switch::Fail.help(),
        choice!(Fail, search.fail),
    ),
    Row::new(
        Switch::Iterative.name(),
        "Iterative",
        "Iterative deepening",
        Switch::Iterative.help(),
        switch!(search.iterative),
    ),
    Row::new(
        Switch::Exact.name(),
        "Exact",
        "Exact",
        Switch::Exact.help(),
        switch!(search.exact),
    ),
    Row::new(
        Switch::Parallel.name(),
        "Parallel",
        "Parallel",
        Switch::Parallel.help(),
        choice!(Parallel, search.parallel),
    ),
    Row::new(
        Switch::Threads.name(),
        "Threads",
        "Threads",
        Switch::Threads.help(),
        integer!(usize, 1, MAX_THREADS, search.threads),
    ),
];

fn read<T: FromStr>(text: &str) -> Result<T, String>
where
    T::Err: std::fmt::Display,
{
    text.parse().map_err(|error: T::Err| error.to_string())
}

/// Every setting of a laboratory search.
pub(super) fn all() -> &'static [Setting] {
    static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| schema(ROWS));
    &SETTINGS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{Value, find_row};

    #[test]
    fn every_row_reads_what_it_writes() {
        let mut settings = LaboratorySettings::default();
        for row in ROWS {
            let value = row.get(&settings);
            row.set(&mut settings, &value).expect(row.key);
            let setting = row.setting();
            assert_eq!(setting.read(&value.to_string()), Ok(value), "{}", row.key);
            assert!(setting.read("no such value").is_err(), "{}", row.key);
            assert!(
                row.set(&mut settings, &"no such value".into()).is_err(),
                "{}",
                row.key
            );
        }
        assert_eq!(settings, LaboratorySettings::default());
        for (key, text) in [
            ("algorithm", "mtdf"),
            ("board", "0x88"),
            ("eval", "full"),
            ("table", "deep"),
            ("table-mib", "3"),
            ("generation", "staged"),
            ("ordering", "mvv-lva,killers"),
            ("quiescence", "off"),
            ("null-move", "r3"),
            ("null-move-without", "not-twice,not-at-the-root"),
            ("futility", "on"),
            ("fail", "hard"),
            ("iterative", "off"),
            ("exact", "on"),
            ("parallel", "lazy"),
            ("threads", "2"),
        ] {
            let row = find_row(ROWS, key).expect(key);
            let value = row.setting().read(text).expect(key);
            row.set(&mut settings, &value).expect(key);
            assert_eq!(row.get(&settings).to_string(), text, "{key}");
        }
        let vector = find_row(ROWS, "vector").expect("a row");
        vector
            .set(&mut settings, &"fitted".into())
            .expect("a known vector");
        assert_eq!(Ok(settings.vector), Vector::named("fitted"));
        let table = find_row(ROWS, "table-mib").expect("a row");
        let error = table.set(&mut LaboratorySettings::default(), &Value::Integer(0));
        assert_eq!(
            error.unwrap_err().to_string(),
            "table-mib: '0' is not a number from 1 to 4194304"
        );
    }
}
