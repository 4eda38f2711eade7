//! Workers that play nothing: each is a connection of its own, takes batches, and answers with what was played before.

use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::{self, consumer::PullConsumer};
use tokio::time::sleep;
use tokio_stream::StreamExt as _;
use vidmar_arena::GameRecord;
use vidmar_engine::Control;
use vidmar_fleet::protocol::{
    Answer, Batch, Build, Entry, PlayedEntry, Presence, RunCard, Subjects, TaskId, VERSION, WorkerName,
    WorkerState,
};

use super::games::{self, DIFFERENT};

/// Between two signs of life, and after something went wrong.
const BEAT: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(300);

/// What all of them share.
struct World {
    url: String,
    subjects: Subjects,
    build: Build,
    games: Vec<GameRecord>,
    seconds: f32,
    together: usize,
}

/// Works until the input ends.
pub(crate) fn run(url: &str, workers: usize, seconds: f32, together: usize) -> anyhow::Result<()> {
    std::thread::spawn(|| {
        let _ = std::io::copy(&mut std::io::stdin(), &mut std::io::sink());
        std::process::exit(0);
    });
    let world = Arc::new(World {
        url: url.to_owned(),
        subjects: Subjects(super::RUN.parse()?),
        build: Build::measure(&Control::new())?.0,
        games: games::play(),
        seconds,
        together,
    });
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        for number in 0..workers {
            let name: WorkerName = format!("simulated-{number}").parse()?;
            let world = Arc::clone(&world);
            tokio::spawn(async move {
                loop {
                    // Whatever goes wrong, it begins again.
                    let _ = work(&world, &name).await;
                    sleep(PAUSE).await;
                }
            });
        }
        std::future::pending().await
    })
}

async fn work(world: &World, name: &WorkerName) -> Result<(), async_nats::Error> {
    let client = async_nats::connect(&world.url).await?;
    let jetstream = jetstream::new(client.clone());
    let bucket = jetstream.get_key_value(world.subjects.bucket()).await?;
    let card: RunCard = match bucket.get("card").await? {
        Some(bytes) => serde_json::from_slice(&bytes)?,
        None => return Ok(()),
    };
    let Some(class) = card.classes.first() else {
        return Ok(());
    };
    let stream = jetstream.get_stream(world.subjects.tasks_stream()).await?;
    let consumer: PullConsumer = stream.get_consumer(&class.name).await?;
    let beats = tokio::spawn({
        let (subject, presence) = (world.subjects.beats(name), presence(world, name));
        let client = client.clone();
        async move {
            loop {
                let _ = client.publish(subject.clone(), presence.clone().into()).await;
                sleep(BEAT).await;
            }
        }
    });
    let worked = answer_all(world, name, &card, &consumer, &jetstream).await;
    beats.abort();
    worked
}

async fn answer_all(
    world: &World,
    name: &WorkerName,
    card: &RunCard,
    consumer: &PullConsumer,
    jetstream: &jetstream::Context,
) -> Result<(), async_nats::Error> {
    let subject = world.subjects.answers(name);
    loop {
        let mut messages = consumer
            .fetch()
            .max_messages(1)
            .expires(Duration::from_secs(20))
            .messages()
            .await?;
        while let Some(message) = messages.next().await {
            let message = message?;
            let batch = Batch::decode(&message.payload)?;
            let tasks: Vec<(TaskId, u64)> = batch
                .tasks()
                .filter_map(|(id, task)| Some((id, task.ok()?.0.number)))
                .collect();
            for tasks in tasks.chunks(world.together) {
                let answer = Answer {
                    run: card.key,
                    worker: name.clone(),
                    build: world.build.clone(),
                    entries: tasks.iter().map(|task| world.entry(*task)).collect(),
                };
                jetstream.publish(subject.clone(), answer.encode()).await?.await?;
            }
            message.ack().await?;
        }
    }
}

impl World {
    fn entry(&self, (task, number): (TaskId, u64)) -> Entry {
        Entry::Played(Box::new(PlayedEntry {
            task,
            seconds: self.seconds,
            record: self.games[(number % DIFFERENT) as usize].clone(),
        }))
    }
}

fn presence(world: &World, name: &WorkerName) -> Vec<u8> {
    let presence = Presence {
        version: VERSION,
        name: name.clone(),
        cores: 1,
        threads: 1,
        build: world.build.clone(),
        nps: 1_000_000,
        engines: Vec::new(),
        state: WorkerState::Playing,
        playing: 1,
        queued: 0,
        games: 0,
        games_per_second: 1.0 / f64::from(world.seconds),
        runs: vec![world.subjects.0.clone()],
        refused: Vec::new(),
    };
    serde_json::to_vec(&presence).unwrap_or_default()
}
