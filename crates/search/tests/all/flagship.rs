//! The flagship search held to what every search must do: legal moves and lines, limits, mates, repeatability.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use proptest::prelude::*;
use vidmar_chess::{BitboardBoard, Board, Position, Score};
use vidmar_eval::{Evaluator, FullEvaluation, Vector};
use vidmar_search::flagship::{Flagship, FlagshipLimits, FlagshipReport};
use vidmar_search::{Parallel, score_of};

fn flagship(threads: usize) -> Flagship<Evaluator> {
    let evaluation = Arc::new(FullEvaluation::new(&Vector::guess()));
    Flagship::new(
        4,
        (0..threads).map(|_| Evaluator::new(evaluation.clone())).collect(),
    )
}

fn board(fen: &str) -> BitboardBoard {
    BitboardBoard::new(&fen.parse::<Position>().expect("legal"))
}

/// Searches and checks every line on the way.
fn search(
    engine: &mut Flagship<Evaluator>,
    board: &BitboardBoard,
    limits: &FlagshipLimits,
) -> FlagshipReport {
    engine.search(board, limits, &AtomicBool::new(false), |progress| {
        let mut position = board.position();
        for &m in &progress.pv {
            assert!(
                position.is_legal(m),
                "{m:?} of {:?} in {}",
                progress.pv,
                board.position()
            );
            position.play(m);
        }
        assert!(!progress.pv.is_empty());
    })
}

fn nodes(nodes: u64) -> FlagshipLimits {
    FlagshipLimits {
        nodes: Some(nodes),
        ..FlagshipLimits::default()
    }
}

fn depth(depth: u32) -> FlagshipLimits {
    FlagshipLimits {
        depth: Some(depth),
        ..FlagshipLimits::default()
    }
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
            &FlagshipLimits {
                mate: Some(moves),
                ..nodes(3_000_000)
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
        &depth(5),
    );
    assert_eq!((mated.best, score_of(mated.value)), (None, Score::Mate(0)));
    let stalemated = search(
        &mut flagship(1),
        &board("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"),
        &depth(5),
    );
    assert_eq!((stalemated.best, stalemated.value), (None, 0));
}

#[test]
fn the_same_search_twice_is_the_same() {
    let board = board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut engine = flagship(1);
    let first = search(&mut engine, &board, &nodes(50_000));
    engine.new_game();
    let again = search(&mut engine, &board, &nodes(50_000));
    let other = search(&mut flagship(1), &board, &nodes(50_000));
    for report in [again, other] {
        assert_eq!(
            (report.best, report.value, report.nodes),
            (first.best, first.value, first.nodes)
        );
    }
}

#[test]
fn limits_are_kept() {
    let start = BitboardBoard::new(&Position::default());
    for limit in [1, 100, 5_000, 100_000] {
        let report = search(&mut flagship(1), &start, &nodes(limit));
        assert!(report.nodes <= limit, "{} of {limit}", report.nodes);
        assert!(report.best.is_some());
        assert!(report.value.abs() < 1000, "{}", report.value);
    }
    assert_eq!(search(&mut flagship(1), &start, &depth(7)).depth, 7);
    let hard = FlagshipLimits {
        hard_time: Some(Duration::from_millis(100)),
        ..FlagshipLimits::default()
    };
    let begun = Instant::now();
    assert!(search(&mut flagship(2), &start, &hard).best.is_some());
    assert!(
        begun.elapsed() < Duration::from_millis(1500),
        "{:?}",
        begun.elapsed()
    );
    let stopped = flagship(1).search(&start, &FlagshipLimits::default(), &AtomicBool::new(true), |_| {});
    assert!(stopped.best.is_some() && stopped.nodes < 5000);
}

/// Threads that share nodes: mates with their distance, legal lines, limits, and nobody waits for ever.
#[test]
fn young_brothers_find_what_one_thread_finds() {
    let sharing = |threads| {
        let mut engine = flagship(threads);
        engine.set_parallel(Parallel::YoungBrothersWait);
        engine
    };
    let mate = board("r5rk/5p1p/5R2/4B3/8/8/7P/7K w - - 0 1");
    for threads in [1, 2, 3, 5] {
        let report = search(&mut sharing(threads), &mate, &depth(12));
        assert_eq!(score_of(report.value), Score::Mate(3), "{threads} threads");
    }
    let sharp = board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
    let mut engine = sharing(4);
    for _ in 0..5 {
        engine.new_game();
        let report = search(&mut engine, &sharp, &depth(9));
        assert_eq!(report.depth, 9);
        let limited = search(&mut engine, &sharp, &nodes(60_000));
        // Each thread looks at the sum once in a thousand nodes.
        assert!(limited.nodes < 60_000 + 4 * 1100, "{}", limited.nodes);
    }
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(Duration::from_millis(100));
            stop.store(true, Ordering::Relaxed);
        });
        assert!(
            engine
                .search(&sharp, &FlagshipLimits::default(), &stop, |_| {})
                .best
                .is_some()
        );
    });
}

#[test]
fn several_lines_come_in_order_and_differ() {
    let board = board("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3");
    let limits = FlagshipLimits {
        multipv: 3,
        ..depth(8)
    };
    let mut last = Vec::new();
    flagship(1).search(&board, &limits, &AtomicBool::new(false), |progress| {
        if progress.multipv == 1 {
            last.clear();
        }
        last.push((progress.value, progress.pv[0]));
    });
    assert_eq!(last.len(), 3);
    assert!(last[0].0 >= last[1].0 && last[1].0 >= last[2].0, "{last:?}");
    assert!(last[0].1 != last[1].1 && last[1].1 != last[2].1 && last[0].1 != last[2].1);
}

#[test]
fn only_the_moves_asked_for_are_considered() {
    let board = BitboardBoard::new(&Position::default());
    let only = board.position().parse_uci("a2a3").expect("legal");
    let limits = FlagshipLimits {
        moves: vec![only],
        ..depth(6)
    };
    assert_eq!(search(&mut flagship(1), &board, &limits).best, Some(only));
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
    let report = search(&mut flagship(1), &board, &nodes(20_000));
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
        let report = search(&mut flagship(threads), &board, &nodes(3_000));
        prop_assert_eq!(report.best.is_some(), !board.legal_moves().is_empty());
        if let Some(m) = report.best {
            prop_assert!(board.is_legal(m));
        }
    }
}
