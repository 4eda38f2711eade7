//! Bodies and queries of requests, with our errors where they do not fit.

use std::future::Future;

use axum::Json;
use axum::body::{Bytes, HttpBody as _};
use axum::extract::rejection::{BytesRejection, JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ApiError;
use crate::server::Server;

/// What comes of a body, if it is here in time.
async fn in_time<T>(server: &Server, read: impl Future<Output = T>) -> Result<T, ApiError> {
    let time = server.config().timeouts.body;
    let late = |_| {
        let message = format!("the body was not here after {} seconds", time.as_secs());
        ApiError::new(StatusCode::REQUEST_TIMEOUT, "too-slow", message)
    };
    tokio::time::timeout(time, read).await.map_err(late)
}

/// A body that is not JSON.
pub(crate) async fn bytes(server: &Server, request: Request) -> Result<Bytes, ApiError> {
    let read = in_time(server, Bytes::from_request(request, server)).await?;
    read.map_err(|rejection: BytesRejection| {
        let status = client_error(rejection.status());
        ApiError::new(status, code_of(status), rejection.body_text())
    })
}

/// A JSON body. Its type denies unknown fields.
pub(crate) struct Body<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequest<Server> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, server: &Server) -> Result<Body<T>, ApiError> {
        match in_time(server, Json::<T>::from_request(request, server)).await? {
            Ok(Json(value)) => Ok(Body(value)),
            Err(rejection) => Err(refused(&rejection)),
        }
    }
}

/// A JSON body that may be absent: then everything in it is as usual.
pub(crate) struct MaybeBody<T>(pub(crate) T);

impl<T: DeserializeOwned + Default> FromRequest<Server> for MaybeBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, server: &Server) -> Result<MaybeBody<T>, ApiError> {
        let is_empty = request.body().size_hint().exact() == Some(0);
        if is_empty {
            return Ok(MaybeBody(T::default()));
        }
        Body::from_request(request, server)
            .await
            .map(|Body(value)| MaybeBody(value))
    }
}

fn refused(rejection: &JsonRejection) -> ApiError {
    let code = match rejection {
        JsonRejection::JsonDataError(_) => "bad-body",
        JsonRejection::JsonSyntaxError(_) => "bad-json",
        JsonRejection::MissingJsonContentType(_) => "not-json",
        _ => code_of(rejection.status()),
    };
    let text = rejection.body_text();
    let error = ApiError::new(client_error(rejection.status()), code, text.as_str());
    match (rejection, key(&text)) {
        (JsonRejection::JsonDataError(_), Some(key)) => error.field(key),
        _ => error,
    }
}

/// The key that is wrong: what is told begins with it, as in `…the target type: white.options.elo: invalid type…`.
fn key(text: &str) -> Option<&str> {
    let (_, told) = text.split_once(": ")?;
    let (key, _) = told.split_once(": ")?;
    (!key.contains(' ')).then_some(key)
}

fn code_of(status: StatusCode) -> &'static str {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => "too-large",
        _ => "bad-body",
    }
}

/// A query. Its type denies unknown fields.
pub(crate) struct Asked<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Asked<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Asked<T>, ApiError> {
        match Query::<T>::from_request_parts(parts, state).await {
            Ok(Query(value)) => Ok(Asked(value)),
            Err(QueryRejection::FailedToDeserializeQueryString(error)) => {
                Err(ApiError::bad_request("bad-query", error.body_text()))
            }
            Err(error) => Err(ApiError::bad_request("bad-query", error.body_text())),
        }
    }
}

/// Whatever is wrong with a body is the client's doing: a connection that breaks off is no fault of the server.
fn client_error(status: StatusCode) -> StatusCode {
    if status.is_client_error() {
        status
    } else {
        StatusCode::BAD_REQUEST
    }
}
