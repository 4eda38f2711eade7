//! The report as one HTML page with its pictures in it.

use std::fmt::Write as _;

use super::{RULE, Report, Section, cells, headings};

const STYLE: &str = "body{font-family:sans-serif;max-width:70em;margin:2em auto;padding:0 1em;line-height:1.4}\
table{border-collapse:collapse;margin:1em 0}td,th{border-bottom:1px solid #ccc;padding:.2em .6em;text-align:right}\
td:first-child,th:first-child,td:last-child,th:last-child{text-align:left}svg{max-width:100%;height:auto}pre{overflow-x:auto}.words td{text-align:left;vertical-align:top}";

pub(super) fn text(report: &Report) -> String {
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>The published experiments, repeated</title><style>{STYLE}</style></head><body>\n\
         <h1>The published experiments, repeated</h1>\n<p>Bench signature {}. {}</p>\n<h2>Summary</h2>\n<table class=\"words\">\n",
        report.signature,
        escaped(&RULE.replace('*', ""))
    );
    let headings = ["experiment", "what was claimed", "what we found"];
    row(&mut text, "th", &headings.map(str::to_owned));
    for section in &report.sections {
        let name = section.experiment.name;
        let _ = writeln!(
            text,
            "<tr><td><a href=\"#{name}\">{name}</a></td><td>{}</td><td>{}</td></tr>",
            escaped(section.experiment.claim),
            escaped(&section.found())
        );
    }
    text.push_str("</table>\n");
    for section in &report.sections {
        write_section(&mut text, section);
    }
    text.push_str("</body></html>\n");
    text
}

fn write_section(text: &mut String, section: &Section) {
    let experiment = section.experiment;
    let _ = writeln!(
        text,
        "<h2 id=\"{0}\">{0}</h2>\n<p>{1} [{2}]. Claimed: {3}. {4} of {5} steps finished.</p>",
        experiment.name,
        escaped(experiment.what),
        experiment.source,
        escaped(experiment.claim),
        section.steps.0,
        section.steps.1
    );
    if let Some(plan) = &section.plan {
        let _ = writeln!(
            text,
            "<pre>{}</pre>",
            escaped(&format!("vidmar reproduce {} {plan}", experiment.name))
        );
    }
    for note in &section.notes {
        let _ = writeln!(text, "<p>{}</p>", with_code(note));
    }
    for table in &section.tables {
        let _ = writeln!(text, "<h3>{}</h3>\n<table>", escaped(&table.title));
        row(text, "th", &headings(table));
        for comparison in &table.rows {
            row(text, "td", &cells(table, comparison));
        }
        text.push_str("</table>\n");
    }
    for list in &section.lists {
        let _ = writeln!(text, "<h3>{}</h3>\n<table>", escaped(&list.title));
        row(text, "th", &list.columns);
        for cells in &list.rows {
            row(text, "td", cells);
        }
        text.push_str("</table>\n");
    }
    for (_, title, svg) in &section.pictures {
        let _ = writeln!(
            text,
            "<figure>{svg}<figcaption>{}</figcaption></figure>",
            escaped(title)
        );
    }
    if !experiment.readings.is_empty() {
        text.push_str("<h3>Passages that can be read in more than one way</h3>\n<table class=\"words\">\n");
        row(
            text,
            "th",
            &["open", "read as", "the other reading"].map(str::to_owned),
        );
        for reading in experiment.readings {
            row(
                text,
                "td",
                &[reading.open, reading.ours, reading.other].map(str::to_owned),
            );
        }
        text.push_str("</table>\n");
    }
    if !section.commands.is_empty() {
        let commands = escaped(&section.commands.join("\n"));
        let _ = writeln!(
            text,
            "<h3>By hand, the first and the last step</h3>\n<pre>{commands}</pre>"
        );
    }
}

fn row(text: &mut String, cell: &str, cells: &[String]) {
    let cells: Vec<String> = cells
        .iter()
        .map(|words| format!("<{cell}>{}</{cell}>", with_code(words)))
        .collect();
    let _ = writeln!(text, "<tr>{}</tr>", cells.concat());
}

fn escaped(words: &str) -> String {
    words
        .replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// The same with what stands between backticks as code.
fn with_code(words: &str) -> String {
    let mut text = String::new();
    for (index, part) in escaped(words).split('`').enumerate() {
        match index % 2 {
            0 => text.push_str(part),
            _ => {
                let _ = write!(text, "<code>{part}</code>");
            }
        }
    }
    text
}
