//! What a run found, in numbers a person can judge: piece values in pawns beside the usual ones, every parameter before and after,
//! and what the games say of it.

use std::fmt::Write as _;

use vidmar_optim::Space;
use vidmar_rows::ParameterRow;
use vidmar_tune::learned::Learned;
use vidmar_tune::parameters::PHASES;

use super::show::{largest_changes, number};

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
pub(super) fn values(learned: &Learned) -> String {
    let mut text = String::new();
    if let Some(table) = pieces(&learned.parameters) {
        text.push_str(&table);
        text.push('\n');
    }
    text.push_str(&changes(&learned.parameters));
    if let Some(uncertainty) = learned.uncertainty {
        let _ = writeln!(text, "{}.", uncertainty.explained());
    }
    for statement in &learned.statements {
        let _ = writeln!(text, "{statement}");
    }
    text
}

/// The values while a run goes on, in one line: pieces in pawns, or what has moved farthest.
pub(super) fn running(space: &Space, now: &[f64]) -> String {
    let of = |piece: &str| {
        let phases = PHASES.iter().filter_map(|phase| {
            let value = |piece: &str| {
                let name = format!("{piece}Value{phase}");
                let index = space.dimensions().iter().position(|d| d.name == name)?;
                Some(now[index])
            };
            let pawn = value("Pawn").filter(|&pawn| pawn > 0.0)?;
            Some(value(piece)? / pawn)
        });
        let values: Vec<f64> = phases.collect();
        (values.len() == PHASES.len()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    };
    let in_pawns: Option<Vec<String>> = PIECES[1..]
        .iter()
        .map(|(piece, _)| Some(format!("{} {:.1}", piece.to_lowercase(), of(piece)?)))
        .collect();
    match in_pawns {
        Some(values) => format!("pawn 1  {}", values.join("  ")),
        None => largest_changes(space, now, 3),
    }
}

/// A value of a piece with its error, in pawns of its phase.
struct InPawns {
    before: Option<f64>,
    after: f64,
    error: Option<f64>,
}

impl InPawns {
    fn of(piece: &ParameterRow, pawn: &ParameterRow) -> Option<InPawns> {
        let divided = |value: f64, pawn: f64| (pawn > 0.0).then(|| value / pawn);
        let after = divided(piece.after, pawn.after)?;
        let is_pawn = piece.parameter == pawn.parameter;
        // The relative errors of a quotient add like the sides of a right angle.
        let error = piece
            .error
            .zip(pawn.error)
            .map(|(own, of_pawn)| (own / pawn.after).hypot(of_pawn * after / pawn.after));
        Some(InPawns {
            before: divided(piece.before, pawn.before),
            after,
            error: error.filter(|_| !is_pawn),
        })
    }

    fn cell(&self) -> String {
        let before = self.before.map_or("-".into(), |before| format!("{before:.2}"));
        let error = self.error.map_or(String::new(), |error| format!(" ± {error:.2}"));
        format!("{before} → {:.2}{error}", self.after)
    }
}

/// The five piece values of both phases in pawns of their phase; none unless all are tuned and a pawn is worth something.
fn pieces(rows: &[ParameterRow]) -> Option<String> {
    let row = |piece: &str, phase: &str| {
        let name = format!("{piece}Value{phase}");
        rows.iter().find(|row| row.parameter == name)
    };
    let mut text = format!(
        "{:<10} {:>20} {:>20} {:>6}\n",
        "in pawns", "opening", "endgame", "usual"
    );
    for (piece, usual) in PIECES {
        let [opening, endgame] = PHASES.map(|phase| InPawns::of(row(piece, phase)?, row("Pawn", phase)?));
        let (opening, endgame) = (opening?, endgame?);
        let mean = f64::midpoint(opening.after, endgame.after);
        let bar = "█".repeat((mean * PAWN_OF_BAR).round().clamp(0.0, 40.0) as usize);
        let _ = writeln!(
            text,
            "{:<10} {:>20} {:>20} {usual:>6}  {bar}",
            piece.to_lowercase(),
            opening.cell(),
            endgame.cell()
        );
    }
    Some(text)
}

/// Every parameter from where it started to where it is, the one that moved farthest first; of each what it is worth, where
/// games tell.
fn changes(rows: &[ParameterRow]) -> String {
    let mut rows: Vec<&ParameterRow> = rows.iter().collect();
    let share = |row: &ParameterRow| (row.after - row.before).abs() / (row.max - row.min).max(1e-9);
    rows.sort_by(|a, b| share(b).total_cmp(&share(a)));
    let shown = &rows[..rows.len().min(MOST_SHOWN)];
    let width = shown.iter().map(|row| row.parameter.chars().count()).max();
    let width = width.unwrap_or(0).max("parameter".len());
    let has_worth = rows.iter().any(|row| row.elo.is_some());
    let worth = if has_worth {
        format!(" {:>14}", "Elo")
    } else {
        String::new()
    };
    let mut text = format!(
        "{:<width$} {:>8} {:>20} {:>16}{worth}\n",
        "parameter", "before", "after", "interval"
    );
    for row in shown {
        let interval = format!("{} to {}", number(row.min), number(row.max));
        let error = row
            .error
            .map_or(String::new(), |error| format!(" ± {}", digits(error)));
        let worth = row.elo.zip(row.elo_error).map_or(String::new(), |(elo, error)| {
            let effect = row.effect.map_or("", |effect| effect.as_str());
            format!(" {:>14}  {effect}", format!("{elo:.0} ± {error:.0}"))
        });
        let bound = if row.at_bound { "  at its bound" } else { "" };
        let _ = writeln!(
            text,
            "{:<width$} {:>8} {:>20} {interval:>16}{worth}{bound}",
            row.parameter,
            number(row.before),
            format!("→ {}{error}", number(row.after)),
        );
    }
    if rows.len() > MOST_SHOWN {
        let _ = writeln!(text, "and {} more, which moved less", rows.len() - MOST_SHOWN);
    }
    if has_worth {
        text.push_str(
            "Elo is from the worst to the best of the values that played, by all games of the run (95 %).\n",
        );
    }
    text
}

/// An error with as many digits as mean something.
fn digits(error: f64) -> String {
    match error {
        error if error >= 10.0 => format!("{error:.0}"),
        error if error >= 1.0 => format!("{error:.1}"),
        error => format!("{error:.3}"),
    }
}

#[cfg(test)]
mod tests {
    use vidmar_optim::Dimension;
    use vidmar_rows::Effect;
    use vidmar_tune::learned::Uncertainty;

    use super::*;

    fn row(parameter: String, before: f64, after: f64) -> ParameterRow {
        ParameterRow {
            parameter,
            before,
            after,
            error: Some(10.0),
            min: 0.0,
            max: 1000.0,
            at_bound: after >= 1000.0,
            tried_min: None,
            tried_max: None,
            elo: None,
            elo_error: None,
            gain: None,
            gain_error: None,
            effect: None,
        }
    }

    fn learned(parameters: Vec<ParameterRow>) -> Learned {
        Learned {
            games: 0,
            gain: None,
            gain_error: None,
            uncertainty: Some(Uncertainty::StandardError),
            parameters,
            statements: vec!["What to make of it.".into()],
        }
    }

    const AFTER: [f64; 10] = [
        100.0, 80.0, 320.0, 240.0, 330.0, 260.0, 500.0, 440.0, 1000.0, 800.0,
    ];

    fn names() -> impl Iterator<Item = String> {
        let of = |(piece, _): (&str, f64)| PHASES.map(|phase| format!("{piece}Value{phase}"));
        PIECES.into_iter().flat_map(of)
    }

    #[test]
    fn pieces_are_shown_in_pawns_beside_the_usual_values() {
        let rows: Vec<ParameterRow> = names()
            .zip(AFTER)
            .map(|(name, now)| row(name, 500.0, now))
            .collect();
        let text = values(&learned(rows.clone()));
        // √(0.1² + (0.1 · 3.2)²) = 0.34, √(0.125² + (0.125 · 3)²) = 0.40.
        assert!(
            text.contains("knight       1.00 → 3.20 ± 0.34   1.00 → 3.00 ± 0.40      3  ██████\n"),
            "{text}"
        );
        assert!(
            text.contains("pawn                1.00 → 1.00          1.00 → 1.00      1  ██\n"),
            "{text}"
        );
        assert!(
            text.contains(
                "QueenValueOpening       500          → 1000 ± 10        0 to 1000  at its bound\n"
            ),
            "{text}"
        );
        assert!(
            text.ends_with("± is the 95 % interval that the games leave.\nWhat to make of it.\n"),
            "{text}"
        );
        // Nothing is worth so many pawns of no value.
        let mut without = rows;
        without[0].after = 0.0;
        assert!(!values(&learned(without)).contains("in pawns"));
    }

    #[test]
    fn running_values_are_in_pawns_where_pieces_are_tuned() {
        let dimension = |name: String| Dimension::integer(name, 0, 1000).starting_at(500.0);
        let space = Space::new(names().map(dimension).collect()).unwrap();
        assert_eq!(
            running(&space, &AFTER),
            "pawn 1  knight 3.1  bishop 3.3  rook 5.2  queen 10.0"
        );
        let other = Space::new(vec![dimension("Contempt".into())]).unwrap();
        assert_eq!(running(&other, &[510.0]), "Contempt 500→510");
    }

    #[test]
    fn what_moved_most_comes_first_with_what_it_is_worth() {
        let of = |n: u32| ParameterRow {
            elo: Some(20.0),
            elo_error: Some(7.0),
            effect: Some(Effect::Matters),
            ..row(format!("P{n}"), 50.0, 50.0 + f64::from(n))
        };
        let text = values(&learned((0..20).map(of).collect()));
        let first = text.lines().nth(1).unwrap();
        assert!(first.starts_with("P19 ") && first.contains("→ 69 ± 10"), "{text}");
        assert!(first.ends_with(" 20 ± 7  matters"), "{text}");
        assert!(text.contains("and 4 more, which moved less\n"), "{text}");
    }
}
