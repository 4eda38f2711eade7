//! When a game ends before the rules of chess end it.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::ending::Ending;
use crate::tablebases::TablebaseRule;

/// A side is lost in the eyes of the players.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// How far behind the loser must see itself, in hundredths of a pawn.
    pub score: i32,
    /// In how many of its moves in a row.
    pub moves: u32,
    /// Whether the winner must see the same lead in as many of its own.
    pub two_sided: bool,
}

/// The game is level in the eyes of both players.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// Not before so many moves of each side.
    pub from_move: u32,
    /// In how many moves of each side in a row.
    pub moves: u32,
    /// How far from level a score may be, in hundredths of a pawn.
    pub score: i32,
}

/// As match runners write it: `movenumber=40 movecount=8 score=10`.
impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DrawRule {
            from_move,
            moves,
            score,
        } = self;
        write!(f, "movenumber={from_move} movecount={moves} score={score}")
    }
}

/// How games are ended early. The default is to play on to the end.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// Whose rules end a game that is played to its end.
    pub ending: Ending,
    /// Lost games.
    pub resign: Option<ResignRule>,
    /// Level games.
    pub draw: Option<DrawRule>,
    /// A game of so many moves of each side, the opening's included, is drawn.
    pub max_moves: Option<u32>,
    /// Known endings.
    pub tablebases: Option<TablebaseRule>,
}

impl Rules {
    /// The games of the published tuning ([boskovic-2010]): a side wins when it sees itself more than four pawns
    /// ahead and its opponent agrees; 150 moves are a draw. (Tablebases are added where there are some.)
    pub fn published() -> Rules {
        Rules {
            resign: Some(ResignRule {
                // "More than 400" in whole numbers.
                score: 401,
                moves: 1,
                two_sided: true,
            }),
            max_moves: Some(150),
            ..Rules::default()
        }
    }
}
