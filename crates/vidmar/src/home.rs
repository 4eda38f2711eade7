//! Where runs are kept if nothing is said: one folder below the current one. Tuning runs and matches are written there,
//! `vidmar runs` lists it and `vidmar web` shows it.

use std::path::{Path, PathBuf};

/// The folder.
pub(crate) const RUNS: &str = "runs";

/// The most runs of one name.
const MOST: usize = 10_000;

/// The store of a new match in the folder: `match-NEW-OLD.db` for two players, or the first of `match-NEW-OLD-2.db`, … that
/// is not there yet; none where ten thousand are.
pub(crate) fn free_store<'n>(players: impl ExactSizeIterator<Item = &'n str>) -> Option<PathBuf> {
    let name = match players.len() {
        2 => players.map(plain).collect::<Vec<String>>().join("-"),
        several => format!("{several}-players"),
    };
    let files = (1..MOST).map(|number| match number {
        1 => format!("match-{name}.db"),
        number => format!("match-{name}-{number}.db"),
    });
    files
        .map(|file| Path::new(RUNS).join(file))
        .find(|path| !path.exists())
}

/// A name as a part of a file's: letters and digits, and a dash for whatever is between them.
fn plain(name: &str) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if letter.is_alphanumeric() || matches!(letter, '.' | '_') {
            text.push(letter);
        } else if !text.ends_with('-') && !text.is_empty() {
            text.push('-');
        }
        if text.chars().count() >= LONGEST {
            break;
        }
    }
    let text = text.trim_matches(['-', '.']);
    if text.is_empty() {
        "x".to_owned()
    } else {
        text.to_owned()
    }
}

/// The most letters of a player's name.
const LONGEST: usize = 24;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_players_make_names_of_files() {
        for (name, file) in [
            ("new", "new"),
            ("engine:depth=6,eval=default", "engine-depth-6-eval-defa"),
            ("../../etc", "etc"),
            ("Stockfish 15.1", "Stockfish-15.1"),
            (":", "x"),
            ("Bücher/", "Bücher"),
        ] {
            assert_eq!(plain(name), file);
        }
        let two = free_store(["a", "b"].into_iter()).expect("a name");
        assert_eq!(two, Path::new("runs/match-a-b.db"));
        let four = free_store(["a", "b", "c", "d"].into_iter()).expect("a name");
        assert_eq!(four, Path::new("runs/match-4-players.db"));
    }
}
