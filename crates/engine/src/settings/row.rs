//! A setting where it is declared: the row of its schema together with the field that it sets.

use std::sync::Arc;

use super::setting::{Check, Kind, Needs, Role, Setting, Unset, Wanted};
use super::value::{SettingError, Value};

/// One thing that can be chosen about players whose settings are an `S`; the default is that of `S`.
pub struct Row<S: 'static> {
    /// Its key in player specifications, on command lines and on the page.
    pub key: &'static str,
    /// The name of its UCI option; empty if it is none.
    pub uci: &'static str,
    /// What people call it.
    pub label: &'static str,
    /// One line about it.
    pub help: &'static str,
    /// The field.
    pub field: Field<S>,
    /// Who sets it.
    pub role: Role,
    /// What holds as long as nobody sets it.
    pub unset: Unset,
    /// To what it belongs, without which it has no effect.
    pub needs: Option<Needs>,
}

/// How a field is read and written.
pub enum Field<S: 'static> {
    /// On or off.
    Switch {
        /// Reads it.
        get: fn(&S) -> bool,
        /// Writes it.
        set: fn(&mut S, bool),
    },
    /// A whole number.
    Integer {
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
        /// Reads it.
        get: fn(&S) -> i64,
        /// Writes it.
        set: fn(&mut S, i64),
    },
    /// One of some words.
    Choice {
        /// All words.
        values: fn() -> Vec<&'static str>,
        /// Reads it.
        get: fn(&S) -> &'static str,
        /// Writes it; false if the word is none of them.
        set: fn(&mut S, &str) -> bool,
    },
    /// A text with a grammar of its own.
    Text {
        /// What it should be, in words.
        expected: &'static str,
        /// Reads it.
        get: fn(&S) -> String,
        /// Writes it, or says why not.
        set: fn(&mut S, &str) -> Result<(), String>,
    },
    /// Of another kind: a path, a vector.
    Other {
        /// The kind.
        kind: fn() -> Kind,
        /// Reads it.
        get: fn(&S) -> Value,
        /// Writes it, or says why not.
        set: fn(&mut S, &Value) -> Result<(), String>,
    },
}

/// The field of a table of names: `choice!(Type, field)`, where `Type` has `ALL` and `name`.
#[macro_export]
macro_rules! choice {
    ($table:ty, $($field:ident).+) => {
        $crate::settings::Field::Choice {
            values: || <$table>::ALL.iter().map(|row| row.name()).collect(),
            get: |settings| settings.$($field).+.name(),
            set: |settings, word| {
                let known = <$table>::ALL.iter().copied().find(|row| row.name() == word);
                known.map(|row| settings.$($field).+ = row).is_some()
            },
        }
    };
}

/// The field of something that is on or off: `switch!(field)`.
#[macro_export]
macro_rules! switch {
    ($($field:ident).+) => {
        $crate::settings::Field::Switch {
            get: |settings| settings.$($field).+,
            set: |settings, on| settings.$($field).+ = on,
        }
    };
}

/// The field of a number: `integer!(type, range, field)`.
#[macro_export]
macro_rules! integer {
    ($type:ty, $min:expr, $max:expr, $($field:ident).+) => {
        $crate::settings::Field::Integer {
            min: $min,
            max: $max,
            get: |settings| settings.$($field).+ as i64,
            set: |settings, number| settings.$($field).+ = number as $type,
        }
    };
}

impl<S> Row<S> {
    /// A row that everybody may set.
    pub const fn new(
        key: &'static str,
        uci: &'static str,
        label: &'static str,
        help: &'static str,
        field: Field<S>,
    ) -> Row<S> {
        Row {
            key,
            uci,
            label,
            help,
            field,
            role: Role::Usual,
            unset: Unset::Default,
            needs: None,
        }
    }

    /// The same for others to set.
    #[must_use]
    pub const fn role(mut self, role: Role) -> Row<S> {
        self.role = role;
        self
    }

    /// The same with something else that holds unless it is set.
    #[must_use]
    pub const fn unset(mut self, unset: Unset) -> Row<S> {
        self.unset = unset;
        self
    }

    /// The same, which has an effect only where another setting is what is wanted.
    #[must_use]
    pub const fn needs(mut self, key: &'static str, wanted: Wanted) -> Row<S> {
        self.needs = Some(Needs { key, wanted });
        self
    }

    /// The value in some settings.
    pub fn get(&self, settings: &S) -> Value {
        match &self.field {
            Field::Switch { get, .. } => Value::Switch(get(settings)),
            Field::Integer { get, .. } => Value::Integer(get(settings)),
            Field::Choice { get, .. } => get(settings).into(),
            Field::Text { get, .. } => get(settings).into(),
            Field::Other { get, .. } => get(settings),
        }
    }

    /// Sets the field, or leaves it as it is and says why.
    pub fn set(&self, settings: &mut S, value: &Value) -> Result<(), SettingError> {
        let refused = |reason: String| SettingError::refused(self.key, reason);
        let fits = match (&self.field, value) {
            (Field::Switch { set, .. }, Value::Switch(on)) => {
                set(settings, *on);
                true
            }
            (Field::Integer { min, max, set, .. }, Value::Integer(number)) => {
                let fits = (min..=max).contains(&number);
                if fits {
                    set(settings, *number);
                }
                fits
            }
            (Field::Choice { set, .. }, Value::Text(word)) => set(settings, word),
            (Field::Text { set, .. }, Value::Text(text)) => return set(settings, text).map_err(refused),
            (Field::Other { set, .. }, value) => return set(settings, value).map_err(refused),
            _ => false,
        };
        if fits { Ok(()) } else { Err(self.unfit(value)) }
    }

    fn unfit(&self, value: &Value) -> SettingError {
        let expected = match &self.field {
            Field::Switch { .. } => "true or false".to_owned(),
            Field::Integer { min, max, .. } => format!("a number from {min} to {max}"),
            Field::Choice { values, .. } => format!("one of {}", values().join(", ")),
            Field::Text { expected, .. } => (*expected).to_owned(),
            Field::Other { kind, .. } => kind().expected(),
        };
        SettingError::Value {
            name: self.key.to_owned(),
            value: value.to_string().as_str().into(),
            expected,
        }
    }
}

impl<S: Default> Row<S> {
    /// The row as others read it.
    pub fn setting(&self) -> Setting {
        let usual = S::default();
        let kind = match &self.field {
            Field::Switch { get, .. } => Kind::Switch { default: get(&usual) },
            &Field::Integer { min, max, get, .. } => Kind::Integer {
                default: get(&usual),
                min,
                max,
            },
            Field::Choice { values, get, .. } => Kind::Choice {
                default: get(&usual),
                values: values(),
            },
            &Field::Text { expected, get, set } => Kind::Text {
                default: get(&usual),
                expected,
                check: Check(Arc::new(move |text| set(&mut S::default(), text))),
            },
            Field::Other { kind, .. } => kind(),
        };
        Setting {
            key: self.key.into(),
            uci: self.uci.into(),
            label: self.label,
            help: self.help,
            kind,
            role: self.role,
            unset: self.unset,
            needs: self.needs,
        }
    }
}

/// The rows as others read them.
pub fn schema<S: Default>(rows: &[Row<S>]) -> Vec<Setting> {
    rows.iter().map(Row::setting).collect()
}

/// The row with this key.
pub fn find_row<'r, S>(rows: &'r [Row<S>], key: &str) -> Result<&'r Row<S>, SettingError> {
    let found = rows.iter().find(|row| row.key == key);
    found.ok_or_else(|| SettingError::unknown(key, rows.iter().map(|row| row.key)))
}

/// Sets the field of the row with this key.
pub fn set<S>(rows: &[Row<S>], settings: &mut S, key: &str, value: &Value) -> Result<(), SettingError> {
    find_row(rows, key)?.set(settings, value)
}
