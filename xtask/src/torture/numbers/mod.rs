//! Values at the edges of everything that takes one.
//!
//! A [`Slot`] is a place in a command line where a value stands. Into each come the numbers at which arithmetic breaks, texts that are
//! no numbers, and, as soon as the program has told the range in an error or the listing has it, the values at and beside its ends.

pub(super) mod commands;
pub(super) mod configuration;
pub(super) mod matches;
pub(super) mod options;
pub(super) mod players;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;
use std::time::Duration;

use anyhow::Result;

use super::plan::Plan;
use super::tally::Tally;
use super::trial::Trial;

/// After which work is enough.
const BUDGET: Duration = Duration::from_secs(1);

/// Letters of a very long value; the system takes 128 KiB.
const LONG: usize = 100_000;

/// Where a value stands in a command line.
pub(super) struct Slot {
    before: Vec<String>,
    /// What stands before the value in the same word.
    prefix: String,
    after: Vec<String>,
    range: Option<(i64, i64)>,
}

/// What is put into every slot.
fn values(range: Option<(i64, i64)>) -> Vec<OsString> {
    let fixed = [
        "0",
        "-1",
        "1",
        "-0",
        "0.5",
        "2147483647",
        "2147483648",
        "4294967295",
        "4294967296",
        "9223372036854775807",
        "9223372036854775808",
        "-9223372036854775808",
        "18446744073709551615",
        "18446744073709551616",
        "1e18",
        "1e309",
        "-1e309",
        "NaN",
        "inf",
        "-inf",
        "",
        " ",
        "1_000",
        "%s%n",
        "0x10",
        "٣",
    ];
    let mut all: Vec<OsString> = fixed.iter().map(OsString::from).collect();
    all.push("9".repeat(LONG).into());
    all.push(OsString::from_vec(vec![0xff, 0xfe, b'1']));
    all.extend(ends(range));
    all
}

/// At and beside the ends of a range.
fn ends(range: Option<(i64, i64)>) -> Vec<OsString> {
    let Some((min, max)) = range else {
        return Vec::new();
    };
    let (min, max) = (i128::from(min), i128::from(max));
    [min - 1, min, max, max + 1]
        .map(|value| value.to_string().into())
        .to_vec()
}

/// The range that an error tells: `1..=1024`, `from 1 to 1024`, `expected 1 to 1024`.
fn range_in(error: &str) -> Option<(i64, i64)> {
    let words: Vec<&str> = error
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '(' | ')'))
        .map(|word| word.trim_end_matches('.'))
        .collect();
    let dots = words.iter().find_map(|word| {
        let (min, max) = word.split_once("..=").or_else(|| word.split_once(".."))?;
        Some((min.parse().ok()?, max.parse().ok()?))
    });
    let to = || {
        words.windows(3).find_map(|three| match three {
            [min, "to", max] => Some((min.parse().ok()?, max.parse().ok()?)),
            _ => None,
        })
    };
    dots.or_else(to)
}

/// Tries every value in every slot.
fn try_all(plan: &Plan, slots: &[Slot]) -> Result<Tally> {
    let mut tally = plan.each(slots, |worker, slot| try_slot(plan, worker, slot))?;
    tally.count("slots", slots.len() as u64);
    Ok(tally)
}

fn try_slot(plan: &Plan, worker: &str, slot: &Slot) -> Result<Tally> {
    let mut tally = Tally::default();
    let mut waiting = values(slot.range);
    plan.rng(1).shuffle(&mut waiting);
    let mut range = slot.range;
    while let Some(value) = waiting.pop() {
        if !plan.next() {
            break;
        }
        let trial = Trial {
            program: &plan.binary,
            words: slot.words(&value),
            folder: plan.fresh(worker)?,
            input: Vec::new(),
            budget: BUDGET,
        };
        let ended = trial.run()?;
        tally.trials += 1;
        tally.note(ended.kind());
        if let Some(fault) = ended.fault() {
            tally.find(fault, trial.command());
        }
        if range.is_none() {
            range = range_in(&ended.stderr);
            waiting.extend(ends(range));
        }
    }
    Ok(tally)
}

impl Slot {
    fn words(&self, value: &OsStr) -> Vec<OsString> {
        let mut word = OsString::from(&self.prefix);
        word.push(value);
        let before = self.before.iter().map(OsString::from);
        before
            .chain([word])
            .chain(self.after.iter().map(OsString::from))
            .collect()
    }
}

fn owned(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

/// A range of the listing.
fn listed_range(row: &serde_json::Value) -> Option<(i64, i64)> {
    Some((row["range"][0].as_i64()?, row["range"][1].as_i64()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_read_from_errors() {
        assert_eq!(
            range_in("invalid value '0' for '--threads <N>': 0 is not in 1..=1024"),
            Some((1, 1024))
        );
        assert_eq!(
            range_in("-concurrency: '0': expected a whole number from 1 to 1024"),
            Some((1, 1024))
        );
        assert_eq!(
            range_in("budget.generations = -1: expected 0 to 1000000000"),
            Some((0, 1_000_000_000))
        );
        assert_eq!(range_in("expected a whole number, 1 or more"), None);
    }
}
