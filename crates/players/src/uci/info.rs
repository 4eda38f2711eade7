//! What an engine says while it thinks: the lines `info …`.

use std::time::Duration;

use vidmar_chess::{Bound, Position, Score};
use vidmar_engine::Info;

use crate::thoughts::Thoughts;

impl Thoughts {
    /// Takes the words after `info`. Lines about other than the best move are passed over.
    pub(super) fn hear_info(&mut self, words: &str) {
        let mut words = words.split_ascii_whitespace();
        let (mut depth, mut nodes, mut score) = (None, None, None);
        while let Some(word) = words.next() {
            match word {
                "depth" => depth = words.next().and_then(|number| number.parse().ok()),
                "nodes" => nodes = words.next().and_then(|number| number.parse().ok()),
                "multipv" if words.next() != Some("1") => return,
                "score" => {
                    let kind = words.next();
                    let number = words.next().and_then(|number| number.parse().ok());
                    score = match (kind, number) {
                        (Some("cp"), Some(cp)) => Some((Score::Centipawns(cp), false)),
                        (Some("mate"), Some(moves)) => Some((Score::Mate(moves), false)),
                        _ => score,
                    };
                }
                "lowerbound" | "upperbound" => score = score.map(|(score, _)| (score, true)),
                // What follows is moves, or a text.
                "pv" | "string" | "refutation" | "currline" => break,
                _ => {}
            }
        }
        if let Some(nodes) = nodes {
            self.nodes = nodes;
        }
        if let Some((score, is_bound)) = score {
            self.hear_score(score, is_bound, depth.unwrap_or(self.depth));
        }
    }
}

/// One line of play with its score, if the words tell both. The line ends at the first move that is none.
pub(super) fn told(words: &str, position: &Position, elapsed: Duration) -> Option<Info> {
    let mut words = words.split_ascii_whitespace();
    let mut info = Info {
        depth: 0,
        seldepth: 0,
        multipv: 1,
        score: None,
        bound: Bound::Exact,
        nodes: 0,
        elapsed,
        hashfull: 0,
        tbhits: 0,
        pv: Vec::new(),
    };
    while let Some(word) = words.next() {
        match word {
            "depth" => info.depth = words.next()?.parse().ok()?,
            "seldepth" => info.seldepth = words.next()?.parse().ok()?,
            "multipv" => info.multipv = words.next()?.parse().ok().filter(|&index| index > 0)?,
            "nodes" => info.nodes = words.next()?.parse().ok()?,
            "hashfull" => info.hashfull = words.next()?.parse().ok()?,
            "tbhits" => info.tbhits = words.next()?.parse().ok()?,
            "score" => {
                let kind = words.next()?;
                let number = words.next()?.parse().ok()?;
                info.score = match kind {
                    "cp" => Some(Score::Centipawns(number)),
                    "mate" => Some(Score::Mate(number)),
                    _ => return None,
                };
            }
            "lowerbound" => info.bound = Bound::Lower,
            "upperbound" => info.bound = Bound::Upper,
            "pv" => {
                let mut now = position.clone();
                for text in words.by_ref() {
                    let Ok(m) = now.parse_uci(text) else { break };
                    now.play(m);
                    info.pv.push(m);
                }
            }
            "string" | "refutation" | "currline" => break,
            _ => {}
        }
    }
    (info.score.is_some() && !info.pv.is_empty()).then_some(info)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_play_is_told_as_far_as_it_is_legal() {
        let start = Position::default();
        let line = "depth 9 seldepth 14 multipv 2 score mate -3 upperbound nodes 88 hashfull 7 pv e2e4 e7e5 e1e4 a7a6";
        let info = told(line, &start, Duration::ZERO).expect("a line");
        assert_eq!((info.depth, info.seldepth, info.multipv), (9, 14, 2));
        assert_eq!((info.score, info.bound), (Some(Score::Mate(-3)), Bound::Upper));
        assert_eq!((info.nodes, info.hashfull, info.pv.len()), (88, 7, 2));
        for nothing in [
            "depth 3 currmove e2e4",
            "score cp 3",
            "pv e2e4",
            "score cp 1 pv e2e5",
            "multipv 0 score cp 1 pv e2e4",
            "",
        ] {
            assert!(told(nothing, &start, Duration::ZERO).is_none(), "{nothing}");
        }
    }

    fn heard(lines: &[&str]) -> (Option<Score>, u32, u64) {
        let mut thoughts = Thoughts::default();
        for line in lines {
            thoughts.hear_info(line);
        }
        (thoughts.score(), thoughts.depth, thoughts.nodes)
    }

    #[test]
    fn the_last_exact_score_of_the_best_line_counts() {
        let lines = [
            "depth 1 seldepth 1 multipv 1 score cp 31 nodes 20 nps 20000 time 1 pv e2e4",
            "depth 2 seldepth 3 multipv 2 score cp -99 nodes 70 pv d2d4",
            "depth 2 score cp 55 lowerbound nodes 90 pv e2e4",
            "depth 3 currmove e2e4 currmovenumber 1",
            "nodes 1000 nps 5",
            "string depth 99 score cp 999",
        ];
        assert_eq!(heard(&lines), (Some(Score::Centipawns(31)), 1, 1000));
        assert_eq!(
            heard(&["depth 7 score mate -3 upperbound nodes 5"]),
            (Some(Score::Mate(-3)), 7, 5)
        );
        assert_eq!(
            heard(&["score cp", "score", "depth", "score cp x depth y"]),
            (None, 0, 0)
        );
        // Windows of Ethereal and others put the bound behind `score`, and wdl in between.
        assert_eq!(
            heard(&["depth 9 seldepth 14 score cp -12 wdl 1 2 3 nodes 88 pv a2a3"]),
            (Some(Score::Centipawns(-12)), 9, 88)
        );
    }
}
