//! `vidmar openings make`: balanced openings for matches and tuning.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, Subcommand, ValueEnum};
use rayon::prelude::*;
use vidmar_chess::{Game, Score};
use vidmar_engine::{Control, FlagshipSettings, FlagshipThinker, Limits, Thinker as _};
use vidmar_formats::openings::{Candidates, Opening, OpeningScore, Source};
use vidmar_formats::pgn::Writer;
use vidmar_formats::polyglot::Book;

use crate::{arguments, output, progress};

/// Make openings to begin games with
#[derive(Args)]
pub(crate) struct Openings {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Make(Make),
}

impl Openings {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        match self.action {
            Action::Make(make) => make.run(),
        }
    }
}

/// Make balanced openings: random lines whose end the engine finds even
///
/// Lines are drawn at random, or from a book; those that end in a position seen before are left out, and so are
/// those whose end has a score beyond the bound. The same arguments give the same file with any number of threads.
#[derive(Args)]
struct Make {
    /// Plies of each opening
    #[arg(long, default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(0..=400))]
    plies: u16,
    /// How many openings
    #[arg(long, default_value_t = 1000, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// The largest score of either side, in hundredths of a pawn
    #[arg(long, default_value_t = 60, value_name = "CP")]
    bound: u32,
    /// Plies of the search that judges
    #[arg(long, default_value_t = 8, value_name = "D", value_parser = arguments::depth::<u32>())]
    depth: u32,
    /// Another seed, other openings
    #[arg(long, default_value_t = 1, value_name = "S")]
    seed: u64,
    /// The file to write: EPD, or PGN if its name ends in .pgn
    #[arg(short, long, value_name = "F.epd|F.pgn")]
    output: PathBuf,
    /// What the file is to hold, whatever its name
    #[arg(long, value_enum)]
    format: Option<Format>,
    /// Where the openings begin (default: the start position)
    #[arg(long, value_name = "FEN")]
    start: Option<String>,
    /// Draw the moves from a book (PolyGlot) by weight; lines that leave it early are left out
    #[arg(long, value_name = "F.bin")]
    book: Option<PathBuf>,
    /// Threads (default: one for each core)
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
}

#[derive(Copy, Clone, PartialEq, Eq, ValueEnum)]
enum Format {
    Epd,
    Pgn,
}

/// Lines that are judged before the count is looked at again.
const BATCH: usize = 64;
/// So many judged lines without one that is even mean that there will be none.
const PATIENCE: usize = 50_000;

impl Make {
    fn run(self) -> anyhow::Result<ExitCode> {
        let start = match &self.start {
            None => arguments::position(None)?,
            Some(fen) => fen.parse().context("--start")?,
        };
        let book = match &self.book {
            None => None,
            Some(path) => Some(Book::open(path).with_context(|| path.display().to_string())?),
        };
        let source = book.as_ref().map_or(Source::Random, Source::Book);
        let candidates = Candidates::new(source, start, self.plies.into(), self.seed);
        let openings = self.select(candidates)?;
        output::write_file(&self.output, &self.text(&openings)?)?;
        Ok(ExitCode::SUCCESS)
    }

    /// The first lines that pass. Each is judged by itself, so the threads have no say in it.
    fn select(&self, mut candidates: Candidates<'_>) -> anyhow::Result<Vec<Opening>> {
        let count = self.count as usize;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.map_or(0, usize::from))
            .build()
            .context("starting the threads")?;
        let bar = progress::bar(count, "openings");
        let mut openings = Vec::new();
        let mut barren = 0;
        while openings.len() < count && barren < PATIENCE {
            let batch: Vec<Opening> = candidates.by_ref().take(BATCH).collect();
            if batch.is_empty() {
                break;
            }
            let judged: Vec<Opening> = pool.install(|| {
                batch
                    .into_par_iter()
                    .with_max_len(4)
                    .map_init(judge, |thinker, opening| self.judged(thinker, opening))
                    .flatten()
                    .collect()
            });
            barren = if judged.is_empty() { barren + BATCH } else { 0 };
            openings.extend(judged);
            bar.set_position(openings.len().min(count) as u64);
        }
        bar.finish_and_clear();
        openings.truncate(count);
        anyhow::ensure!(
            openings.len() == count,
            "only {} of {count} openings found: {} lines of {} plies drawn, none new within {} centipawns of even is left",
            openings.len(),
            candidates.drawn(),
            self.plies,
            self.bound
        );
        Ok(openings)
    }

    /// The opening with its score, if that is even enough.
    fn judged(&self, thinker: &mut FlagshipThinker, opening: Opening) -> Option<Opening> {
        thinker.new_game();
        let game = Game::new(opening.end());
        let thought = thinker.think(&game, &Limits::depth(self.depth), &Control::new(), &mut |_| {});
        let Score::Centipawns(centipawns) = thought.score else {
            return None;
        };
        (centipawns.unsigned_abs() <= self.bound).then_some(Opening {
            score: Some(OpeningScore {
                centipawns,
                depth: self.depth,
            }),
            ..opening
        })
    }

    fn text(&self, openings: &[Opening]) -> anyhow::Result<String> {
        let is_pgn = match self.format {
            Some(format) => format == Format::Pgn,
            None => self
                .output
                .extension()
                .is_some_and(|extension| extension == "pgn"),
        };
        if !is_pgn {
            let lines = openings.iter().map(|opening| opening.to_epd().to_string() + "\n");
            return Ok(format!("# {}\n", self.command()) + &lines.collect::<String>());
        }
        let mut writer = Writer::new(Vec::new());
        for opening in openings {
            let mut game = opening.to_game();
            // Match runners tell games apart by their tags.
            game.tags.complete_roster();
            writer.write(&game)?;
        }
        Ok(String::from_utf8(writer.into_inner())?)
    }

    /// What makes the same openings again.
    fn command(&self) -> String {
        let Make {
            plies,
            count,
            bound,
            depth,
            seed,
            ..
        } = self;
        let mut command = format!(
            "vidmar openings make --plies {plies} --count {count} --bound {bound} --depth {depth} --seed {seed}"
        );
        if let Some(fen) = &self.start {
            let _ = write!(command, " --start '{fen}'");
        }
        if let Some(book) = &self.book {
            let _ = write!(command, " --book {}", book.display());
        }
        command
    }
}

/// A small table: it is cleared for every opening.
fn judge() -> FlagshipThinker {
    let mut thinker = FlagshipThinker::new(FlagshipSettings {
        hash: 1,
        ..FlagshipSettings::default()
    });
    // The table is made with the first search if it cannot be made now.
    let _ = thinker.prepare();
    thinker
}
