//! `vidmar book make`: a book from games.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use vidmar_chess::Color;
use vidmar_formats::pgn::{PgnError, Reader};
use vidmar_formats::polyglot::{BookMaker, MakeOptions};

use crate::output;
use crate::percent::percent;

/// Make a book from the games of PGN files
///
/// Every move of the first plies counts for its position with what the game brought the side that made it; a move
/// without any weight stays out. Weights that do not fit into 16 bits are scaled within their position. The
/// same games give the same file, in any order.
#[derive(Args)]
pub(super) struct Make {
    /// PGN files
    #[arg(required = true, value_name = "GAMES.pgn")]
    files: Vec<PathBuf>,
    /// The book to write
    #[arg(short, long, value_name = "F.bin")]
    output: PathBuf,
    /// Plies of each game that count
    #[arg(long, default_value_t = 30, value_name = "N")]
    plies: usize,
    /// Games that a move must occur in
    #[arg(long, default_value_t = 3, value_name = "N")]
    min_games: u32,
    /// The least score of a move in percent, over its games with a result
    #[arg(long, default_value_t = 0.0, value_name = "PERCENT", value_parser = percent)]
    min_score: f64,
    /// The most moves in a position, the heaviest kept; 0 for no limit
    #[arg(long, default_value_t = 0, value_name = "N")]
    max_moves: usize,
    /// Only the moves of one side
    #[arg(long, value_enum, value_name = "SIDE")]
    only: Option<Side>,
    /// What a won game adds to the weight of a move
    #[arg(long, default_value_t = 2, value_name = "N")]
    win_weight: u32,
    /// What a drawn game adds
    #[arg(long, default_value_t = 1, value_name = "N")]
    draw_weight: u32,
    /// What a lost game adds
    #[arg(long, default_value_t = 0, value_name = "N")]
    loss_weight: u32,
    /// What a game without a result adds
    #[arg(long, default_value_t = 0, value_name = "N")]
    unknown_weight: u32,
    /// Give all moves that enter the same weight
    #[arg(long)]
    uniform: bool,
    /// Leave out broken games instead of stopping at the first
    #[arg(long)]
    skip_errors: bool,
}

#[derive(Copy, Clone, ValueEnum)]
enum Side {
    White,
    Black,
}

impl Make {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let mut maker = BookMaker::new(self.options());
        let mut skipped = 0;
        for path in &self.files {
            skipped += self.read(path, &mut maker)?;
        }
        if skipped > 0 {
            output::warn(&format!("{skipped} broken game(s) left out"));
        }
        let games = maker.games();
        let book = maker.finish();
        output::write_file(&self.output, book.to_bytes())?;
        let positions = book.entries().chunk_by(|a, b| a.key == b.key).count();
        output::print(&format!(
            "{games} games, {} moves in {positions} positions\n",
            book.entries().len()
        ))?;
        if book.entries().is_empty() {
            output::warn("the book is empty: no move passed --min-games, --min-score and the weights");
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The number of broken games that were left out.
    fn read(&self, path: &Path, maker: &mut BookMaker) -> anyhow::Result<u64> {
        let name = path.display();
        let file = File::open(path).with_context(|| format!("cannot open {name}"))?;
        let mut reader = Reader::new(file);
        let mut skipped = 0;
        loop {
            match maker.read_game(&mut reader) {
                Ok(true) => {}
                Ok(false) => return Ok(skipped),
                Err(PgnError::Game(_)) if self.skip_errors => skipped += 1,
                Err(error @ PgnError::Game(_)) => {
                    anyhow::bail!("{name}: {error} (--skip-errors leaves such games out)")
                }
                Err(error) => return Err(error).context(name.to_string()),
            }
        }
    }

    fn options(&self) -> MakeOptions {
        MakeOptions {
            plies: self.plies,
            min_games: self.min_games,
            min_score: self.min_score / 100.0,
            max_moves: self.max_moves,
            only: self.only.map(|side| match side {
                Side::White => Color::White,
                Side::Black => Color::Black,
            }),
            win_weight: self.win_weight,
            draw_weight: self.draw_weight,
            loss_weight: self.loss_weight,
            unknown_weight: self.unknown_weight,
            uniform: self.uniform,
        }
    }
}
