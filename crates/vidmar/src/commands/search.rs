//! `vidmar search`: one position, one algorithm, one answer.

use std::process::ExitCode;

use anyhow::Context;
use clap::Args;
use serde_json::{Value, json};
use vidmar_chess::{Board, BoardKind, CastlingNotation, Move, with_board};
use vidmar_search::{Algorithm, Bound, OrderingRules, Report, Scheme, Score, Settings, Stopped, search_once};

use super::search_options::{SearchOptions, named, rows, switch};
use crate::{arguments, output};

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
    #[arg(long, default_value = "alpha-beta", value_parser = named::<Algorithm>(rows!(Algorithm)))]
    algorithm: Algorithm,
    /// The board representation
    #[arg(long, default_value = "bitboard", value_parser = arguments::board())]
    board: BoardKind,
    /// Which entries the table keeps
    #[arg(long, default_value = "two-level", value_parser = named::<Scheme>(rows!(Scheme)))]
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
        let settings = Settings {
            algorithm: self.algorithm,
            table: self.table,
            ordering: self.ordering,
            ..self.options.settings(self.exact)
        };
        let limits = self.options.limits()?;
        let evaluation = self.options.evaluation()?;
        let report = with_board!(self.board, B => {
            let mut board = B::new(&start);
            for &m in &moves {
                board.make(m);
            }
            search_once(&board, &evaluation, &settings, limits)
        })?;
        output::print(&self.answer(&report, position.castling_notation()))?;
        Ok(ExitCode::SUCCESS)
    }

    fn answer(&self, report: &Report, castling: CastlingNotation) -> String {
        let text = |m: Move| m.uci(castling).to_string();
        let best = report.best.map(text);
        let line = match self.pv.as_str() {
            "table" => &report.table_line,
            _ => &report.line,
        };
        let line: Vec<String> = line.iter().map(|&m| text(m)).collect();
        let seconds = report.elapsed.as_secs_f64();
        let bound = match report.bound {
            Bound::Exact => "exact",
            Bound::Lower => "lower",
            Bound::Upper => "upper",
        };
        if self.json {
            let object = json!({
                "bestmove": best,
                "score": score_json(report.score()),
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

fn score_json(score: Score) -> Value {
    match score {
        Score::Centipawns(cp) => json!({ "cp": cp }),
        Score::Mate(moves) => json!({ "mate": moves }),
    }
}

fn stopped_name(reason: Stopped) -> &'static str {
    match reason {
        Stopped::Nodes => "node",
        Stopped::Time => "time",
        Stopped::Asked => "caller's",
    }
}
