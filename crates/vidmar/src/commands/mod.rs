//! The commands, one file each.

pub(crate) mod bases;
pub(crate) mod bench;
pub(crate) mod book;
pub(crate) mod cases;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod eval;
pub(crate) mod generate;
pub(crate) mod matches;
pub(crate) mod move_command;
pub(crate) mod net;
pub(crate) mod openings;
pub(crate) mod perft;
pub(crate) mod rate;
pub(crate) mod reproduce;
pub(crate) mod runs;
pub(crate) mod search;
mod search_options;
pub(crate) mod stats;
pub(crate) mod store;
pub(crate) mod suite;
pub(crate) mod tune;
pub(crate) mod uci;
pub(crate) mod web;
pub(crate) mod worker;
pub(crate) mod workers;
