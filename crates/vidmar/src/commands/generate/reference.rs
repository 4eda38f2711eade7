//! Every command with its arguments as a page of the book, from the same table as `--help`.

use std::fmt::Write as _;

use clap::{Arg, Command};

use crate::commands::matches;

/// The page, in Markdown.
pub(super) fn markdown(mut whole: Command) -> String {
    whole.build();
    let mut text = String::from(
        "# Commands and options\n\nWritten by `vidmar generate reference`. Every command has `--help`; without a command, `vidmar` is a UCI engine.\n",
    );
    for command in whole.get_subcommands() {
        walk(command, "vidmar", &mut text);
    }
    text
}

fn walk(command: &Command, path: &str, text: &mut String) {
    // Its arguments are the names of the others.
    if command.get_name() == "help" {
        return;
    }
    let path = format!("{path} {}", command.get_name());
    for below in command.get_subcommands() {
        walk(below, &path, text);
    }
    // It does nothing by itself.
    if command.is_subcommand_required_set() {
        return;
    }
    let about = command.get_long_about().or(command.get_about());
    let about = about.map(ToString::to_string).unwrap_or_default();
    let _ = writeln!(text, "\n## {path}\n\n{}", sentence(&about));
    if path == "vidmar match" {
        // Its arguments are those of other match runners, in a table of their own.
        let _ = writeln!(text, "\n```text\n{}```", matches::help_text());
        return;
    }
    let is_own = |argument: &&Arg| !matches!(argument.get_id().as_str(), "help" | "version");
    let shown = command.get_arguments().filter(|argument| !argument.is_hide_set());
    let rows: Vec<(String, String)> = shown.filter(is_own).map(row).collect();
    if !rows.is_empty() {
        text.push_str("\n| argument | |\n| --- | --- |\n");
    }
    for (name, help) in rows {
        let _ = writeln!(text, "| `{}` | {} |", cell(&name), cell(&help));
    }
    if let Some(examples) = command.get_after_help() {
        let _ = writeln!(text, "\n```text\n{}\n```", examples.to_string().trim_end());
    }
}

/// An argument as it is written, and what it does.
fn row(argument: &Arg) -> (String, String) {
    let values: Vec<String> = argument
        .get_value_names()
        .unwrap_or_default()
        .iter()
        .map(|name| format!(" {name}"))
        .collect();
    let values = if argument.get_action().takes_values() {
        values.concat()
    } else {
        String::new()
    };
    let name = match (argument.get_long(), argument.get_short()) {
        (Some(long), Some(short)) => format!("-{short}, --{long}{values}"),
        (Some(long), None) => format!("--{long}{values}"),
        (None, Some(short)) => format!("-{short}{values}"),
        (None, None) => values.trim().to_owned(),
    };
    let mut help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let names: Vec<String> = argument
        .get_possible_values()
        .iter()
        .map(|value| value.get_name().to_owned())
        .collect();
    if !names.is_empty() && argument.get_action().takes_values() {
        let _ = write!(help, "; one of {}", names.join(", "));
    }
    let default: Vec<String> = argument
        .get_default_values()
        .iter()
        .map(|value| value.to_string_lossy().into_owned())
        .collect();
    if !default.is_empty() && argument.get_action().takes_values() && !argument.is_hide_default_value_set() {
        let _ = write!(help, " [default: {}]", default.join(" "));
    }
    (name, help)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

/// Ended as one; the first line of a command's help is not.
fn sentence(about: &str) -> String {
    let (first, rest) = about.split_once('\n').unwrap_or((about, ""));
    let mut text = format!("{}.", first.trim_end_matches('.'));
    if !rest.trim().is_empty() {
        let _ = write!(text, "\n{rest}");
    }
    text
}
