//! Endgame bases as judges of games.
//!
//! A base knows the result of perfect play from a position on, but a game also has a past: moves since the last capture
//! or pawn move. So it is asked only where there are none of those, which is where a game enters an ending; unless the
//! 50-move rule is to be left aside.

use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use vidmar_arena::TablebaseProbe;
use vidmar_chess::Position;
use vidmar_tablebases::{Library, Syzygy, Tablebases, Wdl};

use super::settings::TablebaseSettings;

struct Judge {
    bases: Tablebases,
    settings: TablebaseSettings,
}

impl TablebaseProbe for Judge {
    fn verdict(&self, position: &Position) -> Option<Wdl> {
        let TablebaseSettings {
            pieces,
            ignores_rule,
            wins,
            draws,
            ..
        } = self.settings;
        if pieces.is_some_and(|pieces| position.occupied().len() > pieces) {
            return None;
        }
        let value = if ignores_rule {
            self.bases.wdl(position)?
        } else if position.halfmoves() == 0 {
            self.bases.wdl_by_rule(position)?
        } else {
            return None;
        };
        let counts = match value {
            Wdl::Win | Wdl::Loss => wins,
            Wdl::Draw => draws,
        };
        counts.then_some(value)
    }
}

/// The judge of some folders, with Syzygy tables or bases of our own.
pub(super) fn judge(settings: &TablebaseSettings) -> anyhow::Result<Arc<dyn TablebaseProbe>> {
    let paths = &settings.paths;
    let own = std::env::split_paths(paths).find_map(|folder| Library::open(Path::new(&folder)).ok());
    let bases = match (Syzygy::open(paths), own) {
        (Ok(syzygy), own) => Tablebases::new(own.unwrap_or_else(Library::built_in), Some(syzygy)),
        (Err(_), Some(own)) => Tablebases::new(own, None),
        (Err(error), None) => return Err(anyhow!("-tb: {error}")),
    };
    Ok(Arc::new(Judge {
        bases,
        settings: settings.clone(),
    }))
}
