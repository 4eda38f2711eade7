//! The comparison for a reader at a terminal.

use std::fmt::Write as _;

use vidmar_rating::stats::{Better, Comparison};

use super::{Compared, best_first};

pub(super) fn render(compared: &[Compared]) -> String {
    let mut text = String::new();
    for (index, Compared { name, comparison, .. }) in compared.iter().enumerate() {
        if index > 0 {
            text.push_str("\n\n");
        }
        if !name.is_empty() {
            let _ = write!(text, "With {name}: ");
        }
        heading(&mut text, comparison);
        ranks(&mut text, comparison);
        tests(&mut text, comparison);
        pairs(&mut text, comparison);
        control(&mut text, comparison);
    }
    if compared.len() > 1 {
        text.push_str(
            "\n(every condition has the same problems again and a test of its own; p-values are not adjusted for their number)\n",
        );
    }
    text
}

fn heading(text: &mut String, comparison: &Comparison) {
    let better = match comparison.better {
        Better::Higher => "higher",
        Better::Lower => "lower",
    };
    let (count, rows) = (comparison.algorithms.len(), comparison.rows);
    let _ = writeln!(
        text,
        "{count} algorithms on {rows} problems, {better} is better\n"
    );
}

fn name_width(comparison: &Comparison) -> usize {
    comparison
        .algorithms
        .iter()
        .map(|name| name.chars().count())
        .max()
        .unwrap_or(0)
        .max(9)
}

fn ranks(text: &mut String, comparison: &Comparison) {
    let width = name_width(comparison);
    let _ = writeln!(text, "{:width$}  Mean rank", "Algorithm");
    for index in best_first(comparison) {
        let _ = writeln!(
            text,
            "{:width$}  {:9.3}",
            comparison.algorithms[index], comparison.ranks[index]
        );
    }
    text.push('\n');
}

fn tests(text: &mut String, comparison: &Comparison) {
    let Comparison {
        alpha,
        friedman,
        iman_davenport,
        critical_difference,
        ..
    } = comparison;
    let _ = writeln!(
        text,
        "Friedman        chi² = {:.3}, {} degrees of freedom, p = {}; critical value at {alpha}: {:.3}",
        friedman.chi2,
        friedman.df,
        p_value(friedman.p),
        friedman.critical_value(*alpha),
    );
    if let Some(ties) = &comparison.friedman_ties {
        let _ = writeln!(
            text,
            "  with ties     chi² = {:.3}, p = {}",
            ties.chi2,
            p_value(ties.p)
        );
    }
    // Where all rank alike F has no value, and p is that of chance, which can be counted.
    let f = if iman_davenport.f.is_finite() {
        format!("F = {:.3}", iman_davenport.f)
    } else {
        "F beyond every value (all problems rank alike)".to_owned()
    };
    let _ = writeln!(
        text,
        "Iman-Davenport  {f}, {} and {} degrees of freedom, p = {}; critical value at {alpha}: {:.3}",
        iman_davenport.df.0,
        iman_davenport.df.1,
        p_value(iman_davenport.p),
        iman_davenport.critical_value(*alpha),
    );
    let _ = writeln!(
        text,
        "Critical difference of mean ranks at {alpha}: {:.3} among all pairs (Nemenyi), {:.3} to one control \
         (Bonferroni-Dunn)",
        critical_difference.nemenyi, critical_difference.bonferroni_dunn,
    );
}

fn pairs(text: &mut String, comparison: &Comparison) {
    let label = |a: usize, b: usize| format!("{} vs {}", comparison.algorithms[a], comparison.algorithms[b]);
    let width = comparison
        .pairs
        .iter()
        .map(|pair| label(pair.a, pair.b).chars().count())
        .max()
        .unwrap_or(0);
    let _ = writeln!(
        text,
        "\nAll pairs, the better one first: p-values, unadjusted and adjusted (* significant at {})\n\
         {:width$}  {:>7}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}",
        comparison.alpha, "", "z", "unadjusted", "Nemenyi", "Holm", "Shaffer", "Berg.-Hom.", "Wilcoxon"
    );
    let cell = |p: f64| marked(p, comparison.alpha);
    for pair in &comparison.pairs {
        let _ = writeln!(
            text,
            "{:width$}  {:7.3}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}  {:>10}",
            label(pair.a, pair.b),
            pair.z,
            p_value(pair.p),
            cell(pair.nemenyi),
            cell(pair.holm),
            cell(pair.shaffer),
            pair.bergmann_hommel.map_or("-".to_owned(), cell),
            p_value(pair.wilcoxon.p),
        );
    }
    text.push_str("(z and all p-values but Wilcoxon's are about mean ranks; Wilcoxon's are unadjusted)\n");
}

fn control(text: &mut String, comparison: &Comparison) {
    let Some((control, rows)) = &comparison.control else {
        return;
    };
    let width = name_width(comparison);
    let _ = writeln!(
        text,
        "\nAgainst the control {}: p-values, unadjusted and adjusted (* significant at {})\n\
         {:width$}  {:>7}  {:>10}  {:>10}  {:>10}  {:>10}",
        comparison.algorithms[*control],
        comparison.alpha,
        "",
        "z",
        "unadjusted",
        "Bonf.-Dunn",
        "Holm",
        "Hochberg"
    );
    let cell = |p: f64| marked(p, comparison.alpha);
    for row in rows {
        let _ = writeln!(
            text,
            "{:width$}  {:7.3}  {:>10}  {:>10}  {:>10}  {:>10}  {}",
            comparison.algorithms[row.algorithm],
            row.z,
            p_value(row.p),
            cell(row.bonferroni_dunn),
            cell(row.holm),
            cell(row.hochberg),
            if row.z > 0.0 {
                "better"
            } else if row.z < 0.0 {
                "worse"
            } else {
                "equal"
            },
        );
    }
}

fn marked(p: f64, alpha: f64) -> String {
    format!("{}{}", p_value(p), if p < alpha { "*" } else { " " })
}

/// Four places, or three figures where those would hide the value; what is too small for a number is not nothing.
pub(super) fn p_value(p: f64) -> String {
    if p <= 0.0 {
        "<1e-300".to_owned()
    } else if p < 0.001 {
        format!("{p:.2e}")
    } else {
        format!("{p:.4}")
    }
}
