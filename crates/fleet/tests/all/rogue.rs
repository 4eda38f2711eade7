//! A worker that is written by hand, to do what ours does not.

use std::time::Duration;

use async_nats::Client;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{self, Context, Message};
use bytes::Bytes;
use tokio::runtime::Runtime;
use tokio_stream::StreamExt as _;
use vidmar_arena::{GameTask, Worker};
use vidmar_engine::Control;
use vidmar_fleet::protocol::{
    Answer, Batch, Build, Entry, PlayedEntry, Presence, RunCard, Subjects, TaskId, VERSION, WorkerName,
    WorkerState,
};
use vidmar_fleet::testing::LocalServer;

use crate::fleet::RUN;

/// Its own connection and threads.
pub(crate) struct Rogue {
    runtime: Runtime,
    client: Client,
    pub(crate) jetstream: Context,
    pub(crate) subjects: Subjects,
    pub(crate) name: WorkerName,
    pub(crate) build: Build,
    pub(crate) card: RunCard,
}

/// A batch that it has taken.
pub(crate) struct Taken {
    pub(crate) message: Message,
    pub(crate) tasks: Vec<(TaskId, GameTask)>,
}

impl Rogue {
    /// Joins the run of the tests, whose coordinator must be there.
    pub(crate) fn join(server: &LocalServer, name: &str) -> Rogue {
        let runtime = Runtime::new().unwrap();
        let (client, jetstream) = runtime.block_on(async {
            let client = async_nats::connect(server.url()).await.unwrap();
            (client.clone(), jetstream::new(client))
        });
        let subjects = Subjects(RUN.parse().unwrap());
        let mut card = None;
        crate::fleet::wait_for("a card with a class of tasks", || {
            card = runtime.block_on(async {
                let bucket = jetstream.get_key_value(subjects.bucket()).await.ok()?;
                let bytes = bucket.get("card").await.ok()??;
                serde_json::from_slice::<RunCard>(&bytes)
                    .ok()
                    .filter(|card| !card.classes.is_empty())
            });
            card.is_some()
        });
        let rogue = Rogue {
            runtime,
            client,
            jetstream,
            subjects,
            name: name.parse().unwrap(),
            build: Build::measure(&Control::new()).unwrap().0,
            card: card.unwrap(),
        };
        rogue.beat();
        rogue
    }

    pub(crate) fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
        self.runtime.block_on(future)
    }

    /// Says that it is there.
    pub(crate) fn beat(&self) {
        let presence = Presence {
            version: VERSION,
            name: self.name.clone(),
            cores: 1,
            threads: 1,
            build: self.build.clone(),
            nps: 1,
            engines: Vec::new(),
            state: WorkerState::Playing,
            playing: 0,
            queued: 0,
            games: 0,
            games_per_second: 0.0,
            runs: vec![self.subjects.0.clone()],
            refused: Vec::new(),
        };
        let told = serde_json::to_vec(&presence).unwrap();
        let subject = self.subjects.beats(&self.name);
        self.block_on(async {
            self.client.publish(subject, told.into()).await.unwrap();
            self.client.flush().await.unwrap();
        });
    }

    /// What the run says of itself by now.
    pub(crate) fn card_now(&self) -> Option<RunCard> {
        self.block_on(async {
            let bucket = self.jetstream.get_key_value(self.subjects.bucket()).await.ok()?;
            let bytes = bucket.get("card").await.ok()??;
            serde_json::from_slice(&bytes).ok()
        })
    }

    async fn consumer(&self) -> PullConsumer {
        let stream = self
            .jetstream
            .get_stream(self.subjects.tasks_stream())
            .await
            .unwrap();
        stream.get_consumer(&self.card.classes[0].name).await.unwrap()
    }

    /// How often the server has given a batch to anybody.
    pub(crate) fn deliveries(&self) -> u64 {
        self.block_on(async {
            let mut consumer = self.consumer().await;
            consumer.info().await.unwrap().delivered.consumer_sequence
        })
    }

    /// Takes a batch, which must come.
    pub(crate) fn take(&self) -> Taken {
        self.try_take(Duration::from_secs(30)).expect("a batch")
    }

    pub(crate) fn try_take(&self, wait: Duration) -> Option<Taken> {
        let message = self.block_on(async {
            let consumer = self.consumer().await;
            let mut messages = consumer
                .fetch()
                .max_messages(1)
                .expires(wait)
                .messages()
                .await
                .unwrap();
            messages.next().await
        })?;
        let message = message.unwrap();
        let batch = Batch::decode(&message.payload).unwrap();
        let tasks = batch.tasks().map(|(id, task)| (id, task.unwrap().0)).collect();
        Some(Taken { message, tasks })
    }

    /// Plays a task as it should be.
    pub(crate) fn play((id, task): &(TaskId, GameTask)) -> Entry {
        let record = Worker::default().play(task, &Control::new()).unwrap();
        Entry::Played(Box::new(PlayedEntry {
            task: *id,
            seconds: 0.01,
            record,
        }))
    }

    /// Every task of a batch, played.
    pub(crate) fn play_all(taken: &Taken) -> Vec<Entry> {
        taken.tasks.iter().map(Rogue::play).collect()
    }

    pub(crate) fn answer(&self, entries: Vec<Entry>) -> Answer {
        Answer {
            run: self.card.key,
            worker: self.name.clone(),
            build: self.build.clone(),
            entries,
        }
    }

    /// Publishes bytes as its answer.
    pub(crate) fn send(&self, bytes: impl Into<Bytes>) -> Result<(), String> {
        let subject = self.subjects.answers(&self.name);
        let bytes = bytes.into();
        self.block_on(async {
            let published = self
                .jetstream
                .publish(subject, bytes)
                .await
                .map_err(|error| error.to_string())?;
            published.await.map(drop).map_err(|error| error.to_string())
        })
    }

    pub(crate) fn send_entries(&self, entries: Vec<Entry>) {
        self.send(self.answer(entries).encode()).unwrap();
    }

    pub(crate) fn acknowledge(&self, taken: &Taken) {
        self.block_on(taken.message.ack()).unwrap();
    }
}

impl Rogue {
    /// Describes the run anew, as only its coordinator may.
    pub(crate) fn put_card(&self, card: &RunCard) {
        self.put("card", serde_json::to_vec(card).unwrap().into());
    }

    /// Writes under a key of the run.
    pub(crate) fn put(&self, key: &str, bytes: Bytes) {
        self.block_on(async {
            let bucket = self.jetstream.get_key_value(self.subjects.bucket()).await;
            bucket.unwrap().put(key, bytes).await.unwrap();
        });
    }

    /// The next answer of anybody, where no coordinator takes it.
    pub(crate) fn next_answer(&self) -> Bytes {
        self.block_on(async {
            let stream = self
                .jetstream
                .get_stream(self.subjects.answers_stream())
                .await
                .unwrap();
            let consumer: PullConsumer = stream.get_consumer("coordinator").await.unwrap();
            let fetched = consumer
                .fetch()
                .max_messages(1)
                .expires(Duration::from_secs(30))
                .messages()
                .await;
            let message = fetched.unwrap().next().await.expect("an answer").unwrap();
            message.ack().await.unwrap();
            message.payload.clone()
        })
    }
}
