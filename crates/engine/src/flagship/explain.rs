//! A score in words: what each term gives either side.

use std::fmt::Write as _;

use vidmar_chess::Position;
use vidmar_eval::{Breakdown, FULL_PHASE, Tapered};

/// The terms of a score, White's, Black's and their difference in both phases.
pub(super) fn table_of(breakdown: &Breakdown, position: &Position) -> String {
    let mut text = format!(
        "{:<18}{:>16}{:>16}{:>16}\n",
        "term", "white", "black", "difference"
    );
    let pair = |value: Tapered| format!("{:>7} {:>7}", value.opening(), value.endgame());
    for term in &breakdown.terms {
        let _ = writeln!(
            text,
            "{:<18} {} {} {}",
            term.term.name(),
            pair(term.white),
            pair(term.black),
            pair(term.white - term.black)
        );
    }
    let _ = writeln!(
        text,
        "{:<18} {:>15} {:>15} {}",
        "total",
        "",
        "",
        pair(breakdown.total)
    );
    let _ = writeln!(
        text,
        "phase {} of {FULL_PHASE} (opening and endgame values are blended by it)",
        breakdown.phase
    );
    let _ = write!(
        text,
        "score {} cp for {}, {} cp for white",
        breakdown.score,
        position.turn(),
        breakdown.white_score
    );
    text
}
