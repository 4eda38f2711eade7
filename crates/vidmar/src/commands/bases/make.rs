//! `vidmar bases make`: win, draw and loss of every ending of up to four pieces.

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::Context as _;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
use vidmar_tablebases::{Ending, MAX_PIECES, Made, Tablebase};
use vidmar_text::duration;

use crate::interrupt::INTERRUPTED;
use crate::{arguments, output, progress};

/// Make the bases of all endings of up to three or four pieces
///
/// Each ending is a file. Endings that are there and whole are left alone, so a run that was stopped is continued by
/// the same command.
#[derive(Args)]
pub(crate) struct Make {
    /// The most pieces on the board, kings included
    #[arg(long, default_value_t = MAX_PIECES as u8, value_name = "N", value_parser = clap::value_parser!(u8).range(3..=MAX_PIECES as i64))]
    pieces: u8,
    /// The folder for the files
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Threads (default: one for each core)
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    seconds: f64,
    bytes: usize,
    endings: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    ending: String,
    /// For the side to move, whichever it is; an ending with equal sides is counted with one side to move.
    won: u64,
    drawn: u64,
    lost: u64,
    bytes: usize,
    /// Not there if the file was.
    seconds: Option<f64>,
}

impl Make {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let stop = Arc::new(AtomicBool::new(false));
        let flag = Arc::clone(&stop);
        ctrlc::set_handler(move || flag.store(true, Ordering::Relaxed))
            .context("listening for interruptions")?;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.map_or(0, usize::from))
            .build()
            .context("starting the threads")?;
        let todo: Vec<Ending> = vidmar_tablebases::endings(usize::from(self.pieces)).collect();
        let bar = bar(&todo);
        let begun = Instant::now();
        let mut rows = Vec::new();
        let made = pool.install(|| {
            vidmar_tablebases::make(&self.out, usize::from(self.pieces), &stop, |base, made| {
                bar.inc(work(base.ending()));
                rows.push(Row::new(base, made));
                if let Some(next) = todo.get(rows.len()) {
                    bar.set_message(next.to_string());
                }
            })
        })?;
        bar.finish_and_clear();
        if made.is_none() {
            output::hint(&format!(
                "stopped after {} of {} endings; go on with: vidmar bases make --pieces {} --out {}",
                rows.len(),
                todo.len(),
                self.pieces,
                self.out.display()
            ));
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let answer = Answer {
            seconds: begun.elapsed().as_secs_f64(),
            bytes: rows.iter().map(|row| row.bytes).sum(),
            endings: rows,
        };
        output::print(&if self.json {
            serde_json::to_string(&answer)? + "\n"
        } else {
            text(&answer)
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Positions of an ending, both sides together.
fn work(ending: Ending) -> u64 {
    2 * u64::from(ending.numbers())
}

fn bar(todo: &[Ending]) -> ProgressBar {
    let positions: u64 = todo.iter().copied().map(work).sum();
    let bar = progress::bar(positions as usize, "bases");
    let style =
        "{msg} {wide_bar} {human_pos}/{human_len} positions, {per_sec}, {elapsed} elapsed, {eta} to go";
    if let Ok(style) = ProgressStyle::with_template(style) {
        bar.set_style(style);
    }
    bar.set_message(todo.first().map(ToString::to_string).unwrap_or_default());
    bar
}

impl Row {
    fn new(base: &Tablebase, made: Made) -> Row {
        let total = |of: fn(&vidmar_tablebases::Counts) -> u32| {
            base.counts().iter().map(|side| u64::from(of(side))).sum()
        };
        Row {
            ending: base.ending().to_string(),
            won: total(|side| side.wins),
            drawn: total(|side| side.draws),
            lost: total(|side| side.losses),
            bytes: base.file_len(),
            seconds: match made {
                Made::Found => None,
                Made::New(time) => Some(time.as_secs_f64()),
                Made::Again(damage, time) => {
                    output::warn(&format!("{damage}; made again"));
                    Some(time.as_secs_f64())
                }
            },
        }
    }
}

fn text(answer: &Answer) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["ending", "won", "drawn", "lost", "bytes", "time"]);
    for row in &answer.endings {
        let time = row.seconds.map_or_else(|| "found".to_owned(), duration);
        let numbers = [row.won, row.drawn, row.lost, row.bytes as u64].map(|number| number.to_string());
        table.add_row([row.ending.clone()].into_iter().chain(numbers).chain([time]));
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    format!(
        "{table}\n{} endings, {} bytes, {}\n",
        answer.endings.len(),
        answer.bytes,
        duration(answer.seconds)
    )
}
