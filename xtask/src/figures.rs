//! The step `figures`: tables of the documentation say which engine played them.
//!
//! A figure of playing strength is true of one engine only, and the bench signature names it. Wherever a page says
//! "signature N", N is the signature of the present binary, or the page says "signature N (older)". So a reader sees what
//! was not played again, and a change of the search lists the tables that it made old instead of leaving them to look young.

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::cargo::root;
use crate::commits::tested_signature;

/// What stands before a signature, in any case.
const WORD: &str = "signature ";
/// What stands behind one that is not the present one.
const OLDER: &str = " (older)";

/// A place where a page states a signature.
#[derive(Debug, PartialEq, Eq)]
struct Statement {
    line: usize,
    signature: u64,
    older: bool,
}

/// What is wrong with a statement.
#[derive(Debug, PartialEq, Eq)]
enum Fault {
    Stale,
    Fresh,
}

impl Statement {
    fn fault(&self, present: u64) -> Option<Fault> {
        match (self.signature == present, self.older) {
            (false, false) => Some(Fault::Stale),
            (true, true) => Some(Fault::Fresh),
            _ => None,
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Stale => write!(
                f,
                "is not the present engine's: play it again, or write \"{OLDER}\" behind it"
            ),
            Fault::Fresh => write!(f, "is the present engine's: \"{OLDER}\" behind it is wrong"),
        }
    }
}

/// Every signature that a page states, with its line from 1.
fn statements(text: &str) -> Vec<Statement> {
    text.lines()
        .enumerate()
        .flat_map(|(index, line)| {
            let lower = line.to_lowercase();
            let found: Vec<Statement> = lower
                .match_indices(WORD)
                .filter_map(|(at, _)| {
                    let rest = &lower[at + WORD.len()..];
                    let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
                    Some(Statement {
                        line: index + 1,
                        signature: rest[..digits].parse().ok()?,
                        older: rest[digits..].starts_with(OLDER),
                    })
                })
                .collect();
            found
        })
        .collect()
}

/// The pages of the documentation, in all its folders, and the README, in order.
fn pages(root: &Path) -> Result<Vec<PathBuf>> {
    let mut pages = vec![root.join("README.md")];
    let mut folders = vec![root.join("docs")];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    Ok(pages)
}

/// The step: every stated signature against the one of the tested binary.
pub(crate) fn check() -> Result<()> {
    let (root, present) = (root(), tested_signature()?);
    let (mut stated, mut older, mut wrong) = (0, 0, 0);
    for page in pages(root)? {
        let text = std::fs::read_to_string(&page).with_context(|| page.display().to_string())?;
        let shown = page.strip_prefix(root).unwrap_or(&page).display();
        for statement in statements(&text) {
            stated += 1;
            let Statement { line, signature, .. } = statement;
            if let Some(fault) = statement.fault(present) {
                println!("{shown}:{line}: signature {signature} {fault}");
                wrong += 1;
            } else if statement.older {
                println!("{shown}:{line}: signature {signature} is older");
                older += 1;
            }
        }
    }
    ensure!(
        wrong == 0,
        "{wrong} of {stated} signatures in the documentation are not what they seem; the bench has {present}"
    );
    println!("{stated} signatures in the documentation, {older} of them marked as older");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_another_engine_must_say_so() {
        let text =
            "Bench signature 11, signature 12 (older).\n\nSignature 12: and the signature of nothing\n";
        let found = statements(text);
        let faults: Vec<_> = found
            .iter()
            .map(|statement| (statement.line, statement.signature, statement.fault(12)))
            .collect();
        assert_eq!(
            faults,
            [
                (1, 11, Some(Fault::Stale)),
                (1, 12, Some(Fault::Fresh)),
                (3, 12, None)
            ]
        );
        assert_eq!(found[1].fault(13), None);
    }
}
