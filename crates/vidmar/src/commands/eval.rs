//! `vidmar eval`: a position's score term by term, or the parameters that made it.

use std::fmt;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, anyhow, bail};
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use vidmar_chess::{Color, Position};
use vidmar_engine::ChosenEvaluation;
use vidmar_engine::explanation::PieceBoard;
use vidmar_engine::laboratory::LeafKind;
use vidmar_eval::parameters::{PARAMETERS, Parameter, SETS};
use vidmar_eval::{
    Breakdown, Chances, DEFAULT_VECTOR, FULL_PHASE, NetBreakdown, Share, SimpleWeights, Tapered, Vector,
    WHOLE_SCALE,
};

use crate::{arguments, output};

/// Show the score of a position term by term, or list the parameters of the evaluation
#[derive(Args)]
pub(crate) struct Eval {
    /// The position (default: the start position)
    #[arg(long, conflicts_with = "list")]
    fen: Option<String>,
    /// Which evaluation; the terms of `chances` are those of `full`
    #[arg(long = "eval", value_parser = arguments::named::<LeafKind>(), default_value = LeafKind::Full.name(), conflicts_with = "list")]
    kind: LeafKind,
    #[arg(long, value_name = "NAME|FILE", help = vector_help())]
    vector: Option<String>,
    /// Evaluate by a net, the program's own or that of a file, and show what each piece gives: the score with it less the score without it
    #[arg(long, value_name = "FILE", num_args = 0..=1, default_missing_value = "net", conflicts_with_all = ["kind", "vector", "set", "list"])]
    net: Option<String>,
    /// Change one parameter; may be repeated
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// List every parameter with its intervals, values and meaning
    #[arg(long)]
    list: bool,
    /// Write JSON
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Write the list as comma-separated values
    #[arg(long, requires = "list")]
    csv: bool,
}

impl Eval {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        if !self.kind.has_parameters() && (self.vector.is_some() || !self.set.is_empty()) {
            bail!("--vector, --set: the evaluation {} has no parameters", self.kind);
        }
        if let Some(net) = &self.net {
            return self.explain_net(net);
        }
        let vector = self.vector()?;
        let text = if self.list {
            let rows: Vec<_> = PARAMETERS
                .iter()
                .zip(vector.values())
                .enumerate()
                .map(ListRow::new)
                .collect();
            match (self.json, self.csv) {
                (true, _) => json(&rows)?,
                (_, true) => csv(&rows)?,
                _ => format!("{}\n", list_table(&rows)),
            }
        } else {
            let position = arguments::position(self.fen.as_deref())?;
            let answer = Answer::new(&position, self.kind, &vector);
            if self.json {
                json(&answer)?
            } else {
                format!("{answer}{}", self.of_the_engine(&position))
            }
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Terms that were not asked for by name are not those that the engine plays by.
    fn of_the_engine(&self, position: &Position) -> String {
        let is_chosen = self.kind != LeafKind::Full || self.vector.is_some() || !self.set.is_empty();
        match ChosenEvaluation::default() {
            ChosenEvaluation::Net { network, .. } if !is_chosen => {
                let score = network.evaluate(position);
                let white = match position.turn() {
                    Color::White => score,
                    Color::Black => -score,
                };
                format!(
                    "the engine plays by its net: {white} for white (--net shows what each piece gives)\n"
                )
            }
            _ => String::new(),
        }
    }

    fn explain_net(&self, name: &str) -> anyhow::Result<ExitCode> {
        let ChosenEvaluation::Net { network, .. } =
            ChosenEvaluation::read(&name.into()).map_err(|reason| anyhow!("--net: {reason}"))?
        else {
            bail!("--net: {name}: parameters, not a net (expected --vector {name})");
        };
        let position = arguments::position(self.fen.as_deref())?;
        let answer = NetAnswer {
            fen: position.to_string(),
            evaluation: "net",
            breakdown: NetBreakdown::new(&network, &position),
            turn: position.turn(),
        };
        output::print(&if self.json {
            json(&answer)?
        } else {
            answer.to_string()
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// The named vector or the file, then the single changes.
    fn vector(&self) -> anyhow::Result<Vector> {
        let name = self.vector.as_deref().unwrap_or(DEFAULT_VECTOR);
        let mut vector = match Vector::named(name) {
            Ok(vector) => vector,
            Err(unknown) if !Path::new(name).exists() => {
                bail!("--vector: {unknown}, and there is no such file")
            }
            Err(_) => match ChosenEvaluation::open(name) {
                Ok(ChosenEvaluation::HandCrafted(vector)) => *vector,
                Ok(ChosenEvaluation::Net { .. }) => {
                    bail!("--vector: {name}: a net, which has no parameters (expected --net {name})")
                }
                Err(reason) => bail!("--vector: {name}: {reason}"),
            },
        };
        for change in &self.set {
            vector.assign(change).context("--set")?;
        }
        Ok(vector)
    }
}

fn vector_help() -> String {
    format!(
        "Parameter values of the full evaluation: a named vector or a parameter file [default: {DEFAULT_VECTOR}]"
    )
}

fn json(value: &impl Serialize) -> anyhow::Result<String> {
    Ok(serde_json::to_string(value)? + "\n")
}

fn csv(rows: &[ListRow]) -> anyhow::Result<String> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    output::csv_text(writer)
}

/// A parameter and its value, flat for tables.
#[derive(Serialize)]
struct ListRow {
    index: usize,
    name: &'static str,
    phase: String,
    narrow_min: i32,
    narrow_max: i32,
    narrow_tuned: Option<i32>,
    wide_min: i32,
    wide_max: i32,
    wide_tuned: Option<i32>,
    value: i32,
    sets: String,
    meaning: &'static str,
}

impl ListRow {
    fn new((index, (parameter, &value)): (usize, (&'static Parameter, &i32))) -> ListRow {
        let sets: Vec<_> = SETS
            .iter()
            .filter(|set| set.contains(index))
            .map(|set| set.name)
            .collect();
        ListRow {
            index,
            name: parameter.name,
            phase: format!("{:?}", parameter.phase).to_lowercase(),
            narrow_min: parameter.narrow.min,
            narrow_max: parameter.narrow.max,
            narrow_tuned: parameter.published.map(|published| published.narrow),
            wide_min: parameter.wide.min,
            wide_max: parameter.wide.max,
            wide_tuned: parameter.published.map(|published| published.wide),
            value,
            sets: sets.join(" "),
            meaning: parameter.meaning,
        }
    }
}

fn list_table(rows: &[ListRow]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["name", "phase", "narrow", "wide", "value", "meaning"]);
    for row in rows {
        table.add_row([
            row.name.to_owned(),
            row.phase.clone(),
            format!("{}..{}", row.narrow_min, row.narrow_max),
            format!("{}..{}", row.wide_min, row.wide_max),
            row.value.to_string(),
            row.meaning.to_owned(),
        ]);
    }
    if let Some(column) = table.column_mut(4) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// What a net makes of a position.
#[derive(Serialize)]
struct NetAnswer {
    fen: String,
    evaluation: &'static str,
    #[serde(flatten)]
    breakdown: NetBreakdown,
    #[serde(skip)]
    turn: Color,
}

impl fmt::Display for NetAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NetBreakdown {
            score, white_score, ..
        } = self.breakdown;
        write!(f, "{}", PieceBoard(&self.breakdown))?;
        writeln!(f, "score {score} for {}, {white_score} for white", self.turn)
    }
}

/// What is known of a position.
#[derive(Serialize)]
struct Answer {
    fen: String,
    evaluation: &'static str,
    #[serde(flatten)]
    breakdown: Breakdown,
    /// What each term gives at the present phase; the totals add up to the score for White.
    shares: Vec<Share>,
    /// The curves of chances were fitted to scores of the full evaluation: of others they would say nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    chances: Option<Chances>,
    /// What a search by chances works with: a win less a loss, in 1/10,000.
    #[serde(skip_serializing_if = "Option::is_none")]
    balance: Option<i32>,
    #[serde(skip)]
    turn: Color,
}

impl Answer {
    fn new(position: &Position, kind: LeafKind, vector: &Vector) -> Answer {
        let breakdown = kind.explain(vector, SimpleWeights::default(), position);
        let chances = Chances::of(breakdown.score, breakdown.phase);
        Answer {
            fen: position.to_string(),
            shares: breakdown.shares(),
            evaluation: kind.name(),
            chances: kind.has_parameters().then_some(chances),
            balance: (!kind.is_in_pawns()).then(|| chances.balance()),
            breakdown,
            turn: position.turn(),
        }
    }

    /// Opening and endgame values of every term that is not 0, and what it gives White at the present phase.
    fn table(&self) -> Table {
        let mut table = Table::new();
        table.load_preset(presets::NOTHING);
        table.set_header(["term", "white", "", "black", "", "total", "", "score"]);
        let zero = Tapered::ZERO;
        let mut add = |name: &str, values: [Option<Tapered>; 3], score: i32| {
            let numbers = values.into_iter().flat_map(|value| match value {
                Some(value) => [value.opening().to_string(), value.endgame().to_string()],
                None => [String::new(), String::new()],
            });
            let score = std::iter::once(score.to_string());
            table.add_row(std::iter::once(name.to_owned()).chain(numbers).chain(score));
        };
        let mut shares = self.shares.iter();
        for (row, share) in self.breakdown.terms.iter().zip(&mut shares) {
            if row.white != zero || row.black != zero {
                let total = row.white - row.black;
                add(
                    share.name,
                    [Some(row.white), Some(row.black), Some(total)],
                    share.total,
                );
            }
        }
        for scaling in shares {
            add(scaling.name, [None; 3], scaling.total);
        }
        let sum = Some(self.breakdown.total);
        add("sum", [None, None, sum], self.breakdown.white_score);
        for column in table.column_iter_mut().skip(1) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Breakdown { phase, score, .. } = self.breakdown;
        writeln!(f, "{}", self.table())?;
        for (what, scale) in [
            ("endgame value", self.breakdown.endgame_scale),
            ("score", self.breakdown.draw_scale),
        ] {
            if scale != WHOLE_SCALE {
                writeln!(f, "{what} scaled to {scale}/{WHOLE_SCALE}")?;
            }
        }
        writeln!(f, "phase {phase}/{FULL_PHASE}")?;
        writeln!(
            f,
            "score {score} for {}, {} for white",
            self.turn, self.breakdown.white_score
        )?;
        if let Some(chances) = self.chances {
            let [win, draw, loss] = chances.per_mille();
            writeln!(f, "win {win}, draw {draw}, loss {loss} in 1000 for {}", self.turn)?;
        }
        if let Some(balance) = self.balance {
            writeln!(
                f,
                "value {balance} in 10,000: a win less a loss for {}",
                self.turn
            )?;
        }
        Ok(())
    }
}
