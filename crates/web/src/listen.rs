//! The socket, from its opening to its end.
//!
//! Connections are as many as descriptors allow with room for stores and engines; more wait until one ends. A client that takes too
//! long, to send or to read, loses its connection. A socket that gives no connection (descriptors have run out) is asked
//! again after a pause.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

use crate::config::Timeouts;
use crate::connection::Connection;
use crate::routes::app;
use crate::server::Server;

/// The most connections at once, where descriptors allow as many.
const MOST_CONNECTIONS: usize = 512;
/// How long to wait when the socket gives no connection.
const PAUSE: Duration = Duration::from_millis(200);

/// How long requests that are being answered may take after the end is asked for.
const FAREWELL: Duration = Duration::from_millis(500);

/// Why the server does not listen.
#[derive(Debug, Error)]
pub enum ListenError {
    /// Somebody else does.
    #[error("port {port} of {host} is taken (choose another with --port, or none for any free one)")]
    Taken {
        /// The address.
        host: IpAddr,
        /// The port.
        port: u16,
    },
    /// Something else is in the way.
    #[error("cannot listen on {address}: {reason}")]
    Failed {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        reason: io::Error,
    },
    /// There are no threads to be had.
    #[error("cannot start: {0}")]
    Runtime(io::Error),
}

/// A socket that is open: connections wait from here on.
pub struct Listener {
    runtime: Runtime,
    socket: TcpListener,
    address: SocketAddr,
}

impl Listener {
    /// Opens a socket; port 0 is any free one.
    pub fn open(host: IpAddr, port: u16) -> Result<Listener, ListenError> {
        let runtime = Builder::new_multi_thread()
            .enable_all()
            .thread_name("web")
            .build()
            .map_err(ListenError::Runtime)?;
        let address = SocketAddr::new(host, port);
        let failed = |reason: io::Error| match reason.kind() {
            io::ErrorKind::AddrInUse => ListenError::Taken { host, port },
            _ => ListenError::Failed { address, reason },
        };
        let socket = runtime.block_on(TcpListener::bind(address)).map_err(failed)?;
        let address = socket.local_addr().map_err(failed)?;
        Ok(Listener {
            runtime,
            socket,
            address,
        })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `end` comes.
    pub fn serve(self, server: Server, end: impl Future<Output = ()>) {
        let Listener { runtime, socket, .. } = self;
        runtime.block_on(async move {
            let timeouts = server.config().timeouts;
            let (app, open) = (app(server), GracefulShutdown::new());
            tokio::select! {
                () = accept(&socket, &app, timeouts, &open) => {}
                () = end => {}
            }
            drop(socket);
            // Streams of events have no end of their own.
            let _ = tokio::time::timeout(FAREWELL, open.shutdown()).await;
        });
        runtime.shutdown_timeout(FAREWELL);
    }
}

/// Takes connections and answers what comes over them, without end.
async fn accept(socket: &TcpListener, app: &Router, timeouts: Timeouts, open: &GracefulShutdown) {
    let permits = Arc::new(Semaphore::new(most_connections()));
    let mut http = http1::Builder::new();
    http.timer(TokioTimer::new()).header_read_timeout(timeouts.head);
    loop {
        let Ok(permit) = Arc::clone(&permits).acquire_owned().await else {
            return;
        };
        let stream = match socket.accept().await {
            Ok((stream, _)) => stream,
            // Somebody has left before the door was opened.
            Err(error) if is_of_the_client(&error) => continue,
            Err(_) => {
                tokio::time::sleep(PAUSE).await;
                continue;
            }
        };
        // Small answers go at once; where that cannot be said, they go a little later.
        let _ = stream.set_nodelay(true);
        let stream = TokioIo::new(Connection::new(stream, timeouts.reading));
        let answering = http.serve_connection(stream, TowerToHyperService::new(app.clone()));
        let answering = open.watch(answering);
        tokio::spawn(async move {
            // What goes wrong with a connection is the client's affair.
            let _ = answering.await;
            drop(permit);
        });
    }
}

fn is_of_the_client(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::ConnectionRefused | io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset
    )
}

/// Half of the descriptors: the others are for stores, engines and what they talk through.
fn most_connections() -> usize {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        if let Some(descriptors) = getrlimit(Resource::Nofile).current {
            return MOST_CONNECTIONS.min((descriptors / 2).max(4) as usize);
        }
    }
    MOST_CONNECTIONS
}
