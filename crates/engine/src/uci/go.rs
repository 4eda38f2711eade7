//! The command `go`: limits from words.
//!
//! Whoever sends `go` waits for a `bestmove`. So what cannot be read is passed over with a word about it, and the
//! rest is obeyed; if nothing that ends the search could be read, it ends after [`FALLBACK`].

use std::time::{Duration, Instant};

use vidmar_chess::{Color, Position};
use vidmar_text::Excerpt;

use crate::limits::{Clock, Limits};

/// What `go` asks for.
#[derive(Debug)]
pub(super) enum Go {
    Think(Limits),
    Perft(u32),
}

/// The time of a search whose limits could not be read.
const FALLBACK: Duration = Duration::from_secs(1);
const MOST_PERFT: i64 = 20;

/// Reads the words after `go`; the second result is what could not be read.
pub(super) fn parse(
    words: &str,
    position: &Position,
    overhead: Duration,
    started: Instant,
) -> (Go, Vec<String>) {
    let mut reader = Reader {
        words: words.split_whitespace().collect(),
        next: 0,
        faults: Vec::new(),
    };
    let mut limits = Limits {
        overhead,
        started,
        ..Limits::none()
    };
    let mut increments = [Duration::ZERO; 2];
    let mut perft = None;
    while let Some(word) = reader.word() {
        match word {
            "infinite" => limits.infinite = true,
            "ponder" => limits.ponder = true,
            "searchmoves" => reader.moves(position, &mut limits),
            "wtime" | "btime" | "winc" | "binc" | "movestogo" | "depth" | "nodes" | "mate" | "movetime"
            | "perft" => {
                let Some(number) = reader.number(word) else {
                    continue;
                };
                match word {
                    "wtime" => clock(&mut limits, Color::White, number),
                    "btime" => clock(&mut limits, Color::Black, number),
                    "winc" => increments[0] = milliseconds(number),
                    "binc" => increments[1] = milliseconds(number),
                    // Some interfaces say 0 for "the rest of the game".
                    "movestogo" => limits.moves_to_go = Some(small(number)).filter(|&moves| moves > 0),
                    "depth" => limits.depth = Some(small(number).max(1)),
                    "nodes" => limits.nodes = Some(number.max(1) as u64),
                    "mate" => limits.mate = Some(small(number).max(1)),
                    "movetime" => limits.move_time = Some(milliseconds(number)),
                    _ => perft = Some(number.clamp(0, MOST_PERFT) as u32),
                }
            }
            other => reader
                .faults
                .push(format!("unknown word '{}'", Excerpt::from(other))),
        }
    }
    for (side, increment) in Color::ALL.into_iter().zip(increments) {
        if let Some(clock) = &mut limits.clocks[side] {
            clock.increment = increment;
        }
    }
    if let Some(depth) = perft {
        return (Go::Perft(depth), reader.faults);
    }
    if !limits.infinite && !limits.are_finite() {
        if reader.faults.is_empty() {
            limits.infinite = true;
        } else {
            limits.move_time = Some(FALLBACK);
        }
    }
    (Go::Think(limits), reader.faults)
}

fn clock(limits: &mut Limits, side: Color, number: i64) {
    limits.clocks[side] = Some(Clock {
        remaining: milliseconds(number),
        increment: Duration::ZERO,
    });
}

/// A clock below zero shows no time.
fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(number.max(0) as u64)
}

fn small(number: i64) -> u32 {
    number.clamp(0, i64::from(u32::MAX)) as u32
}

struct Reader<'a> {
    words: Vec<&'a str>,
    next: usize,
    faults: Vec<String>,
}

impl<'a> Reader<'a> {
    fn word(&mut self) -> Option<&'a str> {
        let word = self.words.get(self.next).copied();
        self.next += 1;
        word
    }

    /// A number, however large: what does not fit is as much as fits. Some interfaces send fractions of
    /// milliseconds.
    fn number(&mut self, name: &str) -> Option<i64> {
        let Some(word) = self.word() else {
            self.faults.push(format!("{name} without a number"));
            return None;
        };
        let number = word.parse::<i64>().ok().or_else(|| {
            let float = word.parse::<f64>().ok().filter(|float| float.is_finite())?;
            Some(float as i64)
        });
        if number.is_none() {
            self.faults
                .push(format!("{name} '{}' is not a number", Excerpt::from(word)));
        }
        number
    }

    /// Moves up to the first word that does not look like one.
    fn moves(&mut self, position: &Position, limits: &mut Limits) {
        while let Some(&word) = self.words.get(self.next) {
            match position.parse_uci(word) {
                Ok(m) => limits.search_moves.push(m),
                Err(vidmar_chess::UciMoveError::Illegal(_)) => {
                    self.faults
                        .push(format!("the move {} is not legal here", Excerpt::from(word)));
                }
                Err(vidmar_chess::UciMoveError::Syntax(_)) => return,
            }
            self.next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> (Limits, Vec<String>) {
        let overhead = Limits::DEFAULT_OVERHEAD;
        match parse(words, &Position::default(), overhead, Instant::now()) {
            (Go::Think(limits), faults) => (limits, faults),
            (Go::Perft(depth), _) => panic!("perft {depth}"),
        }
    }

    fn limits(words: &str) -> Limits {
        let (limits, faults) = read(words);
        assert!(faults.is_empty(), "{faults:?}");
        limits
    }

    #[test]
    fn every_limit_is_read() {
        let all = limits(
            "wtime 1000 btime -5 winc 10 binc 20 movestogo 7 depth 5 nodes 99999999999 movetime 250 mate 3 ponder \
             searchmoves e2e4 d2d4",
        );
        let clock = |remaining, increment| {
            Some(Clock {
                remaining: Duration::from_millis(remaining),
                increment: Duration::from_millis(increment),
            })
        };
        assert_eq!(all.clocks[Color::White], clock(1000, 10));
        assert_eq!(all.clocks[Color::Black], clock(0, 20));
        assert_eq!(
            (all.moves_to_go, all.depth, all.nodes),
            (Some(7), Some(5), Some(99_999_999_999))
        );
        assert_eq!(
            (all.move_time, all.mate),
            (Some(Duration::from_millis(250)), Some(3))
        );
        assert!(all.ponder && !all.infinite);
        assert_eq!(all.search_moves.len(), 2);
        // The moves may stand in the middle.
        let middle = limits("searchmoves e2e4 depth 3");
        assert_eq!((middle.search_moves.len(), middle.depth), (1, Some(3)));
    }

    #[test]
    fn nothing_means_infinite_and_rubbish_a_short_search() {
        assert!(limits("").infinite);
        assert!(limits("searchmoves e2e4").infinite);
        assert!(limits("winc 5 binc 5").infinite);
        assert!(!limits("wtime 5").infinite);
        for rubbish in ["depth", "depth x", "wtime 1e999", "flubber", "depth infinity"] {
            let (limits, faults) = read(rubbish);
            assert_eq!(limits.move_time, Some(FALLBACK), "{rubbish}");
            assert_eq!(faults.len(), 1, "{rubbish}");
        }
        let (limits, faults) = read("depth 3 movetime never searchmoves e2e5");
        assert_eq!((limits.depth, limits.move_time, faults.len()), (Some(3), None, 2));
        let (limits, _) = read("infinite flubber");
        assert!(limits.infinite && limits.move_time.is_none());
    }

    #[test]
    fn numbers_of_every_size() {
        let big = limits("wtime 99999999999999999999999 depth 99999999999 movestogo 0");
        assert_eq!(big.depth, Some(u32::MAX));
        assert_eq!(big.moves_to_go, None);
        assert!(big.clocks[Color::White].is_some_and(|clock| clock.remaining > Duration::from_secs(1 << 40)));
        assert_eq!(limits("movetime 99.7").move_time, Some(Duration::from_millis(99)));
        assert_eq!(limits("depth 0 nodes 0").nodes, Some(1));
        let perft = parse("perft 999", &Position::default(), Duration::ZERO, Instant::now());
        assert!(matches!(perft, (Go::Perft(20), _)));
    }
}
