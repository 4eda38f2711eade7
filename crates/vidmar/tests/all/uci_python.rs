//! The binary as an outside library sees it: python-chess drives it through whole games.
//!
//! Needs a `python3` with the package `chess`, which `cargo xtask test` provides; without one the test says
//! that it was skipped, and fails where `VIDMAR_REQUIRE_ALL` is set.

use std::process::{Command, Stdio};

fn has_python_chess() -> bool {
    let mut python = Command::new("python3");
    python
        .args(["-c", "import chess.engine"])
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    python.status().is_ok_and(|status| status.success())
}

#[test]
fn python_chess_is_content() {
    if !has_python_chess() {
        let required =
            std::env::var_os("VIDMAR_REQUIRE_ALL").is_some_and(|value| !value.is_empty() && value != "0");
        assert!(!required, "there is no python3 with the package chess");
        println!("skipped: there is no python3 with the package chess ('cargo xtask test' installs it)");
        return;
    }
    let output = Command::new("python3")
        .arg(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/uci_python.py"))
        .arg(env!("CARGO_BIN_EXE_vidmar"))
        .output()
        .expect("python3 starts");
    let (out, err) = (
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr),
    );
    assert!(output.status.success(), "{out}\n{err}");
    assert!(out.ends_with("all is well\n"), "{out}");
}
