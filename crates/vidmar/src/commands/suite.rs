//! `vidmar suite`: how many positions of a test suite a player solves.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context as _, anyhow};
use clap::Args;
use serde::Serialize;
use vidmar_arena::suite::{Records, Solution, Solver, read};
use vidmar_engine::{Control, Limits};
use vidmar_players::{MoveLimits, PlayerSpec};
use vidmar_text::duration;

use crate::{arguments, output, progress};

/// Let a player solve every position of an EPD suite and count
///
/// A position is solved if the move in the end is one of `bm` and none of `am`. Every position is a game
/// of its own: nothing is remembered from the one before. A player that needs a limit and is given none thinks for one second
/// about each. A record that cannot be read, or has no such move, is left
/// out with a warning.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar suite wac.epd
  vidmar suite wac.epd --seconds 5 --jobs 2
  vidmar suite wac.epd --player search:algorithm=mtdf,board=0x88 --depth 5
  vidmar suite wac.epd --player uci:cmd=stockfish,nodes=100000 --json")]
pub(crate) struct Suite {
    /// The suite, with `bm` or `am` in every record
    #[arg(value_name = "FILE.epd")]
    file: PathBuf,
    /// Who solves it, given as in a match: KIND or KIND:KEY=VALUE,KEY=VALUE
    #[arg(long, value_name = "SPEC", default_value = "engine:hash=64")]
    player: PlayerSpec,
    #[command(flatten)]
    limit: Limit,
    /// Threads that search a position together: the player's setting `threads`
    #[arg(long, value_name = "N", value_parser = arguments::threads::<u16>())]
    threads: Option<u16>,
    /// Positions searched at a time
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = arguments::threads::<u16>())]
    jobs: u16,
    /// Count as well what was solved at earlier times, in the same run: the last line told until then is the answer
    #[arg(long, value_name = "S", value_delimiter = ',', value_parser = arguments::seconds)]
    marks: Vec<Duration>,
    /// Size of each table in MiB: the player's setting `hash`
    #[arg(long, value_name = "MIB", value_parser = arguments::hash::<u32>())]
    hash: Option<u32>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

/// When the search of a position ends, beside what the player brings along.
#[derive(Args)]
struct Limit {
    /// Time for a position [default: 1, where nothing else ends the search]
    #[arg(long, value_name = "S", value_parser = arguments::seconds)]
    seconds: Option<Duration>,
    /// Nodes for a position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Plies for a position
    #[arg(long, value_name = "N", value_parser = arguments::depth::<u32>())]
    depth: Option<u32>,
}

/// The time for a position where nothing ends the search.
const USUAL: Duration = Duration::from_secs(1);

#[derive(Serialize)]
struct Answer {
    player: String,
    positions: usize,
    solved: usize,
    /// Records that could not be used.
    left_out: usize,
    seconds: f64,
    marks: Vec<Mark>,
    results: Vec<Solution>,
}

/// What had been solved at an earlier time.
#[derive(Serialize)]
struct Mark {
    seconds: f64,
    solved: usize,
}

impl Suite {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let player = self.player()?;
        let Records { records, left_out } = read(&self.file)?;
        for reason in &left_out {
            output::warn(&format!("{reason}; left out"));
        }
        let begun = Instant::now();
        let bar = progress::bar(records.len(), "suite");
        let solver = Solver {
            player: &player,
            limits: self.limits(&player),
            marks: &self.marks,
        };
        let found = Mutex::new(Vec::with_capacity(records.len()));
        let solved = solver.solve_all(
            &records.iter().collect::<Vec<_>>(),
            usize::from(self.jobs),
            &Control::new(),
            &|index, solution| {
                let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
                found.push((index, solution));
                bar.inc(1);
            },
        );
        bar.finish_and_clear();
        solved.map_err(|fault| anyhow!("{fault}"))?;
        let mut found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
        found.sort_by_key(|(index, _)| *index);
        let results: Vec<Solution> = found.into_iter().map(|(_, solution)| solution).collect();
        let marks = self.marks.iter().enumerate().map(|(index, mark)| Mark {
            seconds: mark.as_secs_f64(),
            solved: results.iter().filter(|outcome| outcome.marks[index]).count(),
        });
        let answer = Answer {
            player: player.to_string(),
            marks: marks.collect(),
            positions: results.len(),
            solved: results.iter().filter(|outcome| outcome.solved).count(),
            left_out: left_out.len(),
            seconds: begun.elapsed().as_secs_f64(),
            results,
        };
        output::print(&if self.json {
            serde_json::to_string(&answer)? + "\n"
        } else {
            text(&answer)
        })?;
        Ok(ExitCode::SUCCESS)
    }

    /// The player with the settings that have arguments of their own; what it does not have is refused by name.
    fn player(&self) -> anyhow::Result<PlayerSpec> {
        let mut player = self.player.clone();
        for (key, value) in [("threads", self.threads.map(u32::from)), ("hash", self.hash)] {
            if let Some(value) = value {
                player = player
                    .with_text(key, &value.to_string())
                    .with_context(|| format!("--{key}"))?;
            }
        }
        player.check()?;
        player.check_limits(&MoveLimits {
            depth: self.limit.depth,
            nodes: self.limit.nodes,
            move_time: self.limit.seconds,
        })?;
        Ok(player)
    }

    /// When a player ends; one that would not by itself gets a second.
    fn limits(&self, player: &PlayerSpec) -> Limits {
        let Limit {
            seconds,
            nodes,
            depth,
        } = self.limit;
        let is_limited = seconds.is_some() || nodes.is_some() || depth.is_some();
        let usual = (!is_limited && player.needs_limit()).then_some(USUAL);
        Limits {
            depth,
            nodes,
            move_time: seconds.or(usual),
            ..Limits::none()
        }
    }
}

fn text(answer: &Answer) -> String {
    let mut text = String::new();
    for outcome in answer.results.iter().filter(|outcome| !outcome.solved) {
        let Solution { id, expected, .. } = outcome;
        let played = match (&outcome.fault, outcome.r#move.as_str()) {
            (Some(fault), _) => fault.clone(),
            (None, "") => "resigned".to_owned(),
            (None, played) if outcome.depth > 0 => format!("played {played} at depth {}", outcome.depth),
            (None, played) => format!("played {played}"),
        };
        let _ = writeln!(text, "not solved: {id}: {played}, expected {expected}");
    }
    let Answer {
        positions,
        solved,
        left_out,
        ..
    } = answer;
    for mark in &answer.marks {
        let (solved, time) = (mark.solved, duration(mark.seconds));
        let _ = writeln!(text, "{solved} of {positions} solved after {time}");
    }
    let rest = match left_out {
        0 => String::new(),
        1 => "; 1 record left out".to_owned(),
        many => format!("; {many} records left out"),
    };
    let _ = writeln!(
        text,
        "{solved} of {positions} solved in {}{rest}",
        duration(answer.seconds)
    );
    text
}
