//! What is seen of a match while it goes on: a table on a terminal, lines elsewhere.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use vidmar_arena::{Intervals, Match, MatchEvent, MatchReport, OutputFormat, Sprt};
use vidmar_players::Log;
use vidmar_text::duration;

use super::arguments::{CommandLine, Level};
use crate::output;

/// How often the table is made anew.
const REFRESH: Duration = Duration::from_millis(250);

pub(super) struct Live {
    names: Vec<String>,
    sprt: Option<Sprt>,
    header: String,
    output_format: OutputFormat,
    intervals: Intervals,
    total: u64,
    /// Games of earlier sessions.
    before: u64,
    /// Games of this one.
    played: u64,
    begun: Instant,
    shown: Option<Instant>,
    bar: ProgressBar,
    log: Option<(Log, Level)>,
}

impl Live {
    pub(super) fn new(
        line: &CommandLine,
        log: Option<Log>,
        contest: &Match,
        header: &str,
        before: u64,
    ) -> Live {
        let total = contest.schedule.games();
        let bar = match line.output_format {
            OutputFormat::Table => {
                ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5))
            }
            OutputFormat::Fastchess | OutputFormat::Cutechess => ProgressBar::hidden(),
        };
        if let Ok(style) = ProgressStyle::with_template("{msg}\n{wide_bar} {pos}/{len}  {elapsed} elapsed") {
            bar.set_style(style);
        }
        bar.set_position(before);
        Live {
            names: contest.players.iter().map(|player| player.name.clone()).collect(),
            sprt: contest.sprt,
            header: header.to_owned(),
            // Lines on standard output would be mixed with the JSON.
            output_format: if line.json {
                OutputFormat::Table
            } else {
                line.output_format
            },
            intervals: line.intervals,
            total,
            before,
            played: 0,
            begun: Instant::now(),
            shown: None,
            bar,
            log: log.zip(line.log.as_ref().map(|words| words.level)),
        }
    }

    pub(super) fn tell(&mut self, event: &MatchEvent<'_>) {
        if let Some((log, level)) = &self.log {
            self.write_down(event, log, *level);
        }
        match event {
            MatchEvent::Fault { game, player, fault } => {
                let text = format!("game {}: {}: {fault}", game + 1, self.names[*player]);
                self.bar.suspend(|| output::warn(&text));
            }
            MatchEvent::Started { game, white, black } => {
                let names = [*white, *black].map(|index| self.names[index].as_str());
                let _ = output::print(&self.output_format.started(*game, self.total, names));
            }
            MatchEvent::Game { game, scoreboard } => {
                self.played += 1;
                self.bar.inc(1);
                let names = [game.white, game.black].map(|index| self.names[index as usize].as_str());
                let _ = output::print(&self.output_format.finished(game, names));
                let report = MatchReport::new(&self.names, scoreboard, self.sprt).with_header(&self.header);
                match self.output_format {
                    OutputFormat::Table if !self.bar.is_hidden() => {
                        if self.shown.is_none_or(|shown| shown.elapsed() >= REFRESH) {
                            let table = format!("{}{}", report.table(), self.pace());
                            self.bar.set_message(table);
                            self.shown = Some(Instant::now());
                        }
                    }
                    OutputFormat::Table => self.tell_line(&report),
                    format => {
                        let games = self.before + self.played;
                        let _ = output::print(&format.after_game(&report, games, self.intervals));
                    }
                }
            }
        }
    }

    fn write_down(&self, event: &MatchEvent<'_>, log: &Log, level: Level) {
        let name = |index: usize| self.names[index].as_str();
        let format = OutputFormat::Fastchess;
        let text = match event {
            MatchEvent::Fault { game, player, fault } => {
                format!("fault in game {}: {}: {fault}", game + 1, name(*player))
            }
            MatchEvent::Started { game, white, black } if level == Level::Games => {
                format.started(*game, self.total, [name(*white), name(*black)])
            }
            MatchEvent::Game { game, .. } if level == Level::Games => {
                format.finished(game, [name(game.white as usize), name(game.black as usize)])
            }
            _ => return,
        };
        log.note(text.trim_end());
    }

    /// A line now and then, where there is no terminal.
    fn tell_line(&self, report: &MatchReport<'_>) {
        let (done, interval) = (self.before + self.played, self.intervals.rating);
        if interval > 0 && done.is_multiple_of(interval) {
            output::hint(&format!(
                "{done} of {}: {}; {}",
                self.total,
                report.line(),
                self.pace()
            ));
        }
    }

    /// Games a second, and how long the rest takes at that rate.
    fn pace(&self) -> String {
        let rate = self.played as f64 / self.begun.elapsed().as_secs_f64().max(1e-9);
        let left = self.total.saturating_sub(self.before + self.played) as f64 / rate.max(1e-9);
        format!("{rate:.2} games/s, {} to go", duration(left))
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
