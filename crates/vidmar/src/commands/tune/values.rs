//! What a run found, in numbers a person can judge: piece values in pawns beside the usual ones, and what moved most.

use std::fmt::Write as _;

use vidmar_optim::{Dimension, Space};
use vidmar_tune::parameters::PHASES;

use super::show::{by_change, number};

/// The pieces, and what every beginner is told that they are worth.
const PIECES: [(&str, f64); 5] = [
    ("Pawn", 1.0),
    ("Knight", 3.0),
    ("Bishop", 3.0),
    ("Rook", 5.0),
    ("Queen", 9.0),
];

/// Parameters that are shown one by one; of more, those that moved farthest.
const MOST_SHOWN: usize = 16;

/// Characters of a bar for one pawn.
const PAWN_OF_BAR: f64 = 2.0;

/// What became of the start.
pub(super) fn values(space: &Space, now: &[f64]) -> String {
    let mut text = String::new();
    if let Some(table) = pieces(space, now) {
        text.push_str(&table);
        text.push('\n');
    }
    text.push_str(&changes(space, now));
    text
}

/// The five piece values of both phases in pawns of their phase; none unless all are tuned and a pawn is worth something.
fn pieces(space: &Space, now: &[f64]) -> Option<String> {
    let value = |vector: &[f64], piece: &str, phase: &str| {
        let name = format!("{piece}Value{phase}");
        let index = space.dimensions().iter().position(|d| d.name == name)?;
        Some(vector[index])
    };
    let in_pawns = |vector: &[f64], piece: &str, phase: &str| {
        let pawn = value(vector, "Pawn", phase).filter(|&pawn| pawn > 0.0)?;
        Some(value(vector, piece, phase)? / pawn)
    };
    let mut text = format!(
        "{:<10} {:>18} {:>18} {:>6}\n",
        "in pawns", "opening", "endgame", "usual"
    );
    for (piece, usual) in PIECES {
        let mut cells = Vec::new();
        for phase in PHASES {
            let before = in_pawns(space.start(), piece, phase).map_or("-".into(), |v| format!("{v:.2}"));
            cells.push(format!("{before} → {:.2}", in_pawns(now, piece, phase)?));
        }
        let mean = PHASES
            .iter()
            .filter_map(|phase| in_pawns(now, piece, phase))
            .sum::<f64>()
            / 2.0;
        let bar = "█".repeat((mean * PAWN_OF_BAR).round().clamp(0.0, 40.0) as usize);
        let _ = writeln!(
            text,
            "{:<10} {:>18} {:>18} {usual:>6}  {bar}",
            piece.to_lowercase(),
            cells[0],
            cells[1]
        );
    }
    Some(text)
}

/// Every parameter from where it started to where it is, the one that moved farthest first; and what is stuck at a bound.
fn changes(space: &Space, now: &[f64]) -> String {
    let mut rows = by_change(space, now);
    rows.retain(|(d, ..)| !d.frozen);
    let width = rows
        .iter()
        .take(MOST_SHOWN)
        .map(|(d, ..)| d.name.chars().count())
        .max();
    let width = width.unwrap_or(0).max("parameter".len());
    let mut text = format!(
        "{:<width$} {:>10} {:>12} {:>21}\n",
        "parameter", "before", "after", "interval"
    );
    for (d, start, now) in rows.iter().take(MOST_SHOWN) {
        let interval = format!("{} to {}", number(d.min), number(d.max));
        let bound = if is_at_bound(d, *now) {
            "  at its bound"
        } else {
            ""
        };
        let _ = writeln!(
            text,
            "{:<width$} {:>10} {:>12} {interval:>21}{bound}",
            d.name,
            number(*start),
            format!("→ {}", number(*now)),
        );
    }
    if rows.len() > MOST_SHOWN {
        let _ = writeln!(text, "and {} more, which moved less", rows.len() - MOST_SHOWN);
    }
    let stuck: Vec<&str> = rows
        .iter()
        .filter(|(d, _, now)| is_at_bound(d, *now))
        .map(|(d, ..)| d.name.as_str())
        .collect();
    if let [first, ..] = stuck[..] {
        let others = if stuck.len() > 1 {
            format!(" and {} more", stuck.len() - 1)
        } else {
            String::new()
        };
        let _ = writeln!(
            text,
            "{first}{others} ended at a bound: a wider interval may be worth a try (tune resume --widen)."
        );
    }
    text
}

fn is_at_bound(d: &Dimension, now: f64) -> bool {
    d.width() > 0.0 && (now <= d.min || now >= d.max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_are_shown_in_pawns_beside_the_usual_values() {
        let of = |(piece, _): (&str, f64)| {
            PHASES.map(|phase| Dimension::integer(format!("{piece}Value{phase}"), 0, 1000).starting_at(500.0))
        };
        let space = Space::new(PIECES.into_iter().flat_map(of).collect()).unwrap();
        let text = values(
            &space,
            &[
                100.0, 80.0, 320.0, 240.0, 330.0, 260.0, 500.0, 440.0, 1000.0, 800.0,
            ],
        );
        assert!(
            text.contains("knight            1.00 → 3.20        1.00 → 3.00      3  ██████\n"),
            "{text}"
        );
        assert!(
            text.contains("QueenValueOpening         500       → 1000             0 to 1000  at its bound"),
            "{text}"
        );
        assert!(text.contains("QueenValueOpening ended at a bound"), "{text}");
        // Nothing is worth so many pawns of no value.
        let mut without = vec![100.0; 10];
        without[0] = 0.0;
        assert!(!values(&space, &without).contains("in pawns"));
    }

    #[test]
    fn what_moved_most_comes_first() {
        let dimension = |n: usize| Dimension::integer(format!("P{n}"), 0, 100).starting_at(50.0);
        let space = Space::new((0..20).map(dimension).collect()).unwrap();
        let now: Vec<f64> = (0..20).map(|n| 50.0 + f64::from(n)).collect();
        let text = values(&space, &now);
        let first = text.lines().nth(1).unwrap();
        assert!(first.starts_with("P19 ") && first.contains("→ 69"), "{text}");
        assert!(text.ends_with("and 4 more, which moved less\n"), "{text}");
    }
}
