//! One list of games: tasks from the feed to the server, answers from the server to the feed.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::Poll;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use tokio::time::timeout;
use vidmar_arena::{Assignment, ExecutorError, Feed, GameRecord, Worker};
use vidmar_engine::Control;

use super::dispatch::Action;
use super::inbox::Event;
use super::{Coordinator, Session, binaries};
use crate::notice::Notice;
use crate::protocol::{
    Answer, Batch, Class, LARGEST_MESSAGE, MOST_TASKS, Order, ProtocolError, TaskId, worker_of,
};

/// Tasks that are issued and not answered: at least, and at most.
const SMALLEST_WINDOW: usize = 64;
const LARGEST_WINDOW: usize = 16_384;
/// Batches on their way to the server at a time.
const MOST_PUBLISHING: usize = 64;
/// How long nothing may happen before time itself, and whether somebody says stop, is looked at.
const BEAT: Duration = Duration::from_millis(100);
/// Between two looks at the workers.
const LOOK: Duration = Duration::from_millis(500);
/// Between two complaints that nobody works.
const COMPLAINT: Duration = Duration::from_mins(1);
/// Workers that a roster names: they fit into one message, with their reasons.
const MOST_ROWS: usize = 1_200;

impl Coordinator {
    /// Plays what the feed gives until it gives no more.
    pub(super) fn pump(&self, feed: &Feed<'_>, control: &Control) {
        let mut session = self.session();
        let session = &mut *session;
        let mut is_over = false;
        let begun = Instant::now();
        loop {
            if session.is_lost {
                fail_all(session, feed);
                return;
            }
            if control.is_stopped() {
                self.give_up(session, feed);
                return;
            }
            let window = window(session);
            // Where the next tasks follow from games in progress, none is left for now.
            let mut is_exhausted = is_over;
            while !is_exhausted && session.dispatch.has_room(window) {
                match feed.poll() {
                    Poll::Ready(Some(assignment)) => self.add(session, assignment),
                    Poll::Ready(None) => (is_over, is_exhausted) = (true, true),
                    Poll::Pending => is_exhausted = true,
                }
            }
            let now = Instant::now();
            self.issue(session, is_exhausted, now);
            let is_full = is_exhausted || !session.dispatch.has_room(window);
            self.look(session, (is_full, is_exhausted), begun, now);
            self.act(session, feed);
            self.arbitrate(session);
            if is_over && session.dispatch.is_empty() {
                self.publish_roster(session, now);
                return;
            }
            self.receive(session);
        }
    }

    fn add(&self, session: &mut Session, assignment: Assignment) {
        if let Some(class) = session.dispatch.add(assignment) {
            self.offer(session, class);
        }
    }

    /// Tells workers of a class of tasks that is new, and brings the programs that they may fetch for it.
    fn offer(&self, session: &mut Session, class: Class) {
        for engine in &class.engines {
            if let Some(program) = session.dispatch.players.take_upload(engine) {
                self.connection.runtime.spawn(binaries::upload(
                    self.streams.clone(),
                    engine.clone(),
                    program,
                    self.settings.observer.clone(),
                    self.events.clone(),
                ));
            }
        }
        self.board.send_modify(|board| board.card.classes.push(class));
    }

    /// Publishes what waits, in batches.
    fn issue(&self, session: &mut Session, is_exhausted: bool, now: Instant) {
        while session.publishing < MOST_PUBLISHING {
            let most = self.batch_size(session, is_exhausted);
            let Some((class, ids, batch)) = session.dispatch.batch(most, now) else {
                return;
            };
            self.publish(session, &class, ids, &batch);
        }
    }

    /// As many games as take a worker some seconds, but not so many that others have nothing to do.
    fn batch_size(&self, session: &Session, is_exhausted: bool) -> usize {
        let each = session.dispatch.seconds().unwrap_or(f64::MAX).max(1e-4);
        let by_time = (self.settings.batch.as_secs_f64() / each) as usize;
        let capacity = session.dispatch.workers.capacity().max(1);
        let fair = session.dispatch.unanswered() / (if is_exhausted { 2 } else { 1 } * capacity);
        by_time.min(fair).clamp(1, session.largest_batch)
    }

    fn publish(&self, session: &mut Session, class: &str, ids: Vec<TaskId>, batch: &Batch) {
        let bytes = batch.encode();
        if bytes.len() > LARGEST_MESSAGE {
            if let [id] = ids[..] {
                session.dispatch.unsendable(id);
                return;
            }
            // The next batch is smaller; what does not fit even alone is found out in the end.
            session.dispatch.not_issued(&ids);
            if let Some((class, ids, batch)) = session.dispatch.batch(ids.len() / 2, Instant::now()) {
                self.publish(session, &class, ids, &batch);
            }
            return;
        }
        session.publishing += 1;
        let (jetstream, events) = (self.connection.jetstream.clone(), self.events.clone());
        let subject = self.streams.subjects.tasks(class);
        self.connection.runtime.spawn(async move {
            let published = match jetstream.publish(subject, bytes).await {
                Ok(acknowledged) => acknowledged
                    .await
                    .map(|acknowledged| acknowledged.sequence)
                    .map_err(|error| error.to_string()),
                Err(error) => Err(error.to_string()),
            };
            if published.is_err() {
                tokio::time::sleep(LOOK).await;
            }
            let _ = events.send(Event::Published(ids, published)).await;
        });
    }

    /// What time brings about.
    fn look(
        &self,
        session: &mut Session,
        (is_full, is_exhausted): (bool, bool),
        begun: Instant,
        now: Instant,
    ) {
        if now.duration_since(session.last_look) < LOOK {
            return;
        }
        session.last_look = now;
        session.dispatch.workers.tick(now);
        session
            .dispatch
            .tick(now, is_full, is_exhausted, self.settings.patience);
        let complained = session.last_complaint.unwrap_or(begun);
        let wait = if session.last_complaint.is_some() {
            COMPLAINT
        } else {
            4 * LOOK
        };
        if session.dispatch.workers.live() == 0 && now.duration_since(complained) >= wait {
            session.last_complaint = Some(now);
            (self.settings.observer)(&Notice::NoWorkers {
                command: format!("vidmar worker {}", self.settings.address),
            });
        }
        self.publish_roster(session, now);
    }

    fn publish_roster(&self, session: &mut Session, now: Instant) {
        for notice in std::mem::take(&mut session.dispatch.workers.notices) {
            (self.settings.observer)(&notice);
        }
        let mut roster = self
            .roster
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        roster.open = session.dispatch.len() as u64;
        roster.games = session.dispatch.games;
        roster.dropped = session.dispatch.dropped;
        roster.compared = session.dispatch.compared;
        roster.workers = session.dispatch.workers.rows(now);
        roster.workers.truncate(MOST_ROWS);
    }

    /// Does what the dispatch wants done.
    fn act(&self, session: &mut Session, feed: &Feed<'_>) {
        while !session.dispatch.actions.is_empty() {
            for action in std::mem::take(&mut session.dispatch.actions) {
                match action {
                    Action::Answer(assignment, record) => {
                        if let Some(again) = feed.answer(assignment, Ok(record)) {
                            self.add(session, again);
                        }
                    }
                    Action::Fail(assignment, error) => drop(feed.answer(assignment, Err(error))),
                    Action::Arbitrate(id, task) => session.arbitrations.push_back((id, task)),
                    Action::Look(class) => self.look_for(class),
                    Action::ShutOut {
                        worker,
                        reason,
                        again,
                    } => {
                        self.say_who_is_shut_out(session);
                        (self.settings.observer)(&Notice::ShutOut {
                            worker: worker.to_string(),
                            reason,
                            again,
                        });
                    }
                }
            }
        }
    }

    fn say_who_is_shut_out(&self, session: &Session) {
        let all = session.dispatch.workers.all_shut_out();
        self.board.send_modify(|board| board.shut_out = all);
    }

    /// Asks the server how far the tasks of a class are taken.
    fn look_for(&self, class: String) {
        let (streams, events) = (self.streams.clone(), self.events.clone());
        self.connection.runtime.spawn(async move {
            if let Some(queue) = streams.queue(&class).await {
                let _ = events.send(Event::Queue(class, queue)).await;
            }
        });
    }

    /// Plays games here whose answers are in doubt, as many at once as there are processors.
    fn arbitrate(&self, session: &mut Session) {
        let most = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        while session.arbitrating < most
            && let Some((id, task)) = session.arbitrations.pop_front()
        {
            session.arbitrating += 1;
            let events = self.events.clone();
            std::thread::spawn(move || {
                let play = || Worker::default().play(&task, &Control::new());
                let defect = |_| {
                    Err(ExecutorError::Worker(
                        "a game could not be played because of a defect".to_owned(),
                    ))
                };
                let played = catch_unwind(AssertUnwindSafe(play)).unwrap_or_else(defect);
                let _ = events.blocking_send(Event::Arbitrated(id, Box::new(played)));
            });
        }
    }

    /// Waits a little for something to happen, and takes all that has.
    fn receive(&self, session: &mut Session) {
        let first = self
            .connection
            .runtime
            .block_on(async { timeout(BEAT, session.events.recv()).await });
        let mut next = first.ok().flatten();
        let mut left = super::MOST_EVENTS;
        while let Some(event) = next {
            self.take(session, event);
            left -= 1;
            next = if left > 0 {
                session.events.try_recv().ok()
            } else {
                None
            };
        }
    }

    fn take(&self, session: &mut Session, event: Event) {
        match event {
            Event::Answers(message) => self.take_answers(session, &message),
            Event::Beat(presence) => session.dispatch.beat(*presence, Instant::now()),
            Event::Published(ids, published) => {
                session.publishing -= 1;
                session.largest_batch = (2 * session.largest_batch).min(MOST_TASKS);
                match published {
                    Ok(sequence) => session.dispatch.published(&ids, sequence),
                    // What does not fit into a stream that is nearly full may fit in parts.
                    Err(reason) => {
                        session.largest_batch = (ids.len() / 2).max(1);
                        session.dispatch.not_issued(&ids);
                        let reason = format!("tasks cannot be published: {reason}");
                        (self.settings.observer)(&Notice::Trouble(reason));
                    }
                }
            }
            Event::Queue(class, queue) => session.dispatch.taken(&class, &queue, Instant::now()),
            Event::Uploaded(binary) => {
                self.board.send_modify(|board| board.card.binaries.push(binary));
            }
            Event::Arbitrated(id, truth) => {
                session.arbitrating -= 1;
                session.dispatch.arbitrated(id, *truth);
            }
            Event::Order(Order::ShutOut { worker, reason }) => {
                session.dispatch.shut_out(&worker, &format!("by order: {reason}"));
            }
            Event::Order(Order::LetIn { worker }) => {
                session.dispatch.workers.let_in(&worker);
                self.say_who_is_shut_out(session);
            }
            Event::Order(_) => {}
            Event::LeaseLost => session.is_lost = true,
        }
    }

    fn take_answers(&self, session: &mut Session, message: &Message) {
        match opened(session, message) {
            Ok(answer) => {
                let now = Instant::now();
                for entry in answer.entries {
                    session.dispatch.answer(&answer.worker, &answer.build, entry, now);
                }
            }
            // An answer that took so long that the run was begun anew meanwhile, or one for another run altogether.
            Err(ProtocolError::OtherRun) => session.dispatch.dropped += 1,
            Err(error) => {
                session.dispatch.dropped += 1;
                // A wire damages nothing: whoever sends what cannot be read does so on purpose, or is broken.
                if let Some(worker) = worker_of(&message.subject) {
                    session
                        .dispatch
                        .shut_out(&worker, &format!("an answer that is refused: {error}"));
                }
            }
        }
        // Either it is taken, or nobody wants it again.
        let _ = self.connection.runtime.block_on(message.ack());
    }

    /// Nothing is played any more: the rest is given back, and taken off the server.
    fn give_up(&self, session: &mut Session, feed: &Feed<'_>) {
        self.act(session, feed);
        session.arbitrations.clear();
        for assignment in session.dispatch.abandon() {
            drop(feed.answer(assignment, Ok(GameRecord::stopped())));
        }
        let purge = async { timeout(Duration::from_secs(2), self.streams.purge_tasks()).await };
        let _ = self.connection.runtime.block_on(purge);
    }
}

/// As many tasks as keep all workers busy through a round trip, and some more.
fn window(session: &Session) -> usize {
    let dispatch = &session.dispatch;
    let a_second = dispatch.seconds().map_or(1.0, |seconds| 1.0 / seconds.max(1e-4));
    let each = (4.0 * a_second).clamp(4.0, 256.0) as usize;
    (dispatch.workers.capacity() * each).clamp(SMALLEST_WINDOW, LARGEST_WINDOW)
}

fn opened(session: &Session, message: &Message) -> Result<Answer, ProtocolError> {
    let answer = Answer::decode(&message.payload)?;
    if answer.run != session.key {
        return Err(ProtocolError::OtherRun);
    }
    match worker_of(&message.subject) {
        Some(sender) if sender == answer.worker => Ok(answer),
        sender => Err(ProtocolError::OtherSender {
            sender: sender.map(|sender| sender.to_string()).unwrap_or_default(),
            name: answer.worker.to_string(),
        }),
    }
}

/// Somebody else has the run.
fn fail_all(session: &mut Session, feed: &Feed<'_>) {
    let error = ExecutorError::Worker("another coordinator has taken the run".to_owned());
    for assignment in session.dispatch.abandon() {
        drop(feed.answer(assignment, Err(error.clone())));
    }
    // A list of which nothing was begun yet fails as well.
    if let Poll::Ready(Some(assignment)) = feed.poll() {
        drop(feed.answer(assignment, Err(error)));
    }
}
