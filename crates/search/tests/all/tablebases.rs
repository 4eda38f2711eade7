//! Tablebases in the flagship search: results are kept, and played to their end.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use vidmar_chess::{BitboardBoard, Board, Color, Outcome, Position, Termination};
use vidmar_eval::{Evaluator, FullEvaluation, Vector};
use vidmar_search::{Algorithm, Limits, Probes, Report, Searcher, Settings};

type Flagship = Searcher<Evaluator>;
use vidmar_tablebases::{Ending, Library, Syzygy, Tablebases, Wdl, make_in_memory};

fn flagship(tablebases: Arc<Tablebases>) -> Flagship {
    let evaluation = Arc::new(FullEvaluation::new(&Vector::guess()));
    let settings = Settings {
        algorithm: Algorithm::Flagship,
        table_mib: 1,
        tablebases: Probes {
            tablebases,
            least_depth: 1,
        },
        ..Settings::default()
    };
    Searcher::new(settings, Evaluator::new(evaluation)).expect("settings that fit together")
}

fn search(flagship: &mut Flagship, board: &BitboardBoard, nodes: u64) -> (Report, u64) {
    let mut hits = 0;
    let report = flagship.search(
        board,
        &Limits::nodes(nodes),
        &AtomicBool::new(false),
        &mut |iteration| hits = iteration.tbhits,
    );
    (report.expect("a bitboard"), hits)
}

/// Both sides play by the same search; how the game ends.
fn play(flagship: &mut Flagship, start: &Position, nodes: u64) -> (Termination, BitboardBoard) {
    let mut board = BitboardBoard::new(start);
    flagship.new_game();
    loop {
        if let Some(termination) = board.termination_with_claims() {
            return (termination, board);
        }
        let (report, _) = search(flagship, &board, nodes);
        board.make(report.best.expect("the game is not over"));
    }
}

/// Positions of an ending with White to move and this value, spread over all of it.
fn positions(tablebases: &Tablebases, ending: Ending, value: Wdl, count: usize) -> Vec<Position> {
    let step = ending.numbers() as usize / (4 * count) + 1;
    (0..ending.numbers())
        .step_by(step)
        .filter_map(|number| ending.position(number, Color::White))
        .filter(|position| tablebases.wdl(position) == Some(value))
        .take(count)
        .collect()
}

#[test]
fn king_and_pawn_are_played_right_without_files() {
    let tablebases = Arc::new(Tablebases::built_in());
    let ending = "KPvK".parse().expect("an ending");
    let mut flagship = flagship(Arc::clone(&tablebases));
    for start in positions(&tablebases, ending, Wdl::Win, 12) {
        let (termination, board) = play(&mut flagship, &start, 2000);
        assert_eq!(
            termination.outcome(),
            Some(Outcome::WHITE_WINS),
            "{start}: {termination:?} at {}",
            board.position()
        );
    }
    for start in positions(&tablebases, ending, Wdl::Draw, 12) {
        let (termination, _) = play(&mut flagship, &start, 300);
        assert_eq!(termination.outcome(), Some(Outcome::Draw), "{start}");
    }
}

#[test]
fn a_known_win_is_worth_less_than_a_mate_and_more_than_any_evaluation() {
    let tablebases = Arc::new(Tablebases::new(make_in_memory(3), None));
    let mut flagship = flagship(tablebases);
    // The rook takes the queen, and the rook that is left wins: not a mate within so few nodes.
    let board = BitboardBoard::new(&"8/8/3k4/8/8/2q5/8/K1R5 w - - 0 1".parse().expect("legal"));
    let (report, hits) = search(&mut flagship, &board, 300);
    assert_eq!(report.best.map(|m| format!("{m:?}")).as_deref(), Some("c1c3"));
    assert!(hits > 0);
    assert!((19_000..=20_000).contains(&report.value), "{}", report.value);
    // The loser sees it too, and a draw is a draw.
    let lost = BitboardBoard::new(&"8/8/3k4/8/8/2q5/8/1KR5 w - - 0 1".parse().expect("legal"));
    let (report, _) = search(&mut flagship, &lost, 2000);
    assert!(report.value.abs() < 32_000);
    let drawn = BitboardBoard::new(&"8/8/4k3/8/4K3/4P3/8/8 w - - 0 1".parse().expect("legal"));
    let (report, _) = search(&mut flagship, &drawn, 2000);
    assert_eq!(report.value, 0);
}

#[test]
fn a_pawn_is_not_taken_into_a_drawn_ending() {
    for (fen, best) in [
        ("8/8/8/8/4P3/3k4/p7/K7 w - - 0 1", "e4e5"),
        ("5k2/4p3/3P4/8/8/8/8/K7 w - - 0 1", "d6d7"),
        ("8/8/k2p4/4P3/8/8/8/K7 w - - 0 1", "e5e6"),
        ("8/8/8/1k6/8/7P/1p6/1K6 w - - 0 1", "h3h4"),
    ] {
        let board = BitboardBoard::new(&fen.parse().expect("legal"));
        let (report, hits) = search(&mut flagship(Arc::new(Tablebases::built_in())), &board, 1000);
        assert_eq!(
            report.best.map(|m| format!("{m:?}")).as_deref(),
            Some(best),
            "{fen}"
        );
        assert!(hits > 0);
    }
}

/// The folder of Syzygy tables, or `None` after a line that says what is skipped.
#[allow(clippy::print_stdout, reason = "what is skipped must be seen")]
fn tables(skipped: &str) -> Option<std::path::PathBuf> {
    let folder = std::env::var_os("VIDMAR_DATA");
    if folder.is_none() {
        println!("skipped: {skipped} (VIDMAR_DATA is not set)");
    }
    Some(Path::new(&folder?).join("syzygy"))
}

fn won_endings_are_won(tablebases: &Arc<Tablebases>, endings: &[&str], nodes: u64) {
    let mut flagship = flagship(Arc::clone(tablebases));
    for name in endings {
        let ending = name.parse().expect("an ending");
        for start in positions(tablebases, ending, Wdl::Win, 3) {
            let (termination, board) = play(&mut flagship, &start, nodes);
            assert_eq!(
                termination.outcome(),
                Some(Outcome::WHITE_WINS),
                "{start}: {termination:?} at {}",
                board.position()
            );
        }
    }
}

#[test]
fn wins_are_won_with_distances_however_little_is_searched() {
    let Some(folder) = tables("won endings with distances") else {
        return;
    };
    let syzygy = Syzygy::open(folder.to_str().expect("Unicode")).expect("tables");
    let tablebases = Arc::new(Tablebases::new(Library::built_in(), Some(syzygy)));
    won_endings_are_won(&tablebases, &["KBNvK", "KQvKR", "KRvKP", "KBBvK", "KPvKP"], 200);
}

#[test]
fn wins_are_won_without_distances_by_searching() {
    let Some(folder) = tables("won endings without distances") else {
        return;
    };
    let copies = tempfile::tempdir().expect("a folder");
    for entry in std::fs::read_dir(folder).expect("readable") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|extension| extension == "rtbw") {
            std::fs::copy(&path, copies.path().join(path.file_name().expect("a name"))).expect("writable");
        }
    }
    let syzygy = Syzygy::open(copies.path().to_str().expect("Unicode")).expect("tables");
    let tablebases = Arc::new(Tablebases::new(Library::built_in(), Some(syzygy)));
    won_endings_are_won(
        &tablebases,
        &["KQRvK", "KQvKN", "KRPvK", "KQvKP", "KRvKP", "KPPvK", "KPvKP"],
        3000,
    );
}
