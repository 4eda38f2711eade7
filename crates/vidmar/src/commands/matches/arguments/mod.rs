//! The command line of `vidmar match`: words to settings. Every word is known or an error.
//!
//! | file | holds |
//! | --- | --- |
//! | `table` | every argument: name, shape, reader, help in one row |
//! | `keys` | every key of the arguments that are groups of `key=value`, in the same way |
//! | `log`, `config` | those of `-log` and `-config` |
//! | `engines_file` | the engines that cutechess keeps |
//! | `row`, `value` | what a row is; one value to be read |
//! | `line` | what a command line came to |

mod config;
mod engines_file;
mod keys;
mod line;
mod log;
mod row;
mod table;
mod value;

use anyhow::{Context as _, bail};

pub(super) use line::{CommandLine, EngineWords, FileWords};
pub(super) use log::Level;
pub(super) use row::{Idle, Row, Shape};
pub(super) use table::{ELSEWHERE, ROWS};

use config::CONFIG;
use row::unknown;
use table::{COMPLIANCE, ENGINE, find};

/// One argument with what stands behind it.
#[derive(Clone)]
pub(super) struct Argument {
    pub(super) row: &'static Row,
    words: Vec<String>,
}

/// The words of a command line that a store keeps.
pub(super) fn kept(arguments: &[Argument]) -> Vec<String> {
    let kept = arguments
        .iter()
        .filter(|argument| !ELSEWHERE.contains(&argument.row.name) && argument.row.name != CONFIG);
    let words = |argument: &Argument| {
        let name = std::iter::once(argument.row.name.to_owned());
        name.chain(argument.words.clone()).collect::<Vec<String>>()
    };
    kept.flat_map(words).collect()
}

/// The arguments of a command line, with the words of files that it names in their place: a store keeps what was in them.
pub(super) fn arguments(words: &[String]) -> anyhow::Result<Vec<Argument>> {
    let mut all = Vec::new();
    for mut argument in split(words)? {
        match argument.row.name {
            CONFIG => {
                let (files, others): (Vec<String>, Vec<String>) = argument
                    .words
                    .into_iter()
                    .partition(|word| word.starts_with("file="));
                for file in &files {
                    all.extend(split(&config::words(&file["file=".len()..])?)?);
                }
                // What is left, or that nothing was said, is for the reader of the row.
                if !others.is_empty() || files.is_empty() {
                    argument.words = others;
                    all.push(argument);
                }
            }
            ENGINE => {
                let mut words = Vec::new();
                for word in argument.words {
                    match word.strip_prefix("conf=") {
                        Some(name) => words.extend(engines_file::words(name).context("-engine conf")?),
                        None => words.push(word),
                    }
                }
                argument.words = words;
                all.push(argument);
            }
            _ => all.push(argument),
        }
    }
    Ok(all)
}

/// Splits a command line into arguments.
pub(super) fn split(words: &[String]) -> anyhow::Result<Vec<Argument>> {
    let mut arguments: Vec<Argument> = Vec::new();
    for word in words {
        let last = arguments.last_mut();
        let belongs_to_last = !is_name(word) || last.as_ref().is_some_and(|last| last.row.name == COMPLIANCE);
        match last {
            Some(last) if belongs_to_last => last.words.push(word.clone()),
            None if belongs_to_last => {
                bail!("'{word}': expected an argument such as -engine ('vidmar match --help' lists them)")
            }
            _ => {
                let names = ROWS.iter().map(|row| row.name);
                let row = find(word).ok_or_else(|| unknown("argument", word, names))?;
                arguments.push(Argument {
                    row,
                    words: Vec::new(),
                });
            }
        }
    }
    Ok(arguments)
}

/// `-5` is a number, `-each` is a name.
fn is_name(word: &str) -> bool {
    word.strip_prefix('-')
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '-'))
}

/// Reads a command line.
pub(super) fn read(arguments: &[Argument]) -> anyhow::Result<CommandLine> {
    let mut line = CommandLine::default();
    for Argument { row, words } in arguments {
        row.read(&mut line, words)?;
    }
    line.finish()?;
    Ok(line)
}

#[cfg(test)]
mod tests;
