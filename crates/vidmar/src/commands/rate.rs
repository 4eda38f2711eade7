//! `vidmar rate`: a rating list from the results of games.

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::{Args, ValueEnum};
use serde::Serialize;
use vidmar_formats::results::{GameResult, ResultReader, ResultsError};
use vidmar_rating::{Games, Options, Outcome, Parameter, Rated, Ratings, Reference, Scale, Solver, rate};

use crate::output;

/// Rate players from the results of their games
///
/// Reads the tags White, Black and Result of PGN files and fits the model of BayesElo: Bradley-Terry with
/// an advantage for White and a draw parameter, by maximum likelihood. Ratings come with 95 % intervals
/// from the observed information. Games without a result (*) are counted and left out.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar rate games.pgn
  vidmar rate games.pgn --anchor 'Stockfish 15.1=3500' --los
  vidmar rate *.pgn --advantage fit --draw-elo fit --prior 0 --json

Columns: Elo with its 95 % interval (+ and -), games, points, score in percent, mean rating of the
opponents, drawn games in percent. Ratings of players in different groups (no games between them)
cannot be compared; such groups are listed one by one.")]
pub(crate) struct Rate {
    /// PGN files; `-` is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A player with a known rating; several are held at their differences
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
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        let mut reading = Reading::default();
        for file in &self.files {
            if file.as_os_str() == "-" {
                self.read(io::stdin().lock(), "standard input", &mut reading)?;
            } else {
                let name = file.display().to_string();
                let input = File::open(file).with_context(|| format!("cannot open {name}"))?;
                self.read(input, &name, &mut reading)?;
            }
        }
        reading.warn_of_omissions();
        let ratings = rate(&reading.games, &self.options())?;
        warn_of_groups(&ratings, self.prior);
        let text = match (self.json, self.csv) {
            (true, _) => self.as_json(&ratings, &reading)?,
            (_, true) if self.los => los_csv(&ratings),
            (_, true) => as_csv(&ratings),
            _ => self.as_text(&ratings),
        };
        output::print(&text)?;
        Ok(ExitCode::SUCCESS)
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

    fn read(&self, input: impl Read, name: &str, reading: &mut Reading) -> anyhow::Result<()> {
        let mut reader = ResultReader::new(input);
        loop {
            match reader.next_record() {
                Ok(None) => return Ok(()),
                Ok(Some(record)) => {
                    let outcome = match record.result {
                        GameResult::WhiteWins => Outcome::WhiteWins,
                        GameResult::BlackWins => Outcome::BlackWins,
                        GameResult::Draw => Outcome::Draw,
                        GameResult::Unfinished => {
                            reading.unfinished += 1;
                            continue;
                        }
                    };
                    let white = reading.games.player(&record.white);
                    let black = reading.games.player(&record.black);
                    reading.games.add(white, black, outcome);
                }
                Err(error @ (ResultsError::Io(_) | ResultsError::LineTooLong { .. })) => {
                    return Err(error).with_context(|| format!("cannot read {name}"));
                }
                Err(_) if self.skip_errors => reading.skipped += 1,
                Err(error) => return Err(error).with_context(|| name.to_owned()),
            }
        }
    }

    fn as_json(&self, ratings: &Ratings, reading: &Reading) -> anyhow::Result<String> {
        let list = JsonList {
            players: ratings.players.iter().map(JsonPlayer::new).collect(),
            advantage: ratings.advantage,
            draw_elo: ratings.draw_elo,
            scale: ratings.scale,
            prior: self.prior,
            games: reading.games.total(),
            unfinished: reading.unfinished,
            skipped: reading.skipped + reading.games.against_self(),
            groups: ratings.groups.len(),
            log_likelihood: ratings.log_likelihood,
            los: self.los.then(|| los_rows(ratings)),
        };
        Ok(serde_json::to_string_pretty(&list)? + "\n")
    }

    fn as_text(&self, ratings: &Ratings) -> String {
        let width = ratings
            .players
            .iter()
            .map(|player| player.name.chars().count())
            .max()
            .unwrap_or(0)
            .max(4);
        let mut text = String::new();
        for (number, group) in ratings.groups.iter().enumerate() {
            if ratings.groups.len() > 1 {
                let _ = writeln!(text, "{}Group {}", if number > 0 { "\n" } else { "" }, number + 1);
            }
            let _ = writeln!(
                text,
                "Rank  {:width$}  {:>6}  {:>4}  {:>4}  {:>7}  {:>9}  {:>5}  {:>6}  {:>5}",
                "Name", "Elo", "+", "-", "Games", "Points", "Score", "Oppo.", "Draws"
            );
            for (rank, &place) in (1..).zip(group) {
                let player = &ratings.players[place];
                let _ = writeln!(
                    text,
                    "{rank:4}  {:width$}  {:6.0}  {:>4}  {:>4}  {:7}  {:9.1}  {:>5}  {:>6}  {:>5}",
                    player.name,
                    player.elo + 0.0,
                    whole(player.interval),
                    whole(player.interval),
                    player.games(),
                    player.points(),
                    percent(player.points(), player.games()),
                    whole(player.opponents),
                    percent(player.draws, player.games()),
                );
            }
        }
        let _ = writeln!(text, "\n{}", self.footnote(ratings));
        if self.los {
            text.push('\n');
            text.push_str(&los_text(ratings, width));
        }
        text
    }

    fn footnote(&self, ratings: &Ratings) -> String {
        let how = |parameter| {
            if parameter == Parameter::Fitted {
                "fitted"
            } else {
                "given"
            }
        };
        let about = match (self.intervals, self.anchors.is_empty()) {
            (ReferenceName::None, _) => "no intervals".to_owned(),
            (ReferenceName::Anchor, false) => "95 % intervals of the difference to the anchor".to_owned(),
            _ => "95 % intervals of the difference to the mean".to_owned(),
        };
        format!(
            "White's advantage {:.1} ({}), draw parameter {:.1} ({}), prior {} draws, scale {:.4}; {about}",
            ratings.advantage,
            how(self.advantage),
            ratings.draw_elo,
            how(self.draw_elo),
            self.prior,
            ratings.scale,
        )
    }
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

fn whole(value: Option<f64>) -> String {
    // Adding 0 turns -0 into 0.
    value.map_or("-".to_owned(), |value| format!("{:.0}", value.round() + 0.0))
}

fn percent(part: f64, whole: f64) -> String {
    format!("{:.0}%", 100.0 * part / whole)
}

#[derive(Serialize)]
struct JsonList<'a> {
    players: Vec<JsonPlayer<'a>>,
    advantage: f64,
    draw_elo: f64,
    scale: f64,
    prior: f64,
    games: f64,
    unfinished: u64,
    skipped: u64,
    groups: usize,
    log_likelihood: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    los: Option<Vec<Vec<Option<f64>>>>,
}

/// `score` and `draws` are percentages, as in `BayesElo`'s list.
#[derive(Serialize)]
struct JsonPlayer<'a> {
    name: &'a str,
    elo: f64,
    plus: Option<f64>,
    minus: Option<f64>,
    games: f64,
    points: f64,
    score: f64,
    opponents: Option<f64>,
    draws: f64,
    wins: f64,
    losses: f64,
    group: usize,
}

impl<'a> JsonPlayer<'a> {
    fn new(player: &'a Rated) -> Self {
        JsonPlayer {
            name: &player.name,
            elo: player.elo,
            plus: player.interval,
            minus: player.interval,
            games: player.games(),
            points: player.points(),
            score: 100.0 * player.points() / player.games(),
            opponents: player.opponents,
            draws: 100.0 * player.draws / player.games(),
            wins: player.wins,
            losses: player.losses,
            group: player.group + 1,
        }
    }
}

fn as_csv(ratings: &Ratings) -> String {
    let mut text =
        "rank,name,elo,plus,minus,games,points,score_percent,opponents,draw_percent,group\n".to_owned();
    for group in &ratings.groups {
        for (rank, &place) in (1..).zip(group) {
            let player = &ratings.players[place];
            let optional = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.2}"));
            let _ = writeln!(
                text,
                "{rank},{},{:.2},{},{},{},{},{:.2},{},{:.2},{}",
                csv_cell(&player.name),
                player.elo,
                optional(player.interval),
                optional(player.interval),
                player.games(),
                player.points(),
                100.0 * player.points() / player.games(),
                optional(player.opponents),
                100.0 * player.draws / player.games(),
                player.group + 1,
            );
        }
    }
    text
}

fn csv_cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Chance that the row's player is stronger than the column's, in the order of the list.
fn los_rows(ratings: &Ratings) -> Vec<Vec<Option<f64>>> {
    let places = 0..ratings.players.len();
    places
        .clone()
        .map(|row| {
            places
                .clone()
                .map(|column| ratings.superiority(row, column))
                .collect()
        })
        .collect()
}

fn los_csv(ratings: &Ratings) -> String {
    let mut text = "name".to_owned();
    for player in &ratings.players {
        let _ = write!(text, ",{}", csv_cell(&player.name));
    }
    text.push('\n');
    for (player, row) in ratings.players.iter().zip(los_rows(ratings)) {
        text.push_str(&csv_cell(&player.name));
        for cell in row {
            let _ = write!(
                text,
                ",{}",
                cell.map_or(String::new(), |chance| format!("{chance:.4}"))
            );
        }
        text.push('\n');
    }
    text
}

fn los_text(ratings: &Ratings, width: usize) -> String {
    let mut text =
        "Likelihood of superiority in percent: the player of the row over the player of the column\n"
            .to_owned();
    let _ = write!(text, "      {:width$}", "");
    for column in 1..=ratings.players.len() {
        let _ = write!(text, " {column:>4}");
    }
    text.push('\n');
    for (place, row) in los_rows(ratings).iter().enumerate() {
        let _ = write!(text, "{:4}  {:width$}", place + 1, ratings.players[place].name);
        for cell in row {
            let shown = cell.map_or(String::new(), |chance| format!("{:.0}", (100.0 * chance).floor()));
            let _ = write!(text, " {shown:>4}");
        }
        text.push('\n');
    }
    text
}
