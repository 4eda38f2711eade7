//! `vidmar search`: one position, one algorithm, one answer.

use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use anyhow::{Context, bail};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use serde_json::json;
use vidmar_chess::{BitboardBoard, Board, BoardKind, Bound, CastlingNotation, Move, Position, with_board};
use vidmar_eval::{Evaluator, FullEvaluation, Vector};
use vidmar_search::flagship::{Flagship, FlagshipLimits};
use vidmar_search::{
    Algorithm, Counts, Limits, OrderingRules, Report, Scheme, Settings, Stopped, search_once,
};
use vidmar_text::UnknownName;

use super::search_options::{SearchOptions, switch};
use crate::arguments::{self, named};
use crate::output;

/// Search one position with any algorithm, board and table
#[derive(Args)]
pub(crate) struct Search {
    /// The position; by default the start position
    #[arg(long)]
    fen: Option<String>,
    /// Moves in UCI notation played from the position, so that repetitions count
    #[arg(long, num_args = 1.., value_name = "MOVE")]
    moves: Vec<String>,
    /// How the value is found
    #[arg(long, default_value = "alpha-beta", value_parser = method())]
    algorithm: Method,
    /// The board representation
    #[arg(long, default_value = "bitboard", value_parser = named::<BoardKind>())]
    board: BoardKind,
    /// Which entries the table keeps
    #[arg(long, default_value = "two-level", value_parser = named::<Scheme>())]
    table: Scheme,
    /// What moves are ordered by: all, none, or names of table, mvv-lva, killers, history, static, refutation
    #[arg(long, default_value = "all", value_name = "all|none|LIST")]
    ordering: OrderingRules,
    /// Return the very value of minimax where the algorithm can
    #[arg(long, default_value = "off", value_name = "on|off", action = clap::ArgAction::Set, value_parser = switch())]
    exact: bool,
    /// Where the printed line comes from: the triangular array or the table
    #[arg(long, default_value = "triangular", value_parser = ["triangular", "table"])]
    pv: String,
    #[command(flatten)]
    options: SearchOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// The row of the search that is not one of the laboratory's.
const FLAGSHIP: (&str, &str) = (
    "flagship",
    "the strong search: bitboards only, with its own table and ordering and the full evaluation",
);

/// An algorithm of the laboratory, or the flagship.
#[derive(Copy, Clone)]
enum Method {
    Laboratory(Algorithm),
    Flagship,
}

fn method() -> impl TypedValueParser<Value = Method> {
    let rows = Algorithm::ALL.iter().map(|row| (row.name(), row.help()));
    let rows = rows.chain([FLAGSHIP]);
    PossibleValuesParser::new(rows.map(|(name, help)| PossibleValue::new(name).help(help)))
        .try_map(|name| name.parse::<Method>())
}

impl FromStr for Method {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Method, UnknownName> {
        if name == FLAGSHIP.0 {
            Ok(Method::Flagship)
        } else {
            name.parse().map(Method::Laboratory)
        }
    }
}

impl Method {
    fn name(self) -> &'static str {
        match self {
            Method::Laboratory(algorithm) => algorithm.name(),
            Method::Flagship => FLAGSHIP.0,
        }
    }
}

impl Search {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let start = arguments::position(self.fen.as_deref())?;
        let mut position = start.clone();
        let mut moves = Vec::new();
        for text in &self.moves {
            let m = position.parse_uci(text).context("--moves")?;
            moves.push(m);
            position.play(m);
        }
        let limits = self.options.limits()?;
        let report = match self.algorithm {
            Method::Laboratory(algorithm) => self.search_with(algorithm, &start, &moves, limits)?,
            Method::Flagship if self.board != BoardKind::Bitboard => {
                bail!(
                    "--algorithm flagship --board {} (expected the board bitboard)",
                    self.board
                )
            }
            Method::Flagship => self.search_with_flagship(&start, &moves, limits),
        };
        output::print(&self.answer(&report, position.castling_notation()))?;
        Ok(ExitCode::SUCCESS)
    }

    fn search_with(
        &self,
        algorithm: Algorithm,
        start: &Position,
        moves: &[Move],
        limits: Limits,
    ) -> anyhow::Result<Report> {
        let settings = Settings {
            algorithm,
            table: self.table,
            ordering: self.ordering,
            ..self.options.settings(self.exact)
        };
        let evaluation = self.options.evaluation();
        let report = with_board!(self.board, B => search_once(&after::<B>(start, moves), &evaluation, &settings, limits))?;
        Ok(report)
    }

    fn search_with_flagship(&self, start: &Position, moves: &[Move], limits: Limits) -> Report {
        let settings = self.options.settings(false);
        let evaluation = Arc::new(FullEvaluation::new(&Vector::default()));
        let evaluators = (0..settings.threads)
            .map(|_| Evaluator::new(evaluation.clone()))
            .collect();
        let mut line = Vec::new();
        let found = Flagship::new(settings.table_mib, evaluators).search(
            &after::<BitboardBoard>(start, moves),
            &FlagshipLimits {
                depth: Some(limits.depth),
                nodes: limits.nodes,
                hard_time: limits.time,
                ..FlagshipLimits::default()
            },
            &AtomicBool::new(false),
            |progress| line.clone_from(&progress.pv),
        );
        let stopped = if found.best.is_none() || found.depth >= limits.depth {
            None
        } else if limits.nodes.is_some_and(|most| found.nodes >= most) {
            Some(Stopped::Nodes)
        } else {
            limits.time.map(|_| Stopped::Time)
        };
        let counts = Counts {
            nodes: found.nodes,
            ..Counts::default()
        };
        Report {
            best: found.best,
            value: found.value,
            bound: Bound::Exact,
            depth: found.depth,
            table_line: line.clone(),
            pv: line,
            counts,
            last_counts: counts,
            elapsed: found.elapsed,
            stopped,
        }
    }

    fn answer(&self, report: &Report, castling: CastlingNotation) -> String {
        let text = |m: Move| m.uci(castling).to_string();
        let best = report.best.map(text);
        let line = match self.pv.as_str() {
            "table" => &report.table_line,
            _ => &report.pv,
        };
        let line: Vec<String> = line.iter().map(|&m| text(m)).collect();
        let seconds = report.elapsed.as_secs_f64();
        let bound = report.bound.as_str();
        if self.json {
            let object = json!({
                "bestmove": best,
                "score": report.score(),
                "bound": bound,
                "depth": report.depth,
                "nodes": report.counts.nodes,
                "qnodes": report.counts.quiescence_nodes,
                "leaves": report.counts.leaves,
                "seconds": seconds,
                "pv": line,
                "algorithm": self.algorithm.name(),
                "board": self.board.name(),
                "table": self.table.name(),
                "stopped": report.stopped.map(stopped_name),
            });
            return format!("{object}\n");
        }
        let meaning = if report.bound == Bound::Exact {
            String::new()
        } else {
            format!(" ({bound} bound)")
        };
        let stopped = match report.stopped {
            Some(reason) => format!("stopped by the {} limit\n", stopped_name(reason)),
            None => String::new(),
        };
        format!(
            "bestmove {}\nscore {}{meaning}\ndepth {}\nnodes {} ({} in quiescence) in {seconds:.3} s\npv {}\n{stopped}",
            best.as_deref().unwrap_or("(none)"),
            report.score(),
            report.depth,
            report.counts.nodes,
            report.counts.quiescence_nodes,
            line.join(" "),
        )
    }
}

/// The board after the moves, with its past.
fn after<B: Board>(start: &Position, moves: &[Move]) -> B {
    let mut board = B::new(start);
    for &m in moves {
        board.make(m);
    }
    board
}

fn stopped_name(reason: Stopped) -> &'static str {
    match reason {
        Stopped::Nodes => "node",
        Stopped::Time => "time",
        Stopped::Asked => "caller's",
    }
}
