//! `vidmar openings export`: the openings inside the program, for other match runners.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::ensure;
use clap::Args;
use vidmar_formats::openings::{BuiltIn, Opening};

use super::Format;
use crate::{arguments, output};

/// Write down the openings inside the program, as EPD or PGN that other match runners read
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar openings export -o book.pgn          # for fastchess and cutechess
  vidmar openings export --eco B9 -o najdorf.epd")]
pub(super) struct Export {
    /// Which list
    #[arg(long, default_value = BuiltIn::Book.name(), value_parser = arguments::named::<BuiltIn>())]
    list: BuiltIn,
    /// Only openings whose code begins so: B, B9, B90
    #[arg(long, value_name = "CODE")]
    eco: Option<String>,
    /// The file to write [default: standard output]
    #[arg(short, long, value_name = "F.epd|F.pgn")]
    output: Option<PathBuf>,
    /// What is written, whatever the file's name
    #[arg(long, value_enum)]
    format: Option<Format>,
}

impl Export {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let code = self.eco.as_deref().unwrap_or_default().to_ascii_uppercase();
        let all = self.list.openings().iter();
        let openings: Vec<Opening> = all
            .filter(|opening| opening.name.starts_with(&code))
            .cloned()
            .collect();
        ensure!(
            !openings.is_empty(),
            "--eco {code}: there is no such opening in the list {}",
            self.list.name()
        );
        let format = Format::of(self.format, self.output.as_deref());
        let mut command = format!("vidmar openings export --list {}", self.list.name());
        if !code.is_empty() {
            let _ = write!(command, " --eco {code}");
        }
        let text = format.text(&command, &openings)?;
        match &self.output {
            Some(path) => output::write_file(path, &text)?,
            None => output::print(&text)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
