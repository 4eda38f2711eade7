//! Every algorithm honours each setting that it says it honours, which shows in its tree, and refuses every other by name.

use vidmar_chess::{BitboardBoard, Board, BoardKind, Generation, Position, with_board};
use vidmar_eval::SimpleEvaluation;
use vidmar_search::{
    Algorithm, Counts, Fail, Limits, NullMove, NullMoveRules, OrderingRules, Parallel, Probes, Report,
    Scheme, SearchParameters, Settings, SettingsError, Switch, Technique, Techniques, search_once,
};

/// An ending that leads to one which the tablebases know.
const ENDING: &str = "8/8/8/1k6/8/7P/1p6/1K6 w - - 0 1";
/// An ending, quiet, and sharp: the cheapest first.
const POSITIONS: [&str; 3] = [
    ENDING,
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
];

fn run(fen: &str, settings: &Settings, evaluation: SimpleEvaluation) -> Result<Report, SettingsError> {
    let board = BitboardBoard::new(&fen.parse::<Position>().expect("a legal position"));
    // Deep enough for transpositions, and for bounds that are met again, where few pieces allow it.
    let is_exhaustive = matches!(settings.algorithm, Algorithm::Minimax | Algorithm::Negamax);
    let depth = match (is_exhaustive, fen == ENDING) {
        (true, true) | (false, false) => 5,
        (true, false) => 2,
        (false, true) => 10,
    };
    search_once(&board, &evaluation, settings, &Limits::depth(depth))
}

/// What a change of settings shows in.
fn tree(fen: &str, settings: &Settings, evaluation: SimpleEvaluation) -> (Counts, i32, Vec<String>) {
    let report = run(fen, settings, evaluation).expect("settings that fit together");
    let pv = report.pv.iter().map(|m| format!("{m:?}")).collect();
    (report.counts, report.value, pv)
}

/// The settings to begin with, and another value of one of them. Nothing for those that are chosen beside them, or do not show in
/// the tree of one thread, or not in so small a one.
fn other_value(switch: Switch, base: &mut Settings) -> Option<Settings> {
    let mut other = base.clone();
    match switch {
        Switch::Iterative => other.iterative = false,
        Switch::Fail => other.fail = Fail::Hard,
        Switch::Quiescence => other.quiescence = false,
        Switch::QuiescencePlies => other.quiescence_plies = 1,
        Switch::NullMove => other.null_move = NullMove::R2,
        Switch::NullMoveRules => {
            base.null_move = NullMove::R2;
            other.null_move = NullMove::R2;
            other.null_move_rules = NullMoveRules::without("not-at-the-horizon").expect("a rule");
        }
        Switch::Futility => other.futility = true,
        Switch::Generation => other.generation = Generation::PseudoLegal,
        Switch::Ordering => other.ordering = OrderingRules::NONE,
        Switch::Table => other.table = Scheme::None,
        Switch::Exact => other.exact = true,
        Switch::MultiPv => other.multipv = 2,
        Switch::Parameters => assert!(other.parameters.set("late_move_base", 1)),
        Switch::Tablebases => other.tablebases = Probes::none(),
        Switch::Techniques if cfg!(feature = "switches") => {
            other.techniques = Techniques::default().without(Technique::NullMove);
        }
        _ => return None,
    }
    Some(other)
}

/// A value of each setting that is not the default.
fn changed(switch: Switch, algorithm: Algorithm) -> Option<Settings> {
    let mut settings = Settings {
        algorithm,
        ..Settings::default()
    };
    match switch {
        Switch::TableSize => settings.table_mib = 1,
        Switch::Parallel => settings.parallel = Parallel::Lazy,
        Switch::Threads => settings.threads = 2,
        Switch::Techniques => settings.techniques = Techniques::default().without(Technique::NullMove),
        Switch::NullMoveRules => {
            settings.null_move_rules = NullMoveRules::without("not-twice").expect("a rule");
        }
        _ => return other_value(switch, &mut settings),
    }
    Some(settings)
}

#[test]
fn what_is_honoured_changes_the_tree() {
    for &algorithm in Algorithm::ALL {
        for &switch in algorithm.honoured() {
            let mut base = Settings {
                algorithm,
                table_mib: 1,
                ..Settings::default()
            };
            let Some(other) = other_value(switch, &mut base) else {
                continue;
            };
            let differs = |fen: &&str| {
                let evaluation = SimpleEvaluation::default();
                tree(fen, &base, evaluation) != tree(fen, &other, evaluation)
            };
            assert!(
                POSITIONS.iter().any(differs),
                "{algorithm}: {switch} changes nothing"
            );
        }
    }
}

#[test]
fn every_number_of_the_flagship_changes_its_tree() {
    let base = Settings {
        algorithm: Algorithm::Flagship,
        table_mib: 1,
        ..Settings::default()
    };
    let deep = |settings: &Settings, fen: &str| {
        let board = BitboardBoard::new(&fen.parse::<Position>().expect("a legal position"));
        let limits = Limits::depth(if fen == ENDING { 18 } else { 12 });
        let report = search_once(&board, &SimpleEvaluation::default(), settings, &limits);
        report.expect("settings that fit together").counts
    };
    let usual = POSITIONS.map(|fen| deep(&base, fen));
    for row in SearchParameters::TABLE {
        let differs = |value: i32| {
            let mut other = base.clone();
            assert!(other.parameters.set(row.name, value));
            POSITIONS
                .iter()
                .zip(&usual)
                .any(|(fen, usual)| deep(&other, fen) != *usual)
        };
        assert!(
            differs(row.max) || differs(row.min),
            "{} changes nothing",
            row.name
        );
    }
}

#[test]
fn what_is_not_honoured_is_refused_by_name() {
    for &algorithm in Algorithm::ALL {
        for &switch in Switch::ALL {
            let Some(settings) = changed(switch, algorithm) else {
                continue;
            };
            let refusal = SettingsError::Unhonoured { algorithm, switch };
            if algorithm.honours(switch) {
                assert_ne!(settings.check(), Err(refusal), "{algorithm}: {switch}");
            } else {
                assert_eq!(settings.check(), Err(refusal.clone()), "{algorithm}: {switch}");
                let report = run(POSITIONS[1], &settings, SimpleEvaluation::default());
                assert_eq!(report, Err(refusal.clone()), "{algorithm}: {switch}");
                let text = refusal.to_string();
                assert!(
                    text.starts_with(&format!("{algorithm} does not honour {switch} (it honours ")),
                    "{text}"
                );
            }
        }
    }
}

#[test]
fn the_evaluation_is_honoured_by_all_and_other_boards_by_all_but_one() {
    let position: Position = POSITIONS[1].parse().expect("a legal position");
    let limits = Limits::depth(2);
    for &algorithm in Algorithm::ALL {
        let settings = Settings {
            algorithm,
            table_mib: 1,
            ..Settings::default()
        };
        let (simple, squares) = (
            SimpleEvaluation::default(),
            SimpleEvaluation {
                piece_squares: true,
                ..SimpleEvaluation::default()
            },
        );
        assert!(algorithm.honours(Switch::Evaluation));
        let differs = |fen: &&str| tree(fen, &settings, simple) != tree(fen, &settings, squares);
        assert!(POSITIONS.iter().any(differs), "{algorithm}");
        for &kind in BoardKind::ALL {
            let report = with_board!(kind, B => search_once(&B::new(&position), &simple, &settings, &limits));
            let plays = kind == BoardKind::Bitboard || algorithm.honours(Switch::Board);
            assert_eq!(report.is_ok(), plays, "{algorithm} on {kind}");
            if let Err(error) = report {
                assert!(
                    error.to_string().starts_with("flagship does not honour board "),
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn a_table_size_and_parameters_are_those_of_the_settings() {
    let base = Settings {
        algorithm: Algorithm::Flagship,
        ..Settings::default()
    };
    let nodes = |settings: &Settings| {
        let board = BitboardBoard::new(&POSITIONS[2].parse::<Position>().expect("a legal position"));
        let report = search_once(&board, &SimpleEvaluation::default(), settings, &Limits::depth(10));
        report.expect("settings that fit together").counts.nodes
    };
    let small = Settings {
        table_mib: 1,
        ..base.clone()
    };
    assert_ne!(nodes(&base), nodes(&small));
    for row in SearchParameters::TABLE {
        let mut settings = base.clone();
        assert!(settings.parameters.set(row.name, row.max) || settings.parameters.set(row.name, row.min));
        assert!(settings.check().is_ok(), "{}", row.name);
    }
}
