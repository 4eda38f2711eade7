//! The tablebases of a player, and how they are opened.

use std::path::Path;
use std::sync::Arc;

use vidmar_search::Probes;
use vidmar_tablebases::{Library, Syzygy, Tablebases};

/// The tablebases that a player uses, those built in unless others are named. Clones share them: one set serves many players.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PlayerTablebases {
    /// The tablebases, and how deep they are probed.
    pub probes: Probes,
    own: String,
    syzygy: String,
}

impl PlayerTablebases {
    /// The folder of tablebases made by this program; empty for those built in.
    pub fn own(&self) -> &str {
        &self.own
    }

    /// The folders of Syzygy tablebases; empty for none.
    pub fn syzygy(&self) -> &str {
        &self.syzygy
    }

    /// Takes the tablebases of a folder made by this program. A folder that cannot be used leaves what was there.
    pub fn open_own(&mut self, folder: &str) -> Result<(), String> {
        self.open(folder.to_owned(), self.syzygy.clone())
    }

    /// Takes the Syzygy tablebases of some folders. Folders that cannot be used leave what was there.
    pub fn open_syzygy(&mut self, folders: &str) -> Result<(), String> {
        self.open(self.own.clone(), folders.to_owned())
    }

    fn open(&mut self, own: String, syzygy: String) -> Result<(), String> {
        let library = match own.as_str() {
            "" => Library::built_in(),
            folder => Library::open(Path::new(folder)).map_err(|error| error.to_string())?,
        };
        let tables = match syzygy.as_str() {
            "" => None,
            folders => Some(Syzygy::open(folders).map_err(|error| error.to_string())?),
        };
        self.probes.tablebases = Arc::new(Tablebases::new(library, tables));
        (self.own, self.syzygy) = (own, syzygy);
        Ok(())
    }
}
