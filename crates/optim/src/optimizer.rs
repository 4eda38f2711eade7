//! The optimiser as its owner sees it: propose, be told, report.
//!
//! [`Optimizer`] holds a method's state, the batch that is open and the answers that are in, and nothing that cannot
//! be written down: serialise it whenever you like, also in the middle of a batch, and go on from the copy.
//!
//! *Late answers.* A method for which they make sense has a setting `lag`: so many jobs may be without an answer when the next
//! batch is planned, so that nobody waits for the last game of a batch ([`Optimizer::batches`]). Batches are learned from strictly in
//! their order, and batch r is planned as soon as batch r − 1 − ahead has been learned from, whatever else has been answered by
//! then: what is proposed depends on the answers alone, never on when they came.
//!
//! ```
//! use vidmar_optim::{Answer, Ask, Budget, Dimension, Evidence, Method, Optimizer, Repair, Setup, Space};
//!
//! let space = Space::new(vec![Dimension::integer("pawn", 0, 200), Dimension::real("scale", 0.0, 2.0)])?;
//! let setup = Setup {
//!     space,
//!     evidence: Evidence::Values { noisy: false },
//!     budget: Budget::Jobs(2_000),
//!     seed: 1,
//!     repair: Repair::Mirror,
//! };
//! let mut optimizer = Optimizer::new(setup, Method::ClassicDe.settings())?;
//! while !optimizer.is_finished() {
//!     let batch = optimizer.propose().clone();
//!     let Ask::Values(jobs) = &batch.ask else { unreachable!() };
//!     for (job, &player) in jobs.iter().enumerate() {
//!         let [pawn, scale] = batch.players[player][..] else { unreachable!() };
//!         let value = -(pawn - 100.0).powi(2) - (scale - 1.0).powi(2);
//!         optimizer.tell(batch.round, job, Answer::Value(value))?;
//!     }
//! }
//! assert_eq!(optimizer.report().recommended().vector[0], 100.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod saved;
mod setup;

use std::collections::VecDeque;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::champion::{Champion, Report, ranked};
use crate::contest::{Contest, Record, Verdict};
use crate::history;
use crate::method::{Settings, State};
use crate::protocol::{Answer, Ask, Batch, CrossEntry, Evidence, TellError, Told};
use crate::purpose::Purpose;
use crate::space::{Space, Vector};
use vidmar_rng::Rng;

pub use setup::{Budget, Setup, SetupError};

/// Why a space cannot take the place of another.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum RespaceError {
    /// Answers are missing.
    #[error("round {round} is open: change the space between rounds")]
    Open {
        /// The round.
        round: u64,
    },
    /// Not the same parameters.
    #[error("the new space has {new:?} where the old one has {old:?}: names and order must stay")]
    Different {
        /// The old space's names, as far as they differ.
        old: String,
        /// The new space's.
        new: String,
    },
}

/// What a method sees of the run.
pub(crate) struct Context<'a> {
    pub(crate) setup: &'a Setup,
    /// The number of the batch: the `round` of every random rng.
    pub(crate) round: u64,
    /// How much of the budget is used, 0 to 1.
    pub(crate) progress: f64,
}

impl Context<'_> {
    pub(crate) fn space(&self) -> &Space {
        &self.setup.space
    }

    pub(crate) fn rng(&self, purpose: Purpose, individual: usize) -> Rng {
        purpose.rng(self.setup.seed, self.round, individual as u32, 0)
    }

    /// Draws a vector of a first population in towards the start: it fills that share of every interval.
    pub(crate) fn gather(&self, vector: &mut [f64], spread: f64) {
        if spread < 1.0 {
            let around = vector.iter_mut().zip(self.space().start());
            around.for_each(|(x, start)| *x = start + spread * (*x - start));
        }
    }

    pub(crate) fn settle(&self, vector: &mut [f64]) {
        self.setup.space.settle(vector, self.setup.repair);
    }

    pub(crate) fn settled(&self, vector: &[f64]) -> Vector {
        self.setup.space.settled(vector, self.setup.repair)
    }

    pub(crate) fn confine(&self, vector: &mut [f64]) {
        self.setup.space.confine(vector, self.setup.repair);
    }

    /// What a new entry of the history begins with: this generation's games, or all that the vector has shown. An exact
    /// value is no luck, and it is not asked for again.
    pub(crate) fn entry_in_history(
        &self,
        settings: history::Settings,
        whole: Record,
        played: Record,
    ) -> Record {
        if settings.count_trials || self.setup.evidence.is_exact() {
            whole
        } else {
            played
        }
    }

    pub(crate) fn is_valued(&self) -> bool {
        matches!(self.setup.evidence, Evidence::Values { .. } | Evidence::Gradients)
    }
}

/// What a method wants done.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum Round {
    Contest(Contest),
    Rate { players: usize, games: Vec<CrossEntry> },
}

/// What came of it.
pub(crate) enum Outcome<'a> {
    Contest {
        verdict: &'a Verdict,
        batch: &'a Batch,
        answers: &'a [Answer],
    },
    Ratings(&'a [f64]),
}

impl<'a> Outcome<'a> {
    /// The verdict, for methods that never ask for ratings.
    pub(crate) fn verdict(&self) -> &'a Verdict {
        match self {
            Self::Contest { verdict, .. } => verdict,
            Self::Ratings(_) => unreachable!("only methods that ask for ratings are told ratings"),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Open {
    /// The contest behind the batch, without its players: they stand in the batch.
    contest: Option<Contest>,
    batch: Batch,
    answers: Vec<Option<Answer>>,
    missing: usize,
}

impl Open {
    /// Whether it cannot be learned from yet.
    fn is_waited_for(&self) -> bool {
        self.missing > 0 || self.answers.is_empty()
    }

    /// Whether nobody has told anything of it.
    fn is_untold(&self) -> bool {
        self.missing == self.answers.len()
    }
}

/// A method at work. See the [module](self).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "saved::Saved")]
pub struct Optimizer {
    setup: Setup,
    state: State,
    round: u64,
    jobs: u64,
    /// The next to learn from.
    open: Option<Open>,
    /// Those after it.
    #[serde(default, skip_serializing_if = "VecDeque::is_empty")]
    ahead: VecDeque<Open>,
    best: Option<Champion>,
    /// The best of the first round, where that was a population's.
    initial: Option<Champion>,
}

impl Optimizer {
    /// A fresh run of the method with these settings.
    pub fn new(setup: Setup, settings: Settings) -> Result<Self, SetupError> {
        if let Evidence::Games { games, .. } = setup.evidence {
            SetupError::unless(games > 0, "games", games, "at least 1")?;
        }
        SetupError::check_gains(&setup.space, &settings)?;
        let state = State::new(&setup, settings)?;
        Ok(Self {
            setup,
            state,
            round: 0,
            jobs: 0,
            open: None,
            ahead: VecDeque::new(),
            best: None,
            initial: None,
        })
    }

    /// What the run was set up with.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The method's settings.
    pub fn settings(&self) -> Settings {
        self.state.settings()
    }

    /// The batch that is learned from next; a new one if none is open. Proposing twice proposes the same.
    pub fn propose(&mut self) -> &Batch {
        if self.open.is_none() {
            self.open = Some(self.plan(self.round));
            self.plan_ahead();
        }
        &self.open.as_ref().expect("opened above").batch
    }

    /// All batches that may be answered now, in any order: the proposed one, and those that the method's `lag` allows after it, as
    /// far as the budget reaches.
    pub fn batches(&mut self) -> impl Iterator<Item = &Batch> {
        self.propose();
        let (budget, generation, mut jobs) = (self.setup.budget, self.generation(), self.jobs);
        let open = self.open.iter().chain(&self.ahead).enumerate();
        let is_inside = move |&(index, open): &(usize, &Open)| {
            let is_inside = match budget {
                Budget::Jobs(planned) => jobs < planned,
                Budget::Generations(planned) => generation.saturating_add(index as u64) < planned,
            };
            jobs = jobs.saturating_add(open.answers.len() as u64);
            index == 0 || is_inside
        };
        open.take_while(is_inside).map(|(_, open)| &open.batch)
    }

    /// Takes the answer to one job of a batch that is open. On an error nothing has changed.
    pub fn tell(&mut self, round: u64, job: usize, answer: Answer) -> Result<Told, TellError> {
        let first = self.open.as_mut().ok_or(TellError::NothingOpen { job })?;
        let proposed = first.batch.round;
        let open = match round.checked_sub(proposed) {
            Some(0) => Some(first),
            later => later.and_then(|later| self.ahead.get_mut(later as usize - 1)),
        };
        let open = open.ok_or(TellError::WrongRound {
            told: round,
            open: proposed,
        })?;
        let jobs = open.answers.len();
        let slot = open
            .answers
            .get_mut(job)
            .ok_or(TellError::UnknownJob { job, round, jobs })?;
        if slot.is_some() {
            return Err(TellError::AlreadyTold { job, round });
        }
        open.batch.check(job, &answer)?;
        *slot = Some(answer);
        open.missing -= 1;
        if open.missing > 0 || round != proposed {
            return Ok(Told::Waiting(open.missing));
        }
        while self.open.as_ref().is_some_and(|open| !open.is_waited_for()) {
            self.learn();
        }
        Ok(Told::Complete)
    }

    /// The jobs of the proposed batch that have no answer yet.
    pub fn missing(&self) -> Vec<usize> {
        let answers = self.open.iter().flat_map(|open| open.answers.iter().enumerate());
        answers
            .filter(|(_, answer)| answer.is_none())
            .map(|(job, _)| job)
            .collect()
    }

    /// Generations completed after the first population.
    pub fn generation(&self) -> u64 {
        self.state.generation()
    }

    /// Rounds that were learned from.
    pub fn rounds(&self) -> u64 {
        self.round
    }

    /// Games or values answered in completed rounds.
    pub fn jobs(&self) -> u64 {
        self.jobs
    }

    /// How much of the budget is used, 0 to 1.
    pub fn progress(&self) -> f64 {
        let (done, planned) = match self.setup.budget {
            Budget::Generations(planned) => (self.generation(), planned),
            Budget::Jobs(planned) => (self.jobs, planned),
        };
        if planned == 0 {
            1.0
        } else {
            (done as f64 / planned as f64).min(1.0)
        }
    }

    /// Whether the budget is used up, or the method has come to rest where nothing more can be gained. It can always
    /// propose again.
    pub fn is_finished(&self) -> bool {
        self.progress() >= 1.0 || self.state.is_at_rest()
    }

    /// The vectors that could be handed over now.
    pub fn report(&self) -> Report {
        let mut report = self.state.report(&self.context());
        if self.setup.evidence.is_exact() {
            report.by_value.clone_from(&self.best);
        }
        report
    }

    /// The best individual of the first populations: of all vectors that were evaluated in the first round, opposites and
    /// children included and whoever was selected afterwards, the one with the best efficiency in that round (then more
    /// games, then the earlier one). The same for all methods, whatever they remember; none for those that move a single
    /// point.
    pub fn initial(&self) -> Option<&Champion> {
        self.initial.as_ref()
    }

    /// How far chance alone may have moved every parameter from its start, one standard deviation; none for a method that
    /// cannot tell.
    pub fn chance(&self) -> Option<Vector> {
        self.state.chance()
    }

    /// One standard deviation of every parameter's best value, as far as the games tell; none for a method that does not keep it.
    pub fn errors(&self) -> Option<Vector> {
        self.state.errors()
    }

    /// The method's population with its counters, in its own order, settled.
    pub fn population(&self) -> Vec<Champion> {
        self.state.population(&self.context())
    }

    /// The `n` best vectors to be verified: of the history where there is one, else of the population.
    pub fn finalists(&self, n: usize) -> Vec<Champion> {
        let mut finalists = self.state.finalists(&self.context(), n);
        finalists.truncate(n);
        finalists
    }

    /// Continues with a longer or a shorter budget. False for a method that follows a schedule over its budget: it would
    /// leap in it.
    pub fn rebudget(&mut self, budget: Budget) -> bool {
        let is_free = !self.settings().plans_ahead();
        if is_free {
            self.setup.budget = budget;
        }
        is_free
    }

    /// Takes back the batches that were planned ahead, and the proposed one: the space may be changed then, and they are planned anew.
    /// Only where answers may be late, and nobody has told of any of them.
    pub fn withdraw(&mut self) {
        let mut open = self.open.iter().chain(&self.ahead);
        if self.settings().lag() > 0 && open.all(Open::is_untold) {
            (self.open, self.ahead) = (None, VecDeque::new());
        }
    }

    /// Continues in a space with other intervals, starts or frozen dimensions. Vectors that are outside are repaired.
    pub fn respace(&mut self, space: Space) -> Result<(), RespaceError> {
        if let Some(open) = &self.open {
            return Err(RespaceError::Open {
                round: open.batch.round,
            });
        }
        let names = |space: &Space| {
            space
                .dimensions()
                .iter()
                .map(|d| d.name.clone())
                .collect::<Vec<_>>()
        };
        let (old, new) = (names(&self.setup.space), names(&space));
        if old != new {
            let first = old
                .iter()
                .zip(&new)
                .position(|(a, b)| a != b)
                .unwrap_or(old.len().min(new.len()));
            let name = |names: &[String]| names.get(first).cloned().unwrap_or_else(|| "nothing".into());
            return Err(RespaceError::Different {
                old: name(&old),
                new: name(&new),
            });
        }
        self.setup.space = space;
        let context = Context {
            setup: &self.setup,
            round: self.round,
            progress: self.progress(),
        };
        self.state.respace(&context);
        if let Some(best) = &mut self.best
            && !self.setup.space.contains(&best.vector)
        {
            self.best = None;
        }
        Ok(())
    }

    fn context(&self) -> Context<'_> {
        Context {
            setup: &self.setup,
            round: self.round,
            progress: self.progress(),
        }
    }

    /// Plans as many batches as the method may be told late of.
    fn plan_ahead(&mut self) {
        let (lag, Some(open)) = (self.settings().lag(), &self.open) else {
            return;
        };
        let most = lag.div_ceil((open.answers.len() as u64).max(1));
        while (self.ahead.len() as u64) < most {
            let planned = self.plan(self.round + 1 + self.ahead.len() as u64);
            self.ahead.push_back(planned);
        }
    }

    fn plan(&mut self, round: u64) -> Open {
        let context = Context {
            setup: &self.setup,
            round,
            progress: self.progress(),
        };
        let (players, ask, contest) = match self.state.plan(&context) {
            Round::Rate { players, games } => (Vec::new(), Ask::Rate { players, games }, None),
            Round::Contest(mut contest) => {
                let inside = contest
                    .players
                    .iter()
                    .all(|player| self.setup.space.contains(player));
                debug_assert!(inside, "a player outside the space");
                let ask = contest.ask(self.setup.evidence, self.setup.seed, round);
                (std::mem::take(&mut contest.players), ask, Some(contest))
            }
        };
        let answers = vec![None; ask.jobs()];
        Open {
            contest,
            batch: Batch { round, players, ask },
            missing: answers.len(),
            answers,
        }
    }

    fn learn(&mut self) {
        let Some(open) = self.open.take() else { return };
        let answers: Vec<Answer> = open.answers.into_iter().flatten().collect();
        let context = Context {
            setup: &self.setup,
            round: self.round,
            progress: self.progress(),
        };
        match (&open.contest, answers.first()) {
            (Some(contest), _) => {
                let verdict = contest.verdict(self.setup.evidence, &open.batch, &answers);
                let outcome = Outcome::Contest {
                    verdict: &verdict,
                    batch: &open.batch,
                    answers: &answers,
                };
                self.state.learn(&context, &outcome);
                if self.round == 0 && self.state.population(&context).len() > 1 {
                    self.initial = best_of(&open.batch.players, &verdict.records);
                }
                self.jobs += answers.len() as u64;
            }
            (None, Some(Answer::Ratings(ratings))) => self.state.learn(&context, &Outcome::Ratings(ratings)),
            (None, _) => {}
        }
        if let Ask::Values(players) | Ask::Gradients(players) = &open.batch.ask {
            self.remember_best(&open.batch, players, &answers);
        }
        self.round += 1;
        self.open = self.ahead.pop_front();
        self.plan_ahead();
    }

    fn remember_best(&mut self, batch: &Batch, players: &[usize], answers: &[Answer]) {
        for (&player, answer) in players.iter().zip(answers) {
            if let Some(value) = answer.value()
                && self.best.as_ref().is_none_or(|best| value > best.score)
            {
                self.best = Some(Champion {
                    vector: batch.players[player].clone(),
                    score: value,
                    games: 1,
                });
            }
        }
    }
}

fn best_of(players: &[Vector], records: &[Record]) -> Option<Champion> {
    let best = ranked(records).into_iter().next()?;
    (records[best].games > 0).then(|| Champion::new(players[best].clone(), records[best]))
}
