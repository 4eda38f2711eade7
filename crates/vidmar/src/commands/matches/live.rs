//! What is seen of a match while it goes on: a table on a terminal, lines elsewhere.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use vidmar_arena::{MatchEvent, Sprt};

use super::report::Report;
use super::settings::{OutputFormat, Settings};
use crate::output;

/// How often the table is made anew.
const REFRESH: Duration = Duration::from_millis(250);

pub(super) struct Live {
    names: Vec<String>,
    sprt: Option<Sprt>,
    output_format: OutputFormat,
    rating_interval: u64,
    score_interval: u64,
    total: u64,
    /// Games of earlier sittings.
    before: u64,
    /// Games of this one.
    played: u64,
    begun: Instant,
    shown: Option<Instant>,
    bar: ProgressBar,
}

impl Live {
    pub(super) fn new(settings: &Settings, names: &[String], total: u64, before: u64) -> Live {
        let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
        if let Ok(style) = ProgressStyle::with_template("{msg}\n{wide_bar} {pos}/{len}  {elapsed} elapsed") {
            bar.set_style(style);
        }
        bar.set_position(before);
        Live {
            names: names.to_vec(),
            sprt: settings.sprt,
            output_format: settings.output_format,
            rating_interval: settings.rating_interval,
            // Where JSON is asked for, standard output is for it alone.
            score_interval: settings.score_interval,
            total,
            before,
            played: 0,
            begun: Instant::now(),
            shown: None,
            bar: if settings.output_format == OutputFormat::Table {
                bar
            } else {
                ProgressBar::hidden()
            },
        }
        .quiet_if(settings.json)
    }

    /// Lines on standard output would be mixed with the JSON.
    fn quiet_if(mut self, json: bool) -> Live {
        if json {
            self.output_format = OutputFormat::Table;
        }
        self
    }

    pub(super) fn tell(&mut self, news: &MatchEvent<'_>) {
        match news {
            MatchEvent::Fault { game, player, fault } => {
                let text = format!("game {}: {}: {fault}", game + 1, self.names[*player]);
                self.bar.suspend(|| output::warn(&text));
            }
            MatchEvent::Game { scoreboard, .. } => {
                self.played += 1;
                self.bar.inc(1);
                let report = || Report::new(&self.names, scoreboard, self.sprt);
                let every =
                    |interval: u64| interval > 0 && (self.before + self.played).is_multiple_of(interval);
                match self.output_format {
                    OutputFormat::Table if !self.bar.is_hidden() => {
                        if self.shown.is_none_or(|shown| shown.elapsed() >= REFRESH) {
                            let table = format!("{}{}", report().table(), self.pace());
                            self.bar.set_message(table);
                            self.shown = Some(Instant::now());
                        }
                    }
                    OutputFormat::Table if every(self.rating_interval) => {
                        let done = self.before + self.played;
                        output::hint(&format!(
                            "{done} of {}: {}; {}",
                            self.total,
                            report().line(),
                            self.pace()
                        ));
                    }
                    OutputFormat::Table => {}
                    OutputFormat::Fastchess => {
                        // Pairs are what fastchess counts.
                        if every(self.rating_interval.saturating_mul(2)) {
                            let _ = output::print(&report().fastchess());
                        }
                    }
                    OutputFormat::Cutechess => {
                        if every(self.score_interval) {
                            let _ = output::print(&report().cutechess_score());
                        }
                        if every(self.rating_interval) {
                            let _ = output::print(&report().cutechess_rating());
                        }
                    }
                }
            }
        }
    }

    /// Games a second, and how long the rest takes at that rate.
    fn pace(&self) -> String {
        let rate = self.played as f64 / self.begun.elapsed().as_secs_f64().max(1e-9);
        let left = self.total.saturating_sub(self.before + self.played) as f64 / rate.max(1e-9);
        format!("{rate:.2} games/s, {} to go", clock(left))
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// Hours, minutes and seconds.
fn clock(seconds: f64) -> String {
    let whole = seconds.min(3.6e9).round() as u64;
    let (hours, minutes, seconds) = (whole / 3600, whole / 60 % 60, whole % 60);
    if hours > 0 {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{minutes}:{seconds:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::clock;

    #[test]
    fn times_to_go() {
        assert_eq!(clock(0.2), "0:00");
        assert_eq!(clock(61.0), "1:01");
        assert_eq!(clock(3_661.0), "1:01:01");
        assert_eq!(clock(f64::INFINITY), "1000000:00:00");
    }
}
