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
fn completions_are_asked_for_by_the_name_of_the_shell() {
    for (shell, sign) in [
        ("bash", "complete -F _vidmar"),
        ("zsh", "#compdef vidmar"),
        ("fish", "complete -c vidmar"),
    ] {
        let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
        let assert = command.args(["completions", shell]).assert().success();
        assert.stdout(contains(sign).and(contains("openings")).and(contains("runs")));
    }
    let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
    command
        .args(["completions", "tcsh"])
        .assert()
        .code(2)
        .stderr(contains("tcsh").and(contains("bash")));
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
    let matches = std::fs::read_to_string(pages.join("vidmar-match.1")).expect("a page");
    for argument in ["\\&  \\-engine KEY=VALUE", "\\-sprt", "\\-pgnout"] {
        assert!(matches.contains(argument), "{argument}");
    }
}

#[test]
fn the_reference_has_a_section_for_every_command() {
    let listing = generate(&["arguments"]).success().get_output().stdout.clone();
    let listing: serde_json::Value = serde_json::from_slice(&listing).expect("JSON");
    let page = generate(&["reference"]).success().get_output().stdout.clone();
    let page = String::from_utf8(page).expect("text");
    for command in listing["commands"].as_array().expect("commands") {
        let path: Vec<&str> = command["path"]
            .as_array()
            .expect("a path")
            .iter()
            .filter_map(|word| word.as_str())
            .collect();
        let heading = format!("## vidmar {}\n", path.join(" "));
        assert!(page.contains(&heading), "{heading}");
    }
    for row in ["| `--depth N` |", "| `-o, --output", "-engine KEY=VALUE"] {
        assert!(page.contains(row), "{row}");
    }
    generate(&["reference", "--out", "."]).code(2);
}

#[test]
fn the_listing_has_what_every_table_has() {
    let listing = generate(&["arguments"]).success().get_output().stdout.clone();
    let listing: serde_json::Value = serde_json::from_slice(&listing).expect("JSON");
    let find = |rows: &serde_json::Value, key: &str, name: &str| {
        let rows = rows.as_array().expect("rows").clone();
        let found = rows.into_iter().find(|row| row[key] == name);
        found.unwrap_or_else(|| panic!("{key} {name}"))
    };
    let commands = listing["commands"].as_array().expect("commands");
    let of_tune_run = commands
        .iter()
        .find(|row| row["path"] == serde_json::json!(["tune", "run"]));
    let seed = find(&of_tune_run.expect("a command")["arguments"], "name", "--seed");
    assert_eq!(
        (&seed["takes_value"], &seed["is_positional"]),
        (&true.into(), &false.into())
    );
    let engine = find(&listing["match_arguments"], "name", "-engine");
    assert_eq!(find(&engine["keys"], "name", "nodes")["value"], "N");
    let book = find(&listing["players"], "key", "book");
    assert!(find(&book["settings"], "key", "file")["required"].is_string());
    let hash = find(
        &find(&listing["players"], "key", "engine")["settings"],
        "key",
        "hash",
    );
    assert_eq!(hash["range"][0], 1);
    let generations = find(&listing["configuration"], "path", "budget.generations");
    assert_eq!(generations["range"], serde_json::json!([0, 1_000_000_000]));
    assert!(
        listing["configuration"]
            .as_array()
            .expect("rows")
            .iter()
            .any(|key| key["choice"] == "kind=texel")
    );
    generate(&["arguments", "--out", "."]).code(2);
}
