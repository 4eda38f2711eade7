//! Tablebases that end tuning games, as far as there are some.
//!
//! They are probed where a game enters an ending: see [`TablebaseProbe`].

use std::path::Path;
use std::sync::Arc;

use thiserror::Error;
use vidmar_arena::TablebaseProbe;
use vidmar_tablebases::{Library, Syzygy, Tablebases};

/// Neither Syzygy tables nor tablebases of our own are there.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "rules.tablebases = {folders:?}: {reason}; expected \"none\", \"built-in\" or folders with tablebases"
)]
pub struct TablebasesError {
    folders: String,
    reason: String,
}

/// The tablebases that a configuration names: `none`, `built-in`, or folders as in `PATH`.
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
    Ok(Some(Arc::new(found)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_tablebases::Wdl;

    #[test]
    fn known_endings_are_judged_and_nothing_else() {
        let judge = verdicts("built-in").unwrap().unwrap();
        let of = |fen: &str| judge.verdict(&fen.parse().unwrap());
        assert_eq!(of("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1"), Some(Wdl::Win));
        assert_eq!(of("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"), Some(Wdl::Loss));
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
