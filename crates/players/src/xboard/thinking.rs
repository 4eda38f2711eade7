//! What an xboard engine says while it thinks: `9 156 1084 48000 Nf3 Nc6`.

use std::time::Duration;

use vidmar_chess::{Bound, Position, Score};
use vidmar_engine::Info;

use super::answer::any_notation;
use crate::thoughts::Thoughts;

/// Scores beyond this are mates: 100000 and the moves to it, or as many less (the protocol's text, section 10).
const MATE: i32 = 100_000;

/// A line of four numbers and a text: plies, hundredths of a pawn, hundredths of a second, positions, and moves.
#[derive(Debug)]
pub(super) struct Thinking<'l> {
    depth: u32,
    score: Score,
    nodes: u64,
    moves: &'l str,
}

impl<'l> Thinking<'l> {
    /// Reads a line; none if it is something else.
    pub(super) fn read(line: &'l str) -> Option<Thinking<'l>> {
        let mut rest = line;
        let mut word = || {
            let (word, after) = crate::process::first_word(rest.trim_start());
            rest = after;
            word
        };
        // Some mark the depth: "9.", "9+", "9&".
        let depth = word().trim_end_matches(|c: char| !c.is_ascii_digit());
        let depth = depth.parse().ok()?;
        let mut number = || word().parse::<i64>().ok();
        let (score, _time, nodes) = (number()?, number()?, number()?);
        let cp = score.clamp(i64::from(i32::MIN + 1), i64::from(i32::MAX)) as i32;
        Some(Thinking {
            depth,
            score: match cp {
                MATE.. => Score::Mate((cp - MATE).max(1)),
                _ if cp <= -MATE => Score::Mate((cp + MATE).min(-1)),
                _ => Score::Centipawns(cp),
            },
            nodes: nodes.max(0) as u64,
            moves: rest,
        })
    }

    /// The line of play with its score; none without a legal move. Numbers of moves are passed over, and it ends where anything
    /// else stands.
    pub(super) fn told(&self, position: &Position, elapsed: Duration) -> Option<Info> {
        let mut now = position.clone();
        let mut pv = Vec::new();
        for word in self.moves.split_ascii_whitespace() {
            let text = word.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
            let text = if text.starts_with('-') { word } else { text };
            if text.is_empty() {
                continue;
            }
            let Some(m) = any_notation(text, &now) else { break };
            now.play(m);
            pv.push(m);
        }
        (!pv.is_empty()).then_some(Info {
            depth: self.depth,
            seldepth: self.depth,
            multipv: 1,
            score: Some(self.score),
            bound: Bound::Exact,
            nodes: self.nodes,
            elapsed,
            hashfull: 0,
            tbhits: 0,
            pv,
        })
    }
}

impl Thoughts {
    /// Takes a line of thinking.
    pub(super) fn hear_thinking(&mut self, line: &Thinking<'_>) {
        self.nodes = line.nodes;
        self.hear_score(line.score, false, line.depth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_told_from_other_lines() {
        let mut thoughts = Thoughts::default();
        let mut hear = |line: &str| {
            thoughts.hear_thinking(&Thinking::read(line).expect(line));
            (thoughts.score(), thoughts.depth, thoughts.nodes)
        };
        assert_eq!(
            hear(" 3     13        0        810 c7c5 d2d4 g8f6"),
            (Some(Score::Centipawns(13)), 3, 810)
        );
        assert_eq!(hear("12& 100003 5 99 Qh5#").0, Some(Score::Mate(3)));
        assert_eq!(hear("13. -100002 5 100").0, Some(Score::Mate(-2)));
        for other in ["1. e2e4", "1-0 {White mates}", "move e2e4", "pong 1", "7 8", ""] {
            assert!(Thinking::read(other).is_none(), "{other}");
        }
    }

    #[test]
    fn a_line_of_play_is_told_in_any_notation() {
        let start = Position::default();
        for (line, plies) in [
            ("9 31 100 4800 e2e4 e7e5 g1f3", 3),
            ("9 31 100 4800 1. e4 e5 2. Nf3", 3),
            ("9 31 100 4800 1.e4 e5 2.Nf3 Nc6 (ponder)", 4),
            ("9 31 100 4800 \te4 e5 Ke4", 2),
        ] {
            let info = Thinking::read(line).and_then(|line| line.told(&start, Duration::ZERO));
            let info = info.expect(line);
            assert_eq!(
                (info.depth, info.score, info.nodes, info.pv.len()),
                (9, Some(Score::Centipawns(31)), 4800, plies),
                "{line}"
            );
        }
        for silent in ["9 31 100 4800", "9 31 100 4800 --"] {
            let line = Thinking::read(silent).expect(silent);
            assert!(line.told(&start, Duration::ZERO).is_none(), "{silent}");
        }
        let castles: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("legal");
        let line = Thinking::read("2 0 0 9 0-0 O-O-O").expect("thinking");
        assert_eq!(line.told(&castles, Duration::ZERO).expect("a line").pv.len(), 2);
    }
}
