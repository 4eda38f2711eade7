//! `vidmar openings`: lines to begin games with, made and written down.
//!
//! | file | holds |
//! | --- | --- |
//! | `make` | new ones: lines drawn at random, from a book or from named openings, whose end the engine finds even |
//! | `named` | how a named opening becomes a line of a given length |
//! | `partial` | what was found so far, for a command that goes on |
//! | `export` | those inside the program, as a file |

mod export;
mod make;
mod named;
mod partial;

use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use vidmar_formats::epd::{Epd, Value};
use vidmar_formats::openings::Opening;
use vidmar_formats::pgn::Writer;

/// Make openings to begin games with, or write down those inside the program
#[derive(Args)]
pub(crate) struct Openings {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Make(make::Make),
    Export(export::Export),
}

impl Openings {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.action {
            Action::Make(make) => make.run(),
            Action::Export(export) => export.run(),
        }
    }
}

/// What a file of openings holds.
#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Format {
    Epd,
    Pgn,
}

impl Format {
    /// The one that was asked for, or that of the file's name: EPD unless it ends in `.pgn`.
    fn of(asked: Option<Format>, file: Option<&Path>) -> Format {
        let is_pgn = || file?.extension().map(|extension| extension == "pgn");
        asked.unwrap_or_else(|| match is_pgn() {
            Some(true) => Format::Pgn,
            _ => Format::Epd,
        })
    }

    /// Openings in this format. The first record of EPD has the command that makes them as its comment `c0`: other match runners take
    /// every line that is not empty for an opening.
    fn text(self, command: &str, openings: &[Opening]) -> anyhow::Result<String> {
        if self == Format::Epd {
            let mut records: Vec<Epd> = openings.iter().map(Opening::to_epd).collect();
            if let Some(first) = records.first_mut() {
                first.set("c0", Value::Text(command.to_owned()));
            }
            let mut text = String::new();
            for record in records {
                writeln!(text, "{record}")?;
            }
            return Ok(text);
        }
        let mut writer = Writer::new(Vec::new());
        for opening in openings {
            let mut game = opening.to_game();
            // Match runners tell games apart by their tags.
            game.tags.complete_roster();
            writer.write(&game)?;
        }
        Ok(String::from_utf8(writer.into_inner())?)
    }
}
