//! Games on many machines, over NATS with `JetStream`: the same games, bit for bit, as on one.
//!
//! ```text
//! Runner ─► Coordinator ─► stream of tasks ─► workers ─► stream of answers ─► Coordinator ─► Runner
//!                │            (work queue)                  (work queue)          │
//!                └── card, lease, shut-out workers (key-value bucket) ────────────┘
//! ```
//!
//! A game is a pure function of its task, so that nothing has to be right about who plays it, how often, or when the answer
//! comes: a task that was lost is issued again, an answer that comes twice is dropped by the task's identity, and what a
//! worker says is held against the rules and against what others say.
//!
//! | module | holds |
//! | --- | --- |
//! | [`protocol`] | what goes over the wire |
//! | [`engines`] | external engines by name and content |
//! | [`connection`] | addresses, credentials, and what goes wrong on the way to a server |
//! | [`coordinator`] | the executor |
//! | [`worker`] | the other end |
//! | [`roster`] | who is there; orders to workers |

pub mod connection;
pub mod coordinator;
pub mod engines;
mod error;
mod notice;
pub mod protocol;
pub mod roster;
mod streams;
#[doc(hidden)]
pub mod testing;
pub mod worker;

pub use connection::{Address, Credentials};
pub use coordinator::{Coordinator, Settings};
pub use error::FleetError;
pub use notice::{Notice, Observer};
pub use protocol::RunName;
