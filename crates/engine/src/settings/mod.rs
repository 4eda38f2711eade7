//! What can be chosen about a player: one schema for everybody who reads, writes, shows or documents it.
//!
//! A [`Setting`] is the row that others read: key, UCI name, label, help, range and default. A [`Row`] is the same row where
//! it is declared, beside the player, together with the field that it sets. UCI options, player specifications, command-line
//! flags, the page's dialogs and the reference documentation are all made from these rows, so that their limits and defaults
//! cannot disagree.
//!
//! A [`Value`] from outside is held against its row once; a player is only ever given values that fit.

mod row;
mod setting;
mod value;
mod vector;

pub use row::{Field, Row, find_row, schema, set};
pub use setting::{Check, Kind, Needs, Role, Setting, Unset, Wanted, find_option, number_setting};
pub use value::{SettingError, Value};
pub use vector::evaluation_vector;

/// The most threads that a player may be given.
pub const MAX_THREADS: i64 = 1024;

/// The largest table in MiB: more than any machine of today has, less than what would overflow.
pub const MAX_HASH: i64 = 1 << 22;
