//! `GET /about`: what this server is and what it was started with, by name; `GET /reference`: the commands of its program.

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::IntoResponse;
use serde::Serialize;
use ts_rs::TS;

use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// The version of the API; it grows when a script that worked would stop working.
const API: u32 = 1;

/// What the server is.
#[derive(Clone, Debug, Serialize, TS)]
pub struct About {
    /// Always `vidmar`.
    pub name: &'static str,
    /// Of the binary.
    pub version: &'static str,
    /// Of the API.
    pub api: u32,
    /// The external engines that may be seated.
    pub engines: Vec<String>,
    /// The case bases that may be used.
    pub cases: Vec<String>,
    /// The directories in which runs are looked for.
    pub directories: Vec<String>,
    /// Whether games outlive the server.
    pub keeps_games: bool,
}

pub(crate) async fn about(State(server): State<Server>) -> Json<About> {
    let config = server.config();
    Json(About {
        name: "vidmar",
        version: env!("CARGO_PKG_VERSION"),
        api: API,
        engines: config.engines.iter().map(|engine| engine.name.clone()).collect(),
        cases: config.files.iter().map(|file| file.name.clone()).collect(),
        directories: config
            .directories
            .iter()
            .map(|index| index.name.clone())
            .collect(),
        keeps_games: config.state.is_some() && !server.registry().keeper.has_failed(),
    })
}

/// `GET /reference`: a page of the book that only the program itself can write, in Markdown.
pub(crate) async fn reference(State(server): State<Server>) -> ApiResult<impl IntoResponse> {
    let write = server.config().reference;
    let write = write.ok_or_else(|| ApiError::not_found("no-reference", "this server has no such page"))?;
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], write()))
}
