//! Games with fixed opponents: everybody of a round meets the same ones in the same openings, so that what differs between
//! two vectors of a round is them.

use vidmar_chess::{ByColor, Color, Outcome};
use vidmar_optim::purpose::Purpose;
use vidmar_optim::{Answer, Ask, Batch};

use super::self_play::at_least_one_game;
use super::setting::settings;
use super::{Answers, Objective, Setting, unexpected};
use crate::config::Config;
use crate::desk::Contestant;
use crate::parameters::Tunables;
use crate::run::{Context, RunError, START};

settings! {
    [games]: u32 = 2, "games that a vector plays to be evaluated once";
    [paired]: bool = true, "two games in a row have the same opening with colours exchanged";
    [opponents]: Vec<String> = vec![START.to_owned()],
        "player specifications, or `start` for the vector that tuning starts from";
}

impl super::Settings for Settings {
    const SETTINGS: &'static [Setting] = ROWS;
    const ANSWERS: Answers = Answers::NoisyValues;

    fn games_per_job(&self) -> u32 {
        self.games
    }

    fn check(&self) -> Result<(), RunError> {
        let is_any = !self.opponents.is_empty();
        RunError::unless(is_any, "objective.opponents", "[]", "at least one opponent")?;
        at_least_one_game(self.games)
    }

    fn build(&self, _: &Config, _: &Tunables) -> Result<Box<dyn Objective>, RunError> {
        Ok(Box::new(Opponents {
            settings: self.clone(),
        }))
    }
}

struct Opponents {
    settings: Settings,
}

impl Opponents {
    /// The opponents with what the store calls them.
    fn contestants(&self, context: &Context<'_>) -> Result<Vec<(String, Contestant)>, RunError> {
        let read = |spec: &String| {
            let contestant = if spec == START {
                context.contestant(context.tunables.space().start())
            } else {
                Contestant::of_spec(spec).map_err(|reason| RunError::Opponent {
                    spec: spec.clone(),
                    reason,
                })?
            };
            Ok((spec.clone(), contestant))
        };
        self.settings.opponents.iter().map(read).collect()
    }
}

impl Objective for Opponents {
    fn answers(&mut self, batch: &Batch, context: &mut Context<'_>) -> Result<Option<Vec<Answer>>, RunError> {
        let Ask::Values(players) = &batch.ask else {
            return Err(unexpected(&batch.ask));
        };
        let opponents = self.contestants(context)?;
        let table = context.table(batch, &opponents)?;
        let Settings { games, paired, .. } = self.settings;
        let first = context.jobs * u64::from(games);
        let mut planned = Vec::new();
        for (job, &player) in players.iter().enumerate() {
            for game in 0..games {
                let pair = if paired { game / 2 } else { game };
                let opponent = batch.players.len() + pair as usize % opponents.len();
                let sides = if game % 2 == 0 {
                    ByColor::new(player, opponent)
                } else {
                    ByColor::new(opponent, player)
                };
                let seed = Purpose::Game
                    .rng(context.config.seed, batch.round, pair, u32::MAX)
                    .bits();
                let number = first + job as u64 * u64::from(games) + u64::from(game);
                planned.push(context.planned(batch.round, number, sides, seed, &table));
            }
        }
        let Some(results) = context.play(&planned, &table)? else {
            return Ok(None);
        };
        let answers =
            results
                .chunks(games as usize)
                .enumerate()
                .map(|(job, results)| match mean_points(results) {
                    Some(mean) => Ok(Answer::Value(mean)),
                    None => Err(context.no_evidence(batch.round, job)),
                });
        answers.collect::<Result<Vec<Answer>, RunError>>().map(Some)
    }
}

/// Points a game of a vector that had White in every other game, over the games that have a result.
fn mean_points(results: &[Option<Outcome>]) -> Option<f64> {
    let points = |(game, result): (usize, &Option<Outcome>)| {
        result.map(|result| f64::from(result.half_points(Color::ALL[game % 2])) / 2.0)
    };
    let counted: Vec<f64> = results.iter().enumerate().filter_map(points).collect();
    (!counted.is_empty()).then(|| counted.iter().sum::<f64>() / counted.len() as f64)
}
