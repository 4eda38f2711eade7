//! Whom to believe.
//!
//! An answer is taken if its worker is of the right build and not shut out, and its record can be true by the rules. A share
//! of the tasks is played by a second worker, or here where there is none, and compared. What a worker answers is held until it has
//! passed a comparison after it: one that turns out to answer otherwise than the coordinator's own play is shut out, and all
//! that was held of it is played again. Games that differ from one playing to the next (clocks, programs) are not compared.

use std::collections::BTreeMap;
use std::time::Instant;

use vidmar_arena::{AuditError, ExecutorError, GameRecord};

use super::{Action, Dispatch, Given, MOST_EARLY, MOST_TRIES, Open};
use crate::protocol::{Build, Entry, PlayedEntry, TaskId, WorkerName};

impl Dispatch {
    /// Takes what a worker says of a task.
    pub(crate) fn answer(&mut self, worker: &WorkerName, build: &Build, entry: Entry, now: Instant) {
        if self.workers.is_shut_out(worker) {
            self.dropped += 1;
            // It has taken a task all the same: others shall have it.
            return self.queue_unanswered(entry.task());
        }
        if let Some(reason) = self.build.difference(build) {
            self.dropped += 1;
            let id = entry.task();
            self.shut_out(worker, &reason);
            self.queue_unanswered(id);
            return;
        }
        self.workers.heard(worker, now);
        match entry {
            Entry::Played(played) => {
                let PlayedEntry {
                    task,
                    seconds,
                    record,
                    ..
                } = *played;
                self.note_seconds(f64::from(seconds));
                self.record(worker, task, record);
            }
            Entry::Returned(task) => self.queue_unanswered(task),
            Entry::Failed { task, reason } => self.failed(task, &reason),
        }
    }

    pub(super) fn record(&mut self, worker: &WorkerName, id: TaskId, record: GameRecord) {
        self.answers += 1;
        let order = self.answers;
        let Some(open) = self.open.get(&id) else {
            if !self.settled.contains(&id)
                && self.early.len() < MOST_EARLY
                && record.ended_by_fault().is_none()
            {
                let worker = worker.clone();
                self.early.insert(
                    id,
                    Given {
                        worker,
                        record,
                        order,
                    },
                );
            } else {
                self.dropped += 1;
            }
            return;
        };
        match self.auditor.check(&open.assignment.task, &record) {
            Ok(()) => {}
            Err(AuditError::Tablebases(error)) => {
                if let Some(open) = self.take(id) {
                    self.actions.push(Action::Fail(open.assignment, error.into()));
                }
                return;
            }
            Err(error) => {
                self.dropped += 1;
                self.shut_out(worker, &format!("a game that cannot be: {error}"));
                return self.queue_unanswered(id);
            }
        }
        let is_compared = self.share > 0.0 && open.is_repeatable && record.ended_by_fault().is_none();
        match &open.given {
            None if !is_compared => self.settle(id, record, worker),
            None => self.hold(id, worker, record),
            Some(given) if given.worker == *worker => self.same_worker_again(id),
            Some(given) if given.record.is_same_game(&record) => {
                let (other, before) = (given.worker.clone(), given.order);
                self.compared += 1;
                self.settle(id, record, &other);
                self.passed(&other, before);
                self.passed(worker, order);
            }
            Some(_) if open.disputed.is_some() => self.dropped += 1,
            Some(_) => {
                let task = Box::new(open.assignment.task.clone());
                self.actions.push(Action::Arbitrate(id, task));
                if let Some(open) = self.open.get_mut(&id) {
                    let worker = worker.clone();
                    open.disputed = Some(Given {
                        worker,
                        record,
                        order,
                    });
                }
            }
        }
    }

    /// Keeps an answer until its worker is known to be right.
    fn hold(&mut self, id: TaskId, worker: &WorkerName, record: GameRecord) {
        let Some(open) = self.open.get_mut(&id) else {
            return;
        };
        open.given = Some(Given {
            worker: worker.clone(),
            record,
            order: self.answers,
        });
        self.given += 1;
        let is_checked = open.is_checked;
        let held = self.held.entry(worker.clone()).or_default();
        // Where much is held, those of whom more is held than of others are compared sooner: one game, which vouches for all
        // before it.
        let is_crowded = 4 * self.given > 3 * self.most_held;
        let is_hurried =
            is_crowded && held.hurried.is_none() && held.tasks.len() * self.workers.live() >= self.given;
        if is_hurried {
            held.hurried = Some(self.answers);
        }
        if is_checked || is_hurried {
            self.check(id);
        } else {
            held.tasks.push_back((self.answers, id));
        }
    }

    /// Has a game played by somebody else: by another worker, or here where there is none.
    fn check(&mut self, id: TaskId) {
        let has_others = self.workers.live() >= 2;
        let Some(open) = self.open.get_mut(&id) else {
            return;
        };
        let tries = open.checking.map_or(0, |tries| tries + 1);
        open.checking = Some(tries);
        if has_others && tries < MOST_TRIES {
            self.queue(id);
        } else {
            let task = Box::new(open.assignment.task.clone());
            self.actions.push(Action::Arbitrate(id, task));
        }
    }

    /// The worker that was to be compared with another got the task again.
    fn same_worker_again(&mut self, id: TaskId) {
        self.dropped += 1;
        if self.open.get(&id).is_some_and(|open| open.checking.is_some()) {
            self.check(id);
        }
    }

    /// A worker was right: what was held of it until then counts.
    fn passed(&mut self, worker: &WorkerName, order: u64) {
        self.workers.passed(worker);
        let Some(held) = self.held.get_mut(worker) else {
            return;
        };
        held.hurried = held.hurried.filter(|hurried| *hurried > order);
        let before = held.tasks.partition_point(|(given, _)| *given <= order);
        let vouched: Vec<TaskId> = held.tasks.drain(..before).map(|(_, id)| id).collect();
        for id in vouched {
            let is_held = |open: &&mut Open| {
                open.checking.is_none()
                    && open.disputed.is_none()
                    && open.given.as_ref().is_some_and(|given| given.worker == *worker)
            };
            if let Some(open) = self.open.get_mut(&id).filter(is_held)
                && let Some(Given { worker, record, .. }) = open.given.take()
            {
                self.given -= 1;
                self.settle(id, record, &worker);
            }
        }
    }

    /// What a disputed game really comes to.
    pub(crate) fn arbitrated(&mut self, id: TaskId, truth: Result<GameRecord, ExecutorError>) {
        let Some(open) = self.open.get_mut(&id) else {
            return;
        };
        let truth = match truth {
            Ok(truth) => truth,
            Err(error) => {
                if let Some(open) = self.take(id) {
                    self.actions.push(Action::Fail(open.assignment, error));
                }
                return;
            }
        };
        let claim = |given: &Given| {
            let is_right = given.record.is_same_game(&truth);
            (given.worker.clone(), is_right, given.order)
        };
        let claims: Vec<(WorkerName, bool, u64)> =
            open.given.iter().chain(&open.disputed).map(claim).collect();
        let winner = claims.iter().find(|(_, is_right, _)| *is_right);
        let winner = winner
            .or_else(|| claims.first())
            .map(|(worker, ..)| worker.clone());
        self.compared += 1;
        if let Some(winner) = winner {
            self.settle(id, truth, &winner);
        }
        for (worker, is_right, order) in claims {
            if is_right {
                self.passed(&worker, order);
            } else {
                self.shut_out(&worker, "it answered a task otherwise than it is played here");
            }
        }
    }

    /// Believes a worker no more: what was held of it is played again.
    pub(crate) fn shut_out(&mut self, worker: &WorkerName, reason: &str) {
        if !self.workers.shut_out(worker, reason) {
            return;
        }
        let mut again = Vec::new();
        for (id, open) in &mut self.open {
            let is_of_worker = |given: &Given| given.worker == *worker;
            if open.given.as_ref().is_some_and(is_of_worker) && open.disputed.is_none() {
                open.given = None;
                open.checking = None;
                self.given -= 1;
                again.push(*id);
            }
        }
        self.held.remove(worker);
        self.early.retain(|_, given| given.worker != *worker);
        for &id in &again {
            self.queue(id);
        }
        self.actions.push(Action::ShutOut {
            worker: worker.clone(),
            reason: reason.to_owned(),
            again: again.len(),
        });
    }

    /// For every worker of which something is held, and nothing is being compared, its last game
    /// is, which vouches for all before it.
    pub(super) fn check_held(&mut self) {
        if self.given == 0 {
            return;
        }
        let mut last: BTreeMap<&WorkerName, Option<(u64, TaskId)>> = BTreeMap::new();
        for (id, open) in &self.open {
            let Some(given) = &open.given else { continue };
            let entry = last.entry(&given.worker).or_insert(Some((0, *id)));
            if open.checking.is_some() || open.disputed.is_some() {
                *entry = None;
            } else if let Some((order, _)) = entry
                && given.order > *order
            {
                *entry = Some((given.order, *id));
            }
        }
        let ids: Vec<TaskId> = last.into_values().flatten().map(|(_, id)| id).collect();
        for id in ids {
            self.check(id);
        }
    }
}
