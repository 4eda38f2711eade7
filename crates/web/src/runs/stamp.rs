//! Whether anything has changed: from the files' sizes and times, without opening them.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use vidmar_store::Store;

use super::library::lock;

/// What a store looks like from outside. It changes with every commit, and when a process begins or ends to write.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Stamp {
    file: Option<(u64, SystemTime)>,
    log: Option<(u64, SystemTime)>,
    /// The process that writes.
    pub(super) writer: Option<u32>,
}

impl Stamp {
    pub(super) fn of(store: &Path) -> Stamp {
        let of = |path: &Path| {
            let metadata = std::fs::metadata(path).ok()?;
            Some((metadata.len(), metadata.modified().ok()?))
        };
        let mut log = store.as_os_str().to_owned();
        log.push("-wal");
        Stamp {
            file: of(store),
            log: of(&PathBuf::from(log)),
            writer: Store::writing_process(store),
        }
    }
}

/// At most this share of the time goes into making a value again that changes all the time.
const SHARE: u32 = 10;
const LEAST: Duration = Duration::from_secs(2);

/// A value that takes long to make: made when it is asked for, and not too often while its run goes on.
pub(super) struct Slow<T>(Mutex<Option<Made<T>>>);

struct Made<T> {
    stamp: Stamp,
    at: Instant,
    cost: Duration,
    value: Arc<T>,
}

impl<T> Default for Slow<T> {
    fn default() -> Slow<T> {
        Slow(Mutex::default())
    }
}

impl<T> Slow<T> {
    /// The value; a run that nobody is writing to has the newest one always.
    pub(super) fn get<E>(&self, stamp: Stamp, make: impl FnOnce() -> Result<T, E>) -> Result<Arc<T>, E> {
        let mut made = lock(&self.0);
        if let Some(made) = &*made {
            let young = stamp.writer.is_some() && made.at.elapsed() < LEAST.max(SHARE * made.cost);
            if made.stamp == stamp || young {
                return Ok(Arc::clone(&made.value));
            }
        }
        let begun = Instant::now();
        let value = Arc::new(make()?);
        *made = Some(Made {
            stamp,
            at: Instant::now(),
            cost: begun.elapsed(),
            value: Arc::clone(&value),
        });
        Ok(value)
    }

    pub(super) fn forget(&self) {
        *lock(&self.0) = None;
    }
}
