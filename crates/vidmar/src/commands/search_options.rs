//! The options that `search` and `compare` share: what a search prunes, and what it may cost.

use std::fmt::Display;
use std::time::Duration;

use anyhow::{anyhow, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use vidmar_chess::Generation;
use vidmar_engine::LaboratorySettings;
use vidmar_engine::laboratory::{LeafEvaluation, LeafKind, ROWS};
use vidmar_eval::{SimpleWeights, Vector};
use vidmar_search::{
    Algorithm, Fail, Limits, MAX_DEPTH, NullMove, NullMoveRule, NullMoveRules, Parallel, Settings,
    SettingsError, Switch,
};

use crate::arguments::{self, named};

/// A parser for `on` and `off`.
pub(crate) fn switch() -> impl TypedValueParser<Value = bool> {
    PossibleValuesParser::new(["on", "off"]).map(|word| word == "on")
}

/// The help of a setting, from its row, with its default.
pub(crate) fn about(switch: Switch, default: impl Display) -> String {
    let help = switch.help();
    let (first, rest) = help.split_at(1);
    format!("{}{rest} [default: {default}]", first.to_uppercase())
}

pub(crate) fn on_off(on: bool) -> &'static str {
    if on { "on" } else { "off" }
}

/// What a search prunes and what it may cost
#[derive(Args, Clone)]
pub(crate) struct SearchOptions {
    /// Plies of the deepest iteration
    #[arg(long, value_parser = arguments::depth::<u32>())]
    depth: Option<u32>,
    /// Nodes per position
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Seconds per position
    #[arg(long, value_name = "S")]
    seconds: Option<f64>,
    #[arg(long, value_name = "on|off", action = clap::ArgAction::Set, value_parser = switch(),
        help = about(Switch::Quiescence, on_off(Settings::default().quiescence)))]
    quiescence: Option<bool>,
    #[arg(long, value_name = "N", value_parser = arguments::depth::<u32>(),
        help = about(Switch::QuiescencePlies, Settings::default().quiescence_plies))]
    quiescence_plies: Option<u32>,
    #[arg(long, value_parser = named::<NullMove>(),
        help = about(Switch::NullMove, Settings::default().null_move))]
    null_move: Option<NullMove>,
    #[arg(long, value_name = "LIST", value_parser = NullMoveRules::without, help = without_help())]
    null_move_without: Option<NullMoveRules>,
    #[arg(long, value_name = "on|off", action = clap::ArgAction::Set, value_parser = switch(),
        help = about(Switch::Futility, on_off(Settings::default().futility)))]
    futility: Option<bool>,
    #[arg(long, value_parser = named::<Fail>(), help = about(Switch::Fail, Settings::default().fail))]
    fail: Option<Fail>,
    #[arg(long, value_name = "on|off", action = clap::ArgAction::Set, value_parser = switch(),
        help = about(Switch::Iterative, on_off(Settings::default().iterative)))]
    iterative: Option<bool>,
    #[arg(long, value_parser = named::<Generation>(),
        help = about(Switch::Generation, Settings::default().generation))]
    generation: Option<Generation>,
    #[arg(long, value_parser = named::<LeafKind>(),
        help = about(Switch::Evaluation, "simple; with the flagship, full"))]
    eval: Option<LeafKind>,
    #[arg(long, value_name = "MIB", value_parser = arguments::hash::<u32>(),
        help = about(Switch::TableSize, Settings::default().table_mib))]
    table_mib: Option<u32>,
    #[arg(long, value_parser = named::<Parallel>(),
        help = about(Switch::Parallel, Settings::default().parallel))]
    parallel: Option<Parallel>,
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u32>(),
        help = about(Switch::Threads, Settings::default().threads))]
    threads: Option<u32>,
}

/// Takes a value that was asked for, and notes that it was.
fn take<T>(asked: Option<T>, switch: Switch, given: &mut Vec<Switch>, field: &mut T) {
    if let Some(value) = asked {
        *field = value;
        given.push(switch);
    }
}

impl SearchOptions {
    /// The settings of an algorithm with what was asked for. What it cannot honour is refused, also where the value is the default.
    pub(crate) fn settings(
        &self,
        algorithm: Algorithm,
        others: impl IntoIterator<Item = Switch>,
    ) -> anyhow::Result<Settings> {
        let mut settings = Settings {
            algorithm,
            ..Settings::default()
        };
        let mut given: Vec<Switch> = others.into_iter().collect();
        let s = &mut settings;
        let size = |number: Option<u32>| number.map(|number| number as usize);
        take(self.quiescence, Switch::Quiescence, &mut given, &mut s.quiescence);
        take(
            self.quiescence_plies,
            Switch::QuiescencePlies,
            &mut given,
            &mut s.quiescence_plies,
        );
        take(self.null_move, Switch::NullMove, &mut given, &mut s.null_move);
        take(
            self.null_move_without,
            Switch::NullMoveRules,
            &mut given,
            &mut s.null_move_rules,
        );
        take(self.futility, Switch::Futility, &mut given, &mut s.futility);
        take(self.generation, Switch::Generation, &mut given, &mut s.generation);
        take(self.fail, Switch::Fail, &mut given, &mut s.fail);
        take(self.iterative, Switch::Iterative, &mut given, &mut s.iterative);
        take(
            size(self.table_mib),
            Switch::TableSize,
            &mut given,
            &mut s.table_mib,
        );
        take(self.parallel, Switch::Parallel, &mut given, &mut s.parallel);
        take(size(self.threads), Switch::Threads, &mut given, &mut s.threads);
        given.extend(self.eval.map(|_| Switch::Evaluation));
        given.into_iter().try_for_each(|switch| {
            algorithm
                .check([switch])
                .map_err(|error| anyhow!("--{switch}: {error}"))
        })?;
        if algorithm.is_selective() && self.eval.is_some_and(|kind| !kind.is_in_pawns()) {
            bail!(
                "--{}: {}",
                Switch::Evaluation,
                SettingsError::NotInPawns(algorithm)
            );
        }
        Ok(settings)
    }

    /// An error if something that was asked for belongs to what is not there, by the rows of the laboratory's settings.
    pub(crate) fn check_effects(&self, search: &Settings) -> anyhow::Result<()> {
        let chosen = &LaboratorySettings {
            search: search.clone(),
            ..LaboratorySettings::default()
        };
        let row = |key: &str| ROWS.iter().find(|row| row.key == key);
        let asked = [
            (Switch::TableSize, self.table_mib.is_some()),
            (Switch::NullMoveRules, self.null_move_without.is_some()),
            (Switch::Parallel, self.parallel.is_some()),
        ];
        for (switch, _) in asked.into_iter().filter(|(_, is_asked)| *is_asked) {
            let Some((row_asked, needs)) =
                row(switch.name()).and_then(|row| row.needs.map(|needs| (row, needs)))
            else {
                continue;
            };
            let is_usual = row_asked.get(chosen) == row_asked.get(&LaboratorySettings::default());
            let owner = row(needs.key).map(|row| row.get(chosen));
            if !is_usual && !needs.are_met(owner.as_ref()) {
                bail!("--{switch} has no effect {}", needs.unmet(owner.as_ref()));
            }
        }
        Ok(())
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

    /// The evaluation that was asked for, or the one that the algorithm is used with.
    pub(crate) fn evaluation(&self, algorithm: Algorithm) -> LeafEvaluation {
        LeafEvaluation::new(self.leaf(algorithm), &Vector::default(), SimpleWeights::default())
    }

    /// The same by name.
    pub(crate) fn leaf(&self, algorithm: Algorithm) -> LeafKind {
        self.eval.unwrap_or_else(|| LeafKind::usual(algorithm))
    }
}

fn without_help() -> String {
    let names = NullMoveRule::NAMES.join(", ");
    format!("Null-move rules to leave out, to see what they are good for: {names}, with commas between")
}
