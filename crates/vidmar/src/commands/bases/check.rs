//! `vidmar bases check`: whether the files are whole.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use vidmar_tablebases::{EXTENSION, Ending, file_of, read};

use crate::output;

/// Check every base of a folder: name, length, checksum, contents
#[derive(Args)]
pub(crate) struct Check {
    /// The folder of the files
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Check {
    /// The exit code is 1 if a file is damaged; missing ones are counted only.
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        std::fs::read_dir(&self.folder).with_context(|| self.folder.display().to_string())?;
        let (mut whole, mut missing, mut damaged) = (0, 0, String::new());
        for &ending in Ending::all() {
            let path = file_of(&self.folder, ending);
            match path.try_exists() {
                Ok(false) => missing += 1,
                _ => match read(&path) {
                    Ok(_) => whole += 1,
                    Err(error) => writeln!(damaged, "{error}")?,
                },
            }
        }
        anyhow::ensure!(
            whole > 0 || !damaged.is_empty(),
            "{}: no .{EXTENSION} file",
            self.folder.display()
        );
        let faults = damaged.lines().count();
        output::print(&format!(
            "{damaged}{whole} whole, {faults} damaged, {missing} missing\n"
        ))?;
        Ok(ExitCode::from(u8::from(faults > 0)))
    }
}
