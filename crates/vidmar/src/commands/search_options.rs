//! The options that `search` and `compare` share: what a search prunes, and what it may cost.

use std::time::Duration;

use anyhow::bail;
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use vidmar_engine::laboratory::{LeafEvaluation, LeafKind};
use vidmar_eval::Vector;
use vidmar_search::{Fail, Limits, MAX_DEPTH, NullMove, NullMoveRule, NullMoveRules, Parallel, Settings};

use crate::arguments::named;

/// A parser for `on` and `off`.
pub(crate) fn switch() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|word| word == "on")
}

/// What a search prunes and what it may cost
#[derive(Args, Clone)]
pub(crate) struct SearchOptions {
    /// Full-width plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_DEPTH)))]
    depth: Option<u32>,
    /// Nodes per position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Seconds per position
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    /// Search quiet leaves only: captures are followed to their end
    #[arg(long, default_value = "on", value_name = "on|off", action = clap::ArgAction::Set, value_parser = switch())]
    quiescence: bool,
    /// Cut off where a pass would be good enough
    #[arg(long, default_value = "off", value_parser = named::<NullMove>())]
    null_move: NullMove,
    #[arg(long, default_value = "", hide_default_value = true, value_name = "LIST", value_parser = NullMoveRules::without,
        help = without_help())]
    null_move_without: NullMoveRules,
    /// Leave out hopeless quiet moves near the leaves
    #[arg(long, default_value = "off", value_name = "on|off", action = clap::ArgAction::Set, value_parser = switch())]
    futility: bool,
    /// What a node returns outside its window
    #[arg(long, default_value = "soft", value_parser = named::<Fail>())]
    fail: Fail,
    /// Search depth 1, 2, ... first, or the depth at once
    #[arg(long, default_value = "on", value_name = "on|off", action = clap::ArgAction::Set, value_parser = switch())]
    iterative: bool,
    /// Evaluation of the leaves
    #[arg(long, default_value = "simple", value_parser = named::<LeafKind>())]
    eval: LeafKind,
    /// Size of the table in mebibytes
    #[arg(long, default_value_t = 16, value_name = "MIB", value_parser = clap::value_parser!(u32).range(1..=1 << 16))]
    table_mib: u32,
    /// How threads share the search
    #[arg(long, default_value = "none", value_parser = named::<Parallel>())]
    parallel: Parallel,
    /// Threads
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
}

impl SearchOptions {
    /// The settings, apart from algorithm, table and ordering.
    pub(crate) fn settings(&self, exact: bool) -> Settings {
        Settings {
            iterative: self.iterative,
            fail: self.fail,
            quiescence: self.quiescence,
            null_move: self.null_move,
            null_move_rules: self.null_move_without,
            futility: self.futility,
            table_mib: self.table_mib as usize,
            exact,
            parallel: self.parallel,
            threads: self.threads as usize,
            ..Settings::default()
        }
    }

    /// The limits; a search needs at least one.
    pub(crate) fn limits(&self) -> anyhow::Result<Limits> {
        let time = match self.seconds {
            Some(seconds) => match Duration::try_from_secs_f64(seconds) {
                Ok(time) => Some(time),
                Err(_) => bail!("--seconds {seconds} (expected a number from 0 on)"),
            },
            None => None,
        };
        if self.depth.is_none() && self.nodes.is_none() && time.is_none() {
            bail!("a search needs an end (expected --depth, --nodes or --seconds)");
        }
        Ok(Limits {
            depth: self.depth.unwrap_or(MAX_DEPTH),
            nodes: self.nodes,
            time,
            ..Limits::default()
        })
    }

    pub(crate) fn evaluation(&self) -> LeafEvaluation {
        LeafEvaluation::new(self.eval, &Vector::default())
    }
}

fn without_help() -> String {
    let names = NullMoveRule::NAMES.join(", ");
    format!("Null-move rules to leave out, to see what they are good for: {names}, with commas between")
}
