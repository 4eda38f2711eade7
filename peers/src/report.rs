//! What was measured, on which machine, and its three forms: a table, Markdown and JSON.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;

use crate::generators::Generator;
use crate::machine::Machine;
use crate::measure::Times;
use crate::positions::Position;

/// Everything that is needed to judge the figures and to make them again.
#[derive(Serialize)]
pub(crate) struct Report {
    machine: Machine,
    command: String,
    rounds: u32,
    positions: Vec<PositionRow>,
    generators: Vec<ContestantRow>,
}

#[derive(Serialize)]
struct PositionRow {
    name: String,
    fen: &'static str,
    depth: u32,
    nodes: u64,
}

#[derive(Serialize)]
struct ContestantRow {
    name: String,
    version: String,
    results: Vec<Cell>,
}

/// One generator on one position.
#[derive(Serialize)]
struct Cell {
    position: &'static str,
    depth: u32,
    nodes: u64,
    seconds: Vec<f64>,
    mnps: f64,
    /// Speed as a multiple of Stockfish's, where Stockfish took part.
    multiple: Option<f64>,
}

impl Report {
    pub(crate) fn new(
        generators: &[Generator],
        positions: &[Position],
        times: &[Vec<Times>],
        rounds: u32,
    ) -> Self {
        let reference = generators.iter().position(Generator::is_reference);
        let cell = |row: usize, column: usize| {
            let measured = &times[row][column];
            Cell {
                position: positions[column].name,
                depth: measured.depth,
                nodes: measured.nodes,
                seconds: measured.seconds.clone(),
                mnps: measured.mnps(),
                multiple: reference.map(|stockfish| measured.mnps() / times[stockfish][column].mnps()),
            }
        };
        let contestant_row = |(row, generator): (usize, &Generator)| ContestantRow {
            name: generator.name.clone(),
            version: generator.version.clone(),
            results: (0..positions.len()).map(|column| cell(row, column)).collect(),
        };
        let position_row = |position: &Position| PositionRow {
            name: position.name.to_owned(),
            fen: position.fen,
            depth: position.depth(),
            nodes: position.nodes_at(position.depth()),
        };
        Self {
            machine: Machine::here(),
            command: std::iter::once("cargo xtask bench perft".to_owned())
                .chain(std::env::args().skip(1))
                .collect::<Vec<_>>()
                .join(" "),
            rounds,
            positions: positions.iter().map(position_row).collect(),
            generators: generators.iter().enumerate().map(contestant_row).collect(),
        }
    }

    /// For reading on a terminal.
    pub(crate) fn text(&self) -> String {
        let mut text = self.table(presets::UTF8_HORIZONTAL_ONLY).to_string();
        let _ = write!(text, "\n\n{}\n\n", self.method());
        for line in self.circumstances() {
            let _ = writeln!(text, "{line}");
        }
        text
    }

    /// For the documentation.
    pub(crate) fn markdown(&self) -> String {
        let mut text = format!("{}\n\n{}\n\n", self.table(presets::ASCII_MARKDOWN), self.method());
        for line in self.circumstances() {
            let _ = writeln!(text, "- {line}");
        }
        text.push_str("\n| position | depth | nodes | FEN |\n| --- | ---: | ---: | --- |\n");
        for position in &self.positions {
            let PositionRow {
                name,
                fen,
                depth,
                nodes,
            } = position;
            let _ = writeln!(text, "| {name} | {depth} | {nodes} | `{fen}` |");
        }
        text
    }

    fn table(&self, preset: &str) -> Table {
        let mut table = Table::new();
        table
            .load_preset(preset)
            .set_content_arrangement(comfy_table::ContentArrangement::Disabled);
        let titles = self
            .positions
            .iter()
            .map(|position| format!("{}, depth {}", position.name, position.depth));
        table.set_header(std::iter::once(String::new()).chain(titles));
        for generator in &self.generators {
            let cells = generator
                .results
                .iter()
                .zip(&self.positions)
                .map(|(cell, position)| {
                    let shallower = if cell.depth < position.depth {
                        format!(" (depth {})", cell.depth)
                    } else {
                        String::new()
                    };
                    let multiple = cell
                        .multiple
                        .map_or_else(String::new, |multiple| format!("{multiple:.2}× "));
                    format!("{multiple}{:.0} Mnps{shallower}", cell.mnps)
                });
            table.add_row(std::iter::once(generator.name.clone()).chain(cells));
        }
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }

    fn method(&self) -> String {
        format!(
            "Millions of leaf nodes a second (Mnps), and the multiple of Stockfish's speed. One thread, the last \
             ply counted in bulk, no hash; best of {} interleaved rounds; every count checked.",
            self.rounds
        )
    }

    fn circumstances(&self) -> Vec<String> {
        let machine = &self.machine;
        let mut lines = vec![
            format!("made by `{}` on {}", self.command, machine.date),
            format!("processor: {}", machine.processor),
            format!(
                "compiler: {}, processor features {}",
                machine.rustc,
                machine.features.join(" ")
            ),
        ];
        lines.extend(
            self.generators
                .iter()
                .map(|row| format!("{}: {}", row.name, row.version)),
        );
        lines
    }
}
