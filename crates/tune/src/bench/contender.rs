//! Who takes part in the benchmark: a method, with its usual settings or with others.

use std::str::FromStr;

use toml::{Table, Value};
use vidmar_optim::{Method, Settings};

use crate::config::{ConfigError, assign, misspelt_method};

/// How far from the start populations begin that do not begin anywhere in the intervals.
const AROUND_START: &str = "spread=0.1";

/// A method with settings: `de-rated`, `de-rated:memory=none`, `de-history:spread=0.1:cr=0.8`.
#[derive(Clone, Debug, PartialEq)]
pub struct Contender {
    pub(super) name: String,
    pub(super) settings: Settings,
}

impl Contender {
    /// A method with its usual settings.
    pub fn of(method: Method) -> Contender {
        Contender {
            name: method.name().to_owned(),
            settings: method.settings(),
        }
    }

    /// Every method that can be told games; those whose first population fills the intervals once more with one around the
    /// start.
    pub fn usual() -> Vec<Contender> {
        let around = |method: Method| format!("{}:{AROUND_START}", method.name()).parse();
        let gathered = Method::for_games().filter_map(|method| around(method).ok());
        Method::for_games().map(Contender::of).chain(gathered).collect()
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The method with its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }
}

impl FromStr for Contender {
    type Err = ConfigError;

    fn from_str(text: &str) -> Result<Contender, ConfigError> {
        let mut parts = text.split(':');
        let name = parts.next().unwrap_or_default();
        let found = Method::for_games().find(|method| method.name() == name);
        let method = found.ok_or_else(|| misspelt_method(name, "--methods"))?;
        let optimizer = Value::try_from(method.settings()).expect("settings are a table");
        let mut table = Table::from_iter([("optimizer".to_owned(), optimizer)]);
        for set in parts {
            assign(&mut table, set, &format!("--methods {text}"))?;
        }
        let settings = table.remove("optimizer").map(Value::try_into);
        let settings = settings.expect("it was put in above");
        Ok(Contender {
            name: text.to_owned(),
            settings: settings.map_err(|error: toml::de::Error| ConfigError::File {
                origin: format!("--methods {text}"),
                fault: error.message().to_owned(),
            })?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_optim::differential::{Memory, Settings as De};

    #[test]
    fn settings_are_changed_by_name() {
        let contender: Contender = "de-rated:memory=none:f=1".parse().unwrap();
        let expected = De {
            memory: Memory::None,
            f: 1.0,
            ..De::rated()
        };
        assert_eq!(contender.settings(), &Settings::RatedDe(expected));
        assert_eq!(contender.name(), "de-rated:memory=none:f=1");
        let message = |text: &str| text.parse::<Contender>().unwrap_err().to_string();
        assert_eq!(
            message("de-ratd"),
            "--methods: unknown setting 'de-ratd' (did you mean 'de-rated'?)"
        );
        assert_eq!(
            message("de-rated:memry=none"),
            "--methods de-rated:memry=none: unknown setting 'memry' (did you mean 'memory'?)"
        );
        assert!(message("newton").contains("newton"), "it needs gradients");
        assert!(message("de-rated:memory=nothing").contains("nothing"));
    }

    #[test]
    fn populations_begin_in_the_intervals_and_around_the_start() {
        let usual = Contender::usual();
        let gathered: Vec<&str> = usual
            .iter()
            .map(Contender::name)
            .filter(|name| name.contains(':'))
            .collect();
        assert_eq!(usual.len(), Method::for_games().count() + gathered.len());
        assert_eq!(gathered.len(), 11, "{gathered:?}");
        assert!(gathered.contains(&"evolution:spread=0.1") && !gathered.contains(&"spsa:spread=0.1"));
    }
}
