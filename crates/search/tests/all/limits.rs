//! Every algorithm obeys every limit and always has a legal move, whatever the position.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::positions::cases;
use proptest::prelude::*;
use vidmar_chess::{BitboardBoard, Board, BoardKind, Position, with_board};
use vidmar_cpu::ThreadInstant;
use vidmar_eval::SimpleEvaluation;
use vidmar_search::{
    Algorithm, Fail, Limits, NullMove, OrderingRules, Parallel, Report, Scheme, Searcher, Settings, Stopped,
    Switch, search_once,
};

/// What is promised: within 4096 nodes, or 1 ms, of the limit.
const GRACE_NODES: u64 = 4096;

fn run(board: &BitboardBoard, settings: &Settings, limits: &Limits) -> Report {
    search_once(board, &SimpleEvaluation::default(), settings, limits).expect("settings that fit together")
}

fn with(algorithm: Algorithm) -> Settings {
    Settings {
        algorithm,
        table_mib: 1,
        ..Settings::default()
    }
}

/// The ways of searching that an algorithm allows.
fn ways(algorithm: Algorithm) -> Vec<Settings> {
    let mut ways = vec![with(algorithm)];
    for parallel in [Parallel::Lazy, Parallel::YoungBrothersWait] {
        let settings = Settings {
            parallel,
            threads: 3,
            ..with(algorithm)
        };
        if settings.check().is_ok() {
            ways.push(settings);
        }
    }
    ways
}

const MIDDLEGAME: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";

fn board(fen: &str) -> BitboardBoard {
    BitboardBoard::new(&fen.parse::<Position>().expect("a legal position"))
}

#[test]
fn node_limits_hold() {
    let board = board(MIDDLEGAME);
    for &algorithm in Algorithm::ALL {
        for settings in ways(algorithm) {
            for nodes in [0, 1, 100, 5_000, 40_000] {
                let report = run(&board, &settings, &Limits::nodes(nodes));
                let most = if settings.threads == 1 {
                    nodes.max(1)
                } else {
                    nodes + GRACE_NODES
                };
                assert!(
                    report.counts.nodes <= most,
                    "{algorithm}: {} of {nodes}",
                    report.counts.nodes
                );
                assert_eq!(report.stopped, Some(Stopped::Nodes), "{algorithm}, {nodes}");
                assert!(
                    report.best.is_some_and(|m| board.is_legal(m)),
                    "{algorithm}, {nodes}"
                );
            }
        }
    }
}

#[test]
fn depth_limits_hold() {
    let board = board(MIDDLEGAME);
    for &algorithm in Algorithm::ALL {
        for settings in ways(algorithm) {
            let settings = Settings {
                quiescence: !algorithm.honours(Switch::Quiescence),
                ..settings
            };
            let report = run(&board, &settings, &Limits::depth(3));
            assert_eq!((report.depth, report.stopped), (3, None), "{algorithm}");
        }
    }
}

fn searcher(settings: &Settings) -> Searcher<SimpleEvaluation> {
    Searcher::new(settings.clone(), SimpleEvaluation::default()).expect("settings that fit together")
}

/// A search that is told to stop by another thread, and one whose time is up, end within the promised nodes: that does not
/// depend on what else the machine is doing. How late that is on the wall is measured by the example `lateness`.
#[test]
fn time_and_stop_limits_hold() {
    let board = board(MIDDLEGAME);
    for &algorithm in Algorithm::ALL {
        for settings in ways(algorithm) {
            let at_once = Limits {
                time: Some(Duration::ZERO),
                ..Limits::default()
            };
            let report = run(&board, &settings, &at_once);
            assert_eq!(report.stopped, Some(Stopped::Time), "{algorithm}");
            assert!(report.best.is_some_and(|m| board.is_legal(m)), "{algorithm}");
            let nodes = report.counts.nodes;
            assert!(nodes <= GRACE_NODES, "{algorithm}: {nodes} nodes after its time");
            let nodes = stopped_by_another_thread(&board, &settings);
            assert!(nodes <= GRACE_NODES, "{algorithm}: {nodes} nodes after the stop");
        }
    }
}

/// In the middle of an iteration: a thread never works longer than its time and what the promised nodes cost, whether
/// it has the machine to itself or not.
#[test]
fn a_time_limit_ends_a_running_search() {
    let board = board(MIDDLEGAME);
    let span = Duration::from_millis(20);
    let limits = Limits {
        time: Some(span),
        ..Limits::default()
    };
    for &algorithm in Algorithm::ALL {
        for settings in ways(algorithm) {
            let mut searcher = searcher(&settings);
            let mut search = |limits: &Limits| {
                let never = AtomicBool::new(false);
                let report = searcher.search(&board, limits, &never, &mut |_| ());
                report.expect("a bitboard will do")
            };
            // Tables are made by the first search.
            search(&Limits::nodes(1));
            let begun = ThreadInstant::now();
            let report = search(&limits);
            let worked = begun.elapsed();
            assert_eq!(report.stopped, Some(Stopped::Time), "{algorithm}");
            assert!(report.best.is_some_and(|m| board.is_legal(m)), "{algorithm}");
            if settings.threads == 1 {
                let grace = worked.mul_f64(GRACE_NODES as f64 / report.counts.nodes as f64);
                let most = span + grace.max(Duration::from_millis(1));
                assert!(
                    worked <= most,
                    "{algorithm}: {worked:?}, {} nodes",
                    report.counts.nodes
                );
            }
        }
    }
}

/// The flag is set before the search begins: how many nodes are searched all the same?
fn stopped_by_another_thread(board: &BitboardBoard, settings: &Settings) -> u64 {
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope
            .spawn(|| stop.store(true, Ordering::Relaxed))
            .join()
            .expect("it only sets a flag");
    });
    let report = searcher(settings)
        .search(board, &Limits::default(), &stop, &mut |_| ())
        .expect("a bitboard will do");
    assert_eq!(report.stopped, Some(Stopped::Asked));
    assert!(report.best.is_some_and(|m| board.is_legal(m)));
    report.counts.nodes
}

/// And while it runs: a search without limits returns after the promised nodes.
#[test]
fn a_running_search_can_be_stopped() {
    let board = board(MIDDLEGAME);
    for &algorithm in Algorithm::ALL {
        for settings in ways(algorithm) {
            let stop = AtomicBool::new(false);
            let mut nodes_before = None;
            let report = searcher(&settings)
                .search(&board, &Limits::default(), &stop, &mut |iteration| {
                    // The next iteration of every algorithm is then larger than the promise.
                    if iteration.nodes >= GRACE_NODES && nodes_before.is_none() {
                        nodes_before = Some(iteration.nodes);
                        std::thread::scope(|scope| {
                            let asks = scope.spawn(|| stop.store(true, Ordering::Relaxed));
                            asks.join().expect("it only sets a flag");
                        });
                    }
                })
                .expect("a bitboard will do");
            assert_eq!(report.stopped, Some(Stopped::Asked), "{algorithm}");
            // Of several threads, one tells only its own nodes.
            if settings.threads == 1 {
                let more = report.counts.nodes - nodes_before.expect("an iteration was told");
                assert!(more <= GRACE_NODES, "{algorithm}: {more} nodes after the stop");
            }
        }
    }
}

#[test]
fn the_same_search_twice_is_the_same() {
    for case in &cases(30, 8) {
        let board: BitboardBoard = case.board();
        for &algorithm in Algorithm::ALL {
            let limits = Limits {
                nodes: Some(3_000),
                ..Limits::depth(5)
            };
            let (first, second) = (
                run(&board, &with(algorithm), &limits),
                run(&board, &with(algorithm), &limits),
            );
            assert_eq!(first.pv, second.pv, "{algorithm}: {}", case.name);
            assert_eq!(first.counts, second.counts, "{algorithm}: {}", case.name);
            assert_eq!(first.value, second.value, "{algorithm}: {}", case.name);
        }
    }
}

/// Quiescence must not explode: boards full of queens that all attack each other.
#[test]
fn quiescence_does_not_explode() {
    for fen in [
        "qqqqkqqq/q7/8/8/8/8/Q7/QQQQKQQQ w - - 0 1",
        "q1q1k1q1/1q1q1q1q/8/8/8/8/1Q1Q1Q1Q/Q1Q1K1Q1 w - - 0 1",
        "3qk3/1q1q1q2/2q1q3/1q3q2/2Q1Q3/1Q1Q1Q2/2Q1Q3/3QK3 w - - 0 1",
    ] {
        let report = run(&board(fen), &with(Algorithm::AlphaBeta), &Limits::depth(1));
        assert_eq!(report.depth, 1);
        assert!(
            report.counts.quiescence_nodes < 3_000_000,
            "{fen}: {} quiescence nodes",
            report.counts.quiescence_nodes
        );
    }
}

#[test]
fn without_moves_there_is_a_verdict_and_no_move() {
    for (fen, value) in [
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 0),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", -vidmar_search::MATE),
    ] {
        for &algorithm in Algorithm::ALL {
            for settings in ways(algorithm) {
                let report = run(&board(fen), &settings, &Limits::depth(3));
                assert_eq!((report.best, report.value), (None, value), "{algorithm}: {fen}");
            }
        }
    }
}

/// Any value of each setting that the algorithm honours.
fn any_settings() -> impl Strategy<Value = Settings> {
    let chosen = |count: usize| 0..count;
    (
        chosen(Algorithm::ALL.len()),
        chosen(Scheme::ALL.len()),
        chosen(NullMove::ALL.len()),
        chosen(Fail::ALL.len()),
        any::<[bool; 5]>(),
    )
        .prop_map(|(algorithm, table, null_move, fail, switches)| {
            let algorithm = Algorithm::ALL[algorithm];
            let mut settings = with(algorithm);
            let mut choose = |switch: Switch, choose: &dyn Fn(&mut Settings)| {
                if algorithm.honours(switch) {
                    choose(&mut settings);
                }
            };
            choose(Switch::Table, &|s| s.table = Scheme::ALL[table]);
            choose(Switch::NullMove, &|s| s.null_move = NullMove::ALL[null_move]);
            choose(Switch::Fail, &|s| s.fail = Fail::ALL[fail]);
            choose(Switch::Quiescence, &|s| s.quiescence = switches[0]);
            if switches[0] && switches[4] {
                choose(Switch::QuiescencePlies, &|s| s.quiescence_plies = 3);
            }
            choose(Switch::Futility, &|s| s.futility = switches[1]);
            choose(Switch::Iterative, &|s| s.iterative = switches[2]);
            choose(Switch::Exact, &|s| s.exact = switches[3]);
            if switches[4] {
                choose(Switch::Ordering, &|s| s.ordering = OrderingRules::NONE);
            }
            settings
        })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any settings, any position, any board, any limit: a legal move, a legal line, limits kept, and a
    /// sane value.
    #[test]
    fn any_search_gives_a_legal_move(
        settings in any_settings(),
        seed in 0_u64..1000,
        depth in 1_u32..5,
        nodes in 1_u64..20_000,
        board in 0..BoardKind::ALL.len(),
    ) {
        let case = cases(33, seed).pop().expect("33 cases");
        let limits = Limits { depth, nodes: Some(nodes), ..Limits::default() };
        let kind = if settings.algorithm.honours(Switch::Board) { BoardKind::ALL[board] } else { BoardKind::Bitboard };
        let report = with_board!(kind, B => search_once(
            &case.board::<B>(), &SimpleEvaluation::default(), &settings, &limits
        )).expect("settings that fit together");
        prop_assert_eq!(report.best, report.pv.first().copied());
        prop_assert!(report.best.is_some());
        for line in [&report.pv, &report.table_pv] {
            let mut position = case.position();
            for &m in line {
                prop_assert!(position.is_legal(m));
                position.play(m);
            }
        }
        prop_assert!(report.counts.nodes <= nodes);
        prop_assert!(report.depth <= depth);
        prop_assert!(report.stopped.is_some() || report.depth == depth);
        prop_assert!(report.value.abs() <= vidmar_search::MATE);
    }
}
