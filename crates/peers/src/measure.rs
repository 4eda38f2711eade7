//! Interleaved rounds: on every position one contestant after the other, then all of it again.
//!
//! A machine that slows down for a while slows everybody; the best time of all rounds is kept, for
//! noise only ever adds time.

use std::time::Instant;

use anyhow::Result;

use crate::contestants::Contestant;
use crate::positions::Position;

/// The times of one contestant on one position.
pub(crate) struct Times {
    pub(crate) depth: u32,
    pub(crate) nodes: u64,
    /// One time a round, in seconds; never empty.
    pub(crate) seconds: Vec<f64>,
}

impl Times {
    /// Millions of nodes a second in the best round.
    pub(crate) fn mnps(&self) -> f64 {
        let best = self.seconds.iter().copied().fold(f64::INFINITY, f64::min);
        self.nodes as f64 / best / 1e6
    }
}

/// `times[contestant][position]` after `rounds` rounds, of which there is at least one.
pub(crate) fn measure(
    contestants: &mut [Contestant],
    positions: &[Position],
    rounds: u32,
    mut tell: impl FnMut(&str),
) -> Result<Vec<Vec<Times>>> {
    let mut times: Vec<Vec<Times>> = contestants
        .iter()
        .map(|contestant| {
            let times_on = |position: &Position| {
                let depth = contestant.depth(position);
                Times {
                    depth,
                    nodes: position.nodes_at(depth),
                    seconds: Vec::new(),
                }
            };
            positions.iter().map(times_on).collect()
        })
        .collect();
    for round in 1..=rounds.max(1) {
        for (column, position) in positions.iter().enumerate() {
            for (row, contestant) in contestants.iter_mut().enumerate() {
                tell(&format!(
                    "round {round} of {rounds}: {}, {}",
                    position.name, contestant.name
                ));
                let cell = &mut times[row][column];
                let start = Instant::now();
                contestant.count(position, cell.depth)?;
                cell.seconds.push(start.elapsed().as_secs_f64());
            }
        }
    }
    Ok(times)
}
