//! A command line as words: names of arguments, and what stands behind them. Every word is known or an error.

use std::str::FromStr;
use std::time::Duration;

use anyhow::{anyhow, bail, ensure};
use vidmar_text::nearest;

use super::options::{Key, ROWS, Row, Takes, find};

/// One argument with what stands behind it.
#[derive(Clone, Debug)]
pub(super) struct Argument {
    pub(super) row: &'static Row,
    pub(super) words: Vec<String>,
}

/// Splits a command line into arguments.
pub(super) fn split(words: &[String]) -> anyhow::Result<Vec<Argument>> {
    let mut arguments: Vec<Argument> = Vec::new();
    for word in words {
        // Whatever follows --compliance belongs to the engine.
        if let Some(last) = arguments
            .last_mut()
            .filter(|last| last.row.name == "--compliance")
        {
            last.words.push(word.clone());
        } else if is_name(word) {
            let row = find(word).ok_or_else(|| unknown("argument", word, ROWS.iter().map(|row| row.name)))?;
            arguments.push(Argument {
                row,
                words: Vec::new(),
            });
        } else if let Some(last) = arguments.last_mut() {
            last.words.push(word.clone());
        } else {
            bail!("'{word}': expected an argument such as -engine ('vidmar match --help' lists them)");
        }
    }
    for argument in &arguments {
        check_count(argument)?;
    }
    Ok(arguments)
}

/// `-5` is a number, `-each` is a name.
fn is_name(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-'))
}

fn unknown<'a>(what: &str, word: &str, known: impl Iterator<Item = &'a str>) -> anyhow::Error {
    match nearest(word, known) {
        Some(near) => anyhow!("unknown {what} '{word}'; did you mean '{near}'?"),
        None => anyhow!("unknown {what} '{word}' ('vidmar match --help' lists them)"),
    }
}

fn check_count(Argument { row, words }: &Argument) -> anyhow::Result<()> {
    let name = row.name;
    match row.takes {
        Takes::Nothing => match words.first() {
            Some(word) => bail!("{name}: unexpected '{word}'"),
            None => Ok(()),
        },
        Takes::Word(value) => match words.as_slice() {
            [_] => Ok(()),
            [] => bail!("{name}: expected {value}"),
            [_, more, ..] => bail!("{name}: unexpected '{more}'"),
        },
        Takes::MaybeWord(_) => match words.get(1) {
            Some(more) => bail!("{name}: unexpected '{more}'"),
            None => Ok(()),
        },
        Takes::Keys(_) if words.is_empty() => bail!("{name}: expected KEY=VALUE"),
        Takes::Words(_) | Takes::Keys(_) => Ok(()),
    }
}

/// The keys and values behind an argument, each key known.
pub(super) fn pairs<'a>(
    argument: &'a Argument,
    notes: &mut Vec<String>,
) -> anyhow::Result<Vec<(&'static Key, &'a str, &'a str)>> {
    let Takes::Keys(keys) = argument.row.takes else {
        return Ok(Vec::new());
    };
    let name = argument.row.name;
    let mut found = Vec::new();
    for word in &argument.words {
        // cutechess has keys without a value (trust, whitepov).
        let (key, value) = match word.split_once('=') {
            Some(parts) => parts,
            None if keys.iter().any(|key| key.name == word && key.value.is_empty()) => (word.as_str(), ""),
            None => bail!("{name}: '{word}': expected KEY=VALUE"),
        };
        let known = if key.starts_with("option.") {
            "option.NAME"
        } else {
            key
        };
        let row = keys
            .iter()
            .find(|row| row.name == known)
            .ok_or_else(|| unknown(&format!("key of {name}"), key, keys.iter().map(|row| row.name)))?;
        if let Some(why) = row.idle {
            notes.push(format!("{name} {key} has no effect: {why}"));
        }
        found.push((row, key, value));
    }
    Ok(found)
}

pub(super) fn number<T: FromStr>(name: &str, text: &str, expected: &str) -> anyhow::Result<T> {
    text.parse()
        .map_err(|_| anyhow!("{name}: '{text}': expected {expected}"))
}

pub(super) fn at_least<T: FromStr + PartialOrd + Copy + std::fmt::Display>(
    name: &str,
    text: &str,
    least: T,
) -> anyhow::Result<T> {
    let found: T = number(name, text, &format!("a whole number, {least} or more"))?;
    ensure!(
        found >= least,
        "{name}: '{text}': expected a whole number, {least} or more"
    );
    Ok(found)
}

pub(super) fn truth(name: &str, text: &str) -> anyhow::Result<bool> {
    match text {
        "true" | "on" => Ok(true),
        "false" | "off" => Ok(false),
        _ => bail!("{name}: '{text}': expected true or false"),
    }
}

pub(super) fn one_of<T: Copy>(name: &str, text: &str, choices: &[(&str, T)]) -> anyhow::Result<T> {
    choices
        .iter()
        .find(|(word, _)| *word == text)
        .map(|(_, value)| *value)
        .ok_or_else(|| {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            match nearest(text, words.iter().copied()) {
                Some(near) => anyhow!(
                    "{name}: '{text}': did you mean '{near}'? (expected {})",
                    words.join(", ")
                ),
                None => anyhow!("{name}: '{text}': expected {}", words.join(", ")),
            }
        })
}

pub(super) fn milliseconds(name: &str, text: &str) -> anyhow::Result<Duration> {
    let number: u32 = number(name, text, "a number of milliseconds")?;
    Ok(Duration::from_millis(u64::from(number)))
}
