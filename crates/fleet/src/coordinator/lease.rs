//! One coordinator a run: a key of the bucket that its holder changes again and again, each time from the revision that it
//! wrote before. Whoever wants the run waits until that key has not changed for a while. No clock of another machine is
//! looked at, so that it does not matter whether they agree.

use std::time::Duration;

use async_nats::jetstream::kv::{Store, UpdateErrorKind};
use serde::{Deserialize, Serialize};
use tokio::time::{Instant, sleep};

use crate::error::FleetError;
use crate::protocol::{RunKey, RunName, read_json, write_json};
use crate::streams::LEASE;

/// Who has the run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Holder {
    host: String,
    process: u32,
    /// Which coordinator of that process.
    session: RunKey,
    /// Whether it has let the run go.
    is_over: bool,
    /// Counts on, so that no two are the same.
    beats: u64,
}

impl Holder {
    /// This process.
    pub(super) fn here() -> Holder {
        Holder {
            host: crate::protocol::host(),
            process: std::process::id(),
            session: RunKey::random(),
            is_over: false,
            beats: 0,
        }
    }

    /// Whether it is known to be dead: a process of this machine that is not there any more.
    fn is_dead(&self) -> bool {
        let processes = std::path::Path::new("/proc");
        self.host == crate::protocol::host()
            && self.process != std::process::id()
            && processes.join("self").exists()
            && !processes.join(self.process.to_string()).exists()
    }
}

impl std::fmt::Display for Holder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "process {} of {}",
            self.process,
            crate::protocol::shortened(&self.host)
        )
    }
}

/// What its holder keeps of it.
#[derive(Clone)]
pub(super) struct Lease {
    bucket: Store,
    pub(super) holder: Holder,
    revision: u64,
}

/// What became of a renewal.
pub(super) enum Renewal {
    Renewed,
    /// The server was not there, or did not answer.
    Later,
    /// Somebody else has it.
    Lost,
}

impl Lease {
    /// Takes the lease of a run for a holder, after one that is silent for so long. One that has it already takes it again: what it was told
    /// of it may have been lost.
    pub(super) async fn acquire(
        bucket: &Store,
        run: &RunName,
        holder: Holder,
        silence: Duration,
    ) -> Result<Lease, FleetError> {
        let failed =
            |error: &dyn std::fmt::Display| FleetError::server("cannot take the lease of the run")(error);
        let mut seen: Option<(u64, Instant)> = None;
        loop {
            let entry = bucket.entry(LEASE).await.map_err(|error| failed(&error))?;
            let revision = entry.as_ref().map_or(0, |entry| entry.revision);
            let other: Option<Holder> = entry.and_then(|entry| read_json(&entry.value).ok());
            let (known, since) = *seen.get_or_insert_with(|| (revision, Instant::now()));
            let is_let_go = other
                .as_ref()
                .is_none_or(|other| other.is_over || other.session == holder.session || other.is_dead());
            // Where it changed while we looked at it, its holder lives.
            if known != revision && !is_let_go {
                let holder = other.map_or_else(|| "somebody".to_owned(), |other| other.to_string());
                let run = run.clone();
                return Err(FleetError::InUse { run, holder });
            }
            if is_let_go || since.elapsed() >= silence {
                // Whoever is quicker has it: the other one sees another revision.
                match bucket.update(LEASE, write_json(&holder), revision).await {
                    Ok(revision) => {
                        return Ok(Lease {
                            bucket: bucket.clone(),
                            holder,
                            revision,
                        });
                    }
                    Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => continue,
                    Err(error) => return Err(failed(&error)),
                }
            }
            sleep(silence / 10).await;
        }
    }

    pub(super) async fn renew(&mut self) -> Renewal {
        self.holder.beats += 1;
        match self
            .bucket
            .update(LEASE, write_json(&self.holder), self.revision)
            .await
        {
            Ok(revision) => {
                self.revision = revision;
                Renewal::Renewed
            }
            Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => self.taken().await,
            Err(_) => Renewal::Later,
        }
    }

    /// Whether somebody else has it, or our own last renewal came through unheard.
    async fn taken(&mut self) -> Renewal {
        let Ok(Some(entry)) = self.bucket.entry(LEASE).await else {
            return Renewal::Later;
        };
        match read_json::<Holder>(&entry.value) {
            Ok(holder) if holder.session == self.holder.session => {
                self.revision = entry.revision;
                Renewal::Renewed
            }
            _ => Renewal::Lost,
        }
    }

    /// Lets the run go.
    pub(super) async fn release(&mut self) {
        self.holder.is_over = true;
        self.renew().await;
    }
}

#[cfg(test)]
mod tests {
    use async_nats::jetstream;

    use super::*;
    use crate::streams::Streams;
    use crate::testing::LocalServer;

    /// What it wrote itself may come to be seen later than it looks: that is nobody else.
    #[tokio::test]
    async fn a_lease_that_comes_to_be_ours_while_we_wait_for_it() {
        let Some(server) = LocalServer::start(&[]) else {
            return;
        };
        let client = async_nats::connect(server.url()).await.unwrap();
        let run: RunName = "test".parse().unwrap();
        let bucket = Streams::create(&jetstream::new(client), &run)
            .await
            .unwrap()
            .bucket;
        let other = Holder {
            host: "another-machine".to_owned(),
            ..Holder::here()
        };
        let silence = Duration::from_secs(5);
        let _other = Lease::acquire(&bucket, &run, other, silence).await.unwrap();
        let ours = Holder::here();
        let late = async {
            sleep(silence / 10).await;
            bucket.put(LEASE, write_json(&ours)).await.unwrap();
        };
        let (taken, ()) = tokio::join!(Lease::acquire(&bucket, &run, ours.clone(), silence), late);
        assert_eq!(taken.unwrap().holder, ours);
    }
}
