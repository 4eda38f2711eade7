//! `vidmar net` from the outside: what a tiny net has learnt shows in its games, and what is refused.

use assert_cmd::Command;
use predicates::str::contains;

fn net(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::create_dir(folder.path().join("empty")).expect("a folder");
    std::fs::create_dir(folder.path().join("broken")).expect("a folder");
    std::fs::write(folder.path().join("broken/a.packed"), "VIDMARPG").expect("a file");
    let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
    command
        .arg("net")
        .args(arguments)
        .current_dir(folder.path())
        .assert()
}

#[test]
fn what_cannot_be_learnt_from_is_named() {
    for (arguments, expected) in [
        (&["train", "nowhere", "--out", "a.net"][..], "nowhere"),
        (&["train", "empty", "--out", "a.net"], "no packed games"),
        (
            &["train", "broken", "--out", "a.net"],
            "not a file of packed games",
        ),
        (
            &["train", "empty", "--out", "a.net", "--hidden", "100"],
            "hidden is 100",
        ),
        (
            &["train", "empty", "--out", "a.net", "--lambda", "2"],
            "lambda is 2",
        ),
        (
            &["train", "empty", "--out", "a.net", "--keep", "chocks"],
            "chocks",
        ),
        (&["train", "empty"], "--out"),
        (
            &["train", "empty", "--out", "a.net", "--from", "tuned"],
            "'tuned' is no net",
        ),
        (
            &[
                "train", "empty", "--out", "a.net", "--from", "net", "--hidden", "64",
            ],
            "--hidden",
        ),
        (
            &["train", "empty", "--out", "a.net", "--teacher", "net"],
            "--teacher net has no effect: expected --distil above 0",
        ),
        (
            &["samples", "empty", "--out", "a", "--teacher", "net"],
            "--teacher net has no effect: expected --nearby above 0",
        ),
        (
            &["samples", "empty", "--out", "a", "--validation", "90"],
            "validation is 0.9",
        ),
        (
            &["samples", "empty", "--out", "a"],
            "error: empty: no packed games",
        ),
        (
            &[
                "samples",
                "empty",
                "--out",
                "a",
                "--nearby",
                "1",
                "--teacher",
                "nobody",
            ],
            "--teacher: unknown vector 'nobody'",
        ),
        (&["games", "--games", "0", "--out", "a"], "0"),
        (
            &["games", "--games", "1", "--out", "a", "--player", "nobody"],
            "nobody",
        ),
        (&["verify", "nowhere.net", "--nodes", "1"], "nowhere.net"),
        (&["verify", "tuned", "--elo0", "5", "--elo1", "5"], "elo0"),
    ] {
        net(arguments).code(2).stderr(contains(expected));
    }
}

/// From a few thousand positions. The first test of the two ends early, and the other one is played nevertheless.
#[test]
fn a_tiny_net_beats_one_that_has_learnt_nothing_and_not_the_evaluation_that_taught_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let net = |arguments: &str, code| {
        let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
        command.arg("net").args(arguments.split(' '));
        let output = command.current_dir(folder.path()).assert().code(code);
        String::from_utf8(output.get_output().stdout.clone()).expect("text")
    };
    net("games --games 60 --nodes 50 --out data", 0);
    let told = net("samples data --nearby 2 --validation 20 --out all.samples", 0);
    let bytes = std::fs::metadata(folder.path().join("all.samples")).expect("a file");
    let positions = (bytes.len() - 40 - 4) / 32;
    assert_eq!(told, format!("all.samples: {positions} positions\n"));
    assert!(positions > 3 * 1_000, "{positions}");
    net(
        "train data --hidden 32 --distil 30 --epochs 5 --batch 256 --rate 0.003 --validation 20 --out taught.net",
        0,
    );
    net(
        "train data --hidden 32 --epochs 1 --rate 0.0000001 --validation 20 --out random.net",
        0,
    );
    let answers = net(
        "verify taught.net random.net --nodes 100 --elo1 100 --games 200 --json",
        1,
    );
    let results: Vec<(String, String)> = answers
        .lines()
        .map(|line| {
            let answer: serde_json::Value = serde_json::from_str(line).expect("JSON");
            let text = |key: &str| answer[key].as_str().expect("text").to_owned();
            (text("opponent"), text("result"))
        })
        .collect();
    let expected = [("random.net", "gain"), ("tuned", "no gain")];
    assert_eq!(
        results,
        expected.map(|(opponent, result)| (opponent.to_owned(), result.to_owned()))
    );
}
