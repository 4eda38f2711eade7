//! Settings that mean something only beside another one: where that is missing they are refused by name, as the settings of another
//! method or objective are.
//!
//! A configuration that was printed or kept has every setting, so one that is as usual is no mistake. `gauntlet.*` is not among
//! them: `vidmar tune verify --gauntlet` takes it from a run that plays none by itself; `openings.plies` cuts lines of every kind,
//! and is the length of walks where a list is used up.

use std::path::Path;

use super::{Config, ConfigError, OpeningSource};

/// A setting that depends on another one.
struct Dependent {
    key: &'static str,
    /// Its value where it is not the usual one.
    stated: fn(&Config) -> Option<String>,
    /// Whether something comes of it.
    is_used: fn(&Config) -> bool,
    /// What it needs.
    expected: &'static str,
}

const DEPENDENT: [Dependent; 4] = [
    Dependent {
        key: "openings.file",
        stated: |config| Some(config.openings.file.as_ref()?.display().to_string()),
        is_used: |config| matches!(config.openings.source, OpeningSource::File | OpeningSource::Book),
        expected: "openings.source = file or book",
    },
    Dependent {
        key: "engine.options",
        stated: |config| {
            let options = &config.engine.options;
            (!options.is_empty()).then(|| format!("{options:?}"))
        },
        is_used: is_external,
        expected: "engine.command, the program whose options these are",
    },
    Dependent {
        key: "engine.answer_ms",
        stated: |config| (config.engine.answer_ms > 0).then(|| config.engine.answer_ms.to_string()),
        is_used: is_external,
        expected: "engine.command, the program that may take so long",
    },
    Dependent {
        key: "engine.hash",
        stated: |config| (config.engine.hash != USUAL_HASH).then(|| config.engine.hash.to_string()),
        is_used: |config| !is_external(config),
        expected: "engine.options = [\"Hash=…\"] where engine.command is another program",
    },
];

/// The table of every preset.
const USUAL_HASH: usize = 1;

fn is_external(config: &Config) -> bool {
    !config.engine.command.is_empty()
}

/// An error for the first setting that nothing comes of, neither in this run nor in one that follows it.
pub(super) fn check(config: &Config) -> Result<(), ConfigError> {
    let mut chain = vec![config.clone()];
    while let Some((_, next)) = {
        let last = &chain[chain.len() - 1];
        last.next(&last.parameters.start, Path::new(""))?
    } {
        chain.push(next);
    }
    for row in &DEPENDENT {
        let stated = chain.iter().find_map(row.stated);
        if let Some(value) = stated.filter(|_| !chain.iter().any(row.is_used)) {
            return Err(ConfigError::NoEffect {
                key: row.key,
                value,
                expected: row.expected,
            });
        }
    }
    for config in &chain {
        let deeper = &config.verify.deeper;
        let mut later = deeper.iter().enumerate().skip(1);
        if later.any(|(at, one)| deeper[..at].contains(one)) {
            return Err(ConfigError::Twice {
                key: "verify.deeper",
                value: format!("{deeper:?}"),
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::PRESETS;

    fn read(preset: &str, sets: &[&str]) -> Result<Config, String> {
        let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
        Config::read(Some(preset), None, &sets).map_err(|error| error.to_string())
    }

    #[test]
    fn what_nothing_comes_of_is_refused_by_name() {
        for (sets, told) in [
            (
                &["openings.file=none.epd"] as &[&str],
                "openings.file = none.epd has no effect: expected openings.source = file or book",
            ),
            (
                &["engine.options=[\"Hash=4\"]"],
                "engine.options = [\"Hash=4\"] has no effect: expected engine.command, ",
            ),
            (
                &["engine.answer_ms=5"],
                "engine.answer_ms = 5 has no effect: expected engine.command, ",
            ),
            (
                &["engine.command=somebody", "hash=64"],
                "engine.hash = 64 has no effect: expected engine.options = [\"Hash=…\"]",
            ),
            (&["deeper=[0, 1, 0]"], "verify.deeper = [0, 1, 0]: "),
        ] {
            let error = read("narrow", sets).unwrap_err();
            assert!(error.contains(told), "{sets:?}: {error}");
        }
        for sets in [
            &["openings.source=file", "openings.file=none.epd"] as &[&str],
            &[
                "engine.command=somebody",
                "engine.options=[\"Hash=4\"]",
                "engine.answer_ms=5",
            ],
            &["hash=64", "deeper=[1, 0]"],
            &["gauntlet.finalists=5", "gauntlet.limit=3", "openings.plies=4"],
        ] {
            assert!(read("narrow", sets).is_ok(), "{sets:?}");
        }
    }

    /// A file for a run that follows is of use, and what was printed is read.
    #[test]
    fn later_runs_count_and_printed_configurations_are_read() {
        let stage = "[[then]]\nname = \"again\"\nchange = { openings = { source = \"file\" } }\n";
        let file = format!("[openings]\nfile = \"lines.epd\"\n{stage}");
        let read_file = |text: &str| Config::read(None, Some((Path::new("my.toml"), text)), &[]);
        assert!(read_file(&file).is_ok());
        for preset in PRESETS {
            let config = read(preset.name, &[]).unwrap();
            assert_eq!(config.engine.hash, USUAL_HASH);
            assert_eq!(read_file(&config.to_toml()).unwrap(), config, "{}", preset.name);
        }
    }
}
