//! `vidmar eval` from the outside.

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt as _;
use predicates::str::contains;

fn eval(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("vidmar").expect("the binary of this package");
    command.arg("eval").args(arguments).assert()
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = eval(arguments).success().get_output().stdout.clone();
    serde_json::from_slice(&output).expect("one JSON value")
}

const QUEEN_UP: &str = "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";

#[test]
fn a_score_term_by_term() {
    // The default knows that the side to move is a little ahead; without extended terms the sides are level.
    let score = |vector: &str| json(&["--json", "--vector", vector])["score"].clone();
    assert_eq!(score("guess"), 0);
    let start = json(&["--json"]);
    assert_eq!(start["score"], score("tuned"));
    assert!(start["score"].as_i64().unwrap() > 0);
    assert_eq!(start["phase"], 24);
    let answer = json(&["--json", "--fen", QUEEN_UP]);
    assert!(answer["score"].as_i64().unwrap() < -900);
    assert_eq!(
        answer["white_score"].as_i64().unwrap(),
        -answer["score"].as_i64().unwrap()
    );
    let sum: i64 = answer["terms"]
        .as_array()
        .unwrap()
        .iter()
        .map(|term| term["white"]["opening"].as_i64().unwrap() - term["black"]["opening"].as_i64().unwrap())
        .sum();
    assert_eq!(sum, answer["total"]["opening"].as_i64().unwrap());
    let shares = answer["shares"].as_array().unwrap();
    let shown: i64 = shares.iter().map(|share| share["total"].as_i64().unwrap()).sum();
    assert_eq!(shown, answer["white_score"].as_i64().unwrap());
    assert!(answer["chances"]["loss"].as_f64().unwrap() > 0.9);
    eval(&["--fen", QUEEN_UP])
        .success()
        .stdout(contains("material"))
        .stdout(contains("for black"));
    let played_by = "the engine plays by its net: ";
    let net = json(&["--json", "--net", "--fen", QUEEN_UP])["white_score"].clone();
    eval(&["--fen", QUEEN_UP])
        .success()
        .stdout(contains(format!("{played_by}{net} for white")));
    eval(&["--vector", "tuned"])
        .success()
        .stdout(contains(played_by).not());
}

#[test]
fn a_net_is_shown_piece_by_piece_and_bad_ones_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let network = vidmar_net::Network::random(
        vidmar_net::Kings::PLAIN,
        32,
        1,
        &mut vidmar_rng::Rng::from_seed(1),
    )
    .unwrap();
    let path = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let good = path("good.net", &network.to_bytes());
    let answer = json(&["--json", "--net", &good, "--fen", QUEEN_UP]);
    assert_eq!(answer["score"], network.evaluate(&QUEEN_UP.parse().unwrap()));
    let pieces = answer["pieces"].as_array().unwrap();
    assert_eq!(pieces.len(), 29, "all but the kings");
    assert_eq!(
        (&pieces[0]["square"], &pieces[0]["piece"]),
        (&"a1".into(), &"R".into())
    );
    eval(&["--net", &good])
        .success()
        .stdout(contains("net (768 → 32) × 2 → 1"))
        .stdout(contains("for white"));
    let truncated = path("truncated.net", &network.to_bytes()[..1000]);
    for (arguments, message) in [
        (
            ["--net", &truncated],
            "--net: {}: a truncated net: 1000 bytes of 49368",
        ),
        (["--net", "/no/such.net"], "--net: {}: No such file"),
        (
            ["--net", &path("text.txt", b"PawnValueOpening = 80")],
            "--net: {}: parameters, not a net",
        ),
        (
            ["--vector", &good],
            "--vector: {}: a net, which has no parameters (expected --net {})",
        ),
    ] {
        let message = message.replace("{}", arguments[1]);
        eval(&arguments).code(2).stderr(contains(message));
    }
    let bench = |arguments: &[&str]| {
        let mut command = Command::cargo_bin("vidmar").unwrap();
        command
            .args(["bench", "--depth", "1", "--eval"])
            .args(arguments)
            .assert()
    };
    bench(&[&good]).success().stdout(contains(" nps"));
    bench(&[&truncated])
        .code(2)
        .stderr(contains("a truncated net: 1000 bytes of 49368"));
    bench(&["tunde"])
        .code(2)
        .stderr(contains("--eval: unknown vector 'tunde' (did you mean 'tuned'?)"));
    let mut command = Command::cargo_bin("vidmar").unwrap();
    let spec = format!("engine:eval={truncated}");
    let refused = command.args(["move", "--player", &spec]).assert().code(2);
    refused.stderr(contains("a truncated net: 1000 bytes of 49368"));
}

#[test]
fn every_evaluation_is_shown_term_by_term() {
    let kinds = ["simple", "simple-squares", "simple-occupation", "full", "chances"];
    for kind in kinds {
        let answer = json(&["--json", "--eval", kind, "--fen", QUEEN_UP]);
        assert_eq!(answer["evaluation"], kind);
        let terms = answer["terms"].as_array().unwrap();
        let has = |name: &str| terms.iter().any(|term| term["term"] == name);
        assert_eq!(has("occupation"), kind == "simple-occupation", "{kind}");
        assert!(has("material") && has("mobility"), "{kind}");
        let is_fitted = matches!(kind, "full" | "chances");
        assert_eq!(answer["chances"].is_object(), is_fitted, "{kind}");
    }
    eval(&["--eval", "simple-occupation", "--fen", QUEEN_UP])
        .success()
        .stdout(contains("occupation"));
    eval(&["--eval", "chances", "--fen", QUEEN_UP])
        .success()
        .stdout(contains("in 10,000: a win less a loss for black"));
    eval(&["--eval", "simple", "--set", "QueenValueOpening=900"])
        .code(2)
        .stderr(contains("the evaluation simple has no parameters"));
}

#[test]
fn vectors_files_and_single_values() {
    let score =
        |arguments: &[&str]| json(&[&["--json", "--fen", QUEEN_UP], arguments].concat())["score"].clone();
    assert_eq!(score(&["--vector", "zero"]), 0);
    assert_eq!(
        score(&[
            "--vector",
            "zero",
            "--set",
            "QueenValueOpening=900",
            "--set",
            "QueenValueEndgame=900"
        ]),
        -900
    );
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("parameters.txt");
    std::fs::write(&file, "QueenValueOpening = 5000\n").unwrap();
    assert!(score(&["--vector", file.to_str().unwrap()]).as_i64().unwrap() < -4000);
}

#[test]
fn the_list_is_the_table() {
    let rows = json(&["--list", "--json", "--vector", "guess"]);
    let rows = rows.as_array().unwrap();
    assert!(rows.len() >= 190);
    assert_eq!(rows[0]["name"], "PawnValueOpening");
    assert_eq!(rows[0]["value"], 70);
    eval(&["--list", "--csv", "--vector", "guess"])
        .success()
        .stdout(contains(
            "\n1,KnightValueOpening,opening,275,375,316,250,350,296,325,",
        ));
    eval(&["--list"])
        .success()
        .stdout(contains("KnightOutpostMatrix[0][25]"));
}

#[test]
fn bad_input_is_named_and_ends_with_two() {
    let cases: [(&[&str], &str); 6] = [
        (
            &["--vector", "gess"],
            "unknown vector 'gess' (did you mean 'guess'?), and there is no such file",
        ),
        (
            &["--set", "PawnValue=1"],
            "unknown parameter 'PawnValue' (did you mean 'PawnValueOpening'?)",
        ),
        (
            &["--set", "PawnValueOpening=x"],
            "PawnValueOpening = 'x': expected an integer",
        ),
        (&["--set", "PawnValueOpening"], "expected NAME = VALUE"),
        (&["--fen", "nonsense"], "error: --fen: "),
        (&["--list", "--fen", QUEEN_UP], "cannot be used with"),
    ];
    for (arguments, message) in cases {
        eval(arguments).code(2).stderr(contains(message));
    }
}
