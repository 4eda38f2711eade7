//! How near a candidate's static score is to what its own search finds: a good evaluation needs little search.
//!
//! Both scores become chances to win (logistic, `SPREAD`), so that a difference of a pawn counts where the game is
//! open and hardly where it is decided. Without that, the easiest way to agree would be to call everything level;
//! even so the measure favours small numbers, so a candidate's scores are first divided by its own pawn (the mean of
//! its two values): the unit of its scores is no merit.

use std::path::{Path, PathBuf};

use vidmar_chess::{Game, Position, Score};
use vidmar_engine::{Control, Thinker as _};
use vidmar_eval::FullEvaluation;
use vidmar_formats::epd::Epd;
use vidmar_optim::{Answer, Batch};

use super::positions::{self, PositionsError, answers_by_value, records};
use super::setting::settings;
use super::suite::{limits, thinker};
use super::{Answers, Objective, Setting};
use crate::config::{Config, Engine};
use crate::parameters::{Candidate, Tunables};
use crate::run::{Context, RunError};

settings! {
    #[serde(skip_serializing_if = "Option::is_none")]
    path [file]: Option<PathBuf> = None, "positions to search: EPD";
    [positions]: usize = 0, "at most so many positions; 0 for all";
}

impl super::Settings for Settings {
    const SETTINGS: &'static [Setting] = ROWS;
    const ANSWERS: Answers = Answers::ExactValues;

    fn build(&self, config: &Config, _: &Tunables) -> Result<Box<dyn Objective>, RunError> {
        let file = positions::required(self.file.as_ref(), config)?;
        let agreement = Agreement::read(file, positions::most(self.positions), &config.engine)?;
        Ok(Box::new(agreement))
    }
}

/// Pawns that change the odds by the factor e.
const SPREAD: f64 = 1.4;

/// Positions to be evaluated at rest and by search.
struct Agreement {
    positions: Vec<Position>,
    engine: Engine,
}

impl Agreement {
    /// Reads positions; those in check are left out, for no static score is made there.
    fn read(path: &Path, most: usize, engine: &Engine) -> Result<Agreement, PositionsError> {
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
    fn value(&self, candidate: &Candidate, control: &Control) -> Option<f64> {
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

impl Objective for Agreement {
    fn answers(&mut self, batch: &Batch, context: &mut Context<'_>) -> Result<Option<Vec<Answer>>, RunError> {
        answers_by_value(batch, context, |_, candidate, control| {
            self.value(candidate, control)
        })
    }
}
