//! The tablebases of a player, and how they are opened.

use std::path::Path;
use std::sync::Arc;

use vidmar_tablebases::{Library, Syzygy, Tablebases};

/// The tablebases that a player uses, those built in unless others are named. Clones share them: one set serves many players.
#[derive(Clone, Debug)]
pub struct PlayerTablebases {
    /// The tablebases.
    pub tablebases: Arc<Tablebases>,
    /// The least depth at which positions with as many pieces as the largest base are looked up.
    pub least_depth: u32,
    own: String,
    syzygy: String,
}

impl Default for PlayerTablebases {
    fn default() -> PlayerTablebases {
        PlayerTablebases::new(Arc::new(Tablebases::built_in()))
    }
}

/// Equal if they are the same tablebases in memory, used alike.
impl PartialEq for PlayerTablebases {
    fn eq(&self, other: &PlayerTablebases) -> bool {
        Arc::ptr_eq(&self.tablebases, &other.tablebases) && self.least_depth == other.least_depth
    }
}

impl PlayerTablebases {
    /// A player with these tablebases.
    pub fn new(tablebases: Arc<Tablebases>) -> PlayerTablebases {
        PlayerTablebases {
            tablebases,
            least_depth: 1,
            own: String::new(),
            syzygy: String::new(),
        }
    }

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
        self.tablebases = Arc::new(Tablebases::new(library, tables));
        (self.own, self.syzygy) = (own, syzygy);
        Ok(())
    }
}
