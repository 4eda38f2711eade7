//! What all requests share.

use std::sync::Arc;

use crate::config::Config;
use crate::runs::Library;

/// The state behind the router. A clone is the same server.
#[derive(Clone)]
pub struct Server(Arc<Shared>);

struct Shared {
    runs: Library,
    config: Config,
}

impl Server {
    /// A server with that configuration.
    pub fn new(config: Config) -> Server {
        Server(Arc::new(Shared {
            runs: Library::new(&config.directories),
            config,
        }))
    }

    /// What it was started with.
    pub fn config(&self) -> &Config {
        &self.0.config
    }

    /// The tuning runs and matches.
    pub(crate) fn runs(&self) -> &Library {
        &self.0.runs
    }
}
