//! Clients that want nothing good. After each of them the server is up, answers, and holds no more memory than it may.

mod clients;

use std::fs;
use std::time::Instant;

use anyhow::{Result, ensure};

use self::clients::{CLIENTS, Client, Held};
use super::plan::Plan;
use super::server::Server;
use super::tally::Tally;

/// The most memory of the server, in MiB: its players' budget is 512, and requests may take a little.
const MOST_MEMORY: u64 = 1024;

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let folder = plan.fresh("server")?;
    let runs = folder.join("runs");
    fs::create_dir_all(&runs)?;
    let mut server = Server::start(&plan.binary, &folder.join("state"), &runs)?;
    let mut tally = Tally::default();
    let (mut held, begun, mut most) = (Held::open(&server)?, Instant::now(), 0);
    let mut number = 0;
    // Every client once, then again with other numbers as long as there is time.
    'rounds: loop {
        for client in CLIENTS {
            if !plan.next() {
                break 'rounds;
            }
            number += 1;
            tally.trials += 1;
            let outcome = visit(&mut server, client, plan, number);
            most = most.max(server.memory());
            match outcome {
                Ok(requests) => tally.count("requests", requests),
                Err(error) => tally.find(
                    format!("{}: {error:#}", client.name),
                    format!("cargo xtask torture --only requests --rounds {number} (seed and order as here)"),
                ),
            }
            if !server.is_up() {
                server = Server::start(&plan.binary, &folder.join("state"), &runs)?;
                held = Held::open(&server)?;
            }
        }
    }
    if let Err(error) = held.are_closed(begun.elapsed()) {
        tally.find(
            format!("slow clients: {error:#}"),
            "cargo xtask torture --only requests",
        );
    }
    tally.count("MiB at most", most);
    Ok(tally)
}

/// A client, and then a look at the server.
fn visit(server: &mut Server, client: &Client, plan: &Plan, number: u64) -> Result<u64> {
    let requests = (client.visit)(server, &mut plan.rng(number))?;
    ensure!(server.is_up(), "the server has ended");
    let answer = server.get("/about")?;
    ensure!(
        answer.status == 200,
        "afterwards /about is answered with {}",
        answer.status
    );
    let memory = server.memory();
    ensure!(memory <= MOST_MEMORY, "{memory} MiB of memory");
    Ok(requests)
}
