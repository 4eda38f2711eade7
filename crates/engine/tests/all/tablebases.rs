//! Tablebases as options of the engine.

#[allow(dead_code, reason = "not every test uses all of it")]
use crate::pipe::{Talk, after};
use std::sync::atomic::AtomicBool;

fn number(line: &str, word: &str) -> i64 {
    let text = after(line, word).and_then(|rest| rest.split(' ').next());
    text.and_then(|text| text.parse().ok())
        .unwrap_or_else(|| panic!("no {word} in {line}"))
}

/// The last line about the search and the move.
fn go(talk: &Talk, fen: &str) -> (String, String) {
    talk.say("ucinewgame");
    talk.say(&format!("position fen {fen}"));
    talk.say("go nodes 3000");
    let lines = talk.hear_until("bestmove");
    let best = lines.last().expect("the move").clone();
    let told = lines.iter().rev().find(|line| line.starts_with("info depth"));
    (told.expect("a line").clone(), best)
}

const ROOK_AND_KING: &str = "8/8/3k4/8/8/2q5/8/K1R5 w - - 0 1";

#[test]
fn folders_are_opened_and_their_answers_counted() {
    let folder = tempfile::tempdir().expect("a folder");
    vidmar_tablebases::make(folder.path(), 3, &AtomicBool::new(false), |_, _| {}).expect("writable");
    let talk = Talk::new();
    let (without, _) = go(&talk, ROOK_AND_KING);
    assert!(number(&without, "cp") < 2000, "{without}");
    talk.say(&format!(
        "setoption name BasesPath value {}",
        folder.path().display()
    ));
    assert_eq!(talk.sync(), [""; 0]);
    let (with, best) = go(&talk, ROOK_AND_KING);
    assert!(number(&with, "cp") > 19_000, "{with}");
    assert!(number(&with, "tbhits") > 0, "{with}");
    assert!(best.starts_with("bestmove c1c3"), "{best}");
    talk.say("setoption name BasesPath value <empty>");
    let (again, _) = go(&talk, ROOK_AND_KING);
    assert_eq!(number(&again, "cp"), number(&without, "cp"));
}

#[test]
fn a_known_draw_is_told_without_any_folder() {
    let talk = Talk::new();
    let (told, _) = go(&talk, "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1");
    assert_eq!(number(&told, "cp"), 0, "{told}");
    assert!(number(&told, "tbhits") > 0, "{told}");
}

#[test]
fn what_cannot_be_opened_is_said_in_a_line() {
    let talk = Talk::new();
    for (line, reason) in [
        (
            "setoption name BasesPath value /nowhere/at/all",
            "/nowhere/at/all",
        ),
        (
            "setoption name SyzygyPath value /nowhere/at/all",
            "/nowhere/at/all",
        ),
        ("setoption name SyzygyProbeDepth value 0", "SyzygyProbeDepth"),
    ] {
        talk.say(line);
        let heard = talk.sync();
        assert_eq!(heard.len(), 1, "{line}: {heard:?}");
        assert!(
            heard[0].starts_with("info string ") && heard[0].contains(reason),
            "{heard:?}"
        );
    }
}
