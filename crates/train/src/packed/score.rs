//! A score in 16 bits.

use vidmar_chess::Score;

/// A score in 16 bits: hundredths of a pawn up to ±30,000; mate in n moves as ±(32,000 − n), n up to 1,999; none as -32,768.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PackedScore(i16);

/// The most hundredths of a pawn that are not a mate.
const MOST_CENTIPAWNS: i32 = 30_000;
/// A mate in no moves.
const MATE: i32 = 32_000;

impl PackedScore {
    /// No score.
    pub const NONE: PackedScore = PackedScore(i16::MIN);

    /// The 16 bits.
    pub const fn bits(self) -> i16 {
        self.0
    }

    /// The score of these 16 bits.
    pub const fn from_bits(bits: i16) -> PackedScore {
        PackedScore(bits)
    }

    /// The same for the other side.
    #[must_use]
    pub const fn reversed(self) -> PackedScore {
        PackedScore(self.0.wrapping_neg())
    }

    /// Whether somebody mates.
    pub fn is_mate(self) -> bool {
        i32::from(self.0).abs() > MOST_CENTIPAWNS && self != PackedScore::NONE
    }

    /// Hundredths of a pawn; none of a mate, and where there is no score.
    pub fn centipawns(self) -> Option<i16> {
        (i32::from(self.0).abs() <= MOST_CENTIPAWNS).then_some(self.0)
    }
}

impl From<Option<Score>> for PackedScore {
    fn from(score: Option<Score>) -> PackedScore {
        let mate = |moves: i32| MATE - moves.min(MATE - MOST_CENTIPAWNS - 1);
        PackedScore(match score {
            None => return PackedScore::NONE,
            Some(Score::Centipawns(cp)) => cp.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS) as i16,
            Some(Score::Mate(moves)) if moves > 0 => mate(moves) as i16,
            Some(Score::Mate(moves)) => -mate(moves.saturating_neg()) as i16,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_told_apart_and_turned_around() {
        let packed = |score| PackedScore::from(Some(score));
        for (score, bits) in [
            (Score::Centipawns(31), 31),
            (Score::Centipawns(i32::MIN), -30_000),
            (Score::Centipawns(40_000), 30_000),
            (Score::Mate(3), 31_997),
            (Score::Mate(-3), -31_997),
            (Score::Mate(0), -32_000),
            (Score::Mate(i32::MAX), 30_001),
            (Score::Mate(i32::MIN), -30_001),
        ] {
            assert_eq!(packed(score).bits(), bits, "{score}");
            assert_eq!(packed(score).reversed().bits(), -bits);
            let is_mate = matches!(score, Score::Mate(_));
            assert_eq!(
                (packed(score).is_mate(), packed(score).centipawns().is_none()),
                (is_mate, is_mate)
            );
        }
        let none = PackedScore::from(None);
        assert_eq!((none, none.reversed()), (PackedScore::NONE, PackedScore::NONE));
        assert!(!none.is_mate() && none.centipawns().is_none());
    }
}
