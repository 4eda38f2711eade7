//! The question before programs of a file are started, at a terminal: `script` of util-linux has one for whoever asks for it.

#![allow(clippy::unwrap_used)]
#![cfg(target_os = "linux")]

use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const VIDMAR: &str = env!("CARGO_BIN_EXE_vidmar");

/// A configuration that names a program, which leaves a trace when it is started.
struct Found {
    folder: tempfile::TempDir,
}

impl Found {
    fn new() -> Found {
        let found = Found {
            folder: tempfile::tempdir().unwrap(),
        };
        let text = format!(
            "#!/bin/sh\ntouch {}\nexec {VIDMAR} uci\n",
            found.path("witness").display()
        );
        std::fs::write(found.path("program"), text).unwrap();
        let executable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(found.path("program"), executable).unwrap();
        let text = format!(
            "[budget]\ngenerations = 1\n[engine]\ndepth = 1\n[rules]\nmax_moves = 4\n[optimizer]\npopulation = 4\n\
             [objective]\nkind = \"opponents\"\ngames = 1\nopponents = [\"uci:cmd={},depth=1\"]\n",
            found.path("program").display()
        );
        std::fs::write(found.path("found.toml"), text).unwrap();
        found
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Whether the program was started.
    fn is_started(&self) -> bool {
        self.path("witness").exists()
    }

    fn command(&self) -> Vec<String> {
        let words = [
            VIDMAR,
            "tune",
            "run",
            "no-knowledge",
            "--quiet",
            "--no-verify",
            "--config",
        ];
        let paths = [self.path("found.toml"), self.path("run")].map(|path| path.display().to_string());
        let [config, out] = paths;
        let words = words.map(str::to_owned).into_iter();
        words.chain([config, "--out".to_owned(), out]).collect()
    }

    /// The exit code and all that was written, after that was typed at a terminal and the terminal was closed.
    fn at_a_terminal(&self, typed: &str) -> (Option<i32>, String) {
        let mut child = Command::new("script")
            .args([
                "--quiet",
                "--return",
                "--command",
                &self.command().join(" "),
                "/dev/null",
            ])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(typed.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    }
}

#[allow(clippy::print_stdout, reason = "a test that was skipped says so")]
fn has_script() -> bool {
    let found = Path::new("/usr/bin/script").exists();
    let required =
        std::env::var_os("VIDMAR_REQUIRE_ALL").is_some_and(|value| !value.is_empty() && value != "0");
    assert!(found || !required, "there is no /usr/bin/script");
    if !found {
        println!("skipped: there is no /usr/bin/script (util-linux)");
    }
    found
}

#[test]
fn whoever_says_yes_starts_the_programs() {
    if !has_script() {
        return;
    }
    let found = Found::new();
    let (code, text) = found.at_a_terminal("y\n");
    assert!(text.contains("starts uci:cmd="), "{text}");
    assert!(text.contains("Do you allow that? [y/N]"), "{text}");
    assert_eq!(code, Some(0), "{text}");
    assert!(found.is_started());
}

/// No, nothing, something else, and the end of input.
#[test]
fn everything_but_yes_is_no() {
    if !has_script() {
        return;
    }
    let found = Found::new();
    for typed in ["n\n", "\n", "yess\n", ""] {
        let (code, text) = found.at_a_terminal(typed);
        assert!(text.contains("Do you allow that? [y/N]"), "{typed:?}: {text}");
        assert!(
            text.contains("not allowed: nothing was started"),
            "{typed:?}: {text}"
        );
        assert_eq!(code, Some(2), "{typed:?}: {text}");
        assert!(!found.is_started() && !found.path("run").exists(), "{typed:?}");
    }
}

/// Where nobody can be asked, an answer that lies in a pipe is none.
#[test]
fn without_a_terminal_nobody_is_asked() {
    let found = Found::new();
    let words = found.command();
    let mut child = Command::new(&words[0])
        .args(&words[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // It may have ended before.
    let _ = child.stdin.take().unwrap().write_all(b"y\n");
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("if you trust it, add --allow-programs"), "{text}");
    assert!(!text.contains("Do you allow that?"), "{text}");
    assert_eq!(output.status.code(), Some(2));
    assert!(!found.is_started());
}
