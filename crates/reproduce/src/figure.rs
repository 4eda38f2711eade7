//! Figures with what is known of their error, and what two of them say about each other.
//!
//! The rule, the same for every table. Each side has a 95 % interval where it can have one: Student's t over seeds (or positions, or
//! runs), Wilson's for a share, the stated ± of a rating.
//!
//! | verdict | when |
//! | --- | --- |
//! | agrees | the two intervals overlap |
//! | same direction | they do not, but both figures lie on the same side of "no effect", ours with its whole interval |
//! | differs | otherwise |
//! | not comparable | a reason is given: a scale of its own, a single run without an interval, no figure published |
//! | not run yet | fewer than one run |

use std::fmt;

use serde::Serialize;
use vidmar_rating::stats::Estimate;

/// A figure and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Figure {
    /// The figure: a mean, a share in percent, a rating.
    pub value: f64,
    /// The standard deviation of what it is the mean of.
    pub deviation: Option<f64>,
    /// How many it is the mean of: seeds, runs, positions, games.
    pub count: usize,
    /// The lower and the upper end of its 95 % interval; none where nothing is known of its error.
    pub interval: Option<(f64, f64)>,
}

/// Half the width of a normal 95 % interval in standard deviations.
const NORMAL_95: f64 = 1.959_963_984_540_054;

impl Figure {
    /// A figure that is printed without any error: it is taken for exact.
    pub fn exact(value: f64) -> Figure {
        Figure {
            value,
            deviation: None,
            count: 1,
            interval: Some((value, value)),
        }
    }

    /// Between two figures that are printed as "20 to 30".
    pub fn between(low: f64, high: f64) -> Figure {
        Figure {
            value: f64::midpoint(low, high),
            deviation: None,
            count: 1,
            interval: Some((low, high)),
        }
    }

    /// With a stated ±.
    pub fn plus_minus(value: f64, error: f64) -> Figure {
        Figure {
            interval: Some((value - error, value + error)),
            ..Figure::exact(value)
        }
    }

    /// The mean of independent values; none without any.
    pub fn of(values: &[f64]) -> Option<Figure> {
        let estimate = Estimate::of(values);
        (estimate.count > 0).then(|| Figure::of_estimate(&estimate))
    }

    /// A mean with its standard deviation, as tables print it.
    pub fn of_mean(mean: f64, deviation: f64, count: usize) -> Figure {
        Figure::of_estimate(&Estimate {
            mean,
            deviation,
            count,
        })
    }

    fn of_estimate(estimate: &Estimate) -> Figure {
        let Estimate {
            mean,
            deviation,
            count,
        } = *estimate;
        Figure {
            value: mean,
            deviation: (count > 1).then_some(deviation),
            count,
            interval: estimate.error().map(|error| (mean - error, mean + error)),
        }
    }

    /// A share of so many in percent, with Wilson's interval; none of nothing.
    pub fn of_share(part: f64, whole: u64) -> Option<Figure> {
        if whole == 0 {
            return None;
        }
        let n = whole as f64;
        let share = part / n;
        let z2 = NORMAL_95 * NORMAL_95;
        let middle = (share + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let reach = NORMAL_95 * (share * (1.0 - share) / n + z2 / (4.0 * n * n)).sqrt() / (1.0 + z2 / n);
        Some(Figure {
            value: 100.0 * share,
            deviation: None,
            count: whole as usize,
            interval: Some((
                100.0 * (middle - reach).max(0.0),
                100.0 * (middle + reach).min(1.0),
            )),
        })
    }
}

/// What our figure says about the published one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "kebab-case")]
pub enum Verdict {
    /// The intervals overlap.
    Agrees,
    /// They do not; the effect has the same sign.
    SameDirection,
    /// Neither.
    Differs,
    /// There is nothing to compare.
    NotComparable {
        /// Why.
        why: String,
    },
    /// There is nothing of ours yet.
    NotRun {
        /// Runs that are there.
        done: u64,
        /// Runs that are planned.
        planned: u64,
    },
}

impl Verdict {
    /// Compares; `neutral` is the value that means "no effect", where there is one.
    pub fn of(published: &Figure, ours: &Figure, neutral: Option<f64>) -> Verdict {
        let (Some((published_low, published_high)), Some((low, high))) = (published.interval, ours.interval)
        else {
            return Verdict::NotComparable {
                why: "one run has no interval".to_owned(),
            };
        };
        if low <= published_high && published_low <= high {
            return Verdict::Agrees;
        }
        let is_same = neutral.is_some_and(|neutral| {
            published.value > neutral && low > neutral || published.value < neutral && high < neutral
        });
        if is_same {
            Verdict::SameDirection
        } else {
            Verdict::Differs
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Verdict::Agrees => f.write_str("agrees"),
            Verdict::SameDirection => f.write_str("same direction"),
            Verdict::Differs => f.write_str("differs"),
            Verdict::NotComparable { why } => write!(f, "not comparable: {why}"),
            Verdict::NotRun { done, planned } => write!(f, "not run yet: {done} of {planned}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn verdicts_follow_the_rule() {
        let published = Figure::of_mean(227.7, 61.48, 10);
        let (low, high) = published.interval.expect("ten runs");
        assert!(
            (low - 183.7).abs() < 0.1 && (high - 271.7).abs() < 0.1,
            "{low} {high}"
        );
        let ours = |values: &[f64]| Figure::of(values).expect("values");
        let of = |values: &[f64]| Verdict::of(&published, &ours(values), Some(0.0));
        assert_eq!(of(&[200.0, 260.0, 230.0]), Verdict::Agrees);
        assert_eq!(of(&[100.0, 110.0, 105.0]), Verdict::SameDirection);
        assert_eq!(of(&[-10.0, 12.0, 3.0]), Verdict::Differs);
        assert_eq!(of(&[-100.0, -110.0, -105.0]), Verdict::Differs);
        assert_eq!(
            of(&[105.0]).to_string(),
            "not comparable: one run has no interval"
        );
        let without = Verdict::of(&published, &ours(&[100.0, 110.0, 105.0]), None);
        assert_eq!(without, Verdict::Differs);
    }

    /// Wilson's interval of 222 of 300, by hand: 68.75 to 78.63.
    #[test]
    fn shares_have_wilsons_interval() {
        let (low, high) = Figure::of_share(222.0, 300)
            .and_then(|f| f.interval)
            .expect("a share");
        assert!(
            (low - 68.75).abs() < 0.02 && (high - 78.63).abs() < 0.02,
            "{low} {high}"
        );
        assert_eq!(Figure::of_share(0.0, 0), None);
    }
}
