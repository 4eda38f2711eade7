//! `vidmar perft`: counts the leaves of the tree of legal moves.

use std::process::ExitCode;

use clap::Args;

/// Count the legal move sequences of a given length
#[derive(Args)]
pub(crate) struct Perft {
    /// Length of the sequences in plies
    #[arg(long)]
    depth: u32,
}

impl Perft {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        anyhow::bail!("perft to depth {} is not built yet", self.depth)
    }
}
