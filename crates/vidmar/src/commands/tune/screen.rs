//! What the user sees while a pipeline goes on.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use vidmar_optim::{Budget, Space};
use vidmar_text::duration;
use vidmar_tune::objective::texel::Tried;
use vidmar_tune::pipeline::{Event, Observer};
use vidmar_tune::run::{self, Generation, Run};
use vidmar_tune::status::View;

use super::pipeline::Driving;
use super::show;
use crate::output;

/// Lines come no faster than this.
const PACE: Duration = Duration::from_secs(2);

/// Prints lines on the way, and what a stage came to at its end.
pub(super) struct Screen {
    driving: Driving,
    stage: Option<Stage>,
    counts: Option<Counts>,
    /// Why the result could not be printed.
    failure: Option<anyhow::Error>,
}

/// A stage whose tuning goes on.
struct Stage {
    planned: Budget,
    space: Space,
    started: Instant,
    /// Jobs that were done before this process went on with it.
    before: u64,
    shown: Option<Instant>,
}

/// Games of one kind that are counted.
struct Counts {
    what: &'static str,
    started: Instant,
    shown: Instant,
    first: u64,
}

impl Observer for Screen {
    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Stage(run) => self.begin(run),
            Event::Tuning(run::Event::Generation {
                generation,
                taken,
                faults,
            }) => self.generation(generation, *taken, *faults),
            Event::Tuning(run::Event::Preparing { done, total }) => self.count("positions", *done, *total),
            Event::Tuning(run::Event::Tried { tried, total }) => self.tried(tried, *total),
            Event::Tuning(run::Event::Job { .. }) => {}
            Event::Validation { done, total } => self.count("validation", *done, *total),
            Event::Gauntlet { done, total } => self.count("gauntlet", *done, *total),
            Event::Complete { view, files } => {
                let printed = self.complete(view, files);
                self.failure = self.failure.take().or(printed.err());
            }
        }
    }
}

impl Screen {
    pub(super) fn new(driving: Driving) -> Screen {
        Screen {
            driving,
            stage: None,
            counts: None,
            failure: None,
        }
    }

    pub(super) fn is_json(&self) -> bool {
        self.driving.json
    }

    /// What could not be printed is an error.
    pub(super) fn end(self) -> anyhow::Result<()> {
        self.failure.map_or(Ok(()), Err)
    }

    fn begin(&mut self, run: &Run) {
        self.counts = None;
        let space = run.tunables().space().clone();
        if !self.driving.is_silent() {
            output::hint(&format!(
                "{} over {} parameters in {}, {} threads, seed {}",
                run.config().method().name(),
                space.degrees(),
                run.directory().display(),
                self.driving.threads(),
                run.config().seed
            ));
        }
        self.stage = Some(Stage {
            planned: run.optimizer().setup().budget,
            space,
            started: Instant::now(),
            before: run.optimizer().jobs(),
            shown: None,
        });
    }

    fn generation(&mut self, generation: &Generation, taken: run::Taken, faults: u64) {
        let Some(stage) = &mut self.stage else { return };
        if self.driving.json {
            let line = show::generation_json(generation, taken, faults, &stage.space);
            // A reader that has gone away does not end the run.
            let _ = output::print(&(line + "\n"));
        } else if !self.driving.quiet {
            stage.line(generation, faults);
        }
    }

    fn tried(&self, tried: &Tried, total: usize) {
        if self.driving.json {
            let _ = output::print(&(show::tried_json(tried) + "\n"));
        } else if !self.driving.quiet {
            output::hint(&format!("one of {total} to learn by: {}", show::tried(tried)));
        }
    }

    fn count(&mut self, what: &'static str, done: u64, total: u64) {
        let is_same = |counts: &Counts| counts.what == what;
        let counts = match self.counts.take().filter(is_same) {
            Some(counts) => counts,
            None => Counts {
                what,
                started: Instant::now(),
                shown: Instant::now(),
                first: done - 1,
            },
        };
        let counts = self.counts.insert(counts);
        if self.driving.is_silent() || (counts.shown.elapsed() < PACE && done < total) {
            return;
        }
        counts.shown = Instant::now();
        let rate = (done - counts.first) as f64 / counts.started.elapsed().as_secs_f64().max(1e-9);
        output::hint(&format!(
            "{what}  games {done}/{total}  {rate:.1}/s  {} to go",
            duration((total - done) as f64 / rate)
        ));
    }

    fn complete(&self, view: &View, files: &[(String, PathBuf)]) -> anyhow::Result<()> {
        if self.driving.json {
            output::print(&(serde_json::to_string(&view.status()?)? + "\n"))
        } else {
            output::print(&show::result(view, files)?)
        }
    }
}

impl Stage {
    fn line(&mut self, generation: &Generation, faults: u64) {
        let elapsed = self.started.elapsed().as_secs_f64();
        let rate = (generation.games - self.before) as f64 / elapsed.max(1e-9);
        let (done, left) = match self.planned {
            Budget::Generations(planned) => {
                let each = generation.games as f64 / (generation.generation + 1) as f64;
                let left = planned.saturating_sub(generation.generation) as f64 * each;
                (format!("generation {}/{planned}", generation.generation), left)
            }
            Budget::Jobs(planned) => {
                let left = planned.saturating_sub(generation.games) as f64;
                (format!("generation {}", generation.generation), left)
            }
        };
        if self.shown.is_some_and(|shown| shown.elapsed() < PACE) && left > 0.0 {
            return;
        }
        self.shown = Some(Instant::now());
        let kept_out = generation.fit.and_then(|fit| fit.kept_out_loss);
        let kept_out = kept_out.map_or_else(String::new, |loss| format!("  kept out {:.6}", -loss));
        let scores = generation.scores().map_or_else(String::new, |(best, mean)| {
            if generation.fit.is_some() {
                format!("  best {best:.6}")
            } else {
                format!("  best {best:.3} mean {mean:.3}")
            }
        });
        output::hint(&format!(
            "{done}  games {}  {rate:.1}/s  {} to go{scores}{kept_out}  spread {:.1} %  faults {faults}  {}",
            generation.games,
            duration(left / rate.max(1e-9)),
            100.0 * generation.spread(&self.space),
            show::largest_changes(&self.space, &generation.centroid, 3),
        ));
    }
}
