//! How large a number of a configuration may be: one row each, read by one reader.
//!
//! Every count below becomes memory, games or both. A number that no machine can carry out is a slip of the finger, and is
//! refused with its range before anything is made of it; so is a round that is too large as a product of two that are not.

use toml::{Table, Value};

use super::ConfigError;

/// Smallest and largest value of a whole number, by its path.
const RANGES: &[(&str, i64, i64)] = &[
    ("seed", 0, i64::MAX),
    ("budget.generations", 0, 1_000_000_000),
    ("budget.total_games", 0, 1_000_000_000_000),
    ("stop.seconds", 0, 1_000_000_000),
    ("stop.no_gain_after", 0, 1_000_000_000_000),
    ("engine.depth", 0, 100),
    ("engine.nodes", 0, 1_000_000_000_000),
    ("engine.move_time", 0, 86_400_000),
    ("engine.answer_ms", 0, u32::MAX as i64),
    ("engine.hash", 1, 65_536),
    ("objective.games", 1, 1_000_000),
    ("objective.self_play", 0, 100_000_000),
    ("objective.positions", 0, 1_000_000_000),
    ("verify.pairs", 0, 1_000_000),
    ("verify.deeper", 0, 50),
    ("openings.plies", 0, 100),
    ("rules.max_moves", 0, 10_000),
    ("rules.lead", 0, 100_000),
    ("gauntlet.each", 0, 1_000_000),
    ("gauntlet.finalists", 0, 10_000),
    ("gauntlet.limit", 0, 1_000_000_000_000),
    ("optimizer.population", 2, 100_000),
    ("optimizer.lag", 0, 4_096),
];

/// Of every whole number that has no row: sizes and counts of the optimisers.
const OTHERS: (i64, i64) = (-1_000_000, 1_000_000);

/// The most games of one round: they are listed in memory, about 5 KiB each with their players and what the optimiser keeps of
/// them, so that a round fits into a GiB. No round that anybody plays is near it.
const LARGEST_ROUND: i64 = 200_000;

/// What multiplies the games of a vector in a round.
const FACTORS: [&str; 4] = ["population", "directions", "offspring", "parents"];

/// Sections whose numbers are not counts.
const FREE: [&str; 1] = ["parameters"];

/// An error for the first number that is out of its range.
pub(super) fn check(table: &Table, origin: &str) -> Result<(), ConfigError> {
    walk(table, "", origin)?;
    check_round(table, origin)
}

fn walk(table: &Table, path: &str, origin: &str) -> Result<(), ConfigError> {
    for (key, value) in table {
        let inside = match path {
            "" => key.clone(),
            path => format!("{path}.{key}"),
        };
        look(value, &inside, origin)?;
    }
    Ok(())
}

fn look(value: &Value, path: &str, origin: &str) -> Result<(), ConfigError> {
    match value {
        Value::Integer(number) => look_at(*number, path, origin),
        Value::Array(values) => values.iter().try_for_each(|value| match value {
            // A later stage is a configuration over this one.
            Value::Table(stage) if path == "then" => stage
                .get("change")
                .and_then(Value::as_table)
                .map_or(Ok(()), |change| walk(change, "", origin)),
            value => look(value, path, origin),
        }),
        Value::Table(table) if !FREE.contains(&path) => walk(table, path, origin),
        _ => Ok(()),
    }
}

/// Smallest and largest value of the whole number with this path.
pub(super) fn range(path: &str) -> (i64, i64) {
    let row = RANGES.iter().find(|row| row.0 == path);
    row.map_or(OTHERS, |row| (row.1, row.2))
}

fn look_at(number: i64, path: &str, origin: &str) -> Result<(), ConfigError> {
    let (min, max) = range(path);
    if (min..=max).contains(&number) {
        return Ok(());
    }
    Err(ConfigError::Range {
        origin: origin.to_owned(),
        key: path.to_owned(),
        value: number,
        min,
        max,
    })
}

fn check_round(table: &Table, origin: &str) -> Result<(), ConfigError> {
    let number = |section: &str, key: &str| table.get(section)?.get(key)?.as_integer();
    let games = number("objective", "games").unwrap_or(1).max(1);
    for key in FACTORS {
        let Some(factor) = number("optimizer", key) else {
            continue;
        };
        if games.saturating_mul(factor) > LARGEST_ROUND {
            return Err(ConfigError::Round {
                origin: origin.to_owned(),
                factor: format!("optimizer.{key} = {factor}"),
                games,
                most: LARGEST_ROUND,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::{Config, PRESETS};

    /// Every whole number of every preset, set to what it cannot be.
    #[test]
    fn every_count_has_an_end() {
        for preset in PRESETS {
            let text = Config::read(Some(preset.name), None, &[]).unwrap().to_toml();
            let table: toml::Table = text.parse().unwrap();
            for section in [
                "budget",
                "engine",
                "objective",
                "verify",
                "openings",
                "rules",
                "gauntlet",
                "optimizer",
            ] {
                let keys = table[section].as_table().unwrap();
                for (key, _) in keys.iter().filter(|(_, value)| value.is_integer()) {
                    for value in [i64::MAX, 1_000_000_000_001, i64::MIN] {
                        let set = format!("{section}.{key}={value}");
                        let error =
                            Config::read(Some(preset.name), None, std::slice::from_ref(&set)).unwrap_err();
                        let told = error.to_string();
                        assert!(
                            told.contains(&format!("{section}.{key} = {value}: expected ")),
                            "{set}: {told}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn what_fits_alone_may_be_too_much_together() {
        let sets = ["population=100000", "games=1000"].map(str::to_owned);
        let error = Config::read(Some("narrow"), None, &sets).unwrap_err().to_string();
        assert!(error.contains("optimizer.population = 100000"), "{error}");
        assert!(Config::read(Some("narrow"), None, &sets[1..]).is_ok());
        for (method, factor) in [
            ("spsa", "directions"),
            ("cma-es", "offspring"),
            ("evolution", "parents"),
        ] {
            let sets = [
                format!("method={method}"),
                format!("{factor}=100000"),
                "games=4".to_owned(),
            ];
            let error = Config::read(Some("quick"), None, &sets).unwrap_err().to_string();
            let told = format!(
                "optimizer.{factor} = 100000 with objective.games = 4: expected at most 200000 games"
            );
            assert!(error.contains(&told), "{error}");
        }
    }

    #[test]
    fn the_largest_seed_is_a_seed() {
        let request = super::super::Request {
            seed: Some(u64::MAX),
            ..Default::default()
        };
        let config = request.config().unwrap();
        assert_eq!(config.seed, u64::MAX);
        let again = Config::read(
            None,
            Some((std::path::Path::new("c.toml"), &config.to_toml())),
            &[],
        )
        .unwrap();
        assert_eq!(again.seed, u64::MAX);
    }
}
