//! The other end: takes batches of tasks, plays them, answers.
//!
//! | file | holds |
//! | --- | --- |
//! | `hand` | what was taken and not answered |
//! | `seat` | threads that play |
//! | `runs` | which runs are there, which can be played for, and their batches |
//! | `answers` | what goes back |
//! | `binaries` | programs that runs bring along |
//!
//! A batch is acknowledged when all its tasks are answered and the server has the answers. Until then its server hears again
//! and again that it is in progress; once it does not, another worker gets the batch. Nothing is lost with a worker but its
//! time.

mod answers;
mod binaries;
mod hand;
mod runs;
mod seat;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::{Duration, Instant};

use async_nats::Client;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio_stream::StreamExt as _;
use vidmar_engine::Control;

use crate::connection::{Address, Caller, Connection, Connects, Credentials, GRACE};
use crate::engines::Offered;
use crate::error::FleetError;
use crate::notice::{Notice, Observer};
use crate::protocol::{
    Build, Order, Presence, Refusal, RunName, Subjects, VERSION, WorkerName, WorkerState, read_json,
    write_json,
};
pub use answers::LINGER;
use binaries::Binaries;
use hand::{Done, Hand};

/// Between two signs of life.
const BEAT: Duration = Duration::from_secs(2);
/// How long one waits at the end for the server to take what is left.
const FAREWELL: Duration = Duration::from_secs(5);

/// How a worker works.
#[derive(Clone)]
pub struct WorkerSettings {
    /// The server, and the run where it names one; else every run of the server is played for.
    pub address: Address,
    /// What lets us in.
    pub credentials: Credentials,
    /// Its name.
    pub name: WorkerName,
    /// Games at once.
    pub threads: NonZeroUsize,
    /// The engines that its owner offers.
    pub engines: Offered,
    /// Whether programs that runs bring along are fetched and run.
    pub accepts_binaries: bool,
    /// Whether clocks are scaled by its speed.
    pub scales_clocks: bool,
    /// How long a server is waited for that does not answer at first.
    pub grace: Duration,
    /// Is told of what happens.
    pub observer: Observer,
}

impl WorkerSettings {
    /// One thread, nothing but built-in players.
    pub fn new(address: Address, observer: Observer) -> WorkerSettings {
        WorkerSettings {
            address,
            credentials: Credentials::default(),
            name: WorkerName::default(),
            threads: NonZeroUsize::MIN,
            engines: Offered::default(),
            accepts_binaries: false,
            scales_clocks: false,
            grace: GRACE,
            observer,
        }
    }
}

/// What a worker has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Games that it played.
    pub games: u64,
    /// Tasks that it took and gave back.
    pub returned: u64,
}

/// What all parts of a worker share.
struct Shared {
    settings: WorkerSettings,
    client: Client,
    connects: Connects,
    build: Build,
    nps: u64,
    hand: Hand,
    /// The engines that can be played with by now.
    engines: RwLock<Offered>,
    binaries: Option<Binaries>,
    done: UnboundedSender<Done>,
    state: AtomicU8,
    playing: AtomicU32,
    games: AtomicU64,
    returned: AtomicU64,
    rate: Mutex<f64>,
    runs: Mutex<Vec<RunName>>,
    refused: Mutex<Vec<Refusal>>,
}

const STATES: [WorkerState; 4] = [
    WorkerState::Playing,
    WorkerState::Paused,
    WorkerState::Draining,
    WorkerState::Gone,
];

impl Shared {
    fn state(&self) -> WorkerState {
        STATES[usize::from(self.state.load(Ordering::Relaxed)).min(3)]
    }

    fn set_state(&self, state: WorkerState) {
        let index = STATES.iter().position(|known| *known == state).unwrap_or(0);
        self.state.store(index as u8, Ordering::Relaxed);
        self.hand.wake();
    }

    fn presence(&self) -> Presence {
        let list = |count: usize| count.min(u32::MAX as usize) as u32;
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Presence {
            version: VERSION,
            name: self.settings.name.clone(),
            cores: list(cores),
            threads: list(self.settings.threads.get()),
            build: self.build.clone(),
            nps: self.nps,
            engines: self.engines().references(),
            state: self.state(),
            playing: self.playing.load(Ordering::Relaxed),
            queued: list(self.hand.queued()),
            games: self.games.load(Ordering::Relaxed),
            games_per_second: *lock(&self.rate),
            runs: lock(&self.runs).clone(),
            refused: lock(&self.refused).clone(),
        }
    }

    fn engines(&self) -> std::sync::RwLockReadGuard<'_, Offered> {
        self.engines.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn tell(&self, notice: &Notice) {
        (self.settings.observer)(notice);
    }

    /// Does not play for a run, and says so once.
    fn refuse(&self, run: &RunName, reason: &str) {
        let mut refused = lock(&self.refused);
        let reason = reason.to_owned();
        if refused
            .iter()
            .any(|known| known.run == *run && known.reason == reason)
        {
            return;
        }
        refused.retain(|known| known.run != *run);
        refused.push(Refusal {
            run: run.clone(),
            reason: reason.clone(),
        });
        drop(refused);
        let run = run.clone();
        self.tell(&Notice::NotServing { run, reason });
    }

    fn accept(&self, run: &RunName) {
        lock(&self.refused).retain(|known| known.run != *run);
        let mut runs = lock(&self.runs);
        if !runs.contains(run) {
            runs.push(run.clone());
            drop(runs);
            self.tell(&Notice::Serving(run.clone()));
        }
    }

    fn run_is_over(&self, run: &RunName) {
        let mut runs = lock(&self.runs);
        let known = runs.len();
        runs.retain(|other| other != run);
        let was_served = runs.len() < known;
        drop(runs);
        lock(&self.refused).retain(|refused| refused.run != *run);
        if was_served {
            self.tell(&Notice::RunOver(run.clone()));
        }
    }
}

/// Nothing that is half-done is behind these locks.
fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Works until `control` says stop, or an order to drain was followed.
pub fn serve(settings: WorkerSettings, control: &Control) -> Result<Summary, FleetError> {
    let connection = Connection::open(
        Caller {
            address: &settings.address,
            credentials: &settings.credentials,
            name: &format!("worker {}", settings.name),
            grace: settings.grace,
            observer: &settings.observer,
        },
        control,
    )?;
    let (build, nps) = Build::measure(control)?;
    let threads = settings.threads.get();
    let (done, finished) = unbounded_channel();
    let shared = Arc::new(Shared {
        client: connection.client.clone(),
        connects: connection.connects.clone(),
        build,
        nps,
        hand: Hand::new(threads),
        engines: RwLock::new(settings.engines.clone()),
        binaries: settings.accepts_binaries.then(Binaries::new).transpose()?,
        done,
        state: AtomicU8::new(0),
        playing: AtomicU32::new(0),
        games: AtomicU64::new(0),
        returned: AtomicU64::new(0),
        rate: Mutex::new(0.0),
        runs: Mutex::default(),
        refused: Mutex::default(),
        settings,
    });
    let runtime = &connection.runtime;
    runtime.spawn(show_presence(Arc::clone(&shared)));
    runtime.spawn(answer_asks(Arc::clone(&shared)));
    runtime.spawn(follow_orders(Arc::clone(&shared)));
    runtime.spawn(runs::find(Arc::clone(&shared), connection.jetstream.clone()));
    runtime.spawn(answers::keep_alive(Arc::clone(&shared)));
    let publisher = runtime.spawn(answers::publish(
        Arc::clone(&shared),
        connection.jetstream.clone(),
        finished,
    ));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| seat::play(&shared, control));
        }
        shared.hand.wait_for_end(|| {
            control.is_stopped() || (shared.state() == WorkerState::Draining && shared.hand.is_empty())
        });
        if control.is_stopped() {
            shared.set_state(WorkerState::Gone);
        }
        for returned in shared.hand.close() {
            shared.returned.fetch_add(1, Ordering::Relaxed);
            let _ = shared.done.send(returned);
        }
    });
    shared.set_state(WorkerState::Gone);
    runtime.block_on(async {
        let begun = Instant::now();
        while !shared.hand.is_empty() && begun.elapsed() < FAREWELL {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        publisher.abort();
        beat(&shared).await;
        let _ = tokio::time::timeout(FAREWELL, shared.client.flush()).await;
    });
    Ok(Summary {
        games: shared.games.load(Ordering::Relaxed),
        returned: shared.returned.load(Ordering::Relaxed),
    })
}

/// Says to every run that it is there.
async fn beat(shared: &Shared) {
    let presence = shared.presence();
    let told = write_json(&presence);
    let refused = presence.refused.iter().map(|refusal| &refusal.run);
    for run in presence.runs.iter().chain(refused) {
        let subject = Subjects(run.clone()).beats(&presence.name);
        let _ = shared.client.publish(subject, told.clone()).await;
    }
}

async fn show_presence(shared: Arc<Shared>) {
    let (mut games, mut since) = (0, Instant::now());
    loop {
        beat(&shared).await;
        let woken = tokio::time::timeout(BEAT, shared.hand.presence_changed.notified()).await;
        if woken.is_ok() {
            continue;
        }
        let (now, total) = (Instant::now(), shared.games.load(Ordering::Relaxed));
        let lately = (total - games) as f64 / now.duration_since(since).as_secs_f64().max(1e-3);
        (games, since) = (total, now);
        let mut rate = lock(&shared.rate);
        *rate = if *rate == 0.0 {
            lately
        } else {
            *rate * 0.8 + lately * 0.2
        };
    }
}

/// Tells whoever asks who it is.
async fn answer_asks(shared: Arc<Shared>) {
    loop {
        if let Ok(mut asks) = shared.client.subscribe(Subjects::ASK_WORKERS).await {
            while let Some(message) = asks.next().await {
                if let Some(reply) = message.reply {
                    let _ = shared.client.publish(reply, write_json(&shared.presence())).await;
                }
            }
        }
        tokio::time::sleep(BEAT).await;
    }
}

async fn follow_orders(shared: Arc<Shared>) {
    loop {
        let subject = Subjects::order(&shared.settings.name);
        if let Ok(mut orders) = shared.client.subscribe(subject).await {
            while let Some(message) = orders.next().await {
                let Ok(order) = read_json::<Order>(&message.payload) else {
                    continue;
                };
                let state = match order {
                    Order::Drain => WorkerState::Draining,
                    Order::Pause => WorkerState::Paused,
                    Order::Resume => WorkerState::Playing,
                    Order::ShutOut { .. } | Order::LetIn { .. } => continue,
                };
                // Whoever ends does not begin again.
                if matches!(shared.state(), WorkerState::Playing | WorkerState::Paused) {
                    shared.set_state(state);
                    shared.tell(&Notice::Ordered(format!("{state:?}").to_lowercase()));
                }
                if let Some(reply) = message.reply {
                    let _ = shared.client.publish(reply, write_json(&shared.presence())).await;
                }
            }
        }
        tokio::time::sleep(BEAT).await;
    }
}
