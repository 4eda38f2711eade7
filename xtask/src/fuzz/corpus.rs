//! The corpus that is kept: for every target the inputs which together take every branch that was ever taken.
//!
//! What libFuzzer finds lies in `fuzz/corpus/TARGET`, thousands of files that are no part of the repository. The smallest of them that
//! reach as much stand in `fuzz/kept/TARGET`, a line each, with escapes as in Rust where a byte is no letter: every run
//! starts from them and from the seeds.

use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use super::libfuzzer;
use crate::cargo::root;

/// Where libFuzzer finds inputs and leaves those that reach something new.
pub(super) fn folder(target: &str) -> PathBuf {
    root().join("fuzz/corpus").join(target)
}

fn kept(target: &str) -> PathBuf {
    root().join("fuzz/kept").join(target)
}

/// Lays the inputs that are kept where libFuzzer finds them.
pub(super) fn unpack(target: &str) -> Result<()> {
    let folder = folder(target);
    fs::create_dir_all(&folder)?;
    for (index, input) in read(target)?.iter().enumerate() {
        fs::write(folder.join(format!("kept-{index:04}")), input)?;
    }
    Ok(())
}

/// The inputs that are kept of a target.
pub(super) fn read(target: &str) -> Result<Vec<Vec<u8>>> {
    let path = kept(target);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = fs::read_to_string(&path)?;
    let inputs = text.lines().enumerate().map(|(index, line)| {
        let place = || format!("{}:{}: an escape that is none", path.display(), index + 1);
        unescaped(line).with_context(place)
    });
    inputs.collect()
}

/// Keeps of a target's corpus what reaches every branch that all of it does.
pub(super) fn keep(programs: &Path, target: &str) -> Result<()> {
    let program = programs.join(target);
    let least = program.with_extension("least");
    if least.exists() {
        fs::remove_dir_all(&least)?;
    }
    fs::create_dir_all(&least)?;
    let log = program.with_extension("merge.log");
    let status = libfuzzer(programs, target)?
        .arg(&least)
        .arg(folder(target))
        .arg(root().join("fuzz/seeds").join(target))
        // Without the counters a branch is taken or not; how often would keep tens of times as many.
        .args(["-merge=1", "-use_counters=0"])
        .stderr(File::create(&log)?)
        .status()
        .with_context(|| format!("cannot start the fuzz target {target}"))?;
    ensure!(status.success(), "{target}: no merging, see {}", log.display());
    let mut inputs = Vec::new();
    for entry in fs::read_dir(&least)? {
        inputs.push(fs::read(entry?.path())?);
    }
    inputs.sort_unstable_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
    let mut lines = String::new();
    for input in &inputs {
        writeln!(lines, "{}", input.escape_ascii())?;
    }
    fs::create_dir_all(root().join("fuzz/kept"))?;
    Ok(fs::write(kept(target), lines)?)
}

/// The bytes that `escape_ascii` writes like this.
fn unescaped(line: &str) -> Option<Vec<u8>> {
    let (mut bytes, mut rest) = (Vec::new(), line.bytes());
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'\\' => match rest.next()? {
                b't' => b'\t',
                b'n' => b'\n',
                b'r' => b'\r',
                b'x' => {
                    let digits = [rest.next()?, rest.next()?];
                    u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
                }
                itself @ (b'\\' | b'\'' | b'"') => itself,
                _ => return None,
            },
            byte => byte,
        });
    }
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_input_is_read_as_it_was_kept() {
        let all: Vec<u8> = (0..=255).collect();
        assert_eq!(unescaped(&all.escape_ascii().to_string()), Some(all));
        assert_eq!(unescaped("go \\q"), None);
        assert_eq!(unescaped("\\x1"), None);
    }
}
