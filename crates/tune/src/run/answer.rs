//! The answers to a round's jobs: from the store, or by doing them.

use vidmar_arena::Job;
use vidmar_chess::{ByColor, Color, Outcome};
use vidmar_engine::Control;
use vidmar_optim::purpose::Purpose;
use vidmar_optim::{Answer, Ask, Batch, Pairing};

use super::{Event, Run, RunError, told};
use crate::desk::Contestant;
use crate::fixtures::{Fixture, Progress, play_all};
use crate::objective::{Judge, values};
use crate::parameters::Candidate;
use crate::ratings::ratings_of;

/// The contestants of a round with their places in the store.
struct Table {
    contestants: Vec<Contestant>,
    places: Vec<u32>,
}

impl Run {
    /// One answer for every job; none if it was stopped.
    pub(super) fn answers(
        &mut self,
        batch: &Batch,
        threads: usize,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Option<Vec<Answer>>, RunError> {
        match &batch.ask {
            Ask::Rate { players, games } => Ok(Some(vec![Answer::Ratings(ratings_of(*players, games))])),
            Ask::Games(pairings) => {
                let table = self.table(batch, &[])?;
                let planned: Vec<Fixture> = pairings
                    .iter()
                    .enumerate()
                    .map(|(job, pairing)| self.planned_pairing(batch.round, job, pairing, &table))
                    .collect();
                let results = self.play(&planned, &table, threads, control, observe)?;
                Ok(results.map(|results| results.into_iter().map(|r| Answer::Game(told(r))).collect()))
            }
            Ask::Values(players) if self.judge.is_none() => {
                self.against_opponents(batch, players, threads, control, observe)
            }
            Ask::Values(players) => Ok(self.judged(batch, players, threads, control, observe)),
            Ask::Gradients(players) => Ok(self.differentiated(batch, players, threads, control)),
        }
    }

    /// The number of the first game of the next round.
    pub(super) fn numbers_before(&self) -> u64 {
        let each = match self.optimizer.setup().evidence {
            vidmar_optim::Evidence::Values { .. } | vidmar_optim::Evidence::Gradients => {
                u64::from(self.config.objective.games)
            }
            vidmar_optim::Evidence::Games { .. } => 1,
        };
        self.optimizer.jobs() * each
    }

    fn table(&mut self, batch: &Batch, others: &[(String, Contestant)]) -> Result<Table, RunError> {
        let mut table = Table {
            contestants: batch
                .players
                .iter()
                .map(|vector| self.contestant(vector))
                .collect(),
            places: Vec::new(),
        };
        for vector in &batch.players {
            let description = serde_json::to_string(vector).map_err(|error| RunError::State {
                what: "a vector",
                reason: error.to_string(),
            })?;
            table.places.push(self.journal.place(description));
        }
        for (description, contestant) in others {
            table.contestants.push(contestant.clone());
            table.places.push(self.journal.place(description.clone()));
        }
        Ok(table)
    }

    fn planned(&self, round: u64, number: u64, sides: ByColor<usize>, seed: u64, table: &Table) -> Fixture {
        let limits = |side: Color| table.contestants[sides[side]].limits(&self.config.engine);
        Fixture {
            job: Job {
                number,
                players: ByColor::from_fn(|side| table.places[sides[side]] as usize),
                opening: self.book.tuning(seed),
                control: ByColor::from_fn(limits),
                seed,
            },
            sides,
            round,
        }
    }

    fn planned_pairing(&self, round: u64, job: usize, pairing: &Pairing, table: &Table) -> Fixture {
        let sides = ByColor::new(pairing.white, pairing.black);
        self.planned(
            round,
            self.numbers_before() + job as u64,
            sides,
            pairing.seed,
            table,
        )
    }

    /// Plays what the store does not know yet; the results in order, or none if it was stopped.
    fn play(
        &mut self,
        fixtures: &[Fixture],
        table: &Table,
        threads: usize,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Option<Vec<Option<Outcome>>>, RunError> {
        let first = fixtures.first().map_or(0, |fixture| fixture.job.number);
        let faults = &mut self.faults;
        let mut watch = |progress: &Progress| {
            *faults += progress.faults;
            observe(&Event::Job {
                done: first + progress.done,
                faults: *faults,
            });
        };
        play_all(
            &mut self.journal,
            fixtures,
            &table.contestants,
            &self.rules,
            (threads, control),
            &mut watch,
        )
    }

    /// Every player meets the same opponents in the same openings: what differs between two players of a round is them.
    fn against_opponents(
        &mut self,
        batch: &Batch,
        players: &[usize],
        threads: usize,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Option<Vec<Answer>>, RunError> {
        let opponents = self.opponents()?;
        let table = self.table(batch, &opponents)?;
        let games = self.config.objective.games;
        let first = self.numbers_before();
        let mut planned = Vec::new();
        for (job, &player) in players.iter().enumerate() {
            for game in 0..games {
                let pair = if self.config.objective.paired {
                    game / 2
                } else {
                    game
                };
                let opponent = batch.players.len() + pair as usize % opponents.len();
                let sides = if game % 2 == 0 {
                    ByColor::new(player, opponent)
                } else {
                    ByColor::new(opponent, player)
                };
                let seed = Purpose::Game
                    .rng(self.config.seed, batch.round, pair, u32::MAX)
                    .bits();
                let number = first + job as u64 * u64::from(games) + u64::from(game);
                planned.push(self.planned(batch.round, number, sides, seed, &table));
            }
        }
        let Some(results) = self.play(&planned, &table, threads, control, observe)? else {
            return Ok(None);
        };
        let answers = results.chunks(games as usize).enumerate().map(|(job, results)| {
            let points = |(game, result): (usize, &Option<Outcome>)| {
                result.map(|result| f64::from(result.half_points(Color::ALL[game % 2])) / 2.0)
            };
            let counted: Vec<f64> = results.iter().enumerate().filter_map(points).collect();
            if counted.is_empty() {
                return Err(self.no_evidence(batch.round, job));
            }
            Ok(Answer::Value(counted.iter().sum::<f64>() / counted.len() as f64))
        });
        answers.collect::<Result<Vec<Answer>, RunError>>().map(Some)
    }

    fn no_evidence(&self, round: u64, job: usize) -> RunError {
        let faults = self
            .journal
            .store()
            .faults(self.journal.run())
            .unwrap_or_default();
        RunError::NoEvidence {
            round,
            job,
            fault: faults
                .last()
                .map_or_else(|| "unknown".into(), |f| format!("{}: {}", f.kind, f.detail)),
        }
    }

    /// The fixed opponents with what the store calls them.
    fn opponents(&self) -> Result<Vec<(String, Contestant)>, RunError> {
        let read = |spec: &String| {
            let contestant = if spec == "start" {
                self.contestant(self.tunables.space().start())
            } else {
                Contestant::of_spec(spec).map_err(|reason| RunError::Opponent {
                    spec: spec.clone(),
                    reason,
                })?
            };
            Ok((spec.clone(), contestant))
        };
        self.config.objective.opponents.iter().map(read).collect()
    }

    /// Values with gradients, which only labelled positions give; all threads work on each.
    fn differentiated(
        &self,
        batch: &Batch,
        players: &[usize],
        threads: usize,
        control: &Control,
    ) -> Option<Vec<Answer>> {
        let Some(Judge::Texel(texel)) = &self.judge else {
            return None;
        };
        let derivatives =
            |&player: &usize| texel.derivatives(&self.tunables, &batch.players[player], threads, control);
        players
            .iter()
            .map(|player| derivatives(player).map(Answer::Derivatives))
            .collect()
    }

    fn judged(
        &self,
        batch: &Batch,
        players: &[usize],
        threads: usize,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Option<Vec<Answer>> {
        let judge = self.judge.as_ref()?;
        let candidates: Vec<Candidate> = players
            .iter()
            .map(|&player| self.tunables.candidate(&batch.players[player]))
            .collect();
        let (before, mut done) = (self.optimizer.jobs(), 0);
        let value = |index: usize| judge.value(&batch.players[players[index]], &candidates[index], control);
        let values = values(players.len(), threads, control, value, || {
            done += 1;
            observe(&Event::Job {
                done: before + done,
                faults: 0,
            });
        });
        values.map(|values| values.into_iter().map(Answer::Value).collect())
    }
}
