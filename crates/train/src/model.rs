//! A net in floating point, while it is being trained.

use rayon::prelude::*;
use vidmar_net::{Kings, Network, NetworkError, Parts, QA, QB, SCALE, bucket};
use vidmar_rng::Rng;

use crate::kernel::{Hidden, Item, Kernel, LANES, Layout, MOMENTS, Row, Step};
use crate::sample::Sample;

/// No weight is larger than this: an output weight times a hidden value fits 16 bits then, and so does every hidden sum.
const MOST: f32 = 1.98;
/// Input weights begin below this: with 30 pieces hidden values are then between 0 and 1 for the most part.
const FIRST_INPUT: f64 = 0.1;
const FIRST_BIAS: f32 = 0.1;

/// 32 hidden neurons: their weights and what the optimiser keeps of each.
#[derive(Clone, Debug)]
pub(crate) struct Slice {
    pub(crate) rows: Vec<Row>,
    pub(crate) moments: Vec<[Row; 2]>,
    gradient: Vec<Row>,
    /// Of the batch in work.
    hidden: Vec<Hidden>,
    outputs: Vec<f32>,
}

/// The weights of a net, and the state of the optimiser.
#[derive(Clone, Debug)]
pub(crate) struct Model {
    pub(crate) slices: Vec<Slice>,
    /// One for each bucket, with its moments.
    pub(crate) biases: Vec<[f32; 3]>,
    /// Steps that were taken.
    pub(crate) steps: u64,
    kings: Kings,
    kernel: Kernel,
    items: Vec<Item>,
    slopes: Vec<f32>,
}

/// What is learnt: how far the score counts against the result.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Target {
    /// The share of the score.
    pub(crate) lambda: f32,
}

impl Target {
    /// The points that the side to move is to be expected to get.
    fn of(self, sample: &Sample) -> f32 {
        let score = sigmoid(f32::from(sample.score) / SCALE as f32);
        let result = f32::from(sample.half_points) / 2.0;
        self.lambda * score + (1.0 - self.lambda) * result
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// How fast it learns.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Pace {
    pub(crate) rate: f32,
    pub(crate) decay: f32,
}

impl Model {
    /// A net of random weights. `hidden` is a multiple of 32.
    pub(crate) fn new(kings: Kings, hidden: usize, buckets: usize, seed: u64) -> Model {
        let outputs = 1.0 / (2.0 * hidden as f64).sqrt();
        let slice = |number: usize| {
            let mut rng = Rng::new(seed, b"weights-", number as u64, 0);
            let mut row = |most: f64| {
                let mut row = Row::ZERO;
                row.0.fill_with(|| rng.uniform(-most, most) as f32);
                row
            };
            let mut rows = vec![Row([FIRST_BIAS; LANES])];
            rows.extend((0..2 * buckets).map(|_| row(outputs)));
            rows.extend((0..kings.inputs()).map(|_| row(FIRST_INPUT)));
            Slice {
                moments: vec![[Row::ZERO; 2]; rows.len()],
                gradient: vec![Row::ZERO; rows.len()],
                rows,
                hidden: Vec::new(),
                outputs: Vec::new(),
            }
        };
        Model {
            slices: (0..hidden / LANES).map(slice).collect(),
            biases: vec![[0.0; 3]; buckets],
            steps: 0,
            kings,
            kernel: Kernel::best(),
            items: Vec::new(),
            slopes: Vec::new(),
        }
    }

    /// The net that whole numbers stand for. Its hidden neurons must be a multiple of 32.
    pub(crate) fn from_network(network: &Network) -> Model {
        let Parts {
            kings,
            feature_weights,
            feature_biases,
            output_weights,
            output_biases,
            ..
        } = network.parts();
        let (hidden, buckets) = (feature_biases.len(), output_biases.len());
        let mut model = Model::new(kings, hidden, buckets, 0);
        // An output of 1 may be worth something else to that net.
        let worth = network.scale() as f32 / SCALE as f32;
        let layers = [
            (Layout::BIAS, feature_biases, 1.0 / f32::from(QA)),
            (Layout::OUTPUT, output_weights, worth / f32::from(QB)),
            (Layout::inputs(buckets), feature_weights, 1.0 / f32::from(QA)),
        ];
        for (first, weights, unit) in layers {
            for (row, weights) in weights.chunks_exact(hidden).enumerate() {
                for (slice, lanes) in model.slices.iter_mut().zip(weights.chunks_exact(LANES)) {
                    for (value, &whole) in slice.rows[first + row].0.iter_mut().zip(lanes) {
                        *value = f32::from(whole) * unit;
                    }
                }
            }
        }
        for (bias, whole) in model.biases.iter_mut().zip(output_biases) {
            bias[0] = whole as f32 * worth / (f32::from(QA) * f32::from(QB));
        }
        model
    }

    /// Learns from a batch; the sum of the losses before.
    pub(crate) fn learn(&mut self, batch: &[Sample], target: Target, pace: Pace) -> f64 {
        let loss = self.forward(batch, target);
        self.steps += 1;
        let exponent = self.steps.min(1 << 20) as i32;
        let corrections = MOMENTS.map(|kept| 1.0 / (1.0 - libm::pow(kept.into(), exponent.into()) as f32));
        let by = Step {
            rate: pace.rate,
            decay: pace.decay,
            corrections,
            most: MOST,
        };
        let (kernel, items, slopes) = (self.kernel, &self.items, &self.slopes);
        self.slices.par_iter_mut().for_each(|slice| {
            let Slice {
                rows,
                moments,
                gradient,
                hidden,
                ..
            } = slice;
            (kernel.backward)(rows, items, hidden, slopes, gradient);
            (kernel.step)(rows, gradient, moments, &by);
        });
        self.step_biases(&by);
        loss
    }

    /// The sum of the losses of a batch.
    pub(crate) fn loss(&mut self, batch: &[Sample], target: Target) -> f64 {
        self.forward(batch, target)
    }

    /// Sets hidden values, and the slopes of the mean loss at the outputs; the sum of the losses.
    fn forward(&mut self, batch: &[Sample], target: Target) -> f64 {
        let (kings, buckets) = (self.kings, self.biases.len());
        let first = Layout::inputs(buckets);
        let item = |sample: &Sample| {
            let mut item = Item {
                inputs: crate::sample::Inputs::default(),
                pieces: sample.pieces() as u8,
                bucket: bucket(buckets, sample.pieces()) as u8,
            };
            sample.write_inputs(kings, first as u16, &mut item.inputs);
            item
        };
        batch
            .par_iter()
            .with_min_len(512)
            .map(item)
            .collect_into_vec(&mut self.items);
        let (kernel, items) = (self.kernel, &self.items);
        self.slices.par_iter_mut().for_each(|slice| {
            slice.hidden.resize(items.len(), [Row::ZERO; 2]);
            slice.outputs.resize(items.len(), 0.0);
            (kernel.forward)(&slice.rows, items, &mut slice.hidden, &mut slice.outputs);
        });
        self.slopes.resize(batch.len(), 0.0);
        let mut loss = 0.0;
        for (index, sample) in batch.iter().enumerate() {
            let bias = self.biases[usize::from(self.items[index].bucket)][0];
            let output = self
                .slices
                .iter()
                .fold(bias, |sum, slice| sum + slice.outputs[index]);
            let found = sigmoid(output);
            let error = found - target.of(sample);
            loss += f64::from(error * error);
            self.slopes[index] = 2.0 * error * found * (1.0 - found) / batch.len() as f32;
        }
        loss
    }

    /// The biases of the output take the same step, one lane of a row each.
    fn step_biases(&mut self, by: &Step) {
        let mut gradient = vec![0.0_f32; self.biases.len()];
        for (item, &slope) in self.items.iter().zip(&self.slopes) {
            gradient[usize::from(item.bucket)] += slope;
        }
        for ([bias, first, second], slope) in self.biases.iter_mut().zip(gradient) {
            let in_row = |value: f32| {
                let mut row = Row::ZERO;
                row.0[0] = value;
                row
            };
            let (mut row, mut slope) = ([in_row(*bias)], [in_row(slope)]);
            let mut moments = [[in_row(*first), in_row(*second)]];
            (self.kernel.step)(&mut row, &mut slope, &mut moments, by);
            (*bias, *first, *second) = (row[0].0[0], moments[0][0].0[0], moments[0][1].0[0]);
        }
    }

    /// Every weight and moment, always in the same order.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &f32> {
        let slices = self.slices.iter().flat_map(|slice| {
            let moments = slice.moments.iter().flatten();
            slice.rows.iter().chain(moments).flat_map(|row| &row.0)
        });
        slices.chain(self.biases.iter().flatten())
    }

    /// The same, to be set.
    pub(crate) fn numbers_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        let slices = self.slices.iter_mut().flat_map(|slice| {
            let moments = slice.moments.iter_mut().flatten();
            slice.rows.iter_mut().chain(moments).flat_map(|row| &mut row.0)
        });
        slices.chain(self.biases.iter_mut().flatten())
    }

    /// The weights as whole numbers.
    fn parts(&self) -> Parts {
        let whole = |value: f32, unit: i16| (value * f32::from(unit)).round() as i16;
        let rows = |index: usize, unit: i16| {
            let lanes = self.slices.iter().flat_map(move |slice| slice.rows[index].0);
            lanes.map(move |value| whole(value, unit))
        };
        let outputs = 2 * self.biases.len();
        let unit = f32::from(QA) * f32::from(QB);
        Parts {
            scale: SCALE,
            kings: self.kings,
            feature_weights: (0..self.kings.inputs())
                .flat_map(|input| rows(Layout::inputs(self.biases.len()) + input, QA))
                .collect(),
            feature_biases: rows(Layout::BIAS, QA).collect(),
            output_weights: (0..outputs)
                .flat_map(|output| rows(Layout::OUTPUT + output, QB))
                .collect(),
            output_biases: self
                .biases
                .iter()
                .map(|bias| (bias[0] * unit).round() as i32)
                .collect(),
        }
    }

    /// The net in whole numbers.
    pub(crate) fn network(&self) -> Result<Network, NetworkError> {
        Network::from_parts(&self.parts())
    }

    /// The same net with the weights that the whole numbers stand for.
    pub(crate) fn rounded(&self) -> Model {
        let mut model = self.clone();
        let round =
            |value: &mut f32, unit: i16| *value = (*value * f32::from(unit)).round() / f32::from(unit);
        let outputs = Layout::OUTPUT..Layout::inputs(self.biases.len());
        for slice in &mut model.slices {
            for (index, row) in slice.rows.iter_mut().enumerate() {
                let unit = if outputs.contains(&index) { QB } else { QA };
                row.0.iter_mut().for_each(|value| round(value, unit));
            }
        }
        model
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::Position;

    const FENS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/8/8/8/8/2k5/2P5/2K5 b - - 0 1",
        "8/5k2/8/8/3Q4/8/2P5/2K5 w - - 0 1",
    ];

    fn batch() -> Vec<Sample> {
        let scores = [20, -150, -300, 1200];
        let sample = |(fen, score): (&str, i16)| {
            let position: Position = fen.parse().unwrap();
            Sample::new(&position, score, 1 + u8::from(score > 0))
        };
        FENS.into_iter().zip(scores).map(sample).collect()
    }

    const TARGET: Target = Target { lambda: 0.7 };
    const PACE: Pace = Pace {
        rate: 0.001,
        decay: 0.01,
    };

    #[test]
    fn gradients_are_those_of_the_loss() {
        let mut model = Model::new(Kings::PLAIN, 32, 2, 5);
        let batch = batch();
        let count = batch.len() as f64;
        model.forward(&batch, TARGET);
        let slice = &mut model.slices[0];
        (model.kernel.backward)(
            &slice.rows,
            &model.items,
            &slice.hidden,
            &model.slopes,
            &mut slice.gradient,
        );
        let gradient = slice.gradient.clone();
        let mut checked = 0;
        for row in (0..gradient.len()).step_by(3) {
            for lane in [0, 17] {
                let at = |change: f32| {
                    let mut other = model.clone();
                    other.slices[0].rows[row].0[lane] += change;
                    other.loss(&batch, TARGET) / count
                };
                let slope = (at(0.01) - at(-0.01)) / 0.02;
                let found = f64::from(gradient[row].0[lane]);
                assert!(
                    (slope - found).abs() < 2e-4,
                    "row {row}, lane {lane}: {slope} and {found}"
                );
                checked += usize::from(found.abs() > 1e-3);
            }
        }
        assert!(checked > 3, "{checked}");
    }

    #[test]
    fn every_kernel_gives_the_same_bits() {
        let trained = |kernel: Kernel| {
            let mut model = Model {
                kernel,
                ..Model::new(Kings::PLAIN, 64, 4, 9)
            };
            let losses: Vec<f64> = (0..20).map(|_| model.learn(&batch(), TARGET, PACE)).collect();
            assert!(losses[19] < losses[0], "{losses:?}");
            let rows: Vec<Vec<Row>> = model.slices.iter().map(|slice| slice.rows.clone()).collect();
            (losses, rows, model.biases)
        };
        let first = trained(Kernel::best());
        for (index, kernel) in Kernel::all().enumerate() {
            assert!(trained(kernel) == first, "kernel {index}");
        }
    }

    #[test]
    fn a_net_comes_back_as_it_was() {
        for kings in [Kings::PLAIN, Kings::new(4).unwrap()] {
            let network = Model::new(kings, 96, 4, 11).network().unwrap();
            assert_eq!(Model::from_network(&network).network().unwrap(), network);
        }
        let mut parts = vidmar_net::embedded().parts();
        assert_eq!(
            Model::from_network(&vidmar_net::embedded()).parts(),
            parts,
            "the default net"
        );
        // Where an output of 1 is worth twice as much, weights are twice as large, and scores the same.
        parts = Model::new(Kings::PLAIN, 64, 8, 3).network().unwrap().parts();
        parts.scale = 2 * SCALE;
        let network = Network::from_parts(&parts).unwrap();
        let rescaled = Model::from_network(&network).network().unwrap();
        assert_eq!(rescaled.scale(), SCALE);
        for fen in FENS {
            let position: Position = fen.parse().unwrap();
            let (before, after) = (network.evaluate(&position), rescaled.evaluate(&position));
            assert!((before - after).abs() <= 1, "{fen}: {before} and {after}");
        }
    }

    #[test]
    fn whole_numbers_score_as_the_floats_do() {
        let mut model = Model::new(Kings::new(4).unwrap(), 64, 8, 3);
        for _ in 0..300 {
            model.learn(
                &batch(),
                TARGET,
                Pace {
                    rate: 0.01,
                    decay: 0.0,
                },
            );
        }
        let network = model.network().unwrap();
        assert_eq!((network.hidden(), network.buckets()), (64, 8));
        model.forward(&batch(), TARGET);
        for (index, fen) in FENS.into_iter().enumerate() {
            let bias = model.biases[usize::from(model.items[index].bucket)][0];
            let output = model
                .slices
                .iter()
                .fold(bias, |sum, slice| sum + slice.outputs[index]);
            let whole = network.evaluate(&fen.parse().unwrap());
            let float = output * SCALE as f32;
            assert!(
                (whole as f32 - float).abs() < 12.0 + float.abs() / 100.0,
                "{fen}: {whole} and {float}"
            );
        }
    }
}
