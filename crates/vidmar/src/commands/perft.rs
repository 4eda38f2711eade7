//! `vidmar perft`: counts the leaves of the tree of legal moves.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context as _, anyhow, ensure};
use clap::Args;
use rayon::prelude::*;
use serde::Serialize;
use vidmar_chess::{
    Board, BoardKind, Generation, Move, PerftTable, Position, openings, perft_with_table, with_board,
};
use vidmar_engine::memory;
use vidmar_formats::perft_suite::{self, PerftCase};
use vidmar_text::duration;

use crate::{arguments, output, progress};

/// Count the sequences of legal moves of a given length
///
/// The count is the classic test of a move generator, and with its time the classic measure of one.
/// The last ply is counted without making its moves; no table of positions is used unless --hash asks.
#[derive(Args)]
pub(crate) struct Perft {
    /// Length of the sequences in plies; with --suite, the longest to check
    #[arg(long, required_unless_present = "suite", value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: Option<u32>,

    /// Position to start from (default: the start position)
    #[arg(long, conflicts_with = "suite")]
    fen: Option<String>,

    /// Board representation
    #[arg(long, default_value = BoardKind::Bitboard.name(), value_parser = arguments::named::<BoardKind>())]
    board: BoardKind,

    /// Generate and make every move in this way, the last ply's too, instead of counting the last ply
    #[arg(long, value_parser = arguments::named::<Generation>(), conflicts_with = "hash")]
    generation: Option<Generation>,

    /// Show the count after each first move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,

    /// Check every position of a file: lines `FEN ;D1 20 ;D2 400 ...`, or records of `id`, `epd`, `perft`
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,

    /// With --suite: leave out counts above this
    #[arg(long, value_name = "N", requires = "suite")]
    max_nodes: Option<u64>,

    /// Threads that share the work
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: u16,

    /// Keep known counts in a table of that many MiB
    #[arg(long, default_value_t = 0, value_name = "MIB", value_parser = clap::value_parser!(u32).range(0..=1 << 20))]
    hash: u32,

    /// Print JSON, one object a line
    #[arg(long)]
    json: bool,
}

/// What is printed for one position and depth.
#[derive(Serialize)]
struct Answer {
    fen: String,
    board: &'static str,
    depth: u32,
    nodes: u64,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<BTreeMap<String, u64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
}

impl Answer {
    fn to_text(&self) -> String {
        let Answer {
            fen,
            board,
            depth,
            nodes,
            seconds,
            ..
        } = self;
        let divided = self
            .divide
            .iter()
            .flatten()
            .map(|(m, nodes)| format!("{m}: {nodes}\n"));
        let speed = *nodes as f64 / seconds / 1e6;
        divided
            .chain(self.divide.iter().map(|_| "\n".to_owned()))
            .collect::<String>()
            + &format!("position  {fen}\nboard     {board}\ndepth     {depth}\nnodes     {nodes}\n")
            + &format!("time      {}, {speed:.1} million nodes/s\n", duration(*seconds))
    }
}

impl Perft {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let threads = rayon::ThreadPoolBuilder::new()
            .num_threads(usize::from(self.threads))
            .build()
            .context("starting the threads")?;
        threads.install(|| match &self.suite {
            Some(path) => self.check_suite(path),
            None => self.count_one(),
        })
    }

    fn count_one(&self) -> anyhow::Result<ExitCode> {
        let position = arguments::position(self.fen.as_deref())?;
        let depth = self.depth.unwrap_or_default();
        let started = Instant::now();
        let counts = self.count(&position, depth, true)?;
        let seconds = started.elapsed().as_secs_f64();
        let nodes = total(depth, &counts);
        let notation = position.castling_notation();
        let divided: BTreeMap<String, u64> = counts
            .into_iter()
            .map(|(m, nodes)| (m.uci(notation).to_string(), nodes))
            .collect();
        let answer = Answer {
            fen: position.to_string(),
            board: self.board.name(),
            depth,
            nodes,
            seconds,
            divide: self.divide.then_some(divided),
            expected: None,
            ok: None,
        };
        let text = if self.json {
            serde_json::to_string(&answer)? + "\n"
        } else {
            answer.to_text()
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// The count after each first move.
    fn count(
        &self,
        position: &Position,
        depth: u32,
        show_progress: bool,
    ) -> anyhow::Result<Vec<(Move, u64)>> {
        let table = (self.hash > 0).then(|| self.table()).transpose()?;
        let count = Count {
            generation: self.generation,
            table: table.as_ref(),
        };
        Ok(with_board!(self.board, B => count_on::<B>(position, depth, count, show_progress)))
    }

    /// The table that --hash asks for. Memory that is promised and not there would end some process later, so it is asked first.
    fn table(&self) -> anyhow::Result<PerftTable> {
        let (wanted, budget) = (u64::from(self.hash), memory::budget_mib());
        ensure!(
            wanted <= budget,
            "--hash {wanted}: this machine has room for {budget} MiB"
        );
        let mebibytes = self.hash as usize;
        memory::room_for(mebibytes).map_err(|reason| anyhow!("--hash {wanted}: {reason}"))?;
        Ok(PerftTable::with_mebibytes(mebibytes))
    }

    /// Exit code 1 if any count differs.
    fn check_suite(&self, path: &Path) -> anyhow::Result<ExitCode> {
        let file = || path.display().to_string();
        let text = std::fs::read_to_string(path).with_context(file)?;
        let cases = perft_suite::parse(&text)
            .into_iter()
            .collect::<Result<Vec<_>, _>>()
            .with_context(file)?;
        ensure!(!cases.is_empty(), "{} holds no position", path.display());
        let started = Instant::now();
        let mut tally = Tally::default();
        let bar = progress::bar(cases.len(), "perft");
        for case in &cases {
            let counts = case
                .counts
                .iter()
                .filter(|&&(depth, nodes)| self.is_asked_for(depth, nodes));
            for &(depth, expected) in counts {
                let answer = self.check_count(case, depth, expected)?;
                if let Some(line) = self.line_of_suite(case, &answer)? {
                    bar.suspend(|| output::print(&line))?;
                }
                tally.add(&answer);
            }
            bar.inc(1);
        }
        bar.finish_and_clear();
        if !self.json {
            let seconds = started.elapsed().as_secs_f64();
            let Tally { counts, wrong, nodes } = tally;
            output::print(&format!(
                "{} positions, {counts} counts, {wrong} wrong; {nodes} nodes on board {} in {}, {:.1} million nodes/s\n",
                cases.len(),
                self.board,
                duration(seconds),
                nodes as f64 / seconds / 1e6
            ))?;
        }
        Ok(if tally.wrong == 0 {
            ExitCode::SUCCESS
        } else {
            ExitCode::from(1)
        })
    }

    fn is_asked_for(&self, depth: u32, nodes: u64) -> bool {
        self.depth.is_none_or(|deepest| depth <= deepest) && self.max_nodes.is_none_or(|most| nodes <= most)
    }

    fn check_count(&self, case: &PerftCase, depth: u32, expected: u64) -> anyhow::Result<Answer> {
        let begun = Instant::now();
        let nodes = total(depth, &self.count(&case.position, depth, false)?);
        Ok(Answer {
            fen: case.position.to_string(),
            board: self.board.name(),
            depth,
            nodes,
            seconds: begun.elapsed().as_secs_f64(),
            divide: None,
            expected: Some(expected),
            ok: Some(nodes == expected),
        })
    }

    /// JSON for every count, text for the wrong ones only.
    fn line_of_suite(&self, case: &PerftCase, answer: &Answer) -> anyhow::Result<Option<String>> {
        if self.json {
            return Ok(Some(serde_json::to_string(answer)? + "\n"));
        }
        let Answer {
            fen,
            depth,
            nodes,
            expected,
            ok,
            ..
        } = answer;
        Ok(match (ok, expected) {
            (Some(false), Some(expected)) => Some(format!(
                "line {}: depth {depth}: {nodes} instead of {expected}: {fen}\n",
                case.line
            )),
            _ => None,
        })
    }
}

/// What a suite came to.
#[derive(Default)]
struct Tally {
    counts: usize,
    wrong: usize,
    nodes: u64,
}

impl Tally {
    fn add(&mut self, answer: &Answer) {
        self.counts += 1;
        self.nodes += answer.nodes;
        self.wrong += usize::from(answer.ok == Some(false));
    }
}

/// The whole tree from its parts by first move; of depth 0 there is one, without a first move.
fn total(depth: u32, counts: &[(Move, u64)]) -> u64 {
    if depth == 0 {
        1
    } else {
        counts.iter().map(|&(_, nodes)| nodes).sum()
    }
}

/// How a piece of the tree is counted.
#[derive(Copy, Clone)]
struct Count<'a> {
    generation: Option<Generation>,
    table: Option<&'a PerftTable>,
}

impl Count<'_> {
    fn perft<B: Board>(self, board: &mut B, depth: u32) -> u64 {
        match (self.generation, self.table) {
            (Some(generation), _) => generation.perft(board, depth),
            (None, Some(table)) => perft_with_table(board, depth, table),
            (None, None) => board.perft(depth),
        }
    }
}

/// Cuts the tree into pieces, counts them on all threads of the pool and adds up by first move.
fn count_on<B: Board>(
    position: &Position,
    depth: u32,
    count: Count<'_>,
    show_progress: bool,
) -> Vec<(Move, u64)> {
    let mut root = B::new(position);
    // Two plies give pieces enough for any number of threads; small trees are not worth cutting.
    let plies = depth.saturating_sub(3).clamp(1, 2).min(depth);
    let pieces = openings(&mut root, plies);
    let bar = if show_progress {
        progress::bar(pieces.len(), "perft")
    } else {
        progress::hidden()
    };
    let nodes: Vec<u64> = pieces
        .par_iter()
        .map(|line| {
            let mut board = root.clone();
            for &m in line {
                board.make(m);
            }
            let nodes = count.perft(&mut board, depth - plies);
            bar.inc(1);
            nodes
        })
        .collect();
    bar.finish_and_clear();
    let mut counts: Vec<(Move, u64)> = root.legal_moves().into_iter().map(|m| (m, 0)).collect();
    if depth == 0 {
        counts.clear();
    }
    for (line, nodes) in pieces.iter().zip(nodes) {
        if let Some(count) = counts.iter_mut().find(|(m, _)| line.first() == Some(m)) {
            count.1 += nodes;
        }
    }
    counts
}
