//! Where F and `C_r` come from: fixed, self-adaptive, or from the history of successes.
//!
//! * `self-adaptive` is jDE (Brest et al., IEEE Transactions on Evolutionary Computation 10(6), 2006): every
//!   individual carries its own pair, now and then redrawn, and passes it on with its vector.
//! * `success-history` is that of L-SHADE (Tanabe and Fukunaga, CEC 2014): pairs are drawn around a memory of
//!   means of pairs that led to better vectors, weighted by how much better those were.

use serde::{Deserialize, Serialize};

use vidmar_rng::Rng;

/// How F and `C_r` are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Control {
    /// Always the settings' values.
    Fixed,
    /// jDE.
    SelfAdaptive,
    /// L-SHADE.
    SuccessHistory,
}

/// A pair of control parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Pair {
    pub(crate) f: f64,
    pub(crate) cr: f64,
}

/// A trial that replaced its current individual.
pub(crate) struct Success {
    pub(crate) pair: Pair,
    /// By how much it was better.
    pub(crate) gain: f64,
}

/// jDE: probability that F is redrawn, and that `C_r` is.
const REDRAW: f64 = 0.1;
/// jDE: F is redrawn from this interval.
const F_REDRAWN: (f64, f64) = (0.1, 1.0);

/// The pair that the trial of an individual inherits (jDE). Four draws, always.
pub(crate) fn inherit(parent: Pair, rng: &mut Rng) -> Pair {
    let (change_f, f) = (rng.chance(REDRAW), rng.uniform(F_REDRAWN.0, F_REDRAWN.1));
    let (change_cr, cr) = (rng.chance(REDRAW), rng.unit());
    Pair {
        f: if change_f { f } else { parent.f },
        cr: if change_cr { cr } else { parent.cr },
    }
}

/// L-SHADE: length of the memory.
const MEMORY: usize = 6;
/// L-SHADE: spread of the draws around a remembered mean.
const SPREAD: f64 = 0.1;

/// What led to success.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SuccessMemory {
    f: Vec<f64>,
    /// `None`: only `C_r` = 0 was ever successful there, and it stays so.
    cr: Vec<Option<f64>>,
    next: usize,
}

impl SuccessMemory {
    pub(crate) fn new(start: Pair) -> Self {
        Self {
            f: vec![start.f; MEMORY],
            cr: vec![Some(start.cr); MEMORY],
            next: 0,
        }
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.f.len() == MEMORY && self.cr.len() == MEMORY && self.next < MEMORY
    }

    pub(crate) fn draw(&self, rng: &mut Rng) -> Pair {
        let index = rng.index(MEMORY);
        let cr = self.cr[index].map_or(0.0, |mean| (mean + SPREAD * rng.normal()).clamp(0.0, 1.0));
        let f = loop {
            let drawn = rng.cauchy(self.f[index], SPREAD);
            if drawn > 0.0 {
                break drawn.min(1.0);
            }
        };
        Pair { f, cr }
    }

    /// Remembers the weighted Lehmer means of a generation's successes.
    pub(crate) fn learn(&mut self, successes: &[Success]) {
        let total: f64 = successes.iter().map(|s| s.gain).sum();
        if total <= 0.0 {
            return;
        }
        let lehmer = |value: fn(&Pair) -> f64| {
            let sum = |power: i32| -> f64 {
                successes
                    .iter()
                    .map(|s| s.gain / total * value(&s.pair).powi(power))
                    .sum()
            };
            if sum(1) > 0.0 { Some(sum(2) / sum(1)) } else { None }
        };
        self.f[self.next] = lehmer(|pair| pair.f).unwrap_or(self.f[self.next]);
        self.cr[self.next] = self.cr[self.next].and_then(|_| lehmer(|pair| pair.cr));
        self.next = (self.next + 1) % MEMORY;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::purpose::Purpose;

    #[test]
    fn inheritance_mostly_keeps_and_redraws_inside() {
        let parent = Pair { f: 5.0, cr: 7.0 };
        let (mut f_kept, mut cr_kept) = (0, 0);
        for round in 0..2000 {
            let pair = inherit(parent, &mut Purpose::Control.rng(3, round, 0, 0));
            f_kept += usize::from(pair.f == 5.0);
            cr_kept += usize::from(pair.cr == 7.0);
            assert!(pair.f == 5.0 || (0.1..1.0).contains(&pair.f));
            assert!(pair.cr == 7.0 || (0.0..1.0).contains(&pair.cr));
        }
        assert!(
            (1750..1850).contains(&f_kept) && (1750..1850).contains(&cr_kept),
            "{f_kept} {cr_kept}"
        );
    }

    /// Gains 1 and 3: weights 1/4 and 3/4. F: (0.25 * 0.16 + 0.75 * 0.64) / (0.25 * 0.4 + 0.75 * 0.8) = 0.52 / 0.7.
    #[test]
    fn memory_by_hand() {
        let mut memory = SuccessMemory::new(Pair { f: 0.5, cr: 0.5 });
        let success = |f, cr, gain| Success {
            pair: Pair { f, cr },
            gain,
        };
        memory.learn(&[success(0.4, 0.0, 1.0), success(0.8, 1.0, 3.0)]);
        assert!((memory.f[0] - 0.52 / 0.7).abs() < 1e-15);
        assert!((memory.cr[0].unwrap() - 1.0).abs() < 1e-15);
        memory.learn(&[]);
        assert_eq!(memory.next, 1, "no success, no entry");
        memory.learn(&[success(0.4, 0.0, 1.0)]);
        assert_eq!(memory.cr[1], None, "only zero was successful");
        for _ in 0..MEMORY {
            memory.learn(&[success(0.4, 0.9, 1.0)]);
        }
        assert_eq!(memory.cr[1], None, "and so it stays");
    }
}
