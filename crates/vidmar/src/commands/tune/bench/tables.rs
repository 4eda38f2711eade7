//! The benchmark for a reader at a terminal.

use std::fmt::Write as _;

use vidmar_rating::stats::{Better, Comparison, Estimate, compare, holm};
use vidmar_tune::bench::{Cell, Contender, Family, Plan, Problem, by_seed, rank_table};

/// Width of a column of numbers.
const COLUMN: usize = 20;

fn name_width(plan: &Plan) -> usize {
    let names = plan.contenders.iter().map(|contender| contender.name().len());
    names.max().unwrap_or(0).max("critical difference".len()) + 1
}

/// `+12 ± 3`; one value has no interval.
fn shown(estimate: &Estimate) -> String {
    match estimate.error() {
        Some(error) => format!("{:+.0} ± {error:.0}", estimate.mean),
        None => format!("{:+.0}", estimate.mean),
    }
}

/// A header, and a line for every name.
fn table(width: usize, header: &str, columns: &[String], rows: &[(String, Vec<String>)]) -> String {
    let mut text = String::new();
    let mut line = |name: &str, cells: &[String]| {
        let _ = write!(text, "{name:<width$}");
        for cell in cells {
            let _ = write!(text, "{cell:>COLUMN$}");
        }
        text.push('\n');
    };
    line(header, columns);
    for (name, cells) in rows {
        line(name, cells);
    }
    text.push('\n');
    text
}

pub(super) fn by_landscape(plan: &Plan, problems: &[Problem]) -> String {
    let mut text = String::new();
    for of_landscape in problems.chunks(plan.budgets.len().max(1)) {
        let Some(Problem {
            shape, dimensions, ..
        }) = of_landscape.first()
        else {
            continue;
        };
        let _ = writeln!(
            text,
            "{}, {dimensions} parameters: {}",
            shape.name(),
            shape.help()
        );
        let row = |(index, contender): (usize, &Contender)| {
            let cell = |problem: &Problem| {
                let best =
                    problem.best[index].map_or_else(String::new, |best| format!(" ({:+.0})", best.mean));
                shown(&problem.centroid[index]) + &best
            };
            (
                contender.name().to_owned(),
                of_landscape.iter().map(cell).collect(),
            )
        };
        let rows: Vec<_> = plan.contenders.iter().enumerate().map(row).collect();
        let budgets: Vec<String> = plan.budgets.iter().map(u64::to_string).collect();
        text += &table(name_width(plan), "games", &budgets, &rows);
    }
    text
}

/// All numbers of parameters with all budgets: the indices of both.
fn columns(plan: &Plan) -> Vec<(usize, usize)> {
    let budgets = 0..plan.budgets.len();
    plan.dimensions
        .iter()
        .flat_map(|&dimensions| budgets.clone().map(move |at| (dimensions, at)))
        .collect()
}

fn column_names(plan: &Plan) -> Vec<String> {
    let name = |(dimensions, at): (usize, usize)| format!("{dimensions}: {}", plan.budgets[at]);
    columns(plan).into_iter().map(name).collect()
}

fn heading(plan: &Plan, family: Family, what: &str) -> String {
    let count = plan.shapes.iter().filter(|&&shape| family.has(shape)).count();
    format!("{what} over {count} {}\n", family.name())
}

pub(super) fn means(plan: &Plan, cells: &[Cell], family: Family) -> String {
    let row = |(index, contender): (usize, &Contender)| {
        let cell = |(dimensions, at)| {
            shown(&Estimate::of(&by_seed(
                plan, cells, family, dimensions, at, index,
            )))
        };
        (
            contender.name().to_owned(),
            columns(plan).into_iter().map(cell).collect(),
        )
    };
    let rows: Vec<_> = plan.contenders.iter().enumerate().map(row).collect();
    let what = format!("Mean gain ± 95 % over {} seeds,", plan.seed_count);
    heading(plan, family, &what) + &table(name_width(plan), "parameters: games", &column_names(plan), &rows)
}

/// What every other contender has over one; the p-values of the whole table are adjusted together.
pub(super) fn differences(plan: &Plan, cells: &[Cell], family: Family, control: usize) -> String {
    let others: Vec<usize> = (0..plan.contenders.len())
        .filter(|&index| index != control)
        .collect();
    let estimate = |index: usize, (dimensions, at): (usize, usize)| {
        let values = |who| by_seed(plan, cells, family, dimensions, at, who);
        let differences: Vec<f64> = values(index)
            .iter()
            .zip(values(control))
            .map(|(x, y)| x - y)
            .collect();
        Estimate::of(&differences)
    };
    let all: Vec<Estimate> = others
        .iter()
        .flat_map(|&index| columns(plan).into_iter().map(move |column| (index, column)))
        .map(|(index, column)| estimate(index, column))
        .collect();
    let adjusted: Option<Vec<f64>> = all.iter().map(Estimate::p).collect();
    let adjusted = adjusted.map(|p| holm(&p));
    let cell = |at: usize| {
        let p = adjusted
            .as_ref()
            .map_or_else(String::new, |p| format!(" p {}", short(p[at])));
        shown(&all[at]) + &p
    };
    let width = columns(plan).len();
    let row = |(place, &index): (usize, &usize)| {
        let cells = (place * width..(place + 1) * width).map(cell).collect();
        (plan.contenders[index].name().to_owned(), cells)
    };
    let rows: Vec<_> = others.iter().enumerate().map(row).collect();
    let what = format!(
        "Difference to {}, seed by seed, p after Holm,",
        plan.contenders[control].name()
    );
    heading(plan, family, &what) + &table(name_width(plan), "parameters: games", &column_names(plan), &rows)
}

fn short(p: f64) -> String {
    if p < 0.001 {
        "<.001".to_owned()
    } else {
        format!("{p:.3}")
    }
}

/// Mean ranks for every budget, and whether they differ at all.
pub(super) fn ranks(plan: &Plan, cells: &[Cell], family: Family) -> String {
    let compared = |at| compare(&rank_table(plan, cells, family, at).1, Better::Higher, 0.05, None);
    let comparisons: Result<Vec<Comparison>, _> = (0..plan.budgets.len()).map(compared).collect();
    let comparisons = match comparisons {
        Ok(comparisons) => comparisons,
        Err(error) => return format!("No rank tests: {error}\n"),
    };
    let Some(last) = comparisons.last() else {
        return String::new();
    };
    let mut order: Vec<usize> = (0..plan.contenders.len()).collect();
    order.sort_by(|&a, &b| last.ranks[a].total_cmp(&last.ranks[b]));
    let of_all = |cell: &dyn Fn(&Comparison) -> String| comparisons.iter().map(cell).collect::<Vec<_>>();
    let row = |&index: &usize| {
        let cells = of_all(&|comparison| format!("{:.2}", comparison.ranks[index]));
        (plan.contenders[index].name().to_owned(), cells)
    };
    let mut rows: Vec<_> = order.iter().map(row).collect();
    let p = holm(
        &comparisons
            .iter()
            .map(|comparison| comparison.friedman.p)
            .collect::<Vec<_>>(),
    );
    rows.push((
        "Friedman chi²".into(),
        of_all(&|comparison| format!("{:.1}", comparison.friedman.chi2)),
    ));
    rows.push(("p (Holm)".into(), p.into_iter().map(short).collect()));
    let difference = |comparison: &Comparison| format!("{:.2}", comparison.critical_difference.nemenyi);
    rows.push(("critical difference".into(), of_all(&difference)));
    let budgets: Vec<String> = plan.budgets.iter().map(u64::to_string).collect();
    let what = format!(
        "Mean ranks of {} rows (a landscape with {} seeds),",
        last.rows, plan.group
    );
    heading(plan, family, &what) + &table(name_width(plan), "games", &budgets, &rows)
}
