//! Bodies and queries of requests, with our errors where they do not fit.

use axum::Json;
use axum::body::HttpBody as _;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

use crate::error::ApiError;

/// A JSON body. Its type denies unknown fields.
pub(crate) struct Body<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Body<T>, ApiError> {
        match Json::<T>::from_request(request, state).await {
            Ok(Json(value)) => Ok(Body(value)),
            Err(rejection) => Err(refused(&rejection)),
        }
    }
}

/// A JSON body that may be absent: then everything in it is as usual.
pub(crate) struct MaybeBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Default> FromRequest<S> for MaybeBody<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<MaybeBody<T>, ApiError> {
        let is_empty = request.body().size_hint().exact() == Some(0);
        if is_empty {
            return Ok(MaybeBody(T::default()));
        }
        Body::from_request(request, state)
            .await
            .map(|Body(value)| MaybeBody(value))
    }
}

fn refused(rejection: &JsonRejection) -> ApiError {
    let code = match rejection {
        JsonRejection::JsonDataError(_) => "bad-body",
        JsonRejection::JsonSyntaxError(_) => "bad-json",
        JsonRejection::MissingJsonContentType(_) => "not-json",
        _ if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE => "too-large",
        _ => "bad-body",
    };
    ApiError::new(client_error(rejection.status()), code, rejection.body_text())
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
