//! Tablebases that end games.
//!
//! A tablebase knows the result of perfect play from a position on, but a game also has a past: moves since the last capture
//! or pawn move. So it is asked only where there are none of those, which is where a game enters an ending; unless the
//! 50-move rule is to be left aside.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use thiserror::Error;
use vidmar_chess::Position;
use vidmar_tablebases::{Library, Syzygy, Tablebases, Wdl};

/// Somebody who knows how positions end.
pub trait TablebaseProbe: Send + Sync {
    /// The result of perfect play for the side to move, if it is known and to be believed.
    fn probe(&self, position: &Position) -> Option<Wdl>;
}

/// Which tablebases end games, and where they are believed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TablebaseRule {
    /// Folders as in `PATH`, with Syzygy tables or tablebases of our own; empty for those built in.
    pub folders: String,
    /// Only with so many pieces or fewer.
    pub pieces: Option<u32>,
    /// As if there were no 50-move rule.
    pub ignores_fifty_moves: bool,
    /// Whether wins and losses end games.
    pub wins: bool,
    /// Whether draws do.
    pub draws: bool,
}

/// Neither Syzygy tables nor tablebases of our own are there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct TablebaseError {
    /// Where they were looked for.
    pub folders: String,
    /// What was found.
    pub reason: String,
}

impl Default for TablebaseRule {
    fn default() -> TablebaseRule {
        TablebaseRule {
            folders: String::new(),
            pieces: None,
            ignores_fifty_moves: false,
            wins: true,
            draws: true,
        }
    }
}

impl TablebaseRule {
    /// The tablebases of some folders, believed wherever the 50-move rule allows it.
    pub fn of_folders(folders: impl Into<String>) -> TablebaseRule {
        TablebaseRule {
            folders: folders.into(),
            ..TablebaseRule::default()
        }
    }

    /// Opens them.
    pub fn open(&self) -> Result<RuledTablebases, TablebaseError> {
        let tablebases = if self.folders.is_empty() {
            Tablebases::built_in()
        } else {
            let folders = &self.folders;
            let own =
                std::env::split_paths(folders).find_map(|folder| Library::open(Path::new(&folder)).ok());
            match (Syzygy::open(folders), own) {
                (Ok(syzygy), own) => Tablebases::new(own.unwrap_or_else(Library::built_in), Some(syzygy)),
                (Err(_), Some(own)) => Tablebases::new(own, None),
                (Err(error), None) => {
                    return Err(TablebaseError {
                        folders: folders.clone(),
                        reason: error.to_string(),
                    });
                }
            }
        };
        Ok(RuledTablebases {
            tablebases,
            rule: self.clone(),
        })
    }
}

/// Tablebases that are open, and where they are believed.
#[derive(Debug)]
pub struct RuledTablebases {
    tablebases: Tablebases,
    rule: TablebaseRule,
}

impl TablebaseProbe for RuledTablebases {
    fn probe(&self, position: &Position) -> Option<Wdl> {
        let rule = &self.rule;
        if rule
            .pieces
            .is_some_and(|pieces| position.occupied().len() > pieces)
        {
            return None;
        }
        let value = if rule.ignores_fifty_moves {
            self.tablebases.wdl(position)?
        } else if position.halfmoves() == 0 {
            self.tablebases.wdl_by_rule(position)?
        } else {
            return None;
        };
        let is_wanted = match value {
            Wdl::Win | Wdl::Loss => rule.wins,
            Wdl::Draw => rule.draws,
        };
        is_wanted.then_some(value)
    }
}

/// The tablebases that somebody has asked for, each opened once.
#[derive(Default)]
pub(crate) struct OpenTablebases(Mutex<Vec<(TablebaseRule, Arc<RuledTablebases>)>>);

impl OpenTablebases {
    pub(crate) fn get(&self, rule: &TablebaseRule) -> Result<Arc<RuledTablebases>, TablebaseError> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = open.iter().find(|(known, _)| known == rule) {
            return Ok(Arc::clone(known));
        }
        let opened = Arc::new(rule.open()?);
        open.push((rule.clone(), Arc::clone(&opened)));
        Ok(opened)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_speak_where_a_game_enters_an_ending() {
        let probe = |rule: &TablebaseRule, fen: &str| rule.open().unwrap().probe(&fen.parse().unwrap());
        let usual = TablebaseRule::default();
        let lost = "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1";
        assert_eq!(probe(&usual, "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"), Some(Wdl::Win));
        assert_eq!(probe(&usual, lost), Some(Wdl::Loss));
        assert_eq!(probe(&usual, "k7/8/1K6/P7/8/8/8/8 w - - 0 1"), Some(Wdl::Draw));
        assert_eq!(probe(&usual, "4k3/8/4K3/4P3/8/8/8/8 b - - 3 1"), None);
        assert_eq!(
            probe(&usual, "8/8/8/8/3k4/8/8/KQ6 w - - 0 1"),
            None,
            "not built in"
        );
        let few = TablebaseRule {
            pieces: Some(2),
            ..TablebaseRule::default()
        };
        let draws = TablebaseRule {
            wins: false,
            ..TablebaseRule::default()
        };
        let timeless = TablebaseRule {
            ignores_fifty_moves: true,
            ..TablebaseRule::default()
        };
        assert_eq!((probe(&few, lost), probe(&draws, lost)), (None, None));
        assert_eq!(
            probe(&timeless, "4k3/8/4K3/4P3/8/8/8/8 b - - 3 1"),
            Some(Wdl::Loss)
        );
        let missing = TablebaseRule::of_folders("no/such/folder").open().unwrap_err();
        assert!(missing.to_string().contains("no/such/folder"), "{missing}");
    }
}
