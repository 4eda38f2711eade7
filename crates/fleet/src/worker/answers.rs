//! What goes back: games that end within half a second go together, and as soon as nothing else is being played.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use async_nats::jetstream::{AckKind, Context};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep, timeout_at};

use super::Shared;
use super::hand::Done;
use super::runs::Served;
use crate::notice::Notice;
use crate::protocol::{Answer, Entry, LARGEST_MESSAGE, MOST_ENTRIES, WorkerState};

/// How long a game that is over may wait for others.
pub const LINGER: Duration = Duration::from_millis(500);
/// A message is full at so many bytes: the entry that comes on top of them still fits.
const FULL: usize = LARGEST_MESSAGE / 2;
/// About what a move takes.
const BYTES_A_MOVE: usize = 24;
/// Between two attempts to reach a server that does not take an answer: at first, and at most.
const PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(3);

fn size(entry: &Entry) -> usize {
    match entry {
        Entry::Played(played) => {
            let details = played.record.faults.iter().map(|fault| fault.fault.detail.len());
            200 + BYTES_A_MOVE * played.record.moves.len() + details.sum::<usize>()
        }
        Entry::Returned(_) => 20,
        Entry::Failed { reason, .. } => 30 + reason.len(),
    }
}

/// Publishes answers until no more can come.
pub(super) async fn publish(shared: Arc<Shared>, jetstream: Context, mut finished: UnboundedReceiver<Done>) {
    let mut kept = None;
    loop {
        let first = match kept.take() {
            Some(kept) => kept,
            None => match finished.recv().await {
                Some(first) => first,
                None => return,
            },
        };
        let run = Arc::clone(&first.run);
        let (mut bytes, mut batches) = (size(&first.entry), HashMap::from([(first.batch, 1)]));
        let mut entries = vec![first.entry];
        let until = Instant::now() + LINGER;
        while bytes < FULL
            && entries.len() < MOST_ENTRIES
            && let Some(next) = next(&shared, &mut finished, entries.len(), until).await
        {
            if !Arc::ptr_eq(&next.run, &run) || size(&next.entry) > FULL {
                kept = Some(next);
                break;
            }
            bytes += size(&next.entry);
            *batches.entry(next.batch).or_insert(0) += 1;
            entries.push(next.entry);
        }
        send(&shared, &jetstream, &run, entries).await;
        for (batch, count) in batches {
            if let Some(message) = shared.hand.answered(batch, count) {
                let _ = message.ack().await;
            }
        }
    }
}

/// The next answer that can go together with so many, if one comes in time.
async fn next(
    shared: &Shared,
    finished: &mut UnboundedReceiver<Done>,
    collected: usize,
    until: Instant,
) -> Option<Done> {
    if let Ok(next) = finished.try_recv() {
        return Some(next);
    }
    // Nothing is waited for that nobody plays.
    if shared.hand.unanswered() <= collected {
        return None;
    }
    timeout_at(until, finished.recv()).await.ok().flatten()
}

/// Publishes an answer, however often that takes; gives up if the run is over, or this worker is.
async fn send(shared: &Shared, jetstream: &Context, run: &Served, entries: Vec<Entry>) {
    let answer = Answer {
        run: run.card.key,
        worker: shared.settings.name.clone(),
        build: shared.build.clone(),
        entries,
    };
    let bytes = answer.encode();
    let subject = run.subjects.answers(&shared.settings.name);
    let mut pause = PAUSE;
    let mut is_told = false;
    loop {
        let published = match jetstream.publish(subject.clone(), bytes.clone()).await {
            Ok(acknowledged) => acknowledged.await.map(drop).map_err(|error| error.to_string()),
            Err(error) => Err(error.to_string()),
        };
        let Err(reason) = published else { return };
        if run.is_over() {
            return;
        }
        if !is_told {
            is_told = true;
            shared.tell(&Notice::Trouble(format!(
                "an answer cannot be published: {reason}"
            )));
        }
        if shared.state() == WorkerState::Gone && pause >= LONGEST_PAUSE {
            return;
        }
        sleep(pause).await;
        pause = (2 * pause).min(LONGEST_PAUSE);
    }
}

/// Says of every batch in hand that it is in progress.
pub(super) async fn keep_alive(shared: Arc<Shared>) {
    loop {
        let (messages, patience) = shared.hand.in_hand();
        for message in messages {
            let _ = message.ack_with(AckKind::Progress).await;
        }
        sleep(patience / 3).await;
    }
}
