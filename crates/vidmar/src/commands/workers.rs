//! `vidmar workers`: who plays for runs, and orders to them.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::ensure;
use clap::{ArgGroup, Args};
use comfy_table::{CellAlignment, Table, presets};
use vidmar_fleet::coordinator::forget;
use vidmar_fleet::protocol::{Order, WorkerName, WorkerState};
use vidmar_fleet::roster::{Overview, order, order_runs, overview};
use vidmar_fleet::{Address, FleetError, RunName};

use crate::elsewhere::Login;
use crate::output;

/// Show the workers of a NATS server and the runs that they play for, or tell them what to do
#[derive(Args)]
#[command(
    group = ArgGroup::new("what").args(["drain", "pause", "resume", "shut_out", "let_in", "forget"]),
    after_help = "\
Examples:
  vidmar workers nats://lab-server
  vidmar workers nats://lab-server --json
  vidmar workers nats://lab-server --drain desk7-4711      # it finishes what it has begun, and ends
  vidmar workers nats://lab-server/narrow-1a2b3c4d --shut-out desk7-4711"
)]
pub(crate) struct Workers {
    /// The server; with a run, only that one is asked
    #[arg(value_name = "nats://HOST[,HOST…][/RUN]")]
    address: Address,
    /// Let a worker finish what it has begun, and end
    #[arg(long, value_name = "NAME")]
    drain: Option<WorkerName>,
    /// Let a worker take no more tasks until it is resumed
    #[arg(long, value_name = "NAME")]
    pause: Option<WorkerName>,
    /// Let a paused worker go on
    #[arg(long, value_name = "NAME")]
    resume: Option<WorkerName>,
    /// Take no more answers of a worker, and have what is not yet counted of it played again
    #[arg(long, value_name = "NAME")]
    shut_out: Option<WorkerName>,
    /// Take answers of a worker again that was shut out
    #[arg(long, value_name = "NAME")]
    let_in: Option<WorkerName>,
    /// Take a run that nobody goes on with off the server
    #[arg(long, value_name = "RUN")]
    forget: Option<RunName>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    login: Login,
}

impl Workers {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let (address, credentials) = (&self.address, &self.login.credentials());
        for (worker, wanted) in [
            (&self.drain, Order::Drain),
            (&self.pause, Order::Pause),
            (&self.resume, Order::Resume),
        ] {
            if let Some(worker) = worker {
                let presence = order(address, credentials, worker, &wanted)?;
                output::hint(&format!("worker {worker} is {}", state_name(presence.state)));
                return Ok(ExitCode::SUCCESS);
            }
        }
        let to_runs = match (self.shut_out, self.let_in) {
            (Some(worker), _) => Some(Order::ShutOut {
                worker,
                reason: "shut out by hand".to_owned(),
            }),
            (_, Some(worker)) => Some(Order::LetIn { worker }),
            _ => None,
        };
        if let Some(wanted) = to_runs {
            let heard = order_runs(address, credentials, &wanted)?;
            output::hint(&format!("{heard} runs have heard it"));
            return Ok(ExitCode::from(u8::from(heard == 0)));
        }
        if let Some(run) = &self.forget {
            forget(address, credentials, run)?;
            output::hint(&format!("run {run} is off the server"));
            return Ok(ExitCode::SUCCESS);
        }
        let found = overview(address, credentials)?;
        if let Some(run) = &address.run {
            let is_there = found.left.contains(run) || found.runs.iter().any(|known| known.run == *run);
            ensure!(is_there, FleetError::NoRun(run.clone()));
        }
        output::print(&if self.json {
            serde_json::to_string(&found)? + "\n"
        } else {
            text(&found)
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

fn state_name(state: WorkerState) -> &'static str {
    match state {
        WorkerState::Playing => "playing",
        WorkerState::Paused => "paused",
        WorkerState::Draining => "draining",
        WorkerState::Gone => "gone",
    }
}

fn text(found: &Overview) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING).set_header([
        "worker",
        "cores",
        "games at once",
        "games",
        "games/s",
        "checks",
        "last seen",
        "state",
        "refused",
    ]);
    for row in &found.workers {
        let seen = match row.last_seen {
            None => "never".to_owned(),
            Some(seconds) if seconds < 1.0 => "now".to_owned(),
            Some(seconds) => format!("{seconds:.0} s ago"),
        };
        table.add_row([
            row.name.to_string(),
            row.cores.to_string(),
            row.threads.to_string(),
            row.games.to_string(),
            format!("{:.1}", row.games_per_second),
            row.checks.to_string(),
            seen,
            state_name(row.state).to_owned(),
            row.refused.join("; "),
        ]);
    }
    for column in 1..=6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let mut text = if found.workers.is_empty() {
        "no workers\n".to_owned()
    } else {
        format!("{table}\n")
    };
    for run in &found.runs {
        let _ = writeln!(
            text,
            "run {}: {} games taken, {} open, {} answers dropped; coordinated by {}",
            run.run, run.games, run.open, run.dropped, run.coordinator
        );
    }
    for run in &found.left {
        let _ = writeln!(
            text,
            "run {run}: nobody coordinates it (--forget {run} takes it off the server)"
        );
    }
    text
}
