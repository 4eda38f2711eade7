//! What tablebases say of a position and of each of its moves.

use serde::Serialize;
use ts_rs::TS;
use vidmar_chess::Position;
use vidmar_tablebases::Tablebases;

use crate::position::MoveText;

/// What tablebases say of a position, for the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(optional_fields)]
pub struct TablebaseInfo {
    /// `win`, `draw` or `loss`, without the 50-move rule.
    pub value: &'static str,
    /// Plies to the next capture or pawn move that keeps the result; beyond ±100 the 50-move rule makes a draw of it. Only with
    /// Syzygy's distances.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtz: Option<i32>,
    /// Every legal move, the best first.
    pub moves: Vec<TablebaseMove>,
}

/// What a move is worth to the side that makes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, TS)]
#[ts(optional_fields)]
pub struct TablebaseMove {
    /// The move.
    #[serde(flatten)]
    pub text: MoveText,
    /// `win`, `draw` or `loss`, without the 50-move rule.
    pub value: &'static str,
    /// Plies from here, this move included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dtz: Option<i32>,
}

/// Whether it is worth asking: anything else is answered without looking into files.
pub(crate) fn may_hold(tablebases: &Tablebases, position: &Position) -> bool {
    position.occupied().len() as usize <= tablebases.max_pieces() && position.castling().is_empty()
}

/// None if there is no tablebase of this ending or of one that a move leads to, or no legal move.
pub(crate) fn look_up(tablebases: &Tablebases, position: &Position) -> Option<TablebaseInfo> {
    let moves = tablebases.ranked_moves(position)?;
    if moves.is_empty() {
        return None;
    }
    Some(TablebaseInfo {
        value: tablebases.wdl(position)?.name(),
        dtz: tablebases.dtz(position).map(|distance| distance.plies),
        moves: moves
            .iter()
            .map(|classified| TablebaseMove {
                text: MoveText::new(position, classified.m),
                value: classified.value.name(),
                dtz: classified.dtz,
            })
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_built_in_ending_is_known_move_by_move() {
        let tablebases = Tablebases::built_in();
        let look = |fen: &str| {
            let position: Position = fen.parse().expect("a position");
            let found = may_hold(&tablebases, &position).then(|| look_up(&tablebases, &position));
            found.flatten()
        };
        // White must take the opposition: one move wins, the others draw.
        let found = look("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1").expect("king and pawn against king");
        assert_eq!(found.value, "win");
        let wins: Vec<&str> = found
            .moves
            .iter()
            .filter(|m| m.value == "win")
            .map(|m| m.text.san.as_str())
            .collect();
        assert!(!wins.is_empty() && wins.len() < found.moves.len(), "{found:?}");
        assert_eq!(found.moves[0].value, "win");
        assert_eq!(look("4k3/8/8/8/8/8/4P3/4K2R w K - 0 1"), None);
        assert_eq!(
            look("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
            None
        );
        // A mate has no moves to rank.
        assert_eq!(look("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"), None);
    }
}
