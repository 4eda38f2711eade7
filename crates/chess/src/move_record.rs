//! A move that was played, and what its player said of it: what games are recorded in, stored in and written from.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::moves::Move;
use crate::score::Score;

/// What a player said of a move of its own.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveInfo {
    /// Its score, for itself, if it told one.
    pub score: Option<Score>,
    /// Plies, 0 if unknown.
    pub depth: u32,
    /// Positions visited, 0 if unknown.
    pub nodes: u64,
    /// Time used.
    pub time: Duration,
}

/// What a player may say of a move besides, and its clock: kept where somebody asks for it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveDetail {
    /// The longest line looked at, in plies; 0 if unknown.
    pub seldepth: u32,
    /// Thousandths of its table in use.
    pub hashfull: u32,
    /// Positions read from tablebases.
    pub tbhits: u64,
    /// What its clock shows after the move, to the millisecond; none without a clock.
    pub time_left: Option<Duration>,
}

/// A move of a player.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move.
    pub m: Move,
    /// What its player said of it.
    pub info: MoveInfo,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MoveKind, Square};

    #[test]
    fn records_come_back_from_json() {
        for (kind, score) in [
            (MoveKind::Normal, Some(Score::Centipawns(31))),
            (MoveKind::EnPassant, Some(Score::Mate(-2))),
            (MoveKind::Castling, None),
        ] {
            let record = MoveRecord {
                m: Move::new(Square::E5, Square::D6, kind),
                info: MoveInfo {
                    score,
                    depth: 9,
                    nodes: 1 << 40,
                    time: Duration::from_micros(1_234_567),
                },
            };
            let json = serde_json::to_string(&record).expect("JSON");
            assert_eq!(serde_json::from_str::<MoveRecord>(&json).expect(&json), record);
        }
        assert!(serde_json::from_str::<Move>("0").is_err());
    }
}
