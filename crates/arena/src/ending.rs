//! When the rules of a game end it: those of chess, or those of the study of case-based players in
//! [qvarford-2015].

use std::collections::HashMap;

use serde::{Deserialize, Serialize};
use vidmar_chess::{BitboardBoard, Board, Key, Position, Role, Termination};

/// Whose rules end a game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ending {
    /// Chess, with draws claimed at once.
    #[default]
    Chess,
    /// The published study's: mate, stalemate, the third occurrence of the board alone (whoever is to move, whatever the
    /// rights), 50 moves of each side without a pawn move, captures or not. Nothing else: bare kings play on.
    Study,
}

/// Plies of 50 moves.
const FIFTY_MOVES: u32 = 100;

/// What the study's rules must remember of a game.
#[derive(Debug)]
pub(crate) struct StudyMemory {
    boards: HashMap<Key, u32>,
    /// How often the present board has been there.
    occurrences: u32,
    without_pawn_move: u32,
}

impl StudyMemory {
    pub(crate) fn new(start: &Position) -> StudyMemory {
        let mut memory = StudyMemory {
            boards: HashMap::new(),
            occurrences: 0,
            without_pawn_move: 0,
        };
        memory.note(start, true);
        memory
    }

    /// A move has led to a position.
    pub(crate) fn note(&mut self, position: &Position, by_pawn: bool) {
        self.without_pawn_move = if by_pawn { 0 } else { self.without_pawn_move + 1 };
        let count = self.boards.entry(board_key(position)).or_default();
        *count += 1;
        self.occurrences = *count;
    }

    pub(crate) fn termination(&self, board: &BitboardBoard) -> Option<Termination> {
        match board.termination() {
            Some(over @ (Termination::Checkmate { .. } | Termination::Stalemate)) => Some(over),
            _ if self.occurrences >= 3 => Some(Termination::ThreefoldRepetition),
            _ if self.without_pawn_move >= FIFTY_MOVES => Some(Termination::FiftyMoves),
            _ => None,
        }
    }
}

/// The key of what stands where.
fn board_key(position: &Position) -> Key {
    let rights = Key::castling(position.castling(), position.role(Role::King));
    let passed = position
        .en_passant()
        .map_or_else(Key::default, |square| Key::en_passant(square.file()));
    position.key() ^ Key::turn(position.turn()) ^ rights ^ passed
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terminations_after(fen: &str, moves: &[&str]) -> (Option<Termination>, Option<Termination>) {
        let start: Position = fen.parse().unwrap();
        let mut board = BitboardBoard::new(&start);
        let mut memory = StudyMemory::new(&start);
        for text in moves {
            assert_eq!(memory.termination(&board), None);
            let m = board.position().parse_uci(text).unwrap();
            let by_pawn = board.position().role_at(m.from()) == Some(Role::Pawn);
            board.make(m);
            memory.note(&board.position(), by_pawn);
        }
        (memory.termination(&board), board.termination_with_claims())
    }

    #[test]
    fn the_board_alone_counts() {
        // The castling rights are lost on the way: the board is the same three times, the position only twice.
        let start = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let dance = ["h1g1", "e8d8", "g1h1", "d8e8"];
        let (study, chess) = terminations_after(start, &[dance, dance].concat());
        assert_eq!((study, chess), (Some(Termination::ThreefoldRepetition), None));
        // And so it is with the other side to move: a triangle loses a move.
        let (study, _) = terminations_after(
            "8/8/8/3k4/8/8/8/K6R w - - 0 1",
            &[
                "a1b1", "d5d6", "b1a2", "d6d5", "a2a1", "d5d6", "a1b1", "d6d5", "b1a1",
            ],
        );
        assert_eq!(study, Some(Termination::ThreefoldRepetition));
    }

    #[test]
    fn captures_are_no_progress_and_bare_kings_play_on() {
        let (study, chess) = terminations_after("8/8/8/3k4/3R4/8/8/K7 b - - 0 1", &["d5d4"]);
        assert_eq!((study, chess), (None, Some(Termination::InsufficientMaterial)));
        let mut memory = StudyMemory::new(&Position::default());
        let board = BitboardBoard::new(&Position::default());
        for ply in 0..FIFTY_MOVES {
            memory.occurrences = 1;
            assert_eq!(memory.termination(&board), None, "{ply}");
            memory.boards.clear();
            memory.note(&board.position(), false);
        }
        assert_eq!(memory.termination(&board), Some(Termination::FiftyMoves));
    }
}
