//! The reference of players and their settings, written from the table: `docs/players.md`.

use std::fmt::Write as _;

use vidmar_engine::settings::{Kind, Role, Setting, Unset, Wanted};

use crate::move_limits::limit_settings;
use crate::spec::PlayerSpec;
use crate::table::{Limited, PLAYER_TYPES, PlayerType, Scores};

/// Where the repository keeps it, from its root.
pub const FILE: &str = "docs/players.md";

/// The whole page, in Markdown.
pub fn markdown() -> String {
    let mut text = String::from(BEGINNING);
    for player in PLAYER_TYPES {
        // Writing to a text cannot fail.
        let _ = describe(&mut text, player);
    }
    text.push_str("\n## Every player but those that answer at once\n\n");
    let _ = table(&mut text, limit_settings().iter());
    text.push_str("| `name` | | a text | | what any player is called |\n");
    text
}

const BEGINNING: &str = "\
# Players

Written from the table of players by `VIDMAR_WRITE_DOCS=1 cargo test -p vidmar-players reference`; a test fails when it is stale.

A player is given as `TYPE` or `TYPE:KEY=VALUE,KEY=VALUE`: to `vidmar move --player`, as `player=` in `vidmar match`, in the
configuration of a tuning run. A part without `=` goes on with the value before it (`ordering=table,killers`); `\\,` is a comma
that parts nothing. Settings with a UCI option can also be set by its name, `option.NAME=VALUE`. In the UCI engine the option
`Player` chooses who thinks; options of players other than the first have its key before them: `Evolve Genes`.

The UCI option `Algorithm` puts a search of the laboratory into the engine's place. It shares `Hash`, `Threads` and `ParallelSearch`;
`OwnBook`, `BookFile` and its kin, `BasesPath`, `SyzygyPath` (at the root) and `UCI_AnalyseMode` hold for every player; the engine's other
options are refused with an `info string` that names them, as is `Board` without an algorithm that plays on it. What was set and has no
effect on another player that was chosen, or without what it belongs to (`OwnBook` without `BookFile`), is named by an `info string` before it
thinks. In a specification it is refused. A player without
what it must be given (`cbr` without cases, `book` without a book) says so and answers `go` with `bestmove 0000`, the protocol's null
move, which no graphical interface can take for a move.
";

fn describe(text: &mut String, player: &'static PlayerType) -> std::fmt::Result {
    writeln!(
        text,
        "\n## `{}`\n\n{}: {}.\n",
        player.key, player.label, player.help
    )?;
    let scores = match player.scores {
        Scores::Centipawns => "Its scores are in hundredths of a pawn.",
        Scores::None => "It has no score.",
    };
    let repeats = if (player.unrepeatable)(&PlayerSpec::new(player)).is_none() {
        "The same seed gives the same game."
    } else {
        "Games may differ from one time to the next."
    };
    let limits = match player.limits {
        Limited::Always => "",
        Limited::Never => " It answers at once, and limits of a move have no effect.",
        Limited::By(_) => " Whether it needs a limit, or has a use for one, depends on its settings.",
    };
    writeln!(text, "{scores} {repeats}{limits}\n")?;
    let rows = (player.settings)().iter().filter(|row| row.role != Role::Tuning);
    table(text, rows)?;
    let numbers = (player.settings)()
        .iter()
        .filter(|row| row.role == Role::Tuning)
        .count();
    if numbers > 0 {
        writeln!(
            text,
            "\n{numbers} more are numbers for tuners: `vidmar uci --parameters` lists them."
        )?;
    }
    if player.is_program() {
        writeln!(text, "\n`option.NAME=VALUE` sets what the engine offers itself.")?;
    }
    Ok(())
}

fn table<'s>(text: &mut String, rows: impl Iterator<Item = &'s Setting>) -> std::fmt::Result {
    text.push_str("| key | UCI option | values | unless set | meaning |\n| --- | --- | --- | --- | --- |\n");
    for row in rows {
        let key = if matches!(row.kind, Kind::Button) {
            String::new()
        } else {
            format!("`{}`", row.key)
        };
        let uci = if row.uci.is_empty() {
            String::new()
        } else {
            format!("`{}`", row.uci)
        };
        let values = row.kind.expected();
        writeln!(
            text,
            "| {key} | {uci} | {values} | {} | {}{} |",
            unless_set(row),
            row.help,
            belongs(row)
        )?;
    }
    Ok(())
}

/// To what a setting belongs, without which it has no effect.
fn belongs(row: &Setting) -> String {
    row.needs.map_or_else(String::new, |needs| match needs.wanted {
        Wanted::Given => format!("; only with `{}`", needs.key),
        Wanted::Not(word) => format!("; not with `{}={word}`", needs.key),
        Wanted::Switched(true) => format!("; only with `{}=on`", needs.key),
        Wanted::Switched(false) => format!("; not with `{}=on`", needs.key),
        Wanted::Above(number) => format!("; only with `{}` above {number}", needs.key),
    })
}

fn unless_set(row: &Setting) -> String {
    match row.unset {
        Unset::Default => match (&row.kind, row.default_value()) {
            (Kind::Vector { names, .. }, _) => {
                names.first().map_or_else(String::new, |name| format!("`{name}`"))
            }
            (_, Some(value)) if !value.to_string().is_empty() => format!("`{value}`"),
            _ => String::new(),
        },
        Unset::Preset(key) => format!("as `{key}` says"),
        Unset::Nothing | Unset::Switch(_) => "off".to_owned(),
        Unset::Required(_) => "must be set".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reference_is_that_of_the_table() {
        let path = std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join(FILE);
        let wanted = markdown();
        if std::env::var_os("VIDMAR_WRITE_DOCS").is_some() {
            std::fs::write(&path, &wanted).expect("writable");
        }
        let found = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            found == wanted,
            "{FILE} is stale: run VIDMAR_WRITE_DOCS=1 cargo test -p vidmar-players reference"
        );
        for player in PLAYER_TYPES {
            assert!(found.contains(&format!("## `{}`", player.key)));
            for row in player.all_settings().filter(|row| row.role != Role::Tuning) {
                assert!(found.contains(row.help), "{}: {}", player.key, row.key);
            }
        }
    }
}
