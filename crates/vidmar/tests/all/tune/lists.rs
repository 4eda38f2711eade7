//! Lists of parameters in other tuners' forms, through `vidmar tune`.

use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::{contains, is_empty, is_match};

use super::vidmar;

/// A strength that is a parameter like any other; this program is the engine.
const LIST: &str = "UCI_Elo, int, 1400, 1000, 2800, 300, 0.01\n";

fn tune(folder: &Path, arguments: &[&str]) -> Command {
    let list = folder.join("spsa.txt");
    std::fs::write(&list, LIST).unwrap();
    let engine = format!("engine.command={} uci", env!("CARGO_BIN_EXE_vidmar"));
    let mut command = vidmar();
    command
        .args(["tune", "run", "--parameters"])
        .arg(&list)
        .args(["--set", &engine])
        .args(["--set", "engine.options=[\"UCI_LimitStrength=true\", \"Hash=1\"]"])
        .args(arguments);
    command
}

#[test]
fn a_list_is_tuned_and_comes_back_in_every_form() {
    let folder = tempfile::tempdir().unwrap();
    let run = folder.path().join("run");
    tune(folder.path(), &["--out"])
        .arg(&run)
        .args(["--set", "depth=1", "--set", "games=2", "--set", "total_games=32"])
        .args([
            "--set",
            "generations=0",
            "--set",
            "pairs=0",
            "--set",
            "max_moves=30",
        ])
        .args(["--threads", "2"])
        .assert()
        .success();
    let list = |form: &str| {
        let mut command = vidmar();
        command.args(["tune", "export", "--list", form]).arg(&run);
        command.assert().success()
    };
    list("uci").stdout(is_match(r"^setoption name UCI_Elo value [12]\d{3}\n$").unwrap());
    list("openbench").stdout(is_match(r"^UCI_Elo, int, \d{4}, 1000, 2800, 300, 0.01\n$").unwrap());
    list("fishtest").stdout(is_match(r"^UCI_Elo,\d{4},1000,2800,300,0.01\n$").unwrap());
    list("weather-factory").stdout(contains("\"step\": 300.0"));
    list("chess-tuning-tools").stdout(contains("\"UCI_Elo\": \"Integer(1000, 2800)\""));
    assert!(!run.join("export").exists());
}

#[test]
fn gains_without_a_use_are_named_and_left_out() {
    let folder = tempfile::tempdir().unwrap();
    tune(folder.path(), &["--print-config"])
        .assert()
        .success()
        .stderr(is_empty())
        .stdout(contains("c_end = 300.0").and(contains("method = \"spsa\"\n")));
    tune(folder.path(), &["--print-config", "--set", "method=de-rated"])
        .assert()
        .success()
        .stderr(contains("de-rated does not use the c_end of ").and(contains("r_end")))
        .stdout(contains("name = \"UCI_Elo\"").and(contains("c_end").not()));
    // What a configuration says itself is never left out.
    let config = folder.path().join("own.toml");
    let text =
        "[parameters]\nsource = \"list\"\nlist = [{ name = \"MultiPV\", min = 0, max = 9, c_end = 2 }]\n";
    std::fs::write(&config, text).unwrap();
    let refused = |method: &str, words: &str| {
        let engine = format!("engine.command={} uci", env!("CARGO_BIN_EXE_vidmar"));
        let method = format!("method={method}");
        vidmar()
            .args([
                "tune",
                "run",
                "--print-config",
                "--set",
                &engine,
                "--set",
                &method,
                "--config",
            ])
            .arg(&config)
            .assert()
            .failure()
            .stderr(contains(format!("dimension \"MultiPV\" has c_end = {words}")));
    };
    refused("de-rated", "2: expected none, de-rated does not use it");
    std::fs::write(&config, text.replace("c_end = 2", "c_end = 20")).unwrap();
    refused("spsa", "20: expected above 0, at most the interval's width 9");
}
