//! `vidmar generate` from the outside.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn generate(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
    command.arg("generate").args(arguments).assert()
}

#[test]
fn every_shell_learns_every_command() {
    for shell in ["complete-bash", "complete-zsh", "complete-fish"] {
        let mut assert = generate(&[shell]).success().stderr("");
        for command in ["perft", "openings", "probe", "generate"] {
            assert = assert.stdout(contains(command));
        }
    }
    generate(&["complete-tcsh"]).code(2);
    generate(&["complete-bash", "--out", "."]).code(2);
}

#[test]
fn the_manual_has_a_page_for_every_command() {
    generate(&["man"])
        .success()
        .stdout(contains(".TH vidmar 1").and(contains("perft")));
    let folder = tempfile::tempdir().expect("a folder");
    let pages = folder.path().join("man1");
    generate(&["man", "--out", pages.to_str().expect("UTF-8")])
        .success()
        .stdout("");
    for page in ["vidmar.1", "vidmar-perft.1", "vidmar-book-probe.1"] {
        let text = std::fs::read_to_string(pages.join(page)).expect(page);
        assert!(text.contains(".SH NAME"), "{page}");
    }
}
