//! What comes before the first round of Texel's method: the games that its positions come from, and the choice of labels
//! and prior. The start plays itself, and games of other runs may be added.
//!
//! They are games of the run like all others, under the numbers from 0 on: the store keeps them, a run that was killed
//! goes on with those that are missing, and the validation keeps away from their openings.

use vidmar_arena::Job;
use vidmar_chess::ByColor;
use vidmar_engine::Control;

use super::outcome::START;
use super::{Event, Run, RunError, tried};
use crate::desk::Contestant;
use crate::fixtures::{Fixture, Progress, play_all};
use crate::objective::{self, Gathering, Judge, PositionsError, Texel, Tried};

impl Run {
    /// Everything that the first round needs; false if it was stopped.
    pub(super) fn prepare(
        &mut self,
        threads: usize,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<bool, RunError> {
        if self.optimizer.is_finished() {
            return Ok(true);
        }
        let needs_games = self.judge.is_none() && self.config.objective.positions_are_of_games();
        if needs_games && !self.gather(threads, control, observe)? {
            return Ok(false);
        }
        self.choose(threads, control, observe)
    }

    /// Plays the games that positions are taken from; false if it was stopped.
    fn gather(
        &mut self,
        threads: usize,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<bool, RunError> {
        let games = self.config.objective.self_play;
        // The start of the configuration, also where the space was changed since.
        let start = self.tunables.space().start().to_vec();
        let contestants = [self.contestant(&start)];
        let place = self.journal.place(START.to_owned());
        let fixtures: Vec<Fixture> = (0..games)
            .map(|n| self.own_game(n, place, &contestants[0]))
            .collect();
        let mut watch = |progress: &Progress| {
            observe(&Event::Preparing {
                done: progress.done,
                total: progress.total,
            });
        };
        self.journal.keep_scores(true);
        let played = play_all(
            &mut self.journal,
            &fixtures,
            &contestants,
            &self.rules,
            (threads, control),
            &mut watch,
        )?;
        self.journal.keep_scores(false);
        if played.is_none() {
            return Ok(false);
        }
        self.journal.flush()?;
        let mut gathering = Gathering::new(self.config.objective.most_positions());
        gathering.add_run(self.journal.store(), self.journal.run())?;
        for directory in &self.config.objective.games_of {
            gathering.add_directory(directory)?;
        }
        let samples = gathering.samples();
        if samples.is_empty() {
            return Err(PositionsError::NoneInGames.into());
        }
        let texel = Texel::new(samples, &self.tunables, self.config.objective.prior.first());
        self.judge = Some(Judge::Texel(texel));
        Ok(true)
    }

    /// Has positions labelled as the configuration says, or as proves best where it allows several; false if it was
    /// stopped.
    fn choose(
        &mut self,
        threads: usize,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<bool, RunError> {
        let Some(Judge::Texel(texel)) = &mut self.judge else {
            return Ok(true);
        };
        let objective = &self.config.objective;
        let total = objective.combinations().len();
        let mut known = tried(self.journal.store(), self.journal.run())?;
        if known.is_empty() {
            let found = objective::tried(
                texel,
                objective,
                self.optimizer.setup(),
                &self.tunables,
                (threads, control),
                &mut |tried| observe(&Event::Tried { tried, total }),
            )?;
            let Some(found) = found else {
                return Ok(false);
            };
            if total > 1 {
                self.journal.note_tried(&found)?;
            }
            known = found;
        }
        if let Some(best) = Tried::best(&known) {
            texel.learn_by(&self.tunables, best.lambda, best.prior);
        }
        Ok(true)
    }

    fn own_game(&self, number: u64, place: u32, player: &Contestant) -> Fixture {
        Fixture {
            job: Job {
                number,
                players: ByColor::from_fn(|_| place as usize),
                opening: self.book.different(number),
                control: ByColor::from_fn(|_| player.limits(&self.config.engine)),
                seed: number,
            },
            sides: ByColor::new(0, 0),
            round: 0,
        }
    }
}
