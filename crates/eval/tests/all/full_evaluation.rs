//! The full evaluation against its own laws and against slow, plain counts.

use std::ops::Range;
use std::sync::Arc;

use vidmar_chess::{Color, Position, Role, Setup, Square};
use vidmar_cpu::ThreadInstant;
use vidmar_eval::parameters::{COUNT, PARAMETERS, PUBLISHED_COUNT, ParameterSet};
use vidmar_eval::{Evaluator, FULL_PHASE, FullEvaluation, SCORE_LIMIT, Tapered, Vector};

fn evaluation(vector: &str) -> FullEvaluation {
    FullEvaluation::new(&Vector::named(vector).expect(vector))
}

fn position(fen: &str) -> Position {
    fen.parse().expect(fen)
}

/// Everything on: the published parameters and every extended one half way up its narrow interval.
fn everything() -> Vector {
    let mut vector = Vector::guess();
    for (index, row) in PARAMETERS.iter().enumerate().skip(PUBLISHED_COUNT) {
        vector
            .set_at(index, row.narrow.max / 2 + 1)
            .expect("a small value");
    }
    vector
}

/// The vector for the other colour: White's and Black's attack units exchanged.
fn exchanged(vector: &Vector) -> Vector {
    let mut other = vector.clone();
    for code in [4, 6, 8, 10] {
        let names = [code, code + 1].map(|code| format!("KingAttackUnit[{code}]"));
        let [white, black] = [0, 1].map(|i: usize| vector.get(&names[i]).expect(&names[i]));
        other.set(&names[0], black).expect(&names[0]);
        other.set(&names[1], white).expect(&names[1]);
    }
    other
}

#[test]
fn colours_are_treated_alike() {
    let mut all = crate::positions::made();
    all.extend(crate::positions::random_walks(4, 10_000));
    let mut vectors = ["guess", "published-narrow", "published-wide", "fitted", "tuned"]
        .map(|name| Vector::named(name).unwrap())
        .to_vec();
    vectors.push(everything());
    assert_eq!(exchanged(&vectors[0]), vectors[0]);
    assert_ne!(exchanged(&vectors[1]), vectors[1]);
    assert_eq!(exchanged(&vectors[3]), vectors[3]);
    for vector in vectors {
        let (evaluation, other) = (
            FullEvaluation::new(&vector),
            FullEvaluation::new(&exchanged(&vector)),
        );
        for position in &all {
            let mirror = crate::positions::flipped(position);
            assert_eq!(
                evaluation.evaluate(position),
                other.evaluate(&mirror),
                "{position}"
            );
        }
    }
}

#[test]
fn the_caches_and_the_breakdown_change_nothing() {
    let mut all = crate::positions::random_walks(5, 5_000);
    all.extend(crate::positions::made());
    for vector in [Vector::guess(), everything()] {
        let evaluation = Arc::new(FullEvaluation::new(&vector));
        let mut evaluator = Evaluator::new(Arc::clone(&evaluation));
        // Twice: the second time everything that fits is cached.
        for position in all.iter().chain(&all) {
            let score = evaluation.evaluate(position);
            assert_eq!(evaluator.evaluate(position), score, "{position}");
            let breakdown = evaluation.explain(position);
            assert_eq!(breakdown.score, score, "{position}");
            let sum: Tapered = breakdown.terms.iter().map(|term| term.white - term.black).sum();
            assert_eq!(sum, breakdown.total, "{position}");
            let shares = breakdown.shares();
            let shown: i32 = shares.iter().map(|share| share.total).sum();
            assert_eq!(shown, breakdown.white_score, "{position}: {shares:?}");
            assert!(
                shares
                    .iter()
                    .all(|share| share.white - share.black == share.total)
            );
            // Three divisions, each of which drops less than one.
            let unrounded = evaluation.unrounded(position);
            let dropped = (unrounded - f64::from(breakdown.white_score)).abs();
            assert!(
                dropped < 3.0 || unrounded.abs() > f64::from(SCORE_LIMIT),
                "{position}"
            );
        }
        evaluator.clear();
        assert_eq!(evaluator.evaluate(&all[0]), evaluation.evaluate(&all[0]));
    }
}

#[test]
fn castling_rights_and_king_moves_are_seen_through_the_pawn_table() {
    let mut evaluator = Evaluator::default();
    let evaluation = FullEvaluation::default();
    for fen in [
        "r3k2r/p4p1p/8/8/8/8/P4PPP/R3K2R w KQkq - 0 1",
        "r3k2r/p4p1p/8/8/8/8/P4PPP/R3K2R w Qkq - 0 1",
        "r3k2r/p4p1p/8/8/8/8/P4PPP/R3K2R w - - 0 1",
        "r3k2r/p4p1p/8/8/8/8/P4PPP/R2K3R w - - 0 1",
    ] {
        assert_eq!(
            evaluator.evaluate(&position(fen)),
            evaluation.evaluate(&position(fen)),
            "{fen}"
        );
    }
}

#[test]
fn extended_terms_off_is_the_published_evaluation() {
    let all = crate::positions::random_walks(6, 2_000);
    // All weights 0 but one unit that then has nothing to weigh: the extended code runs and must add nothing.
    let mut vector = Vector::guess();
    vector.set("QueenUnit", 7).unwrap();
    let (plain, with_code) = (evaluation("guess"), FullEvaluation::new(&vector));
    for position in &all {
        assert_eq!(
            plain.evaluate(position),
            with_code.evaluate(position),
            "{position}"
        );
    }
}

/// Material and mobility of a side, counted square by square.
fn plain_count(setup: &Setup, vector: &Vector, us: Color) -> (i32, i32) {
    let knight = [
        (1, 2),
        (2, 1),
        (2, -1),
        (1, -2),
        (-1, -2),
        (-2, -1),
        (-2, 1),
        (-1, 2),
    ];
    let diagonal = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
    let straight = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    let own = |square: Square| setup.board[square.index()].is_some_and(|piece| piece.color == us);
    let slide = |from: Square, steps: &[(i32, i32)]| {
        let mut reached = 0;
        for &(files, ranks) in steps {
            let mut at = from;
            while let Some(next) = at.offset(files, ranks) {
                reached += i32::from(!own(next));
                if setup.board[next.index()].is_some() {
                    break;
                }
                at = next;
            }
        }
        reached
    };
    let (mut opening, mut endgame) = (0, 0);
    for square in Square::ALL {
        let Some(piece) = setup.board[square.index()].filter(|piece| piece.color == us) else {
            continue;
        };
        let (name, reached) = match piece.role {
            Role::King => continue,
            Role::Pawn => ("Pawn", 0),
            Role::Knight => {
                let targets = knight
                    .iter()
                    .filter_map(|&(files, ranks)| square.offset(files, ranks));
                ("Knight", targets.filter(|&target| !own(target)).count() as i32)
            }
            Role::Bishop => ("Bishop", slide(square, &diagonal)),
            Role::Rook => ("Rook", slide(square, &straight)),
            Role::Queen => ("Queen", 0),
        };
        let weight = |name: String| vector.get(&name).expect(&name);
        opening += weight(format!("{name}ValueOpening"));
        endgame += weight(format!("{name}ValueEndgame"));
        if !matches!(piece.role, Role::Pawn | Role::Queen) {
            opening += reached * weight(format!("{name}MobOpening"));
            endgame += reached * weight(format!("{name}MobEndgame"));
        }
    }
    (opening, endgame)
}

#[test]
fn material_and_mobility_alone_are_what_a_plain_count_gives() {
    let guess = Vector::guess();
    let mut vector = Vector::zero();
    for index in ParameterSet::named("material-mobility").unwrap().indices() {
        vector.set_at(index, guess.at(index)).unwrap();
    }
    let evaluation = FullEvaluation::new(&vector);
    let mut compared = 0;
    for position in crate::positions::random_walks(7, 3_000) {
        if evaluation.explain(&position).draw_scale != 64 {
            continue;
        }
        compared += 1;
        let setup = position.setup();
        let (white, black) = (
            plain_count(&setup, &vector, Color::White),
            plain_count(&setup, &vector, Color::Black),
        );
        let count = |role: Role| position.role(role).len() as i32;
        let left = count(Role::Knight) + count(Role::Bishop) + 2 * count(Role::Rook) + 4 * count(Role::Queen);
        let left = left.min(FULL_PHASE);
        let expected = ((white.0 - black.0) * left + (white.1 - black.1) * (FULL_PHASE - left)) / FULL_PHASE;
        let expected = if position.turn() == Color::White {
            expected
        } else {
            -expected
        };
        assert_eq!(evaluation.evaluate(&position), expected, "{position}");
    }
    assert!(compared > 2_500, "{compared}");
}

#[test]
fn the_guess_has_a_sense_of_proportion() {
    has_a_sense_of_proportion(&evaluation("guess"), 900..1_050);
    prefers(&evaluation("guess"), SIDE_BY_SIDE, ALONE_AND_PASSED);
    assert_eq!(evaluation("guess").evaluate(&Position::default()), 0);
}

#[test]
fn the_fitted_vector_has_a_sense_of_proportion() {
    // The fit moved the queen to the upper end of its interval, 1025.
    has_a_sense_of_proportion(&evaluation("fitted"), 900..1_100);
    prefers(&evaluation("fitted"), SIDE_BY_SIDE, ALONE_AND_PASSED);
}

#[test]
fn the_tuned_vector_has_a_sense_of_proportion() {
    has_a_sense_of_proportion(&evaluation("tuned"), 900..1_100);
}

/// Two pawns side by side, or two alone of which one is passed: opinions differ.
const SIDE_BY_SIDE: &str = "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1";
const ALONE_AND_PASSED: &str = "4k3/pp6/8/8/8/8/P2P4/4K3 w - - 0 1";

fn prefers(evaluation: &FullEvaluation, good: &str, bad: &str) {
    let score = |fen: &str| evaluation.evaluate(&position(fen));
    assert!(
        score(good) > score(bad),
        "{good} {} against {bad} {}",
        score(good),
        score(bad)
    );
}

fn has_a_sense_of_proportion(evaluation: &FullEvaluation, queen: Range<i32>) {
    let score = |fen: &str| evaluation.evaluate(&position(fen));
    let queen_up = score("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!(queen.contains(&queen_up), "{queen_up}");
    let pawn_up = score("rnbqkbnr/pp1ppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    assert!((30..130).contains(&pawn_up), "{pawn_up}");
    // Structure, each time the same pieces with White: sound first.
    let better = [
        (
            "4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1",
            "4k3/pp6/8/8/8/P7/P7/4K3 w - - 0 1",
        ),
        (
            "4k3/5p2/8/8/P7/8/8/4K3 w - - 0 1",
            "4k3/1p6/8/8/P7/8/8/4K3 w - - 0 1",
        ),
        (
            "4k3/8/P7/8/8/8/8/R3K3 w - - 0 1",
            "4k3/8/8/8/P7/8/8/R3K3 w - - 0 1",
        ),
        (
            "r1bq1rk1/pppp1ppp/2n2n2/4p3/2B1P3/2N2N2/PPPP1PPP/R1BQ1RK1 w - - 0 1",
            "r1bq1rk1/pppp1ppp/2n2n2/4p3/2B1P3/2N2N2/PPPP1PPP/R1BQ1KR1 w - - 0 1",
        ),
        (
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/1R2K1N1 w - - 0 1",
            "4k3/pppppppp/8/8/8/8/PPPPPPPP/1R2K2N w - - 0 1",
        ),
    ];
    for (good, bad) in better {
        prefers(evaluation, good, bad);
    }
    // A runner is nearly a queen, and never more.
    let runner = score("8/P7/8/8/8/8/7k/K7 w - - 0 1");
    let queen = score("8/Q7/8/8/8/8/7k/K7 w - - 0 1");
    assert!((700..queen).contains(&runner), "{runner} {queen}");
    // Drawn endings.
    assert_eq!(score("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1"), 0);
    assert_eq!(score("1k6/8/8/P7/8/3KB3/8/8 w - - 0 1"), 0);
}

#[test]
fn the_largest_values_do_not_overflow() {
    for value in [9_999, -9_999] {
        let mut vector = Vector::zero();
        for index in 0..COUNT {
            vector
                .set_at(index, if index % 3 == 0 { value } else { -value })
                .unwrap();
        }
        let evaluations = [FullEvaluation::new(&vector), {
            for index in 0..COUNT {
                vector.set_at(index, value).unwrap();
            }
            FullEvaluation::new(&vector)
        }];
        for position in crate::positions::made()
            .iter()
            .chain(&crate::positions::random_walks(8, 500))
        {
            for evaluation in &evaluations {
                assert!(evaluation.evaluate(position).abs() <= SCORE_LIMIT);
                let breakdown = evaluation.explain(position);
                let sum: Tapered = breakdown.terms.iter().map(|term| term.white - term.black).sum();
                assert_eq!(sum, breakdown.total);
            }
        }
    }
}

#[test]
fn an_evaluation_is_built_in_less_than_a_tenth_of_a_millisecond() {
    let vector = everything();
    let best = (0..200)
        .map(|_| {
            let start = ThreadInstant::now();
            std::hint::black_box(FullEvaluation::new(std::hint::black_box(&vector)));
            start.elapsed()
        })
        .min()
        .unwrap();
    println!("built in {best:?}");
    assert!(best.as_micros() < 100, "{best:?}");
}
