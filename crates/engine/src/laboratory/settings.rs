//! Everything that can be chosen about a laboratory search, one row each; keys and help are those of the search's own table.

use std::str::FromStr;
use std::sync::LazyLock;

use vidmar_chess::{BoardKind, Generation};
use vidmar_eval::{SimpleWeights, Vector};
use vidmar_search::{
    Algorithm, Fail, MAX_DEPTH, NullMove, NullMoveRules, Parallel, Scheme, Settings, SettingsError, Switch,
};

use super::leaf::LeafKind;
use crate::settings::{
    Field, Kind, MAX_HASH, MAX_THREADS, Role, Row, Setting, SettingError, Value, Wanted, evaluation_vector,
    number_setting, schema, set,
};
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
    /// The weights of the simple evaluation.
    pub weights: SimpleWeights,
    /// The search itself.
    pub search: Settings,
}

impl Default for LaboratorySettings {
    fn default() -> LaboratorySettings {
        LaboratorySettings {
            board: BoardKind::Bitboard,
            leaf: LeafKind::Simple,
            vector: Vector::default(),
            weights: SimpleWeights::default(),
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
        let mut changed = SimpleWeights::TABLE
            .iter()
            .filter(|row| self.weights.get(row.name) != Some(row.default));
        match changed.next() {
            Some(row) if self.leaf.has_parameters() => Err(SettingsError::NoWeight {
                leaf: self.leaf.name(),
                weight: row.name,
            }),
            _ => Ok(()),
        }
    }

    /// Sets a row, or a weight of the simple evaluation by its name.
    pub(super) fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        if let Some(row) = SimpleWeights::TABLE.iter().find(|row| row.name == key) {
            number_setting(row, Role::Usual).check(value)?;
            let number = value.as_integer().unwrap_or_default();
            self.weights.set(key, number as i32);
            return Ok(());
        }
        set(ROWS, self, key, value)
    }
}

type LaboratoryRow = Row<LaboratorySettings>;

/// Every row; the algorithm first, since it decides what the others can be.
pub const ROWS: &[LaboratoryRow] = &[
    LaboratoryRow::new(
        "algorithm",
        "Algorithm",
        "Algorithm",
        "how it searches",
        choice!(Algorithm, search.algorithm),
    ),
    LaboratoryRow::new(
        Switch::Board.name(),
        "Board",
        "Board",
        Switch::Board.help(),
        choice!(BoardKind, board),
    ),
    LaboratoryRow::new(
        Switch::Evaluation.name(),
        "Evaluation",
        "Evaluation",
        Switch::Evaluation.help(),
        choice!(LeafKind, leaf),
    ),
    LaboratoryRow::new(
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
    LaboratoryRow::new(
        Switch::Table.name(),
        "Table",
        "Table",
        Switch::Table.help(),
        choice!(Scheme, search.table),
    ),
    LaboratoryRow::new(
        Switch::TableSize.name(),
        "Hash",
        "Memory (MiB)",
        Switch::TableSize.help(),
        integer!(usize, 1, MAX_HASH, search.table_mib),
    )
    .needs(Switch::Table.name(), Wanted::Not(Scheme::None.name())),
    LaboratoryRow::new(
        Switch::Generation.name(),
        "Generation",
        "Move generation",
        Switch::Generation.help(),
        choice!(Generation, search.generation),
    ),
    LaboratoryRow::new(
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
    LaboratoryRow::new(
        Switch::Quiescence.name(),
        "Quiescence",
        "Quiescence",
        Switch::Quiescence.help(),
        switch!(search.quiescence),
    ),
    LaboratoryRow::new(
        Switch::QuiescencePlies.name(),
        "Quiescence Plies",
        "Quiescence plies",
        Switch::QuiescencePlies.help(),
        integer!(u32, 0, MAX_DEPTH as i64, search.quiescence_plies),
    ),
    LaboratoryRow::new(
        Switch::NullMove.name(),
        "Null Move",
        "Null move",
        Switch::NullMove.help(),
        choice!(NullMove, search.null_move),
    ),
    LaboratoryRow::new(
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
    )
    .needs(Switch::NullMove.name(), Wanted::Not(NullMove::Off.name())),
    LaboratoryRow::new(
        Switch::Futility.name(),
        "Futility",
        "Futility",
        Switch::Futility.help(),
        switch!(search.futility),
    ),
    LaboratoryRow::new(
        Switch::Fail.name(),
        "Fail",
        "Fail soft or hard",
        Switch::Fail.help(),
        choice!(Fail, search.fail),
    ),
    LaboratoryRow::new(
        Switch::Iterative.name(),
        "Iterative",
        "Iterative deepening",
        Switch::Iterative.help(),
        switch!(search.iterative),
    ),
    LaboratoryRow::new(
        Switch::Exact.name(),
        "Exact",
        "Exact",
        Switch::Exact.help(),
        switch!(search.exact),
    ),
    LaboratoryRow::new(
        Switch::Parallel.name(),
        "Parallel",
        "Parallel",
        Switch::Parallel.help(),
        choice!(Parallel, search.parallel),
    )
    .needs(Switch::Threads.name(), Wanted::Above(1)),
    LaboratoryRow::new(
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
    static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| {
        let weights = SimpleWeights::TABLE.iter();
        let weights = weights.map(|row| number_setting(row, Role::Usual));
        schema(ROWS).into_iter().chain(weights).collect()
    });
    &SETTINGS
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::find_row;

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
            ("quiescence-plies", "3"),
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
        assert_eq!(Ok(settings.vector.clone()), Vector::named("fitted"));
        for row in SimpleWeights::TABLE {
            let setting = all()
                .iter()
                .find(|setting| setting.key == row.name)
                .expect(row.name);
            let value = setting.read(&row.max.to_string()).expect(row.name);
            settings.set(row.name, &value).expect(row.name);
            assert_eq!(settings.weights.get(row.name), Some(row.max), "{}", row.name);
            let beyond = Value::Integer(i64::from(row.max) + 1);
            assert!(settings.set(row.name, &beyond).is_err(), "{}", row.name);
        }
        let table = find_row(ROWS, "table-mib").expect("a row");
        let error = table.set(&mut LaboratorySettings::default(), &Value::Integer(0));
        assert_eq!(
            error.unwrap_err().to_string(),
            "table-mib: '0' is not a number from 1 to 4194304"
        );
    }

    /// Numbers of an evaluation that is not the one in use would be without effect.
    #[test]
    fn numbers_of_another_evaluation_are_refused_by_name() {
        let refused = |leaf: LeafKind, change: &dyn Fn(&mut LaboratorySettings)| {
            let mut settings = LaboratorySettings {
                leaf,
                ..LaboratorySettings::default()
            };
            change(&mut settings);
            settings.check().err().map(|error| error.to_string())
        };
        let queen = |settings: &mut LaboratorySettings| settings.weights.queen = 950;
        let guess = |settings: &mut LaboratorySettings| settings.vector = Vector::guess();
        assert_eq!(refused(LeafKind::Simple, &queen), None);
        assert_eq!(refused(LeafKind::Full, &guess), None);
        assert_eq!(
            refused(LeafKind::Full, &queen).as_deref(),
            Some(
                "the evaluation full does not weigh queen (expected eval simple, simple-squares or simple-occupation)"
            )
        );
        assert_eq!(
            refused(LeafKind::Simple, &guess).as_deref(),
            Some(
                "the evaluation simple has no parameters, and vector says some (expected eval full or chances)"
            )
        );
    }
}
