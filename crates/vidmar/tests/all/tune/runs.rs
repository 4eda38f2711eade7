//! Runs from the beginning to the proof.

use predicates::str::contains;

use super::{SMALL, small_run, vidmar};

#[test]
fn a_run_from_the_configuration_to_the_proof() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    vidmar()
        .args(["tune", "run", "no-knowledge", "--threads", "2", "--out"])
        .arg(&out)
        .args(SMALL)
        .assert()
        .success()
        .stderr(contains("de-history over 16 parameters"))
        .stdout(contains("recommended"))
        .stdout(contains("Validation on openings that tuning never saw"));
    // The vector is a file that the engine reads.
    vidmar()
        .args(["eval", "--vector"])
        .arg(out.join("recommended.txt"))
        .assert()
        .success();
    let status = vidmar()
        .args(["tune", "status", "--json"])
        .arg(&out)
        .assert()
        .success();
    let status: serde_json::Value = serde_json::from_slice(&status.get_output().stdout).unwrap();
    for key in [
        "state",
        "generation",
        "generations",
        "games",
        "games_per_second",
        "best",
        "centroid",
        "verify",
    ] {
        assert!(!status[key].is_null(), "{key}: {status}");
    }
    assert_eq!(status["state"], "verified");
    assert_eq!(status["games"], 4 * 10 * 4);
    assert!(status["verify"][0]["elo"].is_number() || status["verify"][0]["elo"].is_null());
    vidmar()
        .args(["tune", "export", "--svg", "--pgn"])
        .arg(&out)
        .assert()
        .success()
        .stdout(contains("trajectories.svg"));
    let games = std::fs::read_to_string(out.join("export/games.csv")).unwrap();
    assert_eq!(games.lines().count(), 1 + 160);
    vidmar()
        .args(["rate"])
        .arg(out.join("export/games.pgn"))
        .assert()
        .success();
    vidmar()
        .args(["tune", "run", "quick", "--out"])
        .arg(&out)
        .assert()
        .code(2)
        .stderr(contains("vidmar tune resume"));
}

/// An engine that crashes at every move: no vector comes of it but an error, and the run goes on once the engine is mended.
#[cfg(unix)]
#[test]
fn a_round_without_results_stops_the_run() {
    let folder = tempfile::tempdir().unwrap();
    let (out, broken) = (folder.path().join("run"), folder.path().join("broken"));
    let script = folder.path().join("engine.sh");
    let text = format!(
        "if [ -e {broken} ]; then sed -u /^go/Q | {vidmar} uci; else exec {vidmar} uci; fi\n",
        broken = broken.display(),
        vidmar = env!("CARGO_BIN_EXE_vidmar")
    );
    std::fs::write(&script, text).unwrap();
    std::fs::write(&broken, "").unwrap();
    let config = folder.path().join("config.toml");
    let text = format!(
        "[parameters]\nsource = \"list\"\nlist = [{{ name = \"Move Overhead\", min = 0, max = 100, start = 10 }}]\n\
         [engine]\ncommand = \"sh {}\"\n",
        script.display()
    );
    std::fs::write(&config, text).unwrap();
    let result = vidmar()
        .args([
            "tune",
            "run",
            "no-knowledge",
            "--quiet",
            "--no-verify",
            "--allow-programs",
            "--config",
        ])
        .arg(&config)
        .arg("--out")
        .arg(&out)
        .args(SMALL)
        .args(["--set", "generations=1"])
        .assert()
        .code(2);
    let error = String::from_utf8(result.get_output().stderr.clone()).unwrap();
    assert!(
        error.contains("games have no result") && error.contains("crash"),
        "{error}"
    );
    assert!(!out.join("recommended.txt").exists());
    // It did not crash: it ended with an error, which is told.
    let listed = vidmar().args(["runs", "--json"]).arg(&out).assert().success();
    let listed: serde_json::Value = serde_json::from_slice(&listed.get_output().stdout).unwrap();
    let listed = &listed["runs"][0];
    assert_eq!(listed["state"], "failed");
    let problem = listed["problem"].as_str().unwrap();
    assert!(problem.contains("games have no result"), "{problem}");
    // How many parameters there are is not known yet, and not said to be none.
    let status = vidmar().args(["tune", "status"]).arg(&out).assert().success();
    let status = String::from_utf8(status.get_output().stdout.clone()).unwrap();
    assert!(
        status.contains(": generation 0, ") && !status.contains("0 parameters"),
        "{status}"
    );
    let resume = || {
        vidmar()
            .args(["tune", "resume", "--quiet", "--no-verify", "--allow-programs"])
            .arg(&out)
            .assert()
    };
    resume().code(2).stderr(contains("games have no result"));
    std::fs::remove_file(&broken).unwrap();
    resume().success();
    assert!(out.join("recommended.txt").exists());
    vidmar().args(["tune", "export"]).arg(&out).assert().success();
    let games = std::fs::read_to_string(out.join("export/games.csv")).unwrap();
    assert_eq!(games.lines().count(), 1 + 2 * 10 * 4);
    assert!(!games.contains(",*,"), "{games}");
}

#[test]
fn the_gauntlet_rates_what_a_run_hands_over() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    small_run(&out, &["--no-verify"]);
    let run_gauntlet = |references: &[&str]| {
        let mut command = vidmar();
        command.args(["tune", "verify", "--json", "--gauntlet", "4", "--finalists", "3"]);
        command.arg(&out);
        for reference in references {
            command.args(["--reference", reference]);
        }
        command.assert()
    };
    run_gauntlet(&["1500=uci:cmd=no-such-engine"])
        .code(2)
        .stderr(contains("gauntlet.references: 'uci:cmd=no-such-engine': start:"))
        .stderr(contains("in PATH?"));
    let references = ["1000=random:seed=1", "2000=engine:depth=2"];
    let standings = |assert: assert_cmd::assert::Assert| {
        let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
        let status: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
        status["gauntlet"].as_array().unwrap().clone()
    };
    let first = standings(run_gauntlet(&references));
    let of = |name: &str| first.iter().find(|standing| standing["player"] == name).unwrap();
    // As published: the highest label fixes the scale, the others are rated.
    assert_eq!(
        (of("2000")["elo"].as_f64(), &of("2000")["error"]),
        (Some(2000.0), &serde_json::Value::Null)
    );
    assert!(of("1000")["error"].is_number() && of("1000")["elo"] != 1000.0);
    assert!(of("2000")["elo"].as_f64() > of("1000")["elo"].as_f64());
    let climbers: Vec<_> = first
        .iter()
        .filter(|standing| standing["reference"] == false)
        .collect();
    assert!(climbers.len() > 3, "{first:?}");
    assert!(
        climbers.iter().all(|standing| standing["games"] == 8),
        "{first:?}"
    );
    assert_eq!(
        first
            .iter()
            .filter(|standing| standing["recommended"] == true)
            .count(),
        1
    );
    // Nothing is played twice, and the table can be exported.
    assert_eq!(standings(run_gauntlet(&references)), first);
    vidmar().args(["tune", "export"]).arg(&out).assert().success();
    let table = std::fs::read_to_string(out.join("export/gauntlet.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + first.len());
    vidmar()
        .args(["tune", "status"])
        .arg(&out)
        .assert()
        .success()
        .stdout(contains("Gauntlet of reference engines"));
}

#[test]
fn json_has_a_line_a_generation_and_the_status_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let assert = vidmar()
        .args(["tune", "run", "no-knowledge", "--json", "--no-verify", "--out"])
        .arg(&out)
        .args(SMALL)
        .assert()
        .success();
    let text = String::from_utf8(assert.get_output().stdout.clone()).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 4 + 1, "{text}");
    for (generation, line) in lines[..4].iter().enumerate() {
        assert_eq!(line["generation"], generation);
        assert_eq!(line["games"], 40 * (generation + 1));
        assert_eq!(line["centroid"].as_object().unwrap().len(), 16);
        assert!(line["best"].as_f64() >= line["mean"].as_f64() && line["spread"].is_number());
    }
    assert_eq!(
        (&lines[4]["state"], &lines[4]["games"]),
        (&"tuned".into(), &160.into())
    );
    // What a second of one processor does: a second of work has at most as many processor seconds as threads.
    let number = |key: &str| lines[4][key].as_f64().unwrap();
    assert!(
        number("cpu_seconds") > 0.0 && number("games_per_cpu_second") > 1.0,
        "{}",
        lines[4]
    );
    vidmar()
        .args(["tune", "status"])
        .arg(&out)
        .assert()
        .stdout(contains("a second of processor time"));
}

#[test]
fn numbers_of_the_search_are_tuned_too() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("run");
    let sets = [
        "parameters.source=search",
        "names=[\"futility_margin\", \"null_base\"]",
        "method=spsa",
        "generations=3",
        "depth=2",
        "games=2",
        "openings.source=built-in",
        "pairs=1",
        "deeper=[0]",
    ];
    let sets = sets.iter().flat_map(|set| ["--set", set]);
    vidmar()
        .args(["tune", "run", "narrow", "--quiet", "--out"])
        .arg(&out)
        .args(sets)
        .assert()
        .success();
    let recommended = std::fs::read_to_string(out.join("recommended.txt")).unwrap();
    let rows: Vec<(&str, f64)> = recommended
        .lines()
        .map(|line| line.split_once(" = ").unwrap())
        .map(|(name, value)| (name, value.parse().unwrap()))
        .collect();
    assert_eq!(
        rows.iter().map(|row| row.0).collect::<Vec<_>>(),
        ["\"null_base\"", "\"futility_margin\""]
    );
    assert!(
        (2.0..=6.0).contains(&rows[0].1) && (30.0..=250.0).contains(&rows[1].1),
        "{rows:?}"
    );
    vidmar()
        .args([
            "tune",
            "run",
            "narrow",
            "--set",
            "parameters.source=search",
            "--set",
            "names=[\"null_bas\"]",
        ])
        .assert()
        .code(2)
        .stderr(contains("did you mean 'null_base'?"));
}
