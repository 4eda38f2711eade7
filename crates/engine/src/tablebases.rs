//! The tablebases of a player, and how they are opened.

use std::path::Path;
use std::sync::Arc;

use vidmar_chess::{Bound, Game, Move, Score};
use vidmar_search::{DRAW, Probes, TABLEBASE_WIN, score_of};
use vidmar_tablebases::{Keeping, Library, Syzygy, Tablebases, Wdl, has_repeated};

use crate::limits::Limits;
use crate::thinker::{Info, Thought};

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

    /// What the folders that were named say of a game's position; nothing without folders. Those built in are the flagship's own.
    pub fn at_root(&self, game: &Game, limits: &Limits) -> Option<KnownRoot> {
        if self.own.is_empty() && self.syzygy.is_empty() {
            return None;
        }
        let mut allowed: Vec<Move> = game.position().legal_moves().to_vec();
        if !limits.search_moves.is_empty() {
            allowed.retain(|m| limits.search_moves.contains(m));
        }
        let board = game.board();
        let kept = self
            .probes
            .tablebases
            .keeping(game.position(), &allowed, has_repeated(board))?;
        Some(KnownRoot(kept))
    }
}

/// A position whose result the tablebases know, for a player that does not look into them itself: it chooses among the moves that
/// keep the result.
#[derive(Clone, Debug)]
pub struct KnownRoot(Keeping);

impl KnownRoot {
    /// The same limits, among the moves that keep the result.
    pub fn limits(&self, limits: &Limits) -> Limits {
        Limits {
            search_moves: self.0.moves.clone(),
            ..limits.clone()
        }
    }

    /// What a player tells, with the known result in place of its opinion.
    pub fn info(&self, info: &Info) -> Info {
        let (score, bound) = match info.score {
            Some(Score::Mate(_)) => (info.score, info.bound),
            Some(Score::Centipawns(_)) | None => (Some(self.score()), Bound::Exact),
        };
        Info {
            score,
            bound,
            tbhits: info.tbhits + self.0.moves.len() as u64,
            ..info.clone()
        }
    }

    /// What a player decided, likewise.
    pub fn thought(&self, thought: Thought) -> Thought {
        match thought.told_score() {
            Some(Score::Mate(_)) => thought,
            Some(Score::Centipawns(_)) | None => Thought {
                score: self.score(),
                is_scored: true,
                ..thought
            },
        }
    }

    fn score(&self) -> Score {
        score_of(match self.0.value {
            Wdl::Win => TABLEBASE_WIN,
            Wdl::Draw => DRAW,
            Wdl::Loss => -TABLEBASE_WIN,
        })
    }
}
