//! The user's leave to start programs, and to write files, that a file names: the store of a match, the directory of a tuning
//! run, a configuration. Such a file may be somebody else's, and to go on with it must not run what stands in it unseen.

use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::path::Path;

use anyhow::bail;
use vidmar_players::PlayerSpec;

use crate::output;

/// The flag that gives leave without a question.
pub(crate) const FLAG: &str = "--allow-programs";

/// Before a program.
const STARTS: &str = "starts ";

/// What a file asks for, a line each.
#[derive(Default)]
pub(crate) struct Wanted(Vec<String>);

impl Wanted {
    /// The programs among these players.
    pub(crate) fn programs<'p>(players: impl IntoIterator<Item = &'p PlayerSpec>) -> Wanted {
        let programs = players
            .into_iter()
            .filter(|player| player.player_type().is_program());
        let mut lines: Vec<String> = programs.map(|player| format!("{STARTS}{player}")).collect();
        lines.dedup();
        Wanted(lines)
    }

    /// A file that is written as well. One with the usual ending is what anybody expects; any other may be a file of another
    /// kind, to which games would be appended.
    pub(crate) fn file(mut self, file: Option<&Path>, ending: &str) -> Wanted {
        let unusual = file.filter(|file| file.extension().is_none_or(|own| own != ending));
        self.0
            .extend(unusual.map(|file| format!("writes {}", file.display())));
        self
    }

    /// Without those whose program the user named on the command line.
    pub(crate) fn but_named(mut self, words: &[String]) -> Wanted {
        let program = |line: &str| -> Option<String> {
            let spec: PlayerSpec = line.strip_prefix(STARTS)?.parse().ok()?;
            Some(spec.chosen("cmd")?.to_string())
        };
        let is_of_path = |c: char| c.is_alphanumeric() || "/\\._-+~".contains(c);
        let is_named = |program: &String| {
            let mut words = words.iter();
            words.any(|word| word.split(|c| !is_of_path(c)).any(|part| part == program))
        };
        self.0
            .retain(|line| !program(line).as_ref().is_some_and(is_named));
        self
    }

    /// Lets it be if the user agrees: by the flag, or to a question where there is a terminal. Otherwise an error that says
    /// what the file asks for.
    pub(crate) fn ask(&self, origin: &str, is_allowed: bool) -> anyhow::Result<()> {
        if self.0.is_empty() || is_allowed {
            return Ok(());
        }
        let list = self.0.join("\n  ");
        if !(io::stdin().is_terminal() && io::stderr().is_terminal()) {
            bail!("{origin} asks for more than games:\n  {list}\nif you trust it, add {FLAG}");
        }
        output::hint(&format!("{origin} asks for more than games; it\n  {list}"));
        let _ = write!(io::stderr(), "Do you allow that? [y/N] ");
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if !matches!(answer.trim(), "y" | "Y" | "yes") {
            bail!("not allowed: nothing was started");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_user_named_is_not_asked_for() {
        let players: Vec<PlayerSpec> = [
            "random",
            "uci:cmd=/opt/sf,option.Hash=1",
            "engine:depth=1",
            "uci:cmd=sf",
        ]
        .iter()
        .map(|text| text.parse().expect("a player"))
        .collect();
        let lines = |words: &[&str]| {
            let words: Vec<String> = words.iter().map(|&word| word.to_owned()).collect();
            Wanted::programs(&players).but_named(&words).0
        };
        assert_eq!(
            lines(&[]),
            ["starts uci:cmd=/opt/sf,option.Hash=1", "starts uci:cmd=sf"]
        );
        assert_eq!(lines(&["engine.command=/opt/sf"]), ["starts uci:cmd=sf"]);
        assert_eq!(
            lines(&["engine.command=sf -x"]),
            ["starts uci:cmd=/opt/sf,option.Hash=1"]
        );
        assert_eq!(lines(&["engine.command=sfx"]).len(), 2);
    }

    #[test]
    fn files_with_other_endings_are_asked_for() {
        let wanted = Wanted::default()
            .file(Some(Path::new("a/b.pgn")), "pgn")
            .file(None, "pgn")
            .file(Some(Path::new("/home/me/.profile")), "epd");
        assert_eq!(wanted.0, ["writes /home/me/.profile"]);
        assert!(wanted.ask("here", true).is_ok());
    }
}
