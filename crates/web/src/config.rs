//! What the server was started with. Requests choose among these by name and can name nothing else.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use vidmar_fleet::{Address, Credentials};
use vidmar_players::{PlayerSpec, PlayerType};
use vidmar_tablebases::Tablebases;

use crate::page::Page;
use crate::security::Hosts;
use crate::token::Token;

/// An engine of somebody else.
#[derive(Clone, Debug)]
pub struct NamedEngine {
    /// What the page calls it.
    pub name: String,
    /// How it is started.
    pub spec: PlayerSpec,
}

/// A file that a player needs: a case base.
#[derive(Clone, Debug)]
pub struct NamedFile {
    /// The key of the setting that it is for: `cases`.
    pub key: String,
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
    /// Whether it holds the examples that come with the program: new runs begin elsewhere, and lists have it last.
    pub is_example: bool,
}

/// A NATS server whose workers are shown and given orders.
#[derive(Clone, Debug)]
pub struct Fleet {
    /// Where it is.
    pub address: Address,
    /// What lets us in.
    pub credentials: Credentials,
}

/// How long clients may take. Whoever sends letter by letter or does not read holds a connection.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// Until the head of the next request is here.
    pub head: Duration,
    /// Until a whole body is here.
    pub body: Duration,
    /// Until it reads on.
    pub reading: Duration,
}

impl Default for Timeouts {
    fn default() -> Timeouts {
        Timeouts {
            head: Duration::from_secs(15),
            body: Duration::from_secs(30),
            reading: Duration::from_secs(30),
        }
    }
}

/// What the server was started with.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Engines that may be seated.
    pub engines: Vec<NamedEngine>,
    /// Case bases and other files that may be used.
    pub files: Vec<NamedFile>,
    /// Where runs are.
    pub directories: Vec<NamedDirectory>,
    /// The server over which runs are played on other machines.
    pub fleet: Option<Fleet>,
    /// What endings are looked up in.
    pub tablebases: Arc<Tablebases>,
    /// The folder in which games are kept; none keeps them only as long as the server runs.
    pub state: Option<PathBuf>,
    /// MiB that all players together may take; none is what the machine allows.
    pub memory_mib: Option<u64>,
    /// The names under which the server may be addressed.
    pub hosts: Hosts,
    /// How long clients may take.
    pub timeouts: Timeouts,
    /// What every request must show; none answers everybody who reaches the server.
    pub token: Option<Token>,
    /// What a browser is given to show it all with.
    pub page: Page,
    /// Writes the page of the book about the program's commands, in Markdown.
    pub reference: Option<fn() -> String>,
}

impl Config {
    /// What a setting that is a path may be chosen from, by name.
    pub(crate) fn names(&self, player: &PlayerType, key: &str) -> Vec<String> {
        let files = self
            .files
            .iter()
            .filter(|file| file.key == key)
            .map(|file| &file.name);
        let engines = self
            .engines
            .iter()
            .filter(|_| player.is_program() && key == "cmd");
        let engines = engines.filter(|engine| engine.spec.player_type().key == player.key);
        files.chain(engines.map(|engine| &engine.name)).cloned().collect()
    }

    /// What a name stands for, as choices about the player.
    pub(crate) fn named(&self, player: &'static PlayerType, key: &str, name: &str) -> Option<PlayerSpec> {
        if player.is_program() && key == "cmd" {
            let engine = self.engines.iter().find(|engine| engine.name == name);
            return engine.map(|engine| engine.spec.clone());
        }
        let is_named = |file: &&NamedFile| file.key == key && file.name == name;
        let path = self
            .files
            .iter()
            .find(is_named)?
            .path
            .to_string_lossy()
            .into_owned();
        PlayerSpec::new(player).with(key, path).ok()
    }
}
