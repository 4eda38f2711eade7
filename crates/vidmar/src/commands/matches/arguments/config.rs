//! `-config`: the arguments of a match in a file, a JSON list of words.
//!
//! `file=FILE` puts the words of a file in the place of the argument; `outname=FILE` writes the whole command line of a match to one.
//! Counts of games are in neither: a match goes on from its store. The `config.json` of fastchess, an object that holds both, is
//! refused by name.

use std::path::PathBuf;

use anyhow::{Context as _, bail};
use serde_json::Value;

use super::keys::{group, key};
use super::row::Group;

/// The name of the argument.
pub(super) const CONFIG: &str = "-config";

/// `-config`.
#[derive(Clone, Debug, Default)]
pub(in super::super) struct ConfigWords {
    pub(in super::super) out: Option<PathBuf>,
}

const STORED: &str = "a match is kept in its store: go on with -resume FILE";

pub(super) static CONFIG_KEYS: Group<ConfigWords> = group(
    &[
        key(
            "file",
            "FILE",
            "arguments from a file, a JSON list of words, in the place of this one",
            // The words of a file are in its place before this is read.
            |_, value| Err(value.wrong("a file of arguments may not name another one")),
        ),
        key(
            "outname",
            "FILE",
            "write the arguments of this match to such a file",
            |config, value| {
                config.out = Some(value.path());
                Ok(())
            },
        ),
        key("discard", "false", "only false", |_, value| {
            if value.truth()? {
                return Err(value.wrong("leave -config out instead"));
            }
            Ok(())
        }),
        key(
            "stats",
            "false",
            "only false: counts are in the store",
            |_, value| {
                if value.truth()? {
                    return Err(value.wrong(STORED));
                }
                Ok(())
            },
        ),
    ],
    |line| &mut line.config,
);

/// The words of a file.
pub(super) fn words(file: &str) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(file).with_context(|| format!("-config: cannot read {file}"))?;
    words_in(&text).with_context(|| format!("-config: {file}"))
}

fn words_in(text: &str) -> anyhow::Result<Vec<String>> {
    match serde_json::from_str(text)? {
        Value::Array(words) => Ok(serde_json::from_value(Value::Array(words))?),
        Value::Object(object) if object.contains_key("engines") => {
            bail!(
                "this is fastchess's file of settings and counts, which is not read; {STORED}, or give the arguments again"
            )
        }
        _ => bail!("expected a list of arguments such as [\"-engine\", \"cmd=./new\"]"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lists_of_words_are_read() {
        assert_eq!(words_in(r#"["-rounds", "3"]"#).unwrap(), ["-rounds", "3"]);
        for (text, expected) in [
            (r#"{"engines": []}"#, "fastchess's file"),
            ("{}", "expected a list"),
            ("[1]", "expected a string"),
            ("[", "EOF"),
        ] {
            let error = format!("{:#}", words_in(text).unwrap_err());
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
