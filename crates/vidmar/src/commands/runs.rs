//! `vidmar runs`: what a folder of runs holds. The list is the one that the page shows.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::ensure;
use clap::Args;
use comfy_table::{CellAlignment, Table, presets};
use vidmar_web::{ListedRun, list_runs};

use crate::{home, output};

/// List tuning runs and matches: where each stands and what came of it
///
/// `tune run` and `match` write to the folder `runs` if nothing else is said; that is the one listed here, and the one that
/// `vidmar web` shows.
#[derive(Args)]
#[command(after_help = "\
Examples:
  vidmar runs
  vidmar runs experiments --json")]
pub(crate) struct Runs {
    /// Folders with runs, or runs [default: runs]
    #[arg(value_name = "DIR")]
    directories: Vec<PathBuf>,
    /// Print a JSON object
    #[arg(long)]
    json: bool,
}

impl Runs {
    pub(crate) fn run(self) -> anyhow::Result<ExitCode> {
        for path in &self.directories {
            ensure!(path.is_dir(), "{}: there is no such directory", path.display());
        }
        let is_default = self.directories.is_empty();
        let directories = if is_default {
            vec![PathBuf::from(home::RUNS)]
        } else {
            self.directories
        };
        let runs = list_runs(&directories);
        if self.json {
            output::print(&(serde_json::json!({ "runs": runs }).to_string() + "\n"))?;
        } else if runs.is_empty() {
            let folders: Vec<String> = directories
                .iter()
                .map(|path| path.display().to_string())
                .collect();
            let more = if is_default {
                "; `vidmar tune run` and `vidmar match` write there"
            } else {
                ""
            };
            output::hint(&format!("no runs in {}{more}", folders.join(", ")));
        } else {
            output::print(&table(&runs))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn table(runs: &[ListedRun]) -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let now = now.map_or(0, |time| time.as_secs() as i64);
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["run", "kind", "state", "games", "begun", "result"]);
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    if let Some(games) = table.column_mut(3) {
        games.set_cell_alignment(CellAlignment::Right);
    }
    for ListedRun { path, number, run } in runs {
        let games = match run.planned_games {
            Some(planned) if run.games < planned => format!("{}/{planned}", run.games),
            _ => run.games.to_string(),
        };
        let result = run.problem.as_ref().or(run.result.as_ref());
        table.add_row([
            shown(path, *number),
            run.kind.name().to_owned(),
            run.state.name().to_owned(),
            games,
            age(now - run.begun),
            result.unwrap_or(&run.about).clone(),
        ]);
    }
    let lines = table.to_string();
    let lines: Vec<&str> = lines.lines().map(str::trim_end).collect();
    lines.join("\n") + "\n"
}

/// Where it is, and which match of a store that holds several.
fn shown(path: &Path, number: Option<i64>) -> String {
    match number {
        None => path.display().to_string(),
        Some(number) => format!("{} #{number}", path.display()),
    }
}

/// How long ago, in the largest unit that fits.
fn age(seconds: i64) -> String {
    const UNITS: [(i64, &str); 3] = [(86_400, "d"), (3_600, "h"), (60, "min")];
    let unit = UNITS.iter().find(|(length, _)| seconds >= *length);
    unit.map_or_else(
        || "just now".to_owned(),
        |(length, unit)| format!("{} {unit} ago", seconds / length),
    )
}

#[cfg(test)]
mod tests {
    use super::age;

    #[test]
    fn ages_are_whole_units() {
        for (seconds, text) in [
            (-5, "just now"),
            (59, "just now"),
            (60, "1 min ago"),
            (7_199, "1 h ago"),
            (200_000, "2 d ago"),
        ] {
            assert_eq!(age(seconds), text);
        }
    }
}
