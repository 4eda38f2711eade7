//! The moves of a position by what the tablebases say of them: what may be played, and what keeps the result.

use vidmar_chess::{Board, Move, Position, Role};

use crate::tablebases::Tablebases;
use crate::wdl::Wdl;

/// A move with what it leads to.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ClassifiedMove {
    /// The move.
    pub m: Move,
    /// What it is worth to the side that makes it, without the 50-move rule.
    pub value: Wdl,
    /// Plies from here, this move included, to the next capture or pawn move that keeps the result: positive for a win,
    /// negative for a loss, beyond ±100 where the 50-move rule makes a draw of it. A rounded one is rounded up. Only
    /// with Syzygy's distances.
    pub dtz: Option<i32>,
}

/// The moves that keep the result of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keeping {
    /// The result for the side to move, by the 50-move rule where the distances are known.
    pub value: Wdl,
    /// The moves, at least one.
    pub moves: Vec<Move>,
    /// Whether they were chosen by distance. Then repeating the choice makes progress; otherwise progress must be sought
    /// among them.
    pub by_distance: bool,
}

/// Whether a position of the game has occurred twice since the last capture or pawn move: then to choose freely among
/// winning moves may go round in circles.
pub fn has_repeated<B: Board>(board: &B) -> bool {
    let mut board = board.clone();
    let plies = usize::from(board.halfmoves()).min(board.history().plies());
    (0..=plies).any(|_| {
        let repeated = board.occurrences() > 1;
        board.unmake();
        repeated
    })
}

/// Plies without capture or pawn move that draw.
const FIFTY_MOVES: i32 = 100;
/// The rank of a win for certain; every other rank is nearer to 0.
const CERTAIN: i32 = 1000;

impl Tablebases {
    /// Every legal move with its value; none if one of them leads out of the tablebases.
    pub fn classify_moves(&self, position: &Position) -> Option<Vec<ClassifiedMove>> {
        if position.occupied().len() as usize > self.max_pieces() || position.castling().any() {
            return None;
        }
        let classify = |m: Move| {
            let mut after = position.clone();
            after.play(m);
            Some(ClassifiedMove {
                m,
                value: -self.wdl(&after)?,
                dtz: self.distance(position, m, &after),
            })
        };
        position.legal_moves().into_iter().map(classify).collect()
    }

    /// The same, the best first: of wins the sooner, of losses the later.
    pub fn ranked_moves(&self, position: &Position) -> Option<Vec<ClassifiedMove>> {
        let mut moves = self.classify_moves(position)?;
        let sooner = |dtz: i32| if dtz > 0 { -dtz } else { dtz.abs() };
        moves.sort_by_key(|classified| std::cmp::Reverse((classified.value, classified.dtz.map(sooner))));
        Some(moves)
    }

    /// The distance of a move from the position before it.
    fn distance(&self, before: &Position, m: Move, after: &Position) -> Option<i32> {
        if !self.has_distances() {
            return None;
        }
        if after.in_check() && after.count_legal_moves() == 0 {
            return Some(1);
        }
        if before.is_capture(m) || before.role_at(m.from()) == Some(Role::Pawn) {
            // The clock is at 0 after it: what counts is only whether it wins by the rule.
            let (by_rule, value) = (self.wdl_by_rule(after)?, self.wdl(after)?);
            let plies = if by_rule == value { 1 } else { FIFTY_MOVES + 1 };
            return Some(-value.signum() * plies);
        }
        let distance = self.dtz(after)?;
        let rounding = i32::from(distance.is_rounded);
        Some(-distance.plies - distance.plies.signum() * (1 + rounding))
    }

    /// The moves that keep the result, of those allowed.
    ///
    /// With distances, a win is kept by the 50-move rule as well: all moves that win for certain are left, seeing that
    /// some plies have passed since the last capture or pawn move; if none does, or the game [has
    /// repeated](has_repeated) a position, only the shortest. In a lost position that the rule may save, only the longest are left.
    pub fn keeping(&self, position: &Position, allowed: &[Move], repeated: bool) -> Option<Keeping> {
        let mut classified = self.classify_moves(position)?;
        classified.retain(|classified| allowed.contains(&classified.m));
        let clock = i32::from(position.halfmoves());
        let distances: Option<Vec<i32>> = classified.iter().map(|classified| classified.dtz).collect();
        let ranks: Vec<i32> = match &distances {
            Some(distances) => distances.iter().map(|&dtz| rank(dtz, clock, repeated)).collect(),
            None => classified
                .iter()
                .map(|classified| classified.value.signum() * CERTAIN)
                .collect(),
        };
        let best = *ranks.iter().max()?;
        let moves = classified.iter().zip(&ranks).filter(|(_, rank)| **rank == best);
        Some(Keeping {
            value: match best {
                _ if best >= CERTAIN - FIFTY_MOVES => Wdl::Win,
                _ if best <= FIFTY_MOVES - CERTAIN => Wdl::Loss,
                _ => Wdl::Draw,
            },
            moves: moves.map(|(classified, _)| classified.m).collect(),
            by_distance: distances.is_some(),
        })
    }
}

/// The worth of a move with this distance: certain wins are equal, uncertain ones the better the shorter; certain losses are
/// equal, those that the rule may save the better the longer.
fn rank(dtz: i32, clock: i32, repeated: bool) -> i32 {
    let plies = dtz.abs() + clock;
    match dtz.signum() {
        0 => 0,
        1 if plies < FIFTY_MOVES && !repeated => CERTAIN,
        1 => (CERTAIN - plies).max(1),
        // The winner need not play the shortest way: half of the rest is the chance.
        _ if 2 * -dtz + clock < FIFTY_MOVES => -CERTAIN,
        _ => (plies - CERTAIN).min(-1),
    }
}
