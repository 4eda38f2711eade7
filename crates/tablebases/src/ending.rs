//! Endings: which pieces are on the board besides the kings.
//!
//! The side named first is called White inside a tablebase, whatever its colour in a game; a position with the colours
//! the other way round is turned before it is looked up. [`Ending::all`] is the one list of endings, in an order in
//! which every capture and promotion leads to an earlier one.

use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

use thiserror::Error;
use vidmar_chess::{Color, Piece, Role, Square};
use vidmar_text::Excerpt;

/// The most pieces, kings included, for which tablebases can be made.
pub const MAX_PIECES: usize = 4;
/// The most pieces besides the kings.
pub(crate) const MAX_NON_KINGS: usize = MAX_PIECES - 2;

/// From the strongest to the weakest, as names of endings list them.
const BY_STRENGTH: [Role; 5] = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn];

/// An ending by its pieces, such as `KQvKR`.
///
/// ```
/// use vidmar_tablebases::Ending;
/// let ending: Ending = "KRvKP".parse()?;
/// assert_eq!((ending.piece_count(), ending.to_string()), (4, "KRvKP".to_owned()));
/// assert!("KPvKR".parse::<Ending>().is_err(), "the stronger side comes first");
/// # Ok::<(), vidmar_tablebases::EndingError>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash)]
pub struct Ending {
    first: Piece,
    second: Option<Piece>,
}

/// The text names no ending of which there is a tablebase.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "'{0}' is not an ending of three or four pieces (expected a name like KQvKR, the stronger side first)"
)]
pub struct EndingError(pub Excerpt);

static ALL: LazyLock<Vec<Ending>> = LazyLock::new(|| {
    let mut all = Vec::new();
    for (index, role) in BY_STRENGTH.into_iter().enumerate() {
        let first = role.of(Color::White);
        all.push(Ending { first, second: None });
        for weaker in &BY_STRENGTH[index..] {
            for color in Color::ALL {
                let second = Some(weaker.of(color));
                all.push(Ending { first, second });
            }
        }
    }
    all.sort_by_key(|ending| (ending.piece_count(), ending.pawns()));
    all
});

impl Ending {
    /// Every ending of three and four pieces; a capture or promotion leads from one to an earlier one.
    pub fn all() -> &'static [Ending] {
        &ALL
    }

    /// Its index in [`all`](Ending::all).
    pub(crate) fn index(self) -> usize {
        let found = ALL.iter().position(|ending| *ending == self);
        found.expect("every ending is listed")
    }

    /// The pieces besides the kings.
    pub(crate) fn pieces(self) -> impl Iterator<Item = Piece> + Clone + use<> {
        std::iter::once(self.first).chain(self.second)
    }

    /// How many pieces there are, the kings included.
    pub fn piece_count(self) -> usize {
        2 + self.pieces().count()
    }

    /// How many of them are pawns.
    pub fn pawns(self) -> usize {
        self.pieces().filter(|piece| piece.role == Role::Pawn).count()
    }

    /// Whether the two sides have the same pieces, so that one tablebase serves for either side to move.
    pub fn is_symmetric(self) -> bool {
        self.second == Some(self.first.role.of(Color::Black))
    }

    /// Whether two pieces are the same, so that they can be swapped.
    pub(crate) fn has_twins(self) -> bool {
        self.second == Some(self.first)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("K")?;
        for color in Color::ALL {
            if color == Color::Black {
                f.write_str("vK")?;
            }
            for piece in self.pieces().filter(|piece| piece.color == color) {
                write!(f, "{}", piece.role.upper_char())?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Ending {
    type Err = EndingError;

    fn from_str(text: &str) -> Result<Ending, EndingError> {
        let found = ALL.iter().find(|ending| ending.to_string() == text);
        found.copied().ok_or_else(|| EndingError(text.into()))
    }
}

/// Where the pieces of an ending stand: the kings, White's first, and the others in the ending's order.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Placement {
    pub(crate) kings: [Square; 2],
    /// Without a second piece, the second square means nothing.
    pub(crate) squares: [Square; MAX_NON_KINGS],
}

/// How pieces of a game become those of a tablebase.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Route {
    /// The index of the ending.
    pub(crate) ending: u8,
    /// Colours change, and the board is turned with them.
    pub(crate) turned: bool,
    /// The second piece of the game is the first of the ending.
    pub(crate) swapped: bool,
}

/// The number of a piece besides the kings, for [`route`].
const fn code(piece: Piece) -> usize {
    piece.color as usize * 5 + piece.role as usize
}
const NO_PIECE: usize = 10;

static ROUTES: LazyLock<[[Option<Route>; NO_PIECE + 1]; NO_PIECE]> = LazyLock::new(|| {
    let mut routes = [[None; NO_PIECE + 1]; NO_PIECE];
    for (index, ending) in ALL.iter().enumerate() {
        for turned in [true, false] {
            let seen = |piece: Piece| {
                let color = if turned { !piece.color } else { piece.color };
                code(piece.role.of(color))
            };
            let ending_index = index as u8;
            let first = seen(ending.first);
            let second = ending.second.map(seen);
            for swapped in [true, false] {
                let (a, b) = match (swapped, second) {
                    (true, Some(second)) => (second, first),
                    _ => (first, second.unwrap_or(NO_PIECE)),
                };
                routes[a][b] = Some(Route {
                    ending: ending_index,
                    turned,
                    swapped: swapped && second.is_some(),
                });
            }
        }
    }
    routes
});

/// The tablebase for one or two pieces, in any order and of any colours.
#[inline]
pub(crate) fn route(first: Piece, second: Option<Piece>) -> Option<Route> {
    ROUTES
        .get(code(first))
        .and_then(|row| row[second.map_or(NO_PIECE, code)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_thirty_five_and_conversions_lead_backwards() {
        let all = Ending::all();
        assert_eq!(all.len(), 35);
        assert_eq!(all.iter().filter(|ending| ending.piece_count() == 3).count(), 5);
        for (index, ending) in all.iter().enumerate() {
            assert_eq!(ending.to_string().parse(), Ok(*ending));
            assert_eq!(ending.index(), index);
            let later = &all[index..];
            assert!(
                later
                    .iter()
                    .all(|other| other.piece_count() >= ending.piece_count())
            );
            assert!(
                later.iter().all(
                    |other| other.piece_count() > ending.piece_count() || other.pawns() >= ending.pawns()
                )
            );
        }
        for junk in ["", "K", "KvK", "KPvKR", "KQQQvK", "kqvk"] {
            assert!(junk.parse::<Ending>().is_err(), "{junk}");
        }
    }

    #[test]
    fn every_pair_of_pieces_finds_its_ending() {
        let pieces = || {
            Color::ALL
                .into_iter()
                .flat_map(|color| BY_STRENGTH.map(|role| role.of(color)))
        };
        for first in pieces() {
            assert!(route(first, None).is_some());
            for second in pieces() {
                let found = route(first, Some(second)).expect("an ending");
                let ending = Ending::all()[usize::from(found.ending)];
                let mut given = [first, second].map(|piece| {
                    if found.turned {
                        piece.role.of(!piece.color)
                    } else {
                        piece
                    }
                });
                if found.swapped {
                    given.swap(0, 1);
                }
                assert!(ending.pieces().eq(given), "{first:?} {second:?}");
            }
        }
    }
}
