//! `vidmar tune export`: a run as tables, games and plots.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use vidmar_tune::export::{self, Format};
use vidmar_tune::pipeline::write_vectors;
use vidmar_tune::status::View;

use crate::output;

/// Write population, history, ratings, games and trajectories of a run to files
#[derive(Args)]
pub(crate) struct Export {
    /// The run's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Where the files go [default: DIR/export]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// JSON files instead of CSV
    #[arg(long)]
    json: bool,
    /// Plots too: means and deviations over the generations, convergence, final intervals
    #[arg(long)]
    svg: bool,
    /// The games with their moves too, as PGN
    #[arg(long)]
    pgn: bool,
}

impl Export {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let view = View::open(&self.directory)?;
        let out = self.out.unwrap_or_else(|| self.directory.join("export"));
        std::fs::create_dir_all(&out)?;
        let format = if self.json { Format::Json } else { Format::Csv };
        let mut files = export::tables(&view, format)?;
        if self.svg {
            files.extend(export::plots(&view));
        }
        if self.pgn {
            files.push(("games.pgn".into(), export::pgn(&view)?));
        }
        for (name, text) in &files {
            output::write_file(&out.join(name), text)?;
        }
        let mut paths: Vec<PathBuf> = files.iter().map(|(name, _)| out.join(name)).collect();
        paths.extend(write_vectors(&view, &out)?.into_iter().map(|(_, path)| path));
        let lines: Vec<String> = paths.iter().map(|path| format!("{}\n", path.display())).collect();
        output::print(&lines.concat())?;
        Ok(ExitCode::SUCCESS)
    }
}
