//! Which positions of games are learnt from.
//!
//! A static evaluation is asked about quiet positions: where the side to move is in check or the best move takes
//! something, the score of a search says what follows, not what stands on the board. A mate is no number of pawns. What is
//! left out is a choice of the training, never of the file.

use serde::{Deserialize, Serialize};
use vidmar_chess::{MoveKind, Position};

use crate::packed::PackedMove;

/// Which positions are left out.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "switches of a command line")]
pub struct Filter {
    /// Keep positions in check.
    pub in_check: bool,
    /// Keep positions whose best move takes something or promotes.
    pub captures: bool,
    /// Keep positions with a mate in sight.
    pub mates: bool,
    /// Keep positions that were seen before.
    pub repeated: bool,
    /// Leave out so many plies from the start of a game, its opening included.
    pub early_plies: u32,
}

impl Default for Filter {
    fn default() -> Filter {
        Filter {
            in_check: false,
            captures: false,
            mates: false,
            repeated: false,
            early_plies: 8,
        }
    }
}

impl Filter {
    /// Whether a position is kept: `plies` have led to it, and `played` was thought best. Repetitions are not seen here.
    pub fn keeps(&self, position: &Position, plies: u32, played: PackedMove) -> bool {
        let is_scored = played.score.centipawns().is_some() || (self.mates && played.score.is_mate());
        let is_noisy = || position.is_capture(played.m) || matches!(played.m.kind(), MoveKind::Promotion(_));
        is_scored
            && plies >= self.early_plies
            && (self.in_check || !position.in_check())
            && (self.captures || !is_noisy())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packed::PackedScore;
    use vidmar_chess::Score;

    #[test]
    fn every_option_keeps_what_it_names() {
        let quiet = Some(Score::Centipawns(10));
        let mate = Some(Score::Mate(4));
        let none = Filter {
            early_plies: 0,
            ..Filter::default()
        };
        for (fen, m, score, plies, needed) in [
            (
                "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1",
                "e1e2",
                quiet,
                9,
                Filter {
                    in_check: true,
                    captures: true,
                    ..none
                },
            ),
            (
                "4k3/8/8/8/8/8/4r3/2R1K3 w - - 0 1",
                "e1f1",
                quiet,
                9,
                Filter {
                    in_check: true,
                    ..none
                },
            ),
            (
                "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
                "e4d5",
                quiet,
                9,
                Filter {
                    captures: true,
                    ..none
                },
            ),
            (
                "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
                "a7a8q",
                quiet,
                9,
                Filter {
                    captures: true,
                    ..none
                },
            ),
            (
                "4k3/8/8/8/8/8/8/4K2Q w - - 0 1",
                "h1h7",
                mate,
                9,
                Filter { mates: true, ..none },
            ),
            ("4k3/8/8/8/8/8/8/4K2Q w - - 0 1", "h1h7", quiet, 9, none),
        ] {
            let position: Position = fen.parse().unwrap();
            let m = position.parse_uci(m).unwrap();
            let played = PackedMove {
                m,
                score: score.into(),
            };
            assert!(needed.keeps(&position, plies, played), "{fen}");
            assert_eq!(none.keeps(&position, plies, played), needed == none, "{fen}");
            let early = Filter {
                early_plies: 10,
                ..needed
            };
            assert!(!early.keeps(&position, plies, played) && early.keeps(&position, 10, played));
            let silent = PackedMove {
                m,
                score: PackedScore::NONE,
            };
            assert!(!needed.keeps(&position, plies, silent));
        }
    }
}
