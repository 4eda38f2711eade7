//! Threads change how the work is done, not what comes of it.

use std::sync::atomic::AtomicBool;

use crate::positions::cases;
use vidmar_chess::{BitboardBoard, Bound};
use vidmar_eval::SimpleEvaluation;
use vidmar_search::{Algorithm, Limits, Parallel, Report, Scheme, Searcher, Settings, Switch, search_once};

const DEPTH: u32 = 5;

fn exact(algorithm: Algorithm) -> Settings {
    Settings {
        table_mib: 1,
        ..Settings::exact(algorithm, Scheme::TwoLevel)
    }
}

/// The report, and the nodes that helpers have searched.
fn run(board: &BitboardBoard, settings: &Settings) -> (Report, u64) {
    let mut searcher =
        Searcher::new(settings.clone(), SimpleEvaluation::default()).expect("settings that fit together");
    let mut own = 0;
    let report = searcher
        .search(
            board,
            &Limits::depth(DEPTH),
            &AtomicBool::new(false),
            &mut |iteration| own = iteration.nodes,
        )
        .expect("every board will do");
    let helped = report.counts.nodes - own;
    (report, helped)
}

/// Deep enough for splits below splits, in exact mode, several times each: timing differs, the value may not.
#[test]
fn threads_agree_with_one() {
    let mut helped = [0; 2];
    for case in &cases(44, 9)[32..] {
        let board: BitboardBoard = case.board();
        let evaluation = SimpleEvaluation::default();
        let alone = search_once(
            &board,
            &evaluation,
            &exact(Algorithm::AlphaBeta),
            &Limits::depth(DEPTH),
        )
        .expect("settings that fit together");
        for algorithm in Algorithm::honouring(Switch::Exact).filter(|algorithm| algorithm.splits()) {
            for (way, parallel) in [Parallel::YoungBrothersWait, Parallel::Lazy]
                .into_iter()
                .enumerate()
            {
                let settings = Settings {
                    parallel,
                    threads: 4,
                    ..exact(algorithm)
                };
                let (report, nodes) = run(&board, &settings);
                helped[way] += nodes;
                let context = || format!("{algorithm}, {parallel}: {}", case.name);
                match report.bound {
                    Bound::Exact => assert_eq!(report.value, alone.value, "{}", context()),
                    Bound::Lower => assert!(report.value <= alone.value, "{}", context()),
                    Bound::Upper => assert!(report.value >= alone.value, "{}", context()),
                }
                let mut position = case.position();
                assert_eq!(report.best, report.pv.first().copied(), "{}", context());
                for &m in &report.pv {
                    assert!(position.is_legal(m), "{}", context());
                    position.play(m);
                }
            }
        }
    }
    assert!(
        helped.iter().all(|&nodes| nodes > 10_000),
        "helpers searched {helped:?} nodes"
    );
}
