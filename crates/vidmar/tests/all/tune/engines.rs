//! `vidmar tune` and its engines: what they were, what they are, and who allowed them.

#![allow(clippy::unwrap_used)]

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::str::contains;

/// An engine that is a file of its own: a script that becomes this program.
fn engine(folder: &Path, name: &str) -> PathBuf {
    let script = folder.join(name);
    let text = format!("#!/bin/sh\nexec {} uci\n", env!("CARGO_BIN_EXE_vidmar"));
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    script
}

/// The same engine for whoever plays it, and another file.
fn change(script: &Path) {
    let mut file = std::fs::OpenOptions::new().append(true).open(script).unwrap();
    file.write_all(b"# longer\n").unwrap();
}

fn tune(words: &[&str], directory: &Path) -> Assert {
    Command::new(env!("CARGO_BIN_EXE_vidmar"))
        .arg("tune")
        .args(words)
        .arg(directory)
        .assert()
}

/// Some games, at depth 1.
const SMALL: [&str; 16] = [
    "--quiet",
    "--set",
    "population=4",
    "--set",
    "games=2",
    "--set",
    "generations=1",
    "--set",
    "depth=1",
    "--set",
    "pairs=1",
    "--set",
    "deeper=[0]",
    "--set",
    "max_moves=10",
    "--allow-programs",
];

#[test]
fn a_run_does_not_go_on_with_another_engine() {
    let folder = tempfile::tempdir().unwrap();
    let script = engine(folder.path(), "engine");
    let (config, out) = (folder.path().join("config.toml"), folder.path().join("run"));
    let text = format!(
        "[parameters]\nsource = \"list\"\nlist = [{{ name = \"Move Overhead\", min = 0, max = 100, start = 10 }}]\n\
         [engine]\ncommand = \"{}\"\n",
        script.display()
    );
    std::fs::write(&config, text).unwrap();
    let begin = [
        "run",
        "no-knowledge",
        "--no-verify",
        "--config",
        config.to_str().unwrap(),
    ];
    tune(&[&begin[..], &SMALL, &["--out"]].concat(), &out).success();
    let resume = ["resume", "--quiet", "--no-verify", "--allow-programs"];
    tune(&resume, &out).success();
    change(&script);
    for words in [&resume[..], &["verify", "--quiet", "--allow-programs"]] {
        tune(words, &out)
            .code(2)
            .stderr(contains("has other contents: "))
            .stderr(contains("--accept-changed-engines"));
    }
    tune(&[&resume[..], &["--accept-changed-engines"]].concat(), &out).success();
    // What was accepted is the engine of the run from then on.
    tune(&resume, &out).success();
}

/// A gauntlet goes on with the references that it began with.
#[test]
fn a_gauntlet_does_not_go_on_with_another_reference() {
    let folder = tempfile::tempdir().unwrap();
    let (script, out) = (engine(folder.path(), "reference"), folder.path().join("run"));
    let begin = ["run", "no-knowledge", "--no-verify"];
    tune(&[&begin[..], &SMALL, &["--out"]].concat(), &out).success();
    let reference = format!("1000=uci:cmd={},depth=1", script.display());
    let gauntlet = ["verify", "--quiet", "--gauntlet", "1", "--reference", &reference];
    let played = |assert: Assert| assert.code(predicates::function::function(|code: &i32| *code < 2));
    played(tune(&gauntlet, &out));
    change(&script);
    tune(&gauntlet, &out)
        .code(2)
        .stderr(contains("reference has other contents: "));
    played(tune(
        &[&gauntlet[..], &["--accept-changed-engines"]].concat(),
        &out,
    ));
    played(tune(&gauntlet, &out));
}

/// A comparison goes on with directories that are there, and they may be anybody's.
#[test]
fn a_comparison_asks_before_it_starts_programs() {
    let folder = tempfile::tempdir().unwrap();
    let directory = folder.path().join("spsa-1");
    std::fs::create_dir(&directory).unwrap();
    let text = "[objective]\nkind = \"opponents\"\nopponents = [\"uci:cmd=touch\"]\n";
    std::fs::write(directory.join("config.toml"), text).unwrap();
    let compare = ["compare", "quick", "--methods", "spsa", "--games", "2", "--quiet"];
    tune(&[&compare[..], &["--out"]].concat(), folder.path())
        .code(2)
        .stderr(contains("starts uci:cmd=touch"))
        .stderr(contains("--allow-programs"));
    // With leave it is read, and is none of this comparison.
    tune(
        &[&compare[..], &["--allow-programs", "--out"]].concat(),
        folder.path(),
    )
    .code(2)
    .stderr(contains("holds a run with other settings"));
}
