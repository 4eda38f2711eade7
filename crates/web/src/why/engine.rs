//! The reasons of engines and searches: lines of play, scores, the evaluation term by term.

use serde::Serialize;
use ts_rs::TS;
use vidmar_chess::{Bound, Color, Position, Score, WhiteScore};
use vidmar_engine::explanation::{ExplainedEvaluation, ExplainedLine, SearchExplanation};
use vidmar_eval::{AnyBreakdown, Breakdown, PieceShare, Share, phase};

use super::{Arrow, Brush, MOST_ARROWS, Why, WhyKind};
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
    /// The position that the terms evaluate: the one after a move that was chosen, or else the one that is analysed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluated_fen: Option<String>,
    /// Its hand-crafted evaluation term by term, also where a net has decided; empty if the player uses neither.
    pub terms: Vec<EvalTerm>,
    /// The sum of their totals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms_cp: Option<i32>,
    /// Its evaluation piece by piece, if the player uses a net.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pieces: Option<Vec<EvalPiece>>,
    /// Its static evaluation from White's point of view: that of the terms, or a net's score.
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

/// What a piece gives, as a net sees it.
#[derive(Clone, Debug, Serialize, TS)]
pub struct EvalPiece {
    /// Where it stands.
    pub square: String,
    /// The letter of a FEN.
    pub piece: char,
    /// Hundredths of a pawn that White's score would lose without it.
    pub total: i32,
}

/// Fills in the reasons.
pub(super) fn tell(why: &mut Why, position: &Position, search: &SearchExplanation) {
    let lines: Vec<WhyLine> = search.lines.iter().map(|found| line(position, found)).collect();
    why.kind = WhyKind::Engine;
    why.arrows = arrows(&lines, why.chosen.as_ref());
    if let Some(best) = search.lines.first() {
        why.headline = headline(why, best, position.turn());
    }
    why.engine = Some(part(search, lines, position));
}

fn part(search: &SearchExplanation, lines: Vec<WhyLine>, position: &Position) -> EngineWhy {
    let (best, evaluation) = (search.lines.first(), search.evaluation.as_ref());
    let hand_crafted = evaluation.map(|evaluation| evaluation.breakdown.hand_crafted());
    let nodes = best.map_or(0, |line| line.nodes);
    let time_ms = best.map_or(0, |line| line.time_ms);
    EngineWhy {
        depth: best.map_or(0, |line| line.depth),
        seldepth: best.map_or(0, |line| line.seldepth),
        nodes,
        nps: nodes.saturating_mul(1000) / time_ms.max(1),
        time_ms,
        score: best.map(|line| line.score.for_white(position.turn())),
        chances: best.map(|line| chances(position, line.score)),
        lines,
        evaluated_fen: evaluation.map(|evaluation| evaluation.fen.clone()),
        terms: hand_crafted.map(terms).unwrap_or_default(),
        terms_cp: hand_crafted.map(|terms| terms.white_score),
        pieces: evaluation.and_then(pieces),
        static_cp: evaluation.map(|evaluation| evaluation.breakdown.white_score()),
    }
}

fn line(position: &Position, found: &ExplainedLine) -> WhyLine {
    WhyLine {
        score: found.score.for_white(position.turn()),
        bound: found.bound,
        depth: found.depth,
        moves: MoveText::pairs(&found.line_uci, &found.line),
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

fn terms(breakdown: &Breakdown) -> Vec<EvalTerm> {
    let row = |share: Share| EvalTerm {
        name: share.name,
        white: share.white,
        black: share.black,
        total: share.total,
    };
    breakdown.shares().into_iter().map(row).collect()
}

fn pieces(evaluation: &ExplainedEvaluation) -> Option<Vec<EvalPiece>> {
    let AnyBreakdown::Pieces(net) = &evaluation.breakdown else {
        return None;
    };
    let row = |share: &PieceShare| EvalPiece {
        square: share.square.to_string(),
        piece: share.piece.char(),
        total: share.share,
    };
    Some(net.pieces.iter().map(row).collect())
}

fn arrows(lines: &[WhyLine], chosen: Option<&MoveText>) -> Vec<Arrow> {
    let mut arrows = Vec::new();
    for (index, line) in lines.iter().take(MOST_ARROWS).enumerate() {
        let Some(first) = line.moves.first() else {
            continue;
        };
        let is_best = chosen.map_or(index == 0, |chosen| chosen.uci == first.uci);
        let brush = if is_best { Brush::Best } else { Brush::Other };
        arrows.extend(Arrow::of(&first.uci, brush, Some(words(line.score))));
        if is_best && let Some(answer) = line.moves.get(1) {
            arrows.extend(Arrow::of(&answer.uci, Brush::Answer, None));
        }
    }
    arrows
}

fn headline(why: &Why, best: &ExplainedLine, turn: Color) -> String {
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
