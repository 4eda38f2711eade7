//! The way to a server: addresses, credentials, and errors that say what to do.
//!
//! What is wrong with an address, credentials or a server is an error at once. A server that is on its way, because it was started just
//! now or is being restarted, is waited for: a little at first (`Caller::grace`), and as long as it takes once it was there.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::{self, Context};
use async_nats::{
    Client, ConnectError, ConnectErrorKind, ConnectOptions, Event, RequestErrorKind, ServerAddr,
};
use tokio::runtime::{Builder, Runtime};
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout};
use vidmar_engine::Control;

use crate::error::FleetError;
use crate::notice::{Notice, Observer};
use crate::protocol::RunName;

/// How long a server may take to answer.
const CONNECT: Duration = Duration::from_secs(5);
/// How long a request to `JetStream` may take.
const REQUEST: Duration = Duration::from_secs(5);

/// Between two attempts to reach a server that is gone: at first, and at most.
const FIRST_DELAY: Duration = Duration::from_millis(50);
const LONGEST_DELAY: Duration = Duration::from_secs(2);

/// How long one waits at first for a server that does not answer: it may have been started by the line before, or be on its way back.
pub(crate) const GRACE: Duration = Duration::from_secs(5);
/// Between two looks at a server that is gone, or at whether somebody says stop.
const PAUSE: Duration = Duration::from_millis(50);
/// A server that ends says no to what is asked of it before its connections end.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// `nats://[USER:PASSWORD@|TOKEN@]HOST[:PORT][,HOST…][/RUN]`, or `tls://…`.
#[derive(Clone, PartialEq, Eq)]
pub struct Address {
    scheme: &'static str,
    login: Login,
    hosts: Vec<String>,
    /// The run that it names.
    pub run: Option<RunName>,
}

#[derive(Clone, PartialEq, Eq)]
enum Login {
    Nobody,
    Token(String),
    User(String, String),
}

/// Files that let us in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    /// A user's JWT and key, as `nsc` writes them.
    pub creds: Option<PathBuf>,
    /// A file with the key (the seed) of a user.
    pub nkey: Option<PathBuf>,
    /// The authorities that the server's certificate is of.
    pub tls_ca: Option<PathBuf>,
    /// Our own certificate.
    pub tls_cert: Option<PathBuf>,
    /// The key of that.
    pub tls_key: Option<PathBuf>,
}

impl FromStr for Address {
    type Err = FleetError;

    fn from_str(text: &str) -> Result<Address, FleetError> {
        let hidden = text.rsplit_once('@').map_or(text, |(_, hosts)| hosts);
        let wrong = |reason: &str| FleetError::Address {
            address: hidden.to_owned(),
            reason: reason.to_owned(),
        };
        let (scheme, rest) = text.split_once("://").ok_or_else(|| wrong("it has no scheme"))?;
        let scheme = ["nats", "tls"]
            .into_iter()
            .find(|known| *known == scheme)
            .ok_or_else(|| wrong("the scheme is neither nats nor tls"))?;
        let (login, rest) = match rest.rsplit_once('@') {
            None => (Login::Nobody, rest),
            Some((login, rest)) => (
                login_of(login).ok_or_else(|| wrong("the login is not text"))?,
                rest,
            ),
        };
        let (hosts, run) = match rest.split_once('/') {
            None | Some((_, "")) => (rest.trim_end_matches('/'), None),
            Some((hosts, run)) => (hosts, Some(run.parse()?)),
        };
        let hosts: Vec<String> = hosts.split(',').map(str::to_owned).collect();
        if hosts.iter().any(String::is_empty) {
            return Err(wrong("a host is missing"));
        }
        let address = Address {
            scheme,
            login,
            hosts,
            run,
        };
        address.servers()?;
        Ok(address)
    }
}

fn login_of(text: &str) -> Option<Login> {
    Some(match text.split_once(':') {
        None => Login::Token(percent_decoded(text)?),
        Some((user, password)) => Login::User(percent_decoded(user)?, percent_decoded(password)?),
    })
}

/// `%40` is `@`.
fn percent_decoded(text: &str) -> Option<String> {
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let Some((&first, others)) = rest.split_first() {
        rest = others;
        if first != b'%' {
            bytes.push(first);
            continue;
        }
        let (digits, others) = rest.split_at_checked(2)?;
        let digits = std::str::from_utf8(digits).ok()?;
        bytes.push(u8::from_str_radix(digits, 16).ok()?);
        rest = others;
    }
    String::from_utf8(bytes).ok()
}

/// Without anything secret.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.hosts.join(","))?;
        self.run.iter().try_for_each(|run| write!(f, "/{run}"))
    }
}

impl fmt::Debug for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Address {
    fn servers(&self) -> Result<Vec<ServerAddr>, FleetError> {
        let server = |host: &String| {
            format!("{}://{host}", self.scheme)
                .parse()
                .map_err(|error: std::io::Error| FleetError::Address {
                    address: self.to_string(),
                    reason: error.to_string(),
                })
        };
        self.hosts.iter().map(server).collect()
    }
}

/// Who connects.
#[derive(Clone, Copy)]
pub(crate) struct Caller<'a> {
    /// The server.
    pub(crate) address: &'a Address,
    /// What lets us in.
    pub(crate) credentials: &'a Credentials,
    /// As the server's own tools show it.
    pub(crate) name: &'a str,
    /// How long a server is waited for that was never there.
    pub(crate) grace: Duration,
    /// Is told of what happens.
    pub(crate) observer: &'a Observer,
}

/// A connection with its threads.
pub(crate) struct Connection {
    pub(crate) runtime: Runtime,
    pub(crate) client: Client,
    pub(crate) jetstream: Context,
    pub(crate) connects: Connects,
    said: Said,
}

/// Changes with every connect. A server that was away knows nothing of what was asked before: whoever waits for an answer asks again.
pub(crate) type Connects = watch::Receiver<u64>;

/// What the server found wrong with us; each is told once.
type Said = Arc<Mutex<BTreeSet<String>>>;

impl Connection {
    /// Connects, and makes sure that there is a `JetStream`.
    pub(crate) fn open(caller: Caller<'_>, control: &Control) -> Result<Connection, FleetError> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("nats")
            .enable_all()
            .build()
            .map_err(|error| FleetError::server("cannot start a thread")(&error))?;
        let (connected, mut connects) = watch::channel(0);
        let said = Said::default();
        let events = Events {
            observer: caller.observer.clone(),
            connected: Arc::new(connected),
            said: Arc::clone(&said),
        };
        let (client, jetstream) = runtime.block_on(async {
            let client = unless_stopped(control, first_connect(caller, &events)).await?;
            // That is told a little later, and is not the server coming back.
            let _ = connects.wait_for(|times| *times > 0).await;
            let mut jetstream = jetstream::new(client.clone());
            jetstream.set_timeout(REQUEST);
            Ok::<_, FleetError>((client, jetstream))
        })?;
        let connection = Connection {
            runtime,
            client,
            jetstream,
            connects,
            said,
        };
        let asked = connection.insist(control, async || {
            has_jetstream(&connection.client, caller.address).await
        });
        connection.runtime.block_on(asked)?;
        Ok(connection)
    }

    /// The same for a question or an order, which waits for nothing.
    pub(crate) fn open_quietly(
        address: &Address,
        credentials: &Credentials,
    ) -> Result<Connection, FleetError> {
        let nobody: Observer = Arc::new(|_| {});
        let caller = Caller {
            address,
            credentials,
            name: "roster",
            grace: Duration::ZERO,
            observer: &nobody,
        };
        Connection::open(caller, &Control::new())
    }

    /// Does something at the server that may be done twice: again, as soon as the server is there, if it went away meanwhile.
    pub(crate) async fn insist<T>(
        &self,
        control: &Control,
        mut attempt: impl AsyncFnMut() -> Result<T, FleetError>,
    ) -> Result<T, FleetError> {
        let mut connects = self.connects.clone();
        let mut has_doubts = true;
        let done = async {
            loop {
                connects.mark_unchanged();
                let attempted = tokio::select! {
                    attempted = attempt() => attempted,
                    // Nobody remembers the question.
                    Ok(()) = connects.changed() => continue,
                };
                let error = match attempted {
                    Err(error) if error.may_pass() => error,
                    done => return done,
                };
                // Whether it is going away shows in a moment.
                if has_doubts && !self.is_disconnected() {
                    sleep(LAST_WORDS).await;
                }
                let was_lost = self.is_disconnected() || connects.has_changed().unwrap_or(true);
                let said = self.said();
                let is_worth_another = was_lost || has_doubts && said.is_empty();
                if !is_worth_another {
                    return Err(error.with(&said));
                }
                has_doubts = was_lost;
                while self.is_disconnected() {
                    sleep(PAUSE).await;
                }
            }
        };
        unless_stopped(control, done).await
    }

    fn is_disconnected(&self) -> bool {
        self.client.connection_state() != State::Connected
    }

    /// What the server has found wrong with us, in its own words.
    fn said(&self) -> String {
        let said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
        said.iter().cloned().collect::<Vec<_>>().join("; ")
    }
}

/// Waits for something as long as nobody says stop.
async fn unless_stopped<T>(
    control: &Control,
    done: impl Future<Output = Result<T, FleetError>>,
) -> Result<T, FleetError> {
    let stopped = async {
        while !control.is_stopped() {
            sleep(PAUSE).await;
        }
    };
    tokio::select! {
        done = done => done,
        () = stopped => Err(FleetError::Stopped),
    }
}

/// Connects for the first time.
async fn first_connect(caller: Caller<'_>, events: &Events) -> Result<Client, FleetError> {
    let end = Instant::now() + caller.grace;
    let mut is_told = false;
    loop {
        match connect(caller, events.clone()).await {
            Err(error @ FleetError::Unreachable { .. }) if Instant::now() < end => {
                if !is_told {
                    is_told = true;
                    (caller.observer)(&Notice::Trouble(error.to_string()));
                }
                sleep(FIRST_DELAY).await;
            }
            done => return done,
        }
    }
}

/// Asks for the account's `JetStream`. (The library's own question does not understand the answer of older servers.)
async fn has_jetstream(client: &Client, address: &Address) -> Result<(), FleetError> {
    let none = || FleetError::NoJetStream(address.to_string());
    let answer = client
        .request("$JS.API.INFO", "".into())
        .await
        .map_err(|error| match error.kind() {
            RequestErrorKind::NoResponders => none(),
            _ => FleetError::server("cannot ask the NATS server for JetStream")(&error),
        })?;
    let answer: Option<serde_json::Value> = serde_json::from_slice(&answer.payload).ok();
    let has = answer.is_some_and(|answer| answer.get("error").is_none());
    has.then_some(()).ok_or_else(none)
}

/// Who is told of what happens to a connection.
#[derive(Clone)]
struct Events {
    observer: Observer,
    connected: Arc<watch::Sender<u64>>,
    said: Said,
}

impl Events {
    fn tell(&self, event: &Event) {
        match event {
            Event::Disconnected => (self.observer)(&Notice::Disconnected),
            Event::Connected => {
                self.connected.send_modify(|times| *times += 1);
                (self.observer)(&Notice::Connected);
            }
            // Most often that something is not permitted; it is tried again and again, and told once.
            Event::ServerError(error) => {
                let reason = crate::protocol::shortened(&format!("the server says: {error}"));
                let mut said = self.said.lock().unwrap_or_else(PoisonError::into_inner);
                if said.insert(reason.clone()) {
                    (self.observer)(&Notice::Trouble(reason));
                }
            }
            _ => {}
        }
    }
}

async fn connect(caller: Caller<'_>, events: Events) -> Result<Client, FleetError> {
    let Caller {
        address, credentials, ..
    } = caller;
    let mut options = ConnectOptions::new()
        .name(format!("vidmar {}", caller.name))
        .connection_timeout(CONNECT)
        .request_timeout(Some(REQUEST))
        .reconnect_delay_callback(|attempts| {
            let doubled = FIRST_DELAY.saturating_mul(1 << attempts.min(8));
            doubled.min(LONGEST_DELAY)
        })
        .event_callback(move |event| {
            events.tell(&event);
            std::future::ready(())
        });
    options = match &address.login {
        Login::Nobody => options,
        Login::Token(token) => options.token(token.clone()),
        Login::User(user, password) => options.user_and_password(user.clone(), password.clone()),
    };
    let file = |path: &PathBuf, error: &dyn fmt::Display| FleetError::File {
        path: path.clone(),
        reason: error.to_string(),
    };
    if let Some(path) = &credentials.creds {
        let with = options.credentials_file(path).await;
        options = with.map_err(|error| file(path, &error))?;
    }
    if let Some(path) = &credentials.nkey {
        let seed = std::fs::read_to_string(path).map_err(|error| file(path, &error))?;
        options = options.nkey(seed.trim().to_owned());
    }
    for path in [&credentials.tls_ca, &credentials.tls_cert, &credentials.tls_key]
        .into_iter()
        .flatten()
    {
        std::fs::metadata(path).map_err(|error| file(path, &error))?;
    }
    if let Some(path) = &credentials.tls_ca {
        options = options.add_root_certificates(path.clone());
    }
    if let (Some(certificate), Some(key)) = (&credentials.tls_cert, &credentials.tls_key) {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    if address.scheme == "tls" || credentials.tls_ca.is_some() || credentials.tls_cert.is_some() {
        options = options.require_tls(true);
    }
    let connecting = options.connect(address.servers()?);
    match timeout(2 * CONNECT, connecting).await {
        Ok(connected) => connected.map_err(|error| connect_error(address, credentials, &error)),
        Err(_) => Err(FleetError::Unreachable {
            address: address.to_string(),
            reason: "no answer in time".to_owned(),
        }),
    }
}

/// Why there is no connection, and what may be wrong with what we have.
fn connect_error(address: &Address, credentials: &Credentials, error: &ConnectError) -> FleetError {
    match (error.kind(), &credentials.nkey) {
        (ConnectErrorKind::Authentication, Some(path)) => FleetError::File {
            path: path.clone(),
            reason: "it holds no nkey seed".to_owned(),
        },
        (ConnectErrorKind::Authentication | ConnectErrorKind::AuthorizationViolation, _) => {
            FleetError::Denied(address.to_string())
        }
        (kind, _) if kind == ConnectErrorKind::Tls || is_about_tls(error) => FleetError::Insecure {
            address: address.to_string(),
            reason: crate::protocol::shortened(&error.to_string()),
        },
        _ => FleetError::Unreachable {
            address: address.to_string(),
            reason: error.to_string(),
        },
    }
}

/// Whether the other side, or its certificate, was found wanting: that comes as an error of the wire.
fn is_about_tls(error: &ConnectError) -> bool {
    let mut source = std::error::Error::source(error);
    while let Some(error) = source {
        let inner = error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref);
        if let Some(inner) = inner
            && inner.is::<async_nats::rustls::Error>()
        {
            return true;
        }
        source = error.source();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read() {
        let read = |text: &str| text.parse::<Address>();
        let whole = read("nats://me:p%40ss@a.example:4333,b.example/run-7").unwrap();
        assert_eq!(whole.to_string(), "nats://a.example:4333,b.example/run-7");
        assert_eq!(whole.run, Some("run-7".parse().unwrap()));
        assert!(whole.login == Login::User("me".to_owned(), "p@ss".to_owned()));
        assert_eq!(whole.servers().unwrap().len(), 2);
        assert!(read("tls://token@h").unwrap().login == Login::Token("token".to_owned()));
        assert_eq!(read("nats://127.0.0.1:4222/").unwrap().run, None);
        for wrong in [
            "",
            "localhost",
            "http://h",
            "nats://",
            "nats://a,,b",
            "nats://h/a b",
            "nats://u:%zz@h",
            "nats://h/workers",
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn passwords_are_not_shown() {
        for text in ["nats://me:secret@h:1", "secret@h", "nats://me:secret@,"] {
            let shown = match text.parse::<Address>() {
                Ok(address) => format!("{address} {address:?}"),
                Err(error) => error.to_string(),
            };
            assert!(!shown.contains("secret"), "{shown}");
        }
    }
}
