//! The flagship search held to what every search must do: legal moves and lines, limits, mates, repeatability.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use proptest::prelude::*;
use vidmar_chess::{BitboardBoard, Board, Position, Score};
use vidmar_eval::{Evaluator, FullEvaluation, SimpleEvaluation, Vector};
use vidmar_search::{
    Algorithm, Iteration, Limits, Parallel, Report, Searcher, Settings, Stopped, score_of, search_once,
};

type Flagship = Searcher<Evaluator>;

fn settings(threads: usize, parallel: Parallel) -> Settings {
    Settings {
        algorithm: Algorithm::Flagship,
        table_mib: 4,
        threads,
        parallel,
        ..Settings::default()
    }
}

fn made(settings: Settings) -> Flagship {
    let evaluation = Arc::new(FullEvaluation::new(&Vector::guess()));
    Searcher::new(settings, Evaluator::new(evaluation)).expect("settings that fit together")
}

fn flagship(threads: usize) -> Flagship {
    made(settings(threads, Parallel::Lazy))
}

fn board(fen: &str) -> BitboardBoard {
    BitboardBoard::new(&fen.parse::<Position>().expect("legal"))
}

/// Searches and checks every line on the way.
fn search(engine: &mut Flagship, board: &BitboardBoard, limits: &Limits) -> Report {
    let mut observe = |iteration: &Iteration| {
        let mut position = board.position();
        for &m in &iteration.pv {
            assert!(
                position.is_legal(m),
                "{m:?} of {:?} in {}",
                iteration.pv,
                board.position()
            );
            position.play(m);
        }
        assert!(!iteration.pv.is_empty());
    };
    engine
        .search(board, limits, &AtomicBool::new(false), &mut observe)
        .expect("a bitboard")
}

#[test]
fn known_mates_are_found_with_their_distance() {
    for (fen, best, moves) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", 1),
        (
            "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",
            "g3g6",
            2,
        ),
        ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", "a1a6", 2),
        ("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1", "f6a6", 3),
    ] {
        let board = board(fen);
        let report = search(
            &mut flagship(1),
            &board,
            &Limits {
                mate: Some(moves),
                ..Limits::nodes(3_000_000)
            },
        );
        assert_eq!(score_of(report.value), Score::Mate(moves as i32), "{fen}");
        assert_eq!(report.best, board.position().parse_uci(best).ok(), "{fen}");
    }
}

#[test]
fn positions_without_moves_have_no_best_move() {
    let mated = search(
        &mut flagship(1),
        &board("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"),
        &Limits::depth(5),
    );
    assert_eq!((mated.best, score_of(mated.value)), (None, Score::Mate(0)));
    let stalemated = search(
        &mut flagship(1),
        &board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        &Limits::depth(5),
    );
    assert_eq!((stalemated.best, stalemated.value), (None, 0));
}

#[test]
fn the_same_search_twice_is_the_same() {
    let board = board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut engine = flagship(1);
    let first = search(&mut engine, &board, &Limits::nodes(50_000));
    engine.new_game();
    let again = search(&mut engine, &board, &Limits::nodes(50_000));
    let other = search(&mut flagship(1), &board, &Limits::nodes(50_000));
    for report in [again, other] {
        assert_eq!(
            (report.best, report.value, report.counts.nodes),
            (first.best, first.value, first.counts.nodes)
        );
    }
}

#[test]
fn limits_are_kept() {
    let start = BitboardBoard::new(&Position::default());
    for limit in [1, 100, 5_000, 100_000] {
        let report = search(&mut flagship(1), &start, &Limits::nodes(limit));
        assert!(report.counts.nodes <= limit, "{} of {limit}", report.counts.nodes);
        assert!(report.best.is_some());
        assert!(report.value.abs() < 1000, "{}", report.value);
    }
    assert_eq!(search(&mut flagship(1), &start, &Limits::depth(7)).depth, 7);
    let hard = Limits {
        time: Some(Duration::from_millis(100)),
        ..Limits::default()
    };
    let timed = search(&mut flagship(2), &start, &hard);
    assert!(timed.best.is_some() && timed.stopped == Some(Stopped::Time));
    let stopped = flagship(1)
        .search(&start, &Limits::default(), &AtomicBool::new(true), &mut |_| {})
        .expect("a bitboard");
    assert!(stopped.best.is_some() && stopped.counts.nodes < 5000);
}

/// Threads that share nodes: mates with their distance, legal lines, limits, and nobody waits for ever.
#[test]
fn young_brothers_find_what_one_thread_finds() {
    let sharing = |threads| made(settings(threads, Parallel::YoungBrothersWait));
    let mate = board("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    for threads in [1, 2, 3, 5] {
        let report = search(&mut sharing(threads), &mate, &Limits::depth(12));
        assert_eq!(score_of(report.value), Score::Mate(3), "{threads} threads");
    }
    let sharp = board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut engine = sharing(4);
    for _ in 0..5 {
        engine.new_game();
        let report = search(&mut engine, &sharp, &Limits::depth(9));
        assert_eq!(report.depth, 9);
        let limited = search(&mut engine, &sharp, &Limits::nodes(60_000));
        // Each thread looks at the sum once in a thousand nodes.
        assert!(
            limited.counts.nodes < 60_000 + 4 * 1100,
            "{}",
            limited.counts.nodes
        );
    }
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        assert!(
            engine
                .search(&sharp, &Limits::default(), &stop, &mut |_| {})
                .expect("a bitboard")
                .best
                .is_some()
        );
    });
}

#[test]
fn several_lines_come_in_order_and_differ() {
    let board = board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let mut last = Vec::new();
    let mut engine = made(Settings {
        multipv: 3,
        ..settings(1, Parallel::None)
    });
    engine
        .search(
            &board,
            &Limits::depth(8),
            &AtomicBool::new(false),
            &mut |iteration| {
                if iteration.multipv == 1 {
                    last.clear();
                }
                last.push((iteration.value, iteration.pv[0]));
            },
        )
        .expect("a bitboard");
    assert_eq!(last.len(), 3);
    assert!(last[0].0 >= last[1].0 && last[1].0 >= last[2].0, "{last:?}");
    assert!(last[0].1 != last[1].1 && last[1].1 != last[2].1 && last[0].1 != last[2].1);
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let board = BitboardBoard::new(&Position::default());
    let only = board.position().parse_uci("a2a3").expect("legal");
    for &algorithm in Algorithm::ALL {
        let limits = Limits {
            moves: vec![only],
            ..Limits::depth(3)
        };
        let settings = Settings {
            algorithm,
            ..Settings::default()
        };
        let report = search_once(&board, &SimpleEvaluation::default(), &settings, &limits);
        assert_eq!(report.expect("a bitboard").best, Some(only), "{algorithm}");
    }
}

/// A queen up, the side to move does not repeat a position that would be a draw.
#[test]
fn a_winning_side_avoids_the_draw() {
    let mut board = board("7k/8/8/8/8/8/3Q4/K7 w - - 0 1");
    let shuffle = ["d2d3", "h8g8", "d3d2", "g8h8"];
    for uci in shuffle.into_iter().cycle().take(10) {
        let m = board.position().parse_uci(uci).expect("legal");
        board.make(m);
    }
    // d3d2 would repeat for the third time.
    let report = search(&mut flagship(1), &board, &Limits::nodes(20_000));
    assert_ne!(report.best, board.position().parse_uci("d3d2").ok());
    assert!(report.value > 500, "{}", report.value);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// From any position of a random walk: a legal move, legal lines, no panic, also with two threads.
    #[test]
    fn any_position_gets_a_legal_move(choices in prop::collection::vec(any::<u16>(), 0..120), threads in 1..=2_usize) {
        let mut board = BitboardBoard::new(&Position::default());
        for choice in choices {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            board.make(moves[usize::from(choice) % moves.len()]);
        }
        let report = search(&mut flagship(threads), &board, &Limits::nodes(3_000));
        prop_assert_eq!(report.best.is_some(), !board.legal_moves().is_empty());
        if let Some(m) = report.best {
            prop_assert!(board.is_legal(m));
        }
    }
}
