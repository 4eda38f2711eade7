//! What a reader tells of a game, as it goes.

use vidmar_chess::{Move, Outcome, Position};

use super::nag::Nag;
use super::tag::TagValue;
use crate::text::Text;

/// Whether the moves of a game are of interest.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Moves {
    /// Read and check them.
    Read,
    /// Pass over them: nothing but [`Visitor::result`] and [`Visitor::end_game`] follows.
    Skip,
}

/// Receives a game piece by piece. Every method but those of interest can be left out.
///
/// The order is: [`begin_game`](Visitor::begin_game), tags (and comments before them),
/// [`begin_moves`](Visitor::begin_moves), moves with their glyphs, comments and variations,
/// [`result`](Visitor::result), [`end_game`](Visitor::end_game). A broken game stops in between: `end_game` is not called, and
/// the reader returns the error.
pub trait Visitor {
    /// Whether variations are read and checked. If not, they are passed over, which saves keeping the
    /// position before each move.
    const VARIATIONS: bool = false;

    /// A game begins.
    fn begin_game(&mut self) {}

    /// A tag pair.
    fn tag(&mut self, _name: Text<'_>, _value: TagValue<'_>) {}

    /// The tags are read, the start position is known.
    fn begin_moves(&mut self, _start: &Position) -> Moves {
        Moves::Read
    }

    /// A legal move in a position, or a null move; the position is the one before it.
    fn played(&mut self, _position: &Position, _played: Option<Move>) {}

    /// A glyph for the last move.
    fn nag(&mut self, _nag: Nag) {}

    /// A comment on the last move, or before the first.
    fn comment(&mut self, _text: Text<'_>) {}

    /// A variation begins: it replaces the last move.
    fn begin_variation(&mut self) {}

    /// The variation ends: the line that it left goes on.
    fn end_variation(&mut self) {}

    /// The result that ends the moves, `*` as none; not called where it is missing.
    fn result(&mut self, _outcome: Option<Outcome>) {}

    /// The game is over, with the last position of the main line (the first, if the moves were skipped).
    fn end_game(&mut self, _last: &Position) {}
}
