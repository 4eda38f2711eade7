//! One table over another, and the words that users get wrong.

use std::path::Path;

use thiserror::Error;
use toml::{Table, Value};
use vidmar_optim::Method;
use vidmar_optim::differential::Settings as De;
use vidmar_text::did_you_mean;

use super::{Config, PRESETS, Preset, effect, files, limits};
use crate::objective::ObjectiveKind;
use crate::parameter_list::ParameterList;

/// Why a configuration cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    /// No such preset.
    #[error("unknown preset '{name}'{hint}")]
    UnknownPreset {
        /// What was asked for.
        name: String,
        /// ` (did you mean '…'?)` where a known name is near.
        hint: String,
    },
    /// Not TOML, or a value of the wrong kind.
    #[error("{origin}: {fault}")]
    File {
        /// The file, or the `--set`.
        origin: String,
        /// What is wrong.
        fault: String,
    },
    /// A word that no table has.
    #[error("{origin}: unknown setting '{key}'{hint}")]
    UnknownKey {
        /// The file, or the `--set`.
        origin: String,
        /// The word.
        key: String,
        /// ` (did you mean '…'?)` where a known word is near.
        hint: String,
    },
    /// No `=`.
    #[error("{0}: expected KEY=VALUE")]
    NotAnAssignment(String),
    /// More than one table has the word.
    #[error("--set {key}: '{key}' is in several tables: {candidates}")]
    Ambiguous {
        /// The word.
        key: String,
        /// Where it is.
        candidates: String,
    },
    /// A number that is too small or too large.
    #[error("{origin}: {key} = {value}: expected {min} to {max}")]
    Range {
        /// The file, or the `--set`.
        origin: String,
        /// Its path.
        key: String,
        /// What was given.
        value: i64,
        /// The smallest.
        min: i64,
        /// The largest.
        max: i64,
    },
    /// A setting that means something only beside another one.
    #[error("{key} = {value} has no effect: expected {expected}")]
    NoEffect {
        /// Its path.
        key: &'static str,
        /// What was given.
        value: String,
        /// What it needs.
        expected: &'static str,
    },
    /// A list that has the same twice.
    #[error("{key} = {value}: expected each of them once")]
    Twice {
        /// Its path.
        key: &'static str,
        /// What was given.
        value: String,
    },
    /// Two numbers that are too large together.
    #[error("{origin}: {factor} with objective.games = {games}: expected at most {most} games in a round")]
    Round {
        /// The file, or the `--set`.
        origin: String,
        /// The other number.
        factor: String,
        /// Games of a vector.
        games: i64,
        /// The most.
        most: i64,
    },
}

/// See [`Config::read`].
pub(super) fn read(
    preset: Option<&str>,
    list: Option<&ParameterList>,
    file: Option<(&Path, &str)>,
    sets: &[String],
) -> Result<Config, ConfigError> {
    let config = laid_over(preset, list, file, sets)?;
    effect::check(&config)?;
    Ok(config)
}

/// The same, with settings that nothing comes of.
pub(super) fn laid_over(
    preset: Option<&str>,
    list: Option<&ParameterList>,
    file: Option<(&Path, &str)>,
    sets: &[String],
) -> Result<Config, ConfigError> {
    let name = file.map(|(path, _)| path.display().to_string());
    // A file or a list alone is laid over `narrow`, whose settings are the usual ones.
    let is_alone = file.is_none() && list.is_none();
    let default = if is_alone { PRESETS[0].name } else { "narrow" };
    let config = Preset::named(preset.unwrap_or(default))?.config();
    let mut table = as_table(&list.map_or(config.clone(), |list| list.over(config)));
    let choices = || sets.iter().filter_map(|set| Some((set, Choice::of(set)?)));
    if let (Some((path, text)), Some(name)) = (file, &name) {
        let mut over: Table = text.parse().map_err(|error: toml::de::Error| ConfigError::File {
            origin: name.clone(),
            fault: error.to_string().trim_end().to_owned(),
        })?;
        files::resolve(&mut over, path.parent().unwrap_or(Path::new("")));
        // What a file says of an optimiser or an objective that it does not name is meant for the one that is asked for.
        for (set, choice) in choices() {
            let (section, key) = choice.path();
            if over.get(section).is_none_or(|section| section.get(key).is_none()) {
                assign(&mut table, set, &format!("--set {set}"))?;
            }
        }
        lay_over(&mut table, over, name)?;
    }
    let key = |set: &String| {
        Some(
            set.split_once('=')?
                .0
                .trim()
                .trim_start_matches("engine.")
                .to_owned(),
        )
    };
    replace_limits(&mut table, &sets.iter().filter_map(key).collect::<Vec<_>>());
    // Whose settings the others are is settled first, wherever it stands: one that it has no use for is then refused by name.
    let others = sets.iter().filter(|set| Choice::of(set).is_none());
    for set in choices().map(|(set, _)| set).chain(others) {
        assign(&mut table, set, &format!("--set {set}"))?;
    }
    as_config(table, name.as_deref().unwrap_or("--set"))
}

/// A setting that decides which other settings there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Choice {
    Method,
    Objective,
}

impl Choice {
    /// The choice that `KEY=VALUE` makes, if it makes one.
    fn of(set: &str) -> Option<Choice> {
        match set.split_once('=')?.0.trim() {
            "method" | "optimizer.method" => Some(Choice::Method),
            "kind" | "objective.kind" => Some(Choice::Objective),
            _ => None,
        }
    }

    /// Where it stands in a file.
    fn path(self) -> (&'static str, &'static str) {
        match self {
            Choice::Method => ("optimizer", "method"),
            Choice::Objective => ("objective", "kind"),
        }
    }
}

/// A configuration with another table over it.
pub(super) fn changed(config: &Config, over: Table, origin: &str) -> Result<Config, ConfigError> {
    let mut table = as_table(config);
    lay_over(&mut table, over, origin)?;
    as_config(table, origin)
}

/// The preset whose settings are listed as the usual ones.
pub(super) const LISTED: &str = "quick";

/// The table of that preset, perhaps with a choice laid over it.
pub(super) fn table_with(choice: Option<&str>) -> Result<Table, ConfigError> {
    let mut table = as_table(&Preset::named(LISTED)?.config());
    if let Some(set) = choice {
        assign(&mut table, set, &format!("--set {set}"))?;
    }
    Ok(table)
}

fn as_config(table: Table, origin: &str) -> Result<Config, ConfigError> {
    limits::check(&table, origin)?;
    Value::Table(table)
        .try_into()
        .map_err(|error: toml::de::Error| understood(origin, &error))
}

pub(crate) fn as_table(config: &Config) -> Table {
    Table::try_from(config).expect("a configuration is a table")
}

pub(crate) fn misspelt_method(method: &str, origin: &str) -> ConfigError {
    ConfigError::UnknownKey {
        origin: origin.into(),
        key: method.into(),
        hint: did_you_mean(method, Method::NAMES.iter().copied()),
    }
}

/// Settings of the method that is asked for, before anything else is laid over them.
fn change_method(table: &mut Table, method: &str, origin: &str) -> Result<(), ConfigError> {
    let found: Method = method.parse().map_err(|_| misspelt_method(method, origin))?;
    let now = table
        .get("optimizer")
        .and_then(|o| o.get("method"))
        .and_then(Value::as_str);
    if now != Some(found.name()) {
        let settings = Value::try_from(found.settings()).expect("settings are a table");
        table.insert("optimizer".into(), settings);
    }
    Ok(())
}

/// Settings of the objective that is asked for; those that both have stay as they are.
fn change_objective(table: &mut Table, kind: &str, origin: &str) -> Result<(), ConfigError> {
    let found: ObjectiveKind = kind.parse().map_err(|_| ConfigError::UnknownKey {
        origin: origin.into(),
        key: kind.into(),
        hint: did_you_mean(kind, ObjectiveKind::NAMES.iter().copied()),
    })?;
    let mut settings = found.defaults().table();
    if let Some(Value::Table(now)) = table.remove("objective") {
        let is_of_both = |key: &str| found.settings().iter().any(|setting| setting.key == key);
        settings.extend(now.into_iter().filter(|(key, _)| is_of_both(key)));
    }
    table.insert("objective".into(), settings.into());
    Ok(())
}

fn lay_over(base: &mut Table, over: Table, origin: &str) -> Result<(), ConfigError> {
    let text = |table: &str, key: &str| Some(over.get(table)?.get(key)?.as_str()?.to_owned());
    if let Some(method) = text("optimizer", "method") {
        change_method(base, &method, origin)?;
    }
    if let Some(kind) = text("objective", "kind") {
        change_objective(base, &kind, origin)?;
    }
    if let Some(engine) = over.get("engine").and_then(Value::as_table) {
        replace_limits(base, &engine.keys().cloned().collect::<Vec<_>>());
    }
    merge(base, over);
    Ok(())
}

/// What a move may take. Whoever states one of them means it instead of those that a preset or a file below states.
const LIMITS: [&str; 4] = ["depth", "nodes", "move_time", "tc"];

/// Takes the limits away that are not among the keys, where one of the keys is a limit.
fn replace_limits(table: &mut Table, keys: &[String]) {
    let is_stated = |limit: &str| keys.iter().any(|key| key == limit);
    let Some(engine) = table.get_mut("engine").and_then(Value::as_table_mut) else {
        return;
    };
    if !LIMITS.into_iter().any(is_stated) {
        return;
    }
    for limit in LIMITS.into_iter().filter(|limit| !is_stated(limit)) {
        match engine.get_mut(limit) {
            Some(Value::Integer(number)) => *number = 0,
            Some(_) => drop(engine.remove(limit)),
            None => {}
        }
    }
}

/// Tables are merged, everything else is replaced; an unknown word is found when the whole is read.
fn merge(base: &mut Table, over: Table) {
    for (key, value) in over {
        match (base.get_mut(&key), value) {
            (Some(Value::Table(below)), Value::Table(above)) => merge(below, above),
            (_, value) => {
                base.insert(key, value);
            }
        }
    }
}

/// Lays `KEY=VALUE` over a table.
pub(crate) fn assign(table: &mut Table, set: &str, origin: &str) -> Result<(), ConfigError> {
    let (key, text) = set
        .split_once('=')
        .ok_or_else(|| ConfigError::NotAnAssignment(origin.into()))?;
    let (key, text) = (key.trim(), text.trim());
    match Choice::of(set) {
        Some(Choice::Method) => return change_method(table, text.trim_matches('"'), origin),
        Some(Choice::Objective) => return change_objective(table, text.trim_matches('"'), origin),
        None if key == "history" && matches!(text, "on" | "off") => {
            return switch_history(table, text == "on", origin);
        }
        None => {}
    }
    let path = resolve(table, key, origin)?;
    let value = value_of(text);
    let (last, tables) = path.split_last().expect("a path has a last part");
    let mut at = table;
    for name in tables {
        at = at
            .get_mut(name)
            .and_then(Value::as_table_mut)
            .ok_or_else(|| ConfigError::UnknownKey {
                origin: origin.into(),
                key: key.into(),
                hint: String::new(),
            })?;
    }
    // 100 where 100.0 is meant is no mistake.
    let value = match (at.get(last), value) {
        (Some(Value::Float(_)), Value::Integer(whole)) => Value::Float(whole as f64),
        (_, value) => value,
    };
    at.insert(last.clone(), value);
    Ok(())
}

/// A TOML value, or else a word.
fn value_of(text: &str) -> Value {
    let parsed: Result<Table, _> = format!("value = {text}").parse();
    match parsed.ok().and_then(|mut table| table.remove("value")) {
        Some(value) => value,
        None if text == "on" => Value::Boolean(true),
        None if text == "off" => Value::Boolean(false),
        None => Value::String(text.into()),
    }
}

/// `history=off` is the published experiment without history, DE/best/1; `on` is that with. What else was chosen stays.
fn switch_history(table: &mut Table, on: bool, origin: &str) -> Result<(), ConfigError> {
    let optimizer = |table: &Table| table.get("optimizer").and_then(Value::as_table).cloned();
    let before = optimizer(table).filter(|settings| settings.contains_key("mutation"));
    let Some(before) = before else {
        return Err(ConfigError::File {
            origin: origin.into(),
            fault: "the optimiser has no history to switch".into(),
        });
    };
    let mut usual = table.clone();
    if let Some(method) = before.get("method").and_then(Value::as_str) {
        usual.remove("optimizer");
        change_method(&mut usual, method, origin)?;
    }
    let usual = optimizer(&usual).unwrap_or_default();
    change_method(table, if on { "de-history" } else { "de-no-history" }, origin)?;
    let like = if on {
        De::with_history()
    } else {
        De::without_history()
    };
    let like = Table::try_from(like).expect("settings are a table");
    if let Some(optimizer) = table.get_mut("optimizer").and_then(Value::as_table_mut) {
        let is_chosen = |key: &String, value: &Value| key != "method" && usual.get(key) != Some(value);
        let chosen = before.into_iter().filter(|(key, value)| is_chosen(key, value));
        for (key, value) in chosen
            .filter(|(key, _)| optimizer.contains_key(key))
            .collect::<Vec<_>>()
        {
            optimizer.insert(key, value);
        }
        for key in ["mutation", "memory"] {
            optimizer.insert(key.into(), like[key].clone());
        }
    }
    Ok(())
}

/// Whether a path is `key` or ends with it: `count_trials`, `history.count_trials`, `optimizer.history.count_trials`.
fn ends_with(path: &[String], key: &str) -> bool {
    let parts: Vec<&str> = key.split('.').collect();
    path.len() >= parts.len() && path[path.len() - parts.len()..] == parts
}

/// A dotted path as it is; its end, a single word at least, wherever it is the only one of its kind.
fn resolve(table: &Table, key: &str, origin: &str) -> Result<Vec<String>, ConfigError> {
    let leaves = leaves(table);
    let found: Vec<&Vec<String>> = leaves.iter().filter(|path| ends_with(path, key)).collect();
    let exact = found.iter().find(|path| path.join(".") == key);
    match (exact, found.as_slice()) {
        (Some(path), _) | (None, [path]) => Ok((*path).clone()),
        (None, []) => {
            let name = |path: &Vec<String>| {
                let last = path.last().cloned().unwrap_or_default();
                if key.contains('.') { path.join(".") } else { last }
            };
            let names: Vec<String> = leaves.iter().map(name).collect();
            Err(ConfigError::UnknownKey {
                origin: origin.into(),
                key: key.into(),
                hint: belongs_elsewhere(table, key)
                    .unwrap_or_else(|| did_you_mean(key, names.iter().map(String::as_str))),
            })
        }
        (None, several) => {
            let candidates: Vec<String> = several.iter().map(|path| path.join(".")).collect();
            Err(ConfigError::Ambiguous {
                key: key.into(),
                candidates: candidates.join(", "),
            })
        }
    }
}

/// Whose setting a word is that the chosen optimiser and objective do not have; none where nobody has it.
fn belongs_elsewhere(table: &Table, key: &str) -> Option<String> {
    let keys = super::keys::keys().ok()?;
    let owners = keys.iter().filter(|owned| {
        let path: Vec<String> = owned.path.split('.').map(str::to_owned).collect();
        ends_with(&path, key)
    });
    let first = owners.clone().find_map(|owned| owned.choice.as_deref())?;
    let (section, choice) = Choice::of(first)?.path();
    let chosen = table.get(section)?.get(choice)?.as_str()?;
    let mut names: Vec<&str> = owners.filter_map(|owned| owned.choice.as_deref()).collect();
    names.dedup();
    let more = names.len().saturating_sub(MOST_OWNERS);
    names.truncate(MOST_OWNERS);
    let more = if more > 0 {
        format!(" and {more} more")
    } else {
        String::new()
    };
    Some(format!(
        " ({choice}={chosen} has none; it is one of {}{more})",
        names.join(", ")
    ))
}

/// Methods or objectives that are named as those that have a setting.
const MOST_OWNERS: usize = 4;

/// The paths of all settings, those that have no value among them.
pub(super) fn leaves(table: &Table) -> Vec<Vec<String>> {
    let mut leaves = Vec::new();
    collect(table, &mut Vec::new(), &mut leaves);
    let optional = [
        "parameters.interval",
        "engine.answer_ms",
        "engine.player",
        "engine.tc",
        "openings.file",
        "rules.draw",
        "verify.sprt",
        "verify.clock",
        "optimizer.reduce_to",
    ];
    leaves.extend(optional.map(|path| path.split('.').map(str::to_owned).collect()));
    let kind = table
        .get("objective")
        .and_then(|objective| objective.get("kind")?.as_str());
    let objective = kind.and_then(|kind| kind.parse::<ObjectiveKind>().ok());
    let settings = objective.iter().flat_map(|row| row.settings());
    leaves.extend(settings.map(|setting| vec!["objective".to_owned(), setting.key.to_owned()]));
    leaves.sort();
    leaves.dedup();
    leaves
}

fn collect(table: &Table, path: &mut Vec<String>, leaves: &mut Vec<Vec<String>>) {
    for (key, value) in table {
        path.push(key.clone());
        match value {
            Value::Table(inner) => collect(inner, path, leaves),
            _ => leaves.push(path.clone()),
        }
        path.pop();
    }
}

/// A misspelt word gets the nearest one that could stand there.
fn understood(origin: &str, error: &toml::de::Error) -> ConfigError {
    let message = error.message();
    for kind in ["unknown field `", "unknown variant `"] {
        let Some((_, rest)) = message.split_once(kind) else {
            continue;
        };
        let Some((key, rest)) = rest.split_once('`') else {
            continue;
        };
        let candidates: Vec<&str> = rest.split('`').skip(1).step_by(2).collect();
        if !candidates.is_empty() {
            return ConfigError::UnknownKey {
                origin: origin.into(),
                key: key.into(),
                hint: did_you_mean(key, candidates),
            };
        }
    }
    ConfigError::File {
        origin: origin.into(),
        fault: error.to_string().trim_end().replace('\n', " "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::objective::ObjectiveSettings;
    use vidmar_optim::differential::{Memory, Mutation};
    use vidmar_optim::{Evidence, Settings};

    fn with(sets: &[&str]) -> Result<Config, ConfigError> {
        let sets: Vec<String> = sets.iter().map(|&s| s.to_owned()).collect();
        Config::read(Some("narrow"), None, &sets)
    }

    #[test]
    fn settings_are_found_by_their_last_word_or_by_their_path() {
        let config = with(&[
            "games=5",
            "depth = 4",
            "optimizer.f=1",
            "set=all",
            "verify.pairs=7",
            "deeper=[0]",
        ])
        .unwrap();
        assert_eq!(
            (config.engine.depth, config.verify.pairs, config.evidence()),
            (
                4,
                7,
                Evidence::Games {
                    games: 5,
                    paired: false
                }
            )
        );
        assert_eq!(config.parameters.set, "all");
        assert_eq!(config.verify.deeper, [0]);
        let Settings::HistoryDe(de) = config.optimizer else {
            panic!()
        };
        assert_eq!(de.f, 1.0);
    }

    #[test]
    fn history_off_is_the_published_experiment_without() {
        for sets in [["population=12", "history=off"], ["history=off", "population=12"]] {
            let Settings::PlainDe(de) = with(&sets).unwrap().optimizer else {
                panic!()
            };
            assert_eq!((de.memory, de.mutation), (Memory::None, Mutation::Best1));
            assert_eq!(de.population, 12);
        }
        let Settings::HistoryDe(de) = with(&["history=off", "history=on"]).unwrap().optimizer else {
            panic!()
        };
        assert_eq!((de.memory, de.mutation), (Memory::History, Mutation::BestZ1));
        assert!(with(&["method=spsa", "history=off"]).is_err());
    }

    #[test]
    fn another_method_brings_its_own_settings() {
        let config = with(&["method=cma-es"]).unwrap();
        assert_eq!(config.optimizer, Method::CmaEs.settings());
        let file = "[optimizer]\nmethod = \"evolution\"\nparents = 7\n[engine]\ndepth = 3\n";
        let config = Config::read(None, Some((Path::new("my.toml"), file)), &[]).unwrap();
        assert_eq!(config.engine.depth, 3);
        let Settings::Evolution(settings) = config.optimizer else {
            panic!()
        };
        assert_eq!(settings.parents, 7);
    }

    /// A setting that the method has no use for is refused by name, wherever it stands: before the method, after it, in a file.
    #[test]
    fn a_setting_of_another_method_is_refused() {
        let refused = |result: Result<Config, ConfigError>| {
            let error = result.unwrap_err().to_string();
            assert!(error.contains("unknown setting '"), "{error}");
            assert!(error.contains("population'"), "{error}");
        };
        refused(with(&["population=5", "method=spsa"]));
        refused(with(&["method=spsa", "population=5"]));
        refused(with(&["optimizer.population=5", "optimizer.method=spsa"]));
        let path = Path::new("my.toml");
        let of_file = |text: &str, sets: &[&str]| {
            let sets: Vec<String> = sets.iter().map(|&set| set.to_owned()).collect();
            Config::read(None, Some((path, text)), &sets)
        };
        refused(of_file("[optimizer]\npopulation = 5\n", &["method=spsa"]));
        // What a file says of a method that it names itself goes with that method.
        let named = "[optimizer]\nmethod = \"evolution\"\nparents = 7\n";
        assert_eq!(
            of_file(named, &["method=spsa"]).unwrap().optimizer,
            Method::Spsa.settings()
        );
        let Settings::Jde(de) = with(&["population=5", "method=jde"]).unwrap().optimizer else {
            panic!()
        };
        assert_eq!(de.population, 5);
        for sets in [["history=off", "method=spsa"], ["method=spsa", "history=off"]] {
            let error = with(&sets).unwrap_err().to_string();
            assert!(error.contains("no history to switch"), "{error}");
        }
        for sets in [["games=7", "kind=suite"], ["kind=suite", "games=7"]] {
            let error = with(&sets).unwrap_err().to_string();
            assert!(error.contains("unknown setting 'games'"), "{error}");
        }
    }

    /// What the other objective has too stays, what it does not have is refused by name.
    #[test]
    fn another_objective_brings_its_own_settings() {
        let config = with(&["games=7", "kind=opponents", "opponents=[\"random\"]"]).unwrap();
        let ObjectiveSettings::Opponents(settings) = config.objective else {
            panic!()
        };
        assert_eq!((settings.games, settings.paired), (7, false));
        let error = with(&["kind=suite", "games=7"]).unwrap_err().to_string();
        assert!(
            error.starts_with("--set games=7: unknown setting 'games'"),
            "{error}"
        );
        assert!(with(&["prior=0.5"]).is_err());
        assert!(with(&["kind=suite", "objective.file=wac.epd"]).is_ok());
    }

    #[test]
    fn mistakes_are_named_with_the_nearest_word() {
        let message = |result: Result<Config, ConfigError>| result.unwrap_err().to_string();
        assert_eq!(
            message(with(&["populaton=3"])),
            "--set populaton=3: unknown setting 'populaton' (did you mean 'population'?)"
        );
        assert_eq!(message(with(&["games"])), "--set games: expected KEY=VALUE");
        assert_eq!(
            message(with(&["method=de-histroy"])),
            "--set method=de-histroy: unknown setting 'de-histroy' (did you mean 'de-history'?)"
        );
        // What another method or objective has is said to be theirs.
        let elsewhere = message(with(&["method=newton", "population=3"]));
        assert!(
            elsewhere.starts_with(
                "--set population=3: unknown setting 'population' (method=newton has none; it is one of method=de, "
            ),
            "{elsewhere}"
        );
        assert_eq!(
            message(with(&["kind=suite", "self_play=3"])),
            "--set self_play=3: unknown setting 'self_play' (kind=suite has none; it is one of kind=texel)"
        );
        assert!(message(with(&["source=start"])).contains("parameters.source"));
        assert!(
            message(with(&["games=ten"])).contains("ten"),
            "{}",
            message(with(&["games=ten"]))
        );
        let file = |text: &str| message(Config::read(None, Some((Path::new("my.toml"), text)), &[]));
        assert_eq!(
            file("[engine]\ndepht = 3\n"),
            "my.toml: unknown setting 'depht' (did you mean 'depth'?)"
        );
        assert_eq!(
            file("[objective]\nkind = \"self-ply\"\n"),
            "my.toml: unknown setting 'self-ply' (did you mean 'self-play'?)"
        );
        assert_eq!(
            file("[optimizer]\npopulatoin = 3\n"),
            "my.toml: unknown setting 'populatoin' (did you mean 'population'?)"
        );
        assert!(file("[engine\ndepth = 3\n").starts_with("my.toml: TOML parse error at line 1"));
    }
}
