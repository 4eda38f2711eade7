//! Every setting that a configuration can have, for programs that make configurations and for those that test them.
//!
//! What is there depends on two choices, the optimiser and the objective; so a key says under which of them it is meant.

use toml::Value;
use vidmar_optim::Method;

use super::overlay::{leaves, table_with};
use super::{ConfigError, limits};
use crate::objective::ObjectiveKind;

/// A setting of a configuration.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Key {
    /// The choice under which it is there, as a `--set`: `method=spsa`, `kind=texel`; nothing for the usual ones.
    pub choice: Option<String>,
    /// Its path: `budget.generations`.
    pub path: String,
    /// What its value is: `integer`, `float`, `string`, `boolean`, `array`; `none` if it has none at first.
    pub kind: &'static str,
    /// Smallest and largest, where it is a whole number.
    pub range: Option<(i64, i64)>,
}

/// All of them: first the usual ones, then those of every method, then those of every objective.
pub fn keys() -> Result<Vec<Key>, ConfigError> {
    let mut found = keys_under(None, "")?;
    for method in Method::NAMES {
        found.extend(keys_under(Some(&format!("method={method}")), "optimizer.")?);
    }
    for objective in ObjectiveKind::NAMES {
        found.extend(keys_under(Some(&format!("kind={objective}")), "objective.")?);
    }
    Ok(found)
}

fn keys_under(choice: Option<&str>, within: &str) -> Result<Vec<Key>, ConfigError> {
    let table = table_with(choice)?;
    let paths = leaves(&table);
    let whole = Value::Table(table);
    let key = |path: Vec<String>| {
        let value = path.iter().try_fold(&whole, |at, part| at.get(part));
        let path = path.join(".");
        let is_whole = matches!(value, Some(Value::Integer(_)));
        path.starts_with(within).then(|| Key {
            choice: choice.map(str::to_owned),
            range: is_whole.then(|| limits::range(&path)),
            kind: value.map_or("none", Value::type_str),
            path,
        })
    };
    Ok(paths.into_iter().filter_map(key).collect())
}

#[cfg(test)]
mod tests {
    use super::super::overlay::LISTED;
    use super::*;

    #[test]
    fn every_key_can_be_set() {
        let keys = keys().unwrap();
        for path in [
            "seed",
            "budget.generations",
            "optimizer.population",
            "objective.games",
            "openings.file",
        ] {
            assert!(keys.iter().any(|key| key.path == path), "{path}");
        }
        for key in &keys {
            let set = format!("{}=0", key.path);
            let sets: Vec<String> = key.choice.iter().cloned().chain([set]).collect();
            let read = super::super::Config::read(Some(LISTED), None, &sets);
            let is_known =
                !matches!(&read, Err(ConfigError::UnknownKey { key: word, .. }) if *word == key.path);
            assert!(is_known, "{key:?}: {read:?}");
        }
    }
}
