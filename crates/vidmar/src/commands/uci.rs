//! `vidmar uci`, and `vidmar` alone: the UCI engine on standard input and output.

use std::io::{self, BufReader, IsTerminal as _};
use std::process::ExitCode;

use clap::Args;
use vidmar_engine::uci::{ServeError, ServerSettings, serve};
use vidmar_players::AnyPlayer;

use crate::output;

/// Be a UCI engine on standard input and output; the same as no command at all
#[derive(Args)]
pub(crate) struct Uci {
    /// Offer every parameter of evaluation and search as an option, for tuners
    #[arg(long)]
    parameters: bool,
}

impl Uci {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let settings = ServerSettings {
            parameters: self.parameters,
        };
        let thinker = Box::<AnyPlayer>::default();
        match serve(BufReader::new(io::stdin()), io::stdout(), thinker, settings) {
            // The other side has closed the pipe: it has seen enough.
            Err(ServeError::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => {}
            ended => ended?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// A person at a terminal is told where help is.
pub(crate) fn without_arguments() -> anyhow::Result<ExitCode> {
    if io::stdin().is_terminal() {
        output::hint(
            "vidmar is now a UCI engine ('help' lists its commands, 'quit' ends it); 'vidmar --help' lists what else it can do",
        );
    }
    Uci { parameters: false }.run()
}
