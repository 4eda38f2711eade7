//! Tuning runs and matches: what the directories hold that the server was started with.

use axum::Router;

use crate::server::Server;

/// The endpoints of runs, below `/api/v1`.
pub(crate) fn routes() -> Router<Server> {
    Router::new()
}

/// The types of these endpoints as TypeScript; each declaration without `export`.
pub(crate) fn declarations(_config: &ts_rs::Config) -> Vec<String> {
    Vec::new()
}
