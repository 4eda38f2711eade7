//! A match and a tuning run on two workers, where the workers, the coordinator and the server are killed at random moments: a worker
//! is followed by another one, a coordinator by one that resumes, a server by itself after a while. Some servers are killed while a
//! worker and a coordinator begin.

use std::path::PathBuf;
use std::thread;
use std::time::Duration;

use anyhow::Result;
use vidmar_rng::Rng;

use super::lives::{Calm, Kind, Subject};
use super::plan::Plan;
use super::tally::Tally;
use super::trial::silent;
use crate::nats::{Process, Server};

/// Kills of one life; then it may end.
const KILLS: u32 = 30;

/// Between two kills, how long others begin before a server is killed, and how long that stays away, at most, in milliseconds.
const MOMENTS: u64 = 1500;
const BEGINNING: u64 = 800;
const AWAY: u64 = 3000;

/// How long what is left may take after the last kill: what a killed worker had taken comes back after a while.
const REST: Duration = Duration::from_mins(10);

/// Some thousand games.
const KIND: Kind<'_> = Kind {
    rounds: "1500",
    generations: "budget.generations=40",
    on: None,
};

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let calm = Calm::make(plan, KIND)?;
    plan.each(&Subject::by_turns(), |worker, &(number, subject)| {
        let folder = plan.empty(worker)?;
        let server = Server::start(&folder)?;
        let url = server.url();
        let mut life = Life {
            plan,
            subject,
            kind: Kind {
                on: Some(&url),
                ..KIND
            },
            workers: Vec::new(),
            begun: 0,
            server,
            folder,
            history: Vec::new(),
        };
        life.live(&mut plan.rng(number + 1), &calm)
    })
}

/// From a beginning to an end, with kills in between.
struct Life<'p> {
    plan: &'p Plan,
    subject: Subject,
    kind: Kind<'p>,
    workers: Vec<Process>,
    /// Workers that were started.
    begun: u64,
    server: Server,
    folder: PathBuf,
    history: Vec<String>,
}

impl Life<'_> {
    fn live(&mut self, rng: &mut Rng, calm: &Calm) -> Result<Tally> {
        let mut tally = Tally::default();
        for _ in 0..2 {
            self.start_worker()?;
        }
        let mut coordinator = self.coordinate()?;
        for _ in 0..KILLS {
            if !self.plan.next() {
                break;
            }
            thread::sleep(Duration::from_millis(rng.below(MOMENTS)));
            if coordinator.0.try_wait()?.is_some() {
                break;
            }
            self.kill(rng, &mut coordinator, &mut tally)?;
            tally.trials += 1;
        }
        let ended = coordinator
            .end(REST)
            .and_then(|()| self.subject.compare(self.plan, &self.folder, calm));
        if let Err(error) = ended {
            tally.find(format!("{error:#}"), self.history.join("; "));
        }
        tally.note(self.subject.name());
        Ok(tally)
    }

    fn kill(&mut self, rng: &mut Rng, coordinator: &mut Process, tally: &mut Tally) -> Result<()> {
        let victim = match rng.below(10) {
            0..=3 => {
                self.replace_worker(tally)?;
                "workers killed"
            }
            4..=6 => {
                self.replace(coordinator)?;
                "coordinators killed"
            }
            7 | 8 => {
                self.replace_worker(tally)?;
                self.replace(coordinator)?;
                thread::sleep(Duration::from_millis(rng.below(BEGINNING)));
                self.kill_server(rng)?;
                "servers killed after a worker and a coordinator that followed others began"
            }
            _ => {
                self.kill_server(rng)?;
                "servers killed"
            }
        };
        self.history.push(victim.to_owned());
        tally.note(victim);
        Ok(())
    }

    /// Kills the oldest worker, which must be there, and starts another one.
    fn replace_worker(&mut self, tally: &mut Tally) -> Result<()> {
        let mut oldest = self.workers.remove(0);
        if let Some(status) = oldest.0.try_wait()? {
            tally.find(
                format!("a worker ended by itself: {status}"),
                self.history.join("; "),
            );
        }
        drop(oldest);
        self.start_worker()
    }

    /// Kills the coordinator, and starts one that goes on.
    fn replace(&self, coordinator: &mut Process) -> Result<()> {
        coordinator.kill();
        *coordinator = self.coordinate()?;
        Ok(())
    }

    /// Kills the server, and starts it again after a while.
    fn kill_server(&mut self, rng: &mut Rng) -> Result<()> {
        self.server.process.kill();
        thread::sleep(Duration::from_millis(rng.below(AWAY)));
        self.server.restart()
    }

    fn start_worker(&mut self) -> Result<()> {
        self.begun += 1;
        let (url, name) = (self.server.url(), format!("mortal-{}", self.begun));
        let words = ["worker", &url, "--threads", "1", "--name", &name];
        self.workers.push(self.process(&words)?);
        Ok(())
    }

    /// The process that coordinates what there is to be played.
    fn coordinate(&self) -> Result<Process> {
        let words = self.subject.words(self.plan, &self.folder, self.kind);
        self.process(&words)
    }

    fn process(&self, words: &[&str]) -> Result<Process> {
        Process::start(silent(&mut self.plan.vidmar(&self.folder, words)))
    }
}
