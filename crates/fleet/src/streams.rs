//! What a run has on the server: two streams, a bucket, consumers. All of it is bounded.

use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::pull::Config as PullConfig;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer};
use async_nats::jetstream::context::ObjectStoreError;
use async_nats::jetstream::kv;
use async_nats::jetstream::object_store::ObjectStore;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType, Stream};

use crate::error::FleetError;
use crate::protocol::{LARGEST_BINARY, LARGEST_MESSAGE, RunName, Subjects};

/// Bytes of a stream.
const LARGEST_STREAM: i64 = 256 << 20;
/// Bytes of the bucket.
const LARGEST_BUCKET: i64 = 16 << 20;
/// Bytes of the programs that a run brings along, with what a server keeps beside them.
const LARGEST_BINARIES: i64 = 2 * LARGEST_BINARY as i64 + (16 << 20);
/// What nobody asks for any more goes.
const OLDEST: Duration = Duration::from_hours(7 * 24);
/// Batches that workers have in hand, all together.
const MOST_IN_HAND: i64 = 100_000;
/// Answers that the coordinator has in hand.
const ANSWERS_IN_HAND: i64 = 2_000;
/// How long the coordinator may take over an answer.
const ANSWER_WAIT: Duration = Duration::from_secs(30);
/// The coordinator's consumer.
const COORDINATOR: &str = "coordinator";

/// Keys of the bucket.
pub(crate) const CARD: &str = "card";
pub(crate) const LEASE: &str = "lease";
pub(crate) const SHUT_OUT: &str = "shut-out";

/// What a run has on the server.
#[derive(Clone)]
pub(crate) struct Streams {
    pub(crate) subjects: Subjects,
    jetstream: Context,
    tasks: Stream,
    answers: Stream,
    pub(crate) bucket: kv::Store,
}

/// Batches of a class by the numbers that the server gives them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Queue {
    /// The last one that a worker was given. A server that was killed may have forgotten some.
    pub(crate) delivered: u64,
    /// The first and the last of all classes that the server has.
    pub(crate) first: u64,
    pub(crate) last: u64,
}

impl Queue {
    /// Whether a batch waits for a worker.
    pub(crate) fn holds(&self, number: u64) -> bool {
        number > self.delivered && (self.first..=self.last).contains(&number)
    }
}

fn stream_config(name: String, subjects: String) -> Config {
    Config {
        name,
        subjects: vec![subjects],
        retention: RetentionPolicy::WorkQueue,
        discard: DiscardPolicy::New,
        storage: StorageType::File,
        max_bytes: LARGEST_STREAM,
        max_age: OLDEST,
        max_message_size: LARGEST_MESSAGE as i32 + 1024,
        duplicate_window: Duration::from_secs(1),
        ..Config::default()
    }
}

/// The stream behind a key-value bucket (ADR-8 of NATS). The library's own way to make one needs an answer that servers before
/// 2.10 do not give.
fn bucket_config(bucket: &str) -> Config {
    Config {
        name: format!("KV_{bucket}"),
        subjects: vec![format!("$KV.{bucket}.>")],
        discard: DiscardPolicy::New,
        storage: StorageType::File,
        max_bytes: LARGEST_BUCKET,
        max_messages_per_subject: 1,
        allow_rollup: true,
        deny_delete: true,
        allow_direct: true,
        duplicate_window: Duration::from_secs(1),
        ..Config::default()
    }
}

/// The stream behind an object store (ADR-20 of NATS), bounded.
fn object_store_config(bucket: &str) -> Config {
    Config {
        name: format!("OBJ_{bucket}"),
        subjects: vec![format!("$O.{bucket}.C.>"), format!("$O.{bucket}.M.>")],
        discard: DiscardPolicy::New,
        storage: StorageType::File,
        max_bytes: LARGEST_BINARIES,
        allow_rollup: true,
        allow_direct: true,
        duplicate_window: Duration::from_secs(1),
        ..Config::default()
    }
}

impl Streams {
    /// Makes what is missing.
    pub(crate) async fn create(jetstream: &Context, run: &RunName) -> Result<Streams, FleetError> {
        let subjects = Subjects(run.clone());
        let making = FleetError::server("cannot make the streams of the run");
        let made = async {
            // The bucket first: a worker that sees the stream of tasks finds the rest.
            jetstream
                .get_or_create_stream(bucket_config(&subjects.bucket()))
                .await
                .map_err(|error| error.to_string())?;
            let bucket = jetstream.get_key_value(subjects.bucket()).await;
            let bucket = bucket.map_err(|error| error.to_string())?;
            let answers = stream_config(subjects.answers_stream(), subjects.all_answers());
            let answers = jetstream
                .get_or_create_stream(answers)
                .await
                .map_err(|error| error.to_string())?;
            let tasks = stream_config(subjects.tasks_stream(), subjects.all_tasks());
            let tasks = jetstream
                .get_or_create_stream(tasks)
                .await
                .map_err(|error| error.to_string())?;
            Ok::<_, String>((tasks, answers, bucket))
        };
        let (tasks, answers, bucket) = made.await.map_err(|reason| making(&reason))?;
        Ok(Streams {
            subjects,
            jetstream: jetstream.clone(),
            tasks,
            answers,
            bucket,
        })
    }

    /// What is there, if it is.
    pub(crate) async fn find(jetstream: &Context, run: &RunName) -> Option<Streams> {
        let subjects = Subjects(run.clone());
        Some(Streams {
            tasks: jetstream.get_stream(subjects.tasks_stream()).await.ok()?,
            answers: jetstream.get_stream(subjects.answers_stream()).await.ok()?,
            bucket: jetstream.get_key_value(subjects.bucket()).await.ok()?,
            jetstream: jetstream.clone(),
            subjects,
        })
    }

    /// Whether the run is known not to be there any more.
    pub(crate) async fn are_gone(&self) -> bool {
        use async_nats::jetstream::ErrorCode;
        use async_nats::jetstream::context::GetStreamErrorKind;
        match self.jetstream.get_stream(self.subjects.tasks_stream()).await {
            Ok(_) => false,
            Err(error) => match error.kind() {
                GetStreamErrorKind::JetStream(error) => error.error_code() == ErrorCode::STREAM_NOT_FOUND,
                _ => false,
            },
        }
    }

    /// Takes everything away.
    pub(crate) async fn delete(&self) {
        let subjects = &self.subjects;
        // The stream of tasks last: by it a run is known.
        let _ = self.jetstream.delete_key_value(subjects.bucket()).await;
        self.delete_binaries().await;
        let _ = self.jetstream.delete_stream(subjects.answers_stream()).await;
        let _ = self.jetstream.delete_stream(subjects.tasks_stream()).await;
    }

    /// An empty store for programs.
    pub(crate) async fn make_binaries(&self) -> Result<(), FleetError> {
        self.delete_binaries().await;
        let made = self
            .jetstream
            .create_stream(object_store_config(&self.subjects.bucket()))
            .await;
        made.map(drop)
            .map_err(|error| FleetError::server("cannot make a store for programs")(&error))
    }

    /// No such store, also where an earlier coordinator left one.
    pub(crate) async fn delete_binaries(&self) {
        let _ = self.jetstream.delete_object_store(self.subjects.bucket()).await;
    }

    /// The store of programs, if there is one.
    pub(crate) async fn binaries(&self) -> Result<ObjectStore, ObjectStoreError> {
        self.jetstream.get_object_store(self.subjects.bucket()).await
    }

    /// Takes back tasks that nobody has taken.
    pub(crate) async fn purge_tasks(&self) -> Result<(), FleetError> {
        let purged = self.tasks.purge().await;
        purged
            .map(drop)
            .map_err(|error| FleetError::server("cannot take tasks back")(&error))
    }

    /// The consumer of a class of tasks, which all workers share.
    pub(crate) async fn offer_class(
        &self,
        class: &str,
        patience: Duration,
    ) -> Result<PullConsumer, FleetError> {
        let config = PullConfig {
            durable_name: Some(class.to_owned()),
            filter_subject: self.subjects.tasks(class),
            ack_policy: AckPolicy::Explicit,
            ack_wait: patience,
            max_ack_pending: MOST_IN_HAND,
            ..PullConfig::default()
        };
        let made = self.tasks.create_consumer(config).await;
        made.map_err(|error| FleetError::server("cannot offer tasks")(&error))
    }

    /// The same, if it is there.
    pub(crate) async fn class(&self, class: &str) -> Option<PullConsumer> {
        self.tasks.get_consumer(class).await.ok()
    }

    /// How the tasks of a class stand; none if the server does not say.
    pub(crate) async fn queue(&self, class: &str) -> Option<Queue> {
        // In this order: what is taken in between is gone by the second.
        let delivered = self.tasks.consumer_info(class).await.ok()?.delivered;
        let state = self.tasks.get_info().await.ok()?.state;
        Some(Queue {
            delivered: delivered.stream_sequence,
            first: state.first_sequence,
            last: state.last_sequence,
        })
    }

    /// The consumer of the answers.
    pub(crate) async fn answers(&self) -> Result<PullConsumer, FleetError> {
        let config = PullConfig {
            durable_name: Some(COORDINATOR.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ANSWER_WAIT,
            max_ack_pending: ANSWERS_IN_HAND,
            ..PullConfig::default()
        };
        let made = self.answers.get_or_create_consumer(COORDINATOR, config).await;
        made.map_err(|error| FleetError::server("cannot read answers")(&error))
    }
}
