//! `vidmar worker`: plays games for runs on other machines.

use std::num::NonZeroUsize;
use std::process::ExitCode;

use clap::Args;
use vidmar_fleet::engines::OfferedEngine;
use vidmar_fleet::protocol::WorkerName;
use vidmar_fleet::worker::{WorkerSettings, serve};
use vidmar_fleet::{Address, RunName};

use crate::elsewhere::{self, Login};
use crate::{arguments, interrupt, output};

/// Play games for runs of other machines, over a NATS server
///
/// Takes tasks from every run of the server, or of the one that the address or --run names, plays them and answers. Ctrl-C hands
/// back what is not finished. A run of another version of this program is refused. Nothing but built-in players and the engines
/// named here is ever started, unless --accept-binaries says so: tasks carry no commands.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar worker nats://lab-server
  vidmar worker nats://me:password@lab-server,spare-server --threads 8
  vidmar worker nats://lab-server --engine stockfish=/usr/games/stockfish --engine 'gnu=gnuchess --uci'
  vidmar worker tls://lab-server --creds worker.creds --tls-ca ca.pem --run narrow-1a2b3c4d")]
pub(crate) struct Worker {
    /// The server
    #[arg(value_name = "nats://HOST[,HOST…][/RUN]")]
    address: Address,
    /// Games at once [default: one for each processor]
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
    /// Its name: letters, digits, - and _ [default: this machine and process]
    #[arg(long, value_name = "NAME")]
    name: Option<WorkerName>,
    /// Play for this run alone
    #[arg(long, value_name = "RUN")]
    run: Option<RunName>,
    /// An engine that tasks may use by this name, if it is the very program they mean; one that does not speak UCI is
    /// xboard:COMMAND
    #[arg(long, value_name = "NAME=COMMAND")]
    engine: Vec<OfferedEngine>,
    /// Fetch and run engines that runs bring along (--offer-binaries) and that are not named here: whoever may begin a run on the
    /// server runs programs on this machine then
    #[arg(long)]
    accept_binaries: bool,
    /// Scale the clocks of games by the speed of this machine
    #[arg(long)]
    scale_clock: bool,
    #[command(flatten)]
    login: Login,
}

impl Worker {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let available = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = self
            .threads
            .and_then(|threads| NonZeroUsize::new(usize::from(threads)));
        let mut address = self.address;
        address.run = self.run.or(address.run);
        let settings = WorkerSettings {
            name: self.name.unwrap_or_default(),
            threads: threads.unwrap_or_else(available),
            engines: self.engine.into(),
            accepts_binaries: self.accept_binaries,
            scales_clocks: self.scale_clock,
            credentials: self.login.credentials(),
            ..WorkerSettings::new(address, elsewhere::observer())
        };
        let control = interrupt::control()?;
        output::hint(&format!(
            "worker {} for {}, {} games at once; Ctrl-C hands back what is not finished",
            settings.name, settings.address, settings.threads
        ));
        let summary = serve(settings, &control)?;
        output::hint(&format!(
            "{} games played, {} tasks handed back",
            summary.games, summary.returned
        ));
        Ok(ExitCode::SUCCESS)
    }
}
