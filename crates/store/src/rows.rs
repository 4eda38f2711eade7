//! What the tables hold, row by row.

use vidmar_chess::{MoveInfo, Outcome};

/// The number of a run in its file.
pub type RunId = i64;

/// A match, a tuning run, an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Its number in the file.
    pub id: RunId,
    /// What it is, in one word.
    pub kind: String,
    /// All that is needed to go on with it, as JSON; this crate does not look inside.
    pub config: String,
    /// Where it stands, in one word: `running` until it is told otherwise.
    pub state: String,
    /// When it began, in seconds since 1970.
    pub begun: i64,
}

/// A player of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Player {
    /// Its number in the run; chosen by the run, never reused.
    pub number: u32,
    /// Its name.
    pub name: String,
    /// What it is, as the run describes it: a specification, a parameter vector.
    pub description: String,
}

impl Player {
    /// A player with a name.
    pub fn new(number: u32, name: impl Into<String>) -> Player {
        Player {
            number,
            name: name.into(),
            description: String::new(),
        }
    }
}

/// One game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Game {
    /// Its number in the run; no two games of a run share one.
    pub number: u64,
    /// The round or generation it belongs to.
    pub round: u64,
    /// The player with the white pieces, by number.
    pub white: u32,
    /// The player with the black pieces, by number.
    pub black: u32,
    /// Who won; none where there is no result to count.
    pub result: Option<Outcome>,
    /// Why it ended: a [`Termination`](vidmar_chess::Termination), or what an imported game says.
    pub termination: String,
    /// The opening's name.
    pub opening: String,
    /// The start position as FEN; empty for the usual one.
    pub start: String,
    /// How many of the moves were given by the opening.
    pub given: u32,
    /// What its clocks were multiplied by, in thousandths, where they were.
    pub clock_scale: Option<u32>,
    /// All moves in UCI notation, castling as the king's capture of its rook where the run says so.
    pub moves: String,
    /// One for every move behind the given ones, times to the microsecond; or none at all.
    pub thoughts: Vec<MoveInfo>,
    /// The principal variation of every one of those moves in UCI notation, the move first; or none at all.
    pub pvs: Vec<String>,
}

/// A game without its moves: all that tables and ratings need.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Outline {
    /// Its number in the run.
    pub number: u64,
    /// The round or generation it belongs to.
    pub round: u64,
    /// The player with the white pieces, by number.
    pub white: u32,
    /// The player with the black pieces, by number.
    pub black: u32,
    /// Who won.
    pub result: Option<Outcome>,
}

/// A misbehaviour of a player.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Fault {
    /// The game in which it happened.
    pub game: u64,
    /// How often that game had been begun before.
    pub attempt: u32,
    /// Whose fault it was, by number.
    pub player: u32,
    /// Its kind in one word.
    pub kind: String,
    /// What was seen.
    pub detail: String,
}

/// State that a run can go on from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkpoint {
    /// The generation it belongs to; later ones stand above earlier ones.
    pub generation: u64,
    /// What it is the state of.
    pub name: String,
    /// The state, in whatever form the run likes.
    pub data: Vec<u8>,
}
