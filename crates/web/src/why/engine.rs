//! The reasons of engines and searches: lines of play, scores, the evaluation term by term.

use serde::Serialize;
use ts_rs::TS;
use vidmar_chess::{Bound, Color, Position, Score, WhiteScore};
use vidmar_engine::Info;
use vidmar_eval::{Breakdown, FULL_PHASE, FullEvaluation, Tapered, phase};

use super::{Arrow, Brush, MOST_ARROWS, Thinking, Why, WhyKind};
use crate::position::MoveText;

/// The reasons of an engine.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct EngineWhy {
    /// Plies of the deepest iteration.
    pub depth: u32,
    /// The longest line looked at.
    pub seldepth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// Positions a second.
    pub nps: u64,
    /// Time used.
    pub time_ms: u64,
    /// Of the best line.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<WhiteScore>,
    /// What that score means, as chances of White and Black.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chances: Option<Chances>,
    /// Principal lines, the best first.
    pub lines: Vec<WhyLine>,
    /// The evaluation of the position term by term; empty if the player does not use ours.
    pub terms: Vec<EvalTerm>,
    /// The sum of the terms, from White's point of view.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub static_cp: Option<i32>,
}

/// Chances that sum to 1.
#[derive(Copy, Clone, Debug, Serialize, TS)]
#[allow(missing_docs)]
pub struct Chances {
    pub white: f64,
    pub draw: f64,
    pub black: f64,
}

/// A line of play.
#[derive(Clone, Debug, Serialize, TS)]
pub struct WhyLine {
    /// From White's point of view.
    pub score: WhiteScore,
    /// Whether the score is only a bound, for the side to move.
    pub bound: Bound,
    /// Plies.
    pub depth: u32,
    /// The moves.
    pub moves: Vec<MoveText>,
}

/// A term of the evaluation, in hundredths of a pawn at the present phase of the game.
#[derive(Clone, Debug, Serialize, TS)]
pub struct EvalTerm {
    /// Its name.
    pub name: &'static str,
    /// What White gets.
    pub white: i32,
    /// What Black gets.
    pub black: i32,
    /// White's minus Black's.
    pub total: i32,
}

/// The newest line of every place that a player has told of.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heard(Vec<Info>);

/// More places than anybody shows.
const MOST_PLACES: usize = 16;

impl Heard {
    /// Takes in what was told.
    pub(crate) fn note(&mut self, info: &Info) {
        let place = info.multipv.clamp(1, MOST_PLACES) - 1;
        if place < self.0.len() {
            self.0[place] = info.clone();
        } else {
            self.0.push(info.clone());
        }
    }

    /// The best line.
    pub(crate) fn best(&self) -> Option<&Info> {
        self.0.first()
    }

    /// The lines, without moves that have risen since: those are there twice.
    fn lines(&self) -> Vec<&Info> {
        let mut lines: Vec<&Info> = Vec::new();
        for info in &self.0 {
            if lines.iter().all(|other| other.pv.first() != info.pv.first()) {
                lines.push(info);
            }
        }
        lines
    }
}

/// Fills in the reasons, where there are any.
pub(super) fn tell(why: &mut Why, thinking: &Thinking<'_>) {
    let evaluation = thinking.seat.evaluation();
    let breakdown = evaluation.map(|vector| FullEvaluation::new(&vector).explain(thinking.position));
    let Some(best) = thinking.heard.best() else {
        if let Some(breakdown) = breakdown {
            why.kind = WhyKind::Engine;
            why.engine = Some(part(None, Vec::new(), Some(&breakdown), thinking.position));
        }
        return;
    };
    let position = thinking.position;
    let lines: Vec<WhyLine> = thinking
        .heard
        .lines()
        .iter()
        .map(|info| line(position, info))
        .collect();
    why.kind = WhyKind::Engine;
    why.arrows = arrows(&lines, thinking);
    why.headline = headline(why, best, position.turn());
    why.engine = Some(part(Some(best), lines, breakdown.as_ref(), position));
}

fn part(
    best: Option<&Info>,
    lines: Vec<WhyLine>,
    breakdown: Option<&Breakdown>,
    position: &Position,
) -> EngineWhy {
    let nodes = best.map_or(0, |info| info.nodes);
    let time_ms = best.map_or(0, |info| info.elapsed.as_millis() as u64);
    EngineWhy {
        depth: best.map_or(0, |info| info.depth),
        seldepth: best.map_or(0, |info| info.seldepth),
        nodes,
        nps: nodes.saturating_mul(1000) / time_ms.max(1),
        time_ms,
        score: best.map(|info| info.score.for_white(position.turn())),
        chances: best.map(|info| chances(position, info.score)),
        lines,
        terms: breakdown.map(terms).unwrap_or_default(),
        static_cp: breakdown.map(|breakdown| breakdown.white_score),
    }
}

fn line(position: &Position, info: &Info) -> WhyLine {
    WhyLine {
        score: info.score.for_white(position.turn()),
        bound: info.bound,
        depth: info.depth,
        moves: MoveText::line(position, &info.pv),
    }
}

fn chances(position: &Position, score: Score) -> Chances {
    let (win, draw, loss) = match score {
        Score::Mate(moves) if moves > 0 => (1.0, 0.0, 0.0),
        Score::Mate(_) => (0.0, 0.0, 1.0),
        Score::Centipawns(cp) => {
            let chances = vidmar_eval::Chances::of(cp, phase(position));
            (chances.win, chances.draw, chances.loss)
        }
    };
    let (white, black) = match position.turn() {
        Color::White => (win, loss),
        Color::Black => (loss, win),
    };
    Chances { white, draw, black }
}

/// A value at the phase: rounded, so that a sum of terms may be off by a few hundredths; [`EngineWhy::static_cp`] is
/// exact, and so scaled as drawish endings are.
fn blended(value: Tapered, phase: i32) -> i32 {
    let phase = phase.clamp(0, FULL_PHASE);
    (value.opening() * phase + value.endgame() * (FULL_PHASE - phase)) / FULL_PHASE
}

fn terms(breakdown: &Breakdown) -> Vec<EvalTerm> {
    let row = |score: &vidmar_eval::TermScore| {
        let white = blended(score.white, breakdown.phase);
        let black = blended(score.black, breakdown.phase);
        EvalTerm {
            name: score.term.name(),
            white,
            black,
            total: white - black,
        }
    };
    breakdown.terms.iter().map(row).collect()
}

fn arrows(lines: &[WhyLine], thinking: &Thinking<'_>) -> Vec<Arrow> {
    let notation = thinking.position.castling_notation();
    let chosen = thinking.best.map(|m| m.uci(notation).to_string());
    let mut arrows = Vec::new();
    for (place, line) in lines.iter().take(MOST_ARROWS).enumerate() {
        let Some(first) = line.moves.first() else {
            continue;
        };
        let is_best = chosen.as_ref().map_or(place == 0, |chosen| *chosen == first.uci);
        let brush = if is_best { Brush::Best } else { Brush::Other };
        arrows.extend(Arrow::of(&first.uci, brush, Some(words(line.score))));
        if is_best && let Some(answer) = line.moves.get(1) {
            arrows.extend(Arrow::of(&answer.uci, Brush::Answer, None));
        }
    }
    arrows
}

fn headline(why: &Why, best: &Info, turn: Color) -> String {
    let score = words(best.score.for_white(turn));
    let told = format!(
        "{score} for White at depth {}, {} positions",
        best.depth, best.nodes
    );
    match &why.chosen {
        Some(chosen) => format!("{}: {told}", chosen.san),
        None => told,
    }
}

/// A score in words: `+0.35`, `#-3`.
fn words(score: WhiteScore) -> String {
    match score.0 {
        Score::Centipawns(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(moves) => format!("#{moves}"),
    }
}
