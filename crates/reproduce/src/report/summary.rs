//! What was claimed and what we found, in a sentence for every published table: made from the figures by a rule, as verdicts are.

use std::fmt::Write as _;

use serde::Serialize;

use super::{Comparison, Section, Table, number};
use crate::figure::{Figure, Verdict};
use crate::plan::Plan;

/// How many rows have which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Verdicts {
    /// Intervals overlap.
    pub agree: usize,
    /// They do not; the effect has the same sign.
    pub same_direction: usize,
    /// Neither.
    pub differ: usize,
    /// Nothing is there yet.
    pub not_run: usize,
}

impl Verdicts {
    fn of<'a>(verdicts: impl Iterator<Item = &'a Verdict>) -> Verdicts {
        let mut counts = Verdicts::default();
        for verdict in verdicts {
            match verdict {
                Verdict::Agrees => counts.agree += 1,
                Verdict::SameDirection => counts.same_direction += 1,
                Verdict::Differs => counts.differ += 1,
                Verdict::NotRun { .. } => counts.not_run += 1,
                Verdict::NotComparable { .. } => {}
            }
        }
        counts
    }

    fn compared(self) -> usize {
        self.agree + self.same_direction + self.differ
    }
}

/// "3 agree, 1 differs"; what there is none of is left out.
impl std::fmt::Display for Verdicts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let one = |count: usize, one: &str, more: &str| {
            let word = if count == 1 { one } else { more };
            (count > 0).then(|| format!("{count} {word}"))
        };
        let said = [
            one(self.agree, "agrees", "agree"),
            one(
                self.same_direction,
                "has the same direction",
                "have the same direction",
            ),
            one(self.differ, "differs", "differ"),
            one(self.not_run, "not run yet", "not run yet"),
        ];
        let said: Vec<String> = said.into_iter().flatten().collect();
        f.write_str(&said.join(", "))
    }
}

/// So many rows are told one by one; of more the range.
const LISTED: usize = 3;

/// One number, or the least and the largest.
fn range(figures: impl Iterator<Item = Figure>, table: &Table) -> String {
    let (low, high) = figures.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), figure| {
        (low.min(figure.value), high.max(figure.value))
    });
    let [low, high] = [low, high].map(|value| number(value, table.digits));
    let unit = if table.unit.is_empty() {
        String::new()
    } else {
        format!(" {}", table.unit)
    };
    if low == high {
        format!("{low}{unit}")
    } else {
        format!("{low} to {high}{unit}")
    }
}

impl Table {
    fn verdicts(&self) -> Verdicts {
        Verdicts::of(self.rows.iter().map(|row| &row.verdict))
    }

    /// What was published and what we found, once something of ours is there.
    fn sentence(&self) -> Option<String> {
        let ours = || self.rows.iter().filter_map(|row| row.ours.as_ref());
        ours().next()?;
        let pair = |row: &Comparison| Some((row.label.clone(), row.published?, row.ours?));
        let pairs: Vec<(String, Figure, Figure)> = self.rows.iter().filter_map(pair).collect();
        let alone = || format!("{}, nothing to compare with", range(ours().copied(), self));
        let figures = match pairs.len() {
            0 => return Some(format!("{}: {}", self.title, alone())),
            1..=LISTED => {
                let one = |(label, published, ours): &(String, Figure, Figure)| {
                    let [published, ours] =
                        [published, ours].map(|&figure| range([figure].into_iter(), self));
                    format!("{label} {ours} (published {published})")
                };
                pairs.iter().map(one).collect::<Vec<String>>().join(", ")
            }
            _ => format!(
                "{} (published {})",
                range(pairs.iter().map(|(_, _, ours)| *ours), self),
                range(pairs.iter().map(|(_, published, _)| *published), self),
            ),
        };
        let verdicts = self.verdicts();
        let verdicts = match verdicts.compared() {
            0 if self.rows.iter().any(Comparison::is_of_smoke_test) => "not compared".to_owned(),
            0 => "not comparable yet".to_owned(),
            _ => verdicts.to_string(),
        };
        Some(format!("{}: {figures}: {verdicts}", self.title))
    }
}

/// Why a figure of a smoke test is not compared.
const SMOKE: &str = "a smoke test";

impl Section {
    /// Figures of a smoke test are of other players, depths and times than the published ones: nothing is said of the two.
    pub(super) fn withdraw_verdicts(&mut self) {
        for row in self.tables.iter_mut().flat_map(|table| &mut table.rows) {
            if matches!(
                row.verdict,
                Verdict::Agrees | Verdict::SameDirection | Verdict::Differs
            ) {
                row.verdict = Verdict::NotComparable {
                    why: SMOKE.to_owned(),
                };
            }
        }
    }

    /// How many figures of it have which verdict.
    pub fn verdicts(&self) -> Verdicts {
        Verdicts::of(
            self.tables
                .iter()
                .flat_map(|table| &table.rows)
                .map(|row| &row.verdict),
        )
    }

    /// What we found, a sentence for every table of which something is there.
    pub fn found(&self) -> String {
        let sentences: Vec<String> = self.tables.iter().filter_map(Table::sentence).collect();
        if sentences.is_empty() {
            return "not run yet".to_owned();
        }
        let mut text = sentences.join("; ");
        let is_open = self.steps.0 < self.steps.1;
        if self.plan.as_ref().is_some_and(Plan::is_smoke) {
            let _ = write!(text, "; {SMOKE}, which means nothing");
        } else if is_open {
            let _ = write!(text, "; {} of {} steps so far", self.steps.0, self.steps.1);
        }
        text
    }
}

impl Comparison {
    fn is_of_smoke_test(&self) -> bool {
        matches!(&self.verdict, Verdict::NotComparable { why } if why == SMOKE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_a_sentence_with_its_figures() {
        let row = |published: f64, ours: Option<f64>| {
            let ours = ours.map(|value| Figure::plus_minus(value, 1.0));
            Comparison::new("x", Figure::exact(published), ours, (1, 1), Some(0.0))
        };
        let mut table = Table {
            title: "Gain".to_owned(),
            unit: "Elo",
            digits: 0,
            over: "seeds",
            rows: vec![row(10.0, None)],
        };
        assert_eq!(table.sentence(), None);
        table.rows.extend([row(10.0, Some(9.5)), row(20.0, Some(12.0))]);
        assert_eq!(
            table.sentence().unwrap(),
            "Gain: x 10 Elo (published 10 Elo), x 12 Elo (published 20 Elo): 1 agrees, 1 has the same direction, 1 not run yet"
        );
        table.rows.extend([row(30.0, Some(-3.0)), row(40.0, Some(-9.0))]);
        assert_eq!(
            table.sentence().unwrap(),
            "Gain: −9 to 12 Elo (published 10 to 40 Elo): 1 agrees, 1 has the same direction, 2 differ, 1 not run yet"
        );
        table.rows = vec![Comparison::alone(
            "x",
            Some(Figure::exact(4.0)),
            (1, 1),
            "no figure is published",
        )];
        assert_eq!(table.sentence().unwrap(), "Gain: 4 Elo, nothing to compare with");
    }
}
