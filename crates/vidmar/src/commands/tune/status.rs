//! `vidmar tune status`: where a run stands.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Args;
use vidmar_tune::status::View;

use super::show;
use crate::output;

/// Show where a run stands; it may be running
#[derive(Args)]
pub(crate) struct Status {
    /// The run's directory
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Status {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let view = View::open(&self.directory)?;
        if self.json {
            output::print(&(show::status_json(&view)? + "\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        let status = view.status()?;
        let planned = match (status.generations, status.total_games) {
            (0, games) => format!("{games} games"),
            (generations, _) => format!("{generations} generations"),
        };
        // Before the first games are committed nobody has said how many there are.
        let space = view
            .space()
            .map(|space| format!(" over {} parameters", space.degrees()));
        output::print(&format!(
            "{}{}: generation {}, {:.1} % of {planned}, {} faults\n{}",
            status.method,
            space.unwrap_or_default(),
            status.generation,
            100.0 * status.progress,
            status.faults,
            show::result(&view, &[])?
        ))?;
        Ok(ExitCode::SUCCESS)
    }
}
