//! `vidmar tune export`: a run as tables, games and plots.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser as _};
use vidmar_tune::export::{self, Format};
use vidmar_tune::parameter_list::ListFormat;
use vidmar_tune::pipeline::{recommended_list, write_vectors};
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
    /// Print the recommended vector as a list for another tuner or engine, and write nothing
    #[arg(long, value_name = "FORM", value_parser = forms(), conflicts_with_all = ["out", "json", "svg", "pgn"])]
    list: Option<ListFormat>,
    /// The games with their moves too, as PGN
    #[arg(long)]
    pgn: bool,
}

fn forms() -> impl clap::builder::TypedValueParser<Value = ListFormat> {
    let row = |&form: &ListFormat| PossibleValue::new(form.name()).help(form.help());
    let forms = PossibleValuesParser::new(ListFormat::ALL.iter().map(row));
    forms.try_map(|name| name.parse::<ListFormat>())
}

impl Export {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let view = View::open(&self.directory)?;
        if let Some(format) = self.list {
            let list = recommended_list(&view, format)?;
            output::print(&list.context("the run has no result yet")?)?;
            return Ok(ExitCode::SUCCESS);
        }
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
