//! One worker: takes a game, plays it, reports it, until nothing is left.

use std::sync::mpsc::Sender;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use vidmar_chess::{ByColor, Termination};
use vidmar_engine::Control;
use vidmar_players::{Fault, FaultKind, Player};

use super::{Event, FaultPolicy, MOST_ATTEMPTS, Match, MatchError, Supply};
use crate::archive::stored_game;
use crate::job::Job;
use crate::play::play;
use crate::record::Record;
use crate::rules::Rules;

/// Whoever ends a whole session (a service manager, a closing machine) ends engines too, perhaps before we hear of it: a
/// fault is believed only if nobody has asked us to stop this much later.
const DOUBT: Duration = Duration::from_millis(100);

/// Works until the supply is empty or the match stops.
pub(super) fn work(contest: &Match, supply: &Mutex<Supply>, control: &Control, events: &Sender<Event>) {
    let mut worker = Worker::new(contest);
    while !control.is_stopped() {
        let number = supply.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(number) = number else { break };
        match worker.play(number, control) {
            Ok(Some(event)) => {
                // The match listens until every worker has said that it is idle.
                let _ = events.send(event);
            }
            Ok(None) => break,
            Err(error) => {
                let _ = events.send(Event::Failed(error));
                break;
            }
        }
    }
    drop(worker);
    let _ = events.send(Event::Idle);
}

struct Worker<'m> {
    contest: &'m Match,
    rules: Rules,
    /// The players that this worker has needed so far, by place.
    players: Vec<Option<Box<dyn Player>>>,
}

impl<'m> Worker<'m> {
    fn new(contest: &'m Match) -> Worker<'m> {
        Worker {
            rules: Rules {
                faults_lose: contest.faults == FaultPolicy::Loss,
                ..contest.rules.clone()
            },
            players: contest.entrants.iter().map(|_| None).collect(),
            contest,
        }
    }

    /// Plays a game until it counts; nothing if the match was stopped before it did.
    fn play(&mut self, number: u64, control: &Control) -> Result<Option<Event>, MatchError> {
        if !self.contest.wait.is_zero() {
            std::thread::sleep(self.contest.wait);
        }
        let slot = self.contest.schedule.slot(number);
        let job = self.contest.job(&slot);
        let mut faults = Vec::new();
        for attempt in 0..MOST_ATTEMPTS {
            let record = self.attempt(&job, control)?;
            if !record.faults.is_empty() && !control.is_stopped() {
                std::thread::sleep(DOUBT);
            }
            if record.termination == Termination::Stopped
                || (!record.faults.is_empty() && control.is_stopped())
            {
                return Ok(None);
            }
            for (side, fault) in &record.faults {
                faults.push((job.players[*side], attempt, fault.clone()));
            }
            let ended_by_fault = matches!(
                record.termination,
                Termination::Fault(_) | Termination::TimeForfeit(_)
            );
            let again =
                ended_by_fault && self.contest.faults == FaultPolicy::Replay && attempt + 1 < MOST_ATTEMPTS;
            if !again {
                return Ok(Some(Event::Played {
                    game: Box::new(stored_game(&job, slot.round, &record)),
                    faults,
                }));
            }
        }
        unreachable!("the last attempt is never followed by another")
    }

    /// Plays a game once. A player that does not come back after its fault ends the match.
    fn attempt(&mut self, job: &Job, control: &Control) -> Result<Record, MatchError> {
        let places = [
            job.players[vidmar_chess::Color::White],
            job.players[vidmar_chess::Color::Black],
        ];
        for place in places {
            self.ready(place)?;
        }
        let [Some(white), Some(black)] = self
            .players
            .get_disjoint_mut(places)
            .expect("a schedule names two different players of the match")
        else {
            unreachable!("both were made ready")
        };
        let record = play(
            job,
            ByColor::new(white.as_mut(), black.as_mut()),
            &self.rules,
            control,
        );
        if control.is_stopped() {
            return Ok(record);
        }
        match record.faults.last() {
            Some((side, fault)) if fault.kind == FaultKind::Start && record.faults.len() > 1 => {
                Err(self.lost(job.players[*side], fault.clone()))
            }
            _ => Ok(record),
        }
    }

    /// Sees that the player of a place is there.
    fn ready(&mut self, place: usize) -> Result<(), MatchError> {
        let entrant = &self.contest.entrants[place];
        let done = match &mut self.players[place] {
            None => (entrant.make)().map(|player| self.players[place] = Some(player)),
            Some(player) if entrant.restart => player.restart(),
            Some(_) => Ok(()),
        };
        done.map_err(|fault| self.lost(place, fault))
    }

    fn lost(&self, place: usize, fault: Fault) -> MatchError {
        MatchError::Start {
            name: self.contest.entrants[place].name.clone(),
            fault,
        }
    }
}
