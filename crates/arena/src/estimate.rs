//! How much stronger: Elo with its interval, normalised Elo and the likelihood of superiority.
//!
//! Two games with the same opening and colours exchanged are one observation, a *pair*: their results hang together
//! through the opening, and counting them apart overstates the noise (or, with lopsided openings, understates it). A
//! pair has five results, so its counts are a pentanomial sample; games without a partner are a trinomial one. All that
//! follows is the mean of such a sample, its variance and the central limit, as in fastchess.
//!
//! Few observations, or ones that are all alike, vary less than what they come from. What happens with probability p is
//! missing in all of n observations with probability (1 - p)^n, which is above 2.5 % for p < 1 - 0.025^(1/n), the *unseen
//! share*. So an end of the interval is at least as far away as a sample in which that share of worse (or better) pairs
//! was merely not seen yet. Where every pair was won, that alone is the lower end: it is the exact one of Clopper and
//! Pearson, since no player of mean score m wins all of n pairs with a probability above m^n.
//!
//! Normalised Elo measures the same in units of the noise: (mean - 1/2) / (deviation of one game), times 800 / ln 10,
//! which is 1 Elo where there are no draws (Michel Van den Bergh, "Normalized Elo").

use vidmar_rows::EloInterval;

use crate::tally::{Pairs, Tally};

/// Half the width of a 95 % interval in standard deviations.
const NORMAL_95: f64 = 1.959_963_984_540_054;

/// What lies beyond each end of a 95 % interval.
const TAIL: f64 = 0.025;

/// Normalised Elo of a mean one standard deviation of a game above 1/2.
pub(crate) const NORMALISED_UNIT: f64 = 800.0 / std::f64::consts::LN_10;

/// From fewer pairs (or games without a partner) nothing is said of normalised Elo and superiority: equal players win five
/// pairs in a row with a probability of 1/32, which is more than 2.5 %, so five can prove nothing, and six can.
pub const FEWEST_OBSERVATIONS: u64 = 6;

/// What a sample says about the difference between two players.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Estimate {
    /// Mean points of a game.
    pub score: f64,
    /// Elo and its 95 % interval.
    pub interval: EloInterval,
    /// Pairs, or games without a partner.
    pub observations: u64,
    /// What other match runners make of the same sample.
    pub(crate) plain: PlainEstimate,
}

/// The figures of the central limit alone, as fastchess and cutechess have them: of any sample, perhaps infinite or none.
#[derive(Copy, Clone, Debug, PartialEq)]
pub(crate) struct PlainEstimate {
    /// Half the width of the 95 % interval of Elo.
    pub(crate) error: f64,
    /// Normalised Elo.
    pub(crate) normalised: f64,
    /// Half the width of its 95 % interval.
    pub(crate) normalised_error: f64,
    /// Likelihood of superiority: the chance that the player is stronger at all.
    pub(crate) superiority: f64,
}

impl Estimate {
    /// From games that have no partner; none without games.
    pub fn of_games(tally: &Tally) -> Option<Estimate> {
        estimate(&tally.counts(), 1.0)
    }

    /// From pairs; none without pairs.
    pub fn of_pairs(pairs: &Pairs) -> Option<Estimate> {
        estimate(&pairs.0, 2.0)
    }

    /// Normalised Elo and half the width of its 95 % interval; none from too few observations, without variance, or where the
    /// interval of Elo has an end of which nothing is known: the width is that of the central limit alone.
    pub fn normalised(&self) -> Option<(f64, f64)> {
        let PlainEstimate {
            normalised,
            normalised_error,
            ..
        } = self.plain;
        let is_known = self.is_enough() && normalised.is_finite() && self.interval.error().is_some();
        is_known.then_some((normalised, normalised_error))
    }

    /// The chance that the player is stronger at all; none from too few observations, or without variance.
    pub fn superiority(&self) -> Option<f64> {
        let is_known = self.is_enough() && self.plain.normalised.is_finite();
        is_known.then_some(self.plain.superiority)
    }

    fn is_enough(&self) -> bool {
        self.observations >= FEWEST_OBSERVATIONS
    }
}

/// Mean and variance of counts over equally spaced scores from 0 to 1.
pub(crate) fn moments(counts: &[f64]) -> (f64, f64) {
    let top = (counts.len() - 1) as f64;
    let total: f64 = counts.iter().sum();
    let weighted = |f: &dyn Fn(f64) -> f64| {
        let sum: f64 = counts
            .iter()
            .enumerate()
            .map(|(at, count)| count * f(at as f64 / top))
            .sum();
        sum / total
    };
    let mean = weighted(&|score| score);
    (mean, weighted(&|score| (score - mean).powi(2)))
}

fn estimate(counts: &[u64], games_each: f64) -> Option<Estimate> {
    let observations: u64 = counts.iter().sum();
    if observations == 0 {
        return None;
    }
    let counts: Vec<f64> = counts.iter().map(|&count| count as f64).collect();
    let total = observations as f64;
    let (score, variance) = moments(&counts);
    let deviation = (variance / total).sqrt();
    let reach = NORMAL_95 * deviation;
    // One game varies as much as `games_each` times their mean.
    let game_deviation = (variance * games_each).sqrt();
    let (low, high) = ends(&counts, score, reach);
    Some(Estimate {
        score,
        interval: EloInterval {
            elo: elo(score),
            low: elo(low),
            high: elo(high),
        },
        observations,
        plain: PlainEstimate {
            error: (elo(score + reach) - elo(score - reach)) / 2.0,
            normalised: (score - 0.5) / game_deviation * NORMALISED_UNIT,
            normalised_error: NORMAL_95 / (total * games_each).sqrt() * NORMALISED_UNIT,
            superiority: libm::erfc((0.5 - score) / deviation / std::f64::consts::SQRT_2) / 2.0,
        },
    })
}

/// The ends of the interval, as scores.
fn ends(counts: &[f64], score: f64, reach: f64) -> (f64, f64) {
    let total: f64 = counts.iter().sum();
    let seen = TAIL.powf(1.0 / total);
    // Where the worst result was seen, the deviation knows of it; even so nothing proves more than winning everything.
    let low = if counts[0] > 0.0 { seen } else { seen * score };
    let high = if counts[counts.len() - 1] > 0.0 {
        1.0 - seen
    } else {
        1.0 - seen * (1.0 - score)
    };
    (low.min(score - reach), high.max(score + reach))
}

/// The Elo difference that expects this score, infinite at and beyond the ends.
pub fn elo(score: f64) -> f64 {
    if score <= 0.0 {
        f64::NEG_INFINITY
    } else if score >= 1.0 {
        f64::INFINITY
    } else {
        // Adding 0 makes the -0 of a level score a plain 0.
        -400.0 * libm::log10(1.0 / score - 1.0) + 0.0
    }
}

/// The score that an Elo difference expects.
pub fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::pow(10.0, -elo / 400.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_rows::Verdict;

    fn near(found: f64, expected: f64, within: f64) {
        assert!((found - expected).abs() <= within, "{found} is not {expected}");
    }

    fn of_pairs(pairs: [u64; 5]) -> Estimate {
        Estimate::of_pairs(&Pairs(pairs)).expect("there are pairs")
    }

    /// Figures that fastchess publishes in its own tests (`elo_test.cpp`), to the two decimals it gives them with.
    #[test]
    fn agrees_with_fastchess() {
        let normalised = |estimate: &Estimate| estimate.normalised().expect("enough games");
        for ((wins, losses, draws), elo, error) in [
            ((76, 89, 123), -20.76, 40.13),
            ((136, 96, 111), 49.77, 36.77),
            ((34, 356, 0), -508.44, 34.48),
        ] {
            let found = Estimate::of_games(&Tally { wins, draws, losses }).expect("there are games");
            near(normalised(&found).0, elo, 0.006);
            near(normalised(&found).1, error, 0.006);
        }
        let tally = Tally {
            wins: 136,
            draws: 111,
            losses: 96,
        };
        let found = Estimate::of_games(&tally).expect("there are games");
        near(found.interval.elo, 40.70, 0.006);
        near(found.interval.error().expect("two ends"), 30.43, 0.006);
        near(found.superiority().expect("enough games"), 0.9960, 0.00006);

        for (pairs, elo, error, normalised_elo, normalised_error) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 57.94, 28.28),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, -9.17, 10.96),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, -19.01, 2.65),
        ] {
            let found = of_pairs(pairs);
            near(found.interval.elo, elo, 0.006);
            near(found.interval.error().expect("two ends"), error, 0.006);
            near(found.plain.error, error, 0.006);
            near(normalised(&found).0, normalised_elo, 0.006);
            near(normalised(&found).1, normalised_error, 0.006);
        }
        let found = of_pairs([332, 433, 498, 333, 334]);
        near(found.superiority().expect("enough pairs"), 0.0505, 0.00006);
    }

    /// 14 wins, 3 draws and 3 losses are a gain, in single games and in pairs: half the width of the interval is more than
    /// the difference, and yet zero is not in it.
    #[test]
    fn a_lopsided_interval_is_read_by_its_ends() {
        let tally = Tally {
            wins: 14,
            draws: 3,
            losses: 3,
        };
        let single = Estimate::of_games(&tally).expect("games").interval;
        near(single.low, 79.8, 0.1);
        near(single.high, 469.4, 0.5);
        assert_eq!(single.verdict(), Verdict::Gain);
        // Six pairs won, one and a half points once, two level pairs (1-0 and 0-1; twice a draw), one lost.
        let pairs = of_pairs([1, 0, 2, 1, 6]).interval;
        near(pairs.low, 51.0, 0.5);
        near(pairs.high, 647.0, 2.0);
        assert!(pairs.elo < pairs.error().expect("two ends"));
        assert_eq!(pairs.verdict(), Verdict::Gain);
        assert_eq!(of_pairs([6, 1, 2, 0, 1]).interval.verdict(), Verdict::Loss);
    }

    #[test]
    fn the_other_side_sees_the_opposite() {
        for counts in [
            [34, 54, 63, 64, 75],
            [0, 0, 0, 0, 7],
            [0, 0, 2, 3, 0],
            [1, 0, 0, 0, 9],
        ] {
            let pairs = Pairs(counts);
            let (ours, theirs) = (
                Estimate::of_pairs(&pairs).expect("pairs"),
                Estimate::of_pairs(&pairs.mirrored()).expect("pairs"),
            );
            let (a, b) = (ours.interval, theirs.interval);
            for (one, other) in [(a.elo, b.elo), (a.low, b.high), (a.high, b.low)] {
                let is_opposite = if one.is_finite() {
                    (one + other).abs() < 1e-6
                } else {
                    one.total_cmp(&-other).is_eq()
                };
                assert!(is_opposite, "{a:?} {b:?}");
            }
            if let (Some(a), Some(b)) = (ours.superiority(), theirs.superiority()) {
                near(a + b, 1.0, 1e-12);
            }
        }
    }

    /// The lower end of Clopper and Pearson where everything was won: 0.025^(1/n), as tables of the binomial have it
    /// (10 of 10: 0.6915, 50 of 50: 0.9289).
    #[test]
    fn all_won_is_a_bound() {
        assert_eq!(Estimate::of_games(&Tally::default()), None);
        for (pairs, low) in [(10, 0.6915), (50, 0.9289)] {
            let won = of_pairs([0, 0, 0, 0, pairs]).interval;
            assert_eq!((won.elo, won.high), (f64::INFINITY, f64::INFINITY));
            near(expected_score(won.low), low, 0.00005);
            assert_eq!(won.verdict(), Verdict::Gain);
            let lost = of_pairs([pairs, 0, 0, 0, 0]).interval;
            assert_eq!((lost.elo, lost.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
            near(lost.high, -won.low, 1e-9);
        }
        // Half a point less is not more.
        let nearly = of_pairs([0, 0, 0, 1, 9]).interval;
        assert!(nearly.elo.is_finite() && nearly.low < of_pairs([0, 0, 0, 0, 10]).interval.low);
    }

    /// Fewer than six pairs prove nothing, however they ended: equal players end them so in one case of 32 or more. Nor is
    /// anything said of superiority and normalised Elo, and nothing is ever "not a number".
    #[test]
    fn a_handful_proves_nothing() {
        for total in 1..FEWEST_OBSERVATIONS {
            for result in 0..5 {
                for other in 0..5 {
                    let mut counts = [0; 5];
                    counts[result] += total - 1;
                    counts[other] += 1;
                    let found = of_pairs(counts);
                    let EloInterval { elo, low, high } = found.interval;
                    assert_eq!(found.interval.verdict(), Verdict::Nothing, "{counts:?}");
                    assert!(
                        low <= elo && elo <= high && low < high,
                        "{counts:?} {low} {elo} {high}"
                    );
                    assert_eq!((found.normalised(), found.superiority()), (None, None));
                }
            }
        }
        assert_eq!(of_pairs([0, 0, 0, 0, 6]).interval.verdict(), Verdict::Gain);
        // Of a sample without variance there is no more to say than its bound.
        let level = of_pairs([0, 0, 9, 0, 0]);
        assert_eq!((level.normalised(), level.superiority()), (None, None));
        assert!(level.interval.low < -50.0 && level.interval.high > 50.0 && level.interval.elo == 0.0);
        assert!(level.interval.elo.is_sign_positive());
        near(expected_score(elo(0.37)), 0.37, 1e-15);
    }

    /// What the interval promises, where the truth is known: it misses the true difference in at most about one of twenty
    /// samples, few pairs or many, drawish or lopsided.
    #[test]
    fn intervals_hold_what_they_promise() {
        let mut rng = vidmar_rng::Rng::from_seed(5);
        for truth in [
            [0.10, 0.20, 0.40, 0.20, 0.10],
            [0.02, 0.08, 0.70, 0.15, 0.05],
            [0.02, 0.03, 0.10, 0.15, 0.70],
            [0.0, 0.01, 0.02, 0.07, 0.90],
        ] {
            let (mean, _) = moments(&truth);
            for pairs in [8, 20, 100] {
                let missed = (0..2_000).filter(|_| {
                    let mut counts = [0; 5];
                    for _ in 0..pairs {
                        let mut left = rng.unit();
                        let result = truth.iter().position(|share| {
                            left -= share;
                            left < 0.0
                        });
                        counts[result.unwrap_or(4)] += 1;
                    }
                    let EloInterval { low, high, .. } = of_pairs(counts).interval;
                    elo(mean) < low || elo(mean) > high
                });
                let missed = missed.count() as f64 / 2_000.0;
                assert!(missed < 0.09, "{truth:?}, {pairs} pairs: {missed}");
            }
        }
    }
}
