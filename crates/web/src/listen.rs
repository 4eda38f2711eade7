//! The socket, from its opening to its end.

use std::future::Future;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use thiserror::Error;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};

use crate::routes::app;
use crate::server::Server;

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
    pub fn serve(self, server: Server, end: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let Listener { runtime, socket, .. } = self;
        let served = runtime.block_on(async move {
            let (ended, mut is_over) = tokio::sync::watch::channel(false);
            let gracefully = async move {
                end.await;
                ended.send_replace(true);
            };
            let serving = axum::serve(socket, app(server)).with_graceful_shutdown(gracefully);
            // Streams of events have no end of their own.
            let timeouts = async move {
                let _ = is_over.wait_for(|&over| over).await;
                tokio::time::sleep(FAREWELL).await;
            };
            tokio::select! {
                served = serving => served,
                () = timeouts => Ok(()),
            }
        });
        runtime.shutdown_timeout(FAREWELL);
        served
    }
}
