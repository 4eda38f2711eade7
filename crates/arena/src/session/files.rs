//! Games and last positions of a match, written to files.
//!
//! The store is the truth; files are made from it when the match ends or is stopped, in the order of the schedule, under
//! a temporary name that is renamed when they are complete. Until then games are in the file in the order of their ends. What a file held before the match stays at its head, however
//! often the match is stopped and resumed.

use std::fs::File;
use std::io::{self, Read as _, Write};
use std::path::PathBuf;

use thiserror::Error;
use vidmar_formats::pgn::{self, Writer};
use vidmar_store::{Game, Run, RunId, Store, StoreError};

use super::{MATCH_KIND, MatchConfig};
use crate::archive::{self, ArchiveError, Detail, PgnStyle};
use crate::matches::Finished;

/// A file that games are written to.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub struct OutputFile {
    /// The file.
    pub file: PathBuf,
    /// Instead of what it holds, not behind it.
    pub replace: bool,
    /// Also the positions visited.
    pub nodes: bool,
    /// Also the positions a second.
    pub nps: bool,
    /// Also the principal variations.
    pub pv: bool,
    /// Also these.
    pub details: Vec<Detail>,
    /// No comments.
    pub plain: bool,
}

/// What is written besides the store.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MatchFiles {
    /// The games.
    pub pgn: Option<OutputFile>,
    /// The last positions.
    pub epd: Option<OutputFile>,
    /// The tag `Event`.
    pub event: String,
    /// The tag `Site`.
    pub site: String,
}

/// Why a file is not written.
#[derive(Debug, Error)]
pub enum FileError {
    /// It is something else.
    #[error("{} is not a file", .0.display())]
    NotAFile(PathBuf),
    /// There is nowhere to write it.
    #[error("{}: there is no folder {}", file.display(), folder.display())]
    NoFolder {
        /// The file.
        file: PathBuf,
        /// Its folder.
        folder: PathBuf,
    },
    /// Writing failed.
    #[error("cannot write {}: {reason}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// Why.
        reason: WriteError,
    },
    /// The store could not be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What can go wrong between a store and a file.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The file.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A game of it.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// A game that cannot be written.
    #[error(transparent)]
    Pgn(#[from] pgn::WriteError),
}

/// How the games of a run are written as PGN; a run that is no match has no more than a date.
pub fn pgn_style(run: &Run) -> PgnStyle {
    let config: MatchConfig = if run.kind == MATCH_KIND {
        serde_json::from_str(&run.config).unwrap_or_default()
    } else {
        MatchConfig::default()
    };
    style(&config, run.begun)
}

fn style(config: &MatchConfig, begun: i64) -> PgnStyle {
    PgnStyle {
        event: config.event.clone(),
        site: config.site.clone(),
        date: pgn_date(begun),
        time_controls: config.controls.clone(),
        ..PgnStyle::default()
    }
}

impl MatchFiles {
    /// Writes what is asked for.
    pub(super) fn write(
        &self,
        config: &MatchConfig,
        finished: &Finished,
        run: RunId,
    ) -> Result<(), FileError> {
        let store = &finished.store;
        let counted = finished.scoreboard.counted();
        if let Some(out) = &self.pgn {
            let style = out.style(config, store.run(run)?.begun);
            let players = store.players(run)?;
            out.write(config.pgn_before.as_ref(), |file| {
                let mut writer = Writer::new(file);
                each_game(store, run, counted, |game| {
                    writer.write(&archive::pgn_of(game, &players, &style)?)?;
                    Ok(())
                })
            })?;
        }
        if let Some(out) = &self.epd {
            out.write(config.epd_before.as_ref(), |file| {
                each_game(store, run, counted, |game| {
                    let (mut position, moves) = archive::moves(game)?;
                    for m in moves {
                        position.play(m);
                    }
                    writeln!(file, "{}", position.setup().epd())?;
                    Ok(())
                })
            })?;
        }
        Ok(())
    }
}

fn each_game(
    store: &Store,
    run: RunId,
    counted: u64,
    mut visit: impl FnMut(&Game) -> Result<(), WriteError>,
) -> Result<(), WriteError> {
    store.for_each_game(run, |game| {
        if game.number < counted {
            visit(&game)
        } else {
            Ok(())
        }
    })
}

impl OutputFile {
    /// How games are written to it.
    pub(super) fn style(&self, config: &MatchConfig, begun: i64) -> PgnStyle {
        PgnStyle {
            plain: self.plain,
            nodes: self.nodes,
            nps: self.nps,
            details: self.details.clone(),
            pv: self.pv,
            ..style(config, begun)
        }
    }

    /// Puts new contents behind what the file held before the match.
    pub(super) fn write(
        &self,
        before: Option<&(PathBuf, u64)>,
        fill: impl FnOnce(&mut dyn Write) -> Result<(), WriteError>,
    ) -> Result<(), FileError> {
        let path = &self.file;
        let keep = before.map_or(0, |before| before.1);
        vidmar_files::write_with(path, |file| {
            if keep > 0 {
                io::copy(&mut File::open(path)?.take(keep), file)?;
            }
            fill(file)
        })
        .map_err(|reason: WriteError| FileError::Write {
            file: path.clone(),
            reason,
        })
    }
}

/// The length of a file that is to be appended to.
pub(super) fn length_before(out: Option<&OutputFile>) -> Result<Option<(PathBuf, u64)>, FileError> {
    let Some(out) = out else { return Ok(None) };
    let file = out.file.clone();
    let length = match std::fs::metadata(&file) {
        _ if out.replace => 0,
        Ok(metadata) if metadata.is_file() => metadata.len(),
        Ok(_) => return Err(FileError::NotAFile(file)),
        Err(_) => {
            // Better to know now than after the last game.
            let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                let folder = folder.to_owned();
                return Err(FileError::NoFolder { file, folder });
            }
            0
        }
    };
    Ok(Some((file, length)))
}

/// A day as PGN writes it, of a time in seconds since 1970 (Howard Hinnant's "civil from days").
pub fn pgn_date(seconds: i64) -> String {
    let days = seconds.div_euclid(86_400) + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    format!("{year:04}.{month:02}.{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        for (seconds, expected) in [
            (0, "1970.01.01"),
            (951_782_400, "2000.02.29"),
            (1_709_164_800, "2024.02.29"),
            (1_735_689_599, "2024.12.31"),
            (1_735_689_600, "2025.01.01"),
            (-1, "1969.12.31"),
        ] {
            assert_eq!(pgn_date(seconds), expected);
        }
    }
}
