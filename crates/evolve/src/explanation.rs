//! What happened in an evolution, as an explanation.

use vidmar_chess::{CastlingNotation, Move, Position};
use vidmar_engine::explanation::{EvolutionExplanation, FirstMove, Sample};

use crate::evolution::Evolution;
use crate::settings::Settings;

/// How the lines of a thought evolved.
pub(crate) fn explain(
    position: &Position,
    evolutions: &[Evolution],
    chosen: Option<Move>,
    nodes: u64,
    settings: &Settings,
) -> EvolutionExplanation {
    let notation = position.castling_notation();
    let mut moves: Vec<FirstMove> = evolutions
        .iter()
        .map(|evolution| first_move(position, evolution, notation, settings))
        .collect();
    let chosen = chosen.map(|m| m.uci(notation).to_string());
    // The chosen one first among equals.
    moves.sort_by_key(|found| {
        (
            std::cmp::Reverse(found.fitness),
            Some(&found.r#move) != chosen.as_ref(),
        )
    });
    EvolutionExplanation {
        fen: position.setup().to_string(),
        moves,
        chosen,
        nodes,
    }
}

fn first_move(
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
