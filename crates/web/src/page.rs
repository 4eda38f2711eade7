//! The page, if the binary was built with it, or one plain page that says how to.

use std::fmt;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};

use crate::server::Server;

/// The files of the page by their paths, in the order of the paths; empty in a binary that was built without it.
#[derive(Clone, Copy, Default)]
pub struct Page(pub &'static [(&'static str, &'static [u8])]);

impl Page {
    fn file(self, path: &str) -> Option<&'static [u8]> {
        let index = self.0.binary_search_by_key(&path, |(name, _)| name).ok()?;
        Some(self.0[index].1)
    }
}

impl fmt::Debug for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|(name, _)| name))
            .finish()
    }
}

/// Instead of the page.
const NO_PAGE: &str = include_str!("no_page.html");

/// File names of this folder change with their content.
const IMMUTABLE: &str = "assets/";

/// What a browser is told of a file, by the end of its name.
const MEDIA_TYPES: &[(&str, &str)] = &[
    ("css", "text/css; charset=utf-8"),
    ("html", "text/html; charset=utf-8"),
    ("ico", "image/x-icon"),
    ("js", "text/javascript; charset=utf-8"),
    ("json", "application/json"),
    ("md", "text/markdown; charset=utf-8"),
    ("mp3", "audio/mpeg"),
    ("ogg", "audio/ogg"),
    ("png", "image/png"),
    ("svg", "image/svg+xml"),
    ("txt", "text/plain; charset=utf-8"),
    ("wav", "audio/wav"),
    ("webmanifest", "application/manifest+json"),
    ("webp", "image/webp"),
    ("woff2", "font/woff2"),
];

/// A file of the page.
pub(crate) async fn file(State(server): State<Server>, uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    let path = if path.is_empty() { "index.html" } else { path };
    match server.config().page.file(path) {
        Some(data) => {
            let cache = if path.starts_with(IMMUTABLE) {
                "public, max-age=31536000, immutable"
            } else {
                "no-cache"
            };
            let headers = [
                (header::CONTENT_TYPE, HeaderValue::from_static(media_type(path))),
                (header::CACHE_CONTROL, HeaderValue::from_static(cache)),
            ];
            (headers, data).into_response()
        }
        None if path == "index.html" => Html(NO_PAGE).into_response(),
        None => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
    }
}

fn media_type(path: &str) -> &'static str {
    let end = path.rsplit('.').next().unwrap_or_default();
    MEDIA_TYPES
        .iter()
        .find(|(extension, _)| *extension == end)
        .map_or("application/octet-stream", |(_, media_type)| media_type)
}
