//! Which tasks are open and who has answered what. Nothing here waits or talks to anybody: answers go in, [`Action`]s come out.
//! Whom to believe is in [`trust`].

mod trust;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use vidmar_arena::{Assignment, Auditor, ExecutorError, GameRecord, GameTask};
use vidmar_chess::{ByColor, Color};

use super::players::WirePlayers;
use super::workers::Workers;
use crate::protocol::{Batch, Build, Class, Presence, RunKey, TaskId, WirePlayer, WorkerName, shortened};
use crate::streams::Queue;

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
    /// Find out how far workers have taken the tasks of a class off the server.
    Look(String),
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
    /// The number that the server gave to its batch.
    sequence: Option<u64>,
    /// Since when it is known that a worker has it, or had it. What waits for a worker is not late, however long it waits.
    taken: Option<Instant>,
    /// Seconds that such a game takes at least to our knowledge, before any was played.
    expected: f64,
    issues: u32,
    /// Tasks of the batch in which it was issued: they are played one after the other.
    together: usize,
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

/// What is held of a worker until it has passed a comparison.
#[derive(Default)]
struct Held {
    /// In the order of the answers. One may be settled otherwise meanwhile.
    tasks: VecDeque<(u64, TaskId)>,
    /// The answer that is being compared before its turn, because much is held.
    hurried: Option<u64>,
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
    /// What is held, by worker.
    held: HashMap<WorkerName, Held>,
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
    /// Games that were played twice, by two workers or by one and here.
    pub(crate) compared: u64,
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
            compared: 0,
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
        let (is_repeatable, expected) = (is_repeatable(task), expected_seconds(task));
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
                sequence: None,
                taken: None,
                expected,
                issues: 0,
                together: 1,
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
                (open.sequence, open.taken) = (None, None);
                open.issues += 1;
                let wire = ByColor::from_fn(|side: Color| &*open.wire[side]);
                batch.add(id, &open.assignment.task, wire);
                ids.push(id);
            }
            for id in &ids {
                if let Some(open) = self.open.get_mut(id) {
                    open.together = ids.len();
                }
            }
            if !ids.is_empty() {
                return Some((class.clone(), ids, batch));
            }
        }
    }

    /// The server has a batch, under a number.
    pub(crate) fn published(&mut self, ids: &[TaskId], sequence: u64) {
        for id in ids {
            if let Some(open) = self.open.get_mut(id) {
                open.sequence = Some(sequence);
            }
        }
    }

    /// Tasks of a class that do not wait for a worker any more are known to be taken.
    pub(crate) fn taken(&mut self, class: &str, queue: &Queue, now: Instant) {
        for open in self.open.values_mut().filter(|open| open.class == class) {
            if open.sequence.is_some_and(|sequence| !queue.holds(sequence)) {
                open.taken.get_or_insert(now);
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

    /// What time brings about: `is_full` if no more tasks can be taken in, `is_exhausted` if there are no more.
    pub(crate) fn tick(&mut self, now: Instant, is_full: bool, is_exhausted: bool, patience: Duration) {
        if !is_full || self.waiting() > 0 {
            return;
        }
        // What is held stands in the way of the rest only where no more can be held, or at the end, when there is somebody with
        // nothing else to do: before, the workers' own games and their share of comparisons go on.
        let is_idle = self.unanswered() < self.workers.capacity().max(1);
        if (is_exhausted && is_idle) || self.given >= self.most_held {
            self.check_held();
        }
        let (mut late, mut doubtful) = (Vec::new(), BTreeSet::new());
        for (id, open) in &self.open {
            let is_wanted = open.given.is_none() || open.checking.is_some();
            // The server gives what a dead worker had to another one by itself; that it was taken is found out after that.
            let usual = Duration::from_secs_f64(
                ((4 + open.together) as f64 * self.slowest.max(open.expected)).min(1e5),
            );
            let longer = patience.max(usual) * (1 << open.issues.saturating_sub(1).min(6));
            let is_over = |since: Instant, most: Duration| now.duration_since(since) > most;
            match (open.issued, open.sequence, open.taken) {
                _ if !is_wanted => {}
                (None, ..) => late.push(*id),
                // Where it is taken, or the server has not even said that it has it.
                (_, _, Some(since)) | (Some(since), None, None) if is_over(since, longer) => late.push(*id),
                (Some(issued), Some(_), None) if is_over(issued, patience) => {
                    doubtful.insert(open.class.clone());
                }
                _ => {}
            }
        }
        for id in late {
            self.queue(id);
        }
        self.actions.extend(doubtful.into_iter().map(Action::Look));
    }

    /// Gives every open task back.
    pub(crate) fn abandon(&mut self) -> Vec<Assignment> {
        self.waiting.clear();
        self.held.clear();
        self.given = 0;
        self.open.drain().map(|(_, open)| open.assignment).collect()
    }
}

/// Moves of a side in a long game.
const MOVES: u32 = 80;
/// Positions that a slow machine visits in a second.
const SLOW: f64 = 2e5;

/// Seconds that a game may well take by its limits, as far as they say anything.
fn expected_seconds(task: &GameTask) -> f64 {
    let of_side = |side: Color| {
        let limits = &task.setup.limits[side];
        let base = limits.base.unwrap_or_default() + MOVES * limits.increment;
        let moves = MOVES * limits.move_time.unwrap_or_default();
        let spec = &task.players[side].spec;
        let nodes = limits.nodes.or_else(|| {
            let nodes = spec.chosen("nodes")?.as_integer()?;
            u64::try_from(nodes).ok()
        });
        (base + moves).as_secs_f64() + f64::from(MOVES) * nodes.unwrap_or(0) as f64 / SLOW
    };
    Color::ALL.into_iter().map(of_side).sum()
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
