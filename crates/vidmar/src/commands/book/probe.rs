//! `vidmar book probe`: what a book has to say about a position.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use vidmar_chess::Position;
use vidmar_formats::polyglot::{Book, BookMove};
use vidmar_rng::Rng;

use crate::{arguments, output};

/// Show the moves of a book in a position, with weight and percent
///
/// Moves that are not legal in the position are not shown. The exit code is 1 if the book has no move.
#[derive(Args)]
pub(super) struct Probe {
    /// The book
    #[arg(value_name = "F.bin")]
    file: PathBuf,
    /// The position (default: the start position)
    #[arg(long, value_name = "FEN")]
    fen: Option<String>,
    /// Draw one move by weight with this seed
    #[arg(long, value_name = "N", conflicts_with = "best")]
    seed: Option<u64>,
    /// Show the heaviest move only
    #[arg(long)]
    best: bool,
    /// Read a book whose entries are out of order, and put them in order first
    #[arg(long)]
    unordered: bool,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    fen: String,
    key: String,
    moves: Vec<Row>,
    /// With --seed or --best: the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    chosen: Option<String>,
}

#[derive(Serialize)]
struct Row {
    r#move: String,
    san: String,
    weight: u16,
    percent: f64,
    learn: u32,
}

impl Probe {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let position = arguments::position(self.fen.as_deref())?;
        let book = if self.unordered {
            Book::open_unordered(&self.file)
        } else {
            Book::open(&self.file)
        };
        let book = book.with_context(|| self.file.display().to_string())?;
        let moves = book.moves(&position);
        let chosen = match self.seed {
            Some(seed) => BookMove::draw(&moves, &mut Rng::new(seed, b"probing-", position.key().0, 0)),
            None if self.best => BookMove::best(&moves),
            None => None,
        };
        let notation = position.castling_notation();
        let answer = Answer {
            fen: position.setup().to_string(),
            key: format!("{:016x}", position.key().0),
            moves: rows(&position, &moves),
            chosen: chosen.map(|m| m.uci(notation).to_string()),
        };
        output::print(&if self.json {
            serde_json::to_string(&answer)? + "\n"
        } else if self.seed.is_some() || self.best {
            answer.chosen.map_or_else(String::new, |m| m + "\n")
        } else {
            table(&answer.moves)
        })?;
        Ok(ExitCode::from(u8::from(moves.is_empty())))
    }
}

fn rows(position: &Position, moves: &[BookMove]) -> Vec<Row> {
    let total: u32 = moves.iter().map(|found| u32::from(found.weight)).sum();
    let notation = position.castling_notation();
    moves
        .iter()
        .map(|found| Row {
            r#move: found.played.uci(notation).to_string(),
            san: position.san(found.played).to_string(),
            weight: found.weight,
            percent: 100.0 * f64::from(found.weight) / f64::from(total.max(1)),
            learn: found.learn,
        })
        .collect()
}

fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let _ = writeln!(text, "{:<8}{:>6}{:>7.2} %", row.san, row.weight, row.percent);
    }
    text
}
