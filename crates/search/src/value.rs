//! Values inside a search, and the scores that they become outside.
//!
//! Inside, a value is an `i32` for the side to move at the node where it stands: hundredths of a pawn, or
//! near ±[`MATE`] a mate, less the plies from the root to it, so that the nearer mate is the better one.

use vidmar_chess::Score;

/// A value for the side to move at a node, mates counted from the root.
pub type Value = i32;

/// Mate at the root itself.
pub const MATE: Value = 32_000;
/// Above every value.
pub const INFINITE: Value = 32_600;
/// The value of a draw.
pub const DRAW: Value = 0;
/// The longest line a search follows, quiescence included.
pub(crate) const MAX_PLY: usize = 200;
/// The deepest full-width search.
pub const MAX_DEPTH: u32 = 100;
/// Values beyond this are mates.
const MATE_BOUND: Value = MATE - MAX_PLY as Value;
/// A win at the root known from tablebases, its mate not seen: less the plies to it, as for mates.
pub const TABLEBASE_WIN: Value = 20_000;
/// Values beyond this are known wins or mates, and counted from the root.
const KNOWN_BOUND: Value = TABLEBASE_WIN - MAX_PLY as Value;
/// No evaluation goes beyond this.
pub(crate) const EVALUATION_BOUND: Value = KNOWN_BOUND - 1;

/// The side to move is mated at this ply.
#[inline]
pub(crate) const fn mated_at(ply: usize) -> Value {
    -MATE + ply as Value
}

/// Whether the value says that somebody mates, or wins by what tablebases know: no margin and no static value
/// compares with it.
#[inline]
pub(crate) const fn is_mate(value: Value) -> bool {
    value.abs() >= KNOWN_BOUND
}

/// Whether the value is a win or loss known from tablebases.
#[inline]
pub(crate) const fn is_from_tablebases(value: Value) -> bool {
    value.abs() >= KNOWN_BOUND && value.abs() < MATE_BOUND
}

/// A value with its mates and known wins counted from the node at `ply` instead of the root: what a table keeps,
/// since the next path to the node may have another length.
#[inline]
pub(crate) const fn from_node(value: Value, ply: usize) -> Value {
    if value >= KNOWN_BOUND {
        value + ply as Value
    } else if value <= -KNOWN_BOUND {
        value - ply as Value
    } else {
        value
    }
}

/// The opposite of [`from_node`].
#[inline]
pub(crate) const fn from_root(value: Value, ply: usize) -> Value {
    if value >= KNOWN_BOUND {
        value - ply as Value
    } else if value <= -KNOWN_BOUND {
        value + ply as Value
    } else {
        value
    }
}

/// A value at the root as the world outside sees it.
pub fn score_of(value: Value) -> Score {
    if value >= MATE_BOUND {
        Score::Mate((MATE - value + 1) / 2)
    } else if value <= -MATE_BOUND {
        Score::Mate(-((MATE + value + 1) / 2))
    } else {
        Score::Centipawns(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves_of_the_mating_side() {
        assert_eq!(score_of(MATE - 1), Score::Mate(1));
        assert_eq!(score_of(MATE - 3), Score::Mate(2));
        assert_eq!(score_of(mated_at(0)), Score::Mate(0));
        assert_eq!(score_of(mated_at(2)), Score::Mate(-1));
        assert_eq!(score_of(-250), Score::Centipawns(-250));
    }

    #[test]
    fn node_and_root_counts_are_inverse() {
        for value in [
            0,
            31,
            -900,
            MATE - 5,
            -MATE + 8,
            TABLEBASE_WIN - 4,
            20 - TABLEBASE_WIN,
        ] {
            for ply in [0, 3, 20] {
                assert_eq!(from_root(from_node(value, ply), ply), value);
            }
        }
        // Mated at ply 8, seen from a node at ply 3: in five plies.
        assert_eq!(from_node(mated_at(8), 3), mated_at(5));
    }
}
