//! The parameter table: the published facts, and that every parameter matters.

use std::collections::HashSet;
use std::fmt::Write;

use vidmar_eval::parameters::{COUNT, PARAMETERS, PUBLISHED_COUNT, ParameterSet, Phase, SETS, find};
use vidmar_eval::{FullEvaluation, Vector};

/// Fowler, Noll and Vo's 64-bit hash, 1a.
fn fnv(text: &str) -> u64 {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    text.bytes().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The rows of the published table as `index,name,narrow_min,narrow_max,narrow_tuned,wide_min,wide_max,wide_tuned`;
/// the hash was computed from that table.
#[test]
fn the_published_rows_are_the_published_table() {
    let mut rows = String::new();
    for (index, row) in PARAMETERS[..PUBLISHED_COUNT].iter().enumerate() {
        let tuned = row.published.expect("a published row");
        let (narrow, wide) = (row.narrow, row.wide);
        writeln!(
            rows,
            "{index},{},{},{},{},{},{},{}",
            row.name, narrow.min, narrow.max, tuned.narrow, wide.min, wide.max, tuned.wide
        )
        .unwrap();
    }
    assert_eq!(fnv(&rows), 0xad55_73d4_0815_c869, "{rows}");
}

#[test]
fn names_are_unique_and_phases_agree_with_them() {
    let names: HashSet<_> = PARAMETERS.iter().map(|row| row.name).collect();
    assert_eq!(names.len(), COUNT);
    for (index, row) in PARAMETERS.iter().enumerate() {
        assert_eq!(find(row.name), Ok(index));
        assert!(
            !row.meaning.is_empty() && !row.meaning.ends_with('.'),
            "{}",
            row.name
        );
        if row.name.contains("Opening") {
            assert_eq!(row.phase, Phase::Opening, "{}", row.name);
        }
        if row.name.ends_with("Endgame") {
            assert_eq!(row.phase, Phase::Endgame, "{}", row.name);
        }
    }
}

#[test]
fn vectors_and_sets() {
    let value = |vector: &str, name: &str| Vector::named(vector).unwrap().get(name).unwrap();
    assert_eq!(value("guess", "PawnValueOpening"), 70);
    assert_eq!(value("guess", "PawnRankEndgame"), 3, "3.5 rounded down");
    assert_eq!(value("guess", "KingRank[7]"), -7);
    assert_eq!(value("guess", "TempoOpening"), 0);
    assert_eq!(value("published-narrow", "UnstoppablePasser"), 804);
    assert_eq!(value("published-wide", "KingAttackWeight[15]"), 271);
    let sizes: Vec<_> = SETS.iter().map(|set| (set.name, set.indices().count())).collect();
    assert_eq!(
        sizes,
        [
            ("published190", 190),
            ("material-mobility", 16),
            ("extended", COUNT - 190),
            ("all", COUNT)
        ]
    );
    let set = ParameterSet::named("material-mobility").unwrap();
    assert!(
        set.parameters()
            .all(|row| row.name.contains("Value") || row.name.contains("Mob"))
    );
}

/// For each index whether the score of some position changes when its value goes to either end of its wide
/// interval.
fn silent_parameters(base: &Vector, indices: impl Iterator<Item = usize>) -> Vec<&'static str> {
    let mut positions = crate::positions::made();
    positions.extend(crate::positions::random_walks(190, 3_000));
    let scores = |vector: &Vector| {
        let evaluation = FullEvaluation::new(vector);
        positions
            .iter()
            .map(move |position| evaluation.evaluate(position))
            .collect::<Vec<_>>()
    };
    let before = scores(base);
    let matters = |index: usize| {
        let ends = [PARAMETERS[index].wide.min, PARAMETERS[index].wide.max];
        ends.into_iter().any(|value| {
            let mut changed = base.clone();
            changed.set_at(index, value).expect("inside its interval");
            scores(&changed) != before
        })
    };
    indices
        .filter(|&index| !matters(index))
        .map(|index| PARAMETERS[index].name)
        .collect()
}

#[test]
fn every_published_parameter_but_one_changes_the_score_of_some_position() {
    for name in ["guess", "published-narrow"] {
        let silent = silent_parameters(&Vector::named(name).unwrap(), 0..PUBLISHED_COUNT);
        assert_eq!(
            silent,
            ["KingAttackWeight[0]"],
            "{name}: no attacker, nothing to weigh"
        );
    }
}

#[test]
fn every_extended_parameter_changes_the_score_of_some_position() {
    // A unit needs a weight beside it.
    let mut base = Vector::guess();
    base.set("QueenMobOpening", 2).unwrap();
    assert_eq!(silent_parameters(&base, PUBLISHED_COUNT..COUNT), [""; 0]);
}
