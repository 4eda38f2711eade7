//! The reasons of a player of evolved moves: the best line of each first move, and how it came about.

use std::fmt::{self, Write as _};

use serde::Serialize;

/// How the lines of one thought evolved.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EvolutionExplanation {
    /// The position.
    pub fen: String,
    /// The first moves, the best first.
    pub moves: Vec<FirstMove>,
    /// The move that was played, one of those of the highest fitness.
    pub chosen: Option<String>,
    /// Positions evaluated.
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

impl FirstMove {
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
impl fmt::Display for EvolutionExplanation {
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
        write!(f, "{} positions evaluated; * is played", self.nodes)
    }
}
