//! The server of the page: games between people and players, analyses on positions, and runs, over HTTP.
//!
//! Everything is under `/api/v1` and described in `docs/api.md`; the page itself is what the binary was built with. Three rules hold
//! throughout: a request names only what the server was started with (no path, no command); players think on threads of
//! their own, never on those that answer requests; and whatever a client sends, the answer is JSON with a status below
//! 500.
//!
//! | module | holds |
//! | --- | --- |
//! | `config`, `server` | what the server was started with; what all requests share |
//! | `routes` | every endpoint, one row each |
//! | `listen`, `connection` | the socket, from its opening to its end; one connection |
//! | `security`, `token` | whose requests are answered, and the headers of every answer |
//! | `memory` | how much of it players may take |
//! | `error`, `body`, `events` | answers that are errors; bodies that are JSON; streams of events |
//! | `catalogue` | who can sit at a board, as data |
//! | `games` | games between people and players |
//! | `analyses` | what a player thinks of a position |
//! | `why` | why a player chose its move, in one shape for all |
//! | `position`, `pgn` | positions and games from outside |
//! | `runs` | tuning runs and matches |
//! | `page` | the files of the page |
//! | `types` | the types of the API as TypeScript |

pub mod about;
pub mod analyses;
mod body;
pub mod catalogue;
mod config;
mod connection;
pub mod error;
mod events;
pub mod games;
mod listen;
mod memory;
mod page;
pub mod pgn;
pub mod position;
mod routes;
mod runs;
mod security;
mod server;
pub mod tablebase;
mod token;
mod types;
pub mod why;

pub use config::{Config, Fleet, NamedDirectory, NamedEngine, NamedFile, Timeouts};
pub use games::KeepError;
pub use listen::{ListenError, Listener};
pub use page::Page;
pub use routes::app;
pub use runs::{ListedRun, Run, RunElo, RunKind, RunNotes, RunPhase, RunState, list_runs};
pub use security::Hosts;
pub use server::Server;
pub use token::{Token, TokenError};
pub use types::{FILE as TYPES_FILE, typescript};
