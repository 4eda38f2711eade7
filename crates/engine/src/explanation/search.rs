//! The reasons of engines and searches: lines of play with their scores, and the evaluation term by term.

use std::fmt;

use serde::Serialize;
use vidmar_chess::{Bound, Color, File, Move, Position, Rank, Score, Square};
use vidmar_eval::{AnyBreakdown, Breakdown, FULL_PHASE, NetBreakdown, Tapered};

use crate::thinker::Info;

/// What a search found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchExplanation {
    /// The position.
    pub fen: String,
    /// The lines of play, the best first.
    pub lines: Vec<ExplainedLine>,
    /// An evaluation term by term, if the player goes by ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<ExplainedEvaluation>,
}

/// An evaluation, and of what: a move is explained by the position after it, a position by itself.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedEvaluation {
    /// The position that was evaluated.
    pub fen: String,
    /// Its terms, or its pieces.
    #[serde(flatten)]
    pub breakdown: AnyBreakdown,
    #[serde(skip)]
    turn: Color,
}

impl ExplainedEvaluation {
    /// The evaluation of a position.
    pub fn new(position: &Position, breakdown: AnyBreakdown) -> ExplainedEvaluation {
        ExplainedEvaluation {
            fen: position.to_string(),
            breakdown,
            turn: position.turn(),
        }
    }
}

/// A line of play.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplainedLine {
    /// Plies of the iteration.
    pub depth: u32,
    /// The longest line looked at.
    pub seldepth: u32,
    /// For the side to move.
    pub score: Score,
    /// Whether the score is only a bound.
    pub bound: Bound,
    /// Positions visited.
    pub nodes: u64,
    /// Milliseconds since the start.
    pub time_ms: u64,
    /// The moves, in SAN.
    pub line: Vec<String>,
    /// The moves, in UCI notation.
    pub line_uci: Vec<String>,
}

/// The newest line of every index that a player has told of.
#[derive(Clone, Debug, Default)]
pub struct Lines(Vec<Info>);

/// More lines than anybody shows.
const MAX_LINES: usize = 16;

impl Lines {
    /// Takes in what was told; a line without a score is none that could be compared, and its player has other reasons.
    pub fn note(&mut self, info: &Info) {
        if info.score.is_none() {
            return;
        }
        let index = info.multipv.clamp(1, MAX_LINES) - 1;
        match self.0.get_mut(index) {
            Some(line) => line.clone_from(info),
            None => self.0.push(info.clone()),
        }
    }

    /// The best line.
    pub fn best(&self) -> Option<&Info> {
        self.0.first()
    }

    /// The lines as an explanation; moves that have risen since, which are there twice, are left out.
    pub fn explain(&self, position: &Position, evaluation: Option<ExplainedEvaluation>) -> SearchExplanation {
        let mut lines: Vec<&Info> = Vec::new();
        for info in &self.0 {
            if lines.iter().all(|other| other.pv.first() != info.pv.first()) {
                lines.push(info);
            }
        }
        SearchExplanation {
            fen: position.to_string(),
            lines: lines
                .into_iter()
                .filter_map(|info| ExplainedLine::new(position, info))
                .collect(),
            evaluation,
        }
    }
}

impl ExplainedLine {
    /// None without a score.
    fn new(position: &Position, info: &Info) -> Option<ExplainedLine> {
        let legal = legal_part(position, &info.pv);
        Some(ExplainedLine {
            depth: info.depth,
            seldepth: info.seldepth,
            score: info.score?,
            bound: info.bound,
            nodes: info.nodes,
            time_ms: info.elapsed.as_millis() as u64,
            line: legal.iter().map(|(san, _)| san.clone()).collect(),
            line_uci: legal.into_iter().map(|(_, uci)| uci).collect(),
        })
    }
}

/// A line in SAN and in UCI notation. Lines come from tables that other searches share: what is not legal ends them.
fn legal_part(position: &Position, line: &[Move]) -> Vec<(String, String)> {
    let mut now = position.clone();
    let mut moves = Vec::with_capacity(line.len());
    for &m in line {
        if !now.is_legal(m) {
            break;
        }
        let uci = m.uci(now.castling_notation()).to_string();
        moves.push((now.san(m).to_string(), uci));
        now.play(m);
    }
    moves
}

/// A line of text for each line of play, then the evaluation as a table.
impl fmt::Display for SearchExplanation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts: Vec<String> = self.lines.iter().map(ToString::to_string).collect();
        parts.extend(self.evaluation.as_ref().map(ToString::to_string));
        f.write_str(&parts.join("\n"))
    }
}

impl fmt::Display for ExplainedLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bound = match self.bound {
            Bound::Exact => "",
            Bound::Lower => " at least",
            Bound::Upper => " at most",
        };
        let moves = self.line.join(" ");
        write!(
            f,
            "depth {} score{bound} {} nodes {}: {moves}",
            self.depth, self.score, self.nodes
        )
    }
}

/// What makes the score, then the score.
impl fmt::Display for ExplainedEvaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "evaluation of {}", self.fen)?;
        let (score, white_score) = match &self.breakdown {
            AnyBreakdown::Terms(terms) => {
                write!(f, "{}", TermTable(terms))?;
                (terms.score, terms.white_score)
            }
            AnyBreakdown::Pieces(pieces) => {
                write!(f, "{}", PieceBoard(pieces))?;
                write!(f, "{}", HandCrafted(&pieces.hand_crafted))?;
                (pieces.score, pieces.white_score)
            }
        };
        write!(
            f,
            "score {score} cp for {}, {white_score} cp for white",
            self.turn
        )
    }
}

/// The terms of a score, White's, Black's and their difference in both phases.
struct TermTable<'b>(&'b Breakdown);

impl fmt::Display for TermTable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let breakdown = self.0;
        writeln!(
            f,
            "{:<18}{:>16}{:>16}{:>16}",
            "term", "white", "black", "difference"
        )?;
        let pair = |value: Tapered| format!("{:>7} {:>7}", value.opening(), value.endgame());
        for term in &breakdown.terms {
            let (white, black) = (pair(term.white), pair(term.black));
            let difference = pair(term.white - term.black);
            writeln!(f, "{:<18} {white} {black} {difference}", term.term.name())?;
        }
        writeln!(
            f,
            "{:<18} {:>15} {:>15} {}",
            "total",
            "",
            "",
            pair(breakdown.total)
        )?;
        writeln!(
            f,
            "phase {} of {FULL_PHASE} (opening and endgame values are blended by it)",
            breakdown.phase
        )
    }
}

/// What the hand-crafted evaluation says of a position that a net has evaluated.
struct HandCrafted<'b>(&'b Breakdown);

impl fmt::Display for HandCrafted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let white_score = self.0.white_score;
        writeln!(
            f,
            "the hand-crafted evaluation, for comparison: {white_score} cp for white"
        )?;
        write!(f, "{}", TermTable(self.0))
    }
}

/// The board with what White's score would lose without each piece.
pub struct PieceBoard<'b>(pub &'b NetBreakdown);

impl fmt::Display for PieceBoard<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let NetBreakdown { network, pieces, .. } = self.0;
        writeln!(
            f,
            "net {network}: what White's score would lose without a piece, in pawns"
        )?;
        for rank in Rank::ALL.into_iter().rev() {
            write!(f, "{}", rank.char())?;
            for file in File::ALL {
                let square = Square::at(file, rank);
                match pieces.iter().find(|share| share.square == square) {
                    Some(share) => {
                        let value = f64::from(share.share) / 100.0;
                        write!(f, "  {}{value:+7.2}", share.piece.char())?;
                    }
                    None => write!(f, "  {:>8}", "·")?,
                }
            }
            writeln!(f)?;
        }
        write!(f, " ")?;
        for file in File::ALL {
            write!(f, "  {:>8}", file.char())?;
        }
        writeln!(f)
    }
}
