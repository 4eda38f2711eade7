//! How near a candidate's static judgement is to what its own search finds: a good evaluation needs little search.
//!
//! Both scores become chances to win (logistic, [`SPREAD`]), so that a difference of a pawn counts where the game is
//! open and hardly where it is decided. Without that, the easiest way to agree would be to judge everything level;
//! even so the measure favours small numbers, so a candidate's scores are first divided by its own pawn (the mean of
//! its two values): the unit of its scores is no merit.

use std::path::Path;

use vidmar_chess::{Position, Score};
use vidmar_engine::{Control, Game, Thinker as _};
use vidmar_eval::FullEvaluation;
use vidmar_formats::epd::Epd;

use super::suite::{limits, thinker};
use super::{PositionsError, records};
use crate::config::Engine;
use crate::parameters::Candidate;

/// Pawns that change the odds by the factor e.
const SPREAD: f64 = 1.4;

/// Positions to be judged at rest and by search.
pub struct Agreement {
    positions: Vec<Position>,
    engine: Engine,
}

impl Agreement {
    /// Reads positions; those in check are left out, for no static judgement is made there.
    pub fn read(path: &Path, most: usize, engine: &Engine) -> Result<Agreement, PositionsError> {
        let mut positions = Vec::new();
        records(path, most, |record: Epd| {
            let is_quiet = !record.position.in_check() && !record.position.legal_moves().is_empty();
            if is_quiet {
                positions.push(record.position);
            }
            Ok(is_quiet)
        })?;
        Ok(Agreement {
            positions,
            engine: engine.clone(),
        })
    }

    /// Minus the mean difference of chances.
    pub fn value(&self, candidate: &Candidate, control: &Control) -> Option<f64> {
        let evaluation = FullEvaluation::new(&candidate.vector);
        let value_of = |name: &str| candidate.vector.get(name).unwrap_or(100);
        let pawn = f64::from(value_of("PawnValueOpening") + value_of("PawnValueEndgame")) / 2.0;
        let chance = |cp: f64| 1.0 / (1.0 + (-cp / pawn.max(1.0) / SPREAD).exp());
        let mut thinker = thinker(candidate, &self.engine);
        let mut sum = 0.0;
        for position in &self.positions {
            thinker.new_game();
            let game = Game::new(position.clone());
            let thought = thinker.think(&game, &limits(&self.engine), control, &mut |_| {});
            if control.is_stopped() {
                return None;
            }
            let found = match thought.score {
                Score::Centipawns(cp) => chance(f64::from(cp)),
                Score::Mate(moves) => f64::from(u8::from(moves > 0)),
            };
            sum += (chance(f64::from(evaluation.evaluate(position))) - found).abs();
        }
        Some(-sum / self.positions.len() as f64)
    }
}
