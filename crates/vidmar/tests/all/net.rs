//! `vidmar net` from the outside. That it works is shown by the tour of the README; here is what is refused.

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
