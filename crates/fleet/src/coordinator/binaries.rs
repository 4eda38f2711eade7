//! Programs that a run brings along: into its object store, under their digests.

use std::path::PathBuf;
use std::time::Duration;

use async_nats::jetstream::object_store::ObjectMetadata;
use tokio::fs::File;
use tokio::sync::mpsc::Sender;
use tokio::time::sleep;

use super::inbox::Event;
use crate::engines::EngineRef;
use crate::notice::{Notice, Observer};
use crate::protocol::Binary;
use crate::streams::Streams;

/// Between two attempts: at first, and at most.
const PAUSE: Duration = Duration::from_millis(500);
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// Puts a program where workers find it, however often that takes, and says so.
pub(super) async fn upload(
    streams: Streams,
    engine: EngineRef,
    program: PathBuf,
    observer: Observer,
    events: Sender<Event>,
) {
    let mut pause = PAUSE;
    loop {
        let reason = match put(&streams, &engine, &program).await {
            Ok(binary) => {
                let _ = events.send(Event::Uploaded(binary)).await;
                return;
            }
            Err(reason) => reason,
        };
        observer(&Notice::Trouble(format!("{engine} cannot be offered: {reason}")));
        sleep(pause).await;
        pause = (4 * pause).min(LONGEST_PAUSE);
    }
}

async fn put(streams: &Streams, engine: &EngineRef, program: &PathBuf) -> Result<Binary, String> {
    let store = streams.binaries().await.map_err(|error| error.to_string())?;
    let mut file = File::open(program)
        .await
        .map_err(|error| format!("{}: {error}", program.display()))?;
    let about = ObjectMetadata {
        name: engine.sha256.clone(),
        ..ObjectMetadata::default()
    };
    let stored = store
        .put(about, &mut file)
        .await
        .map_err(|error| error.to_string())?;
    Ok(Binary {
        sha256: engine.sha256.clone(),
        bytes: stored.size as u64,
    })
}
