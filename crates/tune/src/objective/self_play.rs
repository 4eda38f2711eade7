//! Games among the vectors of a round: the optimiser says who meets whom.

use vidmar_arena::GameTask;
use vidmar_chess::ByColor;
use vidmar_optim::{Answer, Ask, Batch, Evidence, Method};

use super::setting::settings;
use super::{Answers, Objective, Setting, unexpected};
use crate::config::Config;
use crate::parameters::Tunables;
use crate::run::{Context, RunError, told};

settings! {
    [games]: u32 = 2, "games that a vector plays to be evaluated once";
    [paired]: bool = true, "two games in a row have the same opening with colours exchanged";
}

impl super::Settings for Settings {
    const SETTINGS: &'static [Setting] = ROWS;
    const ANSWERS: Answers = Answers::Games;

    fn evidence(&self, _: Method) -> Evidence {
        Evidence::Games {
            games: self.games,
            paired: self.paired,
        }
    }

    fn games_per_job(&self) -> u32 {
        1
    }

    fn check(&self) -> Result<(), RunError> {
        at_least_one_game(self.games)
    }

    fn build(&self, _: &Config, _: &Tunables) -> Result<Box<dyn Objective>, RunError> {
        Ok(Box::new(SelfPlay))
    }
}

pub(super) fn at_least_one_game(games: u32) -> Result<(), RunError> {
    RunError::unless(games > 0, "objective.games", games, "at least 1")
}

struct SelfPlay;

impl Objective for SelfPlay {
    fn answers(&mut self, batch: &Batch, context: &mut Context<'_>) -> Result<Option<Vec<Answer>>, RunError> {
        let Ask::Games(pairings) = &batch.ask else {
            return Err(unexpected(&batch.ask));
        };
        let players = context.players(batch)?;
        let tasks: Vec<GameTask> = (context.jobs..)
            .zip(pairings)
            .map(|(number, pairing)| {
                let sides = ByColor::new(&players[pairing.white], &players[pairing.black]);
                context.task(batch.round, number, sides, pairing.seed)
            })
            .collect();
        let outcomes = context.play(tasks)?;
        Ok(outcomes.map(|outcomes| outcomes.into_iter().map(|o| Answer::Game(told(o))).collect()))
    }
}
