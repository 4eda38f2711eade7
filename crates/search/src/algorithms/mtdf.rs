//! MTD(f): zero-window searches that close in on the value from a guess (Plaat, Schaeffer, Pijls and de
//! Bruin 1996).
//!
//! Each search moves one of two bounds; when they meet, that is the value. Every node may be visited
//! by each of them, so it needs a table that stores what the last one found. The best move is that of the
//! last search that failed high: only there has a move been shown to reach the value.

use vidmar_chess::{Board, Bound};
use vidmar_eval::Evaluation;

use super::alpha_beta::AlphaBeta;
use super::{Driver, zero_window};
use crate::limits::Interrupted;
use crate::value::{INFINITE, Value};
use crate::worker::Worker;

pub(crate) struct Mtdf;

impl Driver for Mtdf {
    type Scout = AlphaBeta;

    fn iteration<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        guess: Value,
    ) -> Result<(Value, Bound), Interrupted> {
        let (mut lower, mut upper) = (-INFINITE, INFINITE);
        let mut value = guess;
        while lower < upper {
            let beta = if value == lower { value + 1 } else { value };
            let (found, bound) = zero_window::test(worker, depth, beta)?;
            value = found;
            match bound {
                Bound::Lower => lower = value,
                _ => upper = value,
            }
        }
        Ok((value, Bound::Exact))
    }
}
