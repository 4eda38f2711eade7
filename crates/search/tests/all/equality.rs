//! Every algorithm marked exact returns the value of minimax, on every board and with every table.
//!
//! Minimax is asked once per position, on bitboards and without a table. The zero-window search is held to its
//! bound. Every combination of algorithm, table and board at depth 4 is `cargo run --release -p
//! vidmar-search --example equality`; here each position gets every table on one board and every
//! board with one table, in turn.

use crate::positions::{Case, cases};
use vidmar_chess::{BitboardBoard, Board, BoardKind, Bound, Position, with_board};
use vidmar_eval::SimpleEvaluation;
use vidmar_search::{
    Algorithm, Fail, Limits, OrderingRules, Parallel, Report, Scheme, Settings, Switch, search_once,
};

fn settings(algorithm: Algorithm, table: Scheme) -> Settings {
    Settings {
        table_mib: 1,
        ..Settings::exact(algorithm, table)
    }
}

fn run(case: &Case, board: BoardKind, settings: &Settings, depth: u32) -> Report {
    with_board!(board, B => search_once(
        &case.board::<B>(),
        &SimpleEvaluation::default(),
        settings,
        &Limits::depth(depth),
    ))
    .expect("settings that fit together")
}

fn minimax(case: &Case, depth: u32) -> i32 {
    minimax_with(case, depth, settings(Algorithm::Minimax, Scheme::None))
}

fn minimax_with(case: &Case, depth: u32, settings: Settings) -> i32 {
    let settings = Settings {
        iterative: false,
        ..settings
    };
    run(case, BoardKind::Bitboard, &settings, depth).value
}

fn assert_agrees(case: &Case, board: BoardKind, settings: &Settings, depth: u32, truth: i32) {
    let report = run(case, board, settings, depth);
    let Settings { algorithm, table, .. } = settings;
    let context = || {
        format!(
            "{algorithm}, {table}, {board}, depth {depth}, {}: {settings:?}",
            case.name
        )
    };
    match report.bound {
        Bound::Exact => assert_eq!(report.value, truth, "{}", context()),
        Bound::Lower => assert!(
            report.value <= truth,
            "{} <= {truth}: {}",
            report.value,
            context()
        ),
        Bound::Upper => assert!(
            report.value >= truth,
            "{} >= {truth}: {}",
            report.value,
            context()
        ),
    }
    assert!(
        !algorithm.exact() || report.bound == Bound::Exact,
        "{}",
        context()
    );
    let legal = case.position().legal_moves();
    assert_eq!(report.best.is_some(), !legal.is_empty(), "{}", context());
    assert!(report.best.is_none_or(|m| legal.contains(&m)), "{}", context());
}

/// Whether an algorithm searches every move: those get fewer positions.
fn is_exhaustive(algorithm: Algorithm) -> bool {
    matches!(algorithm, Algorithm::Minimax | Algorithm::Negamax)
}

/// Each case from `part` in steps of `parts`.
fn hold_equal(cases: &[Case], depth: u32, part: usize, parts: usize) {
    for (number, case) in cases.iter().enumerate().skip(part).step_by(parts) {
        let truth = minimax(case, depth);
        let turn = number / parts;
        let board_of_all_tables = BoardKind::ALL[turn % BoardKind::ALL.len()];
        let table_of_all_boards = Scheme::ALL[turn % Scheme::ALL.len()];
        for algorithm in Algorithm::honouring(Switch::Exact) {
            if is_exhaustive(algorithm) && !turn.is_multiple_of(12) {
                continue;
            }
            for &table in Scheme::ALL {
                assert_agrees(
                    case,
                    board_of_all_tables,
                    &settings(algorithm, table),
                    depth,
                    truth,
                );
            }
            for &board in BoardKind::ALL {
                assert_agrees(
                    case,
                    board,
                    &settings(algorithm, table_of_all_boards),
                    depth,
                    truth,
                );
            }
        }
    }
}

#[test]
fn depth_3_first_half() {
    hold_equal(&cases(200, 3), 3, 0, 2);
}

#[test]
fn depth_3_second_half() {
    hold_equal(&cases(200, 3), 3, 1, 2);
}

/// Positions whose full tree is small enough for a test: hand-picked ones first.
fn small_cases(count: usize) -> Vec<Case> {
    let mut small: Vec<Case> = cases(400, 4)
        .into_iter()
        .filter(|case| case.board::<BitboardBoard>().perft(4) < 300_000)
        .collect();
    // From both ends: the rules by hand, and walks.
    let walks = small.split_off(small.len().min(count / 2));
    small.extend(walks.into_iter().rev().take(count - count / 2));
    assert_eq!(small.len(), count);
    small
}

#[test]
fn depth_4_first_half() {
    hold_equal(&small_cases(40), 4, 0, 2);
}

#[test]
fn depth_4_second_half() {
    hold_equal(&small_cases(40), 4, 1, 2);
}

/// Within four plies no position recurs inside the tree, and no clock differs between two paths to one
/// position. These few pieces are searched far enough for both, with the clock near its end.
#[test]
fn deep_trees_of_few_pieces() {
    for fen in [
        "8/8/8/1k6/1p6/1P6/1K6/8 w - - 0 1",
        "8/8/8/1k6/1p6/1P6/1K6/8 b - - 94 80",
        "k7/p7/P7/8/8/p7/P7/K7 w - - 92 80",
        "k7/p7/P7/8/8/6p1/6P1/6K1 w - - 93 80",
        "8/8/p6k/P6p/7P/K7/8/8 w - - 94 80",
        "k7/8/K7/P7/8/8/8/8 w - - 93 80",
        // Here the value changes if positions repeated within the tree are draws ...
        "K7/8/1p6/kP6/1p2p3/1P2P3/1P2P3/8 w - - 0 80",
        "8/8/8/8/5p2/5P1p/1k5P/6K1 w - - 0 80",
        "7k/5K1p/7P/8/8/2p5/2P5/8 w - - 91 80",
        "6k1/p5p1/P3K1P1/p7/P7/8/8/8 w - - 92 80",
        // ... and here if deeper entries answer.
        "8/8/p7/P1p5/P1P5/K2p3p/3P3P/5k2 w - - 0 80",
        "4k3/1p5K/1Pp1p3/2P1P3/2P5/8/8/8 w - - 91 80",
        "8/2p5/2P5/8/4p2p/1p2P2P/1P6/2K1k3 w - - 92 80",
        "8/4p3/1p2P3/1P6/1Pp5/p1P5/P1P5/1K5k w - - 0 80",
    ] {
        let case = crate::positions::hand_picked(fen);
        let depth = (4..=12)
            .take_while(|&depth| case.board::<BitboardBoard>().perft(depth) < 60_000)
            .last()
            .expect("a small tree");
        assert!(depth >= 6, "{fen}: only depth {depth}");
        let truth = minimax(&case, depth);
        for algorithm in Algorithm::honouring(Switch::Exact) {
            for &table in Scheme::ALL {
                assert_agrees(
                    &case,
                    BoardKind::Bitboard,
                    &settings(algorithm, table),
                    depth,
                    truth,
                );
            }
        }
    }
}

/// What the rules about repetitions say, by hand: White, a rook and a knight down, can go back to h1.
#[test]
fn a_repetition_of_the_game_is_a_draw() {
    let start: Position = "7k/8/8/8/8/2n5/r7/7K w - - 0 1"
        .parse()
        .expect("a legal position");
    let value_after = |texts: &[&str], exact: bool| {
        let mut case = crate::positions::hand_picked(&start.to_string());
        let mut position = start.clone();
        for text in texts {
            let m = position.parse_uci(text).expect("a legal move");
            case.moves.push(m);
            position.play(m);
        }
        let settings = Settings {
            exact,
            ..settings(Algorithm::AlphaBeta, Scheme::None)
        };
        run(&case, BoardKind::Bitboard, &settings, 1).value
    };
    let shuffle = ["h1g1", "h8g8", "g1h1", "g8f8", "h1g1", "f8g8"];
    let twice = [&shuffle[..], &shuffle[2..]].concat();
    // Kh1 makes the second occurrence: a draw where every repetition of the game counts.
    assert_eq!(value_after(&shuffle, true), 0);
    assert!(value_after(&shuffle, false) < -700);
    // The third is one everywhere.
    assert_eq!(value_after(&twice, true), 0);
    assert_eq!(value_after(&twice, false), 0);
}

/// The switches that must not change a value: order of moves, hard bounds, deepening, threads.
#[test]
fn what_only_saves_work_changes_no_value() {
    for (number, case) in cases(60, 5).iter().enumerate() {
        let truth = minimax(case, 3);
        for algorithm in Algorithm::honouring(Switch::Exact).filter(|&algorithm| !is_exhaustive(algorithm)) {
            let base = settings(algorithm, Scheme::ALL[number % Scheme::ALL.len()]);
            let mut variants = vec![
                Settings {
                    ordering: OrderingRules::NONE,
                    ..base.clone()
                },
                Settings {
                    iterative: false,
                    ..base.clone()
                },
                Settings {
                    parallel: Parallel::Lazy,
                    threads: 2,
                    ..base.clone()
                },
                Settings {
                    parallel: Parallel::YoungBrothersWait,
                    threads: 3,
                    ..base.clone()
                },
            ];
            if algorithm.honours(Switch::Fail) {
                variants.push(Settings {
                    fail: Fail::Hard,
                    ..base
                });
            }
            for settings in &variants {
                assert_agrees(case, BoardKind::Bitboard, settings, 3, truth);
            }
        }
    }
}

/// Quiescence searches a tree that does not depend on the window, so equality survives it.
#[test]
fn with_quiescence_too() {
    for case in &cases(80, 6) {
        for quiescence_plies in [0, 1, 3] {
            let quiescent = |algorithm, table| Settings {
                quiescence: true,
                quiescence_plies,
                ..settings(algorithm, table)
            };
            let truth = minimax_with(case, 2, quiescent(Algorithm::Minimax, Scheme::None));
            for algorithm in Algorithm::honouring(Switch::Exact) {
                for table in [Scheme::None, Scheme::TwoLevel] {
                    assert_agrees(case, BoardKind::Bitboard, &quiescent(algorithm, table), 2, truth);
                }
            }
        }
    }
}

/// A deterministic search on one board visits the very nodes that it visits on another.
#[test]
fn every_board_searches_the_same_tree() {
    for case in &cases(40, 7) {
        for algorithm in Algorithm::honouring(Switch::Exact).filter(|&algorithm| !is_exhaustive(algorithm)) {
            let settings = settings(algorithm, Scheme::TwoLevel);
            let expected = run(case, BoardKind::Bitboard, &settings, 3);
            for &board in BoardKind::ALL {
                let report = run(case, board, &settings, 3);
                assert_eq!(
                    report.counts, expected.counts,
                    "{algorithm} on {board}: {}",
                    case.name
                );
                assert_eq!(report.pv, expected.pv, "{algorithm} on {board}: {}", case.name);
            }
        }
    }
}

/// The suite must contain what it claims to.
#[test]
fn the_cases_cover_the_rules() {
    let cases = cases(200, 3);
    let count = |test: &dyn Fn(&Case) -> bool| cases.iter().filter(|case| test(case)).count();
    let after = |case: &Case, test: &dyn Fn(&BitboardBoard) -> bool| {
        let mut board = case.board::<BitboardBoard>();
        board.legal_moves().into_iter().any(|m| {
            board.make(m);
            let hit = test(&board);
            board.unmake();
            hit
        })
    };
    let ends = |board: &BitboardBoard| board.count_legal_moves() == 0;
    assert!(
        count(&|case| after(case, &|b| ends(b) && b.in_check())) >= 5,
        "mates"
    );
    assert!(
        count(&|case| after(case, &|b| ends(b) && !b.in_check())) >= 3,
        "stalemates"
    );
    let promotes = |case: &Case| {
        case.position()
            .legal_moves()
            .iter()
            .any(|m| m.promotion().is_some())
    };
    assert!(count(&promotes) >= 10, "promotions");
    assert!(
        count(&|case| after(case, &|b| b.occurrences() > 1)) >= 20,
        "repetitions"
    );
    assert!(
        count(&|case| after(case, &|b| b.halfmoves() >= 100)) >= 1,
        "50 moves"
    );
    let fischer =
        |case: &Case| case.position().castling_notation() != vidmar_chess::CastlingNotation::Standard;
    assert!(count(&fischer) >= 5, "Chess960 castling");
}
