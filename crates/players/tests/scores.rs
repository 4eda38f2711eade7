//! Who has a score says one, and who has none says none: in replies, in what is told on the way, over UCI.

use std::io::{Cursor, Write};
use std::sync::{Arc, Mutex};

use vidmar_chess::Game;
use vidmar_engine::uci::{ServerSettings, serve};
use vidmar_engine::{Control, Limits};
use vidmar_players::{AnyPlayer, PLAYER_TYPES, PlayerSpec, Scores};

/// The score of the answer, and whether any was told before it.
fn scores(spec: &str) -> (bool, bool) {
    let spec: PlayerSpec = spec.parse().expect("a trial");
    let mut player = spec.player().expect("built in");
    player.new_game(false, 1).expect("a game");
    let mut told = Vec::new();
    let reply = player.think_aloud(
        &Game::default(),
        &Limits::nodes(500),
        &Control::new(),
        &mut |info| {
            told.push(format!("{:?}", info.score));
        },
    );
    let is_scored = reply.expect("a move").info.score.is_some();
    (
        is_scored,
        told.iter()
            .any(|score| score.contains("Centipawns") || score.contains("Mate")),
    )
}

#[test]
fn scores_are_what_the_row_says() {
    let folder = tempfile::tempdir().expect("a folder");
    for row in PLAYER_TYPES.iter().filter(|row| !row.is_program()) {
        for spec in (row.trials)(folder.path()) {
            let expected = match (row.scores, row.key) {
                // Its first moves are the book's, which have none.
                (Scores::None, _) | (_, "book") => (false, false),
                (Scores::Centipawns, _) => (true, true),
            };
            assert_eq!(scores(&spec), expected, "{spec}");
        }
    }
}

#[test]
fn a_book_has_the_scores_of_who_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = PLAYER_TYPES.iter().find(|row| row.key == "book").expect("a row");
    let spec = (book.trials)(folder.path()).remove(0);
    let mut game = Game::default();
    game.play_uci("a2a3").expect("legal");
    for (then, has_one) in [("random", false), ("engine", true)] {
        let spec: PlayerSpec = format!("{spec},then={then}").parse().expect("a trial");
        let mut player = spec.player().expect("built in");
        player.new_game(false, 1).expect("a game");
        let reply = player.choose(&game, &Limits::depth(2), &Control::new());
        assert_eq!(reply.expect("a move").info.score.is_some(), has_one, "{then}");
    }
}

fn said(lines: &str) -> String {
    #[derive(Clone, Default)]
    struct Output(Arc<Mutex<Vec<u8>>>);
    impl Write for Output {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    let output = Output::default();
    let input = Cursor::new(lines.to_owned().into_bytes());
    serve(
        input,
        output.clone(),
        Box::<AnyPlayer>::default(),
        ServerSettings::default(),
    )
    .expect("served");
    let bytes = output.0.lock().expect("no panic").clone();
    String::from_utf8(bytes).expect("UTF-8")
}

#[test]
fn a_fitness_is_no_score_over_uci() {
    let folder = tempfile::tempdir().expect("a folder");
    let cbr = PLAYER_TYPES.iter().find(|row| row.key == "cbr").expect("a row");
    let spec: PlayerSpec = (cbr.trials)(folder.path()).remove(0).parse().expect("a trial");
    let file = spec.chosen("cases").expect("a file");
    for player in [
        "evolve\nsetoption name Evolve Generations value 10".to_owned(),
        format!("cbr\nsetoption name Cbr CasesFile value {file}"),
    ] {
        let said = said(&format!(
            "setoption name UCI_ShowWDL value true\nsetoption name Player value {player}\nposition startpos\ngo depth 2\nquit\n"
        ));
        assert!(
            said.contains("info depth ") && said.contains(" pv ") && said.contains("bestmove "),
            "{said}"
        );
        assert!(!said.contains(" score ") && !said.contains(" wdl "), "{said}");
    }
}

/// In whatever order options are set, what has no effect on who thinks is named before it thinks, once.
#[test]
fn options_without_effect_are_named_with_the_player() {
    for player in ["random", "evolve"] {
        let said = said(&format!(
            "setoption name MultiPV value 3\nsetoption name Player value {player}\nsetoption name UCI_Elo value 1200\n\
             setoption name Hash value 64\nisready\nposition startpos\ngo nodes 100\nquit\n"
        ));
        for option in ["MultiPV", "UCI_Elo", "Hash"] {
            let note = format!(
                "info string option {option} has no effect: the player {player} does not honour it\n"
            );
            assert_eq!(said.matches(&note).count(), 1, "{said}");
        }
        assert!(said.find("info string") < said.find("readyok"), "{said}");
    }
    let said = said("setoption name OwnBook value true\ngo depth 1\nquit\n");
    assert!(
        said.contains("info string option OwnBook has no effect without BookFile\n"),
        "{said}"
    );
}
