//! `vidmar net samples`: the positions of packed games in one flat file.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use vidmar_train::export::{ExportError, Nearby, export};

use super::positions::{self, Positions};
use crate::interrupt::{self, INTERRUPTED};
use crate::{arguments, output, progress};

/// Write the positions of packed games into one flat file, for a trainer on a graphics card
///
/// `crates/train/gpu/train.py` reads it (`PyTorch`) and writes a net as `net train` does, on a graphics card if there is one. The file has 32 bytes a position; docs/net.md says where its layout is described.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar net samples data --out data.samples
  vidmar net samples data --nearby 1 --teacher net --out data.samples
  python3 crates/train/gpu/train.py data.samples --hidden 512 --out large.net")]
pub(crate) struct Samples {
    #[command(flatten)]
    positions: Positions,
    /// The file to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// For each position, so many near it with the score that a teacher gives them (what `net train --distil` learns from)
    #[arg(long, default_value_t = 0, value_name = "N", value_parser = clap::value_parser!(u64).range(..=64))]
    nearby: u64,
    /// Who says what positions nearby are worth (default: `tuned`, the hand-crafted evaluation): `net` (that of the program), the name of a vector, a parameter file or a net
    #[arg(long, value_name = "EVAL")]
    teacher: Option<String>,
    /// Threads (default: one for each core)
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
}

impl Samples {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let control = interrupt::control()?;
        let nearby = Nearby {
            teacher: positions::teacher(self.teacher.as_deref(), "--nearby", self.nearby)?,
            epochs: self.nearby,
        };
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.map_or(0, usize::from))
            .build()?;
        let done = pool.install(|| -> anyhow::Result<Option<u64>> {
            let dataset = self.positions.open()?;
            let counts = dataset.counts();
            let all = counts.training * (1 + self.nearby) + counts.validation;
            let bar = progress::bar(all as usize, "positions");
            let written = vidmar_files::write_with(&self.out, |out| {
                export(&dataset, &nearby, &control, out, &mut |written| {
                    bar.set_position(written);
                })
            });
            bar.finish_and_clear();
            match written {
                Ok(()) => Ok(Some(all)),
                Err(ExportError::Stopped) => Ok(None),
                Err(ExportError::Write(error)) => Err(error).context(format!("'{}'", self.out.display())),
                Err(error) => Err(error.into()),
            }
        });
        let Some(all) = done? else {
            output::hint("stopped; nothing was written");
            return Ok(ExitCode::from(INTERRUPTED));
        };
        output::print(&format!("{}: {all} positions\n", self.out.display()))?;
        Ok(ExitCode::SUCCESS)
    }
}
