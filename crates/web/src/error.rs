//! Answers that are errors: `{"error": {"code", "message", "field"}}` with a fitting status.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use ts_rs::TS;

/// The body of every answer that is not a success.
#[derive(Clone, Debug, Serialize, TS)]
pub struct ErrorBody {
    /// What went wrong.
    pub error: ErrorDetail,
}

/// What went wrong.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct ErrorDetail {
    /// A word for programs; it does not change.
    pub code: &'static str,
    /// A sentence for people.
    pub message: String,
    /// The part of the body that is wrong, such as `start.fen`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
}

/// An answer that is an error.
#[derive(Clone, Debug)]
pub struct ApiError {
    status: StatusCode,
    detail: ErrorDetail,
}

/// What a handler gives.
pub(crate) type ApiResult<T> = Result<T, ApiError>;

impl ApiError {
    /// An error with a status of its own.
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> ApiError {
        let detail = ErrorDetail {
            code,
            message: message.into(),
            field: None,
        };
        ApiError { status, detail }
    }

    /// 400: the request cannot be understood.
    pub(crate) fn bad_request(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// 404: there is no such thing.
    pub(crate) fn not_found(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, code, message)
    }

    /// 409: understood, and not possible as things stand.
    pub(crate) fn conflict(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, code, message)
    }

    /// 429: there are too many of these already.
    pub(crate) fn too_many(code: &'static str, message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::TOO_MANY_REQUESTS, code, message)
    }

    /// The sentence for people.
    pub(crate) fn message(&self) -> &str {
        &self.detail.message
    }

    /// The part of the body that it is about.
    pub(crate) fn field(mut self, field: impl Into<String>) -> ApiError {
        self.detail.field = Some(field.into());
        self
    }

    /// The same error inside a larger part: `elo` of `white` is `white.elo`.
    pub(crate) fn within(mut self, part: &str) -> ApiError {
        self.detail.field = Some(match self.detail.field {
            Some(field) => format!("{part}.{field}"),
            None => part.to_owned(),
        });
        self
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(ErrorBody { error: self.detail })).into_response()
    }
}
