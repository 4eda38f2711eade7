//! The weights of a net, and a position's score from nothing.

use std::fmt;

use vidmar_chess::{Color, Piece, Position, Role, Square};
use vidmar_rng::Rng;

use crate::block::{Block, LANES, blocks, values};
use crate::error::NetworkError;
use crate::features::{FEATURES, Kings, bucket};
use crate::kernel::Kernel;
use crate::overflow;

/// What 1.0 is worth among inputs and hidden values.
pub const QA: i16 = 255;
/// What 1.0 is worth among output weights.
pub const QB: i16 = 64;
/// What an output of 1.0 is worth in hundredths of a pawn, unless a net says otherwise.
pub const SCALE: i32 = 400;
/// The largest scale.
pub const MAX_SCALE: i32 = 4096;
/// The most hidden neurons.
pub const MAX_HIDDEN: usize = 1024;
/// The most output buckets.
pub const MAX_BUCKETS: usize = 8;
/// No score is larger than this either way.
pub const SCORE_LIMIT: i32 = 20_000;
/// The largest output weight: its product with [`QA`] must fit 16 bits.
pub(crate) const MAX_OUTPUT_WEIGHT: i16 = 127;
/// The largest output bias: a score of more than [`SCORE_LIMIT`] at any scale.
pub(crate) const MAX_BIAS: i32 = 1 << 28;

/// The weights of a net as a trainer has them, rounded to whole numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// What the output is multiplied by, usually [`SCALE`].
    pub scale: i32,
    /// What it does with the square of a side's own king.
    pub kings: Kings,
    /// Input weights in 1/[`QA`], those of the first [input](crate::View::feature) to all hidden neurons first.
    pub feature_weights: Vec<i16>,
    /// Biases of the hidden neurons in 1/[`QA`]; there are as many as neurons.
    pub feature_biases: Vec<i16>,
    /// Output weights in 1/[`QB`], bucket by bucket: those of the side to move, then those of the other.
    pub output_weights: Vec<i16>,
    /// Biases of the output in 1/([`QA`]·[`QB`]); there are as many as [`bucket`]s.
    pub output_biases: Vec<i32>,
}

/// A net that can be asked: whatever the position, none of its sums overflows.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    pub(crate) scale: i32,
    pub(crate) kings: Kings,
    pub(crate) feature_weights: Box<[Block]>,
    pub(crate) feature_biases: Box<[Block]>,
    pub(crate) output_weights: Box<[Block]>,
    pub(crate) output_biases: Box<[i32]>,
}

impl fmt::Debug for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({self})")
    }
}

/// Its shape: `(768 → 256) × 2 → 1`, or `(4 · 768 → 256) × 2 → 1` with four regions of the king.
impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(")?;
        if self.kings != Kings::PLAIN {
            write!(f, "{} · ", self.kings.buckets())?;
        }
        write!(f, "{FEATURES} → {}) × 2 → {}", self.hidden(), self.buckets())
    }
}

impl Network {
    /// A net of these weights, if they are as many as they should be and no position can make a sum overflow.
    pub fn from_parts(parts: &Parts) -> Result<Network, NetworkError> {
        let (hidden, buckets) = (parts.feature_biases.len(), parts.output_biases.len());
        check_shape(hidden, buckets, parts.scale)?;
        let count = |part, found: usize, expected: usize| {
            let error = NetworkError::Count {
                part,
                found,
                expected,
            };
            (found == expected).then_some(()).ok_or(error)
        };
        count(
            "input weights",
            parts.feature_weights.len(),
            parts.kings.inputs() * hidden,
        )?;
        count("output weights", parts.output_weights.len(), 2 * hidden * buckets)?;
        overflow::check(parts)?;
        Ok(Network {
            scale: parts.scale,
            kings: parts.kings,
            feature_weights: blocks(&parts.feature_weights),
            feature_biases: blocks(&parts.feature_biases),
            output_weights: blocks(&parts.output_weights),
            output_biases: parts.output_biases.clone().into_boxed_slice(),
        })
    }

    /// A net of random weights, of the size that training begins with: it knows nothing. The shape must be one that a net can have.
    pub fn random(
        kings: Kings,
        hidden: usize,
        buckets: usize,
        rng: &mut Rng,
    ) -> Result<Network, NetworkError> {
        check_shape(hidden, buckets, SCALE)?;
        let mut draw = |count: usize, most: u64| -> Vec<i16> {
            let mut one = || rng.below(2 * most + 1) as i16 - most as i16;
            (0..count).map(|_| one()).collect()
        };
        Network::from_parts(&Parts {
            scale: SCALE,
            kings,
            feature_weights: draw(kings.inputs() * hidden, 60),
            feature_biases: draw(hidden, 100),
            output_weights: draw(2 * hidden * buckets, (8192 / hidden as u64).clamp(4, 60)),
            output_biases: draw(buckets, 500).into_iter().map(i32::from).collect(),
        })
    }

    /// The weights, as [`from_parts`](Network::from_parts) took them.
    pub fn parts(&self) -> Parts {
        Parts {
            scale: self.scale,
            kings: self.kings,
            feature_weights: values(&self.feature_weights).collect(),
            feature_biases: values(&self.feature_biases).collect(),
            output_weights: values(&self.output_weights).collect(),
            output_biases: self.output_biases.to_vec(),
        }
    }

    /// Hidden neurons of a side.
    pub fn hidden(&self) -> usize {
        self.feature_biases.len() * LANES
    }

    /// What it does with the square of a side's own king.
    pub fn kings(&self) -> Kings {
        self.kings
    }

    /// Sets of output weights.
    pub fn buckets(&self) -> usize {
        self.output_biases.len()
    }

    /// What the output is multiplied by.
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// The score in hundredths of a pawn for the side to move, within ±[`SCORE_LIMIT`]. Many positions are better asked of
    /// [`Accumulators`](crate::Accumulators).
    pub fn evaluate(&self, position: &Position) -> i32 {
        self.score(&pieces(position), position.turn())
    }

    /// The score of pieces on squares, computed from nothing.
    pub(crate) fn score(&self, pieces: &[(Piece, Square)], turn: Color) -> i32 {
        let layer = |side: Color| -> Box<[Block]> {
            let mut layer = self.feature_biases.clone();
            let king = pieces.iter().find(|(piece, _)| *piece == Role::King.of(side));
            let view = self
                .kings
                .view(side, king.map_or(Square::A1, |&(_, square)| square));
            for &(piece, square) in pieces {
                Kernel::PORTABLE.change(&mut layer, None, &[self.row(view.feature(piece, square))], &[]);
            }
            layer
        };
        self.output(Kernel::PORTABLE, [&layer(turn), &layer(!turn)], pieces.len())
    }

    /// The weights of one input to all hidden neurons.
    #[inline]
    pub(crate) fn row(&self, feature: usize) -> &[Block] {
        let long = self.feature_biases.len();
        &self.feature_weights[feature * long..][..long]
    }

    /// The score of two hidden layers, that of the side to move first.
    #[inline]
    pub(crate) fn output(&self, kernel: Kernel, layers: [&[Block]; 2], pieces: usize) -> i32 {
        let bucket = bucket(self.buckets(), pieces);
        let long = 2 * self.feature_biases.len();
        let (own, enemy) = self.output_weights[bucket * long..][..long].split_at(long / 2);
        let sum = kernel
            .sum(layers[0], own)
            .wrapping_add(kernel.sum(layers[1], enemy));
        let (qa, qb) = (i64::from(QA), i64::from(QB));
        let output = i64::from(sum) / qa + i64::from(self.output_biases[bucket]);
        let score = output * i64::from(self.scale) / (qa * qb);
        score.clamp(i64::from(-SCORE_LIMIT), i64::from(SCORE_LIMIT)) as i32
    }
}

/// The pieces of a position, from a1 to h8.
pub(crate) fn pieces(position: &Position) -> Vec<(Piece, Square)> {
    let occupied = position.occupied().into_iter();
    occupied
        .filter_map(|square| Some((position.piece_at(square)?, square)))
        .collect()
}

/// Whether there can be a net of this shape.
pub(crate) fn check_shape(hidden: usize, buckets: usize, scale: i32) -> Result<(), NetworkError> {
    if !hidden.is_multiple_of(LANES) || !(LANES..=MAX_HIDDEN).contains(&hidden) {
        return Err(NetworkError::Hidden(hidden));
    }
    if !(1..=MAX_BUCKETS).contains(&buckets) {
        return Err(NetworkError::Buckets(buckets));
    }
    if !(1..=MAX_SCALE).contains(&scale) {
        return Err(NetworkError::Scale(scale));
    }
    Ok(())
}
