//! A game so far: where it began and what was played, so that repetitions can be seen.

use vidmar_chess::{Board, Move, Position, UciMoveError};

/// A start position and the moves since.
///
/// ```
/// use vidmar_chess::{BitboardBoard, Board, Position};
/// use vidmar_engine::Game;
/// let mut game = Game::new(Position::default());
/// for m in ["g1f3", "g8f6", "f3g1", "f6g8"] {
///     game.play_uci(m)?;
/// }
/// assert_eq!(game.board::<BitboardBoard>().occurrences(), 2);
/// # Ok::<(), vidmar_chess::UciMoveError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Game {
    start: Position,
    moves: Vec<Move>,
    now: Position,
}

impl Game {
    /// A game that begins.
    pub fn new(start: Position) -> Game {
        Game {
            now: start.clone(),
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
        &self.now
    }

    /// Plays a legal move.
    pub fn play(&mut self, m: Move) {
        self.now.play(m);
        self.moves.push(m);
    }

    /// Plays a move in UCI notation, castling in either form.
    pub fn play_uci(&mut self, text: &str) -> Result<Move, UciMoveError> {
        let m = self.now.parse_uci(text)?;
        self.play(m);
        Ok(m)
    }

    /// The game on a board, with its past.
    pub fn board<B: Board>(&self) -> B {
        let mut board = B::new(&self.start);
        for &m in &self.moves {
            board.make(m);
        }
        board
    }
}

impl From<Position> for Game {
    fn from(start: Position) -> Game {
        Game::new(start)
    }
}
