//! `vidmar cases query`: the nearest cases of a position.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::Args;
use vidmar_cases::{Behaviour, read};

use crate::{arguments, output};

/// Show the cases most similar to a position: where they come from, the move there, the move made of it here
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar cases query --cases vidmar.cases -k 5
  vidmar cases query --cases vidmar.cases --fen 'FEN' --set metric=like-pieces --set mirror=on --json")]
pub(super) struct Query {
    /// A file of `vidmar cases build`
    #[arg(long, value_name = "FILE.cases")]
    cases: PathBuf,
    /// The position; the start position if left out
    #[arg(long)]
    fen: Option<String>,
    /// How many cases
    #[arg(short, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    k: u16,
    /// A setting of the player, such as weights=0.8/0.2/0.5 or shift=on
    #[arg(long = "set", value_name = "KEY=VALUE", value_parser = super::setting)]
    settings: Vec<(String, String)>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Query {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let position = arguments::position(self.fen.as_deref())?;
        let base = read(&self.cases).map_err(anyhow::Error::msg)?;
        let behaviour = Behaviour::new(Arc::new(base), super::settings(&self.settings)?);
        let explanation = behaviour.explain(&position, usize::from(self.k));
        output::print(&if self.json {
            serde_json::to_string(&explanation)? + "\n"
        } else {
            format!("{explanation}\n")
        })?;
        Ok(ExitCode::SUCCESS)
    }
}
