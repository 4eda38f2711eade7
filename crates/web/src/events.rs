//! Streams of server-sent events.
//!
//! A [`Topic`] holds the newest value only. Whoever is slow misses what is between and gets the newest next, so a client
//! that does not read costs one value, not a queue. What is sent is written as JSON once, however many listen.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, KeepAliveStream, Sse};
use futures_core::Stream;
use serde::Serialize;
use tokio::sync::watch;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::WatchStream;

use crate::error::{ApiError, ApiResult};

/// How often a stream without news says that it is still there.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The most streams at once; a browser opens one or two a tab.
const MOST_STREAMS: usize = 256;

/// How many streams are open.
static OPEN: AtomicUsize = AtomicUsize::new(0);

/// Something whose newest value clients follow.
#[derive(Clone, Debug)]
pub(crate) struct Topic {
    name: &'static str,
    newest: watch::Sender<Option<Arc<str>>>,
}

impl Topic {
    /// A topic without a value; `name` is the name of its events.
    pub(crate) fn new(name: &'static str) -> Topic {
        Topic {
            name,
            newest: watch::Sender::new(None),
        }
    }

    /// A new value.
    pub(crate) fn publish(&self, value: &impl Serialize) {
        // What cannot be written as JSON (it is all plain data) is not sent.
        if let Ok(text) = serde_json::to_string(value) {
            self.newest.send_replace(Some(text.into()));
        }
    }

    /// How many follow.
    pub(crate) fn listeners(&self) -> usize {
        self.newest.receiver_count()
    }

    /// Every value from now on that the client is quick enough for.
    pub(crate) fn follow_later(&self) -> impl Stream<Item = Event> + Send + use<> {
        let name = self.name;
        WatchStream::from_changes(self.newest.subscribe())
            .filter_map(move |value| value.map(|text| Event::default().event(name).data(&*text)))
    }

    /// The present value, if there is one, and every later one that the client is quick enough for.
    pub(crate) fn follow(&self) -> impl Stream<Item = Event> + Send + use<> {
        let name = self.name;
        WatchStream::new(self.newest.subscribe())
            .filter_map(move |value| value.map(|text| Event::default().event(name).data(&*text)))
    }
}

/// A value as an event.
pub(crate) fn event(name: &str, value: &impl Serialize) -> Event {
    let text = serde_json::to_string(value).unwrap_or_default();
    Event::default().event(name).data(text)
}

/// Counts a stream for as long as it lives.
#[derive(Debug)]
struct Counted;

impl Drop for Counted {
    fn drop(&mut self) {
        OPEN.fetch_sub(1, Ordering::Relaxed);
    }
}

/// What a handler of a stream gives.
pub(crate) type EventStream<S> = Sse<KeepAliveStream<S>>;

/// A stream as an answer.
pub(crate) fn answer<S>(
    events: S,
) -> ApiResult<EventStream<impl Stream<Item = Result<Event, Infallible>> + use<S>>>
where
    S: Stream<Item = Event> + Send + 'static,
{
    if OPEN.fetch_add(1, Ordering::Relaxed) >= MOST_STREAMS {
        OPEN.fetch_sub(1, Ordering::Relaxed);
        let message = format!("{MOST_STREAMS} streams are open already");
        return Err(ApiError::too_many("too-many-streams", message));
    }
    let counted = Counted;
    let events = events.map(move |event| {
        let _ = &counted;
        Ok(event)
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::new().interval(HEARTBEAT)))
}
