//! Whose requests are answered, and the headers of every answer.
//!
//! The server acts for whoever can reach it, and any page open in the same browser can reach loopback. So a request must
//! name the server as we know it (a foreign name that resolves to 127.0.0.1 is DNS rebinding), and if it says which page
//! it comes from, that must be ours.

use std::any::Any;
use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::ApiError;
use crate::server::Server;

/// The names under which a server may be addressed. Loopback by name or number always is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Hosts {
    /// Further names, such as that of the machine.
    pub names: Vec<String>,
    /// Whether any number will do: no page can make a browser send a number it was not loaded from. For servers that
    /// listen beyond loopback.
    pub any_address: bool,
}

impl Hosts {
    /// Whether a `Host` header (with or without its port) names this server.
    pub fn allow(&self, host: &str) -> bool {
        let name = without_port(host);
        let address = name
            .trim_start_matches('[')
            .trim_end_matches(']')
            .parse::<IpAddr>();
        match address {
            Ok(address) => self.any_address || address.is_loopback() || self.names(name),
            Err(_) => name.eq_ignore_ascii_case("localhost") || self.names(name),
        }
    }

    fn names(&self, name: &str) -> bool {
        self.names.iter().any(|known| known.eq_ignore_ascii_case(name))
    }
}

/// `[::1]:80` is `[::1]`, `localhost:80` is `localhost`.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.is_empty() => name,
        _ => host,
    }
}

/// Refuses requests that do not name this server, or come from another page.
pub(crate) async fn guard(State(server): State<Server>, request: Request, next: Next) -> Response {
    match admitted(&server.config().hosts, &request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

fn admitted(hosts: &Hosts, request: &Request) -> Result<(), ApiError> {
    let headers = request.headers();
    let host = text(headers, &header::HOST)
        .or_else(|| request.uri().authority().map(axum::http::uri::Authority::as_str));
    let host = host.filter(|host| hosts.allow(host)).ok_or_else(|| {
        let message = "this name is not known here; start the server with --allow-host to allow it";
        refusal("foreign-host", message)
    })?;
    if headers.contains_key(header::ORIGIN) {
        let origin = text(headers, &header::ORIGIN).unwrap_or_default();
        let from = origin
            .strip_prefix("http://")
            .or_else(|| origin.strip_prefix("https://"));
        if !from.is_some_and(|from| from.eq_ignore_ascii_case(host)) {
            return Err(refusal("foreign-origin", "requests from other pages are refused"));
        }
    }
    // Images and scripts of other pages send no origin, but browsers say where they come from. Following a link to the
    // page itself is welcome.
    let site = text(headers, &HeaderName::from_static("sec-fetch-site"));
    let is_foreign = matches!(site, Some("cross-site" | "same-site"));
    let is_link = text(headers, &HeaderName::from_static("sec-fetch-mode")) == Some("navigate")
        && !request.uri().path().starts_with("/api/");
    if is_foreign && !is_link {
        return Err(refusal("foreign-origin", "requests from other pages are refused"));
    }
    Ok(())
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn refusal(code: &'static str, message: &str) -> ApiError {
    ApiError::new(StatusCode::FORBIDDEN, code, message)
}

/// Only what comes with the binary is run or shown, and nobody may frame it.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
    font-src 'self' data:; media-src 'self' data:; connect-src 'self'; manifest-src 'self'; worker-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The headers of every answer.
const HEADERS: &[(&str, &str)] = &[
    ("content-security-policy", CONTENT_SECURITY_POLICY),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("permissions-policy", "camera=(), geolocation=(), microphone=()"),
    ("referrer-policy", "no-referrer"),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
];

/// Adds the headers of every answer.
pub(crate) async fn headers(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    for (name, value) in HEADERS {
        let name = HeaderName::from_static(name);
        response
            .headers_mut()
            .insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A defect of ours is an answer too.
pub(crate) fn panicked(_: Box<dyn Any + Send>) -> Response {
    let status = StatusCode::INTERNAL_SERVER_ERROR;
    ApiError::new(
        status,
        "defect",
        "the server has a defect; this request was given up",
    )
    .into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_is_known_and_other_names_are_not() {
        let hosts = Hosts::default();
        for good in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:8000",
            "127.9.9.9",
            "[::1]:8000",
            "[::1]",
        ] {
            assert!(hosts.allow(good), "{good}");
        }
        for bad in [
            "",
            ":80",
            "evil.example",
            "localhost.evil.example:80",
            "127.0.0.1.nip.io",
            "10.0.0.1",
            "192.168.1.2:80",
            "0.0.0.0:80",
            "localhost:80:80",
            "[::2]:80",
            "::",
            "a@localhost",
            "localhost/",
        ] {
            assert!(!hosts.allow(bad), "{bad}");
        }
        let wider = Hosts {
            names: vec!["box.lan".to_owned()],
            any_address: true,
        };
        assert!(wider.allow("box.lan:1") && wider.allow("10.0.0.1:80") && !wider.allow("evil.example"));
    }
}
