//! What the user sees while a pipeline goes on: a bar with the running values on a terminal, lines elsewhere.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use vidmar_optim::{Budget, Space};
use vidmar_text::duration;
use vidmar_tune::objective::texel::Tried;
use vidmar_tune::pipeline::{Event, Observer};
use vidmar_tune::run::{self, Generation, Run};
use vidmar_tune::status::View;

use super::pipeline::Driving;
use super::show;
use super::values::running;
use crate::output;

/// Lines come no faster than this.
const PACE: Duration = Duration::from_secs(2);

/// Shows what happens on the way, and what a stage came to at its end.
pub(super) struct Screen {
    driving: Driving,
    stage: Option<Stage>,
    counts: Option<Counts>,
    /// Hidden unless standard error is a terminal.
    bar: ProgressBar,
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
    /// The values as they are now, in one line.
    running: String,
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
            Event::Tuning(run::Event::Job { done, .. }) => self.job(*done),
            Event::Validation { done, total } => self.count("validation", *done, *total),
            Event::Gauntlet { done, total } => self.count("gauntlet", *done, *total),
            Event::Complete { view, files } => {
                self.bar.finish_and_clear();
                let printed = self.complete(view, files);
                self.failure = self.failure.take().or(printed.err());
            }
        }
    }
}

impl Screen {
    pub(super) fn new(driving: Driving) -> Screen {
        Screen {
            bar: bar(driving.is_silent()),
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
        self.bar.finish_and_clear();
        self.failure.map_or(Ok(()), Err)
    }

    /// A line of help, above the bar.
    fn hint(&self, text: &str) {
        self.bar.suspend(|| output::hint(text));
    }

    fn begin(&mut self, run: &Run) {
        self.counts = None;
        let space = run.tunables().space().clone();
        if !self.driving.is_silent() {
            self.hint(&format!(
                "{} over {} parameters in {}, {} threads, seed {}",
                run.config().method().name(),
                space.degrees(),
                run.directory().display(),
                self.driving.threads(),
                run.config().seed
            ));
        }
        self.bar = bar(self.driving.is_silent());
        let running = running(&space, &run.optimizer().report().centroid);
        self.stage = Some(Stage {
            planned: run.optimizer().setup().budget,
            space,
            started: Instant::now(),
            before: run.optimizer().jobs(),
            shown: None,
            running,
        });
    }

    /// A game of the open round: the bar goes on, where games are counted.
    fn job(&mut self, done: u64) {
        let Some(stage) = &self.stage else { return };
        if let Budget::Jobs(planned) = stage.planned {
            let rate =
                done.saturating_sub(stage.before) as f64 / stage.started.elapsed().as_secs_f64().max(1e-9);
            self.advance("games", done, planned, rate);
        }
    }

    /// Moves the bar.
    fn advance(&self, what: &'static str, done: u64, total: u64, rate: f64) {
        if self.bar.is_hidden() {
            return;
        }
        self.bar.set_length(total);
        self.bar.set_position(done);
        let left = duration(total.saturating_sub(done) as f64 / rate.max(1e-9));
        let values = self.stage.as_ref().map_or("", |stage| &stage.running);
        self.bar.set_prefix(what);
        self.bar
            .set_message(format!("{rate:.1}/s, {left} to go\n{values}"));
    }

    fn generation(&mut self, generation: &Generation, taken: run::Taken, faults: u64) {
        let Some(stage) = &mut self.stage else { return };
        if self.driving.json {
            let line = show::generation_json(generation, taken, faults, &stage.space);
            // A reader that has gone away does not end the run.
            let _ = output::print(&(line + "\n"));
        } else if !self.driving.quiet {
            stage.running = running(&stage.space, generation.best());
            let (rate, planned) = (stage.rate(generation), stage.planned);
            if self.bar.is_hidden() {
                stage.line(generation, faults);
            } else if let Budget::Generations(planned) = planned {
                let each = generation.games as f64 / (generation.generation + 1) as f64;
                self.advance(
                    "generations",
                    generation.generation,
                    planned,
                    rate / each.max(1e-9),
                );
            }
        }
    }

    fn tried(&self, tried: &Tried, total: usize) {
        if self.driving.json {
            let _ = output::print(&(show::tried_json(tried) + "\n"));
        } else if !self.driving.quiet {
            self.hint(&format!("one of {total} to learn by: {}", show::tried(tried)));
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
        if self.driving.is_silent() {
            return;
        }
        let rate = (done - counts.first) as f64 / counts.started.elapsed().as_secs_f64().max(1e-9);
        if !self.bar.is_hidden() {
            self.advance(what, done, total, rate);
        } else if counts.shown.elapsed() >= PACE || done >= total {
            counts.shown = Instant::now();
            output::hint(&format!(
                "{what}  games {done}/{total}  {rate:.1}/s  {} to go",
                duration((total - done) as f64 / rate)
            ));
        }
    }

    /// A stage that others follow and that has no validation of its own is told in a line.
    fn complete(&self, view: &View, files: &[(String, PathBuf)]) -> anyhow::Result<()> {
        let is_on_the_way = !view.config.then.is_empty() && view.config.verify.pairs == 0;
        if self.driving.json {
            output::print(&(show::status_json(view)? + "\n"))
        } else if is_on_the_way {
            if let (Some(results), Some(space), false) = (view.results()?, view.space(), self.driving.quiet) {
                self.hint(&format!(
                    "so far  {}",
                    running(space, &results.recommended().vector)
                ));
            }
            Ok(())
        } else {
            output::print(&show::result(view, files)?)
        }
    }
}

/// A bar that is seen on a terminal, unless nothing is to be seen.
fn bar(is_silent: bool) -> ProgressBar {
    if is_silent {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(5));
    if let Ok(style) = ProgressStyle::with_template("{prefix} {wide_bar} {pos}/{len}  {msg}") {
        bar.set_style(style);
    }
    bar
}

impl Stage {
    /// Games a second.
    fn rate(&self, generation: &Generation) -> f64 {
        let elapsed = self.started.elapsed().as_secs_f64();
        (generation.games - self.before) as f64 / elapsed.max(1e-9)
    }

    fn line(&mut self, generation: &Generation, faults: u64) {
        let rate = self.rate(generation);
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
        // A point that a method moves has no spread.
        let spread = if generation.population.len() > 1 {
            format!("  spread {:.1} %", 100.0 * generation.spread(&self.space))
        } else {
            String::new()
        };
        output::hint(&format!(
            "{done}  games {}  {rate:.1}/s  {} to go{scores}{kept_out}{spread}  faults {faults}  {}",
            generation.games,
            duration(left / rate.max(1e-9)),
            self.running,
        ));
    }
}
