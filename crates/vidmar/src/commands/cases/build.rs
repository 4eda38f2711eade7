//! `vidmar cases build`: a case base from the games of one player.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args;
use serde_json::json;
use vidmar_cases::{BuildReport, CaseBase, PlayerName, build};
use vidmar_chess::Color;

use crate::output;

/// Make a case base from the games of a player
///
/// Every position in which the player was to move, with the move, is a case. Names match if surnames are equal and
/// given names do not contradict each other (Vidmar,M is Vidmar, Milan); a number is a FIDE identity.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar cases build --pgn games.pgn --player 'Vidmar,M' -o vidmar.cases
  vidmar cases build --pgn 2019.pgn 2020.pgn --player 14102536 -o expert.cases")]
pub(super) struct Build {
    /// PGN files
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pgn: Vec<PathBuf>,
    /// The player's name, or FIDE number
    #[arg(long, value_name = "NAME", value_parser = player)]
    player: PlayerName,
    /// The file to write
    #[arg(short, long, value_name = "FILE.cases")]
    output: PathBuf,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

fn player(text: &str) -> Result<PlayerName, String> {
    PlayerName::new(text).ok_or_else(|| "expected a name or a FIDE number".to_owned())
}

impl Build {
    pub(super) fn run(self) -> anyhow::Result<ExitCode> {
        let files = self
            .pgn
            .iter()
            .map(|file| {
                let name = file.display().to_string();
                let bytes = std::fs::read(file).with_context(|| format!("cannot read {name}"))?;
                Ok((name, bytes))
            })
            .collect::<anyhow::Result<Vec<_>>>()?;
        let (base, report) = build(&files, &self.player)?;
        let bytes = base.to_bytes();
        output::write_file(&self.output, &bytes)?;
        warn(&report);
        output::print(&if self.json {
            self.as_json(&base, &report, bytes.len())
        } else {
            self.as_text(&base, &report, bytes.len())
        })?;
        Ok(ExitCode::SUCCESS)
    }

    fn as_text(&self, base: &CaseBase, report: &BuildReport, bytes: usize) -> String {
        let mut text = String::new();
        for (name, count) in &report.names {
            let [white, black] = Color::ALL.map(|color| count[color]);
            let _ = writeln!(
                text,
                "{name}: {} games, {white} as White, {black} as Black",
                white + black
            );
        }
        let [white, black] = Color::ALL.map(|color| base.list(color).len());
        let (games, all) = (base.games().len(), report.games);
        let _ = writeln!(
            text,
            "{} cases ({white} as White, {black} as Black) of {games} of {all} games in {bytes} bytes: {}",
            base.len(),
            self.output.display()
        );
        text
    }

    fn as_json(&self, base: &CaseBase, report: &BuildReport, bytes: usize) -> String {
        let names: Vec<_> = report
            .names
            .iter()
            .map(|(name, count)| json!({"name": name, "white": count[Color::White], "black": count[Color::Black]}))
            .collect();
        let [white, black] = Color::ALL.map(|color| base.list(color).len());
        let answer = json!({
            "file": self.output.display().to_string(),
            "bytes": bytes,
            "expert": base.expert(),
            "mean_elo": base.mean_elo(),
            "games_read": report.games,
            "games": base.games().len(),
            "names": names,
            "cases": base.len(),
            "white_cases": white,
            "black_cases": black,
            "both_sides": report.both_sides,
            "broken": report.broken.len(),
        });
        format!("{answer}\n")
    }
}

/// Shown of the games that are left out.
const SHOWN: usize = 5;

fn warn(report: &BuildReport) {
    if report.both_sides > 0 {
        output::warn(&format!(
            "{} games left out: both players match",
            report.both_sides
        ));
    }
    for (file, error) in report.broken.iter().take(SHOWN) {
        output::warn(&format!("{file}: {error}; game left out"));
    }
    if report.broken.len() > SHOWN {
        output::warn(&format!("{} broken games left out in all", report.broken.len()));
    }
}
