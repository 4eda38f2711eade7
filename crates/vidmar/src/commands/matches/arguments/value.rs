//! One value of a command line, with the name that errors call it by.

use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{anyhow, bail, ensure};
use vidmar_arena::seconds;
use vidmar_text::{Named, nearest};

/// A value that is to be read.
pub(in super::super) struct Value<'w> {
    /// The argument, and the key if it stands behind one.
    name: String,
    /// The key as it is written; the argument where there is none.
    pub(super) key: &'w str,
    pub(super) text: &'w str,
}

impl<'w> Value<'w> {
    pub(super) fn new(name: &'w str, text: &'w str) -> Value<'w> {
        Value {
            name: name.to_owned(),
            key: name,
            text,
        }
    }

    pub(super) fn of_key(name: &str, key: &'w str, text: &'w str) -> Value<'w> {
        Value {
            name: format!("{name} {key}"),
            key,
            text,
        }
    }

    pub(super) fn owned(&self) -> String {
        self.text.to_owned()
    }

    pub(super) fn path(&self) -> PathBuf {
        PathBuf::from(self.text)
    }

    /// An error about it.
    pub(super) fn wrong(&self, reason: impl Display) -> anyhow::Error {
        anyhow!("{}: {reason}", self.name)
    }

    pub(super) fn number<T: FromStr>(&self, expected: &str) -> anyhow::Result<T> {
        let text = self.text;
        text.parse()
            .map_err(|_| self.wrong(format_args!("'{text}': expected {expected}")))
    }

    pub(super) fn whole<T: FromStr>(&self) -> anyhow::Result<T> {
        self.number("a whole number")
    }

    pub(super) fn at_least<T: FromStr + PartialOrd + Display + Copy>(&self, least: T) -> anyhow::Result<T> {
        let expected = format!("a whole number, {least} or more");
        let found: T = self.number(&expected)?;
        ensure!(
            found >= least,
            "{}: '{}': expected {expected}",
            self.name,
            self.text
        );
        Ok(found)
    }

    pub(super) fn between<T: FromStr + PartialOrd + Display + Copy>(
        &self,
        least: T,
        most: T,
    ) -> anyhow::Result<T> {
        let expected = format!("a whole number from {least} to {most}");
        let found: T = self.number(&expected)?;
        let fits = found >= least && found <= most;
        ensure!(fits, "{}: '{}': expected {expected}", self.name, self.text);
        Ok(found)
    }

    pub(super) fn truth(&self) -> anyhow::Result<bool> {
        match self.text {
            "true" | "on" => Ok(true),
            "false" | "off" => Ok(false),
            text => bail!("{}: '{text}': expected true or false", self.name),
        }
    }

    /// One of the names of a table.
    pub(super) fn named<T: Named>(&self) -> anyhow::Result<T> {
        let choices: Vec<(&str, T)> = T::ALL.iter().map(|&value| (value.name(), value)).collect();
        self.one_of(&choices)
    }

    pub(super) fn one_of<T: Copy>(&self, choices: &[(&str, T)]) -> anyhow::Result<T> {
        let (name, text) = (&self.name, self.text);
        let found = choices.iter().find(|(word, _)| *word == text);
        found.map(|(_, value)| *value).ok_or_else(|| {
            let words: Vec<&str> = choices.iter().map(|(word, _)| *word).collect();
            let all = words.join(", ");
            match nearest(text, words.iter().copied()) {
                Some(near) => anyhow!("{name}: '{text}': did you mean '{near}'? (expected {all})"),
                None => anyhow!("{name}: '{text}': expected {all}"),
            }
        })
    }

    pub(super) fn milliseconds(&self) -> anyhow::Result<Duration> {
        let number: u32 = self.number("a number of milliseconds")?;
        Ok(Duration::from_millis(u64::from(number)))
    }

    pub(super) fn seconds(&self) -> anyhow::Result<Duration> {
        let text = self.text;
        let time = seconds(text).filter(|time| !time.is_zero());
        time.ok_or_else(|| self.wrong(format_args!("'{text}': expected a number of seconds")))
    }
}
