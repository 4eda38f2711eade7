//! The executor whose workers are elsewhere.
//!
//! | file | holds |
//! | --- | --- |
//! | `dispatch` | open tasks, and whom to believe (`trust`); no waiting, no network |
//! | `pump` | one list of games: from the feed to the server and back |
//! | `inbox` | what comes in from the server |
//! | `lease` | one coordinator a run |
//! | `board` | what the run says of itself on the server |
//! | `binaries` | programs that the run brings along |
//! | `players`, `workers` | players as they go over the wire; what is known of workers |
//!
//! A coordinator lives as long as its command: through all rounds of a tuning run, its validation and its gauntlet. What it
//! leaves on the server when it is killed is bounded, and found again by the one that resumes the run.

mod binaries;
mod board;
mod dispatch;
mod inbox;
mod lease;
mod players;
mod pump;
mod workers;

use std::collections::VecDeque;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::sync::watch;
use vidmar_arena::{Executor, Feed, GameTask, ThreadExecutor};
use vidmar_engine::Control;

use crate::connection::{Address, Caller, Connection, Credentials, GRACE};
use crate::error::FleetError;
use crate::notice::Observer;
use crate::protocol::{
    Build, MOST_TASKS, RosterReply, RunCard, RunKey, RunName, Subjects, TaskId, VERSION, read_json,
};
use crate::streams::{CARD, SHUT_OUT, Streams};
use board::Board;
use dispatch::Dispatch;
use inbox::{Event, Roster};
use lease::{Holder, Lease};

/// Messages that wait for the coordinator's thread.
const MOST_EVENTS: usize = 256;

/// How games are played elsewhere; nothing here changes a game.
#[derive(Clone)]
pub struct Settings {
    /// The server.
    pub address: Address,
    /// What lets us in.
    pub credentials: Credentials,
    /// The run.
    pub run: RunName,
    /// Threads of this process that help.
    pub threads: usize,
    /// The share of tasks that are played twice and compared, from 0 to 1.
    pub spot_checks: f64,
    /// How long a worker may be silent about a batch before another one gets it.
    pub patience: Duration,
    /// How long another coordinator must be silent before it counts as gone.
    pub lease: Duration,
    /// How long a server is waited for that does not answer at first.
    pub grace: Duration,
    /// How long a batch should take.
    pub batch: Duration,
    /// Whether workers may fetch the programs of external engines from the run.
    pub offers_binaries: bool,
    /// Is told of what happens.
    pub observer: Observer,
}

impl Settings {
    /// The usual ones.
    pub fn new(address: Address, run: RunName, observer: Observer) -> Settings {
        Settings {
            address,
            credentials: Credentials::default(),
            run,
            threads: 0,
            spot_checks: 0.02,
            patience: Duration::from_secs(10),
            lease: Duration::from_secs(5),
            grace: GRACE,
            batch: Duration::from_secs(2),
            offers_binaries: false,
            observer,
        }
    }
}

/// Plays tasks on workers elsewhere.
pub struct Coordinator {
    settings: Settings,
    connection: Connection,
    streams: Streams,
    lease: Arc<tokio::sync::Mutex<Lease>>,
    roster: Roster,
    board: watch::Sender<Board>,
    local: Option<ThreadExecutor>,
    events: Sender<Event>,
    session: Mutex<Session>,
}

/// What goes on from one list of games to the next.
struct Session {
    dispatch: Dispatch,
    events: Receiver<Event>,
    key: RunKey,
    /// Batches on their way to the server.
    publishing: usize,
    /// Games that are to be played here because workers differ, or there is none to compare with; and how many are being played.
    arbitrations: VecDeque<(TaskId, Box<GameTask>)>,
    arbitrating: usize,
    /// The most tasks of a batch, as far as the server takes them.
    largest_batch: usize,
    last_look: Instant,
    last_complaint: Option<Instant>,
    is_lost: bool,
}

impl Coordinator {
    /// Connects, takes the run, and finds what an earlier coordinator of it left. A server that goes away meanwhile is waited for.
    pub fn open(settings: Settings, control: &Control) -> Result<Coordinator, FleetError> {
        let connection = Connection::open(
            Caller {
                address: &settings.address,
                credentials: &settings.credentials,
                name: &format!("coordinator of {}", settings.run),
                grace: settings.grace,
                observer: &settings.observer,
            },
            control,
        )?;
        let (build, nps) = Build::measure(control)?;
        let (events, received) = channel(MOST_EVENTS);
        let holder = Holder::here();
        let taking = connection.insist(control, async || {
            take_run(&connection, &settings, &holder, &build, nps).await
        });
        let (streams, lease, board) = connection.runtime.block_on(taking)?;
        let key = board.card.key;
        let mut dispatch = Dispatch::new(key, build, settings.spot_checks);
        dispatch.players.offers(settings.offers_binaries);
        for (worker, reason) in &board.shut_out {
            dispatch.shut_out(worker, reason);
        }
        dispatch.actions.clear();
        let roster = Arc::new(Mutex::new(RosterReply {
            run: settings.run.clone(),
            coordinator: lease.holder.to_string(),
            open: 0,
            games: 0,
            dropped: 0,
            compared: 0,
            workers: Vec::new(),
        }));
        let coordinator = Coordinator {
            local: NonZeroUsize::new(settings.threads).map(ThreadExecutor::new),
            connection,
            streams,
            lease: Arc::new(tokio::sync::Mutex::new(lease)),
            roster,
            board: watch::Sender::new(board),
            events,
            session: Mutex::new(Session {
                dispatch,
                events: received,
                key,
                publishing: 0,
                arbitrations: VecDeque::new(),
                arbitrating: 0,
                largest_batch: MOST_TASKS,
                last_look: Instant::now(),
                last_complaint: None,
                is_lost: false,
            }),
            settings,
        };
        coordinator.listen();
        Ok(coordinator)
    }

    fn listen(&self) {
        let (runtime, subjects) = (&self.connection.runtime, &self.streams.subjects);
        let client = || self.connection.client.clone();
        runtime.spawn(inbox::read_answers(
            self.streams.clone(),
            self.events.clone(),
            self.connection.connects.clone(),
        ));
        runtime.spawn(inbox::read_beats(
            client(),
            subjects.all_beats(),
            self.events.clone(),
        ));
        runtime.spawn(inbox::answer_asks(
            client(),
            subjects.ask(),
            Arc::clone(&self.roster),
        ));
        runtime.spawn(inbox::read_orders(
            client(),
            subjects.order_run(),
            self.events.clone(),
        ));
        runtime.spawn(board::keep(
            self.streams.clone(),
            self.board.borrow().clone(),
            self.board.subscribe(),
            self.settings.observer.clone(),
        ));
        runtime.spawn(inbox::keep_lease(
            Arc::clone(&self.lease),
            self.settings.lease / 5,
            self.events.clone(),
        ));
    }

    /// What is known of the run and its workers.
    pub fn roster(&self) -> RosterReply {
        self.roster.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Ends: takes everything off the server if the run is over, and leaves what a resumed run finds again if it is not.
    pub fn close(self, is_over: bool) {
        self.connection.runtime.block_on(async {
            if is_over && !self.session().is_lost {
                self.streams.delete().await;
            }
        });
    }

    fn session(&self) -> MutexGuard<'_, Session> {
        self.session.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Coordinator {
    fn drop(&mut self) {
        let lease = Arc::clone(&self.lease);
        self.connection.runtime.block_on(async {
            let release = async { lease.lock().await.release().await };
            let _ = tokio::time::timeout(Duration::from_secs(2), release).await;
            let _ = tokio::time::timeout(Duration::from_secs(2), self.connection.client.flush()).await;
        });
    }
}

impl Executor for Coordinator {
    fn execute(&self, feed: &Feed<'_>, control: &Control) {
        std::thread::scope(|scope| {
            if let Some(local) = &self.local {
                scope.spawn(|| local.execute(feed, control));
            }
            self.pump(feed, control);
        });
    }
}

/// Takes a run for a holder, and what is said of it. It may be done again after half of it was done.
async fn take_run(
    connection: &Connection,
    settings: &Settings,
    holder: &Holder,
    build: &Build,
    nps: u64,
) -> Result<(Streams, Lease, Board), FleetError> {
    let streams = Streams::create(&connection.jetstream, &settings.run).await?;
    let lease = Lease::acquire(&streams.bucket, &settings.run, holder.clone(), settings.lease).await?;
    let card = card(&streams, settings, build, nps).await?;
    streams.purge_tasks().await?;
    if settings.offers_binaries {
        streams.make_binaries().await?;
    } else {
        streams.delete_binaries().await;
    }
    let shut_out = read(&streams, SHUT_OUT).await?.unwrap_or_default();
    Ok((streams, lease, Board { card, shut_out }))
}

/// What the run says under a key; none if it says nothing there that can be read.
async fn read<T: DeserializeOwned>(streams: &Streams, key: &str) -> Result<Option<T>, FleetError> {
    let bytes = streams.bucket.get(key).await;
    let bytes = bytes.map_err(|error| FleetError::server("cannot read what the run says")(&error))?;
    Ok(bytes.and_then(|bytes| read_json(&bytes).ok()))
}

/// The card of the run: the one that is there, if it is of this program.
async fn card(
    streams: &Streams,
    settings: &Settings,
    build: &Build,
    nps: u64,
) -> Result<RunCard, FleetError> {
    let known: Option<RunCard> = read(streams, CARD).await?;
    if let Some(reason) = known.as_ref().and_then(|known| known.build.difference(build)) {
        let run = settings.run.clone();
        return Err(FleetError::OtherProgram { run, reason });
    }
    let card = RunCard {
        version: VERSION,
        key: known.map_or_else(RunKey::random, |known| known.key),
        build: build.clone(),
        nps,
        patience: settings.patience,
        classes: Vec::new(),
        binaries: Vec::new(),
    };
    board::put(streams, CARD, &card).await?;
    Ok(card)
}

/// Takes a run that nobody goes on with off its server.
pub fn forget(address: &Address, credentials: &Credentials, run: &RunName) -> Result<(), FleetError> {
    let connection = Connection::open_quietly(address, credentials)?;
    connection.runtime.block_on(async {
        let streams = Streams::find(&connection.jetstream, run)
            .await
            .ok_or_else(|| FleetError::NoRun(run.clone()))?;
        let mut lease = Lease::acquire(&streams.bucket, run, Holder::here(), Duration::from_secs(5)).await?;
        lease.release().await;
        streams.delete().await;
        Ok(())
    })
}

/// The runs of a server, by their streams.
pub(crate) async fn runs(jetstream: &async_nats::jetstream::Context) -> Vec<RunName> {
    use tokio_stream::StreamExt as _;
    let mut names = jetstream.stream_names();
    let mut runs = Vec::new();
    while let Some(Ok(name)) = names.next().await {
        runs.extend(Subjects::run_of_stream(&name));
    }
    runs.sort();
    runs
}
