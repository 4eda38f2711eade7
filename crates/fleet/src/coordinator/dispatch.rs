//! Which tasks are open, who has answered what, and whom to believe. Nothing here waits or talks to anybody: answers go in,
//! [`Action`]s come out.
//!
//! An answer is taken if its worker is of the right build and not shut out, and its record can be true by the rules. A share
//! of the tasks is played by a second worker, or here where there is none, and compared. What a worker answers is held until it has
//! passed a comparison after it: one that turns out to answer otherwise than the coordinator's own play is shut out, and all
//! that was held of it is played again. Games that differ from one playing to the next (clocks, programs) are not compared.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use vidmar_arena::{Assignment, AuditError, Auditor, ExecutorError, GameRecord, GameTask};
use vidmar_chess::{ByColor, Color};

use super::players::WirePlayers;
use super::workers::Workers;
use crate::protocol::{
    Batch, Build, Class, Entry, PlayedEntry, Presence, RunKey, TaskId, WirePlayer, WorkerName, shortened,
};

/// How often a task may fail elsewhere before it fails here.
const MOST_FAILURES: u32 = 3;
/// How often a task is issued again because the same worker got it twice, before it is played here.
const MOST_TRIES: u32 = 8;
/// Identities of answered tasks that are remembered, to know what comes twice.
const REMEMBERED: usize = 1 << 16;
/// Answers that came before they were asked for, after a coordinator was killed.
const MOST_EARLY: usize = 4096;
/// Answers that are held until their workers are known to be right, altogether.
const MOST_HELD: usize = 1 << 15;

/// What is to be done.
pub(crate) enum Action {
    /// A task has its answer.
    Answer(Assignment, GameRecord),
    /// A task has none and will have none.
    Fail(Assignment, ExecutorError),
    /// Two workers differ: play it here.
    Arbitrate(TaskId, Box<GameTask>),
    /// A worker is not to be believed.
    ShutOut {
        worker: WorkerName,
        reason: String,
        again: usize,
    },
}

/// An open task.
struct Open {
    assignment: Assignment,
    wire: ByColor<Arc<WirePlayer>>,
    class: String,
    is_repeatable: bool,
    is_checked: bool,
    /// Whether it waits to be issued.
    is_waiting: bool,
    issued: Option<Instant>,
    issues: u32,
    failures: u32,
    given: Option<Given>,
    /// How often it has been issued to compare what was given with what another worker says.
    checking: Option<u32>,
    /// What another worker said, where that is something else.
    disputed: Option<Given>,
}

/// What a worker says of a task.
struct Given {
    worker: WorkerName,
    record: GameRecord,
    /// Counts up: a comparison vouches for what came before the answer that was compared, and for nothing after it.
    order: u64,
}

/// Everything that is open.
pub(crate) struct Dispatch {
    key: RunKey,
    build: Build,
    /// The share of tasks that is compared, and what chooses them: nobody else knows.
    share: f64,
    secret: RunKey,
    pub(super) players: WirePlayers,
    auditor: Auditor,
    open: HashMap<TaskId, Open>,
    /// Open tasks that somebody has answered.
    given: usize,
    /// The most of them.
    most_held: usize,
    /// Those that wait for a comparison of their worker, in the order of the answers. One may be settled otherwise meanwhile.
    held: HashMap<WorkerName, VecDeque<(u64, TaskId)>>,
    /// Answers altogether.
    answers: u64,
    waiting: BTreeMap<String, VecDeque<TaskId>>,
    early: HashMap<TaskId, Given>,
    settled: HashSet<TaskId>,
    settled_in_order: VecDeque<TaskId>,
    pub(crate) workers: Workers,
    pub(crate) actions: Vec<Action>,
    /// Answers that were taken, and that were not.
    pub(crate) games: u64,
    pub(crate) dropped: u64,
    /// Seconds of a game, on average and at most, lately.
    seconds: Option<f64>,
    slowest: f64,
}

impl Dispatch {
    pub(crate) fn new(key: RunKey, build: Build, share: f64) -> Dispatch {
        Dispatch {
            key,
            build,
            share,
            secret: RunKey::random(),
            players: WirePlayers::default(),
            auditor: Auditor::default(),
            open: HashMap::new(),
            given: 0,
            most_held: MOST_HELD,
            held: HashMap::new(),
            answers: 0,
            waiting: BTreeMap::new(),
            early: HashMap::new(),
            settled: HashSet::new(),
            settled_in_order: VecDeque::new(),
            workers: Workers::default(),
            actions: Vec::new(),
            games: 0,
            dropped: 0,
            seconds: None,
            slowest: 0.0,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    pub(crate) fn len(&self) -> usize {
        self.open.len()
    }

    /// Whether another task can be taken in, where so many are issued at a time.
    pub(crate) fn has_room(&self, window: usize) -> bool {
        self.unanswered() < window && self.given < self.most_held
    }

    /// Open tasks that nobody has answered.
    pub(crate) fn unanswered(&self) -> usize {
        self.open.len() - self.given
    }

    /// Open tasks that wait to be issued.
    pub(crate) fn waiting(&self) -> usize {
        self.waiting.values().map(VecDeque::len).sum()
    }

    /// Seconds of a game, on average, lately.
    pub(crate) fn seconds(&self) -> Option<f64> {
        self.seconds
    }

    /// Takes a task in. The class that it needs, where that is new.
    pub(crate) fn add(&mut self, assignment: Assignment) -> Option<Class> {
        let task = &assignment.task;
        let (wire, class, is_new) = match self.players.of(task) {
            Ok(found) => found,
            Err(error) => {
                let error = ExecutorError::Worker(format!("it cannot be played elsewhere: {error}"));
                self.actions.push(Action::Fail(assignment, error));
                return None;
            }
        };
        let id = TaskId::of(&self.key, task, assignment.attempt());
        // A game that is asked for again is one that was let go of.
        self.settled.remove(&id);
        let is_repeatable = is_repeatable(task);
        let name = class.name.clone();
        self.open.insert(
            id,
            Open {
                assignment,
                wire,
                class: name,
                is_repeatable,
                is_checked: is_repeatable && self.share > 0.0 && id.share(&self.secret) < self.share,
                is_waiting: false,
                issued: None,
                issues: 0,
                failures: 0,
                given: None,
                checking: None,
                disputed: None,
            },
        );
        if let Some(Given { worker, record, .. }) = self.early.remove(&id) {
            self.record(&worker, id, record);
        } else {
            self.queue(id);
        }
        is_new.then_some(class)
    }

    fn queue(&mut self, id: TaskId) {
        if let Some(open) = self.open.get_mut(&id)
            && !open.is_waiting
        {
            open.is_waiting = true;
            self.waiting.entry(open.class.clone()).or_default().push_back(id);
        }
    }

    /// A batch of at most so many tasks of one class, if any wait: the class, the identities, the message.
    pub(crate) fn batch(&mut self, most: usize, now: Instant) -> Option<(String, Vec<TaskId>, Batch)> {
        loop {
            let (class, queue) = self.waiting.iter_mut().find(|(_, queue)| !queue.is_empty())?;
            let mut batch = Batch::new(self.key);
            let mut ids = Vec::new();
            while ids.len() < most
                && let Some(id) = queue.pop_front()
            {
                // It may have been answered since.
                let Some(open) = self.open.get_mut(&id) else {
                    continue;
                };
                open.is_waiting = false;
                if open.given.is_some() && open.checking.is_none() {
                    continue;
                }
                open.issued = Some(now);
                open.issues += 1;
                let wire = ByColor::from_fn(|side: Color| &*open.wire[side]);
                batch.add(id, &open.assignment.task, wire);
                ids.push(id);
            }
            if !ids.is_empty() {
                return Some((class.clone(), ids, batch));
            }
        }
    }

    /// Tasks that could not be issued.
    pub(crate) fn not_issued(&mut self, ids: &[TaskId]) {
        for &id in ids {
            self.queue(id);
        }
    }

    /// A task that is too large to be sent at all.
    pub(crate) fn unsendable(&mut self, id: TaskId) {
        if let Some(open) = self.take(id) {
            let error = ExecutorError::Worker("a task is too large to be sent".to_owned());
            self.actions.push(Action::Fail(open.assignment, error));
        }
    }

    /// A worker says that it is there.
    pub(crate) fn beat(&mut self, presence: Presence, now: Instant) {
        let refusal = self.build.difference(&presence.build);
        self.workers.beat(presence, refusal, now);
    }

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

    fn note_seconds(&mut self, seconds: f64) {
        if seconds.is_finite() && (0.0..1e6).contains(&seconds) {
            let mean = self.seconds.unwrap_or(seconds);
            self.seconds = Some(mean + (seconds - mean) / 32.0);
            self.slowest = (self.slowest * 0.999).max(seconds);
        }
    }

    fn queue_unanswered(&mut self, id: TaskId) {
        if self
            .open
            .get(&id)
            .is_some_and(|open| open.given.is_none() || open.checking.is_some())
        {
            self.queue(id);
        }
    }

    fn failed(&mut self, id: TaskId, reason: &str) {
        let Some(open) = self.open.get_mut(&id) else {
            return;
        };
        open.failures += 1;
        if open.failures < MOST_FAILURES {
            return self.queue_unanswered(id);
        }
        if let Some(open) = self.take(id) {
            let error = ExecutorError::Worker(shortened(reason));
            self.actions.push(Action::Fail(open.assignment, error));
        }
    }

    fn record(&mut self, worker: &WorkerName, id: TaskId, record: GameRecord) {
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
        // Where much is held, those of whom more is held than of others are compared sooner.
        let is_crowded = 4 * self.given > 3 * self.most_held;
        if is_checked || (is_crowded && held.len() * self.workers.live() >= self.given) {
            self.check(id);
        } else {
            held.push_back((self.answers, id));
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
        let before = held.partition_point(|(given, _)| *given <= order);
        let vouched: Vec<TaskId> = held.drain(..before).map(|(_, id)| id).collect();
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

    /// The answer of a task is this one.
    fn settle(&mut self, id: TaskId, record: GameRecord, worker: &WorkerName) {
        if let Some(open) = self.take(id) {
            self.games += 1;
            self.workers.played(worker);
            self.actions.push(Action::Answer(open.assignment, record));
        }
    }

    fn take(&mut self, id: TaskId) -> Option<Open> {
        let open = self.open.remove(&id)?;
        self.given -= usize::from(open.given.is_some());
        if self.settled.insert(id) {
            self.settled_in_order.push_back(id);
        }
        if self.settled_in_order.len() > REMEMBERED
            && let Some(oldest) = self.settled_in_order.pop_front()
        {
            self.settled.remove(&oldest);
        }
        Some(open)
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

    /// What time brings about: `is_full` if no more tasks can be taken in.
    pub(crate) fn tick(&mut self, now: Instant, is_full: bool, patience: Duration) {
        if !is_full || self.waiting() > 0 {
            return;
        }
        self.check_held();
        let patience = patience.max(Duration::from_secs_f64((4.0 * self.slowest).min(1e5)));
        let mut late = Vec::new();
        for (id, open) in &self.open {
            let is_wanted = open.given.is_none() || open.checking.is_some();
            let longer = patience.saturating_mul(1 << open.issues.saturating_sub(1).min(6));
            if is_wanted
                && open
                    .issued
                    .is_none_or(|issued| now.duration_since(issued) > longer)
            {
                late.push(*id);
            }
        }
        for id in late {
            self.queue(id);
        }
    }

    /// Nothing else is to be done: for every worker of which something is held, and nothing is being compared, its last game
    /// is, which vouches for all before it.
    fn check_held(&mut self) {
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

    /// Gives every open task back.
    pub(crate) fn abandon(&mut self) -> Vec<Assignment> {
        self.waiting.clear();
        self.held.clear();
        self.given = 0;
        self.open.drain().map(|(_, open)| open.assignment).collect()
    }
}

/// Whether a game is the same each time.
fn is_repeatable(task: &GameTask) -> bool {
    Color::ALL.into_iter().all(|side| {
        let (limits, spec) = (&task.setup.limits[side], &task.players[side].spec);
        limits.base.is_none()
            && limits.move_time.is_none()
            && !spec.player_type().is_program()
            && spec.unrepeatable().is_none()
    })
}

#[cfg(test)]
mod tests;
