//! The tablebases at hand, and looking a position up in them.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use arrayvec::ArrayVec;
use thiserror::Error;
use vidmar_chess::{Color, Piece, Position, Role, Square};

use crate::ending::{Ending, MAX_NON_KINGS, MAX_PIECES, Placement, route};
use crate::layout::{Layout, side_index, turned};
use crate::tablebase::{FileError, Tablebase};
use crate::wdl::Wdl;

/// How the files of tablebases are called: the ending and this.
pub const EXTENSION: &str = "vwdl";

/// Why a folder of tablebases cannot be used.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The folder or a file in it cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// Which.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A file is damaged or something else.
    #[error("{}: {error}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What is wrong with it.
        error: FileError,
    },
    /// A tablebase under a wrong name would answer for the wrong ending.
    #[error("{}: holds the ending {inside}", path.display())]
    Name {
        /// Which.
        path: PathBuf,
        /// What it says of itself.
        inside: Ending,
    },
    /// There is nothing in it.
    #[error("{}: no .{EXTENSION} file", .0.display())]
    Empty(PathBuf),
}

/// A set of tablebases in memory; asking it takes no lock.
#[derive(Clone)]
pub struct Library {
    /// By the index of the ending.
    tablebases: Vec<Option<(Layout, Tablebase)>>,
    max_pieces: usize,
}

/// The tablebase of king and pawn against king, about 10 KiB, made by `vidmar tablebases make`; a test makes it again.
static PAWN_BASE: &[u8] = include_bytes!("KPvK.vwdl");

impl fmt::Debug for Library {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set()
            .entries(self.tablebases().map(Tablebase::ending))
            .finish()
    }
}

impl Library {
    /// Nothing but two kings.
    pub fn empty() -> Library {
        Library {
            tablebases: vec![None; Ending::all().len()],
            max_pieces: 2,
        }
    }

    /// What needs no files: king and pawn against king.
    pub fn built_in() -> Library {
        let mut library = Library::empty();
        if let Ok(tablebase) = Tablebase::from_bytes(PAWN_BASE) {
            library.add(tablebase);
        }
        library
    }

    /// Reads every tablebase of a folder and checks it.
    pub fn open(folder: &Path) -> Result<Library, OpenError> {
        let mut library = Library::built_in();
        let unreadable = |error| OpenError::Read {
            path: folder.to_owned(),
            error,
        };
        let mut found = false;
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let path = entry.map_err(unreadable)?.path();
            if path.extension().is_some_and(|extension| extension == EXTENSION) {
                library.add(read(&path)?);
                found = true;
            }
        }
        found
            .then_some(library)
            .ok_or_else(|| OpenError::Empty(folder.to_owned()))
    }

    /// Adds a tablebase, instead of another one of its ending.
    pub fn add(&mut self, tablebase: Tablebase) {
        let ending = tablebase.ending();
        self.max_pieces = self.max_pieces.max(ending.piece_count());
        self.tablebases[ending.index()] = Some((Layout::new(ending), tablebase));
    }

    /// The tablebases in it.
    pub fn tablebases(&self) -> impl Iterator<Item = &Tablebase> {
        self.tablebases.iter().flatten().map(|(_, tablebase)| tablebase)
    }

    /// The most pieces of a tablebase in it.
    pub fn max_pieces(&self) -> usize {
        self.max_pieces
    }

    /// What the position is worth to the side to move; none if its tablebase is missing or a side may still castle.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        if position.occupied().len() as usize > self.max_pieces || position.castling().any() {
            return None;
        }
        let value = self.without_en_passant(position)?;
        if position.en_passant().is_some() {
            return self.with_en_passant(position, value);
        }
        Some(value)
    }

    fn without_en_passant(&self, position: &Position) -> Option<Wdl> {
        let mut pieces = ArrayVec::<(Piece, Square), { MAX_PIECES - 2 }>::new();
        for square in position.occupied() & !position.role(Role::King) {
            pieces.try_push((position.piece_at(square)?, square)).ok()?;
        }
        let kings = Color::ALL.map(|color| position.king(color));
        self.value(kings, &pieces, position.turn())
    }

    /// The tablebase does not know of the right to take en passant: its captures are looked up and the best choice counts;
    /// where there is no other move, they are the only choice.
    fn with_en_passant(&self, position: &Position, otherwise: Wdl) -> Option<Wdl> {
        let moves = position.legal_moves();
        let mut best = None;
        for &m in moves.iter().filter(|m| m.is_en_passant()) {
            let mut after = position.clone();
            after.play(m);
            best = best.max(Some(-self.wdl(&after)?));
        }
        let is_forced = best.is_some() && moves.iter().all(|m| m.is_en_passant());
        if is_forced {
            best
        } else {
            best.max(Some(otherwise))
        }
    }

    /// The value of pieces on squares, without any rights.
    #[inline]
    pub(crate) fn value(&self, kings: [Square; 2], pieces: &[(Piece, Square)], turn: Color) -> Option<Wdl> {
        let (first, second) = match *pieces {
            [] => return Some(Wdl::Draw),
            [first] => (first, None),
            [first, second] => (first, Some(second)),
            _ => return None,
        };
        let route = route(first.0, second.map(|(piece, _)| piece))?;
        let (layout, tablebase) = self.tablebases[usize::from(route.ending)].as_ref()?;
        let mut placement = Placement {
            kings,
            squares: [first.1, second.map_or(Square::A1, |(_, square)| square)],
        };
        if route.swapped {
            placement.squares.swap(0, 1);
        }
        let mut turn = turn;
        if route.turned {
            (placement, turn) = (turned(placement), !turn);
        }
        if tablebase.counts().len() == 1 && turn == Color::Black {
            // Equal pieces: the side to move is White, its piece the first.
            placement = turned(placement);
            placement.squares.swap(0, MAX_NON_KINGS - 1);
            turn = Color::White;
        }
        Some(tablebase.get(side_index(turn), layout.number(placement)?))
    }
}

/// Reads a tablebase and checks it.
pub fn read(path: &Path) -> Result<Tablebase, OpenError> {
    let bytes = fs::read(path).map_err(|error| OpenError::Read {
        path: path.to_owned(),
        error,
    })?;
    let tablebase = Tablebase::from_bytes(&bytes).map_err(|error| OpenError::File {
        path: path.to_owned(),
        error,
    })?;
    let inside = tablebase.ending();
    if path.file_stem().is_none_or(|stem| *stem != *inside.to_string()) {
        return Err(OpenError::Name {
            path: path.to_owned(),
            inside,
        });
    }
    Ok(tablebase)
}
