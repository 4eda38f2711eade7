//! The files that trials begin with, made once by the program itself: a store, games, a book, a case base, a tuning run.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::plan::{Plan, copy};
use super::runs::{MATCH, SMALL_RUN};

/// What is written as it is.
const TEXTS: &[(&str, &str)] = &[
    (
        "suite.epd",
        "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id \"WAC.001\";\n\
         8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; id \"WAC.002\";\n",
    ),
    (
        "perft.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n",
    ),
    (
        "openings.epd",
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -\n\
         rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq -\n",
    ),
    (
        "runs.csv",
        "run,one,two,three\n1,5,4,3\n2,6,5,1\n3,4,4,2\n4,7,3,3\n5,5,2,1\n6,8,6,2\n",
    ),
];

/// Commands that make the others, in their order.
const COMMANDS: &[&[&str]] = &[
    &["store", "export", "games.db", "--out", "games.pgn"],
    &[
        "book",
        "make",
        "games.pgn",
        "--output",
        "book.bin",
        "--min-games",
        "1",
    ],
    &[
        "cases",
        "build",
        "--pgn",
        "games.pgn",
        "--player",
        "a",
        "--output",
        "a.cases",
    ],
    &["bases", "make", "--pieces", "3", "--out", "bases"],
    &["net", "games", "--games", "4", "--nodes", "1", "--out", "packed"],
    &[
        "net",
        "train",
        "packed",
        "--hidden",
        "32",
        "--epochs",
        "1",
        "--validation",
        "50",
        "--out",
        "packed/tiny.net",
    ],
];

/// Makes them.
pub(crate) fn make(plan: &Plan) -> Result<()> {
    let folder = plan.fixtures();
    fs::create_dir_all(folder.join("experts"))?;
    for (name, text) in TEXTS {
        fs::write(folder.join(name), text)?;
    }
    done(plan, &folder, &[MATCH, &["--store", "games.db"]].concat())?;
    for words in COMMANDS {
        done(plan, &folder, words)?;
    }
    for expert in ["one", "two"] {
        fs::copy(
            folder.join("games.pgn"),
            folder.join("experts").join(expert).with_extension("pgn"),
        )?;
    }
    done(plan, &folder, &[SMALL_RUN, &["--out", "run"]].concat())?;
    // A parameter file by a name that lasts.
    copy(&folder.join("run"), &folder.join("earlier"))
}

/// Runs the program; it must succeed.
pub(crate) fn done(plan: &Plan, folder: &Path, words: &[&str]) -> Result<String> {
    let output = plan
        .vidmar(folder, words)
        .output()
        .with_context(|| format!("cannot start {}", plan.binary.display()))?;
    ensure!(
        output.status.success(),
        "vidmar {} ended with {}: {}",
        words.join(" "),
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}
