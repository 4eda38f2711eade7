//! `vidmar completions`: what a shell needs to complete commands and options, from the same table as `--help`.

use std::process::ExitCode;

use clap::{Args, CommandFactory as _};
use clap_complete::Shell;

use crate::{Cli, output};

/// Print the completions for a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar completions bash > ~/.local/share/bash-completion/completions/vidmar
  vidmar completions zsh > \"${fpath[1]}/_vidmar\"
  vidmar completions fish > ~/.config/fish/completions/vidmar.fish")]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        output::print(&text(self.shell)?)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// The completions of a shell.
pub(crate) fn text(shell: Shell) -> anyhow::Result<String> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "vidmar", &mut text);
    Ok(String::from_utf8(text)?)
}
