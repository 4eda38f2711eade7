//! What a coordinator knows of its workers.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::notice::Notice;
use crate::protocol::{Presence, WorkerName, WorkerRow, WorkerState, shortened};

/// A worker that has been silent for so long is not counted on.
const SILENCE: Duration = Duration::from_secs(10);
/// As much of a reason as a roster repeats.
const LONGEST_REASON: usize = 120;
/// More are not remembered: whoever invents names shall not fill the memory.
const MOST: usize = 20_000;

#[derive(Default)]
struct Worker {
    presence: Option<Presence>,
    seen: Option<Instant>,
    is_here: bool,
    games: u64,
    checks: u64,
    refused: Option<String>,
    shut_out: Option<String>,
}

#[derive(Default)]
pub(crate) struct Workers {
    known: BTreeMap<WorkerName, Worker>,
    live: usize,
    capacity: usize,
    pub(super) notices: Vec<Notice>,
}

impl Workers {
    fn worker(&mut self, name: &WorkerName) -> Option<&mut Worker> {
        if self.known.len() >= MOST && !self.known.contains_key(name) {
            return None;
        }
        Some(self.known.entry(name.clone()).or_default())
    }

    pub(super) fn beat(&mut self, presence: Presence, refusal: Option<String>, now: Instant) {
        let name = presence.name.clone();
        let mut notices = Vec::new();
        let Some(worker) = self.worker(&name) else {
            return;
        };
        let reason = refusal.or_else(|| presence.refused.first().map(|refusal| shortened(&refusal.reason)));
        if let Some(reason) = &reason
            && worker.refused.as_ref() != Some(reason)
        {
            notices.push(Notice::Refused {
                worker: name.to_string(),
                reason: reason.clone(),
            });
        }
        let comes = reason.is_none() && presence.state != WorkerState::Gone;
        if comes && !worker.is_here && worker.shut_out.is_none() {
            notices.push(Notice::Joined {
                worker: name.to_string(),
                threads: presence.threads,
            });
        }
        if worker.is_here && !comes {
            notices.push(Notice::Left {
                worker: name.to_string(),
            });
        }
        worker.is_here = comes;
        worker.refused = reason;
        worker.seen = Some(now);
        worker.presence = Some(presence);
        self.notices.extend(notices);
        self.count();
    }

    /// A worker without a word of itself has answered.
    pub(super) fn heard(&mut self, name: &WorkerName, now: Instant) {
        if let Some(worker) = self.worker(name) {
            let is_new = worker.seen.is_none();
            worker.seen = Some(now);
            worker.is_here |= is_new;
            if is_new {
                self.count();
            }
        }
    }

    /// Forgets to count on those that are silent.
    pub(super) fn tick(&mut self, now: Instant) {
        for (name, worker) in &mut self.known {
            if worker.is_here && worker.seen.is_none_or(|seen| now.duration_since(seen) > SILENCE) {
                worker.is_here = false;
                self.notices.push(Notice::Left {
                    worker: name.to_string(),
                });
            }
        }
        self.count();
    }

    fn count(&mut self) {
        let here = || {
            self.known
                .values()
                .filter(|worker| worker.is_here && worker.shut_out.is_none())
        };
        self.live = here().count();
        let threads = |worker: &Worker| {
            worker
                .presence
                .as_ref()
                .map_or(1, |presence| presence.threads.clamp(1, 4096) as usize)
        };
        self.capacity = here().map(threads).sum();
    }

    /// How many are there.
    pub(crate) fn live(&self) -> usize {
        self.live
    }

    /// How many games they play at once.
    pub(crate) fn capacity(&self) -> usize {
        self.capacity
    }

    pub(super) fn is_shut_out(&self, name: &WorkerName) -> bool {
        self.known
            .get(name)
            .is_some_and(|worker| worker.shut_out.is_some())
    }

    /// False if it was before.
    pub(super) fn shut_out(&mut self, name: &WorkerName, reason: &str) -> bool {
        let Some(worker) = self.worker(name) else {
            return false;
        };
        let is_new = worker.shut_out.is_none();
        worker.shut_out.get_or_insert_with(|| shortened(reason));
        self.count();
        is_new
    }

    pub(super) fn let_in(&mut self, name: &WorkerName) {
        if let Some(worker) = self.known.get_mut(name) {
            worker.shut_out = None;
        }
        self.count();
    }

    pub(super) fn played(&mut self, name: &WorkerName) {
        if let Some(worker) = self.worker(name) {
            worker.games += 1;
        }
    }

    pub(super) fn passed(&mut self, name: &WorkerName) {
        if let Some(worker) = self.worker(name) {
            worker.checks += 1;
        }
    }

    /// Those that are shut out, and why.
    pub(super) fn all_shut_out(&self) -> BTreeMap<WorkerName, String> {
        let reason = |(name, worker): (&WorkerName, &Worker)| Some((name.clone(), worker.shut_out.clone()?));
        self.known.iter().filter_map(reason).collect()
    }

    pub(super) fn rows(&self, now: Instant) -> Vec<WorkerRow> {
        let row = |(name, worker): (&WorkerName, &Worker)| {
            let presence = worker.presence.as_ref();
            WorkerRow {
                name: name.clone(),
                cores: presence.map_or(0, |presence| presence.cores),
                threads: presence.map_or(0, |presence| presence.threads),
                nps: presence.map_or(0, |presence| presence.nps),
                state: if worker.is_here {
                    presence.map(|presence| presence.state).unwrap_or_default()
                } else {
                    WorkerState::Gone
                },
                games: worker.games,
                games_per_second: presence
                    .map(|presence| presence.games_per_second)
                    .filter(|_| worker.is_here)
                    .unwrap_or_default(),
                last_seen: worker
                    .seen
                    .map_or(f64::MAX, |seen| now.duration_since(seen).as_secs_f64()),
                checks: worker.checks,
                is_shut_out: worker.shut_out.is_some(),
                refused: worker
                    .shut_out
                    .as_ref()
                    .map(|reason| format!("shut out: {reason}"))
                    .or_else(|| worker.refused.clone())
                    .map(|reason| reason.chars().take(LONGEST_REASON).collect()),
            }
        };
        self.known.iter().map(row).collect()
    }
}
