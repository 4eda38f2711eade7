//! Syzygy tables: published probes, and keeping a result under the 50-move rule. All of it needs `VIDMAR_DATA`.

use crate::positions::data_folder;
use vidmar_chess::{BitboardBoard, Board as _, Position, Termination};
use vidmar_tablebases::{FiftyWdl, Library, Syzygy, Tablebases, Wdl, has_repeated};

fn tables(skipped: &str) -> Option<(Syzygy, std::path::PathBuf)> {
    let folder = data_folder(skipped)?.join("syzygy");
    let syzygy = Syzygy::open(folder.to_str().expect("a path in Unicode")).expect("tables");
    Some((syzygy, folder))
}

#[test]
fn the_published_probes_are_answered() {
    let Some((syzygy, folder)) = tables("published probes") else {
        return;
    };
    let text = std::fs::read_to_string(folder.join("probe-cases.csv")).expect("readable");
    let (mut answered, mut missing) = (0, 0);
    for line in text.lines().skip(1) {
        let fields: Vec<&str> = line.split(',').collect();
        let [epd, wdl, dtz] = fields[..] else {
            panic!("{line}")
        };
        let position: Position = format!("{epd} 0 1").parse().expect("legal");
        let (Some(value), Some(distance)) = (syzygy.wdl(&position), syzygy.dtz(&position)) else {
            missing += 1;
            continue;
        };
        answered += 1;
        let expected = match wdl {
            "2" => FiftyWdl::Win,
            "1" => FiftyWdl::CursedWin,
            "0" => FiftyWdl::Draw,
            "-1" => FiftyWdl::BlessedLoss,
            "-2" => FiftyWdl::Loss,
            other => panic!("{other}"),
        };
        assert_eq!(
            (value, distance.plies.to_string()),
            (expected, dtz.to_owned()),
            "{epd}"
        );
    }
    // The sixteen have more than four pieces.
    assert_eq!((answered, missing), (200, 16));
}

/// The winner plays any move that the tablebases leave, even the worst of them; the defender the longest. The win stays.
#[test]
fn a_win_is_never_lost_to_the_fifty_move_rule() {
    let Some((syzygy, _)) = tables("wins kept under the 50-move rule") else {
        return;
    };
    let tablebases = Tablebases::new(Library::built_in(), Some(syzygy));
    for fen in [
        "8/8/8/4k3/8/8/8/KBN5 w - - 0 1",
        "4k3/8/8/8/r7/8/8/4K2Q w - - 12 7",
        "8/8/8/3k4/8/4K3/8/7R w - - 40 1",
        "8/1p6/8/8/8/5k2/8/K6R w - - 0 1",
    ] {
        let mut board = BitboardBoard::new(&fen.parse().expect("legal"));
        assert_eq!(tablebases.wdl(board.current()), Some(Wdl::Win), "{fen}");
        let mut plies = 0;
        while board.termination_with_claims().is_none() {
            let position = board.current();
            let repeated = has_repeated(&board);
            let kept = tablebases
                .keeping(position, &position.legal_moves(), repeated)
                .expect("in the tablebases");
            assert!(kept.by_distance);
            let classified = tablebases.classify_moves(position).expect("in the tablebases");
            let dtz = |m| {
                classified
                    .iter()
                    .find(|classified| classified.m == m)
                    .and_then(|classified| classified.dtz)
            };
            // Both sides draw it out: the winner among what is left to him, the loser among all.
            let m = *kept
                .moves
                .iter()
                .max_by_key(|m| dtz(**m).map(i32::abs))
                .expect("a move");
            board.make(m);
            plies += 1;
            assert!(plies < 1000, "{fen}");
        }
        let termination = board.termination_with_claims().expect("it is over");
        assert!(
            matches!(termination, Termination::Checkmate { .. }),
            "{fen}: {termination:?} after {plies} plies"
        );
    }
}

#[test]
fn missing_folders_and_castling_are_no_answers() {
    assert!(Syzygy::open("/nowhere/at/all").is_err());
    let empty = tempfile::tempdir().expect("a folder");
    let error = Syzygy::open(empty.path().to_str().expect("Unicode")).expect_err("nothing there");
    assert!(error.to_string().ends_with("no .rtbw or .rtbz file"), "{error}");
    let Some((syzygy, _)) = tables("castling rights in Syzygy probes") else {
        return;
    };
    let position: Position = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse().expect("legal");
    assert_eq!(syzygy.wdl(&position), None);
}
