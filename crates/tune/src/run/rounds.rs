//! Rounds of games on their way: played on all threads, several rounds at a time where the optimiser may be told late, and learned
//! from in their order.
//!
//! A round is begun as soon as the optimiser has planned it, and it plans by the rounds that it has learned from, not by what is
//! finished at the moment. So the games of a run are the same however many threads there are and whenever it was stopped.

use std::collections::VecDeque;

use vidmar_arena::{Completion, PlayedGame, Sink, TaskQueue};
use vidmar_optim::{Answer, Ask, Batch};

use super::session::Session;
use super::{Event, Run, RunError};
use crate::games::{GameList, failure, runner};
use crate::ratings::ratings_of;

/// Which rounds are begun.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rounds {
    /// All, until the run is over.
    All,
    /// Those that have a game below that number.
    Below(u64),
}

impl Run {
    /// Plays rounds of games; false if it was stopped.
    pub(super) fn play(&mut self, wanted: Rounds, session: &mut Session<'_>) -> Result<bool, RunError> {
        let (resources, control) = (session.resources, session.control);
        let queue = TaskQueue::default();
        let mut open = OpenRounds {
            run: self,
            session,
            wanted,
            queue: &queue,
            rounds: VecDeque::new(),
            is_over: false,
        };
        open.go_on()?;
        let played = runner(&*resources.executor).run_queue(&queue, &mut open, control);
        let is_complete = played.map_err(failure)? == Completion::Complete;
        Ok(is_complete || open.is_over)
    }
}

/// A round that was begun.
struct Round {
    batch: Batch,
    games: GameList,
}

impl Round {
    fn is_complete(&self) -> bool {
        self.games.done() == self.games.total()
    }
}

/// The rounds that were begun and not learned from, in their order.
struct OpenRounds<'a, 's> {
    run: &'a mut Run,
    session: &'a mut Session<'s>,
    wanted: Rounds,
    queue: &'a TaskQueue,
    rounds: VecDeque<Round>,
    /// Whether there is nothing left to do.
    is_over: bool,
}

impl OpenRounds<'_, '_> {
    /// Learns from what is complete and begins what may be begun.
    fn go_on(&mut self) -> Result<(), RunError> {
        while !self.is_over {
            self.begin()?;
            match self.rounds.pop_front_if(|round| round.is_complete()) {
                Some(round) => self.learn(&round)?,
                None => break,
            }
            self.is_over = self.run.is_over();
        }
        self.is_over |= self.rounds.is_empty();
        if self.is_over {
            self.queue.close();
        }
        Ok(())
    }

    /// Begins the rounds that the optimiser has planned.
    fn begin(&mut self) -> Result<(), RunError> {
        if !self.is_wanted(self.next_number()) {
            // Nothing is planned that is not to be played.
            return Ok(());
        }
        let last = self.rounds.back().map(|round| round.batch.round);
        let is_new = |batch: &&Batch| last.is_none_or(|last| batch.round > last);
        let planned: Vec<Batch> = self.run.optimizer.batches().filter(is_new).cloned().collect();
        for batch in planned {
            let first = self.next_number();
            if !self.is_wanted(first) {
                break;
            }
            let (objective, mut context) = self.run.context(self.session);
            let tasks = match (&batch.ask, objective.games()) {
                (Ask::Rate { .. }, _) | (_, None) => Vec::new(),
                (_, Some(games)) => games.tasks(&batch, first, &mut context)?,
            };
            let (games, missing) = GameList::new(&self.run.journal, tasks);
            games.check(&mut self.run.journal)?;
            self.queue.extend(missing);
            self.rounds.push_back(Round { batch, games });
        }
        Ok(())
    }

    /// Whether a round that begins with that game is to be played.
    fn is_wanted(&self, first: u64) -> bool {
        match self.wanted {
            Rounds::All => true,
            Rounds::Below(number) => first < number,
        }
    }

    /// The number of the first game of the next round.
    fn next_number(&self) -> u64 {
        let each = u64::from(self.run.config.objective.games_per_job());
        let open = self.rounds.iter().map(|round| round.games.total());
        self.run.optimizer.jobs() * each + open.sum::<u64>()
    }

    fn learn(&mut self, round: &Round) -> Result<(), RunError> {
        let batch = &round.batch;
        let answers = if let Ask::Rate { players, games } = &batch.ask {
            vec![Answer::Ratings(ratings_of(*players, games))]
        } else {
            let (objective, mut context) = self.run.context(self.session);
            let outcomes = round.games.outcomes().unwrap_or_default();
            let answers = objective.games().map(|games| games.answers(batch, &outcomes));
            let first = round.games.first();
            let answers = answers.transpose();
            answers
                .map_err(|job| context.no_evidence(batch.round, job, first))?
                .unwrap_or_default()
        };
        self.run.tell(batch, answers, self.session)?;
        self.run.look_at_rules(self.run.taken)
    }
}

impl Sink for OpenRounds<'_, '_> {
    type Error = RunError;

    fn commit(&mut self, games: Vec<PlayedGame>) -> Result<(), RunError> {
        for game in games {
            let number = game.task.round;
            let Some(round) = self.rounds.iter_mut().find(|round| round.batch.round == number) else {
                continue;
            };
            round.games.add(&mut self.run.journal, &game)?;
            round.games.check(&mut self.run.journal)?;
            self.run.faults += game.record.faults.len() as u64;
            let known: u64 = self.rounds.iter().map(|round| round.games.done()).sum();
            let before = self.rounds.front().map_or(0, |round| round.games.first());
            (self.session.observe)(&Event::Job {
                done: before + known,
                faults: self.run.faults,
            });
        }
        self.go_on()
    }

    fn idle(&mut self) -> Result<(), RunError> {
        self.run.journal.look()
    }

    fn is_satisfied(&self) -> bool {
        self.is_over
    }
}
