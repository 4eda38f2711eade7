//! Whether a position could make a sum overflow. Weights that pass need no saturating arithmetic: sums may wrap on the way, in whatever order
//! a kernel takes them, and come out right, for the whole fits.

use vidmar_chess::Square;

use crate::error::NetworkError;
use crate::features::FEATURES;
use crate::network::{MAX_BIAS, MAX_OUTPUT_WEIGHT, Parts, QA};

/// The most pieces of a position.
const PIECES: usize = 32;

pub(crate) fn check(parts: &Parts) -> Result<(), NetworkError> {
    let hidden = parts.feature_biases.len();
    for neuron in 0..hidden {
        check_neuron(parts, hidden, neuron)?;
    }
    for (index, &value) in parts.output_weights.iter().enumerate() {
        if value.unsigned_abs() > MAX_OUTPUT_WEIGHT.unsigned_abs() {
            return Err(NetworkError::OutputWeight { index, value });
        }
    }
    for (index, &value) in parts.output_biases.iter().enumerate() {
        if value.unsigned_abs() > MAX_BIAS.unsigned_abs() {
            return Err(NetworkError::OutputBias { index, value });
        }
    }
    for (bucket, weights) in parts.output_weights.chunks(2 * hidden).enumerate() {
        check_output(bucket, weights)?;
    }
    Ok(())
}

/// The sum is furthest from 0 with the 32 pieces, each on a square of its own, whose weights are largest; a legal position hardly
/// gets there, and never beyond.
fn check_neuron(parts: &Parts, hidden: usize, neuron: usize) -> Result<(), NetworkError> {
    let bias = i32::from(parts.feature_biases[neuron]);
    for region in parts.feature_weights.chunks(FEATURES * hidden) {
        for sign in [1, -1] {
            let mut best = Square::ALL.map(|square| {
                let pieces = (square as usize..FEATURES).step_by(Square::ALL.len());
                let weights = pieces.map(|input| sign * i32::from(region[input * hidden + neuron]));
                weights.fold(0, i32::max)
            });
            best.sort_unstable_by_key(|&weight| std::cmp::Reverse(weight));
            let reach = bias + sign * best[..PIECES].iter().sum::<i32>();
            if i16::try_from(reach).is_err() {
                return Err(NetworkError::HiddenSum { neuron, reach });
            }
        }
    }
    Ok(())
}

/// The sum is furthest from 0 with every hidden value that counts for one side at its most and all others at 0.
fn check_output(bucket: usize, weights: &[i16]) -> Result<(), NetworkError> {
    let most = i64::from(QA) * i64::from(QA);
    for sign in [1, -1] {
        let one_way = weights.iter().map(|&weight| (sign * i64::from(weight)).max(0));
        let reach = sign * most * one_way.sum::<i64>();
        if i32::try_from(reach).is_err() {
            return Err(NetworkError::OutputSum { bucket, reach });
        }
    }
    Ok(())
}
