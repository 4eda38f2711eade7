//! `vidmar openings make`: balanced openings for matches and tuning.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context as _;
use clap::Args;
use rayon::prelude::*;
use vidmar_chess::{Game, Score};
use vidmar_engine::{Control, FlagshipSettings, FlagshipThinker, Limits, Thinker as _};
use vidmar_eval::Vector;
use vidmar_formats::openings::{Candidates, Opening, OpeningScore, Source, line_name};
use vidmar_formats::polyglot::Book;

use super::Format;
use super::named::{WALK_DEPTH, Walker};
use super::partial::Partial;
use crate::{arguments, output, progress};

/// Make balanced openings: lines whose end the engine finds even
///
/// Lines are drawn at random, from a book, or from the named openings of all codes; those that end in a position seen before
/// are left out, and so are those whose end has a score beyond the bound. The same arguments give the same file with any number
/// of threads. A command that was ended goes on where it was.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar openings make --count 500 -o openings.epd
  vidmar openings make --named --plies 12 --depth 10 --count 500 -o book.pgn
  vidmar openings make --book mine.bin --plies 16 -o mine.epd")]
pub(super) struct Make {
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
    #[arg(long, value_name = "F.bin", conflicts_with = "named")]
    book: Option<PathBuf>,
    /// Begin with named openings, every code of the Encyclopaedia of Chess Openings as often, and go on as the engine plays; no
    /// king moves but to castle
    #[arg(long, conflicts_with = "start")]
    named: bool,
    /// Threads (default: one for each core)
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
}

/// Lines that are judged before the count is looked at again.
const BATCH: usize = 64;
/// So many judged lines without one that is even mean that there will be none.
const PATIENCE: usize = 50_000;
/// How often what was found is written down.
const SAVED: Duration = Duration::from_secs(10);
/// Where the search of a named line is deep a short look comes first: beyond so many bounds it is left out.
const SHORT_LOOK: u32 = 2;

/// Where lines come from.
enum Lines<'a> {
    Drawn(Box<Candidates<'a>>),
    /// Those of named openings, by number: the next.
    Named(u64),
}

/// A line to be judged, or the number of one.
enum Draft {
    Line(Box<Opening>),
    Number(u64),
}

impl Lines<'_> {
    /// The next ones; none where there are no more.
    fn batch(&mut self) -> Vec<Draft> {
        match self {
            Lines::Drawn(candidates) => {
                let next = candidates.by_ref().take(BATCH);
                next.map(|line| Draft::Line(Box::new(line))).collect()
            }
            Lines::Named(next) => {
                let first = *next;
                *next += BATCH as u64;
                (first..*next).map(Draft::Number).collect()
            }
        }
    }

    fn drawn(&self) -> u64 {
        match self {
            Lines::Drawn(candidates) => candidates.drawn(),
            Lines::Named(next) => *next,
        }
    }

    /// Goes on behind what was drawn before.
    fn skip(&mut self, drawn: u64) {
        match self {
            Lines::Drawn(candidates) => while candidates.drawn() < drawn && candidates.next().is_some() {},
            Lines::Named(next) => *next = drawn,
        }
    }
}

impl Make {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let start = match &self.start {
            None => arguments::position(None)?,
            Some(fen) => fen.parse().context("--start")?,
        };
        let book = match &self.book {
            None => None,
            Some(path) => Some(Book::open(path).with_context(|| path.display().to_string())?),
        };
        let lines = if self.named {
            Lines::Named(0)
        } else {
            let source = book.as_ref().map_or(Source::Random, Source::Book);
            let candidates = Candidates::new(source, start, self.plies.into(), self.seed);
            Lines::Drawn(Box::new(candidates))
        };
        let openings = self.select(lines)?;
        let format = Format::of(self.format, Some(&self.output));
        output::write_file(&self.output, format.text(&self.command(), &openings)?)?;
        Partial::remove(&self.output);
        Ok(ExitCode::SUCCESS)
    }

    /// The first lines that pass. Each is judged by itself, so the threads have no say in it.
    fn select(&self, mut lines: Lines<'_>) -> anyhow::Result<Vec<Opening>> {
        let count = self.count as usize;
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(self.threads.map_or(0, usize::from))
            .build()
            .context("starting the threads")?;
        let bar = progress::bar(count, "openings");
        let mut found = Partial::read(&self.output, &self.command())?;
        lines.skip(found.drawn);
        let mut ends: HashSet<_> = found.openings.iter().map(|opening| opening.end().key()).collect();
        let mut barren = 0;
        let mut saved = Instant::now();
        while found.openings.len() < count && barren < PATIENCE {
            let batch = lines.batch();
            if batch.is_empty() {
                break;
            }
            let judged: Vec<Opening> = pool.install(|| {
                batch
                    .into_par_iter()
                    .with_max_len(4)
                    .map_init(|| Judge::new(self), Judge::judged)
                    .flatten()
                    .collect()
            });
            let before = found.openings.len();
            let new = judged
                .into_iter()
                .filter(|opening| ends.insert(opening.end().key()));
            found.openings.extend(new);
            barren = if found.openings.len() == before {
                barren + BATCH
            } else {
                0
            };
            found.drawn = lines.drawn();
            bar.set_position(found.openings.len().min(count) as u64);
            if saved.elapsed() >= SAVED {
                found.write(&self.output, &self.command())?;
                saved = Instant::now();
            }
        }
        bar.finish_and_clear();
        let mut openings = found.openings;
        openings.truncate(count);
        anyhow::ensure!(
            openings.len() == count,
            "only {} of {count} openings found: {} lines of {} plies drawn, none new within {} centipawns of even is left",
            openings.len(),
            lines.drawn(),
            self.plies,
            self.bound
        );
        Ok(openings)
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
        if self.named {
            command += " --named";
        }
        command
    }
}

/// Completes lines and judges them; one a thread.
struct Judge<'a> {
    asked: &'a Make,
    thinker: FlagshipThinker,
    walker: Walker,
}

impl<'a> Judge<'a> {
    fn new(asked: &'a Make) -> Judge<'a> {
        // A small table: it is cleared for every opening.
        let mut thinker = FlagshipThinker::new(FlagshipSettings {
            hash: 1,
            // The lists that come with the program are made by the evaluation that does not change with every net.
            evaluation: Vector::default().into(),
            ..FlagshipSettings::default()
        });
        // The table is made with the first search if it cannot be made now.
        let _ = thinker.prepare();
        Judge {
            asked,
            thinker,
            walker: Walker::new(asked.seed),
        }
    }

    /// The opening with its name and score, if that is even enough.
    fn judged(&mut self, draft: Draft) -> Option<Opening> {
        let Make { depth, bound, .. } = *self.asked;
        let opening = match draft {
            Draft::Line(opening) => *opening,
            Draft::Number(number) => {
                let opening = self.walker.line(number, self.asked.plies.into())?;
                if depth > WALK_DEPTH {
                    self.score(&opening, WALK_DEPTH, SHORT_LOOK * bound)?;
                }
                opening
            }
        };
        let score = self.score(&opening, depth, bound)?;
        let name = line_name(&opening.start, opening.moves.iter().copied());
        Some(Opening {
            score: Some(score),
            name: name.map_or_else(String::new, |found| format!("{} {}", found.eco, found.name)),
            ..opening
        })
    }

    /// What a search thinks of its end, if that is within a bound.
    fn score(&mut self, opening: &Opening, depth: u32, bound: u32) -> Option<OpeningScore> {
        self.thinker.new_game();
        let game = Game::new(opening.end());
        let limits = Limits::depth(depth);
        let thought = self.thinker.think(&game, &limits, &Control::new(), &mut |_| {});
        let Score::Centipawns(centipawns) = thought.score else {
            return None;
        };
        let score = OpeningScore { centipawns, depth };
        (centipawns.unsigned_abs() <= bound).then_some(score)
    }
}
