//! Static exchange evaluation: what a capture wins once both sides have taken back on its square as long
//! as it pays.
//!
//! Each side takes with its cheapest piece; pieces behind join when those before them have left; the
//! king takes only what nothing guards any more. Pins are not looked at.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::bitboards::en_passant_victim;
use crate::color::Color;
use crate::moves::{Move, MoveKind};
use crate::piece::Role;
use crate::position::Position;
use crate::square::Square;

/// What the roles are worth in an exchange, pawn to king.
pub type SeeValues = [i32; 6];

/// The values of the simple evaluation.
pub const SIMPLE_VALUES: SeeValues = [100, 300, 300, 500, 900, 20_000];

impl Position {
    /// The material that a legal move wins (or loses, if negative) on its target square, for the
    /// side to move.
    pub fn see(&self, m: Move, values: &SeeValues) -> i32 {
        let Some(start) = Exchange::after(self, m, values) else {
            return 0;
        };
        // gains[i]: what the i-th capture brings its side if the sequence stops there.
        let mut gains = [0; 32];
        gains[0] = start.gain;
        let mut last = 0;
        let mut on_square = start.on_square;
        let mut attackers = Attackers::new(self, start.square, start.occupied, !self.turn());
        while last < 31
            && let Some(role) = attackers.next_cheapest(self)
        {
            last += 1;
            gains[last] = on_square - gains[last - 1];
            on_square = values[role as usize];
        }
        // Backwards: nobody takes when standing still is better.
        while last > 0 {
            gains[last - 1] = -i32::max(-gains[last - 1], gains[last]);
            last -= 1;
        }
        gains[0]
    }

    /// Whether [`see`](Position::see) gives at least `threshold`; usually known after a capture or two.
    pub fn see_ge(&self, m: Move, threshold: i32, values: &SeeValues) -> bool {
        let Some(start) = Exchange::after(self, m, values) else {
            return threshold <= 0;
        };
        // From here `balance` is what the side that has just taken stands above the threshold.
        let mut balance = start.gain - threshold;
        if balance < 0 {
            return false;
        }
        balance -= start.on_square;
        if balance >= 0 {
            return true;
        }
        let mut attackers = Attackers::new(self, start.square, start.occupied, !self.turn());
        // Whether the side that made the move is content if the sequence stops now.
        let mut content = true;
        loop {
            let Some(role) = attackers.next_cheapest(self) else {
                return content;
            };
            content = !content;
            balance = -balance - 1 - values[role as usize];
            if balance >= 0 {
                // Even if the piece is lost the taker stands well; a king that would be taken back never took.
                return content;
            }
        }
    }
}

/// The state after the move itself.
struct Exchange {
    square: Square,
    occupied: Bitboard,
    gain: i32,
    on_square: i32,
}

impl Exchange {
    fn after(position: &Position, m: Move, values: &SeeValues) -> Option<Exchange> {
        let mover = position.role_at(m.from())?;
        let value = |role: Role| values[role as usize];
        let taken = position.captured(m).map_or(0, value);
        let mut occupied = position.occupied().without(m.from()).with(m.to());
        let (gain, on_square) = match m.kind() {
            MoveKind::Castling => return None,
            MoveKind::Normal => (taken, value(mover)),
            MoveKind::EnPassant => {
                occupied = occupied.without(en_passant_victim(m.from(), m.to()));
                (taken, value(mover))
            }
            MoveKind::Promotion(promotion) => {
                let new = value(promotion.role());
                (taken + new - value(Role::Pawn), new)
            }
        };
        Some(Exchange {
            square: m.to(),
            occupied,
            gain,
            on_square,
        })
    }
}

/// The pieces that can still take on the square, those behind others found as these leave.
struct Attackers {
    square: Square,
    occupied: Bitboard,
    all: Bitboard,
    turn: Color,
}

impl Attackers {
    fn new(position: &Position, square: Square, occupied: Bitboard, turn: Color) -> Attackers {
        Attackers {
            square,
            occupied,
            all: position.attackers_to(square, occupied) & occupied,
            turn,
        }
    }

    /// Takes with the cheapest piece of the side whose turn it is.
    fn next_cheapest(&mut self, position: &Position) -> Option<Role> {
        let own = self.all & position.color(self.turn);
        for role in Role::ALL {
            let Some(from) = (own & position.role(role)).first() else {
                continue;
            };
            if role == Role::King && (self.all & position.color(!self.turn)).any() {
                return None;
            }
            self.occupied = self.occupied.without(from);
            self.add_uncovered(position, role);
            self.all &= self.occupied;
            self.turn = !self.turn;
            return Some(role);
        }
        None
    }

    fn add_uncovered(&mut self, position: &Position, role: Role) {
        let queens = position.role(Role::Queen);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            self.all |= attacks::bishop(self.square, self.occupied) & (position.role(Role::Bishop) | queens);
        }
        if matches!(role, Role::Rook | Role::Queen) {
            self.all |= attacks::rook(self.square, self.occupied) & (position.role(Role::Rook) | queens);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by plain recursion: the side to move may take with its cheapest piece, or stop.
    fn by_recursion(
        position: &Position,
        square: Square,
        occupied: Bitboard,
        turn: Color,
        on_square: i32,
        values: &SeeValues,
    ) -> i32 {
        let all = position.attackers_to(square, occupied) & occupied;
        let own = all & position.color(turn);
        for role in Role::ALL {
            let Some(from) = (own & position.role(role)).first() else {
                continue;
            };
            if role == Role::King && (all & position.color(!turn)).any() {
                return 0;
            }
            let reply = by_recursion(
                position,
                square,
                occupied.without(from),
                !turn,
                values[role as usize],
                values,
            );
            return i32::max(0, on_square - reply);
        }
        0
    }

    /// Fens from games, with many captures in them.
    const POSITIONS: [&str; 6] = [
        "1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1",
        "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "rnbqkb1r/pp1p1ppp/2p5/4P3/2B5/8/PPP1NnPP/RNBQK2R w KQkq - 0 1",
        "r1bq1rk1/pp2ppbp/2np1np1/8/2BNP3/2N1BP2/PPPQ2PP/R3K2R b KQ - 0 9",
    ];

    #[test]
    fn known_exchanges() {
        let value = |fen: &str, san: &str| {
            let position: Position = fen.parse().expect("legal");
            position.see(position.parse_san(san).expect("legal"), &SIMPLE_VALUES)
        };
        assert_eq!(value(POSITIONS[0], "Rxe5"), 100);
        assert_eq!(value(POSITIONS[1], "Nxe5"), -200);
    }

    #[test]
    fn equals_recursion_and_its_threshold_form() {
        let mut checked = 0;
        for fen in POSITIONS {
            let mut position: Position = fen.parse().expect("legal");
            for round in 0..40_usize {
                for m in position.legal_moves() {
                    let Some(start) = Exchange::after(&position, m, &SIMPLE_VALUES) else {
                        continue;
                    };
                    let turn = !position.turn();
                    let reply = by_recursion(
                        &position,
                        start.square,
                        start.occupied,
                        turn,
                        start.on_square,
                        &SIMPLE_VALUES,
                    );
                    let exact = position.see(m, &SIMPLE_VALUES);
                    assert_eq!(exact, start.gain - reply, "{m:?} in {position}");
                    for threshold in [exact - 1, exact, exact + 1, -50, 0, 50] {
                        assert_eq!(
                            position.see_ge(m, threshold, &SIMPLE_VALUES),
                            exact >= threshold,
                            "{m:?} in {position}: {exact} against {threshold}"
                        );
                    }
                    checked += 1;
                }
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[round * 7 % moves.len()]);
            }
        }
        assert!(checked > 4000, "{checked}");
    }
}
