//! The games that Texel's positions come from: the start plays itself before the first round, and those of other runs may be
//! added.
//!
//! They are games of the run like all others, under the numbers from 0 on: the store keeps them, a run that was killed
//! goes on with those that are missing, and the proof keeps away from their openings.

use vidmar_arena::Job;
use vidmar_chess::ByColor;
use vidmar_engine::Control;

use super::outcome::START;
use super::{Event, Run, RunError};
use crate::desk::Contestant;
use crate::fixtures::{Fixture, Progress, play_all};
use crate::objective::{Gathering, Judge, PositionsError, Texel};

impl Run {
    /// Plays the games that positions are taken from, where there are such; false if it was stopped.
    pub(super) fn prepare(
        &mut self,
        threads: usize,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<bool, RunError> {
        if self.judge.is_some()
            || !self.config.objective.positions_are_of_games()
            || self.optimizer.is_finished()
        {
            return Ok(true);
        }
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
        let samples = gathering.samples(self.config.objective.lambda);
        if samples.is_empty() {
            return Err(PositionsError::NoneInGames.into());
        }
        let texel = Texel::new(samples, &self.tunables, self.config.objective.prior);
        self.judge = Some(Judge::Texel(texel));
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
