//! What a run says of itself on the server: its card, the consumers of the classes that the card names, and who is shut out.
//!
//! Whoever changes something about it goes on at once. A task of its own writes it down, the newest always, as often as that takes: what
//! is said while the server is away is there when the server is.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::sleep;

use crate::error::FleetError;
use crate::notice::{Notice, Observer};
use crate::protocol::{RunCard, WorkerName, write_json};
use crate::streams::{CARD, SHUT_OUT, Streams};

/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(500);

/// What is said.
#[derive(Clone, PartialEq)]
pub(super) struct Board {
    pub(super) card: RunCard,
    pub(super) shut_out: BTreeMap<WorkerName, String>,
}

/// Writes down what is said, from what is written already. Something may have been said before this is begun with: what is written is not
/// what the receiver sees then.
pub(super) async fn keep(
    streams: Streams,
    mut written: Board,
    mut said: watch::Receiver<Board>,
    observer: Observer,
) {
    let mut offered = HashSet::new();
    loop {
        let mut is_told = false;
        loop {
            let board = said.borrow_and_update().clone();
            let Err(error) = write(&streams, &board, &mut written, &mut offered).await else {
                break;
            };
            if !is_told {
                is_told = true;
                observer(&Notice::Trouble(error.to_string()));
            }
            sleep(PAUSE).await;
        }
        if said.changed().await.is_err() {
            return;
        }
    }
}

async fn write(
    streams: &Streams,
    board: &Board,
    written: &mut Board,
    offered: &mut HashSet<String>,
) -> Result<(), FleetError> {
    // A worker that reads of a class finds its tasks.
    for class in &board.card.classes {
        if !offered.contains(&class.name) {
            streams.offer_class(&class.name, board.card.patience).await?;
            offered.insert(class.name.clone());
        }
    }
    if board.card != written.card {
        put(streams, CARD, &board.card).await?;
        written.card = board.card.clone();
    }
    if board.shut_out != written.shut_out {
        put(streams, SHUT_OUT, &board.shut_out).await?;
        written.shut_out = board.shut_out.clone();
    }
    Ok(())
}

/// Writes something under a key.
pub(super) async fn put(
    streams: &Streams,
    key: &str,
    said: &impl serde::Serialize,
) -> Result<(), FleetError> {
    let put = streams.bucket.put(key, write_json(said)).await;
    put.map(drop)
        .map_err(|error| FleetError::server("cannot describe the run")(&error))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use async_nats::jetstream;

    use super::*;
    use crate::protocol::{Build, Class, RunKey, VERSION, read_json};
    use crate::testing::LocalServer;

    /// On a busy machine games begin before the task that writes does.
    #[tokio::test]
    async fn what_is_said_before_anybody_writes_is_written() {
        let Some(server) = LocalServer::start(&[]) else {
            return;
        };
        let client = async_nats::connect(server.url()).await.unwrap();
        let run = "test".parse().unwrap();
        let streams = Streams::create(&jetstream::new(client), &run).await.unwrap();
        let card = RunCard {
            version: VERSION,
            key: RunKey::random(),
            build: Build {
                version: "1.0.0".to_owned(),
                signature: 1,
                measured: 1,
            },
            nps: 1,
            patience: Duration::from_secs(1),
            classes: Vec::new(),
            binaries: Vec::new(),
        };
        let board = Board {
            card,
            shut_out: BTreeMap::new(),
        };
        let said = watch::Sender::new(board.clone());
        let writing = keep(streams.clone(), board, said.subscribe(), Arc::new(|_| {}));
        let class = Class {
            name: "early".to_owned(),
            engines: Vec::new(),
        };
        said.send_modify(|board| board.card.classes.push(class));
        // It ends when nobody can say anything more and all is written.
        let last = said.borrow().card.clone();
        drop(said);
        writing.await;
        assert!(streams.class("early").await.is_some());
        let card = streams.bucket.get(CARD).await.unwrap().expect("a card");
        assert_eq!(read_json::<RunCard>(&card).unwrap(), last);
    }
}
