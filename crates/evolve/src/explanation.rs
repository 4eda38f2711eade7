//! What happened in an evolution, for people and for pages.

use std::fmt::{self, Write as _};

use serde::Serialize;
use vidmar_chess::{CastlingNotation, Move, Position};

use crate::evolution::Evolution;
use crate::settings::Settings;

/// The story of one thought.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The position.
    pub fen: String,
    /// The first moves, the best first.
    pub moves: Vec<FirstMove>,
    /// The move that was played, one of those of the highest fitness.
    pub chosen: Option<String>,
    /// Positions judged.
    pub nodes: u64,
}

/// The evolution of one first move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FirstMove {
    /// In UCI notation.
    pub r#move: String,
    /// The best line, in SAN.
    pub line: Vec<String>,
    /// The best line, in UCI notation.
    pub line_uci: Vec<String>,
    /// The worth after each gene of the best line, in hundredths of a pawn for the side to move; mates are a hundred
    /// million divided by their place.
    pub worths: Vec<i64>,
    /// The fitness of the best line, likewise; none if there was no time for a line.
    pub fitness: Option<i64>,
    /// Generations.
    pub generations: u32,
    /// Samples by generation.
    pub history: Vec<Sample>,
}

/// The state of a population.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Sample {
    /// The generation; 0 is the founders'.
    pub generation: u32,
    /// The fitness of the best line.
    pub fitness: i64,
    /// The mean share of genes in which the other lines differ from the best, from 0 to 1.
    pub diversity: f64,
}

impl Explanation {
    pub(crate) fn new(
        position: &Position,
        evolutions: &[Evolution],
        chosen: Option<Move>,
        nodes: u64,
        settings: &Settings,
    ) -> Explanation {
        let notation = position.castling_notation();
        let mut moves: Vec<FirstMove> = evolutions
            .iter()
            .map(|evolution| FirstMove::new(position, evolution, notation, settings))
            .collect();
        let chosen = chosen.map(|m| m.uci(notation).to_string());
        // The chosen one first among equals.
        moves.sort_by_key(|found| {
            (
                std::cmp::Reverse(found.fitness),
                Some(&found.r#move) != chosen.as_ref(),
            )
        });
        Explanation {
            fen: position.setup().to_string(),
            moves,
            chosen,
            nodes,
        }
    }
}

impl FirstMove {
    fn new(
        position: &Position,
        evolution: &Evolution,
        notation: CastlingNotation,
        settings: &Settings,
    ) -> FirstMove {
        let best = &evolution.best;
        let mut now = position.clone();
        let mut line = Vec::new();
        for &gene in &best.genes {
            line.push(now.san(gene).to_string());
            now.play(gene);
        }
        let history = evolution.trace.samples.iter();
        FirstMove {
            r#move: evolution.first.uci(notation).to_string(),
            line,
            line_uci: best.genes.iter().map(|m| m.uci(notation).to_string()).collect(),
            worths: best.worths.clone(),
            fitness: evolution.fitness(settings),
            generations: evolution.generation,
            history: history
                .map(|&(generation, fitness, diversity)| Sample {
                    generation,
                    fitness,
                    diversity: f64::from(diversity) / 1000.0,
                })
                .collect(),
        }
    }

    /// The fitness at the founders', after a quarter, half, three quarters and all generations.
    fn progress(&self) -> String {
        let last = self.history.len().saturating_sub(1);
        let mut text = String::new();
        for quarter in 0..=4 {
            if let Some(sample) = self.history.get(last * quarter / 4) {
                let arrow = if quarter == 0 { "" } else { " → " };
                let _ = write!(text, "{arrow}{}", sample.fitness);
            }
        }
        text
    }

    fn diversity(&self) -> f64 {
        let sum: f64 = self.history.iter().map(|sample| sample.diversity).sum();
        sum / self.history.len().max(1) as f64
    }
}

/// A line for each first move: fitness, its way there, mean diversity, the best line.
impl fmt::Display for Explanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<8}{:>12}  {:>6}  {:>9}  best line; fitness by quarters of the evolution",
            "move", "fitness", "gens", "diversity"
        )?;
        for found in &self.moves {
            let mark = if self.chosen.as_ref() == Some(&found.r#move) {
                "*"
            } else {
                ""
            };
            let fitness = found
                .fitness
                .map_or_else(|| "-".to_owned(), |fitness| fitness.to_string());
            writeln!(
                f,
                "{:<8}{fitness:>12}  {:>6}  {:>9.2}  {}; {}",
                format!("{}{mark}", found.r#move),
                found.generations,
                found.diversity(),
                found.line.join(" "),
                found.progress()
            )?;
        }
        write!(f, "{} positions judged; * is played", self.nodes)
    }
}
