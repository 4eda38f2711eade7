//! The share of a test suite that a candidate solves.

use std::path::{Path, PathBuf};

use vidmar_chess::{Game, Move, Position};
use vidmar_engine::{Control, FlagshipSettings, FlagshipThinker, Limits, Thinker as _};
use vidmar_formats::epd::Epd;
use vidmar_optim::{Answer, Batch};

use super::positions::{self, PositionsError, answers_by_value, records};
use super::setting::settings;
use super::{Answers, Objective, Setting};
use crate::config::{Config, Engine};
use crate::parameters::{Candidate, Tunables};
use crate::run::{Context, RunError};

settings! {
    #[serde(skip_serializing_if = "Option::is_none")]
    path [file]: Option<PathBuf> = None, "positions with solutions: EPD with `bm` or `am`";
    [positions]: usize = 0, "at most so many positions; 0 for all";
}

impl super::Settings for Settings {
    const SETTINGS: &'static [Setting] = ROWS;
    const ANSWERS: Answers = Answers::ExactValues;

    fn build(&self, config: &Config, _: &Tunables) -> Result<Box<dyn Objective>, RunError> {
        let file = positions::required(self.file.as_ref(), config)?;
        let suite = Suite::read(file, positions::most(self.positions), &config.engine)?;
        Ok(Box::new(suite))
    }
}

struct Problem {
    position: Position,
    best: Vec<Move>,
    avoid: Vec<Move>,
}

/// Positions with known solutions, and how long a candidate may look at each.
struct Suite {
    problems: Vec<Problem>,
    engine: Engine,
}

impl Suite {
    /// Reads records with `bm` or `am`.
    fn read(path: &Path, most: usize, engine: &Engine) -> Result<Suite, PositionsError> {
        let mut problems = Vec::new();
        records(path, most, |record: Epd| {
            let (best, avoid) = (record.best_moves().to_vec(), record.avoid_moves().to_vec());
            if best.is_empty() && avoid.is_empty() {
                return Err("expected bm or am".into());
            }
            problems.push(Problem {
                position: record.position,
                best,
                avoid,
            });
            Ok(true)
        })?;
        Ok(Suite {
            problems,
            engine: engine.clone(),
        })
    }

    /// The share solved.
    fn value(&self, candidate: &Candidate, control: &Control) -> Option<f64> {
        let mut thinker = thinker(candidate, &self.engine);
        let mut solved = 0;
        for problem in &self.problems {
            thinker.new_game();
            let game = Game::new(problem.position.clone());
            let thought = thinker.think(&game, &limits(&self.engine), control, &mut |_| {});
            if control.is_stopped() {
                return None;
            }
            let is_solution = |m: Move| {
                (problem.best.is_empty() || problem.best.contains(&m)) && !problem.avoid.contains(&m)
            };
            solved += usize::from(thought.best.is_some_and(is_solution));
        }
        Some(solved as f64 / self.problems.len() as f64)
    }
}

impl Objective for Suite {
    fn answers(&mut self, batch: &Batch, context: &mut Context<'_>) -> Result<Option<Vec<Answer>>, RunError> {
        answers_by_value(batch, context, |_, candidate, control| {
            self.value(candidate, control)
        })
    }
}

pub(super) fn thinker(candidate: &Candidate, engine: &Engine) -> FlagshipThinker {
    FlagshipThinker::new(FlagshipSettings {
        hash: engine.hash,
        evaluation: candidate.vector.clone().into(),
        parameters: candidate.search.clone(),
        ..FlagshipSettings::default()
    })
}

pub(super) fn limits(engine: &Engine) -> Limits {
    Limits {
        depth: (engine.depth > 0).then_some(engine.depth),
        nodes: (engine.nodes > 0).then_some(engine.nodes),
        ..Limits::none()
    }
}
