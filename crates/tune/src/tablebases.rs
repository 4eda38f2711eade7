//! Tablebases that end tuning games, as far as there are some.
//!
//! A base knows the result of perfect play from a position on; a game also has a past, the moves since the last capture
//! or pawn move. So it is asked where there are none of those: where a game enters an ending.

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;
use vidmar_arena::{TablebaseProbe, Wdl as Verdict};
use vidmar_chess::Position;
use vidmar_tablebases::{Library, Syzygy, Tablebases, Wdl};

/// Neither Syzygy tables nor tablebases of our own are there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "rules.tablebases = {folders:?}: {reason}; expected \"none\", \"built-in\" or folders with tablebases"
)]
pub struct TablebasesError {
    folders: String,
    reason: String,
}

struct Judge(Tablebases);

impl TablebaseProbe for Judge {
    fn verdict(&self, position: &Position) -> Option<Verdict> {
        if position.halfmoves() != 0 {
            return None;
        }
        Some(match self.0.wdl_by_rule(position)? {
            Wdl::Win => Verdict::Win,
            Wdl::Draw => Verdict::Draw,
            Wdl::Loss => Verdict::Loss,
        })
    }
}

/// The judge that a configuration names: `none`, `built-in`, or folders as in `PATH`.
pub(crate) fn verdicts(tablebases: &str) -> Result<Option<Arc<dyn TablebaseProbe>>, TablebasesError> {
    let found = match tablebases {
        "none" => return Ok(None),
        "built-in" => Tablebases::built_in(),
        folders => {
            let own =
                std::env::split_paths(folders).find_map(|folder| Library::open(Path::new(&folder)).ok());
            match (Syzygy::open(folders), own) {
                (Ok(syzygy), own) => Tablebases::new(own.unwrap_or_else(Library::built_in), Some(syzygy)),
                (Err(_), Some(own)) => Tablebases::new(own, None),
                (Err(error), None) => {
                    return Err(TablebasesError {
                        folders: folders.to_owned(),
                        reason: error.to_string(),
                    });
                }
            }
        }
    };
    Ok(Some(Arc::new(Judge(found))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_endings_are_judged_and_nothing_else() {
        let judge = verdicts("built-in").unwrap().unwrap();
        let of = |fen: &str| judge.verdict(&fen.parse().unwrap());
        assert_eq!(of("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"), Some(Verdict::Win));
        assert_eq!(of("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"), Some(Verdict::Loss));
        assert_eq!(of("4k3/8/4K3/4P3/8/8/8/8 w - - 4 9"), None);
        assert_eq!(
            of("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            None
        );
        assert!(verdicts("none").unwrap().is_none());
        assert!(
            verdicts("no/such/folder")
                .err()
                .unwrap()
                .to_string()
                .contains("no/such/folder")
        );
    }
}
