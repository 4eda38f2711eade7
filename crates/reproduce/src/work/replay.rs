//! Games that a work prints, played again move by move.

use std::path::Path;

use serde::{Deserialize, Serialize};
use vidmar_chess::{BitboardBoard, Board, Position, Termination};

use super::{Resources, Unit, Work};
use crate::data::{Data, Missing};
use crate::error::{ReproduceError, StepError};
use crate::files;

const FILE: &str = "games.json";

/// A printed game.
#[derive(Clone, Debug)]
pub struct PrintedGame {
    /// Its number in the work.
    pub number: u32,
    /// Its moves as printed.
    pub moves: Vec<String>,
    /// What is read instead of a move that is not legal: printed, read.
    pub instead: &'static [(&'static str, &'static str)],
}

/// What came of a printed game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replayed {
    /// Its number in the work.
    pub number: u32,
    /// Plies that were played.
    pub plies: usize,
    /// Moves that are not legal as printed, with their ply from 1.
    pub illegal: Vec<(usize, String)>,
    /// Those that nothing else could be read for.
    pub unreadable: usize,
    /// How it ended, in words.
    pub end: String,
}

/// Plays printed games again.
pub struct Replay {
    /// The games.
    pub games: Vec<PrintedGame>,
}

impl Replay {
    /// What a folder has of it.
    pub fn read(folder: &Path) -> Result<Option<Vec<Replayed>>, ReproduceError> {
        files::read_json(&folder.join(FILE))
    }
}

fn replay(game: &PrintedGame) -> Replayed {
    let mut board = BitboardBoard::new(&Position::default());
    let (mut illegal, mut unreadable, mut plies) = (Vec::new(), 0, 0);
    for (ply, word) in (1..).zip(&game.moves) {
        let position = board.position();
        let read = position.parse_uci(word).ok().or_else(|| {
            illegal.push((ply, word.clone()));
            let (_, instead) = game.instead.iter().find(|(printed, _)| printed == word)?;
            position.parse_uci(instead).ok()
        });
        let Some(m) = read else {
            unreadable += 1;
            break;
        };
        board.make(m);
        plies = ply;
    }
    let end = match board.termination() {
        Some(Termination::Checkmate { winner }) => format!("{winner:?} mates"),
        Some(other) => other.as_str().to_owned(),
        None => "goes on".to_owned(),
    };
    Replayed {
        number: game.number,
        plies,
        illegal,
        unreadable,
        end,
    }
}

impl Work for Replay {
    fn unit(&self) -> Unit {
        Unit::Games
    }

    fn units(&self) -> u64 {
        self.games.len() as u64
    }

    fn command(&self, _folder: &Path) -> String {
        "cargo test -p vidmar-evolve --test published_games".to_owned()
    }

    fn missing(&self, _data: &Data) -> Vec<Missing> {
        Vec::new()
    }

    fn done(&self, folder: &Path) -> Result<u64, ReproduceError> {
        Ok(Replay::read(folder)?.map_or(0, |games| games.len() as u64))
    }

    fn carry_out(
        &self,
        folder: &Path,
        _with: &Resources<'_>,
        tell: &mut (dyn FnMut(u64) + Send),
    ) -> Result<bool, StepError> {
        let replayed: Vec<Replayed> = self.games.iter().map(replay).collect();
        files::write_json(&folder.join(FILE), &replayed)?;
        tell(self.units());
        Ok(true)
    }
}
