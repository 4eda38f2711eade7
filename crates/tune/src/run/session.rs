//! A session: from one start of a run to its next stop, round by round.

use vidmar_engine::Control;
use vidmar_optim::{Answer, Ask, Batch, Space};

use super::rounds::Rounds;
use super::stopwatch::Stopwatch;
use super::{Context, Event, Generation, PAUSED, RUNNING, Run, RunError, Stop, TUNED};
use crate::objective::Objective;
use crate::ratings::ratings_of;
use crate::resources::Resources;

/// From one start of a run to its next stop.
pub(super) struct Session<'a> {
    pub(super) resources: &'a Resources,
    pub(super) control: &'a Control,
    pub(super) observe: &'a mut dyn FnMut(&Event<'_>),
    watch: Stopwatch,
}

impl Run {
    /// Goes on until the budget is used up or `control` says stop.
    pub fn advance(
        &mut self,
        resources: &Resources,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Stop, RunError> {
        let stop = self.go_on(resources, control, observe);
        if let Err(error) = &stop {
            self.journal.note_failure(error);
        }
        stop
    }

    fn go_on(
        &mut self,
        resources: &Resources,
        control: &Control,
        observe: &mut dyn FnMut(&Event<'_>),
    ) -> Result<Stop, RunError> {
        let mut session = self.session(resources, control, observe);
        self.faults = 0;
        if !self.is_over() {
            self.journal.set_state(RUNNING)?;
        }
        if !self.is_over() && !self.prepare(&mut session)? {
            self.journal.set_state(PAUSED)?;
            return Ok(Stop::Interrupted);
        }
        loop {
            self.taken = session.watch.taken();
            self.look_at_rules(self.taken)?;
            if self.is_over() {
                self.journal.set_state(TUNED)?;
                return Ok(Stop::Finished);
            }
            if control.is_stopped() || !self.turn(&mut session)? {
                self.journal.set_state(PAUSED)?;
                return Ok(Stop::Interrupted);
            }
        }
    }

    fn session<'a>(
        &self,
        resources: &'a Resources,
        control: &'a Control,
        observe: &'a mut dyn FnMut(&Event<'_>),
    ) -> Session<'a> {
        Session {
            resources,
            control,
            observe,
            watch: Stopwatch::start(self.taken),
        }
    }

    /// One round, or all where games are played; false if it was stopped.
    fn turn(&mut self, session: &mut Session<'_>) -> Result<bool, RunError> {
        if self.objective.games().is_some() {
            return self.play(Rounds::All, session);
        }
        let batch = self.optimizer.propose().clone();
        let Some(answers) = self.answers(&batch, session)? else {
            return Ok(false);
        };
        self.tell(&batch, answers, session)?;
        Ok(true)
    }

    /// Tells the optimiser what a round came to, and saves what that led to.
    pub(super) fn tell(
        &mut self,
        batch: &Batch,
        answers: Vec<Answer>,
        session: &mut Session<'_>,
    ) -> Result<(), RunError> {
        let earlier = self.optimizer.generation();
        let is_first = self.optimizer.jobs() == 0;
        for (job, answer) in answers.into_iter().enumerate() {
            self.optimizer.tell(batch.round, job, answer)?;
        }
        let now = self.optimizer.generation();
        // A method may come to rest while it compares steps, with no generation of its own: the last is told again, complete.
        let is_told = is_first || now > earlier || self.optimizer.is_finished();
        let generation = is_told.then(|| self.generation(session.resources.threads));
        self.taken = session.watch.taken();
        let taken = self.taken;
        self.journal
            .complete(&self.optimizer, generation.as_ref(), taken)?;
        if let Some(generation) = &generation {
            (session.observe)(&Event::Generation {
                generation,
                taken,
                faults: self.faults,
            });
        }
        Ok(())
    }

    /// What the optimiser has come to.
    fn generation(&self, threads: usize) -> Generation {
        let mut generation = Generation::of(&self.optimizer);
        if let Some(best) = &generation.by_value {
            generation.fit = self.objective.fit(&self.tunables, &best.vector);
            if self.optimizer.is_finished() {
                generation.errors = self.objective.errors(&self.tunables, &best.vector, threads);
            }
        }
        generation
    }

    /// Everything that the first round needs; false if it was stopped.
    fn prepare(&mut self, session: &mut Session<'_>) -> Result<bool, RunError> {
        let (objective, mut context) = self.context(session);
        objective.prepare(&mut context)
    }

    /// One answer for every job; none if it was stopped.
    fn answers(&mut self, batch: &Batch, session: &mut Session<'_>) -> Result<Option<Vec<Answer>>, RunError> {
        if let Ask::Rate { players, games } = &batch.ask {
            return Ok(Some(vec![Answer::Ratings(ratings_of(*players, games))]));
        }
        let (objective, mut context) = self.context(session);
        objective.answers(batch, &mut context)
    }

    /// The objective, and what it sees of the run.
    pub(super) fn context<'a>(
        &'a mut self,
        session: &'a mut Session<'_>,
    ) -> (&'a mut dyn Objective, Context<'a>) {
        let context = Context {
            config: &self.config,
            tunables: &self.tunables,
            setup: self.optimizer.setup(),
            jobs: self.optimizer.jobs(),
            book: &self.book,
            rules: &self.rules,
            journal: &mut self.journal,
            threads: session.resources.threads,
            executor: &*session.resources.executor,
            control: session.control,
            observe: &mut *session.observe,
        };
        (self.objective.as_mut(), context)
    }

    /// Goes on in a space with other intervals or frozen parameters. Rounds that were begun are finished first.
    pub fn respace(
        &mut self,
        change: impl FnOnce(&Space) -> Result<Space, RunError>,
        resources: &Resources,
        control: &Control,
    ) -> Result<Stop, RunError> {
        let mut nobody = |_: &Event<'_>| {};
        let mut session = self.session(resources, control, &mut nobody);
        if let Some(begun) = self.end_of_begun()
            && !self.play(Rounds::Below(begun), &mut session)?
        {
            self.journal.set_state(PAUSED)?;
            return Ok(Stop::Interrupted);
        }
        let space = change(&self.optimizer.setup().space)?;
        self.optimizer.withdraw();
        self.optimizer.respace(space.clone())?;
        self.tunables = self.tunables.clone().with_space(space);
        self.taken = session.watch.taken();
        self.journal.complete(&self.optimizer, None, self.taken)?;
        Ok(Stop::Finished)
    }

    /// The number after the last game that is there of rounds that were not learned from; none where there is no such game.
    fn end_of_begun(&self) -> Option<u64> {
        let each = u64::from(self.config.objective.games_per_job());
        let known = self.journal.known_from(self.optimizer.jobs() * each);
        known.last().filter(|_| each > 0).map(|game| game.number + 1)
    }
}
