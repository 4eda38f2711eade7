//! What comes in from the server, on its way to the coordinator's thread.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::Message;
use tokio::sync::mpsc::Sender;
use tokio::time::sleep;
use tokio_stream::StreamExt as _;
use vidmar_arena::{ExecutorError, GameRecord};

use super::lease::{Lease, Renewal};
use crate::connection::Connects;
use crate::protocol::{Binary, Order, Presence, RosterReply, TaskId, read_json, worker_of, write_json};
use crate::streams::{Queue, Streams};

/// Answers that are asked for at a time.
const AT_ONCE: usize = 200;
/// A server that is gone is asked again after that.
const PAUSE: Duration = Duration::from_millis(300);

/// Something to be looked at.
pub(super) enum Event {
    /// Answers of a worker.
    Answers(Box<Message>),
    /// A worker is there.
    Beat(Box<Presence>),
    /// Somebody wants something.
    Order(Order),
    /// A batch was published under a number, or not.
    Published(Vec<TaskId>, Result<u64, String>),
    /// How the tasks of a class stand at the server.
    Queue(String, Queue),
    /// A program is where workers find it.
    Uploaded(Binary),
    /// A disputed game was played here.
    Arbitrated(TaskId, Box<Result<GameRecord, ExecutorError>>),
    /// Another coordinator has the run.
    LeaseLost,
}

/// What others are told of the run.
pub(super) type Roster = Arc<Mutex<RosterReply>>;

/// Hands answers on, whatever happens to the server.
pub(super) async fn read_answers(streams: Streams, events: Sender<Event>, mut connects: Connects) {
    loop {
        connects.mark_unchanged();
        if let Ok(consumer) = streams.answers().await {
            let batch = consumer
                .stream()
                .max_messages_per_batch(AT_ONCE)
                .expires(Duration::from_secs(10))
                .heartbeat(Duration::from_secs(2));
            if let Ok(mut messages) = batch.messages().await {
                loop {
                    let message = tokio::select! {
                        message = messages.next() => message,
                        Ok(()) = connects.changed() => None,
                    };
                    let Some(Ok(message)) = message else { break };
                    if events.send(Event::Answers(Box::new(message))).await.is_err() {
                        return;
                    }
                }
            }
        }
        if events.is_closed() {
            return;
        }
        sleep(PAUSE).await;
    }
}

/// Hands on who is there.
pub(super) async fn read_beats(client: Client, subject: String, events: Sender<Event>) {
    loop {
        if let Ok(mut beats) = client.subscribe(subject.clone()).await {
            while let Some(message) = beats.next().await {
                let Ok(presence) = read_json::<Presence>(&message.payload) else {
                    continue;
                };
                // Nobody speaks for another.
                if worker_of(&message.subject).as_ref() != Some(&presence.name) {
                    continue;
                }
                if events.send(Event::Beat(Box::new(presence))).await.is_err() {
                    return;
                }
            }
        }
        sleep(PAUSE).await;
    }
}

/// Answers whoever asks for the roster.
pub(super) async fn answer_asks(client: Client, subject: String, roster: Roster) {
    loop {
        if let Ok(mut asks) = client.subscribe(subject.clone()).await {
            while let Some(message) = asks.next().await {
                let Some(reply) = message.reply else { continue };
                let told = write_json(&*roster.lock().unwrap_or_else(PoisonError::into_inner));
                let _ = client.publish(reply, told).await;
            }
        }
        sleep(PAUSE).await;
    }
}

/// Hands orders on.
pub(super) async fn read_orders(client: Client, subject: String, events: Sender<Event>) {
    loop {
        if let Ok(mut orders) = client.subscribe(subject.clone()).await {
            while let Some(message) = orders.next().await {
                let Ok(order) = read_json::<Order>(&message.payload) else {
                    continue;
                };
                if let Some(reply) = message.reply {
                    let _ = client.publish(reply, "{}".into()).await;
                }
                if events.send(Event::Order(order)).await.is_err() {
                    return;
                }
            }
        }
        sleep(PAUSE).await;
    }
}

/// Keeps the lease.
pub(super) async fn keep_lease(
    lease: Arc<tokio::sync::Mutex<Lease>>,
    every: Duration,
    events: Sender<Event>,
) {
    loop {
        sleep(every).await;
        let renewal = lease.lock().await.renew().await;
        match renewal {
            Renewal::Renewed | Renewal::Later => {}
            Renewal::Lost => {
                let _ = events.send(Event::LeaseLost).await;
                return;
            }
        }
        if events.is_closed() {
            return;
        }
    }
}
