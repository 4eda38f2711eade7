//! What all requests share.

use std::sync::Arc;

use tokio::sync::Semaphore;

use crate::analyses::Analyses;
use crate::config::Config;
use crate::games::{GameRegistry, KeepError};
use crate::pgn;
use crate::runs::Library;

/// The state behind the router. A clone is the same server.
#[derive(Clone)]
pub struct Server(Arc<Shared>);

struct Shared {
    config: Config,
    registry: Arc<GameRegistry>,
    analyses: Analyses,
    runs: Library,
    pgn_permits: Arc<Semaphore>,
}

impl Server {
    /// A server with that configuration. Games that were kept go on.
    pub fn new(config: Config) -> Result<Server, KeepError> {
        let runs = Library::new(&config.directories);
        let registry = GameRegistry::open(&config, config.state.as_deref())?;
        Ok(Server(Arc::new(Shared {
            config,
            registry,
            analyses: Analyses::default(),
            runs,
            pgn_permits: pgn::permits(),
        })))
    }

    /// What it was started with.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// Stops everybody who thinks, and waits a little for them. Runs are processes of their own: the names of those that go on
    /// are told.
    pub fn close(&self) -> Vec<String> {
        self.0.analyses.close();
        self.0.registry.close();
        self.0.runs.close()
    }

    pub(crate) fn registry(&self) -> &Arc<GameRegistry> {
        &self.0.registry
    }

    pub(crate) fn analyses(&self) -> &Analyses {
        &self.0.analyses
    }

    /// Places for texts that are read.
    pub(crate) fn pgn_permits(&self) -> Arc<Semaphore> {
        Arc::clone(&self.0.pgn_permits)
    }

    /// The tuning runs and matches.
    pub(crate) fn runs(&self) -> &Library {
        &self.0.runs
    }
}
