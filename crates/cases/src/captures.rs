//! More cases from clearly good captures: the same move on varied boards.
//!
//! A capture that wins at least [`CLEARLY`] by exchange of pieces is good whatever else stands on the board, so it is
//! a case on every board on which it still wins that much. The varied boards lack one to three pieces that have no part in
//! the move; which, is drawn from the game's index and the ply. The published work names the idea; the
//! threshold and the variations are ours.

use rayon::prelude::*;
use vidmar_chess::{Bitboard, Move, Position, Role, SIMPLE_VALUES, Square};

use crate::base::CaseBase;
use crate::board::CaseBoard;
use crate::case_move::CaseMove;
use crate::list::Origin;
use vidmar_rng::Rng;

/// What a capture must win, in hundredths of a pawn: a minor piece for a pawn.
pub const CLEARLY: i32 = 200;
/// The most pieces that a variation lacks.
const MOST_MISSING: usize = 3;
/// Draws for a variation before it is given up.
const TRIALS: usize = 8;

impl CaseBase {
    /// The base with so many variations on every clearly good capture added at the end.
    pub fn with_varied_captures(&self, variations: usize) -> CaseBase {
        let mut base = self.clone();
        if variations == 0 {
            return base;
        }
        let made: Vec<Vec<(CaseBoard, CaseMove, u32)>> = self
            .games()
            .par_iter()
            .enumerate()
            .map(|(index, game)| {
                let mut made = Vec::new();
                game.visit_expert_moves(|position, m, ply| {
                    if is_clearly_good(position, m) {
                        let mut rng = Rng::new(0, b"cbr vary", index as u64, u64::from(ply));
                        let boards = (0..variations).filter_map(|_| varied(position, m, &mut rng));
                        made.extend(boards.map(|board| (board, m.into(), ply)));
                    }
                });
                made
            })
            .collect();
        for (index, (game, made)) in self.games().iter().zip(made).enumerate() {
            for (board, m, ply) in made {
                let game_index = index as u32;
                let origin = Origin::Varied {
                    game: game_index,
                    ply,
                };
                base.list_mut(game.expert()).push(&board, m, origin);
            }
        }
        base
    }
}

fn is_clearly_good(position: &Position, m: Move) -> bool {
    position.is_capture(m) && !m.is_en_passant() && position.see_ge(m, CLEARLY, &SIMPLE_VALUES)
}

/// The board with some pieces less on which the capture is legal and as good; none if the draws find none.
fn varied(position: &Position, m: Move, rng: &mut Rng) -> Option<CaseBoard> {
    let part: Bitboard = [m.from(), m.to()].into_iter().collect();
    let others: Vec<Square> = (position.occupied() & !position.role(Role::King) & !part)
        .into_iter()
        .collect();
    for _ in 0..TRIALS {
        let mut setup = position.setup();
        setup.castling = Bitboard::EMPTY;
        setup.en_passant = None;
        for _ in 0..=rng.index(MOST_MISSING) {
            if !others.is_empty() {
                setup.board[others[rng.index(others.len())].index()] = None;
            }
        }
        if let Ok(varied) = setup.position()
            && varied.is_legal(m)
            && is_clearly_good(&varied, m)
        {
            return Some(CaseBoard::new(&varied));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::build::build;
    use crate::names::PlayerName;
    use crate::similarity::WHOLE;
    use vidmar_chess::Color;

    #[test]
    fn a_won_queen_is_a_case_on_other_boards() {
        // 3. Bxd8 wins a queen for a bishop.
        let pgn = "[White \"Expert\"]\n[Black \"Other\"]\n\n1. d4 d5 2. Bg5 e6 3. Bxd8 Kxd8 4. e3 *";
        let files = [("pgn".to_owned(), pgn.as_bytes().to_vec())];
        let (base, _) = build(&files, &PlayerName::new("Expert").unwrap()).unwrap();
        let more = base.with_varied_captures(5);
        let (old, new) = (base.list(Color::White), more.list(Color::White));
        assert_eq!((old.len(), new.len()), (4, 9));
        for index in old.len()..new.len() {
            assert_eq!(new.solution(index).to_string(), "g5d8");
            assert_eq!(new.origin(index), Origin::Varied { game: 0, ply: 4 });
            let similarity = new.board(index).similarity(&old.board(2));
            // One to three squares that only one board has occupied.
            assert!((WHOLE - 6..=WHOLE - 2).contains(&similarity), "{similarity}");
        }
        assert_eq!(base.with_varied_captures(0).len(), base.len());
        assert_eq!(more.list(Color::Black).len(), 0);
    }

    #[test]
    fn a_promotion_wins_much_and_takes_nothing() {
        let pgn = "[White \"Expert\"]\n[Black \"Other\"]\n[SetUp \"1\"]\n\
            [FEN \"8/4P1k1/8/8/3n4/8/1K6/8 w - - 0 1\"]\n\n1. e8=Q *";
        let files = [("pgn".to_owned(), pgn.as_bytes().to_vec())];
        let (base, _) = build(&files, &PlayerName::new("Expert").unwrap()).unwrap();
        assert_eq!(base.with_varied_captures(5).len(), base.len());
    }
}
