//! `vidmar generate`: the manual pages, the completions of shells and a listing for programs, from the same table as `--help`.

mod listing;
mod reference;

use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, CommandFactory as _, ValueEnum};
use clap_complete::Shell;

use super::{completions, matches};
use crate::{Cli, output};
use listing::Listing;

/// Print a manual page, the completions for a shell, every argument and setting as JSON, or the reference of the book
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar generate man > vidmar.1
  vidmar generate man --out /usr/local/share/man/man1     all pages, one for each command
  vidmar generate arguments | jq '.configuration[].path'   every setting of a tuning run")]
pub(crate) struct Generate {
    /// What to print
    #[arg(value_enum)]
    what: What,
    /// Write the manual pages of all commands into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum What {
    Man,
    CompleteBash,
    CompleteZsh,
    CompleteFish,
    /// Every argument of every command, of matches, players and configurations, as JSON
    Arguments,
    /// The commands with their options as a page of the book, in Markdown
    Reference,
}

impl What {
    fn shell(self) -> Option<Shell> {
        match self {
            What::Man | What::Arguments | What::Reference => None,
            What::CompleteBash => Some(Shell::Bash),
            What::CompleteZsh => Some(Shell::Zsh),
            What::CompleteFish => Some(Shell::Fish),
        }
    }
}

/// The arguments of matches are those of other match runners, in a table that clap does not know: as `--help` prints them.
fn append_match_arguments(page: &Path) -> std::io::Result<()> {
    let escaped = matches::help_text().replace('\\', "\\e").replace('-', "\\-");
    let lines = escaped.lines().map(|line| format!("\\&{line}\n"));
    let section = format!(".SH ARGUMENTS\n.nf\n{}.fi\n", lines.collect::<String>());
    let mut file = OpenOptions::new().append(true).open(page)?;
    file.write_all(section.as_bytes())
}

/// The commands with their options, in Markdown.
pub(crate) fn reference_page() -> String {
    reference::markdown(Cli::command())
}

impl Generate {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let command = Cli::command();
        let mut text = Vec::new();
        match (self.what.shell(), self.out) {
            (Some(_), Some(_)) => {
                anyhow::bail!("--out is for manual pages; completions go to standard output")
            }
            (None, Some(_)) if self.what != What::Man => {
                anyhow::bail!("--out is for manual pages; the listing goes to standard output")
            }
            (None, None) if self.what == What::Reference => text = reference_page().into_bytes(),
            (None, None) if self.what == What::Arguments => {
                text = serde_json::to_vec(&Listing::new(command)?)?;
                text.push(b'\n');
            }
            (Some(shell), None) => text = completions::text(shell)?.into_bytes(),
            (None, None) => clap_mangen::Man::new(command).render(&mut text)?,
            (None, Some(folder)) => {
                std::fs::create_dir_all(&folder)
                    .and_then(|()| clap_mangen::generate_to(command, &folder))
                    .and_then(|()| append_match_arguments(&folder.join("vidmar-match.1")))
                    .with_context(|| format!("cannot write to {}", folder.display()))?;
            }
        }
        output::print(&String::from_utf8(text)?)?;
        Ok(ExitCode::SUCCESS)
    }
}
