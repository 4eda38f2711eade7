//! The tables of the report for a paper.

use std::fmt::Write as _;

use super::{Report, cells, headings};

pub(super) fn text(report: &Report) -> String {
    let mut text = String::from("% \\usepackage{booktabs}\n");
    for section in &report.sections {
        let _ = writeln!(text, "\n% {}", section.sentence().replace('\n', " "));
        for table in &section.tables {
            begin(&mut text, "lrrrrrl", &headings(table));
            for comparison in &table.rows {
                row(&mut text, &cells(table, comparison));
            }
            end(
                &mut text,
                &format!("{}: {}", section.experiment.name, table.title),
            );
        }
        for list in &section.lists {
            begin(
                &mut text,
                &format!("l{}", "r".repeat(list.columns.len().saturating_sub(1))),
                &list.columns,
            );
            for cells in &list.rows {
                row(&mut text, cells);
            }
            end(&mut text, &format!("{}: {}", section.experiment.name, list.title));
        }
    }
    text
}

fn begin(text: &mut String, columns: &str, headings: &[String]) {
    let _ = writeln!(
        text,
        "\\begin{{table}}\n\\centering\n\\begin{{tabular}}{{{columns}}}\n\\toprule"
    );
    row(text, headings);
    text.push_str("\\midrule\n");
}

fn end(text: &mut String, title: &str) {
    let _ = writeln!(
        text,
        "\\bottomrule\n\\end{{tabular}}\n\\caption{{{}}}\n\\end{{table}}",
        escaped(title)
    );
}

fn row(text: &mut String, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
    let _ = writeln!(text, "{} \\\\", cells.join(" & "));
}

fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                text.push('\\');
                text.push(c);
            }
            '\\' => text.push_str("\\textbackslash{}"),
            '^' => text.push_str("\\^{}"),
            '~' => text.push_str("\\~{}"),
            '−' => text.push_str("$-$"),
            '∞' => text.push_str("$\\infty$"),
            '±' => text.push_str("$\\pm$"),
            '√' => text.push_str("$\\sqrt{}$"),
            '<' | '>' => {
                text.push('$');
                text.push(c);
                text.push('$');
            }
            other => text.push(other),
        }
    }
    text
}
