//! Which runs are there, which of them can be played for, and their batches.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::kv::Watch;
use async_nats::jetstream::{AckKind, Context, Message};
use tokio::time::sleep;
use tokio_stream::StreamExt as _;
use vidmar_arena::{CLOCK_SCALES, GameTask, TimeControl};
use vidmar_chess::{ByColor, Color};

use super::Shared;
use super::hand::Job;
use crate::notice::Notice;
use crate::protocol::{
    Batch, Class, Entry, ProtocolError, RunCard, RunName, Subjects, TaskId, VERSION, WirePlayer, WorkerName,
    WorkerState, read_json,
};
use crate::streams::{CARD, SHUT_OUT, Streams};

/// Between two looks for runs.
const LOOK: Duration = Duration::from_secs(1);
const LOOK_WHILE_BUSY: Duration = Duration::from_secs(10);
/// How long the server keeps a request for tasks.
const REQUEST: Duration = Duration::from_secs(20);
/// After something went wrong.
const PAUSE: Duration = Duration::from_millis(300);

/// A run that is played for.
pub(super) struct Served {
    pub(super) name: RunName,
    pub(super) card: RunCard,
    pub(super) subjects: Subjects,
    is_over: AtomicBool,
}

impl Served {
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}

/// Looks for runs as long as the worker lives.
pub(super) async fn find(shared: Arc<Shared>, jetstream: Context) {
    let mut known: HashSet<RunName> = HashSet::new();
    let (over, mut overs) = tokio::sync::mpsc::unbounded_channel();
    loop {
        while let Ok(run) = overs.try_recv() {
            known.remove(&run);
        }
        let runs = match &shared.settings.address.run {
            Some(run) => vec![run.clone()],
            None => crate::coordinator::runs(&jetstream).await,
        };
        for run in runs {
            if known.contains(&run) {
                continue;
            }
            if let Some(streams) = Streams::find(&jetstream, &run).await {
                known.insert(run.clone());
                let (shared, over) = (Arc::clone(&shared), over.clone());
                tokio::spawn(async move {
                    follow(&shared, &streams, &run).await;
                    shared.run_is_over(&run);
                    let _ = over.send(run);
                });
            }
        }
        // A run that it knows may have nothing for it, or nobody who goes on with it.
        let pause = if shared.hand.is_empty() {
            LOOK
        } else {
            LOOK_WHILE_BUSY
        };
        tokio::select! {
            () = sleep(pause) => {}
            Some(run) = overs.recv() => {
                known.remove(&run);
            }
        }
    }
}

/// Follows a run until it is over: its card, and whether this worker is shut out of it.
async fn follow(shared: &Arc<Shared>, streams: &Streams, run: &RunName) {
    let mut classes: HashSet<String> = HashSet::new();
    let mut rejected: HashMap<String, String> = HashMap::new();
    let mut served: Option<Arc<Served>> = None;
    let mut watches = None;
    loop {
        let Ok(bytes) = streams.bucket.get(CARD).await else {
            if streams.are_gone().await {
                break;
            }
            sleep(PAUSE).await;
            continue;
        };
        let card: Option<RunCard> = bytes.and_then(|bytes| read_json(&bytes).ok());
        match card
            .ok_or_else(|| "its card cannot be read".to_owned())
            .and_then(|card| checked(shared, card))
        {
            Err(reason) => shared.refuse(run, &reason),
            Ok(_) if is_shut_out(shared, streams).await => {
                shared.refuse(run, "its coordinator has shut this worker out");
                if let Some(served) = served.take() {
                    served.is_over.store(true, Ordering::Relaxed);
                }
                classes.clear();
            }
            Ok(card) => {
                if served.as_ref().is_some_and(|served| served.card.key != card.key) {
                    break;
                }
                let served = served.get_or_insert_with(|| {
                    Arc::new(Served {
                        name: run.clone(),
                        card: card.clone(),
                        subjects: Subjects(run.clone()),
                        is_over: AtomicBool::new(false),
                    })
                });
                serve_classes(shared, streams, served, &card, (&mut classes, &mut rejected)).await;
            }
        }
        shared.hand.presence_changed.notify_one();
        if !changes(streams, &mut watches).await && streams.are_gone().await {
            break;
        }
    }
    if let Some(served) = served {
        served.is_over.store(true, Ordering::Relaxed);
    }
}

/// Takes up the classes of tasks that can be played here.
async fn serve_classes(
    shared: &Arc<Shared>,
    streams: &Streams,
    served: &Arc<Served>,
    card: &RunCard,
    (known, rejected): (&mut HashSet<String>, &mut HashMap<String, String>),
) {
    let mut reason = None;
    for class in &card.classes {
        if known.contains(&class.name) {
            continue;
        }
        match equip(shared, streams, card, class, rejected).await {
            Err(missing) => reason = Some(missing),
            Ok(()) => {
                if let Some(consumer) = streams.class(&class.name).await {
                    known.insert(class.name.clone());
                    tokio::spawn(pull(Arc::clone(shared), Arc::clone(served), consumer));
                }
            }
        }
    }
    match reason {
        Some(reason) if known.is_empty() => shared.refuse(&served.name, &reason),
        _ => shared.accept(&served.name),
    }
}

/// Makes sure that a class can be played here: what is missing is fetched, where that is allowed. What was refused once is not fetched
/// again.
async fn equip(
    shared: &Shared,
    streams: &Streams,
    card: &RunCard,
    class: &Class,
    rejected: &mut HashMap<String, String>,
) -> Result<(), String> {
    for engine in &class.engines {
        let has = shared.engines().has(engine);
        let Err(missing) = has else { continue };
        let Some(binary) = card.binaries.iter().find(|binary| binary.sha256 == engine.sha256) else {
            return Err(missing.to_string());
        };
        let Some(binaries) = &shared.binaries else {
            return Err(format!(
                "{missing}; the run offers it to workers with --accept-binaries"
            ));
        };
        if let Some(reason) = rejected.get(&engine.sha256) {
            return Err(reason.clone());
        }
        let store = streams.binaries().await.map_err(|error| error.to_string())?;
        let fetched = binaries.fetch(&store, engine, binary).await.map_err(|error| {
            if error.is_final() {
                rejected.insert(engine.sha256.clone(), error.to_string());
            }
            error.to_string()
        })?;
        let mut engines = shared.engines.write().unwrap_or_else(PoisonError::into_inner);
        engines.add_fetched(&engine.sha256, &fetched);
        drop(engines);
        shared.tell(&Notice::Fetched {
            run: streams.subjects.0.clone(),
            engine: engine.to_string(),
        });
    }
    Ok(())
}

/// Waits until the card or the list of those shut out has changed, or some time has passed; false if neither can be watched. A watch is a
/// consumer on the server: it is kept as long as it works.
async fn changes(streams: &Streams, watches: &mut Option<[Watch; 2]>) -> bool {
    if watches.is_none() {
        let (Ok(card), Ok(shut_out)) = (
            streams.bucket.watch(CARD).await,
            streams.bucket.watch(SHUT_OUT).await,
        ) else {
            sleep(PAUSE).await;
            return false;
        };
        *watches = Some([card, shut_out]);
    }
    let Some([card, shut_out]) = watches else {
        return false;
    };
    let change = tokio::select! {
        change = card.next() => change,
        change = shut_out.next() => change,
        () = sleep(LOOK) => return false,
    };
    let is_change = matches!(change, Some(Ok(_)));
    if !is_change {
        *watches = None;
        sleep(PAUSE).await;
    }
    is_change
}

fn checked(shared: &Shared, card: RunCard) -> Result<RunCard, String> {
    if card.version != VERSION {
        return Err(ProtocolError::Version(card.version).to_string());
    }
    match card.build.difference(&shared.build) {
        None => Ok(card),
        Some(_) => Err(format!("it needs {}, and this is {}", card.build, shared.build)),
    }
}

async fn is_shut_out(shared: &Shared, streams: &Streams) -> bool {
    let Ok(Some(bytes)) = streams.bucket.get(SHUT_OUT).await else {
        return false;
    };
    let names: BTreeMap<WorkerName, String> = read_json(&bytes).unwrap_or_default();
    names.contains_key(&shared.settings.name)
}

/// Takes batches of a class as long as there is room for them.
async fn pull(shared: Arc<Shared>, served: Arc<Served>, consumer: PullConsumer) {
    let mut connects = shared.connects.clone();
    loop {
        shared.hand.wait_for_room().await;
        connects.mark_unchanged();
        match shared.state() {
            WorkerState::Playing => {}
            WorkerState::Paused => {
                sleep(PAUSE).await;
                continue;
            }
            WorkerState::Draining | WorkerState::Gone => return,
        }
        if served.is_over() {
            return;
        }
        // Without heartbeats: async-nats 0.51 does not wake who waits for a message once one of those has come.
        let fetched = consumer.fetch().max_messages(1).expires(REQUEST).messages().await;
        let Ok(mut messages) = fetched else {
            sleep(PAUSE).await;
            continue;
        };
        loop {
            tokio::select! {
                message = messages.next() => match message {
                    Some(Ok(message)) => take(&shared, &served, message).await,
                    Some(Err(_)) => sleep(PAUSE).await,
                    None => break,
                },
                Ok(()) = connects.changed() => break,
            }
        }
    }
}

async fn take(shared: &Shared, served: &Arc<Served>, message: Message) {
    if shared.state() != WorkerState::Playing || served.is_over() {
        let _ = message.ack_with(AckKind::Nak(None)).await;
        return;
    }
    let decoded = Batch::decode(&message.payload).and_then(|batch| {
        if batch.run == served.card.key {
            Ok(batch)
        } else {
            Err(ProtocolError::OtherRun)
        }
    });
    let batch = match decoded {
        Ok(batch) => batch,
        Err(error) => {
            let _ = message.ack_with(AckKind::Term).await;
            shared.tell(&Notice::Trouble(format!(
                "a batch of run {} is refused: {error}",
                served.name
            )));
            return;
        }
    };
    let number = shared
        .hand
        .begin_batch(message, batch.len(), served.card.patience);
    let (mut jobs, mut failed) = (Vec::new(), Vec::new());
    for (id, task) in batch.tasks() {
        match task
            .map_err(|error| error.to_string())
            .and_then(|task| admitted(shared, task))
        {
            Ok(task) => jobs.push(job(shared, served, number, id, task)),
            Err(reason) => failed.push(Entry::Failed { task: id, reason }),
        }
    }
    let mut refused = Vec::new();
    for job in shared.hand.add(jobs) {
        refused.push(Entry::Returned(job.id));
    }
    for entry in failed.into_iter().chain(refused) {
        let _ = shared.done.send(super::hand::Done {
            run: Arc::clone(served),
            batch: number,
            entry,
        });
    }
}

fn job(shared: &Shared, served: &Arc<Served>, batch: u64, id: TaskId, mut task: GameTask) -> Job {
    let limits = &mut task.setup.limits;
    let is_timed = |limits: &TimeControl| limits.base.is_some() || limits.move_time.is_some();
    let scales = shared.settings.scales_clocks && Color::ALL.into_iter().any(|side| is_timed(&limits[side]));
    let clock_scale = scales.then(|| clock_scale(served.card.nps, shared.nps));
    if let Some(scale) = clock_scale {
        *limits = ByColor::from_fn(|side| scaled(&limits[side], scale));
    }
    Job {
        run: Arc::clone(served),
        batch,
        id,
        task,
        clock_scale,
    }
}

/// What clocks are multiplied by here, in thousandths: half the speed, twice the time.
fn clock_scale(nps_of_run: u64, nps_here: u64) -> u32 {
    let factor = nps_of_run.max(1) as f64 / nps_here.max(1) as f64;
    ((1000.0 * factor).round() as u32).clamp(*CLOCK_SCALES.start(), *CLOCK_SCALES.end())
}

/// The clocks of a machine of another speed.
fn scaled(limits: &TimeControl, scale: u32) -> TimeControl {
    let times = |time: Duration| time.saturating_mul(scale) / 1000;
    TimeControl {
        base: limits.base.map(times),
        increment: times(limits.increment),
        move_time: limits.move_time.map(times),
        ..*limits
    }
}

/// A task as it is played here, if it may be.
fn admitted(
    shared: &Shared,
    (mut task, players): (GameTask, ByColor<&WirePlayer>),
) -> Result<GameTask, String> {
    if let Some(rule) = &task.setup.rules.tablebases
        && !rule.folders.is_empty()
    {
        return Err("tablebases of a folder are not opened for a stranger".to_owned());
    }
    for side in Color::ALL {
        let spec = shared.engines().admit(players[side]);
        task.players[side].spec = spec.map_err(|error| error.to_string())?;
    }
    Ok(task)
}
