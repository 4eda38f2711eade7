//! A search by chances: minimax goes through every rising function, so where the phase cannot change, its value is that of the full
//! evaluation's search as a chance; and it is told in centipawns.

use vidmar_chess::{BitboardBoard, Board, Position, Score};
use vidmar_eval::{Chances, ChancesEvaluation, Evaluation, Evaluator};
use vidmar_search::{Algorithm, Limits, Report, Scheme, Settings, SettingsError, Switch, search_once};

fn run<E: Evaluation>(fen: &str, evaluation: &E, settings: &Settings, depth: u32) -> Report {
    let board = BitboardBoard::new(&fen.parse::<Position>().expect("a legal position"));
    search_once(&board, evaluation, settings, &Limits::depth(depth)).expect("settings that fit together")
}

/// Kings and pawns, too far from promotion to see one: the phase is 0 throughout.
const PAWN_ENDINGS: [&str; 3] = [
    "8/5pk1/1p2p1p1/p6p/P4P1P/1P2PKP1/8/8 w - - 0 40",
    "8/pp3k2/2p2pp1/8/3P4/2P2PP1/PP3K2/8 b - - 0 1",
    "8/8/p3k1p1/1p5p/7P/P2K2P1/1P6/8 w - - 0 1",
];

#[test]
fn where_the_phase_is_fixed_a_value_is_the_full_evaluations_as_a_chance() {
    for algorithm in Algorithm::honouring(Switch::Exact).filter(|algorithm| algorithm.exact()) {
        let exhaustive = matches!(algorithm, Algorithm::Minimax | Algorithm::Negamax);
        let depth = if exhaustive { 3 } else { 4 };
        for fen in PAWN_ENDINGS {
            let settings = Settings {
                table_mib: 1,
                ..Settings::exact(algorithm, Scheme::TwoLevel)
            };
            let full = run(fen, &Evaluator::default(), &settings, depth);
            let chances = run(fen, &ChancesEvaluation::default(), &settings, depth);
            let expected = Chances::of(full.value, 0).balance();
            assert_eq!(chances.value, expected, "{algorithm}: {fen}, {}", full.value);
            assert_eq!(full.score, Score::Centipawns(full.value));
            let Score::Centipawns(told) = chances.score else {
                panic!("{algorithm}: {fen}: {:?}", chances.score);
            };
            assert!(
                (told - full.value).abs() <= 3,
                "{algorithm}: {fen}: {told} for {}",
                full.value
            );
            assert_ne!(
                told, chances.value,
                "{algorithm}: {fen}: told in the unit of chances"
            );
        }
    }
}

/// Margins of futility and aspiration are in proportion to the unit: they were made for hundredths of a pawn.
#[test]
fn margins_are_in_the_unit_of_the_evaluation() {
    let middle_game = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8";
    let nodes = |algorithm| {
        let settings = Settings::exact(algorithm, Scheme::TwoLevel);
        run(middle_game, &ChancesEvaluation::default(), &settings, 4)
            .counts
            .nodes
    };
    // A window of half a pawn, and not of a fiftieth, is rarely left: it costs little more than an open one.
    assert!(nodes(Algorithm::Aspiration) < nodes(Algorithm::AlphaBeta) * 3 / 2);
    for fen in [middle_game, PAWN_ENDINGS[0]] {
        let plain = Settings::exact(Algorithm::AlphaBeta, Scheme::TwoLevel);
        let futile = Settings {
            futility: true,
            ..plain.clone()
        };
        let value = |settings| run(fen, &ChancesEvaluation::default(), settings, 3).value;
        assert_eq!(
            value(&plain),
            value(&futile),
            "{fen}: futility cut what a quiet move can gain"
        );
    }
}

#[test]
fn mates_are_mates() {
    let report = run(
        "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1",
        &ChancesEvaluation::default(),
        &Settings::default(),
        3,
    );
    assert_eq!(report.score, Score::Mate(1));
}

#[test]
fn a_selective_search_refuses_it_by_name() {
    let settings = Settings {
        algorithm: Algorithm::Flagship,
        ..Settings::default()
    };
    let board = BitboardBoard::new(&Position::default());
    let report = search_once(
        &board,
        &ChancesEvaluation::default(),
        &settings,
        &Limits::depth(3),
    );
    assert_eq!(report, Err(SettingsError::NotInPawns(Algorithm::Flagship)));
}
