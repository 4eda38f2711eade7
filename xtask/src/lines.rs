//! `cargo xtask lines`: lines of Rust by crate, of any revisions side by side.
//!
//! Source is what lies in a crate's `src`; tests, benches and examples are counted beside it. Comments and blank lines count.

use std::collections::BTreeMap;
use std::process::ExitCode;

use anyhow::{Context, Result};
use clap::Args;

use crate::commits::git;

/// Count the lines of Rust by crate
#[derive(Args)]
pub(crate) struct Lines {
    /// Revisions to compare, as git names them
    #[arg(value_name = "REVISION", default_value = "HEAD")]
    revisions: Vec<String>,
}

/// Lines of source, and of tests and examples.
type Count = (usize, usize);

impl Lines {
    pub(crate) fn run(self) -> Result<ExitCode> {
        let mut table: BTreeMap<String, Vec<Count>> = BTreeMap::new();
        for (column, revision) in self.revisions.iter().enumerate() {
            // The empty pattern matches every line.
            let counted = git(&["grep", "--count", "", revision, "--", "crates/*.rs"])?;
            for line in counted.lines() {
                let (name, is_source, lines) =
                    read(line, revision).with_context(|| format!("git grep prints {line:?}"))?;
                for key in [name, "all"] {
                    let row = table.entry(key.to_owned()).or_default();
                    row.resize(self.revisions.len(), Count::default());
                    let count = &mut row[column];
                    *(if is_source { &mut count.0 } else { &mut count.1 }) += lines;
                }
            }
        }
        print(&self.revisions, table);
        Ok(ExitCode::SUCCESS)
    }
}

/// A crate, whether a file of it is source, and the lines of the file, from `REVISION:crates/NAME/…:LINES`.
fn read<'a>(line: &'a str, revision: &str) -> Option<(&'a str, bool, usize)> {
    let (path, lines) = line.strip_prefix(revision)?.rsplit_once(':')?;
    let (name, rest) = path.strip_prefix(":crates/")?.split_once('/')?;
    Some((name, rest.starts_with("src/"), lines.parse().ok()?))
}

/// A table in Markdown, with the sums in its last row.
fn print(revisions: &[String], mut table: BTreeMap<String, Vec<Count>>) {
    let all = table.remove_entry("all");
    let columns = revisions
        .iter()
        .map(|revision| format!(" {revision}: source | tests, examples |"));
    println!("| crate |{}", columns.collect::<String>());
    println!("| --- |{}", " --: |".repeat(2 * revisions.len()));
    for (name, counts) in table.into_iter().chain(all) {
        let counts = counts
            .iter()
            .map(|(source, tests)| format!(" {source} | {tests} |"));
        println!("| {name} |{}", counts.collect::<String>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_git_says_crate_kind_and_count() {
        assert_eq!(
            read("v1:crates/chess/src/a:b.rs:12", "v1"),
            Some(("chess", true, 12))
        );
        assert_eq!(
            read("HEAD:crates/chess/tests/all/a.rs:3", "HEAD"),
            Some(("chess", false, 3))
        );
        assert_eq!(read("HEAD:README.md:3", "HEAD"), None);
    }
}
