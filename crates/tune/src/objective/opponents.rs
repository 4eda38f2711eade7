//! Games with fixed opponents: everybody of a round meets the same ones in the same openings, so that what differs between
//! two vectors of a round is them.

use vidmar_arena::{GameTask, TaskPlayer};
use vidmar_chess::{ByColor, Color, Outcome};
use vidmar_optim::purpose::Purpose;
use vidmar_optim::{Answer, Ask, Batch};
use vidmar_players::{PlayerSpec, SpecError};

use super::self_play::at_least_one_game;
use super::setting::settings;
use super::{Answers, Games, Objective, Setting, unexpected};
use crate::config::Config;
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
        self.opponents()?;
        at_least_one_game(self.games)
    }

    fn opponents(&self) -> Result<Vec<(String, PlayerSpec)>, RunError> {
        let others = self.opponents.iter().filter(|text| *text != START);
        others.map(|text| Ok((text.clone(), spec_of(text)?))).collect()
    }

    fn build(&self, _: &Config, _: &Tunables) -> Result<Box<dyn Objective>, RunError> {
        Ok(Box::new(Opponents {
            settings: self.clone(),
        }))
    }
}

/// An opponent. Programs of other people are their user's to vouch for; a built-in player whose games differ each time would
/// break the promise that a resumed run ends as if nothing had happened.
fn spec_of(text: &str) -> Result<PlayerSpec, RunError> {
    let spec: PlayerSpec = text.parse().map_err(|error: SpecError| unusable(text, &error))?;
    match spec.unrepeatable().filter(|_| !spec.player_type().is_program()) {
        Some(why) => Err(unusable(text, &format!("{why}, so that no game can be repeated"))),
        None => Ok(spec),
    }
}

struct Opponents {
    settings: Settings,
}

fn unusable(spec: &str, reason: &dyn std::fmt::Display) -> RunError {
    RunError::Opponent {
        spec: spec.to_owned(),
        reason: reason.to_string(),
    }
}

impl Opponents {
    /// The opponents as players of the store.
    fn opponents(&self, context: &mut Context<'_>) -> Result<Vec<TaskPlayer>, RunError> {
        let mut read = |text: &String| {
            let spec = if text == START {
                context.player_of(context.tunables.space().start())
            } else {
                spec_of(text)?
            };
            let index = context.journal.index_of(text.clone());
            Ok(TaskPlayer::new(index as usize, spec))
        };
        self.settings.opponents.iter().map(&mut read).collect()
    }
}

impl Objective for Opponents {
    fn games(&self) -> Option<&dyn Games> {
        Some(self)
    }
}

impl Games for Opponents {
    fn tasks(&self, batch: &Batch, first: u64, context: &mut Context<'_>) -> Result<Vec<GameTask>, RunError> {
        let Ask::Values(candidates) = &batch.ask else {
            return Err(unexpected(&batch.ask));
        };
        let players = context.players(batch)?;
        let opponents = self.opponents(context)?;
        let Settings { games, paired, .. } = self.settings;
        let games = candidates
            .iter()
            .flat_map(|&candidate| (0..games).map(move |game| (candidate, game)));
        let task = |(number, (candidate, game)): (u64, (usize, u32))| {
            let pair = if paired { game / 2 } else { game };
            let (player, opponent) = (&players[candidate], &opponents[pair as usize % opponents.len()]);
            let sides = if game % 2 == 0 {
                ByColor::new(player, opponent)
            } else {
                ByColor::new(opponent, player)
            };
            let seed = Purpose::Game
                .rng(context.config.seed, batch.round, pair, u32::MAX)
                .bits();
            context.task(batch.round, number, sides, seed)
        };
        Ok((first..).zip(games).map(task).collect())
    }

    fn answers(&self, _: &Batch, outcomes: &[Option<Outcome>]) -> Result<Vec<Answer>, usize> {
        let games = outcomes.chunks(self.settings.games as usize);
        let answer = |(job, games)| mean_points(games).map(Answer::Value).ok_or(job);
        games.enumerate().map(answer).collect()
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
