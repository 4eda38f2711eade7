//! Real engines, our own among them.

use predicates::prelude::*;
use predicates::str::contains;
use std::path::Path;

use super::{Folder, TWO, VIDMAR};

/// One command, of the engine and of the laboratory; that the settings reach the search is tested where players are.
#[test]
fn the_two_parallel_searches_play_each_other() {
    for player in ["engine:hash=1", "search:algorithm=pvs,table-mib=1"] {
        let folder = Folder::new();
        let lazy = format!("player={player},parallel=lazy,threads=2");
        let ybwc = format!("player={player},parallel=ybwc,threads=2");
        let answer = folder.json(&[
            &["-engine", "name=lazy", &lazy, "-engine", "name=ybwc", &ybwc],
            &["-each", "depth=3", "-rounds", "1", "-maxmoves", "10"],
        ]);
        assert_eq!(answer["games"], 2, "{answer}");
        let players = answer["players"].as_array().unwrap();
        assert!(players.iter().all(|player| player["faults"] == 0), "{answer}");
    }
}

/// The base of king and pawn against king that the crate `tablebases` holds.
#[test]
fn bases_decide_games() {
    let folder = Folder::new();
    std::fs::write(
        folder.path("o.epd"),
        "8/8/8/4k3/8/8/3PK3/8 w - -\n8/4k3/8/4K3/4P3/8/8/8 w - -\n",
    )
    .unwrap();
    let bases = concat!(env!("CARGO_MANIFEST_DIR"), "/../tablebases/src");
    let play = |more: &[&str]| {
        let arguments = [
            "-rounds",
            "2",
            "-openings",
            "file=o.epd",
            "-maxmoves",
            "5",
            "--store",
            "b.db",
            "-tb",
            bases,
        ];
        folder.play(&[TWO, &arguments, more]).success();
        let games = folder.games("b.db");
        (
            games.matches("endgame bases").count(),
            games.matches("[Result \"1/2-1/2\"]").count(),
        )
    };
    // White to move wins the first and not the second: the games are over before they begin, so nothing says why.
    let (_, draws) = play(&[]);
    assert_eq!(draws, 2);
    let (_, draws) = play(&["-tbadjudicate", "DRAW"]);
    assert_eq!(draws, 4, "what is not decided is drawn by -maxmoves");
    folder
        .play(&[TWO, &["-tb", "nowhere"]])
        .code(2)
        .stderr(contains("-tb: "));
}

#[test]
fn our_own_engine_has_manners() {
    let folder = Folder::new();
    folder
        .play(&[&["--compliance", VIDMAR, "uci"]])
        .success()
        .stdout(contains("FAIL").not().and(contains("all steps passed")));
}

#[cfg(unix)]
#[test]
fn bad_manners_are_found() {
    let folder = Folder::new();
    let stubborn = folder.engine("stubborn", "echo bestmove e2e4");
    folder
        .play(&[&["--compliance", &stubborn]])
        .code(1)
        .stdout(contains("pass  answers 'uci'").and(contains("FAIL  knows 'position startpos moves'")));
    let dying = folder.engine("dying", "exit 1");
    folder
        .play(&[&["--compliance", &dying]])
        .code(1)
        .stdout(contains("the engine has ended"));
}

/// Real engines, where there are any: Debian's, in both protocols. Depths instead of clocks, since the machine may be
/// busy with other tests.
#[test]
fn real_engines_play() {
    let folder = Folder::new();
    let engines = [
        ("stockfish", "uci"),
        ("glaurung", "uci"),
        ("toga2", "uci"),
        ("fairymax", "xboard"),
    ];
    let mut arguments = Vec::new();
    for (name, protocol) in engines {
        let path = format!("/usr/games/{name}");
        if Path::new(&path).exists() {
            arguments.extend([
                "-engine".to_owned(),
                format!("cmd={path}"),
                format!("proto={protocol}"),
            ]);
        }
    }
    if arguments.len() < 6 {
        eprintln!("fewer than two engines in /usr/games: skipped");
        return;
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let rest = [
        "-each",
        "depth=4",
        "-rounds",
        "1",
        "-concurrency",
        "2",
        "-maxmoves",
        "30",
    ];
    let answer = folder.json(&[&arguments, &rest]);
    let players = answer["players"].as_array().unwrap();
    let expected = players.len() * (players.len() - 1);
    assert_eq!(answer["games"].as_u64().unwrap() as usize, expected, "{answer}");
    assert!(players.iter().all(|player| player["faults"] == 0), "{answer}");
}
