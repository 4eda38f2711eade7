//! The comparison as LaTeX tables for a paper: `\usepackage{booktabs}`.

use std::fmt::Write as _;

use vidmar_rating::stats::Comparison;

use super::{Compared, best_first};

pub(super) fn render(compared: &[Compared]) -> String {
    let mut text = String::new();
    for (index, one) in compared.iter().enumerate() {
        let of = Of {
            name: match &one.name[..] {
                "" => String::new(),
                name => format!(" With {}.", escaped(name)),
            },
            number: match compared.len() {
                1 => String::new(),
                _ => format!("-{}", index + 1),
            },
        };
        ranks(&mut text, &of, &one.comparison);
        pairs(&mut text, &of, &one.comparison);
        control(&mut text, &of, &one.comparison);
    }
    text
}

/// Of which condition a table is.
struct Of {
    /// A sentence for its caption, or nothing.
    name: String,
    /// What its label ends with, or nothing.
    number: String,
}

fn ranks(text: &mut String, of: &Of, comparison: &Comparison) {
    let Comparison {
        alpha,
        friedman,
        iman_davenport,
        critical_difference,
        rows,
        ..
    } = comparison;
    let f = if iman_davenport.f.is_finite() {
        format!("{:.3}", iman_davenport.f)
    } else {
        r"\infty".to_owned()
    };
    let caption = format!(
        "Mean ranks over {rows} problems. Friedman: $\\chi^2_{{{}}} = {:.3}$, $p = {}$; Iman--Davenport: \
         $F_{{{},{}}} = {f}$, $p = {}$. Critical difference at {alpha}: {:.3} (Nemenyi), {:.3} (Bonferroni--Dunn).",
        friedman.df,
        friedman.chi2,
        p_value(friedman.p),
        iman_davenport.df.0,
        iman_davenport.df.1,
        p_value(iman_davenport.p),
        critical_difference.nemenyi,
        critical_difference.bonferroni_dunn,
    );
    open(text, of, &caption, "ranks", "lr", "Algorithm & Mean rank");
    for index in best_first(comparison) {
        let name = escaped(&comparison.algorithms[index]);
        let _ = writeln!(text, "    {name} & {:.3} \\\\", comparison.ranks[index]);
    }
    close(text);
}

fn pairs(text: &mut String, of: &Of, comparison: &Comparison) {
    let caption = format!(
        "Unadjusted and adjusted $p$-values of all pairs; the first of a pair has the better mean rank. Bold: \
         significant at {}.",
        comparison.alpha
    );
    let head = "Pair & Unadjusted & Nemenyi & Holm & Shaffer & Bergmann--Hommel";
    open(text, of, &caption, "pairs", "lrrrrr", head);
    let cell = |p: f64| significant(p, comparison.alpha);
    for pair in &comparison.pairs {
        let _ = writeln!(
            text,
            "    {} vs.\\ {} & ${}$ & {} & {} & {} & {} \\\\",
            escaped(&comparison.algorithms[pair.a]),
            escaped(&comparison.algorithms[pair.b]),
            p_value(pair.p),
            cell(pair.nemenyi),
            cell(pair.holm),
            cell(pair.shaffer),
            pair.bergmann_hommel.map_or("--".to_owned(), cell),
        );
    }
    close(text);
}

fn control(text: &mut String, of: &Of, comparison: &Comparison) {
    let Some((control, rows)) = &comparison.control else {
        return;
    };
    let caption = format!(
        "Unadjusted and adjusted $p$-values against the control {}. Bold: significant at {}.",
        escaped(&comparison.algorithms[*control]),
        comparison.alpha
    );
    open(
        text,
        of,
        &caption,
        "control",
        "lrrrr",
        "Algorithm & Unadjusted & Bonferroni--Dunn & Holm & Hochberg",
    );
    let cell = |p: f64| significant(p, comparison.alpha);
    for row in rows {
        let _ = writeln!(
            text,
            "    {} & ${}$ & {} & {} & {} \\\\",
            escaped(&comparison.algorithms[row.algorithm]),
            p_value(row.p),
            cell(row.bonferroni_dunn),
            cell(row.holm),
            cell(row.hochberg),
        );
    }
    close(text);
}

fn open(text: &mut String, of: &Of, caption: &str, label: &str, columns: &str, head: &str) {
    let Of { name, number } = of;
    let _ = writeln!(
        text,
        "\\begin{{table}}\n  \\centering\n  \\caption{{{caption}{name}}}\n  \\label{{tab:{label}{number}}}\n  \
         \\begin{{tabular}}{{{columns}}}\n    \\toprule\n    {head} \\\\\n    \\midrule"
    );
}

fn close(text: &mut String) {
    text.push_str("    \\bottomrule\n  \\end{tabular}\n\\end{table}\n");
}

fn significant(p: f64, alpha: f64) -> String {
    if p < alpha {
        format!("$\\mathbf{{{}}}$", p_value(p))
    } else {
        format!("${}$", p_value(p))
    }
}

/// Four places, or a power of ten where those would hide the value; for use in mathematics.
fn p_value(p: f64) -> String {
    if p >= 0.001 {
        return format!("{p:.4}");
    }
    if p <= 0.0 {
        return "<10^{-300}".to_owned();
    }
    let plain = format!("{p:.2e}");
    let (mantissa, exponent) = plain.split_once('e').unwrap_or((&plain, "0"));
    format!("{mantissa} \\cdot 10^{{{exponent}}}")
}

fn escaped(name: &str) -> String {
    let mut text = String::with_capacity(name.len());
    for letter in name.chars() {
        match letter {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                text.push('\\');
                text.push(letter);
            }
            '\\' => text.push_str("\\textbackslash{}"),
            '~' => text.push_str("\\textasciitilde{}"),
            '^' => text.push_str("\\textasciicircum{}"),
            other => text.push(other),
        }
    }
    text
}
