//! The reasons of the player of evolved moves: the best line of each first move, and how it came about.

use serde::Serialize;
use ts_rs::TS;
use vidmar_engine::explanation::{EvolutionExplanation, FirstMove, Sample};

use super::{Arrow, Brush, MOST_ARROWS, Why, WhyKind};
use crate::position::MoveText;

/// The reasons of a player of evolved moves.
#[derive(Clone, Debug, Serialize, TS)]
pub struct EvolvedWhy {
    /// The best line of each first move, the fittest first.
    pub lines: Vec<EvolvedLine>,
    /// Positions judged.
    pub nodes: u64,
}

/// The evolution of one first move.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct EvolvedLine {
    /// The line.
    pub moves: Vec<MoveText>,
    /// The worth of the position after each of its moves, for the side to move.
    pub worths: Vec<i64>,
    /// Its fitness; absent if there was no time for a line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fitness: Option<i64>,
    /// Generations.
    pub generations: u32,
    /// Whether it is the one that was played.
    pub chosen: bool,
    /// How it came about, for the best few.
    pub history: Vec<EvolvedSample>,
}

/// A population at a generation.
#[derive(Copy, Clone, Debug, Serialize, TS)]
pub struct EvolvedSample {
    /// The generation; 0 is the founders'.
    pub generation: u32,
    /// The fitness of the best line.
    pub fitness: i64,
    /// The mean share of genes in which the other lines differ from the best, from 0 to 1.
    pub diversity: f64,
}

/// Lines whose history is told, and in how many samples: a picture needs no more.
const TOLD: usize = 6;
const SAMPLES: usize = 64;

/// Fills in the reasons.
pub(super) fn tell(why: &mut Why, evolution: &EvolutionExplanation) {
    let chosen = evolution.chosen.as_deref();
    let lines: Vec<EvolvedLine> = evolution
        .moves
        .iter()
        .enumerate()
        .map(|(index, first)| line(first, index, chosen))
        .collect();
    why.kind = WhyKind::Evolved;
    why.arrows = arrows(&lines);
    why.headline = headline(why.chosen.as_ref(), &lines);
    why.evolved = Some(EvolvedWhy {
        lines,
        nodes: evolution.nodes,
    });
}

fn line(first: &FirstMove, index: usize, chosen: Option<&str>) -> EvolvedLine {
    EvolvedLine {
        moves: MoveText::pairs(&first.line_uci, &first.line),
        worths: first.worths.clone(),
        fitness: first.fitness,
        generations: first.generations,
        chosen: chosen == Some(first.r#move.as_str()),
        history: if index < TOLD {
            thinned(&first.history)
        } else {
            Vec::new()
        },
    }
}

/// Some samples, the first and the last among them.
fn thinned(history: &[Sample]) -> Vec<EvolvedSample> {
    let last = history.len().saturating_sub(1);
    let step = (last / SAMPLES).max(1);
    let is_kept = |index: usize| index.is_multiple_of(step) || index == last;
    let kept = history.iter().enumerate().filter(|(index, _)| is_kept(*index));
    kept.map(|(_, sample)| EvolvedSample {
        generation: sample.generation,
        fitness: sample.fitness,
        diversity: sample.diversity,
    })
    .collect()
}

fn arrows(lines: &[EvolvedLine]) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for line in lines.iter().take(MOST_ARROWS) {
        let brush = if line.chosen { Brush::Best } else { Brush::Other };
        let label = line.fitness.map(words);
        arrows.extend(
            line.moves
                .first()
                .and_then(|first| Arrow::of(&first.uci, brush, label)),
        );
        if line.chosen
            && let Some(answer) = line.moves.get(1)
        {
            arrows.extend(Arrow::of(&answer.uci, Brush::Answer, None));
        }
    }
    arrows
}

/// A fitness beyond this has a mate in it.
const MATE: i64 = 1_000_000;

fn words(fitness: i64) -> String {
    if fitness.abs() < MATE {
        format!("fitness {fitness}")
    } else if fitness > 0 {
        "mates".to_owned()
    } else {
        "is mated".to_owned()
    }
}

fn headline(chosen: Option<&MoveText>, lines: &[EvolvedLine]) -> String {
    let san = chosen.map_or("?", |chosen| chosen.san.as_str());
    let Some(line) = lines.iter().find(|line| line.chosen) else {
        return format!("{san}: no line had time to evolve");
    };
    let fitness = line.fitness.map_or_else(|| "no fitness".to_owned(), words);
    let of = lines.len();
    format!(
        "{san}: the fittest of {of} first moves, {fitness} after {} generations",
        line.generations
    )
}
