//! `vidmar net games`: self-play, packed for training.

use std::fmt::Write as _;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, anyhow};
use clap::Args;
use indicatif::ProgressBar;
use serde::Serialize;
use vidmar_arena::{Completion, Executor, ThreadExecutor};
use vidmar_players::PlayerSpec;
use vidmar_train::packed::{EXTENSION, PackedWriter};
use vidmar_train::self_play::{self, Progress, SelfPlay};

use crate::elsewhere::{self, Elsewhere};
use crate::interrupt::{self, INTERRUPTED};
use crate::{arguments, output, progress};

/// Play games of a player against itself and pack them for training
///
/// Games begin with random plies, no two in the same position. Each seed has a file of its own in the directory. The same command goes on where
/// it was stopped or killed, also with more games, and the file is the same for any number of threads.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar net games --games 100000 --nodes 1000 --out data
  vidmar net games --games 100000 --nodes 1000 --out data --seed 2 --player engine:hash=1,eval=first.net
  vidmar net games --games 1000000 --out data --on nats://lab-server")]
pub(crate) struct Games {
    /// How many games the file is to have in the end
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    #[expect(clippy::struct_field_names, reason = "the name of the argument")]
    games: u64,
    /// Positions that are visited for a move
    #[arg(long, default_value_t = 5_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// The directory for the packed games
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Who plays both sides
    #[arg(long, default_value = "engine:hash=1", value_name = "PLAYER")]
    player: PlayerSpec,
    /// Random plies before the player takes over; every second game has one more
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=100))]
    plies: u16,
    /// Another seed, other games
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// Threads (default: one for each core)
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
    #[command(flatten)]
    elsewhere: Elsewhere,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer {
    file: PathBuf,
    games: u64,
    played: u64,
    positions: u64,
    usable: u64,
    bytes: u64,
    seconds: f64,
    cpu_seconds: f64,
    /// Not there where other machines have played.
    usable_per_cpu_second: Option<f64>,
}

impl Games {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let self_play = SelfPlay {
            identity: self.player.identity().map_err(|fault| anyhow!("{fault}"))?,
            player: self.player.clone(),
            nodes: self.nodes,
            plies: self.plies,
            seed: self.seed,
            rules: self_play::usual_rules(),
        };
        std::fs::create_dir_all(&self.out).with_context(|| self.out.display().to_string())?;
        let path = self.out.join(format!("games-{}.{EXTENSION}", self.seed));
        let writer = PackedWriter::open(&path, &self_play.description())?;
        let control = interrupt::control()?;
        let available = || std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let asked = self.threads.and_then(|threads| NonZeroUsize::new(threads.into()));
        let helping = asked.map_or(0, NonZeroUsize::get);
        let coordinator = self
            .elsewhere
            .coordinator(&path, "net games", helping, &control)?;
        let threads = ThreadExecutor::new(asked.unwrap_or_else(available));
        let executor: &dyn Executor = coordinator
            .as_deref()
            .map_or(&threads, |elsewhere| elsewhere as _);
        let bar = progress::bar(self.games as usize, "games");
        bar.set_position(writer.games());
        let (begun, cpu) = (Instant::now(), vidmar_cpu::total_time());
        let played = self_play.play(self.games, writer, executor, &control, &mut |now| show(&bar, now));
        bar.finish_and_clear();
        let is_over = matches!(played, Ok((_, Completion::Complete)));
        let is_elsewhere = coordinator.is_some();
        elsewhere::close(coordinator, is_over);
        let (now, completion) = played?;
        let cpu_seconds = vidmar_cpu::total_time().saturating_sub(cpu).as_secs_f64();
        let answer = Answer {
            file: path,
            games: now.games,
            played: now.played,
            positions: now.positions,
            usable: now.usable,
            bytes: now.bytes,
            seconds: begun.elapsed().as_secs_f64(),
            cpu_seconds,
            usable_per_cpu_second: (!is_elsewhere && cpu_seconds > 0.0)
                .then(|| now.usable as f64 / cpu_seconds),
        };
        output::print(&if self.json {
            serde_json::to_string(&answer)? + "\n"
        } else {
            text(&answer)
        })?;
        if completion == Completion::Stopped {
            output::hint("stopped; the same command goes on");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn show(bar: &ProgressBar, now: &Progress) {
    bar.set_position(now.games);
}

fn text(answer: &Answer) -> String {
    let mut text = format!(
        "{}: {} games, {} bytes\n{} played now: {} positions, {} usable",
        answer.file.display(),
        answer.games,
        answer.bytes,
        answer.played,
        answer.positions,
        answer.usable,
    );
    if let Some(rate) = answer.usable_per_cpu_second {
        let _ = write!(text, ", {rate:.0} usable positions per CPU second");
    }
    text + "\n"
}
