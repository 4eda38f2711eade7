//! The combination of [maribor-2004]: aspiration, MTD(f), zero-window alpha-beta, a table and quiescence.
//!
//! As long as the value stays within the aspiration window around the guess, this is MTD(f). Once a bound
//! leaves the window the guess was wrong, and the next test leaps ahead by a doubling step instead of
//! creeping after each new bound, until the value lies between two bounds; there MTD(f) goes on.

use vidmar_chess::{Board, Bound};
use vidmar_eval::Evaluation;

use super::alpha_beta::AlphaBeta;
use super::aspiration::margin;
use super::{Driver, zero_window};
use crate::limits::Interrupted;
use crate::value::{INFINITE, Value};
use crate::worker::Worker;

pub(crate) struct Combined;

impl Driver for Combined {
    type Scout = AlphaBeta;

    fn iteration<B: Board, E: Evaluation>(
        worker: &mut Worker<'_, B, E>,
        depth: u32,
        guess: Value,
    ) -> Result<(Value, Bound), Interrupted> {
        let (mut lower, mut upper) = (-INFINITE, INFINITE);
        let mut value = guess;
        let margin = margin(worker);
        let mut leap = margin;
        while lower < upper {
            let bracketed = lower > -INFINITE && upper < INFINITE;
            let strayed = (value - guess).abs() >= margin;
            let beta = if strayed && !bracketed {
                leap *= 2;
                if value == lower {
                    value + leap
                } else {
                    value - leap
                }
            } else if value == lower {
                value + 1
            } else {
                value
            };
            let (found, bound) = zero_window::test(worker, depth, beta.clamp(1 - INFINITE, INFINITE))?;
            value = found;
            match bound {
                Bound::Lower => lower = value,
                _ => upper = value,
            }
        }
        Ok((value, Bound::Exact))
    }
}
