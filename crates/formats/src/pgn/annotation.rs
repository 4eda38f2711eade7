//! What programs write into comments: clocks, evaluations, engine scores.
//!
//! Commands stand in brackets, `[%clk 1:02:03]`, `[%emt 0:00:05]`, `[%eval 0.35,20]`, `[%eval #-3]` (times and
//! squares as in the proposal "Enhanced PGN"; evaluations as lichess exports them, from White's side).
//! Match runners write `+0.35/12 0.5s`: the mover's own score, depth and time (cutechess, fastchess).

use std::fmt;
use std::time::Duration;

use vidmar_chess::{Color, MoveInfo, Score, WhiteScore};

/// An `[%eval]`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The score.
    pub score: WhiteScore,
    /// The depth of the search.
    pub depth: Option<u32>,
}

/// What an engine said of its own move: `+0.35/12 0.5s`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct EngineScore {
    /// The score, from the mover's point of view.
    pub score: Score,
    /// The depth of the search.
    pub depth: u32,
    /// The time that the move took.
    pub time: Option<Duration>,
}

/// The annotations of one comment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    /// `[%clk]`: the time left on the mover's clock.
    pub clock: Option<Duration>,
    /// `[%emt]`: the time that the move took.
    pub elapsed: Option<Duration>,
    /// `[%eval]`.
    pub evaluation: Option<Evaluation>,
    /// The score in the manner of match runners.
    pub engine: Option<EngineScore>,
}

impl Annotations {
    /// Finds the annotations in the text of a comment; commands that do not parse are left alone.
    ///
    /// ```
    /// # use vidmar_chess::{Score, WhiteScore};
    /// # use vidmar_formats::pgn::Annotations;
    /// let found = Annotations::parse("[%eval -0.35] [%clk 0:01:02.5]");
    /// assert_eq!(found.evaluation.unwrap().score, WhiteScore(Score::Centipawns(-35)));
    /// assert_eq!(found.clock.unwrap().as_secs_f64(), 62.5);
    /// assert_eq!(Annotations::parse("+M3/12 0.5s").engine.unwrap().score, Score::Mate(3));
    /// ```
    pub fn parse(comment: &str) -> Annotations {
        let mut found = Annotations {
            engine: parse_engine_score(comment.trim_start()),
            ..Annotations::default()
        };
        for (command, operand) in commands(comment) {
            match command {
                "clk" => found.clock = parse_clock(operand).or(found.clock),
                "emt" => found.elapsed = parse_clock(operand).or(found.elapsed),
                "eval" => found.evaluation = parse_evaluation(operand).or(found.evaluation),
                _ => {}
            }
        }
        found
    }

    /// What the side that moved said of its move. Its own score counts before White's, which others may have written.
    pub fn move_info(&self, mover: Color) -> MoveInfo {
        let (engine, evaluation) = (self.engine, self.evaluation);
        MoveInfo {
            score: engine
                .map(|engine| engine.score)
                .or_else(|| evaluation.map(|evaluation| evaluation.score.for_side(mover))),
            depth: engine
                .map(|engine| engine.depth)
                .or_else(|| evaluation.and_then(|evaluation| evaluation.depth))
                .unwrap_or(0),
            nodes: 0,
            time: engine
                .and_then(|engine| engine.time)
                .or(self.elapsed)
                .unwrap_or_default(),
        }
    }
}

/// The commands `[%name operand]` of a text.
fn commands(text: &str) -> impl Iterator<Item = (&str, &str)> {
    text.split("[%").skip(1).filter_map(|piece| {
        let (command, _) = piece.split_once(']')?;
        let (name, operand) = command.split_once(char::is_whitespace)?;
        Some((name, operand.trim()))
    })
}

/// `h:mm:ss`, with a fraction perhaps; also `mm:ss` and plain seconds.
fn parse_clock(text: &str) -> Option<Duration> {
    let mut seconds = 0.0;
    for (index, part) in text.split(':').enumerate() {
        let number = parse_unsigned(part).filter(|_| index < 3)?;
        seconds = seconds * 60.0 + number;
    }
    duration(seconds)
}

fn duration(seconds: f64) -> Option<Duration> {
    // Files have milliseconds at best; whole ones keep times equal however they were added up.
    let milliseconds = (seconds * 1000.0).round();
    (milliseconds <= 1e15).then(|| Duration::from_millis(milliseconds as u64))
}

/// Digits with at most one point: not the many other things that Rust reads as a number.
fn parse_unsigned(text: &str) -> Option<f64> {
    let plain = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|_| plain)
}

fn parse_evaluation(text: &str) -> Option<Evaluation> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score, Some(depth.trim().parse().ok()?)),
        None => (text, None),
    };
    Some(Evaluation {
        score: WhiteScore(parse_score(score.trim(), "#")?),
        depth,
    })
}

/// A number of pawns, or a mate with its mark before the sign or behind it.
fn parse_score(text: &str, mate_mark: &str) -> Option<Score> {
    let (negative, rest) = split_sign(text);
    if let Some(moves) = rest.strip_prefix(mate_mark) {
        let (inner, moves) = split_sign(moves);
        let moves: i32 = moves.parse().ok().filter(|moves| *moves >= 0)?;
        Some(Score::Mate(if negative == inner { moves } else { -moves }))
    } else {
        let centipawns = (parse_unsigned(rest)? * 100.0).round() as i32;
        Some(Score::Centipawns(if negative { -centipawns } else { centipawns }))
    }
}

fn split_sign(text: &str) -> (bool, &str) {
    match text.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    }
}

fn parse_engine_score(text: &str) -> Option<EngineScore> {
    let (score, rest) = text.split_once('/')?;
    let (depth, rest) = match rest.split_once([' ', ',']) {
        Some((depth, rest)) => (depth, rest.trim_start()),
        None => (rest, ""),
    };
    let time = rest
        .split([' ', ','])
        .next()
        .and_then(|word| word.strip_suffix('s'));
    Some(EngineScore {
        score: parse_score(score, "M")?,
        depth: depth.parse().ok()?,
        time: time.and_then(parse_unsigned).and_then(duration),
    })
}

fn pawns(centipawns: i32) -> f64 {
    f64::from(centipawns) / 100.0
}

/// Shows a time as clocks do: `1:02:03`, with a fraction where there is one.
struct Clock(Duration);

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = self.0.as_secs();
        let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
        write!(f, "{hours}:{minutes:02}:{seconds:02}")?;
        match self.0.subsec_millis() {
            0 => Ok(()),
            milliseconds => f.write_str(format!(".{milliseconds:03}").trim_end_matches('0')),
        }
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score.0 {
            Score::Centipawns(cp) => write!(f, "{:.2}", pawns(cp))?,
            Score::Mate(moves) => write!(f, "#{moves}")?,
        }
        self.depth.map_or(Ok(()), |depth| write!(f, ",{depth}"))
    }
}

impl fmt::Display for EngineScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.score {
            // No sign for a draw, as match runners have it.
            Score::Centipawns(0) => f.write_str("0.00")?,
            Score::Centipawns(cp) => write!(f, "{:+.2}", pawns(cp))?,
            Score::Mate(moves) if moves < 0 => write!(f, "-M{}", -moves)?,
            Score::Mate(moves) => write!(f, "+M{moves}")?,
        }
        write!(f, "/{}", self.depth)?;
        self.time
            .map_or(Ok(()), |time| write!(f, " {:.3}s", time.as_secs_f64()))
    }
}

/// The text of a comment with these annotations, and no other.
impl fmt::Display for Annotations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let texts = [
            self.engine.map(|engine| engine.to_string()),
            self.evaluation.map(|evaluation| format!("[%eval {evaluation}]")),
            self.clock.map(|clock| format!("[%clk {}]", Clock(clock))),
            self.elapsed.map(|elapsed| format!("[%emt {}]", Clock(elapsed))),
        ];
        let texts: Vec<String> = texts.into_iter().flatten().collect();
        f.write_str(&texts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks() {
        for (text, milliseconds) in [
            ("0:05:00", Some(300_000)),
            ("1:02:03.4", Some(3_723_400)),
            ("10:00", Some(600_000)),
            ("7.5", Some(7500)),
            ("1:2:3:4", None),
            ("-1:00", None),
            ("1e9", None),
            ("inf", None),
            ("", None),
            ("..", None),
            ("99999999999999999999999999:00", None),
        ] {
            assert_eq!(
                parse_clock(text).map(|time| time.as_millis()),
                milliseconds,
                "{text}"
            );
        }
    }

    #[test]
    fn evaluations() {
        for (text, score, depth) in [
            ("0.35", Score::Centipawns(35), None),
            ("-1.20,18", Score::Centipawns(-120), Some(18)),
            ("#3", Score::Mate(3), None),
            ("#-4, 20", Score::Mate(-4), Some(20)),
        ] {
            assert_eq!(
                parse_evaluation(text),
                Some(Evaluation {
                    score: WhiteScore(score),
                    depth
                }),
                "{text}"
            );
        }
        for text in ["", "x", "#", "#x", "NaN", "0.3,deep", "--1"] {
            assert_eq!(parse_evaluation(text), None, "{text}");
        }
    }

    #[test]
    fn engine_scores_as_match_runners_write_them() {
        let engine = |text: &str| Annotations::parse(text).engine;
        let score = |score, depth, milliseconds: Option<u64>| {
            let time = milliseconds.map(Duration::from_millis);
            Some(EngineScore { score, depth, time })
        };
        assert_eq!(
            engine("+0.13/12 0.29s"),
            score(Score::Centipawns(13), 12, Some(290))
        );
        assert_eq!(
            engine("-M12/31 48s, White mates"),
            score(Score::Mate(-12), 31, Some(48_000))
        );
        assert_eq!(
            engine("0.00/10 0.030s"),
            score(Score::Centipawns(0), 10, Some(30))
        );
        assert_eq!(engine("+M1/5"), score(Score::Mate(1), 5, None));
        for text in ["book", "1/2", "a/b", "good/bad move", "+0.3/x 1s", ""] {
            let expected = if text == "1/2" {
                score(Score::Centipawns(100), 2, None)
            } else {
                None
            };
            assert_eq!(engine(text), expected, "{text}");
        }
    }

    #[test]
    fn written_and_read_again() {
        let all = Annotations {
            clock: Some(Duration::from_millis(3_723_040)),
            elapsed: Some(Duration::from_secs(5)),
            evaluation: Some(Evaluation {
                score: WhiteScore(Score::Mate(-3)),
                depth: Some(20),
            }),
            engine: Some(EngineScore {
                score: Score::Centipawns(-25),
                depth: 9,
                time: Some(Duration::from_millis(125)),
            }),
        };
        let text = "-0.25/9 0.125s [%eval #-3,20] [%clk 1:02:03.04] [%emt 0:00:05]";
        assert_eq!(all.to_string(), text);
        assert_eq!(Annotations::parse(text), all);
    }
}
