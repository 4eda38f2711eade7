//! The tablebases of a player: the options, and what they open.

use std::path::Path;
use std::sync::Arc;

use vidmar_tablebases::{Library, Syzygy, Tablebases};

use crate::options::{OptionError, OptionKind, OptionRow, OptionValue};

const BASES_PATH: &str = "BasesPath";
const SYZYGY_PATH: &str = "SyzygyPath";
const PROBE_DEPTH: &str = "SyzygyProbeDepth";

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

    /// The options, as a player lists them among its own.
    pub fn rows() -> [OptionRow; 3] {
        [
            OptionRow::new(BASES_PATH, OptionKind::Text(String::new())),
            OptionRow::new(SYZYGY_PATH, OptionKind::Text(String::new())),
            OptionRow::spin(PROBE_DEPTH, 1, 1, 100),
        ]
    }

    /// Sets one of the options; false if the name is not of the tablebases. Folders that cannot be used leave what was there.
    pub fn set(&mut self, name: &str, value: &OptionValue) -> Result<bool, OptionError> {
        match (name, value) {
            (PROBE_DEPTH, &OptionValue::Spin(depth)) => self.least_depth = depth as u32,
            (BASES_PATH, OptionValue::Text(path)) => self.open(name, path.clone(), self.syzygy.clone())?,
            (SYZYGY_PATH, OptionValue::Text(path)) => self.open(name, self.own.clone(), path.clone())?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn open(&mut self, name: &str, own: String, syzygy: String) -> Result<(), OptionError> {
        let refused = |reason: String| OptionError::Refused {
            name: name.to_owned(),
            reason: reason.replace(char::is_control, " "),
        };
        let library = match own.as_str() {
            "" => Library::built_in(),
            folder => Library::open(Path::new(folder)).map_err(|error| refused(error.to_string()))?,
        };
        let tables = match syzygy.as_str() {
            "" => None,
            folders => Some(Syzygy::open(folders).map_err(|error| refused(error.to_string()))?),
        };
        self.tablebases = Arc::new(Tablebases::new(library, tables));
        (self.own, self.syzygy) = (own, syzygy);
        Ok(())
    }
}
