//! Games among the vectors of a round: the optimiser says who meets whom.

use vidmar_arena::GameTask;
use vidmar_chess::{ByColor, Outcome};
use vidmar_optim::{Answer, Ask, Batch, Evidence, Method, Pairing};

use super::setting::settings;
use super::{Answers, Games, Objective, Setting, unexpected};
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
    fn games(&self) -> Option<&dyn Games> {
        Some(self)
    }
}

impl Games for SelfPlay {
    fn tasks(&self, batch: &Batch, first: u64, context: &mut Context<'_>) -> Result<Vec<GameTask>, RunError> {
        let Ask::Games(pairings) = &batch.ask else {
            return Err(unexpected(&batch.ask));
        };
        let players = context.players(batch)?;
        let task = |(number, pairing): (u64, &Pairing)| {
            let sides = ByColor::new(&players[pairing.white], &players[pairing.black]);
            context.task(batch.round, number, sides, pairing.seed)
        };
        Ok((first..).zip(pairings).map(task).collect())
    }

    fn answers(&self, _: &Batch, outcomes: &[Option<Outcome>]) -> Result<Vec<Answer>, usize> {
        Ok(outcomes
            .iter()
            .map(|&outcome| Answer::Game(told(outcome)))
            .collect())
    }
}
