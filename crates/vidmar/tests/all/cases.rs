//! `vidmar cases` from the outside, and the case-based player wherever players are named.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

fn vidmar(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
    command.args(arguments);
    command
}

fn json(arguments: &[&str]) -> serde_json::Value {
    let output = vidmar(arguments).assert().success().get_output().stdout.clone();
    serde_json::from_slice(&output).expect("one JSON object")
}

/// Games of seven experts against nobody in particular; expert n opens with the n-th move and knows little more.
const OPENINGS: [&str; 7] = [
    "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6",
    "1. d4 d5 2. c4 e6 3. Nc3 Nf6 4. Bg5 Be7 5. e3 O-O 6. Nf3 Nbd7",
    "1. c4 e5 2. Nc3 Nf6 3. g3 d5 4. cxd5 Nxd5 5. Bg2 Nb6",
    "1. Nf3 d5 2. g3 c6 3. Bg2 Bg4 4. O-O Nd7 5. d4 Ngf6",
    "1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6",
    "1. e4 e6 2. d4 d5 3. Nc3 Bb4 4. e5 c5 5. a3 Bxc3+ 6. bxc3 Ne7",
    "1. f4 d5 2. Nf3 g6 3. e3 Bg7 4. Be2 Nf6 5. O-O O-O",
];

struct Experts {
    folder: TempDir,
}

impl Experts {
    fn new() -> Experts {
        let folder = tempfile::tempdir().expect("a folder");
        for (place, moves) in OPENINGS.iter().enumerate() {
            let elo = 2000 + 100 * place;
            let game = |white: &str, black: &str, elo: &str| {
                format!(
                    "[Event \"Club\"]\n[Date \"19{place}1.??.??\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n{elo}\n\n{moves} *\n\n"
                )
            };
            let name = format!("Expert{place},X");
            let text = game(&name, "Nobody", &format!("[WhiteElo \"{elo}\"]"))
                + &game("Somebody", &name, &format!("[BlackElo \"{elo}\"]"));
            std::fs::write(folder.path().join(format!("{place}.pgn")), text).expect("written");
        }
        Experts { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        text(&self.path(name))
    }

    /// The cases of the first expert in a file.
    fn built(&self) -> String {
        let (pgn, cases) = (self.text("0.pgn"), self.text("0.cases"));
        vidmar(&[
            "cases", "build", "--pgn", &pgn, "--player", "Expert0", "-o", &cases,
        ])
        .assert()
        .success();
        cases
    }
}

fn text(path: &Path) -> String {
    path.to_str().expect("UTF-8").to_owned()
}

#[test]
fn a_base_is_built_and_told_about() {
    let experts = Experts::new();
    let (one, two, out) = (
        experts.text("0.pgn"),
        experts.text("1.pgn"),
        experts.text("x.cases"),
    );
    vidmar(&[
        "cases",
        "build",
        "--pgn",
        &one,
        &two,
        "--player",
        "expert0, x.",
        "-o",
        &out,
    ])
    .assert()
    .success()
    .stdout(
        contains("Expert0,X: 2 games, 1 as White, 1 as Black")
            .and(contains("14 cases (7 as White, 7 as Black) of 2 of 4 games")),
    );
    let answer = json(&[
        "cases", "build", "--pgn", &one, "--player", "Expert0", "-o", &out, "--json",
    ]);
    assert_eq!((&answer["cases"], &answer["games"]), (&14.into(), &2.into()));
    assert_eq!(answer["names"][0]["name"], "Expert0,X");
    assert_eq!(answer["mean_elo"], 2000.0);
}

#[test]
fn bad_input_is_an_error_and_writes_nothing() {
    let experts = Experts::new();
    let (pgn, out) = (experts.text("0.pgn"), experts.text("new.cases"));
    for (arguments, message) in [
        (
            ["--pgn", &pgn, "--player", "Tal"],
            "no game of 'Tal' among 2 games",
        ),
        (
            ["--pgn", "nowhere.pgn", "--player", "Tal"],
            "cannot read nowhere.pgn",
        ),
        (
            ["--pgn", &pgn, "--player", " "],
            "expected a name or a FIDE number",
        ),
    ] {
        vidmar(&["cases", "build", "-o", &out])
            .args(arguments)
            .assert()
            .code(2)
            .stderr(contains(message));
    }
    assert!(!experts.path("new.cases").exists());
    let cases = experts.built();
    for (file, message) in [
        (pgn.as_str(), "not a file of cases"),
        ("nowhere.cases", "nowhere.cases"),
    ] {
        vidmar(&["cases", "query", "--cases", file])
            .assert()
            .code(2)
            .stderr(contains(message));
    }
    for (more, message) in [
        (["--fen", "8/8"], "--fen"),
        (["--set", "k"], "expected KEY=VALUE"),
        (["--set", "k=0"], "k: '0' is not a number from 1 to 10000"),
        (
            ["--set", "weight=1"],
            "there is no setting 'weight' (did you mean 'weights'?)",
        ),
    ] {
        vidmar(&["cases", "query", "--cases", &cases])
            .args(more)
            .assert()
            .code(2)
            .stderr(contains(message));
    }
    let mut bytes = std::fs::read(&cases).expect("there");
    bytes[40] ^= 4;
    std::fs::write(&cases, bytes).expect("written");
    vidmar(&["cases", "query", "--cases", &cases])
        .assert()
        .code(2)
        .stderr(contains("the file is damaged"));
    vidmar(&["move", "--player", &format!("cbr:cases={cases}")])
        .assert()
        .code(2)
        .stderr(contains("the file is damaged"));
}

#[test]
fn the_nearest_cases_are_shown_with_their_games() {
    let experts = Experts::new();
    let cases = experts.built();
    vidmar(&["cases", "query", "--cases", &cases, "-k", "1"])
        .assert()
        .success()
        .stdout(contains(
            "256 of 256  e2e4  e4       1.000  Expert0,X - Nobody 1901, Club, move 1",
        ));
    // After 1. e4 e5 2. Nf3 Nc6 3. Bb5, and nobody to move but Black.
    let fen = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3";
    let answer = json(&[
        "cases", "query", "--cases", &cases, "--fen", fen, "-k", "3", "--json",
    ]);
    assert_eq!(answer["nearest"].as_array().expect("a list").len(), 3);
    let nearest = &answer["nearest"][0];
    assert_eq!(
        (&nearest["similarity"], &nearest["move"]),
        (&256.into(), &"a7a6".into())
    );
    assert_eq!(
        (&nearest["adapted"], &nearest["game"]["move_number"]),
        (&"a6".into(), &3.into())
    );
    assert_eq!(
        (&nearest["game"]["year"], &nearest["game"]["expert"]),
        (&"1901".into(), &"black".into())
    );
}

#[test]
fn it_is_a_player_like_any_other() {
    let experts = Experts::new();
    let cases = experts.built();
    let spec = format!("cbr:cases={cases},weights=0.8/0.2/0.5,seed=3");
    vidmar(&["move", "--player", &spec, "--explain"])
        .assert()
        .success()
        .stdout(contains("e4: by one of 1 cases: 256 of 256").and(predicates::str::ends_with("e2e4\n")));
    let answer = json(&[
        "move",
        "--player",
        &spec,
        "--moves",
        "e2e4",
        "e7e5",
        "--explain",
        "--json",
    ]);
    assert_eq!(
        (&answer["bestmove"], &answer["explanation"]["choice"]["basis"]),
        (&"g1f3".into(), &"case".into())
    );
    vidmar(&["uci"])
        .write_stdin(format!(
            "uci\nsetoption name Player value cbr\nsetoption name Cbr CasesFile value {cases}\nposition startpos\ngo depth 1\n"
        ))
        .assert()
        .success()
        .stdout(contains("option name Cbr CasesFile type string").and(contains("bestmove e2e4")));
}

#[test]
fn a_study_is_the_same_for_any_number_of_threads() {
    let experts = Experts::new();
    let folder = text(experts.folder.path());
    let mut seen: Vec<[String; 2]> = Vec::new();
    for threads in ["1", "4"] {
        let (pgn, csv) = (experts.text("study.out"), experts.text("study.csv"));
        vidmar(&["cases", "study", "--experts", &folder, "--threads", threads])
            .args(["--pgn", &pgn, "--csv", &csv])
            .assert()
            .success()
            .stdout(contains("630 games"));
        seen.push([pgn, csv].map(|file| std::fs::read_to_string(file).expect("written")));
    }
    assert_eq!(seen[0], seen[1]);
    let [pgn, csv] = &seen[0];
    assert_eq!(pgn.matches("[Event ").count(), 630);
    for tag in [
        "[Round \"3\"]",
        "[Weights \"0.8/0.2/0.5\"]",
        "[TimeControl \"40/5400\"]",
        "[TimeLimitKept \"yes\"]",
        "[Seed \"2\"]",
    ] {
        assert!(pgn.contains(tag), "{tag}");
    }
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 6);
    assert_eq!(
        lines[0],
        "weight1,weight2,weight3,time_limit_kept,longest_ordering,same_as_elo,decided_games_percent"
    );
    assert!(lines[3].starts_with("0.8,0.2,0.5,yes,"));
    let answer = json(&[
        "cases",
        "study",
        "--experts",
        &folder,
        "--rounds",
        "6",
        "--weights",
        "1/0/0",
        "--set",
        "cycles=avoid",
        "--json",
    ]);
    assert_eq!(
        (&answer["rows"][0]["summary"]["games"], &answer["settings"]),
        (&252.into(), &"cycles=avoid".into())
    );
    assert!(answer["rows"][0]["summary"]["kendall_interval"]["low"].is_number());
    assert_eq!(answer["experts"][0]["name"], "Expert6,X");
}

#[test]
fn a_study_without_experts_is_an_error() {
    let experts = Experts::new();
    let empty = tempfile::tempdir().expect("a folder");
    let (empty, folder) = (text(empty.path()), text(experts.folder.path()));
    for (arguments, message) in [
        (vec!["--experts", &empty], "has 0 PGN files"),
        (vec!["--experts", "nowhere"], "cannot read the folder nowhere"),
        (
            vec!["--experts", &folder, "--set", "learn=session"],
            "expected off or game",
        ),
        (
            vec!["--experts", &folder, "--weights", "0.5/0.5"],
            "not three weights",
        ),
        (vec!["--experts", &folder, "--rounds", "0"], "--rounds"),
    ] {
        vidmar(&["cases", "study"])
            .args(arguments)
            .assert()
            .code(2)
            .stderr(contains(message));
    }
    std::fs::write(experts.path("8.pgn"), "[White \"A\"]\n[Black \"B\"]\n\n1. e4 *\n").expect("written");
    vidmar(&["cases", "study", "--experts", &folder])
        .assert()
        .code(2)
        .stderr(contains("no game tells a rating"));
}
