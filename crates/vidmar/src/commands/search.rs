//! `vidmar search`: one position, one algorithm, one answer.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;
use vidmar_chess::{BoardKind, Bound, CastlingNotation, Game, Move};
use vidmar_engine::LaboratorySettings;
use vidmar_engine::laboratory::{ROWS, search_once};
use vidmar_engine::settings::Value;
use vidmar_search::{Algorithm, OrderingRules, Report, Scheme, Settings, Stopped, Switch};
use vidmar_text::duration;

use super::search_options::{SearchOptions, about, switch};
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
    #[arg(long, default_value = "alpha-beta", value_parser = named::<Algorithm>())]
    algorithm: Algorithm,
    #[arg(long, value_parser = named::<BoardKind>(), help = about(Switch::Board, BoardKind::Bitboard))]
    board: Option<BoardKind>,
    #[arg(long, value_parser = named::<Scheme>(), help = about(Switch::Table, Settings::default().table))]
    table: Option<Scheme>,
    /// What moves are ordered by: all, none, or names of table, mvv-lva, killers, history, static, refutation [default: all]
    #[arg(long, value_name = "all|none|LIST")]
    ordering: Option<OrderingRules>,
    #[arg(long, value_name = "on|off", action = clap::ArgAction::Set, value_parser = switch(),
        help = about(Switch::Exact, "off"))]
    exact: Option<bool>,
    /// Where the printed line comes from: the triangular array, which the table continues, or the table alone [default: triangular]
    #[arg(long, value_parser = ["triangular", "table"])]
    pv: Option<String>,
    #[command(flatten)]
    options: SearchOptions,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

impl Search {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let start = arguments::position(self.fen.as_deref())?;
        let mut game = Game::new(start);
        for text in &self.moves {
            game.play_uci(text).context("--moves")?;
        }
        let limits = self.options.limits()?;
        let settings = self.settings()?;
        let evaluation = self.options.evaluation(self.algorithm);
        let board = self.board.unwrap_or(BoardKind::Bitboard);
        let report = search_once(board, &game, &evaluation, &settings, &limits)?;
        let expected = evaluation.expected(report.value);
        let castling = game.position().castling_notation();
        output::print(&self.answer(&report, expected, &settings, castling))?;
        Ok(ExitCode::SUCCESS)
    }

    fn settings(&self) -> anyhow::Result<Settings> {
        let given = [
            self.board
                .filter(|&board| board != BoardKind::Bitboard)
                .map(|_| Switch::Board),
            self.table.map(|_| Switch::Table),
            self.ordering.map(|_| Switch::Ordering),
            self.exact.map(|_| Switch::Exact),
            (self.pv.as_deref() == Some("table")).then_some(Switch::TablePv),
        ];
        let settings = self
            .options
            .settings(self.algorithm, given.into_iter().flatten())?;
        let table = self.table.unwrap_or(settings.table);
        if table == Scheme::None && self.pv.as_deref() == Some("table") {
            bail!("--pv table: there is no table (--table none)");
        }
        let settings = Settings {
            table,
            ordering: self.ordering.unwrap_or(settings.ordering),
            exact: self.exact.unwrap_or(settings.exact),
            ..settings
        };
        self.options.check_effects(&settings)?;
        Ok(settings)
    }

    fn chosen(&self, settings: &Settings) -> LaboratorySettings {
        LaboratorySettings {
            board: self.board.unwrap_or(BoardKind::Bitboard),
            leaf: self.options.leaf(self.algorithm),
            search: settings.clone(),
            ..LaboratorySettings::default()
        }
    }

    /// The settings in force, by the keys of their rows: those that the algorithm honours.
    fn in_force(&self, settings: &Settings) -> BTreeMap<&'static str, Value> {
        let chosen = self.chosen(settings);
        let is_honoured = |key: &str| {
            let switch = key.parse::<Switch>();
            switch.is_ok_and(|switch| self.algorithm.honours(switch))
        };
        let rows = ROWS.iter().filter(|row| is_honoured(row.key));
        rows.map(|row| (row.key, row.get(&chosen))).collect()
    }

    fn answer(
        &self,
        report: &Report,
        expected: Option<f64>,
        settings: &Settings,
        castling: CastlingNotation,
    ) -> String {
        let text = |m: Move| m.uci(castling).to_string();
        let best = report.best.map(text);
        let line = match self.pv.as_deref() {
            Some("table") => &report.table_pv,
            _ => &report.pv,
        };
        let line: Vec<String> = line.iter().map(|&m| text(m)).collect();
        let seconds = report.elapsed.as_secs_f64();
        let bound = report.bound.as_str();
        if self.json {
            let object = json!({
                "bestmove": best,
                "score": report.score,
                "expected": expected,
                "bound": bound,
                "depth": report.depth,
                "nodes": report.counts.nodes,
                "qnodes": report.counts.quiescence_nodes,
                "leaves": report.counts.leaves,
                "seconds": seconds,
                "pv": line,
                "algorithm": self.algorithm.name(),
                "board": self.board.unwrap_or(BoardKind::Bitboard).name(),
                "table": self.algorithm.honours(Switch::Table).then(|| settings.table.name()),
                "settings": self.in_force(settings),
                "stopped": report.stopped.map(stopped_name),
            });
            return format!("{object}\n");
        }
        let meaning = if report.bound == Bound::Exact {
            String::new()
        } else {
            format!(" ({bound} bound)")
        };
        let expected = match expected {
            Some(expected) => format!(", expected result {:.2} %", 100.0 * expected),
            None => String::new(),
        };
        let stopped = match report.stopped {
            Some(reason) => format!("stopped by the {} limit\n", stopped_name(reason)),
            None => String::new(),
        };
        format!(
            "bestmove {}\nscore {}{meaning}{expected}\ndepth {}\nnodes {} ({} in quiescence) in {}\npv {}\n{stopped}",
            best.as_deref().unwrap_or("(none)"),
            report.score,
            report.depth,
            report.counts.nodes,
            report.counts.quiescence_nodes,
            duration(seconds),
            line.join(" "),
        )
    }
}

fn stopped_name(reason: Stopped) -> &'static str {
    match reason {
        Stopped::Nodes => "node",
        Stopped::Time => "time",
        Stopped::Asked => "caller's",
    }
}
