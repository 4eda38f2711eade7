//! When a game ends before the rules of chess end it.

use std::fmt;
use std::sync::Arc;

use vidmar_chess::Position;
use vidmar_tablebases::{Tablebases, Wdl};

use crate::ending::Ending;

/// A side is lost in the eyes of the players.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ResignRule {
    /// How far behind the loser must see itself, in hundredths of a pawn.
    pub score: i32,
    /// In how many of its moves in a row.
    pub moves: u32,
    /// Whether the winner must see the same lead in as many of its own.
    pub two_sided: bool,
}

/// The game is level in the eyes of both players.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// Not before so many moves of each side.
    pub from_move: u32,
    /// In how many moves of each side in a row.
    pub moves: u32,
    /// How far from level a score may be, in hundredths of a pawn.
    pub score: i32,
}

/// Somebody who knows how positions end: tablebases.
pub trait TablebaseProbe: Send + Sync {
    /// The result of perfect play under the 50-move rule, if it is known.
    fn verdict(&self, position: &Position) -> Option<Wdl>;
}

impl TablebaseProbe for Tablebases {
    /// Only just after a capture or pawn move: later, the 50-move rule may be nearer than the win. A game enters the
    /// tablebases by a capture or promotion, so nothing is missed.
    fn verdict(&self, position: &Position) -> Option<Wdl> {
        (position.halfmoves() == 0)
            .then(|| self.wdl_by_rule(position))
            .flatten()
    }
}

/// How games are ended early, and what a fault does. The default is to play on to the end, and to score no game that a
/// fault has ended.
#[derive(Clone, Default)]
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
    pub verdicts: Option<Arc<dyn TablebaseProbe>>,
    /// Whether the side that commits a fault loses: a fallen flag, a crash, an illegal move.
    pub faults_lose: bool,
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

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Rules")
            .field("ending", &self.ending)
            .field("resign", &self.resign)
            .field("draw", &self.draw)
            .field("max_moves", &self.max_moves)
            .field("verdicts", &self.verdicts.is_some())
            .field("faults_lose", &self.faults_lose)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bases_speak_when_the_clock_has_just_been_set_back() {
        let tablebases = Tablebases::built_in();
        let verdict = |fen: &str| tablebases.verdict(&fen.parse().expect("legal"));
        assert_eq!(verdict("4k3/8/4K3/4P3/8/8/8/8 b - - 0 1"), Some(Wdl::Loss));
        assert_eq!(verdict("k7/8/1K6/P7/8/8/8/8 w - - 0 1"), Some(Wdl::Draw));
        assert_eq!(verdict("4k3/8/4K3/4P3/8/8/8/8 b - - 3 1"), None);
        assert_eq!(verdict("8/8/8/8/3k4/8/8/KQ6 w - - 0 1"), None, "not built in");
    }
}
