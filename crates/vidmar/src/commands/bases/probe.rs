//! `vidmar bases probe`: what a position and each of its moves are worth.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use serde::Serialize;
use vidmar_chess::{CastlingNotation, Position};
use vidmar_tablebases::{ClassifiedMove, Library, Syzygy, Tablebases};

use crate::{arguments, output};

/// Look a position up, and every move of it
///
/// Values are those of the side to move, without the 50-move rule. With Syzygy's distance tables the plies to the next
/// capture or pawn move are given too (dtz); beyond ±100 the rule makes a draw of the result.
#[derive(Args)]
pub(crate) struct Probe {
    /// The folder of our bases (without: king and pawn against king only)
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
    /// The folders of Syzygy tables
    #[arg(long, value_name = "DIRS")]
    syzygy: Option<String>,
    /// The position
    #[arg(long)]
    fen: String,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    fen: String,
    /// `win`, `draw` or `loss`.
    value: &'static str,
    dtz: Option<i32>,
    /// The best first.
    moves: Vec<MoveRow>,
}

#[derive(Serialize)]
struct MoveRow {
    r#move: String,
    san: String,
    value: &'static str,
    dtz: Option<i32>,
}

impl Probe {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let position = arguments::position(Some(&self.fen))?;
        let own = match &self.path {
            Some(folder) => Library::open(folder).context("--path")?,
            None => Library::built_in(),
        };
        let syzygy = self
            .syzygy
            .as_deref()
            .map(Syzygy::open)
            .transpose()
            .context("--syzygy")?;
        let bases = Tablebases::new(own, syzygy);
        let answer = answer(&bases, &position)?;
        output::print(&if self.json {
            serde_json::to_string(&answer)? + "\n"
        } else {
            text(&answer)
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn answer(bases: &Tablebases, position: &Position) -> anyhow::Result<Answer> {
    anyhow::ensure!(
        position.castling().is_empty(),
        "--fen: a side may still castle, and no base holds such positions"
    );
    let value = bases.wdl(position);
    let (value, moves) = value.zip(bases.ranked_moves(position)).with_context(|| {
        let pieces = position.occupied().len();
        format!("--fen: no base at hand holds this ending of {pieces} pieces and what its moves lead to")
    })?;
    let row = |ClassifiedMove { m, value, dtz }: ClassifiedMove| MoveRow {
        r#move: m.uci(CastlingNotation::Standard).to_string(),
        san: position.san(m).to_string(),
        value: value.name(),
        dtz,
    };
    Ok(Answer {
        fen: position.to_string(),
        value: value.name(),
        dtz: bases.dtz(position).map(|distance| distance.plies),
        moves: moves.into_iter().map(row).collect(),
    })
}

fn text(answer: &Answer) -> String {
    let distance = |dtz: Option<i32>| dtz.map(|dtz| format!(", dtz {dtz}")).unwrap_or_default();
    let mut text = format!("{}{}\n", answer.value, distance(answer.dtz));
    for row in &answer.moves {
        let _ = writeln!(text, "  {:<7} {}{}", row.san, row.value, distance(row.dtz));
    }
    text
}
