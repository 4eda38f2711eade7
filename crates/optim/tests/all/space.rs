//! Spaces: what is refused, what repair does, and that constraints hold whatever comes.

#![allow(missing_docs, clippy::float_cmp, clippy::unwrap_used)]

use proptest::prelude::*;
use vidmar_optim::purpose::Purpose;
use vidmar_optim::space::round_half_up;
use vidmar_optim::{Constraint, Dimension, Repair, Space};

fn refusal(dimensions: Vec<Dimension>) -> String {
    Space::new(dimensions).unwrap_err().to_string()
}

#[test]
fn bad_spaces_say_what_is_wrong() {
    let a = || Dimension::integer("a", 0, 9);
    assert_eq!(refusal(vec![]), "the space has no free dimension");
    assert_eq!(
        refusal(vec![a().frozen_at(3.0)]),
        "the space has no free dimension"
    );
    assert_eq!(
        refusal(vec![Dimension::integer("a", 5, 4)]),
        "dimension \"a\" has min 5 > max 4"
    );
    assert_eq!(refusal(vec![a(), a()]), "dimension \"a\" is declared twice");
    assert_eq!(
        refusal(vec![a().starting_at(10.0)]),
        "dimension \"a\" starts at 10, outside 0..=9"
    );
    assert_eq!(
        refusal(vec![a().starting_at(0.5)]),
        "integer dimension \"a\" has 0.5 where a whole number below 2^52 is expected"
    );
    assert_eq!(
        refusal(vec![Dimension::real("a", f64::NAN, 1.0)]),
        "dimension \"a\" has NaN where a finite number is expected"
    );
    let frozen = Dimension {
        frozen: true,
        ..Dimension::integer("b", 0, 9)
    };
    assert_eq!(
        refusal(vec![a(), frozen]),
        "dimension \"b\" is frozen but has no start value"
    );
}

#[test]
fn a_space_that_is_read_is_checked_as_well() {
    let json = r#"{"dimensions": [{"name": "a", "min": 3, "max": 1}]}"#;
    let error = serde_json::from_str::<Space>(json).unwrap_err().to_string();
    assert!(error.contains("dimension \"a\" has min 3 > max 1"), "{error}");
    let json = r#"{"dimensions": [{"name": "a", "min": 3, "max": 10}, {"name": "b", "min": 0, "max": 5}],
                   "constraints": [{"larger": [["a", 1.0]], "smaller": [["b", 1.0]], "margin": 1.0, "strict": true}]}"#;
    let space: Space = serde_json::from_str(json).unwrap();
    assert_eq!(
        serde_json::from_str::<Space>(&serde_json::to_string(&space).unwrap()).unwrap(),
        space
    );
}

#[test]
fn repair_by_hand() {
    let cases = [
        (-3.0, 3.0, 0.0),
        (12.0, 8.0, 10.0),
        (24.0, 4.0, 10.0),
        (-27.0, 7.0, 0.0),
        (5.0, 5.0, 5.0),
    ];
    for (value, mirrored, clamped) in cases {
        assert_eq!(Repair::Mirror.apply(value, 0.0, 10.0), mirrored);
        assert_eq!(Repair::Clamp.apply(value, 0.0, 10.0), clamped);
    }
    assert_eq!(Repair::Mirror.apply(7.0, 3.0, 3.0), 3.0);
    for far in [1e300, -1e300, f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        assert!(
            (0.0..=10.0).contains(&Repair::Mirror.apply(far, 0.0, 10.0)),
            "{far}"
        );
    }
    // Many folds at once end where folding one by one does.
    assert_eq!(Repair::Mirror.apply(1003.0, 0.0, 10.0), 3.0);
    assert_eq!(Repair::Mirror.apply(-1013.0, 0.0, 10.0), 7.0);
}

#[test]
fn rounding_is_half_up_also_below_zero() {
    let rounded = [2.5, -2.5, -0.5, 0.49, -0.51].map(round_half_up);
    assert_eq!(rounded, [3.0, -2.0, 0.0, 0.0, -1.0]);
}

#[test]
fn first_vectors_reach_both_bounds_evenly() {
    let space = Space::new(vec![Dimension::integer("a", -1, 2)]).unwrap();
    let mut count = [0; 4];
    for i in 0..4000 {
        let x = space.random(&mut Purpose::Initial.rng(1, 0, i, 0))[0];
        count[(x + 1.0) as usize] += 1;
    }
    assert!(count.iter().all(|c| (890..1110).contains(c)), "{count:?}");
}

fn pieces() -> Vec<Dimension> {
    let names = ["pawn", "knight", "bishop", "rook", "queen"];
    names
        .iter()
        .map(|&name| Dimension::integer(name, 0, 1000))
        .collect()
}

#[test]
fn constraints_that_cannot_be_are_refused() {
    let space = |left: &str, right: &[&str], margin| {
        Space::constrained(pieces(), vec![Constraint::at_least(left, right, margin)])
            .unwrap_err()
            .to_string()
    };
    assert_eq!(
        space("rook", &["bishop", "horse"], 1.0),
        "constraint \"rook >= bishop + horse + 1\" names the unknown dimension \"horse\""
    );
    assert_eq!(
        space("rook", &["rook"], 0.0),
        "constraint \"rook >= rook\" relates fewer than two dimensions: a bound of one is its interval"
    );
    let error = space("pawn", &["rook"], 1001.0);
    assert!(error.contains("cannot be kept"), "{error}");
    let circle = vec![
        Constraint::at_least("pawn", &["rook"], 1.0),
        Constraint::at_least("rook", &["pawn"], 1.0),
    ];
    assert!(
        Space::constrained(pieces(), circle)
            .unwrap_err()
            .to_string()
            .contains("cannot be kept")
    );
}

#[test]
fn constraint_repair_by_hand() {
    let constraint = Constraint::at_least("rook", &["bishop", "pawn"], 1.0);
    let space = Space::constrained(pieces(), vec![constraint]).unwrap();
    // The left side rises first.
    assert_eq!(
        space.settled(&[100.0, 3.0, 300.0, 350.0, 0.0], Repair::Mirror),
        [100.0, 3.0, 300.0, 401.0, 0.0]
    );
    // At its bound the right side gives: 900 + 300 + 1 - 1000 = 201 of 1200, an equal share of each.
    let settled = space.settled(&[300.0, 3.0, 900.0, 350.0, 0.0], Repair::Mirror);
    assert_eq!(settled, [249.0, 3.0, 749.0, 1000.0, 0.0]);
}

/// Whole numbers differ by a step of what the factors can make, real ones by a crumb.
#[test]
fn strictly_larger_by_hand() {
    let settled = |text: &str, x: [f64; 5]| {
        let space = Space::constrained(pieces(), vec![text.parse().unwrap()]).unwrap();
        space.settled(&x, Repair::Mirror)
    };
    let level = [100.0, 300.0, 300.0, 500.0, 900.0];
    assert_eq!(
        settled("knight < bishop", level),
        [100.0, 300.0, 301.0, 500.0, 900.0]
    );
    assert_eq!(
        settled("rook < bishop + 2 pawn", level)[..4],
        [101.0, 300.0, 301.0, 500.0][..]
    );
    assert_eq!(
        settled("2 knight > 6 pawn", level),
        [100.0, 301.0, 300.0, 500.0, 900.0]
    );
    assert_eq!(settled("2 knight >= 6 pawn", level), level);
    // The pawn stands on both sides: knight >= 2 pawn + 150.
    assert_eq!(
        settled("knight - pawn >= pawn + 150", level),
        [100.0, 350.0, 300.0, 500.0, 900.0]
    );
    let reals = ["a", "b"].map(|name| Dimension::real(name, 0.0, 1.0)).to_vec();
    let space = Space::constrained(reals, vec!["a < b".parse().unwrap()]).unwrap();
    let settled = space.settled(&[0.5, 0.5], Repair::Mirror);
    assert!(settled[0] < settled[1] && settled[1] < 0.500_01, "{settled:?}");
}

proptest! {
    #[test]
    fn settled_vectors_keep_sums_of_both_sides(
        x in prop::collection::vec(-3000.0..3000.0_f64, 5),
        clamp in any::<bool>(),
    ) {
        let texts = ["rook < bishop + 2 pawn", "2 * knight <= rook + pawn - 10", "queen - rook > 0.5 bishop"];
        let constraints = texts.map(|text| text.parse().unwrap()).to_vec();
        let space = Space::constrained(pieces(), constraints).unwrap();
        let settled = space.settled(&x, if clamp { Repair::Clamp } else { Repair::Mirror });
        let [pawn, knight, bishop, rook, queen] = settled[..] else { unreachable!() };
        prop_assert!(rook < bishop + 2.0 * pawn, "{:?}", settled);
        prop_assert!(2.0 * knight <= rook + pawn - 10.0, "{:?}", settled);
        prop_assert!(queen - rook > 0.5 * bishop, "{:?}", settled);
    }

    #[test]
    fn settled_vectors_keep_every_constraint(
        x in prop::collection::vec(-3000.0..3000.0_f64, 5),
        margin in 0..200_u32,
        clamp in any::<bool>(),
    ) {
        let constraints = vec![
            Constraint::at_least("rook", &["bishop", "pawn"], f64::from(margin)),
            Constraint::at_least("bishop", &["knight"], 0.0),
            Constraint::at_least("queen", &["rook"], 1.0),
            "knight >= 2.5 pawn".parse().unwrap(),
        ];
        let space = Space::constrained(pieces(), constraints).unwrap();
        let settled = space.settled(&x, if clamp { Repair::Clamp } else { Repair::Mirror });
        let [pawn, knight, bishop, rook, queen] = settled[..] else { unreachable!() };
        prop_assert!(space.contains(&settled), "{:?}", settled);
        prop_assert!(rook >= bishop + pawn + f64::from(margin) && bishop >= knight);
        prop_assert!(queen >= rook + 1.0 && knight >= 2.5 * pawn, "{:?}", settled);
    }
}
