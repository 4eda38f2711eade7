//! `-log`: what is written down while a match goes on, besides its games.

use std::path::PathBuf;

use anyhow::ensure;

use super::keys::{group, idle, key};
use super::line::CommandLine;
use super::row::Group;

/// How large a log grows, in MiB, before it is begun again.
const LIMIT: u64 = 256;

/// What a log holds besides the lines of engines.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(in super::super) enum Level {
    /// Faults of players.
    #[default]
    Faults,
    /// Every game that begins or ends as well.
    Games,
}

/// `-log`.
#[derive(Clone, Debug)]
pub(in super::super) struct LogWords {
    pub(in super::super) file: PathBuf,
    pub(in super::super) level: Level,
    pub(in super::super) has_engines: bool,
    pub(in super::super) appends: bool,
    /// In MiB.
    pub(in super::super) limit: u64,
}

impl Default for LogWords {
    fn default() -> LogWords {
        LogWords {
            file: PathBuf::new(),
            level: Level::default(),
            has_engines: false,
            appends: true,
            limit: LIMIT,
        }
    }
}

pub(super) static LOG_KEYS: Group<LogWords> = Group {
    check: |log| {
        ensure!(
            !log.file.as_os_str().is_empty(),
            "file is missing (expected file=FILE)"
        );
        Ok(())
    },
    ..group(
        &[
            key("file", "FILE", "where to", |log, value| {
                log.file = value.path();
                Ok(())
            }),
            key(
                "level",
                "trace|info|warn|err|fatal",
                "info and trace: games that begin and end, and faults; the others, and by default: faults",
                |log, value| {
                    log.level = value.one_of(&[
                        ("trace", Level::Games),
                        ("info", Level::Games),
                        ("warn", Level::Faults),
                        ("err", Level::Faults),
                        ("fatal", Level::Faults),
                    ])?;
                    Ok(())
                },
            ),
            key(
                "engine",
                "true|false",
                "also every line to and from engines, with its time; false by default",
                |log, value| {
                    log.has_engines = value.truth()?;
                    Ok(())
                },
            ),
            key(
                "append",
                "true|false",
                "behind what the file holds already; true by default",
                |log, value| {
                    log.appends = value.truth()?;
                    Ok(())
                },
            ),
            key(
                "limit",
                "MIB",
                "a larger file is renamed to FILE.1 and begun again; 256 by default",
                |log, value| {
                    log.limit = value.between(1, 1 << 20)?;
                    Ok(())
                },
            ),
            key("compress", "false", "only false", |_, value| {
                if value.truth()? {
                    return Err(value.wrong("a log is not compressed: expected false"));
                }
                Ok(())
            }),
            idle("realtime", "true|false", "every line is written at once"),
        ],
        |line: &mut CommandLine| line.log.insert(LogWords::default()),
    )
};
