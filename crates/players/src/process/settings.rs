//! What can be chosen about an external engine, one row each. What the engine offers itself is chosen by `option.NAME`.

use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;

use vidmar_engine::settings::{Field, Kind, Role, Row, Setting, SettingError, Unset, Value, schema, set};
use vidmar_text::quoted_words;

use super::EngineCommand;

const MAX_MILLISECONDS: i64 = u32::MAX as i64;
const MAX_LINES: i64 = 256;

/// A time in milliseconds.
macro_rules! milliseconds {
    ($($field:ident).+) => {
        Field::Integer {
            min: 1,
            max: MAX_MILLISECONDS,
            get: |command| command.$($field).+.as_millis() as i64,
            set: |command, time| command.$($field).+ = Duration::from_millis(time.unsigned_abs()),
        }
    };
}

type CommandRow = Row<EngineCommand>;

/// What all have. The last row is for UCI alone.
const ROWS: &[CommandRow] = &[
    CommandRow::new(
        "cmd",
        "",
        "Program",
        "the program: a path, or a name that is looked up in PATH",
        Field::Other {
            kind: || Kind::Path,
            get: |command| text_of(&command.program),
            set: |command, value| {
                command.program = value.as_text().unwrap_or_default().into();
                Ok(())
            },
        },
    )
    .role(Role::Operator)
    .unset(Unset::Required("PATH")),
    CommandRow::new(
        "args",
        "",
        "Arguments",
        "its arguments, with quotes as in a shell",
        Field::Text {
            expected: "words with quotes as in a shell",
            get: |command| quoted(&command.arguments),
            set: |command, text| {
                command.arguments = quoted_words(text).map_err(|error| error.to_string())?;
                Ok(())
            },
        },
    )
    .role(Role::Operator),
    CommandRow::new(
        "dir",
        "",
        "Folder",
        "where it runs; here if not set",
        Field::Other {
            kind: || Kind::Path,
            get: |command| command.directory.as_deref().map_or_else(|| "".into(), text_of),
            set: |command, value| {
                let path = value.as_text().filter(|path| !path.is_empty());
                command.directory = path.map(Into::into);
                Ok(())
            },
        },
    )
    .role(Role::Operator),
    CommandRow::new(
        "initstr",
        "",
        "First lines",
        "lines that are sent before everything else, \\n between them",
        Field::Text {
            expected: "lines with \\n between them",
            get: |command| command.initial_lines.join("\\n"),
            set: |command, text| {
                let lines = text.split("\\n").filter(|line| !line.is_empty());
                command.initial_lines = lines.map(str::to_owned).collect();
                Ok(())
            },
        },
    )
    .role(Role::Operator),
    CommandRow::new(
        "unknown-options",
        "",
        "Unknown options",
        "whether options that it does not offer are an error or ignored",
        Field::Choice {
            values: || UNKNOWN_OPTIONS.to_vec(),
            get: |command| UNKNOWN_OPTIONS[usize::from(command.ignores_unknown_options)],
            set: |command, word| {
                command.ignores_unknown_options = word == UNKNOWN_OPTIONS[1];
                UNKNOWN_OPTIONS.contains(&word)
            },
        },
    )
    .role(Role::Operator),
    CommandRow::new(
        "start-ms",
        "",
        "Start (ms)",
        "how long it may take to introduce itself",
        milliseconds!(timeouts.start),
    )
    .role(Role::Operator),
    CommandRow::new(
        "ready-ms",
        "",
        "Ready (ms)",
        "how long it may take to answer isready or ping",
        milliseconds!(timeouts.ready),
    )
    .role(Role::Operator),
    CommandRow::new(
        "answer-ms",
        "",
        "Answer (ms)",
        "how long it may take over a move under limits that are not of time; 0: by the limit, a minute up to depth 8 and \
         twice as long for every ply more, 10 s and a millisecond a node, 10 minutes at most",
        Field::Integer {
            min: 0,
            max: MAX_MILLISECONDS,
            get: |command| command.timeouts.answer.map_or(0, |time| time.as_millis() as i64),
            set: |command, time| {
                let time = Duration::from_millis(time.unsigned_abs());
                command.timeouts.answer = Some(time).filter(|time| !time.is_zero());
            },
        },
    )
    .role(Role::Operator),
    CommandRow::new(
        "multipv",
        "",
        "Lines",
        "best lines that it shows, by its option MultiPV; more of them cost depth",
        Field::Integer {
            min: 1,
            max: MAX_LINES,
            get: |command| i64::from(command.multipv.max(1)),
            set: |command, lines| command.multipv = lines as u32,
        },
    ),
];

const UNKNOWN_OPTIONS: [&str; 2] = ["error", "ignore"];

fn text_of(path: &Path) -> Value {
    Value::Text(path.display().to_string())
}

/// Words as [`quoted_words`] reads them.
fn quoted(words: &[String]) -> String {
    let quoted = words.iter().map(|word| {
        if word.is_empty() || word.contains([' ', '\'', '"']) {
            format!("\"{}\"", word.replace('"', "\"'\"'\""))
        } else {
            word.clone()
        }
    });
    quoted.collect::<Vec<String>>().join(" ")
}

/// The settings of an engine that speaks UCI.
pub(crate) fn uci_settings() -> &'static [Setting] {
    static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| schema(ROWS));
    &SETTINGS
}

/// Those of an engine that speaks the protocol of xboard.
pub(crate) fn xboard_settings() -> &'static [Setting] {
    uci_settings().split_last().map_or(&[], |(_, others)| others)
}

impl EngineCommand {
    /// Sets what the row with this key stands for.
    pub(crate) fn set(&mut self, key: &str, value: &Value) -> Result<(), SettingError> {
        set(ROWS, self, key, value)
    }

    /// What differs from the default, by key; the engine's own options apart.
    pub(crate) fn chosen_settings(&self) -> Vec<(String, Value)> {
        let usual = EngineCommand::default();
        let differs = |row: &&Row<EngineCommand>| row.get(self) != row.get(&usual);
        let rows = ROWS.iter().filter(differs);
        rows.map(|row| (row.key.to_owned(), row.get(self))).collect()
    }
}
