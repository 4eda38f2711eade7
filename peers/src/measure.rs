//! Interleaved rounds: on every position one generator after the other, then all of it again.
//!
//! A machine that slows down for a while slows everybody; the best time of all rounds is kept, for
//! noise only ever adds time.

use std::time::Instant;

use anyhow::Result;

use crate::generators::Generator;
use crate::positions::Position;

/// The times of one generator on one position.
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

/// `times[generator][position]` after `rounds` rounds, of which there is at least one.
pub(crate) fn measure(
    generators: &mut [Generator],
    positions: &[Position],
    rounds: u32,
    mut tell: impl FnMut(&str),
) -> Result<Vec<Vec<Times>>> {
    let mut times: Vec<Vec<Times>> = generators
        .iter()
        .map(|generator| {
            let times_on = |position: &Position| {
                let depth = generator.depth(position);
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
            for (row, generator) in generators.iter_mut().enumerate() {
                tell(&format!(
                    "round {round} of {rounds}: {}, {}",
                    position.name, generator.name
                ));
                let cell = &mut times[row][column];
                let start = Instant::now();
                generator.count(position, cell.depth)?;
                cell.seconds.push(start.elapsed().as_secs_f64());
            }
        }
    }
    Ok(times)
}
