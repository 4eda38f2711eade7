//! A game so far: where it began, what was played, and the board on which it stands.

use crate::bitboard_board::BitboardBoard;
use crate::board::Board;
use crate::moves::Move;
use crate::position::Position;
use crate::uci::UciMoveError;

/// A start position, the moves since, and the board after them with its history: repetitions and the end of the game
/// are known without playing it again.
///
/// ```
/// use vidmar_chess::{Board, Game, Position, Termination};
/// let mut game = Game::new(Position::default());
/// for m in ["g1f3", "g8f6", "f3g1", "f6g8", "g1f3", "g8f6", "f3g1", "f6g8"] {
///     game.play_uci(m)?;
/// }
/// assert_eq!(game.board().occurrences(), 3);
/// assert_eq!(game.board().termination(), None);
/// assert_eq!(game.board().termination_with_claims(), Some(Termination::ThreefoldRepetition));
/// # Ok::<(), vidmar_chess::UciMoveError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    /// The start after the moves, always.
    board: BitboardBoard,
}

impl Game {
    /// A game that begins.
    pub fn new(start: Position) -> Game {
        Game {
            board: BitboardBoard::new(&start),
            start,
            moves: Vec::new(),
        }
    }

    /// Where it began.
    pub fn start(&self) -> &Position {
        &self.start
    }

    /// What was played.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// Where it stands.
    pub fn position(&self) -> &Position {
        self.board.current()
    }

    /// Where it stands, with its history. For other boards see [`Board::of_game`].
    pub fn board(&self) -> &BitboardBoard {
        &self.board
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.board.make(m);
        self.moves.push(m);
    }

    /// Plays a move in UCI notation, castling in either form.
    pub fn play_uci(&mut self, text: &str) -> Result<Move, UciMoveError> {
        let m = self.position().parse_uci(text)?;
        self.play(m);
        Ok(m)
    }

    /// Takes the last move back, if there is one.
    pub fn take_back(&mut self) -> Option<Move> {
        let last = self.moves.pop()?;
        self.board.unmake();
        Some(last)
    }
}

impl Default for Game {
    fn default() -> Game {
        Game::new(Position::default())
    }
}

impl From<Position> for Game {
    fn from(start: Position) -> Game {
        Game::new(start)
    }
}
