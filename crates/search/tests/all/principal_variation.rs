//! Every algorithm tells a principal variation: each of its moves keeps the value, down to the last ply. (Where windows are minimal
//! and no table keeps what they prove, this holds for the first two.) And `searchmoves` binds every algorithm.

use crate::positions::{Case, cases};
use vidmar_chess::{BitboardBoard, Board, Bound, Move};
use vidmar_eval::SimpleEvaluation;
use vidmar_search::{Algorithm, DRAW, Limits, MATE, Parallel, Report, Scheme, Settings, Switch, search_once};

fn settings(algorithm: Algorithm, table: Scheme) -> Settings {
    Settings {
        table_mib: 1,
        ..Settings::exact(algorithm, table)
    }
}

fn run(board: &BitboardBoard, settings: &Settings, depth: u32, moves: &[Move]) -> Report {
    let limits = Limits {
        moves: moves.to_vec(),
        ..Limits::depth(depth)
    };
    search_once(board, &SimpleEvaluation::default(), settings, &limits).expect("settings that fit together")
}

/// What minimax makes of one move.
fn value_of(board: &BitboardBoard, m: Move, depth: u32) -> i32 {
    let minimax = Settings {
        iterative: false,
        ..settings(Algorithm::Minimax, Scheme::None)
    };
    run(board, &minimax, depth, &[m]).value
}

/// A value of the root, mates counted from a position so many plies later.
fn later(value: i32, plies: i32) -> i32 {
    let turned = if plies % 2 == 0 { value } else { -value };
    if turned.abs() > MATE - 100 {
        turned + turned.signum() * plies
    } else {
        turned
    }
}

/// Positions that are not over.
fn going_on(count: usize, seed: u64) -> Vec<Case> {
    let mut all = cases(count, seed);
    all.retain(|case| case.board::<BitboardBoard>().count_legal_moves() > 0);
    all
}

/// Why one of the first moves of a line does not belong to the principal variation of a search to a depth with this value.
fn wrong_move(case: &Case, line: &[Move], value: i32, depth: u32) -> Option<String> {
    let mut board: BitboardBoard = case.board();
    for (plies, &m) in line.iter().enumerate() {
        if !board.is_legal(m) {
            return Some(format!("{m:?} is not legal"));
        }
        let (wanted, left) = (later(value, plies as i32), depth - plies as u32);
        let found = value_of(&board, m, left);
        if found != wanted {
            return Some(format!(
                "{m:?}, move {}, is worth {found} and not {wanted}",
                plies + 1
            ));
        }
        board.make(m);
    }
    None
}

/// Whether a line goes on to the depth, or to the end of the game.
fn is_whole(case: &Case, line: &[Move], value: i32, depth: u32) -> bool {
    let mut board: BitboardBoard = case.board();
    for &m in line {
        board.make(m);
    }
    line.len() == depth as usize || board.count_legal_moves() == 0 || value == DRAW
}

fn hold_lines(cases: &[Case], depth: u32, tables: &[Scheme]) {
    for case in cases {
        let board: BitboardBoard = case.board();
        for algorithm in Algorithm::honouring(Switch::Exact).filter(|algorithm| algorithm.exact()) {
            for &table in tables {
                let report = run(&board, &settings(algorithm, table), depth, &[]);
                assert_eq!(report.bound, Bound::Exact);
                let Report {
                    pv, table_pv, value, ..
                } = &report;
                let context = || {
                    format!(
                        "{algorithm}, {table}, {}, depth {depth}: {pv:?}, {table_pv:?}",
                        case.name
                    )
                };
                let is_proven =
                    table != Scheme::None || algorithm.honours(Switch::Fail) || !algorithm.splits();
                let proven = if is_proven { pv.len() } else { 2.min(pv.len()) };
                assert_eq!(
                    wrong_move(case, &pv[..proven], *value, depth),
                    None,
                    "{}",
                    context()
                );
                assert!(is_whole(case, pv, *value, depth), "{}", context());
                // Where an entry was replaced the table ends.
                assert_eq!(wrong_move(case, table_pv, *value, depth), None, "{}", context());
                if table == Scheme::TwoLevel {
                    assert!(is_whole(case, table_pv, *value, depth), "{}", context());
                }
            }
        }
    }
}

#[test]
fn every_move_keeps_the_value() {
    let some: Vec<Case> = going_on(60, 21).into_iter().step_by(2).collect();
    hold_lines(&some, 3, &[Scheme::None, Scheme::TwoLevel]);
}

#[test]
fn every_table_keeps_the_line() {
    let few: Vec<Case> = going_on(44, 22).split_off(32);
    hold_lines(&few, 3, Scheme::ALL);
}

/// As players use them: quiescence, deeper entries that answer, iterations. More than one move wherever the game goes on.
#[test]
fn lines_have_more_than_one_move() {
    for case in going_on(44, 23).iter().step_by(3) {
        let board: BitboardBoard = case.board();
        for &algorithm in Algorithm::ALL {
            for threads in [1, 2] {
                let settings = Settings {
                    algorithm,
                    table_mib: 1,
                    parallel: Parallel::Lazy,
                    threads,
                    ..Settings::default()
                };
                let exhaustive = matches!(algorithm, Algorithm::Minimax | Algorithm::Negamax);
                let report = run(&board, &settings, if exhaustive { 2 } else { 3 }, &[]);
                let mut after = board.clone();
                after.make(report.best.expect("there is a move"));
                let is_over = after.count_legal_moves() == 0 || after.has_insufficient_material();
                let ends = is_over || report.value == DRAW;
                let context = format!("{algorithm}, {threads} threads, {}: {:?}", case.name, report.pv);
                assert!(report.pv.len() > 1 || ends, "{context}");
                if algorithm.honours(Switch::TablePv) {
                    assert!(
                        report.table_pv.len() > 1 || ends,
                        "table: {context}: {:?}",
                        report.table_pv
                    );
                }
            }
        }
    }
}

/// The best of some moves is the best of these alone, and no other is searched.
#[test]
fn some_moves_are_searched_and_no_others() {
    for case in going_on(60, 24).iter().step_by(3) {
        let board: BitboardBoard = case.board();
        let legal = board.legal_moves().to_vec();
        // The last two: seldom the best.
        let wanted = &legal[legal.len().saturating_sub(2)..];
        let values = wanted.iter().map(|&m| value_of(&board, m, 3));
        let best = values.max().expect("there is a move");
        for &algorithm in Algorithm::ALL {
            let settings = if algorithm.honours(Switch::Exact) {
                settings(algorithm, Scheme::TwoLevel)
            } else {
                Settings {
                    algorithm,
                    table_mib: 1,
                    ..Settings::default()
                }
            };
            let report = run(&board, &settings, 3, wanted);
            let context = format!("{algorithm}: {}", case.name);
            assert!(report.best.is_some_and(|m| wanted.contains(&m)), "{context}");
            assert_eq!(report.pv.first().copied(), report.best, "{context}");
            match report.bound {
                _ if !algorithm.honours(Switch::Exact) => {}
                Bound::Exact => assert_eq!(report.value, best, "{context}"),
                Bound::Lower => assert!(report.value <= best, "{context}"),
                Bound::Upper => assert!(report.value >= best, "{context}"),
            }
            // A search that looks at every move sees fewer of them; others may be lucky.
            if legal.len() > 10 && !algorithm.splits() {
                let all = run(&board, &settings, 3, &[]).counts.nodes;
                assert!(
                    report.counts.nodes < all,
                    "{context}: {} of {all} nodes",
                    report.counts.nodes
                );
            }
        }
    }
}

/// A search stores what it finds, and is asked again and again in a game: its lines must not be those of earlier questions.
#[test]
fn a_table_that_is_used_again_spoils_no_line() {
    for case in cases(50, 25).iter().step_by(3) {
        for algorithm in Algorithm::honouring(Switch::TablePv) {
            let settings = Settings {
                algorithm,
                table_mib: 1,
                quiescence: false,
                ..Settings::default()
            };
            let mut searcher = vidmar_search::Searcher::new(settings, SimpleEvaluation::default())
                .expect("settings that fit together");
            let mut board: BitboardBoard = case.board();
            for _ in 0..4 {
                let stop = std::sync::atomic::AtomicBool::new(false);
                let report = searcher
                    .search(&board, &Limits::depth(2), &stop, &mut |iteration| {
                        assert!(iteration.hashfull <= 1000);
                    })
                    .expect("a bitboard");
                let Some(best) = report.best else { break };
                for line in [&report.pv, &report.table_pv] {
                    let mut now = board.clone();
                    for &m in line {
                        assert!(now.is_legal(m), "{algorithm}: {}: {line:?}", case.name);
                        now.make(m);
                    }
                    assert_eq!(line.first(), Some(&best), "{algorithm}: {}", case.name);
                }
                board.make(best);
            }
        }
    }
}
