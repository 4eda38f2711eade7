//! The report as a LaTeX document: it compiles as it is, and its tables can be taken into a paper.

use std::fmt::Write as _;

use super::{Report, Section, cells, headings};

/// Wide tables: landscape; long ones: `longtable`. All of this comes with every LaTeX but booktabs, which is in every larger one.
const PREAMBLE: &str = r"\documentclass[10pt]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage{booktabs,longtable}
\setlength{\tabcolsep}{4pt}
\setlength{\parindent}{0pt}
\title{The published experiments, repeated}
\date{}
\begin{document}
\maketitle
";

/// Words of the first and the last column are broken into lines.
const COMPARED: &str = r"p{.28\linewidth}rrrrrp{.24\linewidth}";

pub(super) fn text(report: &Report) -> String {
    let mut text = String::from(PREAMBLE);
    let _ = writeln!(
        text,
        "Bench signature {}. {}\n",
        report.signature,
        escaped(&super::RULE.replace('*', ""))
    );
    begin(
        &mut text,
        "Summary",
        r"lp{.38\linewidth}p{.45\linewidth}",
        &["experiment", "what was claimed", "what we found"].map(str::to_owned),
    );
    for section in &report.sections {
        let experiment = section.experiment;
        row(
            &mut text,
            &[experiment.name, experiment.claim, section.found().as_str()].map(str::to_owned),
        );
    }
    end(&mut text);
    for section in &report.sections {
        write_section(&mut text, section);
    }
    text.push_str("\\end{document}\n");
    text
}

fn write_section(text: &mut String, section: &Section) {
    let experiment = section.experiment;
    let _ = writeln!(
        text,
        "\n\\section*{{{}}}\n{} ({}). Claimed: {}. {} of {} steps finished.",
        escaped(experiment.name),
        escaped(experiment.what),
        escaped(experiment.source),
        escaped(experiment.claim),
        section.steps.0,
        section.steps.1
    );
    for note in &section.notes {
        let _ = writeln!(text, "\n{}", escaped(note));
    }
    for table in &section.tables {
        begin(text, &table.title, COMPARED, &headings(table));
        for comparison in &table.rows {
            row(text, &cells(table, comparison));
        }
        end(text);
    }
    for list in &section.lists {
        let numbers = "r".repeat(list.columns.len().saturating_sub(1));
        begin(
            text,
            &list.title,
            &format!(r"p{{.35\linewidth}}{numbers}"),
            &list.columns,
        );
        for cells in &list.rows {
            row(text, cells);
        }
        end(text);
    }
    if !experiment.readings.is_empty() {
        begin(
            text,
            "Passages that can be read in more than one way",
            r"p{.32\linewidth}p{.32\linewidth}p{.28\linewidth}",
            &["open", "read as", "the other reading"].map(str::to_owned),
        );
        for reading in experiment.readings {
            row(
                text,
                &[reading.open, reading.ours, reading.other].map(str::to_owned),
            );
        }
        end(text);
    }
}

fn begin(text: &mut String, title: &str, columns: &str, headings: &[String]) {
    let _ = writeln!(
        text,
        "\n\\medskip\\textbf{{{}}}\n\n{{\\footnotesize\n\\begin{{longtable}}[l]{{{columns}}}\n\\toprule",
        escaped(title)
    );
    row(text, headings);
    text.push_str("\\midrule\\endhead\n");
}

fn end(text: &mut String) {
    text.push_str("\\bottomrule\n\\end{longtable}\n}\n");
}

fn row(text: &mut String, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
    // Braces: a bracket after the end of a row would be read as its argument.
    let _ = writeln!(text, "{{}}{} \\\\", cells.join(" & "));
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
            '`' => text.push('\''),
            '"' => text.push_str("\\textquotedbl{}"),
            '−' => text.push_str("$-$"),
            '∞' => text.push_str("$\\infty$"),
            '±' => text.push_str("$\\pm$"),
            '√' => text.push_str("$\\surd$"),
            '²' => text.push_str("$^2$"),
            '≤' => text.push_str("$\\le$"),
            '≥' => text.push_str("$\\ge$"),
            '×' => text.push_str("$\\times$"),
            '…' => text.push_str("\\dots{}"),
            '→' => text.push_str("$\\to$"),
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
