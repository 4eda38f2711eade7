//! Legal, pseudo-legal and staged generation: the same values, and where the order is the same, the same tree.

use vidmar_chess::{BitboardBoard, Board, BoardKind, Generation, Position, with_board};
use vidmar_eval::SimpleEvaluation;
use vidmar_search::{
    Algorithm, Counts, Limits, NullMove, OrderingRule, OrderingRules, Parallel, Report, Scheme, Settings,
    Switch, search_once,
};

use crate::positions::{Case, cases};

fn run(case: &Case, board: BoardKind, settings: &Settings, depth: u32) -> Report {
    with_board!(board, B => search_once(
        &case.board::<B>(), &SimpleEvaluation::default(), settings, &Limits::depth(depth)
    ))
    .expect("settings that fit together")
}

fn with(generation: Generation, settings: &Settings) -> Settings {
    Settings {
        generation,
        table_mib: 1,
        ..settings.clone()
    }
}

/// Every algorithm, table and board in turn; mates, stalemates, promotions, en passant and castling are among the cases.
#[test]
fn exact_algorithms_have_the_values_of_legal_generation() {
    let algorithms: Vec<Algorithm> = Algorithm::honouring(Switch::Generation).collect();
    assert_eq!(algorithms.len(), Algorithm::ALL.len() - 1, "all but the flagship");
    for (number, case) in cases(48, 3).iter().enumerate() {
        for (turn, &algorithm) in algorithms.iter().enumerate() {
            let exhaustive = matches!(algorithm, Algorithm::Minimax | Algorithm::Negamax);
            let depth = if exhaustive { 2 } else { 3 };
            let board = BoardKind::ALL[(number + turn) % BoardKind::ALL.len()];
            let table = Scheme::ALL[(number + turn) % Scheme::ALL.len()];
            let settings = Settings {
                quiescence: number % 2 == 0,
                ..Settings::exact(algorithm, table)
            };
            let legal = run(case, board, &with(Generation::Legal, &settings), depth);
            for generation in [Generation::PseudoLegal, Generation::Staged] {
                let other = run(case, board, &with(generation, &settings), depth);
                assert_eq!(
                    (other.value, other.bound, other.depth),
                    (legal.value, legal.bound, legal.depth),
                    "{generation}, {algorithm}, {table}, {board}: {}",
                    case.name
                );
            }
        }
    }
}

/// Prunings included: without the history, which stages ask later, the order of moves is the same, and so is the tree. Pseudo-legal
/// moves have the same order in any case.
#[test]
fn where_the_order_is_the_same_so_is_the_tree() {
    let no_history = OrderingRules::ALL.without(OrderingRule::History);
    for case in cases(40, 7) {
        for (null_move, futility) in [
            (NullMove::Off, false),
            (NullMove::Verified, true),
            (NullMove::R2, true),
        ] {
            let settings = Settings {
                algorithm: Algorithm::NegaScout,
                null_move,
                futility,
                ordering: no_history,
                ..Settings::default()
            };
            let tree = |generation, ordering| {
                let settings = Settings {
                    ordering,
                    ..with(generation, &settings)
                };
                let report = run(&case, BoardKind::Bitboard, &settings, 4);
                let Counts {
                    nodes,
                    leaves,
                    expanded,
                    ..
                } = report.counts;
                (nodes, leaves, expanded, report.value, report.pv)
            };
            let legal = tree(Generation::Legal, no_history);
            assert_eq!(tree(Generation::PseudoLegal, no_history), legal, "{}", case.name);
            assert_eq!(tree(Generation::Staged, no_history), legal, "{}", case.name);
            assert_eq!(
                tree(Generation::PseudoLegal, OrderingRules::ALL),
                tree(Generation::Legal, OrderingRules::ALL),
                "{}",
                case.name
            );
        }
    }
}

/// What it is for: pseudo-legal generators write down more moves, staged ones fewer.
#[test]
fn stages_generate_fewer_moves_and_pseudo_legal_ones_more() {
    let position: Position = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
        .parse()
        .expect("a legal position");
    let moves = |generation| {
        let settings = with(generation, &Settings::default());
        let board = BitboardBoard::new(&position);
        let report = search_once(&board, &SimpleEvaluation::default(), &settings, &Limits::depth(5));
        let counts = report.expect("settings that fit together").counts;
        counts.moves as f64 / counts.expanded as f64
    };
    let legal = moves(Generation::Legal);
    assert!(moves(Generation::PseudoLegal) > legal);
    assert!(moves(Generation::Staged) < 0.8 * legal);
}

/// Young brothers take turns at moves that are all there: what is left of a stage is generated before it is shared.
#[test]
fn shared_nodes_have_every_move_of_every_generation() {
    for case in cases(12, 11) {
        let settings = Settings {
            algorithm: Algorithm::Pvs,
            ..Settings::exact(Algorithm::Pvs, Scheme::TwoLevel)
        };
        let alone = run(&case, BoardKind::Bitboard, &settings, 5).value;
        for &generation in Generation::ALL {
            for parallel in [Parallel::YoungBrothersWait, Parallel::Lazy] {
                let settings = Settings {
                    parallel,
                    threads: 2,
                    ..with(generation, &settings)
                };
                let shared = run(&case, BoardKind::Bitboard, &settings, 5).value;
                assert_eq!(shared, alone, "{generation}, {parallel}: {}", case.name);
            }
        }
    }
}
