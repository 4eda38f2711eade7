//! What is asked for: configurations, their mistakes, their programs.

use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

use super::{SMALL, vidmar};

#[test]
fn mistakes_are_named_and_nothing_is_written() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let fails = |arguments: &[&str], message: &str| {
        // What the run refuses, its configuration is refused for too.
        for more in [&[][..], &["--print-config"]] {
            vidmar()
                .args(["tune", "run", "narrow", "--out"])
                .arg(&out)
                .args(arguments)
                .args(more)
                .assert()
                .code(2)
                .stdout("")
                .stderr(contains(message));
            assert!(!out.exists(), "{arguments:?}");
        }
    };
    fails(
        &["--set", "populaton=3"],
        "unknown setting 'populaton' (did you mean 'population'?)",
    );
    fails(
        &["--set", "set=publishd190"],
        "unknown set 'publishd190' (did you mean 'published190'?)",
    );
    fails(
        &["--set", "frozen=[\"PawnValueOpenin\"]"],
        "did you mean 'PawnValueOpening'?",
    );
    fails(&["--set", "interval=[5, 1]"], "has min 5 > max 1");
    fails(&["--set", "population=2"], "population = 2, expected at least 3");
    fails(&["--set", "depth=0"], "engine.depth = 0: expected a limit");
    fails(&["--set", "source=options"], "is in several tables");
    fails(
        &[
            "--set",
            "parameters.source=options",
            "--set",
            "command=no-such-engine",
        ],
        "engine.command \"no-such-engine\": start:",
    );
    fails(
        &[
            "--set",
            "kind=opponents",
            "--set",
            "opponents=[\"uci:cmd=no-such-engine,depth=1\"]",
        ],
        "objective.opponents: 'uci:cmd=no-such-engine,depth=1': start: no-such-engine: No such file",
    );
    fails(
        &[
            "--set",
            "gauntlet.each=2",
            "--set",
            "gauntlet.references=[{ elo = 1500.0, player = \"uci:cmd=no-such-engine\" }]",
        ],
        "gauntlet.references: 'uci:cmd=no-such-engine': start: no-such-engine: No such file",
    );
    fails(
        &["--set", "parameters.source=list"],
        "expected the program whose options are tuned",
    );
    fails(&["--set", "kind=texel"], "objective.file is not set");
    fails(&["--set", "prior=0.5"], "unknown setting 'prior'");
    fails(&["--set", "xyzzyx=3"], "unknown setting 'xyzzyx'\n");
    fails(
        &["--set", "constraints=[\"RookValue < BishopValue + 2 PawnValu\"]"],
        "constraints: unknown parameter 'PawnValu' (did you mean 'PawnValue'?)",
    );
    fails(
        &["--set", "constraints=[\"2 < 1\"]"],
        "constraint \"2 < 1\" relates fewer than two dimensions",
    );
    fails(
        &["--set", "openings.file=none.epd"],
        "openings.file = none.epd has no effect: expected openings.source = file or book",
    );
    fails(
        &["--set", "constraints=[\"RookValue = BishopValue\"]"],
        "expected <, <=, > or >=, found '='",
    );
    fails(
        &[
            "--set",
            "kind=opponents",
            "--set",
            "opponents=[\"egnine:depth=1\"]",
        ],
        "objective.opponents: 'egnine:depth=1'",
    );
    // A run ends with the same bits, whoever plays it and however often it is stopped.
    fails(
        &[
            "--set",
            "kind=opponents",
            "--set",
            "opponents=[\"engine:depth=1,threads=2\"]",
        ],
        "'engine:depth=1,threads=2': it thinks in several threads, so that no game can be repeated",
    );
    fails(
        &["--set", "openings.source=file", "--set", "openings.file=none.pgn"],
        "none.pgn: cannot be read",
    );
    vidmar()
        .args(["tune", "run", "narow"])
        .assert()
        .code(2)
        .stderr(contains("narrow"));
    vidmar()
        .args(["tune", "resume"])
        .arg(folder.path())
        .assert()
        .code(2)
        .stderr(contains("holds no run"));
    vidmar()
        .args(["tune", "status"])
        .arg(&out)
        .assert()
        .code(2)
        .stderr(contains("holds no run"));
}

/// In a file a path is seen from the file's folder, on the command line from the current one; the run finds it from anywhere.
#[test]
fn a_file_in_the_place_of_a_preset_is_told_where_it_belongs() {
    let wrong = |command: &str| vidmar().args(["tune", command, "my.toml"]).assert().code(2);
    let tip = "a configuration file is given with '--config my.toml'";
    wrong("run").stderr(contains("invalid value 'my.toml'").and(contains(tip)));
    wrong("compare").stderr(contains("--config").not());
}

#[test]
fn paths_in_a_configuration_file_are_seen_from_its_folder() {
    let folder = tempfile::tempdir().unwrap();
    let [there, elsewhere] = ["there", "elsewhere"].map(|name| folder.path().join(name));
    std::fs::create_dir_all(&there).unwrap();
    std::fs::create_dir_all(&elsewhere).unwrap();
    let opening = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n";
    std::fs::write(there.join("lines.epd"), opening.repeat(6)).unwrap();
    let text = "[openings]\nsource = \"file\"\nfile = \"lines.epd\"\n";
    std::fs::write(there.join("my.toml"), text).unwrap();
    let small = SMALL
        .iter()
        .filter(|word| !["--set", "openings.source=built-in"].contains(word));
    let small: Vec<&str> = small.flat_map(|word| ["--set", word]).collect();
    let run = |more: &[&str]| {
        let mut command = vidmar();
        command
            .current_dir(&elsewhere)
            .args(["tune", "run", "no-knowledge", "--config", "../there/my.toml"])
            .args(["--quiet", "--no-verify", "--out", "run"])
            .args(&small)
            .args(more);
        command.assert()
    };
    run(&["--set", "openings.file=lines.epd"])
        .code(2)
        .stderr(contains("lines.epd: cannot be read"));
    run(&[]).success();
    let kept = std::fs::read_to_string(elsewhere.join("run/config.toml")).unwrap();
    let whole = format!("{}/elsewhere/../there/lines.epd", folder.path().display());
    assert!(kept.contains(&format!("file = \"{whole}\"")), "{kept}");
    vidmar()
        .current_dir(folder.path())
        .args([
            "tune",
            "resume",
            "elsewhere/run",
            "--generations",
            "4",
            "--quiet",
            "--no-verify",
        ])
        .assert()
        .success();
}

/// A configuration, and the directory of a run, may be anybody's: what they name is not started unseen.
#[cfg(unix)]
#[test]
fn a_program_of_a_configuration_is_not_started_without_leave() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().unwrap();
    let [script, witness, config, out] =
        ["script", "witness", "found.toml", "run"].map(|name| folder.path().join(name));
    let vidmar_itself = env!("CARGO_BIN_EXE_vidmar");
    let text = format!(
        "#!/bin/sh\ntouch {}\nexec {vidmar_itself} uci\n",
        witness.display()
    );
    std::fs::write(&script, text).unwrap();
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let opponent = format!("uci:cmd={},depth=1", script.display());
    let text = format!("[objective]\nkind = \"opponents\"\nopponents = [\"{opponent}\"]\n");
    std::fs::write(&config, text).unwrap();
    let starts = format!("starts {opponent}");
    let run = |more: &[&str]| {
        let mut command = vidmar();
        command
            .args(["tune", "run", "--quiet", "--no-verify", "--config"])
            .arg(&config);
        command.args(SMALL).arg("--out").arg(&out).args(more).assert()
    };
    run(&[])
        .code(2)
        .stderr(contains(&starts))
        .stderr(contains("--allow-programs"));
    assert!(!witness.exists() && !out.exists());
    run(&["--allow-programs"]).success();
    std::fs::remove_file(&witness).expect("whoever allows it gets it");
    for command in ["resume", "verify"] {
        let refused = vidmar()
            .args(["tune", command, "--quiet"])
            .arg(&out)
            .assert()
            .code(2);
        refused
            .stderr(contains(&starts))
            .stderr(contains("--allow-programs"));
    }
    assert!(!witness.exists());
    let resume = ["tune", "resume", "--quiet", "--no-verify", "--allow-programs"];
    vidmar().args(resume).arg(&out).assert().success();
}
