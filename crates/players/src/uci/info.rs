//! What an engine says while it thinks: the lines `info …`.

use vidmar_search::Score;

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

#[cfg(test)]
mod tests {
    use super::*;

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
