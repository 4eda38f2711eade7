//! All tablebases behind one door: our own, those built in, and Syzygy's.

use vidmar_chess::Position;

use crate::library::Library;
use crate::syzygy::{DistanceToZeroing, Syzygy};
use crate::wdl::Wdl;

/// Every tablebase at hand. Asking takes `&self` and, for our own, no lock: share one between threads.
///
/// ```
/// use vidmar_tablebases::{Tablebases, Wdl};
/// let tablebases = Tablebases::built_in();
/// let position = "8/8/8/1k6/8/1K6/1P6/8 w - - 0 1".parse()?;
/// assert_eq!(tablebases.wdl(&position), Some(Wdl::Draw));
/// # Ok::<(), vidmar_chess::FenError>(())
/// ```
#[derive(Debug)]
pub struct Tablebases {
    own: Library,
    syzygy: Option<Syzygy>,
}

impl Default for Tablebases {
    fn default() -> Tablebases {
        Tablebases::built_in()
    }
}

impl Tablebases {
    /// What needs no files: king and pawn against king.
    pub fn built_in() -> Tablebases {
        Tablebases::new(Library::built_in(), None)
    }

    /// None at all.
    pub fn none() -> Tablebases {
        Tablebases::new(Library::empty(), None)
    }

    /// Tablebases of our own and, perhaps, Syzygy tables.
    pub fn new(own: Library, syzygy: Option<Syzygy>) -> Tablebases {
        Tablebases { own, syzygy }
    }

    /// The most pieces, kings included, of which there is any tablebase.
    pub fn max_pieces(&self) -> usize {
        self.own
            .max_pieces()
            .max(self.syzygy.as_ref().map_or(0, Syzygy::max_pieces))
    }

    /// Whether distances can be asked for at all.
    pub(crate) fn has_distances(&self) -> bool {
        self.syzygy.is_some()
    }

    /// What a position is worth to the side to move, without the 50-move rule. None if the tablebase is missing or a side
    /// may still castle.
    pub fn wdl(&self, position: &Position) -> Option<Wdl> {
        self.own.wdl(position).or_else(|| {
            let value = self.syzygy.as_ref()?.wdl(position)?;
            Some(value.without_rule())
        })
    }

    /// What a position just after a capture or pawn move is worth by the 50-move rule: wins that take too long are draws.
    /// No ending of four pieces has such wins, so our own tablebases answer here as well.
    pub fn wdl_by_rule(&self, position: &Position) -> Option<Wdl> {
        self.own.wdl(position).or_else(|| {
            let value = self.syzygy.as_ref()?.wdl(position)?;
            Some(value.by_rule())
        })
    }

    /// The distance to the next capture or pawn move; only Syzygy knows it.
    pub fn dtz(&self, position: &Position) -> Option<DistanceToZeroing> {
        self.syzygy.as_ref()?.dtz(position)
    }
}
