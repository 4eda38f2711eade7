//! The token: who may use this server.
//!
//! Loopback keeps other machines out, not the other people on this one, and any address beyond it keeps out nobody. So the
//! address that is printed at the start has a token in it, as Jupyter's has. A browser that opens it is given a cookie with
//! the token, which no script can read and which no other site can make it send; scripts send the token in a header.

use std::fmt;
use std::hint::black_box;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse as _, Response};
use thiserror::Error;

use crate::error::ApiError;
use crate::server::Server;

/// Bytes of a token that is made here.
const BYTES: usize = 16;
/// The lengths of one that is given.
const SHORTEST: usize = 16;
const LONGEST: usize = 200;
/// The parameter of the address that is printed.
const PARAMETER: &str = "token";

/// A secret that every request shows.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Why there is no token.
#[derive(Debug, Error)]
pub enum TokenError {
    /// The system gives no random numbers.
    #[error("there is no token to be had: {0}")]
    Random(getrandom::Error),
    /// A text that cannot be one.
    #[error("expected a token of {SHORTEST} to {LONGEST} letters, digits, '-', '_' and '.'")]
    Text,
}

impl Token {
    /// A new one, from the system's randomness.
    pub fn random() -> Result<Token, TokenError> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(TokenError::Random)?;
        Ok(Token(format!("{:032x}", u128::from_ne_bytes(bytes))))
    }

    /// One that somebody chose.
    pub fn given(text: &str) -> Result<Token, TokenError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
        let fits = (SHORTEST..=LONGEST).contains(&text.len()) && text.chars().all(plain);
        fits.then(|| Token(text.to_owned())).ok_or(TokenError::Text)
    }

    /// An address with the token in it.
    pub fn in_address(&self, address: &str) -> String {
        format!("{address}?{PARAMETER}={}", self.0)
    }

    /// Whether a text is the token. How long it takes says nothing but whether the lengths are the same.
    fn is(&self, text: &str) -> bool {
        let (own, other) = (self.0.as_bytes(), text.as_bytes());
        let differs = own
            .iter()
            .zip(other)
            .fold(0, |differs, (a, b)| black_box(differs | (a ^ b)));
        own.len() == other.len() && differs == 0
    }
}

/// What is logged of it.
impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// How a request showed the token.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Shown {
    /// It need not, or it did in a header.
    InHeader,
    /// In the address: the browser is given its cookie.
    InAddress,
    /// Not at all.
    Not,
}

/// Refuses requests without the token.
pub(crate) async fn guard(State(server): State<Server>, request: Request, next: Next) -> Response {
    let Some(token) = &server.config().token else {
        return next.run(request).await;
    };
    let (shown, cookie) = (shown(token, &request), cookie_name(request.headers()));
    match shown {
        Shown::Not => refusal(request.uri()),
        Shown::InHeader => next.run(request).await,
        Shown::InAddress => {
            let mut response = next.run(request).await;
            let cookie = format!("{cookie}={}; Path=/; HttpOnly; SameSite=Strict", token.0);
            if let Ok(cookie) = HeaderValue::from_str(&cookie) {
                response.headers_mut().append(header::SET_COOKIE, cookie);
            }
            response
        }
    }
}

fn shown(token: &Token, request: &Request) -> Shown {
    let headers = request.headers();
    let bearer = text(headers, &header::AUTHORIZATION).and_then(|text| text.strip_prefix("Bearer "));
    if bearer.is_some_and(|text| token.is(text.trim())) || cookies(headers).any(|text| token.is(text)) {
        return Shown::InHeader;
    }
    let query = request.uri().query().unwrap_or_default();
    let mut parameters = query.split('&').filter_map(|part| part.split_once('='));
    let in_address = parameters.any(|(name, text)| name == PARAMETER && token.is(text));
    if in_address && request.method() == Method::GET && !is_api(request.uri()) {
        Shown::InAddress
    } else {
        Shown::Not
    }
}

/// The values of our cookie; a browser may send several of the same name.
fn cookies(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let own = cookie_name(headers);
    let sent = headers.get_all(header::COOKIE).into_iter();
    let pairs = sent.filter_map(|value| value.to_str().ok());
    pairs
        .flat_map(|text| text.split(';'))
        .filter_map(move |pair| pair.trim().split_once('=').filter(|(name, _)| *name == own))
        .map(|(_, value)| value)
}

/// Cookies are the same for all ports of a host: every server has one of its own.
fn cookie_name(headers: &HeaderMap) -> String {
    let host = text(headers, &header::HOST).unwrap_or_default();
    let port = host.rsplit_once(':').map_or("", |(_, port)| port);
    let digits: String = port.chars().filter(char::is_ascii_digit).take(5).collect();
    format!("vidmar_{digits}")
}

fn text<'h>(headers: &'h HeaderMap, name: &header::HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn is_api(uri: &Uri) -> bool {
    uri.path().starts_with("/api/")
}

/// What a browser is shown instead of the page.
const NO_TOKEN: &str = include_str!("no_token.html");

fn refusal(uri: &Uri) -> Response {
    let mut response = if is_api(uri) {
        let message =
            "expected the token that 'vidmar web' printed with its address, as 'Authorization: Bearer TOKEN'";
        ApiError::new(StatusCode::UNAUTHORIZED, "no-token", message).into_response()
    } else {
        (StatusCode::UNAUTHORIZED, Html(NO_TOKEN)).into_response()
    };
    let challenge = HeaderValue::from_static("Bearer");
    response.headers_mut().insert(header::WWW_AUTHENTICATE, challenge);
    response
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_random_and_compared_whole() {
        let (one, other) = (Token::random().expect("random"), Token::random().expect("random"));
        assert!(one != other && one.0.len() == 2 * BYTES);
        assert!(Token::given(&one.0).is_ok_and(|given| given == one));
        assert!(one.is(&one.0) && !one.is(&other.0) && !one.is(&one.0[1..]) && !one.is(""));
        assert!(!one.is(&format!("{}x", one.0)));
        assert!(!format!("{one:?}").contains(&one.0));
    }

    #[test]
    fn texts_that_are_too_short_or_need_quotes_are_refused() {
        for bad in [
            "",
            "secret",
            "0123456789abcde",
            "0123456789abcdef;",
            "0123456789abcdef 1",
            &"x".repeat(201),
        ] {
            assert!(Token::given(bad).is_err(), "{bad}");
        }
        assert!(Token::given("0123456789-abc_.F").is_ok());
    }
}
