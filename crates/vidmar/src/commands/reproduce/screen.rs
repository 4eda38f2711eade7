//! What is seen while experiments are run: a bar over everything on a terminal, a line for every finished step.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json;
use vidmar_reproduce::{Event, Progress};
use vidmar_text::duration;

use crate::output;

pub(super) struct Screen {
    bar: ProgressBar,
    json: bool,
    begun: Instant,
    /// What was done when the command began, by the rates of the tables.
    before: Option<f64>,
    what: String,
}

/// Units of the bar for a second of cost.
const TICKS: f64 = 1000.0;

impl Screen {
    pub(super) fn new(json: bool) -> Screen {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(2));
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_secs(1));
        Screen {
            bar,
            json,
            begun: Instant::now(),
            before: None,
            what: String::new(),
        }
    }

    pub(super) fn tell(&mut self, event: &Event<'_>) {
        match event {
            Event::Begins {
                experiment,
                step,
                stays_here,
            } => {
                self.what = format!("{}: {}", experiment.name, step.what);
                if let Some(reason) = stays_here {
                    let line = format!("{}: played here, not elsewhere: {reason}", self.what);
                    self.bar.suspend(|| output::hint(&line));
                }
            }
            Event::Progress(progress) => self.show(progress),
            Event::Finished {
                experiment,
                step,
                note,
                progress,
            } => {
                self.show(progress);
                if self.json {
                    let line = json!({
                        "experiment": experiment.name,
                        "step": step.id,
                        "units": note.units,
                        "seconds": note.seconds,
                        "cpu_seconds": note.cpu_seconds,
                        "steps_finished": progress.steps_done,
                        "steps": progress.steps,
                        "games_done": progress.games_done,
                        "games": progress.games,
                        "seconds_left": self.left(progress),
                    });
                    // A reader that is gone has seen enough.
                    let _ = output::print(&format!("{line}\n"));
                    return;
                }
                let line = format!(
                    "{}: {} ({}); {}",
                    experiment.name,
                    step.what,
                    duration(note.cpu_seconds),
                    self.summary(progress)
                );
                self.bar.suspend(|| output::hint(&line));
            }
        }
    }

    fn show(&mut self, progress: &Progress) {
        self.before.get_or_insert(progress.cost_done);
        self.bar.set_length((progress.cost * TICKS) as u64);
        self.bar.set_position((progress.cost_done * TICKS) as u64);
        self.bar
            .set_message(format!("{}; {}", self.what, self.summary(progress)));
    }

    /// Steps, games and the time that the rest will take if it goes on as it went.
    fn summary(&self, progress: &Progress) -> String {
        let Progress {
            steps_done,
            steps,
            games_done,
            games,
            ..
        } = progress;
        let left = self
            .left(progress)
            .map_or(String::new(), |left| format!(", about {} to go", duration(left)));
        format!("{steps_done} of {steps} steps, {games_done} of {games} games{left}")
    }

    fn left(&self, progress: &Progress) -> Option<f64> {
        let done = progress.cost_done - self.before?;
        let elapsed = self.begun.elapsed().as_secs_f64();
        // Before a second's worth is done nothing is known of the pace.
        (done > 1.0).then(|| elapsed * (progress.cost - progress.cost_done) / done)
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
