//! The writing thread.
//!
//! Forcing a commit to the disk takes milliseconds whether it holds one game or a hundred, so the thread commits all
//! that has queued up while it was busy in one transaction: the faster games come in, the more of them share a commit.
//! Nobody waits for it but who asks to; what was submitted counts once `done` is called with `Ok`.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use crate::batch::Batch;
use crate::error::StoreError;
use crate::store::Store;

/// The most batches that share a transaction: a commit stays short.
const LARGEST_GROUP: usize = 1024;

type Done = Box<dyn FnOnce(Result<(), StoreError>) + Send>;
type Submission = (Batch, Done);

/// A handle to the thread that writes; see [`Store::into_writer`].
#[derive(Debug)]
pub struct Writer {
    queue: Sender<Submission>,
    thread: JoinHandle<Store>,
}

impl Store {
    /// Moves the store into a thread of its own.
    pub fn into_writer(self) -> Writer {
        let (queue, submissions) = channel();
        Writer {
            queue,
            thread: std::thread::spawn(move || write(self, &submissions)),
        }
    }
}

impl Writer {
    /// Queues a batch; `done` is called on the writing thread once its fate is known.
    pub fn submit(
        &self,
        batch: Batch,
        done: impl FnOnce(Result<(), StoreError>) + Send + 'static,
    ) -> Result<(), StoreError> {
        self.queue
            .send((batch, Box::new(done)))
            .map_err(|_| StoreError::Closed)
    }

    /// Commits a batch and waits for it.
    pub fn commit(&self, batch: Batch) -> Result<(), StoreError> {
        let (answer, fate) = channel();
        self.submit(batch, move |done| {
            // Whoever asked is waiting right here.
            let _ = answer.send(done);
        })?;
        fate.recv().map_err(|_| StoreError::Closed)?
    }

    /// Commits what is queued, ends the thread and gives the store back.
    pub fn close(self) -> Result<Store, StoreError> {
        drop(self.queue);
        self.thread.join().map_err(|_| StoreError::Closed)
    }
}

fn write(mut store: Store, submissions: &Receiver<Submission>) -> Store {
    while let Ok(first) = submissions.recv() {
        let group: Vec<Submission> = std::iter::once(first)
            .chain(submissions.try_iter().take(LARGEST_GROUP - 1))
            .collect();
        let (batches, done): (Vec<Batch>, Vec<Done>) = group.into_iter().unzip();
        let fates = store.commit_all(&batches.iter().collect::<Vec<_>>());
        for (done, fate) in done.into_iter().zip(fates) {
            done(fate);
        }
    }
    store
}
