//! `vidmar match` and `vidmar store` from the outside.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod arguments;
mod engines;
mod faults;
mod output;
mod resume;
mod stores;

use assert_cmd::Command;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use vidmar_store::Store;

const VIDMAR: &str = env!("CARGO_BIN_EXE_vidmar");

/// Two players by chance: quick, and the same games for the same seed.
const TWO: &[&str] = &[
    "-engine",
    "player=random:seed=1",
    "name=a",
    "-engine",
    "player=random:seed=2",
    "name=b",
];

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn command(&self, command: &str) -> Command {
        let mut made = Command::new(VIDMAR);
        made.arg(command).current_dir(self.0.path());
        made
    }

    fn play(&self, arguments: &[&[&str]]) -> assert_cmd::assert::Assert {
        self.command("match").args(arguments.concat()).assert()
    }

    /// The JSON of a match.
    fn json(&self, arguments: &[&[&str]]) -> Value {
        let mut all = arguments.to_vec();
        all.push(&["--json"]);
        let output = self.play(&all).success().get_output().stdout.clone();
        serde_json::from_slice(&output).unwrap()
    }

    /// The games of a store's last run, without times.
    fn games(&self, store: &str) -> String {
        let output = self
            .command("store")
            .args(["export", store, "--no-times"])
            .assert()
            .success()
            .get_output()
            .stdout
            .clone();
        String::from_utf8(output).unwrap()
    }

    /// Makes a UCI engine of a shell script: what it does at each `go` is told by `go`.
    #[cfg(unix)]
    fn engine(&self, name: &str, go: &str) -> String {
        let script = format!(
            "moves=0\nwhile read -r word rest; do\ncase $word in\n\
             uci) echo 'id name mock'; echo 'id author nobody'; echo uciok ;;\n\
             isready) echo readyok ;;\n\
             position) line=$rest ;;\n\
             go) moves=$((moves + 1))\n{go}\n;;\n\
             quit) exit 0 ;;\nesac\ndone\n"
        );
        self.script(name, &script)
    }

    /// A shell script that can be run.
    #[cfg(unix)]
    fn script(&self, name: &str, text: &str) -> String {
        use std::os::unix::fs::PermissionsExt as _;
        let path = self.path(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path.display().to_string()
    }
}

/// Waits until a match that another process plays has a game in its store.
fn wait_for_a_game(store: &Path) {
    let games = || Store::open_read_only(store).and_then(|store| store.finished(1));
    let begun = Instant::now();
    while games().unwrap_or_default().is_empty() {
        assert!(begun.elapsed() < Duration::from_mins(2), "no game is played");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn count(games: &str) -> usize {
    games.matches("[White ").count()
}
