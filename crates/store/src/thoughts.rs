//! What players said of their moves, as bytes.
//!
//! Each is four numbers of seven bits a byte, low ones first, the top bit set on all bytes but the last (LEB128):
//!
//! 1. the score: 0 for none, else 1 + 2 z for centipawns and 2 + 2 z for a mate, where z is the number folded so that
//!    small ones of either sign are small (0, -1, 1, -2, …);
//! 2. the depth in plies; 3. the positions visited; 4. the time in microseconds.
//!
//! About ten bytes a move where text would take thirty.

use std::time::Duration;

use vidmar_chess::{MoveInfo, Score};

pub(crate) fn pack(thoughts: &[MoveInfo]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(thoughts.len() * 10);
    for thought in thoughts {
        let score = match thought.score {
            None => 0,
            Some(Score::Centipawns(value)) => 1 + 2 * fold(value),
            Some(Score::Mate(moves)) => 2 + 2 * fold(moves),
        };
        let micros = u64::try_from(thought.time.as_micros()).unwrap_or(u64::MAX);
        for number in [score, u64::from(thought.depth), thought.nodes, micros] {
            push(&mut bytes, number);
        }
    }
    bytes
}

/// None if the bytes are not what [`pack`] makes.
pub(crate) fn unpack(mut bytes: &[u8]) -> Option<Vec<MoveInfo>> {
    let mut thoughts = Vec::new();
    while !bytes.is_empty() {
        let mut next = || take(&mut bytes);
        let score = match next()? {
            0 => None,
            odd if odd % 2 == 1 => Some(Score::Centipawns(unfold((odd - 1) / 2)?)),
            even => Some(Score::Mate(unfold((even - 2) / 2)?)),
        };
        thoughts.push(MoveInfo {
            score,
            depth: u32::try_from(next()?).ok()?,
            nodes: next()?,
            time: Duration::from_micros(next()?),
        });
    }
    Some(thoughts)
}

fn fold(value: i32) -> u64 {
    u64::from((value << 1 ^ value >> 31) as u32)
}

fn unfold(folded: u64) -> Option<i32> {
    let folded = u32::try_from(folded).ok()?;
    Some((folded >> 1) as i32 ^ -((folded & 1) as i32))
}

fn push(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        let part = u64::from(byte & 0x7f);
        if part << shift >> shift != part {
            return None;
        }
        number |= part << shift;
        if byte < 0x80 {
            return Some(number);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn some() -> Vec<MoveInfo> {
        let scores = [
            None,
            Some(Score::Centipawns(0)),
            Some(Score::Centipawns(-31)),
            Some(Score::Centipawns(i32::MAX)),
            Some(Score::Centipawns(i32::MIN)),
            Some(Score::Mate(3)),
            Some(Score::Mate(-1)),
            Some(Score::Mate(0)),
        ];
        let numbers = [0, 1, 127, 128, 12_345, u64::MAX];
        scores
            .into_iter()
            .zip(numbers.into_iter().cycle())
            .map(|(score, nodes)| MoveInfo {
                score,
                depth: nodes as u32,
                nodes,
                time: Duration::from_micros(nodes),
            })
            .collect()
    }

    #[test]
    fn what_goes_in_comes_out() {
        assert_eq!(unpack(&pack(&some())), Some(some()));
        assert_eq!(unpack(&[]), Some(Vec::new()));
    }

    /// The bytes are part of the file's layout: worked out by hand from the description above.
    #[test]
    fn the_bytes_stay_what_they_are() {
        let thought = MoveInfo {
            score: Some(Score::Centipawns(-31)),
            depth: 12,
            nodes: 300,
            time: Duration::from_millis(1),
        };
        // -31 folds to 61, 1 + 2 * 61 = 123; 300 = 2 * 128 + 44; 1000 = 7 * 128 + 104.
        assert_eq!(pack(&[thought]), [123, 12, 128 + 44, 2, 128 + 104, 7]);
    }

    #[test]
    fn cut_or_overlong_bytes_are_refused() {
        let whole = pack(&some()[4..5]);
        for end in 1..whole.len() {
            assert_eq!(unpack(&whole[..end]), None, "{end}");
        }
        assert_eq!(unpack(&[0x80; 11]), None);
        assert_eq!(
            unpack(&[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]),
            None
        );
    }
}
