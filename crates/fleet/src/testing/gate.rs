//! A way to a server that sees what is asked of it, and can be cut there.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

/// What is about to pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passing {
    /// Somebody wants to come through.
    Connection,
    /// Something is asked of `JetStream`, or told: the first time, the second …
    Question(usize),
    /// What the server says to that, and whatever it says until the next one.
    Answer(usize),
}

/// Decides whether it passes; if not, whoever wanted it is cut off.
type Guard = Arc<Mutex<dyn FnMut(Passing) -> bool + Send>>;

/// Passes on what comes through its own port, as long as its guard lets it.
pub struct Gate {
    port: u16,
}

impl Gate {
    /// A gate before a port of this machine.
    pub fn new(to: u16, guard: impl FnMut(Passing) -> bool + Send + 'static) -> std::io::Result<Gate> {
        let listener = TcpListener::bind("127.0.0.1:0")?;
        let port = listener.local_addr()?.port();
        let guard: Guard = Arc::new(Mutex::new(guard));
        std::thread::spawn(move || {
            let asked = Arc::new(Mutex::new(0));
            for client in listener.incoming().flatten() {
                if lets(&guard, Passing::Connection)
                    && let Ok(server) = TcpStream::connect(("127.0.0.1", to))
                {
                    join(&client, &server, &guard, &asked);
                }
            }
        });
        Ok(Gate { port })
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }
}

fn lets(guard: &Guard, passing: Passing) -> bool {
    let mut guard = guard.lock().unwrap_or_else(PoisonError::into_inner);
    (*guard)(passing)
}

/// Passes on what two say to each other.
fn join(client: &TcpStream, server: &TcpStream, guard: &Guard, asked: &Arc<Mutex<usize>>) {
    let number = |more: usize| {
        let asked = Arc::clone(asked);
        move || {
            let mut asked = asked.lock().unwrap_or_else(PoisonError::into_inner);
            *asked += more;
            *asked
        }
    };
    let (next, last) = (number(1), number(0));
    let (asks, answers) = (Arc::clone(guard), Arc::clone(guard));
    pass(client, server, move |bytes| {
        !is_question(bytes) || lets(&asks, Passing::Question(next()))
    });
    pass(server, client, move |_| lets(&answers, Passing::Answer(last())));
}

fn is_question(bytes: &[u8]) -> bool {
    let has = |subject: &[u8]| bytes.windows(subject.len()).any(|part| part == subject);
    has(b"PUB $JS.API.") || has(b"PUB $KV.")
}

fn pass(from: &TcpStream, to: &TcpStream, mut lets: impl FnMut(&[u8]) -> bool + Send + 'static) {
    let (Ok(mut from), Ok(mut to)) = (from.try_clone(), to.try_clone()) else {
        return;
    };
    std::thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(read @ 1..) = from.read(&mut bytes)
            && lets(&bytes[..read])
            && to.write_all(&bytes[..read]).is_ok()
        {}
        let _ = from.shutdown(Shutdown::Both);
        let _ = to.shutdown(Shutdown::Both);
    });
}
