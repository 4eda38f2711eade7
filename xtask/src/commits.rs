//! The step `commits`: every message since the rule says what changed and whether the engine plays as before.
//!
//! A subject is `area: what and why`, under 72 characters. The last line is `Bench: N`, the node count of `vidmar bench`, or
//! `no functional change`; a commit that touches what the signature is made of must state it, whether it changed or not.
//! The newest one that was stated is the one that the binary prints. Merges are exempt, and so is everything up to [`LAST_FREE`].

use std::fmt;

use anyhow::{Context, Result, bail, ensure};

use crate::cargo::{command, root, succeeds};
use crate::test::{Skip, tested_binary};

/// The last commit before the rule.
const LAST_FREE: &str = "5ec3350e2efb53d9e61606b0a506c5485486ee90";

/// A subject is shorter than this.
const SUBJECT_END: usize = 72;

/// What the signature is made of; the rules of chess and the engine around them are checked by the newest signature alone.
const PLAYS: [&str; 2] = ["crates/eval/src/", "crates/search/src/"];

const UNCHANGED: &str = "no functional change";
const BENCH: &str = "Bench: ";

/// A commit as the rule sees it.
struct Commit<'a> {
    hash: &'a str,
    message: &'a str,
    files: Vec<&'a str>,
}

/// What is wrong with a message.
#[derive(Debug, PartialEq, Eq)]
enum Fault {
    NoArea,
    LongSubject(usize),
    NoBlankLine,
    NoBench(String),
    NoLastLine,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NoArea => write!(f, "the subject is not of the form \"area: what and why\""),
            Fault::LongSubject(length) => {
                write!(
                    f,
                    "the subject has {length} characters, under {SUBJECT_END} are allowed"
                )
            }
            Fault::NoBlankLine => write!(f, "no blank line after the subject"),
            Fault::NoBench(file) => write!(f, "it touches {file}: the last line must be \"{BENCH}N\""),
            Fault::NoLastLine => write!(f, "the last line must be \"{UNCHANGED}\" or \"{BENCH}N\""),
        }
    }
}

impl<'a> Commit<'a> {
    /// Reads what `git log` prints in the format [`FORMAT`] with the names of the files.
    fn parse(record: &'a str) -> Option<Commit<'a>> {
        let (hash, rest) = record.split_once('\x02')?;
        let (message, files) = rest.split_once('\x02')?;
        Some(Commit {
            hash: hash.trim(),
            message: message.trim_end(),
            files: files
                .split(['\0', '\n'])
                .filter(|name| !name.is_empty())
                .collect(),
        })
    }

    fn subject(&self) -> &'a str {
        self.message.lines().next().unwrap_or_default()
    }

    fn last_line(&self) -> &'a str {
        self.message.lines().skip(1).last().unwrap_or_default()
    }

    /// The signature that it states.
    fn bench(&self) -> Option<u64> {
        self.last_line().strip_prefix(BENCH)?.parse().ok()
    }

    fn faults(&self) -> Vec<Fault> {
        let length = self.subject().chars().count();
        let second = self.message.lines().nth(1).unwrap_or_default();
        let playing = |file: &&&str| PLAYS.iter().any(|folder| file.starts_with(folder));
        let last = match (self.bench(), self.files.iter().find(playing)) {
            (Some(_), _) => None,
            (None, Some(file)) => Some(Fault::NoBench((*file).to_owned())),
            (None, None) => (self.last_line() != UNCHANGED).then_some(Fault::NoLastLine),
        };
        [
            (!has_area(self.subject())).then_some(Fault::NoArea),
            (length >= SUBJECT_END).then_some(Fault::LongSubject(length)),
            (!second.is_empty()).then_some(Fault::NoBlankLine),
            last,
        ]
        .into_iter()
        .flatten()
        .collect()
    }
}

/// Whether a subject names what it is about, one or several areas, before it says what was done.
fn has_area(subject: &str) -> bool {
    let Some((areas, what)) = subject.split_once(": ") else {
        return false;
    };
    let is_area = |area: &str| {
        let ok = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "-_./".contains(c);
        !area.is_empty() && area.chars().all(ok)
    };
    areas.split(", ").all(is_area) && !what.trim().is_empty()
}

/// One record a commit: a mark, the short name, the message, then the files.
const FORMAT: &str = "--format=%x01%h%x02%B%x02";

/// The step: the messages, then the signature of the binary against the newest one stated.
pub(crate) fn check() -> Result<()> {
    let log = history()?;
    let commits: Vec<Commit<'_>> = log.split('\x01').filter_map(Commit::parse).collect();
    let mut bad = 0;
    for commit in &commits {
        for fault in commit.faults() {
            println!("{} {}\n    {fault}", commit.hash, commit.subject());
            bad += 1;
        }
    }
    ensure!(
        bad == 0,
        "{bad} faults in the messages of {} commits",
        commits.len()
    );
    println!("{} messages are as they should be", commits.len());
    match commits.iter().find_map(Commit::bench) {
        Some(stated) => compare_signature(stated),
        None => Ok(()),
    }
}

/// The commits since the rule, the newest first; skipped where git does not know them.
fn history() -> Result<String> {
    let top = git(&["rev-parse", "--show-toplevel"]);
    let here = root().canonicalize()?;
    if !top.is_ok_and(|top| {
        std::path::Path::new(top.trim())
            .canonicalize()
            .is_ok_and(|top| top == here)
    }) {
        bail!(Skip("this is not a checkout of git".to_owned()));
    }
    if git(&["rev-parse", "--is-shallow-repository"])?.trim() == "true" {
        bail!(Skip("a shallow clone does not know its history".to_owned()));
    }
    if !succeeds(command("git").args(["merge-base", "--is-ancestor", LAST_FREE, "HEAD"])) {
        bail!(Skip(format!("{LAST_FREE} is not in this history")));
    }
    git(&[
        "log",
        "-z",
        "--no-merges",
        "--name-only",
        FORMAT,
        &format!("{LAST_FREE}..HEAD"),
    ])
}

/// What git prints.
pub(crate) fn git(arguments: &[&str]) -> Result<String> {
    let output = command("git")
        .args(arguments)
        .output()
        .context("cannot start git")?;
    ensure!(
        output.status.success(),
        "git {}: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Where the sources differ from the newest commit it only says what the next one must state.
fn compare_signature(stated: u64) -> Result<()> {
    let nodes = tested_signature()?;
    if git(&["status", "--porcelain", "--", "crates"])?.is_empty() {
        ensure!(
            nodes == stated,
            "the bench has {nodes} nodes, the newest commit that states them says {stated}"
        );
    }
    println!("{BENCH}{nodes}");
    Ok(())
}

/// The bench signature of the tested binary.
pub(crate) fn tested_signature() -> Result<u64> {
    let output = command(tested_binary()?)
        .arg("bench")
        .output()
        .context("cannot start the binary of the tests")?;
    let text = String::from_utf8_lossy(&output.stdout);
    signature(&text).context("the bench prints no \"N nodes\"")
}

/// The number of the last line `N nodes`.
fn signature(text: &str) -> Option<u64> {
    text.lines()
        .rev()
        .find_map(|line| line.strip_suffix(" nodes")?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn faults(message: &str, files: &[&str]) -> Vec<Fault> {
        let record = format!("abc\x02{message}\x02\0\n{}\0", files.join("\0"));
        Commit::parse(&record).unwrap().faults()
    }

    #[test]
    fn good_messages_pass() {
        let docs = ["README.md"];
        assert_eq!(
            faults("docs: tell what a build costs\n\nno functional change\n", &docs),
            []
        );
        assert_eq!(faults("docs: tell it\n\nWhy.\nMore.\n\nBench: 1\n", &docs), []);
        let search = ["docs/x.md", "crates/search/src/node.rs"];
        assert_eq!(
            faults("search, eval: reduce late moves\n\nBench: 2624701", &search),
            []
        );
    }

    #[test]
    fn subjects_are_held_to_their_form() {
        let end = "\n\nno functional change";
        for subject in [
            "Tell it",
            "docs tell it",
            "Docs: tell it",
            ": tell it",
            "docs: ",
            "docs,tune: tell it",
        ] {
            assert_eq!(
                faults(&format!("{subject}{end}"), &[]),
                [Fault::NoArea],
                "{subject}"
            );
        }
        let subject = |length: usize| format!("docs: {}", "é".repeat(length - 6));
        assert_eq!(faults(&(subject(71) + end), &[]), []);
        assert_eq!(faults(&(subject(72) + end), &[]), [Fault::LongSubject(72)]);
        assert_eq!(
            faults("docs: tell it\nno functional change", &[]),
            [Fault::NoBlankLine]
        );
    }

    #[test]
    fn last_line_says_what_becomes_of_the_play() {
        let other = ["crates/web/src/lib.rs", "crates/searching/src/lib.rs"];
        for end in [
            "",
            "\n\nNo functional change",
            "\n\nBench: many",
            "\n\nno functional change\n\nSigned: me",
        ] {
            assert_eq!(
                faults(&format!("web: answer{end}"), &other),
                [Fault::NoLastLine],
                "{end}"
            );
        }
        for folder in PLAYS {
            let file = format!("{folder}lib.rs");
            let expected = [Fault::NoBench(file.clone())];
            assert_eq!(
                faults("web: answer\n\nno functional change", &["a", &file]),
                expected
            );
            assert!(root().join(folder).is_dir(), "{folder} is not a folder");
        }
    }

    #[test]
    fn signature_is_the_last_count() {
        let text = "1  20 nodes\n12345 nodes a move\n2624701 nodes\n900000 nps\n";
        assert_eq!(signature(text), Some(2_624_701));
        assert_eq!(signature("900000 nps\n"), None);
    }
}
