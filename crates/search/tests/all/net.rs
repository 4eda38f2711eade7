//! The flagship with a net: whatever the search makes, takes back, passes or shares between threads, the score that it is given is the one
//! computed from nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use vidmar_chess::{BitboardBoard, Board, Position};
use vidmar_eval::{Evaluation, NetEvaluator};
use vidmar_net::{Kings, Network};
use vidmar_rng::Rng;
use vidmar_search::{Algorithm, Limits, Parallel, Searcher, Settings};

/// A net that compares its scores with those computed from nothing.
#[derive(Clone)]
struct Checked {
    evaluator: NetEvaluator,
    asked: Arc<AtomicU64>,
}

impl Evaluation for Checked {
    fn evaluate<B: Board>(&mut self, board: &mut B, legal_moves: Option<usize>) -> i32 {
        let score = Evaluation::evaluate(&mut self.evaluator, board, legal_moves);
        let position = board.position();
        assert_eq!(score, self.evaluator.network().evaluate(&position), "{position}");
        self.asked.fetch_add(1, Ordering::Relaxed);
        score
    }
}

const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "rk2r3/pppppppp/8/8/8/8/PPPPPPPP/RK2R3 w EAea - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

#[test]
fn scores_of_a_net_are_those_computed_from_nothing_at_every_node() {
    let network = Network::random(Kings::PLAIN, 32, 8, &mut Rng::from_seed(1)).expect("a shape of nets");
    let network = Arc::new(network);
    for (threads, parallel) in [
        (1, Parallel::None),
        (2, Parallel::Lazy),
        (3, Parallel::YoungBrothersWait),
    ] {
        let asked = Arc::new(AtomicU64::new(0));
        let settings = Settings {
            algorithm: Algorithm::Flagship,
            table_mib: 1,
            threads,
            parallel,
            ..Settings::default()
        };
        let evaluation = Checked {
            evaluator: NetEvaluator::new(Arc::clone(&network)),
            asked: Arc::clone(&asked),
        };
        let mut searcher = Searcher::new(settings, evaluation).expect("settings that fit together");
        for fen in POSITIONS {
            let board = BitboardBoard::new(&fen.parse::<Position>().expect("legal"));
            let report = searcher.search(
                &board,
                &Limits::nodes(6_000),
                &AtomicBool::new(false),
                &mut |_| {},
            );
            assert!(report.expect("a bitboard").best.is_some(), "{fen}");
        }
        assert!(asked.load(Ordering::Relaxed) > 3_000, "{parallel:?}");
    }
}
