//! What an xboard engine says while it thinks: `9 156 1084 48000 Nf3 Nc6`.

use vidmar_chess::Score;

use crate::thoughts::Thoughts;

/// Scores beyond this are mates: 100000 and the moves to it, or as many less (the protocol's text, section 10).
const MATE: i32 = 100_000;

impl Thoughts {
    /// Takes a line of four numbers and a text: plies, hundredths of a pawn, hundredths of a second, positions. False if
    /// the line is something else.
    pub(super) fn hear_thinking(&mut self, line: &str) -> bool {
        let mut words = line.split_ascii_whitespace();
        // Some mark the depth: "9.", "9+", "9&".
        let depth = words
            .next()
            .map(|word| word.trim_end_matches(|c: char| !c.is_ascii_digit()));
        let Some(Ok(depth)) = depth.map(str::parse) else {
            return false;
        };
        let mut number = || words.next().and_then(|word| word.parse::<i64>().ok());
        let (Some(score), Some(_time), Some(nodes)) = (number(), number(), number()) else {
            return false;
        };
        let cp = score.clamp(i64::from(i32::MIN + 1), i64::from(i32::MAX)) as i32;
        let score = match cp {
            MATE.. => Score::Mate((cp - MATE).max(1)),
            _ if cp <= -MATE => Score::Mate((cp + MATE).min(-1)),
            _ => Score::Centipawns(cp),
        };
        self.nodes = nodes.max(0) as u64;
        self.hear_score(score, false, depth);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_told_from_other_lines() {
        let mut thoughts = Thoughts::default();
        assert!(thoughts.hear_thinking(" 3     13        0        810 c7c5 d2d4 g8f6"));
        assert_eq!(
            (thoughts.score(), thoughts.depth, thoughts.nodes),
            (Some(Score::Centipawns(13)), 3, 810)
        );
        assert!(thoughts.hear_thinking("12& 100003 5 99 Qh5#"));
        assert_eq!(thoughts.score(), Some(Score::Mate(3)));
        assert!(thoughts.hear_thinking("13. -100002 5 100"));
        assert_eq!(thoughts.score(), Some(Score::Mate(-2)));
        for other in ["1. e2e4", "1-0 {White mates}", "move e2e4", "pong 1", "7 8", ""] {
            assert!(!thoughts.hear_thinking(other), "{other}");
        }
    }
}
