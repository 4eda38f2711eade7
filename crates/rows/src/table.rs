//! Any rows as a table: comma-separated values, or JSON.

use serde::Serialize;
use serde_json::{Map, Value};

/// What can stand in a table.
pub trait Row {
    /// The names of its columns.
    const COLUMNS: &'static [&'static str];

    /// Its values, one for each column.
    fn cells(&self) -> Vec<Value>;
}

/// How a table is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Comma-separated values with a header.
    Csv,
    /// An array of objects.
    Json,
}

impl Format {
    /// What its files end with.
    pub const fn extension(self) -> &'static str {
        match self {
            Format::Csv => "csv",
            Format::Json => "json",
        }
    }
}

/// A table with named columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    columns: Vec<String>,
    rows: Vec<Vec<Value>>,
}

impl Table {
    /// An empty table with these columns.
    pub fn new<C: Into<String>>(columns: impl IntoIterator<Item = C>) -> Table {
        Table {
            columns: columns.into_iter().map(Into::into).collect(),
            rows: Vec::new(),
        }
    }

    /// A table of rows.
    pub fn of<R: Row>(rows: impl IntoIterator<Item = R>) -> Table {
        let mut table = Table::new(R::COLUMNS.iter().copied());
        table.rows.extend(rows.into_iter().map(|row| row.cells()));
        table
    }

    /// A table of rows whose last column is a list: each of its values gets a column of its own, by these names.
    pub fn spread<R: Row>(rows: impl IntoIterator<Item = R>, names: &[String]) -> Table {
        let fixed = R::COLUMNS.len() - 1;
        let columns = R::COLUMNS[..fixed].iter().copied();
        let mut table = Table::new(columns.map(str::to_owned).chain(names.iter().cloned()));
        for row in rows {
            let mut cells = row.cells();
            if let Some(Value::Array(values)) = cells.pop() {
                cells.extend(
                    values
                        .iter()
                        .map(|value| value.as_f64().map_or(Value::Null, whole)),
                );
            }
            table.push(cells);
        }
        table
    }

    /// One more row; what is missing at its end is nothing, what is too much is left out.
    pub fn push(&mut self, mut cells: Vec<Value>) {
        cells.resize(self.columns.len(), Value::Null);
        self.rows.push(cells);
    }

    /// The whole table.
    pub fn text(&self, format: Format) -> String {
        match format {
            Format::Csv => self.csv(),
            Format::Json => {
                let object = |row: &Vec<Value>| {
                    let pairs = self.columns.iter().cloned().zip(row.iter().cloned());
                    Value::Object(pairs.collect::<Map<String, Value>>())
                };
                Value::Array(self.rows.iter().map(object).collect()).to_string() + "\n"
            }
        }
    }

    fn csv(&self) -> String {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let texts = |row: &Vec<Value>| row.iter().map(text).collect::<Vec<String>>();
        let rows = self.rows.iter().map(texts);
        for record in std::iter::once(self.columns.clone()).chain(rows) {
            writer
                .write_record(&record)
                .expect("rows are as long as the header, and memory takes all");
        }
        let bytes = writer.into_inner().expect("memory takes all");
        String::from_utf8(bytes).expect("made of texts")
    }
}

/// A value of a column.
pub(crate) fn cell(value: &impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or(Value::Null)
}

/// Whole where it is whole: 2, not 2.0.
pub fn whole(number: f64) -> Value {
    if number.fract() == 0.0 && number.abs() < 9e15 {
        Value::from(number as i64)
    } else {
        Value::from(number)
    }
}

fn text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{GauntletRow, ResultVectorRow};

    #[test]
    fn tables_by_hand() {
        let mut table = Table::new(["index", "a,b", "c"]);
        table.push(vec![json!(0), json!(2), json!(2.5)]);
        table.push(vec![json!(1), Value::Null, json!("x\"y")]);
        assert_eq!(
            table.text(Format::Csv),
            "index,\"a,b\",c\n0,2,2.5\n1,,\"x\"\"y\"\n"
        );
        let json = table.text(Format::Json);
        assert_eq!(
            json,
            "[{\"a,b\":2,\"c\":2.5,\"index\":0},{\"a,b\":null,\"c\":\"x\\\"y\",\"index\":1}]\n"
        );
    }

    #[test]
    fn a_list_is_spread_over_named_columns() {
        let row = |values: &[f64]| ResultVectorRow {
            vector: "centroid".into(),
            recommended: true,
            games: 7,
            score: None,
            values: values.to_vec(),
        };
        let names = ["PawnValue".to_owned(), "KnightValue".to_owned()];
        assert_eq!(
            Table::spread([row(&[100.0, 310.5]), row(&[90.0])], &names).text(Format::Csv),
            "vector,recommended,games,score,PawnValue,KnightValue\n\
             centroid,true,7,,100,310.5\ncentroid,true,7,,90,\n"
        );
    }

    #[test]
    fn the_columns_are_the_keys_of_the_json() {
        let row = GauntletRow {
            player: "start".into(),
            reference: false,
            recommended: false,
            elo: 1700.0,
            error: None,
            low: None,
            high: None,
            games: 2,
            wins: 1,
            draws: 0,
            losses: 1,
        };
        let object = serde_json::to_value(&row).unwrap();
        let keys = object.as_object().unwrap().keys().map(String::as_str);
        let mut columns = GauntletRow::COLUMNS.to_vec();
        columns.sort_unstable();
        assert_eq!(keys.collect::<Vec<_>>(), columns);
        assert_eq!(Table::of([row]).rows[0].len(), columns.len());
    }
}
