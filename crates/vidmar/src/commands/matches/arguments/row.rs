//! What a row of the table of arguments is: a name, a shape with its reader, a line of help.
//!
//! The reader of a row is part of its shape and gets exactly what the shape promises, so that there is no argument without
//! a reader, and no reader that has to look at how many words it was given.

use anyhow::{anyhow, bail};
use vidmar_text::nearest;

use super::line::CommandLine;
use super::value::Value;

/// An argument.
pub(in super::super) struct Row {
    pub(in super::super) name: &'static str,
    pub(in super::super) shape: Shape,
    pub(in super::super) help: &'static str,
    /// Whether it may be given with `-resume`: it changes no game.
    pub(in super::super) on_resume: bool,
}

/// Whether what was read makes sense.
type Read = anyhow::Result<()>;

/// What stands behind an argument, and how it is read.
pub(in super::super) enum Shape {
    Flag(fn(&mut CommandLine)),
    /// One word.
    Word(&'static str, fn(&mut CommandLine, &Value<'_>) -> Read),
    /// One word or none.
    MaybeWord(&'static str, fn(&mut CommandLine, Option<Value<'_>>) -> Read),
    /// Any number of words.
    Words(&'static str, fn(&mut CommandLine, &[String]) -> Read),
    /// `key=value`, any number of times.
    Keys(&'static dyn KeyGroup),
    /// Known to other programs and without effect here; the help says why.
    Idle(Idle),
}

/// What stands behind an argument that has no effect.
pub(in super::super) enum Idle {
    Nothing,
    Word(&'static str),
    MaybeWord(&'static str),
    Words(&'static str),
}

/// A key of `key=value`.
pub(super) struct Key<T> {
    pub(super) name: &'static str,
    /// What its value looks like; empty for a key that stands alone.
    pub(super) value: &'static str,
    pub(super) effect: Effect<T>,
}

/// What a key does.
pub(super) enum Effect<T> {
    /// It is read; the help says what it is for.
    Read(&'static str, fn(&mut T, &Value<'_>) -> Read),
    /// It has none, and why.
    Idle(&'static str),
}

/// The keys of an argument, and what they are read into.
pub(super) struct Group<T: 'static> {
    pub(super) keys: &'static [Key<T>],
    /// What is being read, a new one where every argument has its own.
    pub(super) target: fn(&mut CommandLine) -> &mut T,
    /// Whether all is there that must be.
    pub(super) check: fn(&T) -> Read,
    /// Reads words that are no keys at all, where another program has such a form; false if it is not that form.
    pub(super) plain: fn(&mut T, &[String]) -> anyhow::Result<bool>,
}

/// One line about a key.
pub(in super::super) struct KeyHelp {
    pub(in super::super) name: &'static str,
    pub(in super::super) value: &'static str,
    pub(in super::super) help: String,
}

/// A [`Group`] whatever it reads into.
pub(in super::super) trait KeyGroup: Sync {
    fn help(&self) -> Vec<KeyHelp>;
    fn read(&self, line: &mut CommandLine, name: &str, words: &[String]) -> Read;
}

impl<T> KeyGroup for Group<T> {
    fn help(&self) -> Vec<KeyHelp> {
        let key_help = |key: &Key<T>| KeyHelp {
            name: key.name,
            value: key.value,
            help: match key.effect {
                Effect::Read(help, _) => help.to_owned(),
                Effect::Idle(why) => no_effect(why),
            },
        };
        self.keys.iter().map(key_help).collect()
    }

    fn read(&self, line: &mut CommandLine, name: &str, words: &[String]) -> Read {
        let mut notes = Vec::new();
        let target = (self.target)(line);
        if !(self.plain)(target, words).map_err(|error| anyhow!("{name}: {error}"))? {
            for word in words {
                let (key, written, text) = self.find(name, word)?;
                match key.effect {
                    Effect::Read(_, read) => read(target, &Value::of_key(name, written, text))?,
                    Effect::Idle(why) => notes.push(format!("{name} {written} has no effect: {why}")),
                }
            }
        }
        (self.check)(target).map_err(|error| anyhow!("{name}: {error}"))?;
        line.notes.extend(notes);
        Ok(())
    }
}

impl<T> Group<T> {
    /// The key of a word, as it is written, and its value.
    fn find<'w>(&self, name: &str, word: &'w str) -> anyhow::Result<(&'static Key<T>, &'w str, &'w str)> {
        let (written, text) = match word.split_once('=') {
            Some(parts) => parts,
            // cutechess has keys without a value (trust, whitepov).
            None if self
                .keys
                .iter()
                .any(|key| key.name == word && key.value.is_empty()) =>
            {
                (word, "")
            }
            None => bail!("{name}: '{word}': expected KEY=VALUE"),
        };
        let known = if written.starts_with("option.") {
            "option.NAME"
        } else {
            written
        };
        let found = self.keys.iter().find(|key| key.name == known);
        let names = self.keys.iter().map(|key| key.name);
        let key = found.ok_or_else(|| unknown(&format!("key of {name}"), written, names))?;
        Ok((key, written, text))
    }
}

impl Row {
    /// Reads what stands behind the argument.
    pub(super) fn read(&self, line: &mut CommandLine, words: &[String]) -> Read {
        let name = self.name;
        match &self.shape {
            Shape::Flag(read) => {
                no_more(name, words)?;
                read(line);
                Ok(())
            }
            Shape::Word(value, read) => read(line, &Value::new(name, one(name, value, words)?)),
            Shape::MaybeWord(_, read) => {
                no_more(name, words.get(1..).unwrap_or_default())?;
                read(line, words.first().map(|word| Value::new(name, word)))
            }
            Shape::Words(_, read) => read(line, words),
            Shape::Keys(_) if words.is_empty() => bail!("{name}: expected KEY=VALUE"),
            Shape::Keys(group) => group.read(line, name, words),
            Shape::Idle(idle) => {
                match idle {
                    Idle::Nothing => no_more(name, words)?,
                    Idle::Word(value) => {
                        one(name, value, words)?;
                    }
                    Idle::MaybeWord(_) => no_more(name, words.get(1..).unwrap_or_default())?,
                    Idle::Words(_) => {}
                }
                line.notes.push(format!("{name} has no effect: {}", self.help));
                Ok(())
            }
        }
    }

    /// The argument and its words, as the help shows them.
    pub(in super::super) fn usage(&self) -> String {
        let name = self.name;
        match self.shape {
            Shape::Flag(_) | Shape::Idle(Idle::Nothing) => name.to_owned(),
            Shape::Word(value, _)
            | Shape::Words(value, _)
            | Shape::Idle(Idle::Word(value) | Idle::Words(value)) => format!("{name} {value}"),
            Shape::MaybeWord(value, _) | Shape::Idle(Idle::MaybeWord(value)) => format!("{name} [{value}]"),
            Shape::Keys(_) => format!("{name} KEY=VALUE …"),
        }
    }

    /// What it is for, or why it has no effect.
    pub(in super::super) fn line_of_help(&self) -> String {
        match self.shape {
            Shape::Idle(_) => no_effect(self.help),
            _ => self.help.to_owned(),
        }
    }
}

fn no_effect(why: &str) -> String {
    format!("no effect: {why}")
}

fn no_more(name: &str, words: &[String]) -> Read {
    match words.first() {
        Some(word) => bail!("{name}: unexpected '{word}'"),
        None => Ok(()),
    }
}

fn one<'w>(name: &str, value: &str, words: &'w [String]) -> anyhow::Result<&'w str> {
    match words {
        [word] => Ok(word),
        [] => bail!("{name}: expected {value}"),
        [_, more, ..] => bail!("{name}: unexpected '{more}'"),
    }
}

/// A word that nobody knows, and the nearest one that somebody does.
pub(super) fn unknown<'a>(what: &str, word: &str, known: impl Iterator<Item = &'a str>) -> anyhow::Error {
    match nearest(word, known) {
        Some(near) => anyhow!("unknown {what} '{word}'; did you mean '{near}'?"),
        None => anyhow!("unknown {what} '{word}' ('vidmar match --help' lists them)"),
    }
}
