//! `vidmar rate`: a rating list from the results of games.

mod json;
mod separated;
mod text;

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read, Seek as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use vidmar_formats::results::{ResultReader, ResultsError};
use vidmar_rating::{Games, Options, Parameter, PlayerId, Ratings, Reference, Scale, Solver, rate};
use vidmar_store::Store;

use crate::output;

/// Rate players from the results of their games
///
/// Reads the tags White, Black and Result of PGN files, or the games of stores, and fits the model of BayesElo: Bradley-Terry with
/// an advantage for White and a draw parameter, by maximum likelihood. Ratings come with 95 % intervals
/// from the observed information. Games without a result (*) are counted and left out.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar rate games.pgn
  vidmar rate games.pgn --anchor 'Stockfish 15.1=3500' --los
  vidmar rate runs/*.db
  vidmar rate *.pgn --advantage fit --draw-elo fit --prior 0 --json

Columns: Elo with its 95 % interval (+ and -), games, points, score in percent, mean rating of the opponents, \
drawn games in percent. Ratings of players in different groups (no games between them) cannot be compared; \
groups are listed one by one.")]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub(crate) struct Rate {
    /// PGN files or stores of games; `-` is standard input (PGN)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Of stores, only the run of this number
    #[arg(long, value_name = "N")]
    run: Option<i64>,
    /// A player with a known rating, by its name or a part of it that no other has; several are held at their differences
    #[arg(long = "anchor", value_name = "NAME=ELO", value_parser = anchor)]
    anchors: Vec<(String, f64)>,
    /// Mean rating of the players where there is no anchor
    #[arg(long, value_name = "ELO", default_value_t = 0.0, allow_hyphen_values = true)]
    mean: f64,
    /// White's advantage: a number of Elo, or `fit` to estimate it
    #[arg(long, value_name = "ELO|fit", default_value = "32.8", value_parser = parameter, allow_hyphen_values = true)]
    advantage: Parameter,
    /// The draw parameter: a number of Elo, or `fit` to estimate it
    #[arg(long, value_name = "ELO|fit", default_value = "97.3", value_parser = parameter, allow_hyphen_values = true)]
    draw_elo: Parameter,
    /// Virtual draws that every player is given on average, spread over its opponents; 0 for none
    #[arg(long, value_name = "GAMES", default_value_t = 2.0, allow_hyphen_values = true)]
    prior: f64,
    /// Factor on the ratings: BayesElo's, which published lists carry, or none
    #[arg(long, value_enum, default_value_t = ScaleName::Bayeselo)]
    scale: ScaleName,
    /// What the intervals are about: the difference to the anchor (without one, to the mean), or to the mean
    #[arg(long, value_enum, default_value_t = ReferenceName::Anchor)]
    intervals: ReferenceName,
    /// The algorithm; all give the same ratings
    #[arg(long, value_enum, default_value_t = SolverName::Newton)]
    solver: SolverName,
    /// Also give the likelihood of superiority of every player over every other
    #[arg(long)]
    los: bool,
    /// Leave out games with a bad or missing tag instead of stopping at the first
    #[arg(long)]
    skip_errors: bool,
    /// Print a JSON object
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print comma-separated values; with --los, the matrix alone
    #[arg(long)]
    csv: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ScaleName {
    Bayeselo,
    None,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ReferenceName {
    Anchor,
    Mean,
    None,
}

#[derive(Clone, Copy, ValueEnum)]
enum SolverName {
    Newton,
    Mm,
}

fn anchor(text: &str) -> Result<(String, f64), String> {
    let (name, elo) = text.rsplit_once('=').ok_or("expected NAME=ELO")?;
    let elo: f64 = elo
        .trim()
        .parse()
        .map_err(|_| format!("'{elo}' is not a rating: expected NAME=ELO"))?;
    if name.is_empty() {
        return Err("the name is empty: expected NAME=ELO".to_owned());
    }
    Ok((name.to_owned(), elo))
}

fn parameter(text: &str) -> Result<Parameter, String> {
    match text {
        "fit" => Ok(Parameter::Fitted),
        _ => text
            .parse()
            .map(Parameter::Fixed)
            .map_err(|_| "expected a number of Elo or 'fit'".to_owned()),
    }
}

/// What was read and what was left out.
#[derive(Default)]
struct Reading {
    games: Games,
    unfinished: u64,
    skipped: u64,
}

impl Rate {
    pub(crate) fn run(mut self) -> anyhow::Result<ExitCode> {
        let mut reading = Reading::default();
        for file in &self.files {
            if file.as_os_str() == "-" {
                self.read(io::stdin().lock(), "standard input", &mut reading)?;
            } else {
                let name = file.display().to_string();
                let mut input = File::open(file).with_context(|| format!("cannot open {name}"))?;
                if is_store(&mut input).with_context(|| format!("cannot read {name}"))? {
                    drop(input);
                    self.read_store(file, &mut reading)?;
                } else {
                    self.read(input, &name, &mut reading)?;
                }
            }
        }
        reading.warn_of_omissions();
        self.complete_anchors(&reading.games)?;
        let ratings = rate(&reading.games, &self.options())?;
        warn_of_groups(&ratings, self.prior);
        let text = match (self.json, self.csv) {
            (true, _) => json::render(&self, &ratings, &reading)?,
            (_, true) if self.los => separated::matrix(&ratings)?,
            (_, true) => separated::list(&ratings)?,
            _ => text::render(&self, &ratings),
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
    }

    /// Anchors that are a part of one player's name mean that player; it is said which.
    fn complete_anchors(&mut self, games: &Games) -> anyhow::Result<()> {
        for (name, _) in &mut self.anchors {
            if games.find(name).is_some() {
                continue;
            }
            let part = name.to_lowercase();
            let has_part = |known: &&String| known.to_lowercase().contains(&part);
            let mut found: Vec<&String> = games.names().iter().filter(has_part).collect();
            found.sort();
            match found[..] {
                // What is wrong with it is said by whoever rates.
                [] => {}
                [only] => {
                    output::hint(&format!("--anchor {name}: that is {only}"));
                    only.clone_into(name);
                }
                [..] => {
                    let all: Vec<&str> = found.iter().take(5).map(|known| known.as_str()).collect();
                    let more = if found.len() > all.len() { ", …" } else { "" };
                    anyhow::bail!("--anchor {name}: which of {}{more}?", all.join(", "));
                }
            }
        }
        Ok(())
    }

    fn options(&self) -> Options {
        Options {
            advantage: self.advantage,
            draw_elo: self.draw_elo,
            prior: self.prior,
            scale: match self.scale {
                ScaleName::Bayeselo => Scale::BayesElo,
                ScaleName::None => Scale::None,
            },
            anchors: self.anchors.clone(),
            mean: self.mean,
            reference: match self.intervals {
                ReferenceName::Mean => Reference::Mean,
                ReferenceName::Anchor | ReferenceName::None => Reference::Anchor,
            },
            intervals: self.intervals != ReferenceName::None || self.los,
            solver: match self.solver {
                SolverName::Newton => Solver::Newton,
                SolverName::Mm => Solver::Mm,
            },
        }
    }

    /// Every run of a store, or the one asked for.
    fn read_store(&self, path: &Path, reading: &mut Reading) -> anyhow::Result<()> {
        let store = Store::open_read_only(path)?;
        let runs = match self.run {
            Some(number) => vec![store.run(number)?],
            None => store.runs()?,
        };
        for run in runs {
            let names: HashMap<u32, String> = store
                .players(run.id)?
                .into_iter()
                .map(|player| (player.number, player.name))
                .collect();
            for game in store.results(run.id)? {
                let Some(outcome) = game.result else {
                    reading.unfinished += 1;
                    continue;
                };
                let mut player = |number: u32| -> anyhow::Result<PlayerId> {
                    let name = names.get(&number).with_context(|| {
                        let (path, run) = (path.display(), run.id);
                        format!("{path}: run {run} has no player {number}")
                    })?;
                    Ok(reading.games.player(name))
                };
                let (white, black) = (player(game.white)?, player(game.black)?);
                reading.games.add(white, black, outcome);
            }
        }
        Ok(())
    }

    fn read(&self, input: impl Read, name: &str, reading: &mut Reading) -> anyhow::Result<()> {
        let mut reader = ResultReader::new(input);
        loop {
            match reader.next_record() {
                Ok(None) => return Ok(()),
                Ok(Some(record)) => {
                    let Some(outcome) = record.result else {
                        reading.unfinished += 1;
                        continue;
                    };
                    let white = reading.games.player(&record.white);
                    let black = reading.games.player(&record.black);
                    reading.games.add(white, black, outcome);
                }
                Err(error @ (ResultsError::Io(_) | ResultsError::LineTooLong { .. })) => {
                    return Err(error).with_context(|| format!("cannot read {name}"));
                }
                Err(_) if self.skip_errors => reading.skipped += 1,
                Err(error) => {
                    return Err(anyhow::anyhow!(
                        "{name}: {error} (--skip-errors leaves such games out)"
                    ));
                }
            }
        }
    }
}

/// Looks at the first bytes of a file and goes back to its beginning. What cannot go back is no store.
fn is_store(file: &mut File) -> io::Result<bool> {
    if !file.metadata()?.is_file() {
        return Ok(false);
    }
    let mut first = Vec::new();
    file.by_ref().take(16).read_to_end(&mut first)?;
    file.rewind()?;
    Ok(Store::recognises(&first))
}

impl Reading {
    fn warn_of_omissions(&self) {
        let left_out = |count: u64, what: &str| {
            if count > 0 {
                output::warn(&format!("{count} {what} left out"));
            }
        };
        left_out(
            self.unfinished,
            if self.unfinished == 1 {
                "game without a result"
            } else {
                "games without a result"
            },
        );
        left_out(
            self.skipped,
            if self.skipped == 1 {
                "unreadable game"
            } else {
                "unreadable games"
            },
        );
        let alone = self.games.against_self();
        left_out(
            alone,
            if alone == 1 {
                "game of a player against itself"
            } else {
                "games of players against themselves"
            },
        );
    }
}

fn warn_of_groups(ratings: &Ratings, prior: f64) {
    let groups = ratings.groups.len();
    if groups < 2 {
        return;
    }
    if prior > 0.0 {
        output::warn(&format!(
            "the players fall into {groups} groups with no games between them: ratings of different groups \
             cannot be compared"
        ));
        return;
    }
    let alone: Vec<&str> = ratings
        .groups
        .iter()
        .filter(|group| group.len() == 1)
        .map(|group| ratings.players[group[0]].name.as_str())
        .collect();
    let mut message = format!(
        "without a prior these games have no finite maximum: the players fall into {groups} groups that took no \
         point from each other in at least one direction; each group is rated by itself, stronger ones first \
         where games say so"
    );
    if !alone.is_empty() {
        let shown = alone.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        let more = if alone.len() > 5 {
            format!(" and {} more", alone.len() - 5)
        } else {
            String::new()
        };
        let _ = write!(
            message,
            "; alone (won or lost everything that counts): {shown}{more}"
        );
    }
    output::warn(&message);
}

/// Chance that the row's player is stronger than the column's, in the order of the list.
fn superiority(ratings: &Ratings) -> Vec<Vec<Option<f64>>> {
    let indices = 0..ratings.players.len();
    let row = |row: usize| {
        indices
            .clone()
            .map(|column| ratings.superiority(row, column))
            .collect()
    };
    indices.clone().map(row).collect()
}
