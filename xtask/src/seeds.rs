//! `cargo xtask seeds`: the front door, `vidmar tune run`, with several seeds: what pieces came out as, in which order, and what it took.
//!
//! In order is P < N, B < R < Q in both phases with a queen above one and a half rooks, and nothing at a bound.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context, Result, ensure};
use clap::Args;
use serde_json::Value;

use crate::cargo::target_dir;
use crate::stopwatch::Stopwatch;

/// Run `vidmar tune run` with several seeds: values, order, seconds
#[derive(Args)]
pub(crate) struct Seeds {
    /// The program [default: the release build]
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
    /// So many seeds, from the first on
    #[arg(long = "seeds", value_name = "N", default_value_t = 10)]
    count: u64,
    /// The first seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    first: u64,
    /// Games at once
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: u16,
    /// More arguments for `vidmar tune run`: a preset, --set KEY=VALUE, …
    #[arg(value_name = "ARGUMENT", trailing_var_arg = true, allow_hyphen_values = true)]
    arguments: Vec<String>,
}

const PIECES: [&str; 5] = ["Pawn", "Knight", "Bishop", "Rook", "Queen"];
const PHASES: [&str; 2] = ["Opening", "Endgame"];

impl Seeds {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let binary = match &self.binary {
            Some(binary) => binary.clone(),
            None => target_dir("release").join("vidmar"),
        };
        println!("| seed | opening: P, N, B, R, Q | endgame | in order | at a bound | seconds |");
        println!("| --: | --: | --: | --- | --- | --: |");
        let mut in_order = 0;
        for seed in (self.first..).take(self.count as usize) {
            let (row, is_in_order) = self.seed(&binary, seed)?;
            in_order += u64::from(is_in_order);
            println!("{row}");
        }
        println!("\n{in_order} of {} in order", self.count);
        Ok(if in_order == self.count {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        })
    }

    fn seed(&self, binary: &Path, seed: u64) -> Result<(String, bool)> {
        let folder = std::env::temp_dir().join(format!("vidmar-seeds-{}-{seed}", std::process::id()));
        let watch = Stopwatch::start();
        let output = Command::new(binary)
            .args(["tune", "run", "--json", "--seed", &seed.to_string()])
            .args(["--threads", &self.threads.to_string()])
            .args(&self.arguments)
            .arg("--out")
            .arg(&folder)
            .stderr(Stdio::inherit())
            .output()
            .with_context(|| format!("cannot start {}", binary.display()))?;
        ensure!(output.status.success(), "seed {seed}: {}", output.status);
        let spent = watch.spent();
        let text = String::from_utf8(output.stdout)?;
        let last = text.lines().last().context("the run prints nothing")?;
        std::fs::remove_dir_all(&folder).with_context(|| folder.display().to_string())?;
        let learned = &serde_json::from_str::<Value>(last)?["learned"];
        let parameters = learned["parameters"].as_array().context("no parameters")?;
        let mut row = format!("| {seed} ");
        let mut is_in_order = true;
        for phase in PHASES {
            let values: Option<Vec<f64>> = PIECES
                .iter()
                .map(|piece| value(parameters, piece, phase))
                .collect();
            let values = values.with_context(|| format!("no values of pieces in {last}"))?;
            is_in_order &= are_in_order(&values);
            let shown: Vec<String> = values.iter().map(f64::to_string).collect();
            let _ = write!(row, "| {} ", shown.join(", "));
        }
        let at_bound = parameters.iter().filter(|one| one["at_bound"] == true).count();
        let order = if is_in_order { "yes" } else { "no" };
        let _ = write!(row, "| {order} | {at_bound} | {spent} |");
        Ok((row, is_in_order && at_bound == 0))
    }
}

fn value(parameters: &[Value], piece: &str, phase: &str) -> Option<f64> {
    let name = format!("{piece}Value{phase}");
    parameters.iter().find(|one| one["parameter"] == name.as_str())?["after"].as_f64()
}

/// P < N, B < R < Q, and a queen above one and a half rooks.
fn are_in_order(values: &[f64]) -> bool {
    let [pawn, knight, bishop, rook, queen] = values[..] else {
        return false;
    };
    pawn < knight.min(bishop) && knight.max(bishop) < rook && rook < queen && queen > 1.5 * rook
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_that_of_every_beginner() {
        assert!(are_in_order(&[1.0, 3.0, 3.0, 5.0, 9.0]));
        assert!(!are_in_order(&[1.0, 3.0, 5.0, 5.0, 9.0]));
        assert!(!are_in_order(&[1.0, 3.0, 3.0, 7.0, 9.0]));
        assert!(!are_in_order(&[4.0, 3.0, 3.0, 5.0, 9.0]));
    }
}
