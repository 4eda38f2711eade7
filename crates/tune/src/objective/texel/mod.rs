//! Texel's method: how well static scores predict results (Österlund's "Texel's Tuning Method", with log-loss).
//!
//! | to know | read |
//! | --- | --- |
//! | what a vector's value is | `loss` |
//! | how it changes with the parameters | `gradient` |
//! | which positions, and what each is labelled with | `samples`, `games` |
//! | how sure the start is that a prior holds to | `start` |
//! | labels and prior, where the run chooses them | `choice` |
//!
//! Positions come from a file, or from games: the start plays itself before the first round, and games of other runs may be
//! added. They are games of the run like all others, under the numbers from 0 on: the store keeps them, a run that was killed
//! goes on with those that are missing, and the validation keeps away from their openings.

mod choice;
mod games;
mod gradient;
mod loss;
mod samples;
mod start;

use std::path::PathBuf;

use vidmar_arena::{GameSetup, GameTask, TaskPlayer};
use vidmar_chess::ByColor;
use vidmar_engine::Control;
use vidmar_optim::{Answer, Ask, Batch};

pub(crate) use choice::STEPS;
pub use choice::Tried;
use games::Gathering;
pub use loss::Fit;
use loss::Loss;
use samples::Samples;

use super::positions::{self, PositionsError, answers_by_value};
use super::setting::settings;
use super::{Answers, Objective, Setting};
use crate::config::{Config, OneOf};
use crate::games::{Progress, play_all};
use crate::parameters::Tunables;
use crate::players::time_control;
use crate::run::{Context, Event, RunError, START, tried};

settings! {
    #[serde(skip_serializing_if = "Option::is_none")]
    path [file]: Option<PathBuf> = None, "positions with results: EPD with `c9 \"1-0\"`";
    [positions]: usize = 0, "at most so many positions; 0 for all";
    [self_play]: u64 = 0, "positions come from so many games that the start plays with itself; 0 for a file";
    path [games_of]: Vec<PathBuf> = Vec::new(),
        "positions come from the games of these runs too: their directories; in a chain, of those before as well";
    [lambda]: OneOf = OneOf::Given(1.0),
        "positions of games: how much of a label comes from the next position's, the rest being what the search of the player to \
         move said; 1 for the result alone, or a list to choose from";
    [prior]: OneOf = OneOf::Given(0.0),
        "how far from the start a parameter is expected, one standard deviation as a share of its interval; 0 for no expectation, \
         or a list to choose from";
}

impl super::Settings for Settings {
    const SETTINGS: &'static [Setting] = ROWS;
    const ANSWERS: Answers = Answers::Gradients;

    fn check(&self) -> Result<(), RunError> {
        let are_all = |numbers: &OneOf, is_right: fn(f64) -> bool| {
            !numbers.all().is_empty() && numbers.all().iter().all(|&number| is_right(number))
        };
        RunError::unless(
            are_all(&self.prior, |prior| prior >= 0.0 && prior.is_finite()),
            "objective.prior",
            &self.prior,
            "a share of the intervals, 0 or more, or several",
        )?;
        RunError::unless(
            are_all(&self.lambda, |lambda| (0.0..=1.0).contains(&lambda)),
            "objective.lambda",
            &self.lambda,
            "0 to 1, or several such numbers",
        )
    }

    fn build(&self, config: &Config, tunables: &Tunables) -> Result<Box<dyn Objective>, RunError> {
        let settings = self.clone();
        let games_of: Vec<PathBuf> = self.games_of.iter().chain(&config.earlier).cloned().collect();
        let are_of_games = self.self_play > 0 || !games_of.is_empty();
        let loss = match &self.file {
            Some(_) if are_of_games => return Err(PositionsError::TwoSources.into()),
            None if are_of_games => {
                positions::built_in_only(config)?;
                None
            }
            file => {
                let path = positions::required(file.as_ref(), config)?;
                let samples = Samples::read(path, positions::most(self.positions))?;
                Some(Loss::new(samples, tunables, self.prior.first()))
            }
        };
        Ok(Box::new(Texel {
            settings,
            games_of,
            loss,
        }))
    }
}

impl Settings {
    /// What may be learned by: all pairs of `lambda` and `prior`.
    pub(crate) fn combinations(&self) -> Vec<(f64, f64)> {
        let of = |&lambda: &f64| self.prior.all().iter().map(move |&prior| (lambda, prior));
        self.lambda.all().iter().flat_map(of).collect()
    }
}

struct Texel {
    settings: Settings,
    games_of: Vec<PathBuf>,
    /// None until the games are played that positions come from.
    loss: Option<Loss>,
}

impl Texel {
    /// Plays the games that positions are taken from; none if it was stopped.
    fn gather(&self, context: &mut Context<'_>) -> Result<Option<Loss>, RunError> {
        let index = context.journal.index_of(START.to_owned());
        let player = context.player_of(context.tunables.space().start());
        let player = TaskPlayer::new(index as usize, player);
        let limits = time_control(&context.config.engine, 0);
        let game = |number: u64| GameTask {
            number,
            round: 0,
            players: ByColor::from_fn(|_| player.clone()),
            setup: GameSetup {
                opening: context.book.different(number),
                limits: ByColor::from_fn(|_| limits),
                rules: context.rules.clone(),
                seed: number,
                keeps_pvs: false,
            },
        };
        let tasks: Vec<GameTask> = (0..self.settings.self_play).map(game).collect();
        let observe = &mut *context.observe;
        let mut watch = |progress: &Progress| {
            observe(&Event::Preparing {
                done: progress.done,
                total: progress.total,
            });
        };
        context.journal.keep_scores(true);
        let played = play_all(
            context.journal,
            tasks,
            context.executor,
            context.control,
            &mut watch,
        )?;
        context.journal.keep_scores(false);
        if played.is_none() {
            return Ok(None);
        }
        context.journal.flush()?;
        let mut gathering = Gathering::new(positions::most(self.settings.positions));
        gathering.add_run(context.journal.store(), context.journal.run())?;
        for directory in &self.games_of {
            gathering.add_directory(directory)?;
        }
        let samples = gathering.samples();
        if samples.is_empty() {
            return Err(PositionsError::NoneInGames.into());
        }
        let mut loss = Loss::new(samples, context.tunables, self.settings.prior.first());
        loss.start_errors = start::errors(context.config, context.tunables)?;
        Ok(Some(loss))
    }

    /// Has positions labelled as the settings say, or as proves best where they allow several; false if it was stopped.
    fn choose(&self, loss: &mut Loss, context: &mut Context<'_>) -> Result<bool, RunError> {
        let combinations = self.settings.combinations();
        let total = combinations.len();
        let mut known = tried(context.journal.store(), context.journal.run())?;
        if known.is_empty() {
            let observe = &mut *context.observe;
            let found = choice::tried(
                loss,
                &combinations,
                context.setup,
                context.tunables,
                (context.threads, context.control),
                &mut |tried| observe(&Event::Tried { tried, total }),
            )?;
            let Some(found) = found else {
                return Ok(false);
            };
            if total > 1 {
                context.journal.note_tried(&found)?;
            }
            known = found;
        }
        if let Some(best) = Tried::best(&known) {
            loss.learn_by(context.tunables, best.lambda, best.prior);
        }
        Ok(true)
    }

    fn loss(&self) -> Result<&Loss, RunError> {
        self.loss.as_ref().ok_or(PositionsError::NoneInGames.into())
    }
}

impl Objective for Texel {
    fn prepare(&mut self, context: &mut Context<'_>) -> Result<bool, RunError> {
        let mut loss = match self.loss.take() {
            Some(loss) => loss,
            None => match self.gather(context)? {
                Some(loss) => loss,
                None => return Ok(false),
            },
        };
        let chosen = self.choose(&mut loss, context);
        self.loss = Some(loss);
        chosen
    }

    fn answers(&mut self, batch: &Batch, context: &mut Context<'_>) -> Result<Option<Vec<Answer>>, RunError> {
        let loss = self.loss()?;
        let Ask::Gradients(players) = &batch.ask else {
            return answers_by_value(batch, context, |at, candidate, _| Some(loss.value(at, candidate)));
        };
        // All threads work on each.
        let derivatives = |&player: &usize| {
            let vector = &batch.players[player];
            loss.derivatives(context.tunables, vector, context.threads, context.control)
        };
        Ok(players
            .iter()
            .map(|player| derivatives(player).map(Answer::Derivatives))
            .collect())
    }

    fn fit(&self, tunables: &Tunables, vector: &[f64]) -> Option<Fit> {
        let loss = self.loss.as_ref()?;
        Some(loss.fit(&tunables.candidate(vector)))
    }

    fn errors(&self, tunables: &Tunables, vector: &[f64], threads: usize) -> Option<Vec<f64>> {
        self.loss
            .as_ref()?
            .errors(tunables, vector, threads, &Control::new())
    }
}
