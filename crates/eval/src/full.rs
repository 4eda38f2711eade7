//! The full evaluation: the knowledge of the published engine, and more where its weights are not 0.
//!
//! Each term gives an opening and an endgame value. The phase blends the two by the pieces that are
//! left: knights and bishops count 1, rooks 2, queens 4, 24 and more being the opening. Last, endings that are
//! hard to win are scaled down. The names are the published ones; what each parameter means is said in the
//! parameter table and, where the published words leave a choice, in the modules below.
//!
//! | module | terms |
//! | --- | --- |
//! | `pawns` | pawn values and squares, structure, passers and candidates by rank; kept in `pawn_table` |
//! | `shelter` | the pawns round the kings; kept with the pawns |
//! | `pieces` | values and squares, mobility, files, seventh rank, outposts, bishop pair |
//! | `patterns` | pieces that are shut in |
//! | `king_attack` | attacks on the king |
//! | `passers` | passers, kings and pieces |
//! | `threats` | threats and space |
//! | `terms` | the table of terms |
//! | `scaling` | drawish endings |

mod king_attack;
mod passers;
mod patterns;
mod pawn_table;
mod pawns;
mod pieces;
mod scaling;
mod shelter;
mod terms;
mod threats;

use std::sync::Arc;

use vidmar_chess::{Board, Color, Position, Role};

use crate::breakdown::{Breakdown, NoTrace, Recorder, Sum, Trace};
use crate::evaluation::Evaluation;
use crate::score_table::ScoreTable;
use crate::tapered::Tapered;
use crate::vector::Vector;
use crate::weights::Weights;
use pawn_table::PawnTable;
use pawns::PawnEntry;
use pieces::Scene;
use terms::{Side, extended_terms};

pub use scaling::WHOLE as WHOLE_SCALE;
pub use terms::Term;

/// No score is larger than this either way.
pub const SCORE_LIMIT: i32 = 20_000;

/// The phase of the start position: all pieces are there.
pub const FULL_PHASE: i32 = 24;

/// An evaluation made from a parameter vector.
///
/// It never changes and can be shared by threads; each thread asks it through an [`Evaluator`].
///
/// ```
/// use vidmar_chess::Position;
/// use vidmar_eval::{FullEvaluation, Vector};
/// let evaluation = FullEvaluation::new(&Vector::guess());
/// assert_eq!(evaluation.evaluate(&Position::default()), 0);
/// ```
#[derive(Clone, Debug)]
pub struct FullEvaluation {
    weights: Weights,
}

impl Default for FullEvaluation {
    /// The evaluation of the default vector.
    fn default() -> FullEvaluation {
        FullEvaluation::new(&Vector::default())
    }
}

/// What the terms add up to, and what becomes of it.
struct Blend {
    total: Tapered,
    phase: i32,
    endgame_scale: i32,
    draw_scale: i32,
    /// For White.
    score: i32,
}

impl FullEvaluation {
    /// Makes an evaluation. Takes a few microseconds.
    pub fn new(vector: &Vector) -> FullEvaluation {
        FullEvaluation {
            weights: Weights::new(vector),
        }
    }

    /// The score in hundredths of a pawn for the side to move, within ±[`SCORE_LIMIT`].
    ///
    /// It depends on the position alone. Many positions are better asked of an [`Evaluator`], which
    /// caches pawn structures.
    pub fn evaluate(&self, position: &Position) -> i32 {
        let mut pawns = PawnEntry::new(&self.weights, position, &mut NoTrace);
        self.evaluate_with(position, &mut pawns)
    }

    /// The score in hundredths of a pawn for White before it is rounded: what a fit to game results needs, for a small
    /// change of a parameter always changes it.
    pub fn unrounded(&self, position: &Position) -> f64 {
        let mut pawns = PawnEntry::new(&self.weights, position, &mut NoTrace);
        let blend = self.white_score(position, &mut pawns, &mut NoTrace);
        let (phase, whole) = (f64::from(blend.phase), f64::from(scaling::WHOLE));
        let opening = f64::from(blend.total.opening()) * phase;
        let endgame = f64::from(blend.total.endgame()) * f64::from(blend.endgame_scale) / whole;
        let blended = (opening + endgame * (f64::from(FULL_PHASE) - phase)) / f64::from(FULL_PHASE);
        blended * f64::from(blend.draw_scale) / whole
    }

    /// The score with all its terms.
    pub fn explain(&self, position: &Position) -> Breakdown {
        let mut recorder = Recorder::new();
        let mut pawns = PawnEntry::new(&self.weights, position, &mut recorder);
        let blend = self.white_score(position, &mut pawns, &mut recorder);
        Breakdown {
            terms: recorder.terms(),
            total: blend.total,
            phase: blend.phase,
            endgame_scale: blend.endgame_scale,
            draw_scale: blend.draw_scale,
            white_score: blend.score,
            score: for_side_to_move(position, blend.score),
        }
    }

    #[inline(always)]
    fn evaluate_with(&self, position: &Position, pawns: &mut PawnEntry) -> i32 {
        for_side_to_move(position, self.white_score(position, pawns, &mut NoTrace).score)
    }

    #[inline(always)]
    fn white_score<T: Trace>(&self, position: &Position, pawns: &mut PawnEntry, trace: &mut T) -> Blend {
        match self.weights.extended {
            None => self.score::<T, false>(position, pawns, trace),
            Some(_) => self.score::<T, true>(position, pawns, trace),
        }
    }

    fn score<T: Trace, const EXTENDED: bool>(
        &self,
        position: &Position,
        pawns: &mut PawnEntry,
        trace: &mut T,
    ) -> Blend {
        let w = &self.weights;
        let sum = &mut Sum::new(trace);
        // The pawns have been added, by this trace or when their entry was made.
        sum.total = pawns.score;
        for us in Color::ALL {
            pawns.shelter[us] = pawns.shelter[us].of(w, position, us);
            sum.add(Term::Shelter, us, pawns.shelter[us].value);
            sum.add(Term::KingPlace, us, pawns.shelter[us].among_pawns);
        }

        let scene = Scene::new(w, position, pawns);
        let white = pieces::pieces::<T, EXTENDED>(&scene, Color::White, sum);
        let black = pieces::pieces::<T, EXTENDED>(&scene, Color::Black, sum);
        king_attack::king_attack(&scene, Color::White, &white, sum);
        king_attack::king_attack(&scene, Color::Black, &black, sum);
        patterns::patterns(&scene, Color::White, sum);
        patterns::patterns(&scene, Color::Black, sum);
        passers::passers(&scene, Color::White, EXTENDED.then_some((&white, &black)), sum);
        passers::passers(&scene, Color::Black, EXTENDED.then_some((&black, &white)), sum);
        if EXTENDED && let Some(weights) = &w.extended {
            for (us, own, enemy) in [(Color::White, &white, &black), (Color::Black, &black, &white)] {
                let side = Side {
                    scene: &scene,
                    weights,
                    us,
                    own,
                    enemy,
                };
                extended_terms(&side, sum);
            }
        }
        self.blend(position, sum.total)
    }

    #[inline(always)]
    fn blend(&self, position: &Position, total: Tapered) -> Blend {
        let phase = phase(position);
        let leader = |value: i32| if value >= 0 { Color::White } else { Color::Black };
        let endgame_scale = match &self.weights.extended {
            Some(x) => scaling::endgame_scale(x, position, leader(total.endgame())),
            None => scaling::WHOLE,
        };
        let endgame = total.endgame() as i64 * endgame_scale as i64 / scaling::WHOLE as i64;
        let blended = total.opening() as i64 * phase as i64 + endgame * (FULL_PHASE - phase) as i64;
        let blended = (blended / FULL_PHASE as i64) as i32;
        let draw_scale = scaling::draw_scale(position, leader(blended));
        let score = (blended as i64 * draw_scale as i64 / scaling::WHOLE as i64) as i32;
        Blend {
            total,
            phase,
            endgame_scale,
            draw_scale,
            score: score.clamp(-SCORE_LIMIT, SCORE_LIMIT),
        }
    }
}

/// The material left without pawns, from 0 to [`FULL_PHASE`].
#[inline(always)]
pub fn phase(position: &Position) -> i32 {
    let minors = (position.role(Role::Knight) | position.role(Role::Bishop)).len();
    let rooks = position.role(Role::Rook).len();
    let queens = position.role(Role::Queen).len();
    ((minors + 2 * rooks + 4 * queens) as i32).min(FULL_PHASE)
}

#[inline(always)]
fn for_side_to_move(position: &Position, white_score: i32) -> i32 {
    match position.turn() {
        Color::White => white_score,
        Color::Black => -white_score,
    }
}

/// A thread's access to an evaluation, with caches of pawn structures and of the latest scores.
#[derive(Clone, Debug)]
pub struct Evaluator {
    evaluation: Arc<FullEvaluation>,
    pawns: PawnTable,
    scores: ScoreTable,
}

impl Evaluator {
    /// An evaluator with empty caches.
    pub fn new(evaluation: Arc<FullEvaluation>) -> Evaluator {
        Evaluator {
            evaluation,
            pawns: PawnTable::new(),
            scores: ScoreTable::new(),
        }
    }

    /// The evaluation asked.
    pub fn evaluation(&self) -> &Arc<FullEvaluation> {
        &self.evaluation
    }

    /// The same number as [`FullEvaluation::evaluate`], sooner.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        let (evaluation, pawns) = (&self.evaluation, &mut self.pawns);
        self.scores.get_or(position.key(), || {
            evaluation.evaluate_with(position, pawns.entry(&evaluation.weights, position))
        })
    }

    /// Forgets everything: the next game finds the evaluator as new.
    pub fn clear(&mut self) {
        self.pawns.clear();
        self.scores.clear();
    }
}

/// On any board, by way of a position: exact everywhere, quick on bitboards.
impl Evaluation for Evaluator {
    #[inline]
    fn evaluate<B: Board>(&mut self, board: &mut B, _legal_moves: Option<usize>) -> i32 {
        match board.as_bitboard() {
            Some(board) => Evaluator::evaluate(self, board.current()),
            None => Evaluator::evaluate(self, &board.position()),
        }
    }
}

impl Default for Evaluator {
    /// An evaluator of the default vector.
    fn default() -> Evaluator {
        Evaluator::new(Arc::default())
    }
}
