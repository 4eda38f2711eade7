//! Games for tests: random moves, scored by the pieces on the board.

use vidmar_chess::{Color, Outcome, Position, Role, Score};
use vidmar_rng::Rng;
use vidmar_train::packed::{PackedGame, PackedMove};

/// Pieces of the side to move less those of the other, in hundredths of a pawn.
pub(crate) fn material(position: &Position) -> i32 {
    let of = |color| -> i32 {
        let values = [
            (Role::Pawn, 100),
            (Role::Knight, 300),
            (Role::Bishop, 300),
            (Role::Rook, 500),
            (Role::Queen, 900),
        ];
        values
            .iter()
            .map(|&(role, value)| value * position.pieces(color, role).len() as i32)
            .sum()
    };
    of(position.turn()) - of(!position.turn())
}

/// A game of random moves; whoever has more pieces in the end has won.
pub(crate) fn random_game(seed: u64) -> PackedGame {
    let mut rng = Rng::new(seed, b"tests---", 0, 0);
    let mut now = Position::default();
    let (mut opening, mut moves) = (Vec::new(), Vec::new());
    let plies = 60 + rng.index(60);
    for ply in 0..plies {
        let Some(&m) = rng.pick(&now.legal_moves()) else {
            break;
        };
        if ply < 8 {
            opening.push(m);
        } else {
            let score = Some(Score::Centipawns(material(&now))).into();
            moves.push(PackedMove { m, score });
        }
        now.play(m);
    }
    let balance = material(&now) * if now.turn() == Color::White { 1 } else { -1 };
    let outcome = match balance {
        0 => Outcome::Draw,
        1.. => Outcome::WHITE_WINS,
        _ => Outcome::BLACK_WINS,
    };
    PackedGame {
        start: Position::default(),
        opening,
        moves,
        outcome: Some(outcome),
    }
}
