//! The report as Markdown.

use std::fmt::Write as _;

use vidmar_text::duration;

use super::{RULE, Report, Section, cells, headings};

pub(super) fn text(report: &Report, pictures: &str) -> String {
    let mut text = String::from("# The published experiments, repeated\n\n");
    let _ = writeln!(
        text,
        "Written by `vidmar reproduce report DIR` ([how to](reproduce.md)); bench signature {}. {RULE}\n",
        report.signature
    );
    text.push_str("## summary\n\n");
    text.push_str("| experiment | what was claimed | what we found | steps | processor time |\n");
    text.push_str("| --- | --- | --- | --: | --: |\n");
    for section in &report.sections {
        let name = section.experiment.name;
        let _ = writeln!(
            text,
            "| [{name}](#{name}) [{}](sources.md) | {} | {} | {} of {} | {} |",
            section.experiment.source,
            section.experiment.claim,
            section.found().replace('|', "\\|"),
            section.steps.0,
            section.steps.1,
            if section.taken.1 > 0.0 {
                duration(section.taken.1)
            } else {
                String::new()
            },
        );
    }
    for section in &report.sections {
        text.push('\n');
        write_section(&mut text, section, pictures);
    }
    text
}

fn write_section(text: &mut String, section: &Section, pictures: &str) {
    let experiment = section.experiment;
    let _ = writeln!(
        text,
        "## {}\n\n{} ([{}](sources.md)). Claimed: {}.\n",
        experiment.name, experiment.what, experiment.source, experiment.claim
    );
    match &section.plan {
        Some(plan) => {
            let _ = writeln!(
                text,
                "`vidmar reproduce {} {plan}`: {} of {} steps finished.\n",
                experiment.name, section.steps.0, section.steps.1
            );
        }
        None => text.push_str("Not run yet.\n\n"),
    }
    for note in &section.notes {
        let _ = writeln!(text, "{note}\n");
    }
    for table in &section.tables {
        let _ = writeln!(text, "**{}**\n", table.title);
        row(text, &headings(table));
        text.push_str("| --- | --: | --: | --: | --: | --: | --- |\n");
        for comparison in &table.rows {
            row(text, &cells(table, comparison));
        }
        text.push('\n');
    }
    for list in &section.lists {
        let _ = writeln!(text, "**{}**\n", list.title);
        row(text, &list.columns);
        let rules: Vec<&str> = (0..list.columns.len())
            .map(|column| if column == 0 { "---" } else { "--:" })
            .collect();
        let _ = writeln!(text, "| {} |", rules.join(" | "));
        for cells in &list.rows {
            row(text, cells);
        }
        text.push('\n');
    }
    for (name, title, _) in &section.pictures {
        let _ = writeln!(text, "![{title}]({pictures}/{}-{name}.svg)\n", experiment.name);
    }
    if !experiment.readings.is_empty() {
        text.push_str("| open | read as | the other reading |\n| --- | --- | --- |\n");
        for reading in experiment.readings {
            row(
                text,
                &[reading.open, reading.ours, reading.other].map(str::to_owned),
            );
        }
        text.push('\n');
    }
    if !section.commands.is_empty() {
        text.push_str("By hand, the first and the last step:\n\n");
        for command in &section.commands {
            let _ = writeln!(text, "    {command}");
        }
    }
}

fn row(text: &mut String, cells: &[String]) {
    let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
    let _ = writeln!(text, "| {} |", cells.join(" | "));
}
