//! A line of a given length from the table of named openings: as far as the names go, then as the engine plays.
//!
//! The line of a number depends on the seed and the number only: a code of the Encyclopaedia of Chess Openings, each as
//! likely as any other, one of its lines, and then moves that the engine finds nearly as good as the best. So openings are
//! spread over all codes, and beyond what has a name every move is a sound one.

use vidmar_chess::{Game, Move, Position, Role, Score};
use vidmar_engine::{Control, FlagshipSettings, FlagshipThinker, Limits, Thinker as _};
use vidmar_eval::Vector;
use vidmar_formats::openings::{NamedLine, Opening, named_lines};
use vidmar_rng::Rng;

/// Plies of the searches that go on with a line.
pub(super) const WALK_DEPTH: u32 = 6;
/// Moves that are looked at.
const CANDIDATES: usize = 5;
/// How much less than the best a move may be worth, in centipawns.
const WIDTH: i32 = 20;
/// A move that is so much worse than the best is taken e times as seldom.
const SCALE: f64 = 10.0;

/// Goes on with lines.
pub(super) struct Walker {
    thinker: FlagshipThinker,
    seed: u64,
}

impl Walker {
    pub(super) fn new(seed: u64) -> Walker {
        let settings = FlagshipSettings {
            hash: 1,
            multipv: CANDIDATES,
            evaluation: Vector::default().into(),
            ..FlagshipSettings::default()
        };
        Walker {
            thinker: FlagshipThinker::new(settings),
            seed,
        }
    }

    /// The line of a number; none where a king walks, or nothing but bad moves are left.
    pub(super) fn line(&mut self, number: u64, plies: usize) -> Option<Opening> {
        let mut rng = Rng::new(self.seed, b"named---", number, 0);
        let codes: Vec<&[NamedLine]> = named_lines().chunk_by(|a, b| a.name.eco == b.name.eco).collect();
        let code = *rng.pick(&codes)?;
        let named = rng.pick(code)?;
        let mut opening = Opening::new(Position::default(), Vec::new());
        let mut position = Position::default();
        for at in 0..plies {
            let m = match named.moves.get(at) {
                Some(&m) => m,
                None => self.next(&position, &mut rng)?,
            };
            if walks(&position, m) {
                return None;
            }
            position.play(m);
            opening.moves.push(m);
        }
        (position.count_legal_moves() > 0).then_some(opening)
    }

    /// One of the moves that are nearly as good as the best.
    fn next(&mut self, position: &Position, rng: &mut Rng) -> Option<Move> {
        self.thinker.new_game();
        let mut best: Vec<(Move, i32)> = Vec::new();
        let game = Game::new(position.clone());
        self.thinker
            .think(&game, &Limits::depth(WALK_DEPTH), &Control::new(), &mut |info| {
                if info.depth == WALK_DEPTH
                    && let (Some(&m), Some(Score::Centipawns(centipawns))) = (info.pv.first(), info.score)
                {
                    best.retain(|(other, _)| *other != m);
                    best.push((m, centipawns));
                }
            });
        let top = best.iter().map(|(_, score)| *score).max()?;
        best.retain(|(m, score)| top - score <= WIDTH && !walks(position, *m));
        best.sort_by_key(|(m, score)| (-score, m.word()));
        if best.is_empty() {
            return None;
        }
        let weights: Vec<f64> = best
            .iter()
            .map(|(_, score)| (f64::from(score - top) / SCALE).exp())
            .collect();
        Some(best[rng.roulette(&weights)].0)
    }
}

/// Whether a king moves without castling.
fn walks(position: &Position, m: Move) -> bool {
    !m.is_castling() && position.role_at(m.from()) == Some(Role::King)
}
