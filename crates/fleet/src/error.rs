//! What goes wrong between us and a server.

use std::path::PathBuf;

use thiserror::Error;

use crate::protocol::RunName;

/// Why there is no fleet.
#[derive(Debug, Error)]
pub enum FleetError {
    /// The address is none.
    #[error("'{address}': {reason}; expected nats://[USER:PASSWORD@]HOST[:PORT][,HOST…][/RUN]")]
    Address {
        /// What was given, without its password.
        address: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The name of a run or a worker.
    #[error("'{0}': expected a name of letters, digits, - and _, at most 48 of them")]
    Name(String),
    /// Nobody answers.
    #[error("no NATS server answers at {address}: {reason}; one is started by: nats-server -js")]
    Unreachable {
        /// Where it was looked for.
        address: String,
        /// What was seen.
        reason: String,
    },
    /// It does not let us in.
    #[error(
        "the NATS server at {0} refuses these credentials (USER:PASSWORD@ or TOKEN@ in the address, --creds FILE or --nkey FILE)"
    )]
    Denied(String),
    /// No TLS between us.
    #[error(
        "no secure connection to {address}: {reason} (--tls-ca FILE names the authority of the server's certificate, --tls-cert and --tls-key our own)"
    )]
    Insecure {
        /// Where.
        address: String,
        /// What was seen.
        reason: String,
    },
    /// A file of credentials or certificates.
    #[error("{}: {reason}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The server is a plain one.
    #[error("the NATS server at {0} runs without JetStream; start it with: nats-server -js")]
    NoJetStream(String),
    /// It answers, and not as it should.
    #[error("{doing}: {reason}")]
    Server {
        /// What was tried.
        doing: &'static str,
        /// What was seen.
        reason: String,
    },
    /// Another coordinator has the run.
    #[error("run {run} is coordinated by {holder} already")]
    InUse {
        /// The run.
        run: RunName,
        /// Who has it.
        holder: String,
    },
    /// The run is of another program.
    #[error("run {run} was begun by another program: {reason}")]
    OtherProgram {
        /// The run.
        run: RunName,
        /// What differs.
        reason: String,
    },
    /// There is nobody of that name.
    #[error("no worker {0} is there")]
    NoWorker(String),
    /// There is no such run.
    #[error("no run {0} is on this server")]
    NoRun(RunName),
    /// An engine that is offered.
    #[error(transparent)]
    Engine(#[from] crate::engines::EngineError),
    /// The bench was stopped before it was over.
    #[error("stopped")]
    Stopped,
}

impl FleetError {
    /// Whether it may have been because the server was going away.
    pub(crate) fn may_pass(&self) -> bool {
        matches!(self, FleetError::Server { .. } | FleetError::NoJetStream(_))
    }

    /// The same with what the server has said, if anything.
    pub(crate) fn with(self, said: &str) -> FleetError {
        match self {
            FleetError::Server { doing, reason } if !said.is_empty() => FleetError::Server {
                doing,
                reason: format!("{reason} ({said})"),
            },
            other => other,
        }
    }

    /// Something failed while doing that.
    pub(crate) fn server(doing: &'static str) -> impl FnOnce(&dyn std::fmt::Display) -> FleetError {
        move |reason| FleetError::Server {
            doing,
            reason: reason.to_string(),
        }
    }
}
