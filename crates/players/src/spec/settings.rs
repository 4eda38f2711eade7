//! The settings of a specification: how they are parted, and how a kind takes what it knows.

use std::fmt::Display;
use std::ops::RangeInclusive;

use vidmar_text::Excerpt;

use super::{SpecError, hint};

/// Parts `KEY=VALUE,KEY=VALUE`. A part without `=` goes on with the value before it.
pub(super) fn split(text: &str) -> Result<Vec<(String, String)>, SpecError> {
    let mut settings: Vec<(String, String)> = Vec::new();
    for part in parts(text) {
        match part.split_once('=') {
            Some((key, value)) if is_key(key.trim()) => {
                let key = key.trim().to_owned();
                if settings.iter().any(|(known, _)| *known == key) {
                    return Err(SpecError::Twice(key));
                }
                settings.push((key, value.to_owned()));
            }
            _ => match settings.last_mut() {
                Some((_, value)) => {
                    value.push(',');
                    value.push_str(&part);
                }
                None if part.trim().is_empty() => {}
                None => return Err(SpecError::Part(part.as_str().into())),
            },
        }
    }
    Ok(settings)
}

/// A key is a word, with the name of an option after `option.`.
fn is_key(text: &str) -> bool {
    !text.is_empty() && text.starts_with(|c: char| c.is_ascii_alphabetic())
}

/// The parts between commas, without their backslashes. A part that begins with an escaped comma's rest is no new one.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let last = parts.len() - 1;
        match c {
            ',' => parts.push(String::new()),
            '\\' => {
                let escaped = chars.next_if(|&next| next == ',' || next == '\\');
                parts[last].push(escaped.unwrap_or('\\'));
            }
            c => parts[last].push(c),
        }
    }
    parts
}

/// A value as [`split`] reads it: where a sign could make a new part of what follows a comma, commas are escaped.
pub(super) fn escaped(value: &str) -> String {
    let value = value.replace('\\', "\\\\");
    if value.contains('=') {
        value.replace(',', "\\,")
    } else {
        value
    }
}

/// Settings that are being read: each is taken once, and what nobody takes is an error.
pub(crate) struct Settings {
    kind: &'static str,
    left: Vec<(String, String)>,
    known: Vec<&'static str>,
}

impl Settings {
    pub(super) fn new(kind: &'static str, settings: Vec<(String, String)>) -> Settings {
        Settings {
            kind,
            left: settings,
            known: Vec::new(),
        }
    }

    /// The value of a key, if it is set.
    pub(crate) fn take(&mut self, key: &'static str) -> Option<String> {
        self.known.push(key);
        let place = self.left.iter().position(|(known, _)| known == key)?;
        Some(self.left.remove(place).1)
    }

    /// The value of a key that must be set.
    pub(crate) fn need(&mut self, key: &'static str, example: &'static str) -> Result<String, SpecError> {
        let kind = self.kind;
        self.take(key)
            .filter(|value| !value.is_empty())
            .ok_or(SpecError::Missing { kind, key, example })
    }

    /// A number in a range.
    pub(crate) fn number(
        &mut self,
        key: &'static str,
        range: RangeInclusive<u64>,
    ) -> Result<Option<u64>, SpecError> {
        let Some(text) = self.take(key) else {
            return Ok(None);
        };
        let number = text.trim().parse().ok().filter(|number| range.contains(number));
        let (text, min, max) = (Excerpt::from(text.as_str()), range.start(), range.end());
        let expected = || bad(key, format!("'{text}' is not a number from {min} to {max}"));
        number.map(Some).ok_or_else(expected)
    }

    /// Every `option.NAME`.
    pub(crate) fn options(&mut self) -> Vec<(String, String)> {
        self.known.push("option.NAME");
        let (options, left) = std::mem::take(&mut self.left)
            .into_iter()
            .partition(|(key, _)| key.starts_with(OPTION));
        self.left = left;
        let options: Vec<(String, String)> = options;
        options
            .into_iter()
            .map(|(key, value)| (key[OPTION.len()..].to_owned(), value))
            .collect()
    }

    /// Nothing may be left.
    pub(super) fn finish(self) -> Result<(), SpecError> {
        match self.left.first() {
            None => Ok(()),
            Some((key, _)) => Err(SpecError::Key {
                kind: self.kind,
                key: key.as_str().into(),
                hint: hint(key, self.known.iter().copied()),
                known: self.known.join(", "),
            }),
        }
    }
}

pub(super) const OPTION: &str = "option.";

/// A value that does not fit.
pub(crate) fn bad(key: impl Into<String>, reason: impl Display) -> SpecError {
    SpecError::Value {
        key: key.into(),
        reason: reason.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn pairs(settings: &[(&str, &str)]) -> Vec<(String, String)> {
        settings
            .iter()
            .map(|(key, value)| ((*key).to_owned(), (*value).to_owned()))
            .collect()
    }

    #[test]
    fn parts_without_a_sign_go_on_with_the_value_before() {
        assert_eq!(
            split("ordering=table,killers,depth=4").unwrap(),
            pairs(&[("ordering", "table,killers"), ("depth", "4")])
        );
        assert_eq!(
            split(r"cmd=C:\engines\a\,b=c\\,option.Move Overhead=5").unwrap(),
            pairs(&[("cmd", r"C:\engines\a,b=c\"), ("option.Move Overhead", "5")])
        );
        assert_eq!(split("").unwrap(), []);
        assert_eq!(split("a=1,a=2"), Err(SpecError::Twice("a".to_owned())));
        assert!(split("junk").is_err());
    }

    proptest! {
        #[test]
        fn what_is_written_is_read(values in prop::collection::vec("[a-z,=\\\\ /.]{0,12}", 1..4)) {
            let settings: Vec<(String, String)> = values
                .into_iter()
                .enumerate()
                .map(|(index, value)| (format!("key{index}"), value))
                .collect();
            let text: Vec<String> = settings
                .iter()
                .map(|(key, value)| format!("{key}={}", escaped(value)))
                .collect();
            prop_assert_eq!(split(&text.join(",")).unwrap(), settings);
        }
    }
}
