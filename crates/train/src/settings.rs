//! What training depends on besides the games.

use serde::{Deserialize, Serialize};
use thiserror::Error;
use vidmar_net::{Kings, MAX_BUCKETS, MAX_HIDDEN, Network};

use crate::filter::Filter;
use crate::kernel::LANES;

/// What training depends on besides the games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TrainSettings {
    /// Hidden neurons of a side, a multiple of 32.
    pub hidden: usize,
    /// Sets of output weights, by the number of pieces.
    pub buckets: usize,
    /// What the net does with the square of a side's own king ([`Kings::new`]).
    pub king_buckets: usize,
    /// Epochs before these, of as many positions near those of the games, in which the hand-crafted evaluation is learnt.
    pub distil: u64,
    /// How often every position is learnt from.
    pub epochs: u64,
    /// Positions of a step.
    pub batch: usize,
    /// The share of the score in what is learnt; the rest is the result.
    pub lambda: f32,
    /// How far a step goes at first.
    pub rate: f32,
    /// What is taken from every weight, as a share of the rate.
    pub decay: f32,
    /// The share of games that are set apart for validation.
    pub validation: f64,
    /// Whether positions in which nobody may castle are seen in a mirror every second time.
    pub mirror: bool,
    /// The seed of everything random.
    pub seed: u64,
    /// Which positions are left out.
    pub filter: Filter,
}

impl Default for TrainSettings {
    fn default() -> TrainSettings {
        TrainSettings {
            hidden: 256,
            buckets: 1,
            king_buckets: 0,
            distil: 0,
            epochs: 20,
            batch: 16_384,
            lambda: 0.7,
            rate: 0.001,
            decay: 0.01,
            validation: 0.02,
            mirror: true,
            seed: 1,
            filter: Filter::default(),
        }
    }
}

/// Settings that make no sense: the name, the value, and what was expected.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name} is {value}: expected {expected}")]
pub struct SettingsError {
    name: &'static str,
    value: String,
    expected: String,
}

impl TrainSettings {
    /// The same for a net of the shape of another.
    pub fn shaped_like(self, network: &Network) -> TrainSettings {
        TrainSettings {
            hidden: network.hidden(),
            buckets: network.buckets(),
            king_buckets: network.kings().buckets(),
            ..self
        }
    }

    /// What the net does with the square of a side's own king.
    pub fn kings(&self) -> Result<Kings, SettingsError> {
        Kings::new(self.king_buckets).ok_or_else(|| SettingsError {
            name: "king-buckets",
            value: self.king_buckets.to_string(),
            expected: "0, 1, 2, 4 or 8".to_owned(),
        })
    }

    /// The first that makes no sense.
    pub fn check(&self) -> Result<(), SettingsError> {
        let check = |name, value: &dyn ToString, is_right: bool, expected: String| {
            if is_right {
                return Ok(());
            }
            Err(SettingsError {
                name,
                value: value.to_string(),
                expected,
            })
        };
        let hidden = self.hidden.is_multiple_of(LANES) && (LANES..=MAX_HIDDEN).contains(&self.hidden);
        check(
            "hidden",
            &self.hidden,
            hidden,
            format!("a multiple of {LANES} from {LANES} to {MAX_HIDDEN}"),
        )?;
        let buckets = (1..=MAX_BUCKETS).contains(&self.buckets);
        check("buckets", &self.buckets, buckets, format!("1 to {MAX_BUCKETS}"))?;
        let kings = self.kings()?;
        check(
            "mirror",
            &self.mirror,
            self.mirror || kings == Kings::PLAIN,
            "true with king buckets, by which every board is seen in its mirror".to_owned(),
        )?;
        let epochs = (1..=MOST_EPOCHS).contains(&self.epochs);
        check("epochs", &self.epochs, epochs, format!("1 to {MOST_EPOCHS}"))?;
        let distil = self.distil <= MOST_EPOCHS;
        check("distil", &self.distil, distil, format!("0 to {MOST_EPOCHS}"))?;
        let batch = (1..=MOST_BATCH).contains(&self.batch);
        check("batch", &self.batch, batch, format!("1 to {MOST_BATCH}"))?;
        let lambda = (0.0..=1.0).contains(&self.lambda);
        check("lambda", &self.lambda, lambda, "0 to 1".to_owned())?;
        let rate = self.rate > 0.0 && self.rate <= 1.0;
        check("rate", &self.rate, rate, "a number above 0, at most 1".to_owned())?;
        let decay = (0.0..=1.0).contains(&self.decay);
        check("decay", &self.decay, decay, "0 to 1".to_owned())?;
        let validation = self.validation > 0.0 && self.validation <= 0.5;
        check(
            "validation",
            &self.validation,
            validation,
            "a share above 0, at most 0.5".to_owned(),
        )
    }

    /// How far a step goes: it rises in the first hundredth of all steps and then falls along a cosine to a hundredth.
    pub fn rate_at(&self, step: u64, steps: u64) -> f32 {
        let rising = (steps / 100).max(1);
        if step < rising {
            return self.rate * (step + 1) as f32 / rising as f32;
        }
        let way = (step - rising) as f64 / (steps - rising).max(1) as f64;
        let share = 0.5 * (1.0 + libm::cos(std::f64::consts::PI * way));
        self.rate * (LAST_RATE + (1.0 - LAST_RATE) * share as f32)
    }
}

/// The share of the rate that is left in the end.
const LAST_RATE: f32 = 0.01;
/// The most epochs of either kind.
const MOST_EPOCHS: u64 = 1_000_000;
/// The most positions of a step.
const MOST_BATCH: usize = 1 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_rises_and_falls() {
        let settings = TrainSettings::default();
        let rates: Vec<f32> = (0..1_000).map(|step| settings.rate_at(step, 1_000)).collect();
        assert!(rates[..10].is_sorted() && rates[10..].is_sorted_by(|a, b| a >= b));
        assert!((rates[9] - 0.001).abs() < 1e-9 && rates[0] < 0.000_2 && rates[999] < 0.000_011);
        assert!(settings.rate_at(0, 1) > 0.0);
    }

    #[test]
    fn nonsense_is_named() {
        let usual = TrainSettings::default();
        assert_eq!(usual.check(), Ok(()));
        for (settings, name) in [
            (
                TrainSettings {
                    hidden: 100,
                    ..usual.clone()
                },
                "hidden is 100",
            ),
            (
                TrainSettings {
                    buckets: 9,
                    ..usual.clone()
                },
                "buckets is 9",
            ),
            (
                TrainSettings {
                    king_buckets: 3,
                    ..usual.clone()
                },
                "king-buckets is 3",
            ),
            (
                TrainSettings {
                    king_buckets: 1,
                    mirror: false,
                    ..usual.clone()
                },
                "mirror is false",
            ),
            (
                TrainSettings {
                    epochs: 0,
                    ..usual.clone()
                },
                "epochs is 0",
            ),
            (
                TrainSettings {
                    distil: u64::MAX,
                    ..usual.clone()
                },
                "distil is 18446744073709551615",
            ),
            (
                TrainSettings {
                    batch: 0,
                    ..usual.clone()
                },
                "batch is 0",
            ),
            (
                TrainSettings {
                    lambda: f32::NAN,
                    ..usual.clone()
                },
                "lambda is NaN",
            ),
            (
                TrainSettings {
                    rate: -1.0,
                    ..usual.clone()
                },
                "rate is -1",
            ),
            (
                TrainSettings {
                    decay: 2.0,
                    ..usual.clone()
                },
                "decay is 2",
            ),
            (
                TrainSettings {
                    validation: 0.0,
                    ..usual.clone()
                },
                "validation is 0",
            ),
        ] {
            let error = settings.check().unwrap_err().to_string();
            assert!(error.starts_with(name), "{error}");
        }
    }
}
