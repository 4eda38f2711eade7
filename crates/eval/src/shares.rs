//! A score as a sum of whole numbers that people can check: what each term gives at the present phase of the game.
//!
//! A term has an opening and an endgame value, and a score is rounded once, after they are blended. Terms that were rounded
//! one by one would miss it by a few hundredths. Here they are rounded so that they add up to the score (the method of the
//! largest remainders), and what the scaling of drawish endings takes away is a row of its own.

use serde::Serialize;
use vidmar_chess::Color;

use crate::breakdown::{Breakdown, TermScore};
use crate::full::FULL_PHASE;
use crate::tapered::Tapered;

/// What a term gives, in hundredths of a pawn.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Share {
    /// The name of the term, or [`Share::SCALING`].
    pub name: &'static str,
    /// What White gets.
    pub white: i32,
    /// What Black gets.
    pub black: i32,
    /// White's minus Black's.
    pub total: i32,
}

impl Share {
    /// The name of the row that says what is taken from the leader of an ending that is hard to win.
    pub const SCALING: &'static str = "scaling";
}

impl Breakdown {
    /// The terms at the present phase, and a row for the scaling if there is any. Their totals add up to
    /// [`Breakdown::white_score`].
    pub fn shares(&self) -> Vec<Share> {
        let phase = self.phase.clamp(0, FULL_PHASE);
        let exact = |value: Tapered| {
            i64::from(value.opening()) * i64::from(phase)
                + i64::from(value.endgame()) * i64::from(FULL_PHASE - phase)
        };
        let full = i64::from(FULL_PHASE);
        let whole = exact(self.total) / full;
        let exact_totals: Vec<i64> = self
            .terms
            .iter()
            .map(|term| exact(term.white - term.black))
            .collect();
        let totals = rounded(&exact_totals, full, whole);
        let row = |(term, &total): (&TermScore, &i64)| {
            let white = exact(term.white).div_euclid(full);
            Share {
                name: term.term.name(),
                white: white as i32,
                black: (white - total) as i32,
                total: total as i32,
            }
        };
        let mut shares: Vec<Share> = self.terms.iter().zip(&totals).map(row).collect();
        shares.extend(scaling(whole as i32, self.white_score));
        shares
    }
}

/// Numbers divided and rounded so that they add up to `whole`, which is their sum divided and rounded: all are rounded down,
/// and those that lost the most get the rest.
fn rounded(numbers: &[i64], divisor: i64, whole: i64) -> Vec<i64> {
    let mut rounded: Vec<i64> = numbers.iter().map(|number| number.div_euclid(divisor)).collect();
    let missing = usize::try_from(whole - rounded.iter().sum::<i64>()).unwrap_or_default();
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(numbers[index].rem_euclid(divisor)));
    for index in order.into_iter().take(missing) {
        rounded[index] += 1;
    }
    rounded
}

/// What is taken from the leader, if anything.
fn scaling(before: i32, after: i32) -> Option<Share> {
    let leader = if before >= 0 { Color::White } else { Color::Black };
    let total = after - before;
    (total != 0).then_some(Share {
        name: Share::SCALING,
        white: if leader == Color::White { total } else { 0 },
        black: if leader == Color::Black { -total } else { 0 },
        total,
    })
}
