//! `vidmar reproduce report`: published figures, ours, and what they say about each other.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use vidmar_reproduce::report::{self, Format};

use crate::arguments::named;
use crate::output;

/// Set what came of the experiments beside the published figures
///
/// First a summary: what was claimed, what we found. Then for every table the published figures, ours with mean, standard deviation and 95 % interval, and a verdict that a rule produces:
/// agrees, same direction, differs, not comparable, not run yet. Pictures are files beside the output, or beside the experiments
/// where the report goes to standard output.
#[derive(Args)]
pub(super) struct Report {
    /// The folder of the experiments: --out of `vidmar reproduce`
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// What it is written as
    #[arg(long, default_value = "md", value_parser = named::<Format>())]
    format: Format,
    /// Write it to this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Report {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let report = report::Report::of(&self.directory)?;
        let (folder, shown) = if let Some(file) = &self.output {
            let stem = file.file_stem().and_then(|stem| stem.to_str());
            let stem = stem.unwrap_or("report");
            let folder = file.parent().unwrap_or(Path::new("")).join(stem);
            (folder, stem.to_owned())
        } else {
            let folder = self.directory.join("pictures");
            let shown = folder.display().to_string();
            (folder, shown)
        };
        if self.format == Format::Markdown {
            for (name, svg) in report.pictures() {
                std::fs::create_dir_all(&folder).with_context(|| folder.display().to_string())?;
                output::write_file(&folder.join(name), svg)?;
            }
        }
        let text = report.text(self.format, &shown);
        match &self.output {
            Some(file) => output::write_file(file, text)?,
            None => output::print(&text)?,
        }
        Ok(ExitCode::SUCCESS)
    }
}
