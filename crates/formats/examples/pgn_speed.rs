//! Reading games with every move of the main line checked: this crate against pgn-reader with shakmaty.
//!
//! `cargo run --release -p vidmar-formats --example pgn_speed -- [--markdown] [--rounds N] FILES`
//!
//! `--alone` leaves the other out, for a profiler.
//!
//! Both read the same bytes from memory, in turns; the best round of each counts. Both must find the
//! same games and the same moves, or there is nothing to compare.

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::ops::ControlFlow;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use pgn_reader::{RawTag, SanPlus, Skip};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use vidmar_chess::{Move, Position};
use vidmar_formats::pgn::{PgnError, Reader, Visitor};

/// What both sides must agree on.
#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    games: usize,
    plies: usize,
    broken: usize,
}

impl Visitor for Counts {
    fn played(&mut self, _position: &Position, _played: Option<Move>) {
        self.plies += 1;
    }

    fn end_game(&mut self, _last: &Position) {
        self.games += 1;
    }
}

fn read_with_vidmar(bytes: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let mut reader = Reader::new(bytes);
    loop {
        match reader.read_game(&mut counts) {
            Ok(true) => {}
            Ok(false) => return counts,
            Err(PgnError::Game(_)) => counts.broken += 1,
            Err(PgnError::Io(error)) => unreachable!("a slice can be read: {error}"),
        }
    }
}

/// The way of pgn-reader's own example of validation.
impl pgn_reader::Visitor for Counts {
    type Tags = Chess;
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<()> {
        if name == b"FEN" {
            let position = Fen::from_ascii(value.as_bytes())
                .ok()
                .and_then(|fen| fen.into_position(CastlingMode::Chess960).ok());
            match position {
                Some(position) => *start = position,
                None => self.broken += 1,
            }
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(start)
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<(), Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        if let Ok(m) = san.san.to_move(position) {
            shakmaty::Position::play_unchecked(position, m);
            self.plies += 1;
            ControlFlow::Continue(())
        } else {
            self.broken += 1;
            ControlFlow::Break(())
        }
    }

    fn end_game(&mut self, _: Chess) {
        self.games += 1;
    }
}

fn read_with_pgn_reader(bytes: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let mut reader = pgn_reader::Reader::new(bytes);
    reader.visit_all_games(&mut counts).expect("a slice can be read");
    counts
}

fn timed(read: impl Fn(&[u8]) -> Counts, bytes: &[u8], best: &mut Duration) -> Counts {
    let clock = Instant::now();
    let counts = read(bytes);
    *best = clock.elapsed().min(*best);
    counts
}

fn main() -> ExitCode {
    let mut files = Vec::new();
    let (mut markdown, mut alone) = (false, false);
    let mut rounds = 15;
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--markdown" => markdown = true,
            "--alone" => alone = true,
            "--rounds" => match words.next().and_then(|number| number.parse().ok()) {
                Some(number) => rounds = number,
                None => return usage("--rounds needs a number"),
            },
            _ => files.push(word),
        }
    }
    if files.is_empty() {
        return usage("no files");
    }
    if markdown {
        println!("| file | MB | games | plies | vidmar MB/s | pgn-reader MB/s | ratio |");
        println!("| --- | --: | --: | --: | --: | --: | --: |");
    }
    for file in &files {
        let bytes = match std::fs::read(file) {
            Ok(bytes) => bytes,
            Err(error) => return usage(&format!("{file}: {error}")),
        };
        let (mut ours, mut theirs) = (Duration::MAX, Duration::MAX);
        let mut counts = Counts::default();
        for _ in 0..rounds {
            counts = timed(read_with_vidmar, &bytes, &mut ours);
            if !alone {
                let other = timed(read_with_pgn_reader, &bytes, &mut theirs);
                assert_eq!(counts, other, "the two readers see different games in {file}");
            }
        }
        let megabytes = bytes.len() as f64 / 1e6;
        let (ours, theirs) = (megabytes / ours.as_secs_f64(), megabytes / theirs.as_secs_f64());
        let name = file.rsplit('/').next().unwrap_or(file);
        let (games, plies, ratio) = (counts.games, counts.plies, ours / theirs);
        if markdown {
            println!(
                "| {name} | {megabytes:.1} | {games} | {plies} | {ours:.0} | {theirs:.0} | {ratio:.2} |"
            );
        } else {
            println!(
                "{name}: {games} games, {plies} plies, {ours:.0} MB/s, pgn-reader {theirs:.0} MB/s, ratio {ratio:.2}"
            );
        }
    }
    ExitCode::SUCCESS
}

fn usage(problem: &str) -> ExitCode {
    eprintln!("{problem}\nusage: pgn_speed [--markdown] [--alone] [--rounds N] FILES");
    ExitCode::from(2)
}
