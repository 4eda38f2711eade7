//! A specification as a text: `TYPE` or `TYPE:KEY=VALUE,KEY=VALUE`.
//!
//! A part without `=` belongs to the value before it, so that lists need no quotes (`ordering=table,killers,depth=4`); `\,` is
//! a comma that parts nothing, and `\\` a backslash. Keys are those of the table; `option.NAME` is the UCI option of that
//! name.

use std::fmt;
use std::str::FromStr;

use super::{PlayerSpec, SpecError};
use crate::table::PlayerType;

impl FromStr for PlayerSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<PlayerSpec, SpecError> {
        let (key, rest) = text.split_once(':').unwrap_or((text, ""));
        let mut spec = PlayerSpec::new(PlayerType::find(key)?);
        for (key, text) in split(rest)? {
            let key = spec.key_of(&key)?;
            if spec.chosen(&key).is_some() {
                return Err(SpecError::Twice(key));
            }
            spec = spec.with_text(&key, &text)?;
        }
        spec.check()?;
        Ok(spec)
    }
}

impl fmt::Display for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.player.key)?;
        for (index, (key, value)) in self.settings.iter().enumerate() {
            let between = if index == 0 { ':' } else { ',' };
            write!(f, "{between}{}={}", escaped_key(key), escaped(&value.to_string()))?;
        }
        Ok(())
    }
}

impl fmt::Debug for PlayerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PlayerSpec({self})")
    }
}

/// Parts `KEY=VALUE,KEY=VALUE`. A part without `=` goes on with the value before it.
fn split(text: &str) -> Result<Vec<(String, String)>, SpecError> {
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
fn escaped(value: &str) -> String {
    let value = value.replace('\\', "\\\\");
    if value.contains('=') {
        value.replace(',', "\\,")
    } else {
        value
    }
}

/// A key as [`split`] reads it: the name of an option may hold anything but the sign.
fn escaped_key(key: &str) -> String {
    key.replace('\\', "\\\\").replace(',', "\\,")
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
        fn what_is_written_is_read(
            choices in prop::collection::vec(("[a-z,\\\\/.]{0,6}", "[a-z,=\\\\ /.]{0,12}"), 1..4)
        ) {
            let settings: Vec<(String, String)> = choices
                .into_iter()
                .enumerate()
                .map(|(index, (name, value))| (format!("option.{name}{index}"), value))
                .collect();
            let text: Vec<String> = settings
                .iter()
                .map(|(key, value)| format!("{}={}", escaped_key(key), escaped(value)))
                .collect();
            prop_assert_eq!(split(&text.join(",")).unwrap(), settings);
        }
    }
}
