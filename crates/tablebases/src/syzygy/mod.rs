//! Syzygy tables of up to seven pieces, read by `shakmaty-syzygy`.
//!
//! Their answers know of the 50-move rule: a win that takes too long is "cursed", the loss that goes with it "blessed".

mod convert;
mod files;

use std::path::Path;
use std::sync::Arc;

use shakmaty::Chess;
use shakmaty_syzygy::{Dtz, MaybeRounded, Tablebase};
use thiserror::Error;
use vidmar_chess::Position;

use crate::wdl::Wdl;

/// Why Syzygy tables cannot be used.
#[derive(Debug, Error)]
pub enum SyzygyError {
    /// A folder cannot be read, or a file in it has an impossible size.
    #[error("{folder}: {error}")]
    Folder {
        /// Which.
        folder: String,
        /// Why.
        error: std::io::Error,
    },
    /// There is nothing in them.
    #[error("{0}: no .rtbw or .rtbz file")]
    Empty(String),
}

/// A position's value with regard to the 50-move rule, the clock being at 0.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FiftyWdl {
    /// The side to move loses.
    Loss,
    /// It would lose but for the rule.
    BlessedLoss,
    /// A draw.
    Draw,
    /// It would win but for the rule.
    CursedWin,
    /// It wins.
    Win,
}

impl FiftyWdl {
    /// The value if there were no such rule.
    pub fn without_rule(self) -> Wdl {
        match self {
            FiftyWdl::Loss | FiftyWdl::BlessedLoss => Wdl::Loss,
            FiftyWdl::Draw => Wdl::Draw,
            FiftyWdl::CursedWin | FiftyWdl::Win => Wdl::Win,
        }
    }

    /// The value by the rule.
    pub fn by_rule(self) -> Wdl {
        match self {
            FiftyWdl::Loss => Wdl::Loss,
            FiftyWdl::Win => Wdl::Win,
            _ => Wdl::Draw,
        }
    }
}

/// Plies to the next capture or pawn move that keeps the result, for the side to move: positive if it wins,
/// negative if it loses, beyond ±100 if the 50-move rule takes the win away.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DistanceToZeroing {
    /// The plies.
    pub plies: i32,
    /// The table may have rounded: the truth may be one ply more.
    pub is_rounded: bool,
}

/// A collection of Syzygy tables; files are opened when they are first needed.
#[derive(Debug)]
pub struct Syzygy {
    tables: Tablebase<Chess>,
}

impl Syzygy {
    /// The tables of some folders, separated as the system separates paths (`:`, on Windows `;`).
    pub fn open(folders: &str) -> Result<Syzygy, SyzygyError> {
        let mut tables = Tablebase::with_filesystem(Arc::new(files::Files::default()));
        let mut found = 0;
        for folder in std::env::split_paths(folders) {
            let folder: &Path = &folder;
            found += tables
                .add_directory(folder)
                .map_err(|error| SyzygyError::Folder {
                    folder: folder.display().to_string(),
                    error,
                })?;
        }
        if found == 0 {
            return Err(SyzygyError::Empty(folders.to_owned()));
        }
        Ok(Syzygy { tables })
    }

    /// The most pieces of a table.
    pub fn max_pieces(&self) -> usize {
        self.tables.max_pieces()
    }

    fn covers(&self, position: &Position) -> bool {
        position.occupied().len() as usize <= self.max_pieces() && position.castling().is_empty()
    }

    /// The value by the tables, the clock taken as 0; none if a table is missing or a side may still castle.
    pub fn wdl(&self, position: &Position) -> Option<FiftyWdl> {
        use shakmaty_syzygy::Wdl as Theirs;
        if !self.covers(position) {
            return None;
        }
        let value = self.tables.probe_wdl_after_zeroing(&convert::position(position)?);
        Some(match value.ok()? {
            Theirs::Loss => FiftyWdl::Loss,
            Theirs::BlessedLoss => FiftyWdl::BlessedLoss,
            Theirs::Draw => FiftyWdl::Draw,
            Theirs::CursedWin => FiftyWdl::CursedWin,
            Theirs::Win => FiftyWdl::Win,
        })
    }

    /// The distance by the tables; none if a table, here that of the distances as well, is missing.
    pub fn dtz(&self, position: &Position) -> Option<DistanceToZeroing> {
        if !self.covers(position) {
            return None;
        }
        let distance = self.tables.probe_dtz(&convert::position(position)?).ok()?;
        let (Dtz(plies), is_rounded) = match distance {
            MaybeRounded::Precise(dtz) => (dtz, false),
            MaybeRounded::Rounded(dtz) => (dtz, true),
        };
        Some(DistanceToZeroing { plies, is_rounded })
    }
}
