//! Games and last positions of a match, written to files.
//!
//! The store is the truth; files are made from it when the match ends or is stopped, in the order of the schedule, under
//! a temporary name that is renamed when they are complete. What a file held before the match stays at its head, however
//! often the match is stopped and resumed.

use std::fs::File;
use std::io::{Read as _, Write};

use anyhow::Context as _;
use vidmar_arena::Finished;
use vidmar_arena::archive::{self, PgnStyle};
use vidmar_formats::pgn::Writer;
use vidmar_store::{Run, RunId, Store};

use super::session::{Config, KIND};
use super::settings::{FileOut, Settings};

/// How the games of a run are written as PGN; a run that is no match has no more than a date.
pub(crate) fn conventions(run: &Run) -> PgnStyle {
    let config: Config = if run.kind == KIND {
        serde_json::from_str(&run.config).unwrap_or_default()
    } else {
        Config::default()
    };
    style(&config, run.begun)
}

fn style(config: &Config, begun: i64) -> PgnStyle {
    PgnStyle {
        event: config.event.clone(),
        site: config.site.clone(),
        date: date(begun),
        time_controls: config.controls.clone(),
        ..PgnStyle::default()
    }
}

/// Writes what was asked for.
pub(super) fn write(
    settings: &Settings,
    config: &Config,
    finished: &Finished,
    run: RunId,
) -> anyhow::Result<()> {
    let store = &finished.store;
    let counted = finished.scoreboard.counted();
    if let Some(out) = &settings.pgn {
        let style = PgnStyle {
            plain: out.plain,
            nodes: out.nodes,
            ..style(config, store.run(run)?.begun)
        };
        let players = store.players(run)?;
        replace(
            out,
            config.pgn_before.as_ref().map_or(0, |before| before.1),
            |file| {
                let mut writer = Writer::new(file);
                each_game(store, run, counted, |game| {
                    writer.write(&archive::pgn_of(game, &players, &style)?)?;
                    Ok(())
                })
            },
        )?;
    }
    if let Some(out) = &settings.epd {
        replace(
            out,
            config.epd_before.as_ref().map_or(0, |before| before.1),
            |file| {
                each_game(store, run, counted, |game| {
                    let (mut position, moves) = archive::moves(game)?;
                    for m in moves {
                        position.play(m);
                    }
                    writeln!(file, "{}", position.setup().epd())?;
                    Ok(())
                })
            },
        )?;
    }
    Ok(())
}

fn each_game(
    store: &Store,
    run: RunId,
    counted: u64,
    mut visit: impl FnMut(&vidmar_store::Game) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    store.for_each_game(run, |game| {
        if game.number < counted {
            visit(&game)
        } else {
            Ok(())
        }
    })
}

/// Puts new contents behind the first `keep` bytes of a file.
fn replace(
    out: &FileOut,
    keep: u64,
    fill: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let path = &out.file;
    vidmar_files::write_with(path, |file| {
        if keep > 0 {
            std::io::copy(&mut File::open(path)?.take(keep), file)?;
        }
        fill(file)
    })
    .with_context(|| format!("cannot write {}", path.display()))
}

/// A day as PGN writes it, of a time in seconds since 1970 (Howard Hinnant's "civil from days").
pub(crate) fn date(seconds: i64) -> String {
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
    use super::date;

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
            assert_eq!(date(seconds), expected);
        }
    }
}
