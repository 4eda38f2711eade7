//! `vidmar net train`: a net from packed games.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::bail;
use clap::Args;
use serde::Serialize;
use vidmar_engine::ChosenEvaluation;
use vidmar_train::{Beginning, CheckpointFile, Counts, EpochRow, TrainEvent, TrainSettings, Trained, train};

use super::positions::{self, Positions};
use crate::interrupt::{self, INTERRUPTED};
use crate::{arguments, output, progress};

/// Train a net on packed games
///
/// The net is (768 → hidden) × 2 → 1 with a squared and clipped activation. The same command goes on where it was stopped or killed (a checkpoint lies
/// beside the net until it is finished), and the net is the same for any number of threads.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar net train data --out first.net
  vidmar net train data --distil 8 --epochs 8 --out first.net
  vidmar net train data --hidden 128 --epochs 10 --lambda 1 --out scores-only.net
  vidmar net train more --from first.net --rate 0.0005 --epochs 5 --out second.net
  vidmar net train data --hidden 512 --distil 2 --teacher net --epochs 8 --out larger.net
  vidmar net train data --keep in-check,captures --out noisy.net")]
pub(crate) struct Train {
    #[command(flatten)]
    positions: Positions,
    /// The file to write the net to
    #[arg(long, value_name = "NAME.net")]
    out: PathBuf,
    /// Begin with the weights of this net, and its shape, instead of random ones: `net` (that of the program) or a file
    #[arg(long, value_name = "NET", conflicts_with_all = ["hidden", "buckets", "king_buckets"])]
    from: Option<String>,
    /// Hidden neurons of a side, a multiple of 32
    #[arg(long, default_value_t = 256, value_name = "N")]
    hidden: usize,
    /// Sets of output weights, chosen by the number of pieces on the board
    #[arg(long, default_value_t = 1, value_name = "N")]
    buckets: usize,
    /// Sets of input weights, chosen by the region of a side's own king (1, 2, 4 or 8); a side whose king stands on the right then sees the board in a mirror. 0: kings are pieces like others
    #[arg(long, default_value_t = 0, value_name = "N")]
    king_buckets: usize,
    /// Epochs before the others, of as many positions near those of the games, that teach what another evaluation says of them
    #[arg(long, default_value_t = 0, value_name = "N")]
    distil: u64,
    /// Whose scores --distil teaches (default: `tuned`, the hand-crafted evaluation): the name of an evaluation, a parameter file or a net
    #[arg(long, value_name = "EVAL")]
    teacher: Option<String>,
    /// How often every position is learnt from
    #[arg(long, default_value_t = 20, value_name = "N")]
    epochs: u64,
    /// Positions of a step
    #[arg(long, default_value_t = 16_384, value_name = "N")]
    batch: usize,
    /// The share of the score in what is learnt; the rest is the result of the game
    #[arg(long, default_value_t = 0.7, value_name = "0..1")]
    lambda: f32,
    /// How far a step goes at first; it falls along a cosine
    #[arg(long, default_value_t = 0.001, value_name = "X")]
    rate: f32,
    /// What is taken from every weight, as a share of the rate
    #[arg(long, default_value_t = 0.01, value_name = "X")]
    decay: f32,
    /// Learn from no position in a mirror (a to h), which is usual every second time where nobody may castle
    #[arg(long)]
    no_mirror: bool,
    /// Threads (default: one for each core)
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
    /// Print a JSON object for each epoch, and one at the end
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Answer<'a> {
    net: &'a Path,
    shape: String,
    bytes: usize,
    #[serde(flatten)]
    counts: Counts,
    training_loss: f64,
    validation_loss: f64,
    /// With the weights rounded to whole numbers.
    rounded_loss: f64,
    seconds: f64,
    cpu_seconds: f64,
}

impl Train {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let beginning = self.beginning()?;
        let settings = self.settings(&beginning);
        settings.check()?;
        let control = interrupt::control()?;
        let dataset = self.positions.open()?;
        let counts = dataset.counts();
        let file = CheckpointFile::new(beside(&self.out, "checkpoint"));
        let steps = counts.training.div_ceil(self.batch as u64) * (self.distil + self.epochs);
        let bar = progress::bar(steps as usize, "training");
        let (begun, cpu) = (Instant::now(), vidmar_cpu::total_time());
        let mut tell = |event: &TrainEvent<'_>| match event {
            TrainEvent::Step(now) => {
                bar.set_position(now.steps);
                bar.set_message(format!(
                    "{} {}, loss {:.5}",
                    kind(now.distilled),
                    now.epoch,
                    now.loss
                ));
            }
            TrainEvent::Epoch(row) => {
                let line = self.line(row);
                bar.suspend(|| {
                    // A reader that is gone has seen enough.
                    let _ = output::print(&line);
                });
            }
        };
        let threads = self.threads.map_or(0, usize::from);
        let trained = train(
            &dataset, &settings, &beginning, &file, threads, &control, &mut tell,
        )?;
        bar.finish_and_clear();
        let Some(trained) = trained else {
            output::hint("stopped; the same command goes on");
            return Ok(ExitCode::from(INTERRUPTED));
        };
        let bytes = trained.network.to_bytes();
        output::write_file(&self.out, &bytes)?;
        file.remove()?;
        let cpu_seconds = vidmar_cpu::total_time().saturating_sub(cpu).as_secs_f64();
        self.print_end(
            &trained,
            counts,
            bytes.len(),
            begun.elapsed().as_secs_f64(),
            cpu_seconds,
        )?;
        Ok(ExitCode::SUCCESS)
    }

    fn beginning(&self) -> anyhow::Result<Beginning> {
        let network = match &self.from {
            None => None,
            Some(name) => match arguments::evaluation("--from", Some(name))? {
                ChosenEvaluation::Net { network, .. } => Some(network),
                ChosenEvaluation::HandCrafted(_) => bail!("--from: '{name}' is no net"),
            },
        };
        let teacher = positions::teacher(self.teacher.as_deref(), "--distil", self.distil)?;
        Ok(Beginning { network, teacher })
    }

    fn settings(&self, beginning: &Beginning) -> TrainSettings {
        let settings = TrainSettings {
            hidden: self.hidden,
            buckets: self.buckets,
            king_buckets: self.king_buckets,
            distil: self.distil,
            epochs: self.epochs,
            batch: self.batch,
            lambda: self.lambda,
            rate: self.rate,
            decay: self.decay,
            validation: self.positions.validation(),
            mirror: !self.no_mirror,
            seed: self.positions.seed,
            filter: self.positions.filter(),
        };
        match &beginning.network {
            Some(network) => settings.shaped_like(network),
            None => settings,
        }
    }

    fn line(&self, row: &EpochRow) -> String {
        if self.json {
            return serde_json::to_string(row).unwrap_or_default() + "\n";
        }
        format!(
            "{:6} {:3}  training loss {:.6}  validation loss {:.6}  rate {:.6}\n",
            kind(row.distilled),
            row.epoch,
            row.training_loss,
            row.validation_loss,
            row.rate
        )
    }

    fn print_end(
        &self,
        trained: &Trained,
        counts: Counts,
        bytes: usize,
        seconds: f64,
        cpu_seconds: f64,
    ) -> anyhow::Result<()> {
        let last = trained.epochs.last();
        let answer = Answer {
            net: &self.out,
            shape: trained.network.to_string(),
            bytes,
            counts,
            training_loss: last.map_or(0.0, |row| row.training_loss),
            validation_loss: last.map_or(0.0, |row| row.validation_loss),
            rounded_loss: trained.rounded_loss,
            seconds,
            cpu_seconds,
        };
        output::print(&if self.json {
            serde_json::to_string(&answer)? + "\n"
        } else {
            format!(
                "{}: {}, {bytes} bytes; validation loss {:.6}, {:.6} in whole numbers; {seconds:.0} s, {cpu_seconds:.0} s of processor time\n",
                self.out.display(),
                answer.shape,
                answer.validation_loss,
                answer.rounded_loss
            )
        })
    }
}

/// The word for an epoch.
fn kind(distilled: bool) -> &'static str {
    if distilled { "distil" } else { "epoch" }
}

/// The same file with another ending.
fn beside(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}
