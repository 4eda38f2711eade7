//! What all requests share.

use std::sync::Arc;

use crate::config::Config;

/// The state behind the router. A clone is the same server.
#[derive(Clone)]
pub struct Server(Arc<Shared>);

struct Shared {
    config: Config,
}

impl Server {
    /// A server with that configuration.
    pub fn new(config: Config) -> Server {
        Server(Arc::new(Shared { config }))
    }

    /// What it was started with.
    pub fn config(&self) -> &Config {
        &self.0.config
    }
}
