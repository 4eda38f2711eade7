//! What the server was started with. Requests choose among these by name and can name nothing else.

use std::path::PathBuf;

use vidmar_players::EngineCommand;

use crate::page::Page;
use crate::security::Hosts;

/// An engine of somebody else.
#[derive(Clone, Debug)]
pub struct NamedEngine {
    /// What the page calls it.
    pub name: String,
    /// How it is started.
    pub command: EngineCommand,
}

/// A case base.
#[derive(Clone, Debug)]
pub struct NamedCases {
    /// What the page calls it.
    pub name: String,
    /// The file.
    pub path: PathBuf,
}

/// A directory in which runs and match stores are looked for.
#[derive(Clone, Debug)]
pub struct NamedDirectory {
    /// What the page calls it.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
}

/// What the server was started with.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Engines that may be seated.
    pub engines: Vec<NamedEngine>,
    /// Case bases that may be used.
    pub cases: Vec<NamedCases>,
    /// Where runs are.
    pub directories: Vec<NamedDirectory>,
    /// The folder in which games are kept; none keeps them only as long as the server runs.
    pub state: Option<PathBuf>,
    /// The names under which the server may be addressed.
    pub hosts: Hosts,
    /// What a browser is given to show it all with.
    pub page: Page,
}
