//! Which move to try first.
//!
//! Every move gets a 16-bit score and becomes one 32-bit key, score above move, so that ordering moves
//! is ordering integers ([maribor-2004]) and equal scores fall back to the moves' own numbers. The order is
//! therefore the same on every board, whatever order its generator has. Moves are picked one by
//! one, the best of the rest each time: most nodes cut off after a few.
//!
//! From the top: the table's move and the refutation line's; captures and promotions by victim and attacker;
//! killers; the rest by history and by steps towards the centre.

use arrayvec::ArrayVec;
use vidmar_chess::{Board, Color, Move, MoveList, Role, Square};

use crate::ordering_rules::{OrderingRule, OrderingRules};
use crate::value::MAX_PLY;

const FROM_TABLE: u16 = u16::MAX;
const FROM_REFUTATION: u16 = u16::MAX - 1;
const CAPTURES: u16 = 60_000;
const KILLERS: [u16; 2] = [59_000, 58_999];
/// History scores stay below this, static ones are added to them.
const HISTORY_LIMIT: u32 = 50_000;

/// The moves of a node, the most promising not yet taken first.
#[derive(Default)]
pub(crate) struct OrderedMoves {
    keys: ArrayVec<u32, 256>,
    next: usize,
}

impl OrderedMoves {
    /// The moves in an order given by the caller.
    pub(crate) fn in_order(moves: impl IntoIterator<Item = Move>) -> OrderedMoves {
        let keys: ArrayVec<u32, 256> = moves.into_iter().map(|m| u32::from(m.word())).collect();
        let count = keys.len() as u32;
        OrderedMoves {
            keys: keys
                .iter()
                .zip(0..)
                .map(|(key, i)| (count - i) << 16 | key)
                .collect(),
            next: 0,
        }
    }

    /// How many have not been taken.
    pub(crate) fn left(&self) -> usize {
        self.keys.len() - self.next
    }
}

impl Iterator for OrderedMoves {
    type Item = Move;

    #[inline]
    fn next(&mut self) -> Option<Move> {
        let rest = self.keys.get_mut(self.next..)?;
        let (best, _) = rest.iter().enumerate().max_by_key(|&(_, key)| *key)?;
        rest.swap(0, best);
        let key = rest[0];
        self.next += 1;
        Move::from_word(key as u16)
    }
}

/// Killers and history: what the search has learnt about moves.
pub(crate) struct MoveHistory {
    rules: OrderingRules,
    killers: Vec<[Option<Move>; 2]>,
    /// By side, origin and target.
    history: Vec<[[u32; 64]; 64]>,
}

impl MoveHistory {
    pub(crate) fn new(rules: OrderingRules) -> MoveHistory {
        MoveHistory {
            rules,
            killers: vec![[None; 2]; MAX_PLY + 2],
            history: vec![[[0; 64]; 64]; 2],
        }
    }

    /// Orders the moves of a node.
    #[inline]
    pub(crate) fn order<B: Board>(
        &self,
        board: &B,
        moves: &MoveList,
        ply: usize,
        table_move: Option<Move>,
        refutation: Option<Move>,
    ) -> OrderedMoves {
        let table_move = table_move.filter(|_| self.rules.has(OrderingRule::Table));
        let keys = moves
            .iter()
            .map(|&m| {
                let score = if Some(m) == table_move {
                    FROM_TABLE
                } else if Some(m) == refutation {
                    FROM_REFUTATION
                } else {
                    self.score(board, m, ply)
                };
                u32::from(score) << 16 | u32::from(m.word())
            })
            .collect();
        OrderedMoves { keys, next: 0 }
    }

    /// The killers of a ply; none where moves are not ordered by them.
    #[inline]
    pub(crate) fn killers(&self, ply: usize) -> [Option<Move>; 2] {
        if self.rules.has(OrderingRule::Killers) {
            self.killers[ply]
        } else {
            [None; 2]
        }
    }

    /// Orders captures alone: for quiescence.
    #[inline]
    pub(crate) fn order_captures<B: Board>(&self, board: &B, moves: &MoveList) -> OrderedMoves {
        let by_victim = self.rules.has(OrderingRule::MvvLva);
        let keys = moves
            .iter()
            .map(|&m| {
                let score = if by_victim {
                    capture_score(board, m).unwrap_or(0)
                } else {
                    0
                };
                u32::from(score) << 16 | u32::from(m.word())
            })
            .collect();
        OrderedMoves { keys, next: 0 }
    }

    #[inline]
    fn score<B: Board>(&self, board: &B, m: Move, ply: usize) -> u16 {
        if self.rules.has(OrderingRule::MvvLva)
            && let Some(score) = capture_score(board, m)
        {
            return CAPTURES + score;
        }
        if self.rules.has(OrderingRule::Killers) {
            for (killer, score) in self.killers[ply].iter().zip(KILLERS) {
                if *killer == Some(m) {
                    return score;
                }
            }
        }
        let mut score = 0;
        if self.rules.has(OrderingRule::History) {
            score += self.history[board.turn() as usize][m.from().index()][m.to().index()] as u16;
        }
        if self.rules.has(OrderingRule::Static) {
            score += towards_centre(m);
        }
        score
    }

    /// A quiet move has cut off at this ply and depth.
    #[inline]
    pub(crate) fn learn_cutoff(&mut self, turn: Color, m: Move, ply: usize, depth: u32) {
        let killers = &mut self.killers[ply];
        if killers[0] != Some(m) {
            killers[1] = killers[0];
            killers[0] = Some(m);
        }
        let entry = &mut self.history[turn as usize][m.from().index()][m.to().index()];
        *entry += depth * depth;
        if *entry >= HISTORY_LIMIT {
            self.history
                .iter_mut()
                .flatten()
                .flatten()
                .for_each(|score| *score /= 2);
        }
    }
}

/// Most valuable victim first, then the cheapest attacker; a queen for a pawn counts as a victim too.
/// Nothing for quiet moves and under-promotions.
#[inline]
fn capture_score<B: Board>(board: &B, m: Move) -> Option<u16> {
    let victim = if m.is_castling() {
        None
    } else if m.is_en_passant() {
        Some(Role::Pawn)
    } else {
        board.piece_at(m.to()).map(|piece| piece.role)
    };
    let attacker = board.piece_at(m.from()).map_or(0, |piece| piece.role as u16);
    let promoted = match m.promotion() {
        Some(promotion) if promotion.role() == Role::Queen => 8 * (Role::Queen as u16 + 1),
        _ => 0,
    };
    match victim {
        Some(role) => Some(promoted + 8 * (role as u16 + 1) + 7 - attacker),
        None if promoted > 0 => Some(promoted),
        None => None,
    }
}

/// 0 to 12: 6 and what the move gains in nearness to the centre.
#[inline]
fn towards_centre(m: Move) -> u16 {
    if m.is_castling() {
        return 6;
    }
    (6 + centrality(m.to()) - centrality(m.from())) as u16
}

#[inline]
fn centrality(square: Square) -> i32 {
    let from_edge = |line: i32| line.min(7 - line);
    from_edge(square.file() as i32) + from_edge(square.rank() as i32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::{BitboardBoard, Position};

    fn ordered(fen: &str, move_history: &MoveHistory, table_move: Option<&str>) -> Vec<String> {
        let position: Position = fen.parse().expect("a legal position");
        let board = BitboardBoard::new(&position);
        let table_move = table_move.map(|text| position.parse_uci(text).expect("a legal move"));
        move_history
            .order(&board, &board.legal_moves(), 0, table_move, None)
            .map(|m| format!("{m:?}"))
            .collect()
    }

    // The white queen may take a rook or a pawn, the pawn c4 the rook; quiet moves beside.
    const FEN: &str = "4k3/8/8/3r3p/2P5/3Q4/8/4K3 w - - 0 1";

    #[test]
    fn captures_come_by_victim_then_attacker() {
        let move_history = MoveHistory::new(OrderingRules::NONE.with(OrderingRule::MvvLva));
        let moves = ordered(FEN, &move_history, None);
        assert_eq!(moves[..2], ["c4d5", "d3d5"]);
    }

    #[test]
    fn the_table_move_comes_first_and_killers_after_captures() {
        let mut move_history = MoveHistory::new(OrderingRules::ALL);
        let killer = Move::normal(Square::E1, Square::F1);
        move_history.learn_cutoff(Color::White, killer, 0, 3);
        let moves = ordered(FEN, &move_history, Some("e1d1"));
        assert_eq!(moves[..4], ["e1d1", "c4d5", "d3d5", "e1f1"]);
    }

    #[test]
    fn history_counts_depth_squared_and_never_overflows() {
        let mut move_history = MoveHistory::new(OrderingRules::NONE.with(OrderingRule::History));
        let (often, deep) = (
            Move::normal(Square::E1, Square::F1),
            Move::normal(Square::E1, Square::D1),
        );
        for _ in 0..5 {
            move_history.learn_cutoff(Color::White, often, 0, 1);
        }
        move_history.learn_cutoff(Color::White, deep, 0, 3);
        assert_eq!(ordered(FEN, &move_history, None)[..2], ["e1d1", "e1f1"]);
        for _ in 0..1000 {
            move_history.learn_cutoff(Color::White, often, 0, 100);
        }
        assert_eq!(ordered(FEN, &move_history, None)[0], "e1f1");
    }

    #[test]
    fn without_rules_moves_come_by_their_numbers() {
        let move_history = MoveHistory::new(OrderingRules::NONE);
        let position: Position = FEN.parse().expect("a legal position");
        let board = BitboardBoard::new(&position);
        let keys: Vec<u16> = move_history
            .order(&board, &board.legal_moves(), 0, None, None)
            .map(Move::word)
            .collect();
        assert!(keys.is_sorted_by(|a, b| a > b));
    }
}
