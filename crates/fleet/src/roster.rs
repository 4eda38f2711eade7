//! Who is there, and orders to them. Workers and coordinators answer for themselves: there is no list that could be out of
//! date.

use std::collections::BTreeMap;
use std::time::Duration;

use async_nats::Client;
use serde::Serialize;
use tokio::time::{Instant, timeout, timeout_at};
use tokio_stream::StreamExt as _;

use crate::connection::{Address, Connection, Credentials};
use crate::coordinator::runs;
use crate::error::FleetError;
use crate::protocol::{
    Order, Presence, RosterReply, RunName, Subjects, WorkerName, WorkerState, read_json, write_json,
};
use crate::streams::Streams;

/// How long answers are waited for: all of them, and the next one.
const WAIT: Duration = Duration::from_secs(2);
const QUIET: Duration = Duration::from_millis(400);
/// How long one is waited for that is known to be there.
const ANSWER: Duration = Duration::from_secs(3);

/// What is known of a worker, by its own words and by the coordinators'.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row {
    /// Its name.
    pub name: WorkerName,
    /// Processors of its machine.
    pub cores: u32,
    /// Games at once.
    pub threads: u32,
    /// Positions in a second, on one processor.
    pub nps: u64,
    /// What it does.
    pub state: WorkerState,
    /// Games of it that its runs have taken.
    pub games: u64,
    /// Games in a second, lately.
    pub games_per_second: f64,
    /// Seconds since it was heard of; none where only its name is known.
    pub last_seen: Option<f64>,
    /// Spot checks that it has passed.
    pub checks: u64,
    /// Runs that it plays for.
    pub runs: Vec<RunName>,
    /// Why it does not play for a run, or is not believed.
    pub refused: Vec<String>,
}

/// Everybody.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Overview {
    /// Workers by name.
    pub workers: Vec<Row>,
    /// Runs whose coordinators answer.
    pub runs: Vec<RosterReply>,
    /// Runs that are on the server, and nobody coordinates them.
    pub left: Vec<RunName>,
}

/// Asks everybody.
pub fn overview(address: &Address, credentials: &Credentials) -> Result<Overview, FleetError> {
    let connection = Connection::open_quietly(address, credentials)?;
    connection.runtime.block_on(async {
        let client = &connection.client;
        let names = match &address.run {
            Some(run) => vec![run.clone()],
            None => runs(&connection.jetstream).await,
        };
        let present = gather(client).await?;
        let mut found = Overview::default();
        for run in names {
            let subject = Subjects(run.clone()).ask();
            // Where nobody coordinates it, the server says so at once.
            match timeout(ANSWER, client.request(subject, "".into())).await {
                Ok(Ok(message)) => found.runs.extend(read_json::<RosterReply>(&message.payload)),
                _ if Streams::find(&connection.jetstream, &run).await.is_some() => found.left.push(run),
                // There is no such run, or it has ended meanwhile.
                _ => {}
            }
        }
        found.workers = rows(present, &found.runs);
        Ok(found)
    })
}

/// Asks all workers who they are.
async fn gather(client: &Client) -> Result<Vec<Presence>, FleetError> {
    let failed = |error: &dyn std::fmt::Display| FleetError::server("cannot ask the workers")(error);
    let inbox = client.new_inbox();
    let mut answers = client
        .subscribe(inbox.clone())
        .await
        .map_err(|error| failed(&error))?;
    let asked = client
        .publish_with_reply(Subjects::ASK_WORKERS, inbox, "".into())
        .await;
    asked.map_err(|error| failed(&error))?;
    let end = Instant::now() + WAIT;
    let mut present = Vec::new();
    while let Ok(Some(message)) = timeout_at(end.min(Instant::now() + QUIET), answers.next()).await {
        // A server says so itself when nobody listens.
        if message.status.is_some() {
            break;
        }
        present.extend(read_json::<Presence>(&message.payload));
    }
    Ok(present)
}

fn rows(present: Vec<Presence>, runs: &[RosterReply]) -> Vec<Row> {
    let mut rows: BTreeMap<WorkerName, Row> = BTreeMap::new();
    for worker in present {
        let refused = worker
            .refused
            .iter()
            .map(|refusal| format!("{}: {}", refusal.run, refusal.reason));
        let row = Row {
            name: worker.name.clone(),
            cores: worker.cores,
            threads: worker.threads,
            nps: worker.nps,
            state: worker.state,
            games: 0,
            games_per_second: worker.games_per_second,
            last_seen: Some(0.0),
            checks: 0,
            runs: worker.runs,
            refused: refused.collect(),
        };
        rows.insert(worker.name, row);
    }
    for run in runs {
        for known in &run.workers {
            let row = rows.entry(known.name.clone()).or_insert_with(|| Row {
                name: known.name.clone(),
                cores: known.cores,
                threads: known.threads,
                nps: known.nps,
                state: known.state,
                games: 0,
                games_per_second: known.games_per_second,
                last_seen: None,
                checks: 0,
                runs: Vec::new(),
                refused: Vec::new(),
            });
            row.games += known.games;
            row.checks += known.checks;
            let seen = Some(known.last_seen).filter(|seen| *seen < f64::MAX);
            row.last_seen = [row.last_seen, seen].into_iter().flatten().reduce(f64::min);
            if let Some(reason) = &known.refused {
                let text = format!("{}: {reason}", run.run);
                if !row.refused.contains(&text) {
                    row.refused.push(text);
                }
            }
        }
    }
    rows.into_values().collect()
}

/// Tells a worker what to do; it answers with what it does now.
pub fn order(
    address: &Address,
    credentials: &Credentials,
    worker: &WorkerName,
    order: &Order,
) -> Result<Presence, FleetError> {
    let connection = Connection::open_quietly(address, credentials)?;
    connection.runtime.block_on(async {
        let asked = connection
            .client
            .request(Subjects::order(worker), write_json(order));
        match timeout(ANSWER, asked).await {
            Ok(Ok(message)) => {
                read_json(&message.payload).map_err(|error| FleetError::server("the worker's answer")(&error))
            }
            _ => Err(FleetError::NoWorker(worker.to_string())),
        }
    })
}

/// Tells the coordinator of a run, or of every run, what to do; how many have heard it.
pub fn order_runs(address: &Address, credentials: &Credentials, order: &Order) -> Result<usize, FleetError> {
    let connection = Connection::open_quietly(address, credentials)?;
    connection.runtime.block_on(async {
        let names = match &address.run {
            Some(run) => vec![run.clone()],
            None => runs(&connection.jetstream).await,
        };
        let mut heard = 0;
        for run in names {
            let asked = connection
                .client
                .request(Subjects(run).order_run(), write_json(order));
            heard += usize::from(matches!(timeout(ANSWER, asked).await, Ok(Ok(_))));
        }
        Ok(heard)
    })
}
