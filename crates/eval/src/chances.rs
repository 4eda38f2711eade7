//! An evaluation that speaks of chances: how likely a win, a draw and a loss are.
//!
//! A game is seen as three stages. With `ws` and `bs` the chances that White or Black has won outright,
//! `wm` and `bm` that it wins in a few moves, `we` and `be` that it wins the ending, White's chance is
//! `ws + (1 - bs - ws) wm + (1 - bs - ws - bm - wm) we` and Black's likewise ([maribor-2004], evaluation as chances);
//! what is left is the draw. Each stage's chances are logistic curves of the [`FullEvaluation`](crate::FullEvaluation)'s score. A fight in the
//! middle game needs pieces: its chances are in proportion to the phase, and to the games not won outright.
//!
//! The curves were fitted by maximum likelihood to the scores (vector `guess`) and results of 100,000 quiet
//! positions from games of players above 2300, under the condition that the chance of a win never falls
//! while the score rises: mean log loss 0.973, against 1.088 for the mere frequencies.
//!
//! Only sums, products and quotients are used, which every machine rounds alike: chances, and games played
//! by them, are the same everywhere.

use serde::Serialize;

use crate::full::{FULL_PHASE, SCORE_LIMIT};

/// The chances of one stage as a logistic curve of the score, in hundredths of a pawn.
#[derive(Copy, Clone, Debug, PartialEq)]
struct Stage {
    /// The score that wins every other game.
    even_at: f64,
    /// How much score changes the odds by the factor e.
    spread: f64,
    /// The share of games that the stage can decide at most.
    most: f64,
}

const OUTRIGHT: Stage = Stage {
    even_at: 464.0,
    spread: 122.0,
    most: 1.0,
};
const SOON: Stage = Stage {
    even_at: 5.0,
    spread: 412.0,
    most: 0.5,
};
const ENDING: Stage = Stage {
    even_at: 127.0,
    spread: 64.0,
    most: 1.0,
};

impl Stage {
    /// The chances of the side with this score and of its opponent.
    fn chances(self, score: f64, share: f64) -> (f64, f64) {
        let chance = |score: f64| self.most * share * logistic((score - self.even_at) / self.spread);
        (chance(score), chance(-score))
    }
}

/// The chances of the side to move; they sum to 1.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
#[allow(missing_docs)]
pub struct Chances {
    pub win: f64,
    pub draw: f64,
    pub loss: f64,
}

impl Chances {
    /// The chances of a side with this score, in hundredths of a pawn, when so much material without
    /// pawns is left (its phase: 0 to [`FULL_PHASE`]).
    ///
    /// ```
    /// use vidmar_eval::Chances;
    /// let even = Chances::of(0, 24);
    /// assert_eq!(even.win, even.loss);
    /// assert!(Chances::of(300, 0).win > 0.9);
    /// ```
    pub fn of(score: i32, phase: i32) -> Chances {
        let score = f64::from(score);
        let (ws, bs) = OUTRIGHT.chances(score, 1.0);
        let open = 1.0 - (bs + ws);
        let pieces = f64::from(phase.clamp(0, FULL_PHASE)) / f64::from(FULL_PHASE);
        let (wm, bm) = SOON.chances(score, pieces * open);
        let (we, be) = ENDING.chances(score, 1.0);
        let (win, loss) = (
            ws + open * wm + (open - (bm + wm)) * we,
            bs + open * bm + (open - (bm + wm)) * be,
        );
        Chances {
            win,
            draw: (1.0 - win - loss).max(0.0),
            loss,
        }
    }

    /// The expected result: a win counts 1, a draw one half.
    pub fn expected(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// The chance of a win less that of a loss, in 1/10,000.
    pub fn balance(self) -> i32 {
        ((self.win - self.loss) * 10_000.0).round() as i32
    }

    /// The score with which a side stands so: the opposite of [`balance`](Chances::balance), as near as hundredths of a pawn allow.
    /// Of scores that stand equally well, as sure wins do, it is the least.
    ///
    /// ```
    /// use vidmar_eval::Chances;
    /// assert_eq!(Chances::score_of(Chances::of(-135, 20).balance(), 20), -135);
    /// ```
    pub fn score_of(balance: i32, phase: i32) -> i32 {
        let wanted = balance.abs();
        let at = |score: i32| Chances::of(score, phase).balance();
        // The least score that reaches it.
        let (mut low, mut high) = (0, SCORE_LIMIT);
        while low < high {
            let middle = i32::midpoint(low, high);
            if at(middle) < wanted {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        let below = (low - 1).max(0);
        let nearer = if wanted - at(below) < at(low) - wanted {
            below
        } else {
            low
        };
        nearer * balance.signum()
    }

    /// Win, draw and loss in 1/1000, as UCI's `wdl` wants them: they sum to 1000.
    pub fn per_mille(self) -> [u32; 3] {
        let win = (self.win * 1000.0).round() as u32;
        let loss = (self.loss * 1000.0).round() as u32;
        // Two halves may both have been rounded up.
        let loss = loss.min(1000 - win);
        [win, 1000 - win - loss, loss]
    }
}

/// The logistic function, by sums, products and one quotient.
fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + exponential(-x))
}

/// e to the power x, which is cut to ±40, where odds are beyond all doubt: a short series for the 1024th part, squared ten times.
fn exponential(x: f64) -> f64 {
    let part = x.clamp(-40.0, 40.0) / 1024.0;
    let mut power = 1.0;
    for divisor in [6.0, 5.0, 4.0, 3.0, 2.0, 1.0] {
        power = 1.0 + part / divisor * power;
    }
    for _ in 0..10 {
        power *= power;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_chances_and_rise_with_the_score() {
        for phase in 0..=FULL_PHASE {
            let mut before = Chances::of(-20_000, phase);
            for score in (-3_000..=3_000).chain([20_000]) {
                let now = Chances::of(score, phase);
                for chance in [now.win, now.draw, now.loss] {
                    assert!((0.0..=1.0).contains(&chance), "{score} {phase}: {now:?}");
                }
                assert!((now.win + now.draw + now.loss - 1.0).abs() < 1e-12);
                assert!(
                    now.win >= before.win - 1e-12 && now.loss <= before.loss + 1e-12,
                    "{score} {phase}"
                );
                let other = Chances::of(-score, phase);
                assert_eq!((now.win, now.loss), (other.loss, other.win));
                assert_eq!(now.per_mille().iter().sum::<u32>(), 1000);
                before = now;
            }
        }
        assert_eq!(Chances::of(20_000, 0).per_mille(), [1000, 0, 0]);
    }

    #[test]
    fn a_balance_is_read_back_as_the_score_that_gives_it() {
        for phase in [0, 7, FULL_PHASE] {
            for score in -500..=500 {
                let balance = Chances::of(score, phase).balance();
                let again = Chances::score_of(balance, phase);
                assert_eq!(Chances::of(again, phase).balance(), balance, "{score} at {phase}");
                assert!(
                    again.abs() <= score.abs() && again.abs() + 3 >= score.abs(),
                    "{score}: {again}"
                );
            }
            assert_eq!(Chances::score_of(0, phase), 0);
            // Beyond doubt: the least lead that is.
            let sure = Chances::score_of(10_000, phase);
            assert!((800..1_700).contains(&sure), "{sure}");
            assert_eq!(Chances::score_of(-10_000, phase), -sure);
        }
    }

    #[test]
    fn the_formula_by_hand() {
        // Stage chances computed with another exponential function.
        let curve = |x: f64, at: f64, spread: f64| 1.0 / (1.0 + f64::exp(-(x - at) / spread));
        let (ws, bs) = (curve(100.0, 464.0, 122.0), curve(-100.0, 464.0, 122.0));
        let (wm, bm) = (
            0.25 * (1.0 - ws - bs) * curve(100.0, 5.0, 412.0),
            0.25 * (1.0 - ws - bs) * curve(-100.0, 5.0, 412.0),
        );
        let (we, be) = (curve(100.0, 127.0, 64.0), curve(-100.0, 127.0, 64.0));
        let chances = Chances::of(100, 12);
        let win = ws + (1.0 - bs - ws) * wm + (1.0 - bs - ws - bm - wm) * we;
        let loss = bs + (1.0 - ws - bs) * bm + (1.0 - bs - ws - bm - wm) * be;
        assert!((chances.win - win).abs() < 1e-10 && (chances.loss - loss).abs() < 1e-10);
    }

    #[test]
    fn golden_values() {
        assert_eq!(Chances::of(0, 24).per_mille(), [307, 386, 307]);
        assert_eq!(Chances::of(100, 24).per_mille(), [483, 300, 217]);
        assert_eq!(Chances::of(200, 0).per_mille(), [779, 211, 10]);
    }

    #[test]
    fn the_exponential_function() {
        for tenths in -400..=400 {
            let x = f64::from(tenths) / 10.0;
            assert!((exponential(x) / x.exp() - 1.0).abs() < 1e-9, "{x}");
        }
    }
}
