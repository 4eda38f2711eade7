//! Methods beside each other.

use predicates::str::{contains, is_match};

use super::vidmar;

#[test]
fn the_benchmark_prints_gains_and_rank_tests() {
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("runs.csv");
    vidmar()
        .args([
            "tune",
            "bench",
            "--quick",
            "--budgets",
            "300",
            "--seeds",
            "2",
            "--dimensions",
            "4",
            "--csv",
        ])
        .arg(&csv)
        .assert()
        .success()
        .stdout(contains("ellipsoid, 4 parameters"))
        .stdout(is_match(r"spsa +\+\d+ ± \d+\n").unwrap())
        .stdout(contains("Friedman"));
    let table = std::fs::read_to_string(csv).unwrap();
    assert!(table.starts_with("landscape,dimensions,budget,seed,method,games,centroid"));
    assert_eq!(table.lines().count(), 1 + 12 * 29 * 2);
    let nulls: Vec<&str> = table.lines().filter(|line| line.starts_with("null,")).collect();
    assert!(nulls.iter().all(|line| line.contains(",0.00,")), "{nulls:?}");
}

#[test]
fn rivals_have_the_same_games_and_one_table() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("rivals");
    let compare = |games: &str, arguments: &[&str]| {
        let mut command = vidmar();
        command
            .args(["tune", "compare", "quick", "--games", games, "--out"])
            .arg(&out);
        for set in ["depth=1", "lead=400", "pairs=2", "deeper=[0, 1]"] {
            command.args(["--set", set]);
        }
        command.args(arguments).assert()
    };
    compare("32", &["--methods", "spsa,txel"])
        .code(2)
        .stderr(contains("did you mean 'texel'?"));
    assert!(!out.exists());
    let methods = "spsa,de-history,texel,texel+spsa";
    let all = compare("32", &["--quiet", "--methods", methods, "--json"]).success();
    let text = String::from_utf8(all.get_output().stdout.clone()).unwrap();
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for (method, against) in [("spsa", "start"), ("texel", "start"), ("texel+spsa", "origin")] {
        let row = rows
            .iter()
            .find(|row| row["method"] == method && row["recommended"] == true)
            .unwrap();
        assert_eq!(
            (&row["tuning_games"], &row["games"], &row["against"]),
            (&32.into(), &4.into(), &against.into()),
            "{method}"
        );
    }
    let table = std::fs::read_to_string(out.join("compare.csv")).unwrap();
    assert_eq!(table.lines().count(), 1 + rows.len());
    // One seed at two limits is one seed: nothing is said of the methods, here and by the statistics.
    assert!(rows.iter().all(|row| row["summary"].is_null()), "{text}");
    let statistics = || {
        let mut command = vidmar();
        command.arg("stats").arg(out.join("compare.csv")).arg("--json");
        command.assert()
    };
    statistics().code(2).stderr(contains("at least 2 problems"));
    for twice in [["--seeds", "1,2,1"], ["--methods", "spsa,spsa"]] {
        compare("32", &twice)
            .code(2)
            .stderr(contains("stands there twice"));
    }
    // The same again plays nothing; another budget does not fit these runs.
    compare("32", &["--quiet", "--methods", "spsa,texel"])
        .success()
        .stdout(contains("recommended"));
    // Several seeds say something of the methods, with equal games and with equal processor time.
    let seeds = ["--methods", "spsa,texel", "--seeds", "1,2", "--equal-cpu"];
    compare("32", &[&["--quiet"], &seeds[..]].concat())
        .success()
        .stdout(contains("With equal games, matches at depth 1:"))
        .stdout(contains("With equal games, matches at depth 2:"))
        .stdout(contains("With equal processor time, matches at depth 1:"))
        .stdout(contains("mean Elo ± 95 % over seeds"));
    // The table feeds the statistics as it is: a problem for each seed, a test for each condition.
    let found = statistics().success();
    let found: serde_json::Value = serde_json::from_slice(&found.get_output().stdout).unwrap();
    let strata = found["strata"].as_array().unwrap();
    assert_eq!(strata.len(), 4);
    for stratum in strata {
        let ranks = stratum["ranks"].as_object().unwrap();
        assert!(ranks.keys().eq(["spsa", "texel"]), "{stratum}");
        assert_eq!(stratum["problems"], 2);
        assert!(
            stratum["stratum"]["limit"]
                .as_str()
                .unwrap()
                .starts_with("depth ")
        );
    }
    let all = compare("32", &[&["--quiet", "--json"], &seeds[..]].concat()).success();
    let text = String::from_utf8(all.get_output().stdout.clone()).unwrap();
    let lines: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let (summaries, rows): (Vec<_>, Vec<_>) = lines.iter().partition(|line| line["summary"].is_object());
    // For each kind of equality and each depth, of each method and each seed.
    assert_eq!((summaries.len(), rows.len()), (2 * 2, 2 * 2 * 2 * 2));
    for line in &summaries {
        let summary = &line["summary"];
        for method in summary["methods"].as_array().unwrap() {
            assert_eq!(method["seeds"], 2);
            let is_of_it = |row: &&&serde_json::Value| {
                let same = |key: &str| row[key] == summary[key];
                same("equal") && same("limit") && row["method"] == method["method"]
            };
            let of_it = rows.iter().filter(is_of_it);
            let elos: Option<Vec<f64>> = of_it.map(|row| row["elo"].as_f64()).collect();
            let mean = elos.map(|elos| elos.iter().sum::<f64>() / 2.0);
            assert!(
                method["elo"]
                    .as_f64()
                    .zip(mean)
                    .is_none_or(|(a, b)| (a - b).abs() < 1e-6),
                "{line}"
            );
            assert_eq!(method["elo"].is_null(), mean.is_none(), "{line}");
        }
    }
    // Who is faster has more games where time is equal.
    let of_time = summaries
        .iter()
        .find(|line| line["summary"]["equal"] == "cpu")
        .unwrap();
    let games = |method: usize| {
        of_time["summary"]["methods"][method]["tuning_games"]
            .as_f64()
            .unwrap()
    };
    assert!(
        games(0).max(games(1)) > 32.0 && games(0).min(games(1)) >= 32.0,
        "{text}"
    );
    compare("48", &["--methods", "spsa"])
        .code(2)
        .stderr(contains("holds a run with other settings"));
}
