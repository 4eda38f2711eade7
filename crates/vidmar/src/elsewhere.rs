//! Games on other machines: what commands share of the way to a NATS server.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use vidmar_engine::Control;
use vidmar_fleet::{Address, Coordinator, Credentials, FleetError, Notice, Observer, RunName, Settings};

use crate::output;
use crate::percent::percent;

/// Files that let us in.
#[derive(Args, Clone, Default)]
pub(crate) struct Login {
    /// Credentials of a user of the NATS server (a file that nsc writes)
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// A file with the nkey seed of a user
    #[arg(long, value_name = "FILE", conflicts_with = "creds")]
    nkey: Option<PathBuf>,
    /// The certificate authorities of the server; TLS is required then
    #[arg(long, value_name = "FILE")]
    tls_ca: Option<PathBuf>,
    /// Our own certificate
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    tls_cert: Option<PathBuf>,
    /// The key of our own certificate
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    tls_key: Option<PathBuf>,
}

impl Login {
    pub(crate) fn credentials(&self) -> Credentials {
        Credentials {
            creds: self.creds.clone(),
            nkey: self.nkey.clone(),
            tls_ca: self.tls_ca.clone(),
            tls_cert: self.tls_cert.clone(),
            tls_key: self.tls_key.clone(),
        }
    }
}

/// Where games are played, if not here.
#[derive(Args, Clone, Default)]
pub(crate) struct Elsewhere {
    /// Let workers of a NATS server play the games (`vidmar worker`); --threads then says how many threads of this machine help
    #[arg(long, value_name = "nats://HOST[,HOST…][/RUN]")]
    pub(crate) on: Option<Address>,
    /// The share of games that two workers play, to compare them
    #[arg(long, value_name = "PERCENT", requires = "on", value_parser = percent)]
    pub(crate) spot_checks: Option<f64>,
    /// Let workers that accept it (--accept-binaries) fetch the programs of external engines from this run
    #[arg(long, requires = "on")]
    pub(crate) offer_binaries: bool,
    #[command(flatten)]
    login: Login,
}

impl Elsewhere {
    /// As they were given, for a command that goes on. Passwords and files of credentials are the user's to add.
    pub(crate) fn arguments(&self) -> String {
        let Some(address) = &self.on else {
            return String::new();
        };
        let mut text = format!(" --on {address}");
        if let Some(percent) = self.spot_checks {
            let _ = write!(text, " --spot-checks {percent}");
        }
        if self.offer_binaries {
            text.push_str(" --offer-binaries");
        }
        text
    }

    /// The coordinator of what is kept at a path, if games are played elsewhere.
    pub(crate) fn coordinator(
        &self,
        path: &Path,
        part: &str,
        threads: usize,
        control: &Control,
    ) -> anyhow::Result<Option<Arc<Coordinator>>> {
        let Some(address) = &self.on else {
            return Ok(None);
        };
        let server = Server {
            address,
            credentials: self.login.credentials(),
            spot_checks: self.spot_checks,
            offers_binaries: self.offer_binaries,
        };
        server.coordinator(path, part, threads, control).map(Some)
    }
}

/// A server, and how it is used.
pub(crate) struct Server<'a> {
    pub(crate) address: &'a Address,
    pub(crate) credentials: Credentials,
    /// In percent.
    pub(crate) spot_checks: Option<f64>,
    pub(crate) offers_binaries: bool,
}

impl Server<'_> {
    /// Opens the coordinator of what is kept at a path.
    pub(crate) fn coordinator(
        self,
        path: &Path,
        part: &str,
        threads: usize,
        control: &Control,
    ) -> anyhow::Result<Arc<Coordinator>> {
        let named = self.address.run.clone();
        let run = named.unwrap_or_else(|| RunName::of_path(path, part));
        let mut settings = Settings {
            credentials: self.credentials,
            threads,
            offers_binaries: self.offers_binaries,
            ..Settings::new(self.address.clone(), run, observer())
        };
        if let Some(percent) = self.spot_checks {
            settings.spot_checks = percent / 100.0;
        }
        let coordinator = Coordinator::open(settings, control).context("games elsewhere")?;
        Ok(Arc::new(coordinator))
    }
}

/// Whether somebody said stop before the first game.
pub(crate) fn was_stopped(error: &anyhow::Error) -> bool {
    matches!(error.downcast_ref(), Some(FleetError::Stopped))
}

/// Ends it, once nobody else uses it: what it has on the server goes if its games are over.
pub(crate) fn close(coordinator: Option<Arc<Coordinator>>, is_over: bool) {
    if let Some(coordinator) = coordinator.and_then(Arc::into_inner) {
        coordinator.close(is_over);
    }
}

/// Says on standard error what happens. That a server is there is no news at first.
pub(crate) fn observer() -> Observer {
    let was_lost = std::sync::atomic::AtomicBool::new(false);
    Arc::new(move |notice: &Notice| {
        use std::sync::atomic::Ordering::Relaxed;
        match notice {
            Notice::Connected if !was_lost.swap(false, Relaxed) => return,
            Notice::Disconnected => was_lost.store(true, Relaxed),
            _ => {}
        }
        output::hint(&notice.to_string());
    })
}
