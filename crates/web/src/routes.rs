//! Every endpoint, one row each, and the layers around them.

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, Method, Uri, header};
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate as _, SizeAbove};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::error::ApiError;
use crate::server::Server;
use crate::{about, analyses, catalogue, games, page, pgn, position, runs, security, token};

/// The largest body of a request that says nothing else.
const LARGEST_BODY: usize = 64 * 1024;

/// The server as a service.
pub fn app(server: Server) -> Router {
    let api = Router::new()
        .route("/about", get(about::about))
        .route("/reference", get(about::reference))
        .route("/players", get(catalogue::players))
        .route("/positions", post(position::position))
        .route("/pgn", post(pgn::read).layer(DefaultBodyLimit::max(pgn::LARGEST)))
        .merge(games::routes())
        .merge(analyses::routes())
        .merge(runs::routes())
        .fallback(unknown)
        .method_not_allowed_fallback(wrong_method)
        .layer(SetResponseHeaderLayer::if_not_present(
            header::CACHE_CONTROL,
            HeaderValue::from_static("no-store"),
        ));
    // Compressing a stream of events would hold events back.
    let worth = SizeAbove::default().and(NotForContentType::const_new("text/event-stream"));
    Router::new()
        .nest("/api/v1", api)
        .fallback(page::file)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(CompressionLayer::new().compress_when(worth))
        .layer(CatchPanicLayer::custom(security::panicked))
        .layer(from_fn_with_state(server.clone(), token::guard))
        .layer(from_fn_with_state(server.clone(), security::guard))
        .layer(from_fn(security::headers))
        .with_state(server)
}

async fn unknown(uri: Uri) -> ApiError {
    ApiError::not_found("no-such-endpoint", format!("there is no '{}'", uri.path()))
}

async fn wrong_method(method: Method, uri: Uri) -> ApiError {
    let message = format!("'{}' does not take {method}", uri.path());
    ApiError::new(
        axum::http::StatusCode::METHOD_NOT_ALLOWED,
        "method-not-allowed",
        message,
    )
}
