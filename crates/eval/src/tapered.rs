//! A value for the opening and one for the endgame, added and scaled as one number.
//!
//! The two 32-bit halves share a 64-bit word: one addition adds both. Each half must stay inside 32 bits,
//! which the limits on parameters ([`Vector`](crate::Vector)) and the folding of products
//! ([`fold`]) ensure.

use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use serde::Serialize;

/// No single folded product counts for more, so that no sum of them can leave 32 bits.
const LIMIT: i64 = 30_000;

/// A product of parameters as a term of a sum: cut to a size of which many can be added.
#[inline]
pub(crate) fn fold(product: i64) -> i32 {
    product.clamp(-LIMIT, LIMIT) as i32
}

/// An opening and an endgame value, in hundredths of a pawn.
#[derive(Copy, Clone, Default, PartialEq, Eq, Hash)]
pub struct Tapered(i64);

impl Tapered {
    /// Nothing in either phase.
    pub const ZERO: Tapered = Tapered(0);

    /// The two values.
    #[inline]
    pub const fn new(opening: i32, endgame: i32) -> Tapered {
        Tapered(((endgame as i64) << 32) + opening as i64)
    }

    /// A value of the opening only.
    #[inline]
    pub const fn opening_only(opening: i32) -> Tapered {
        Tapered(opening as i64)
    }

    /// A value of the endgame only.
    #[inline]
    pub const fn endgame_only(endgame: i32) -> Tapered {
        Tapered((endgame as i64) << 32)
    }

    /// The opening value.
    #[inline]
    pub const fn opening(self) -> i32 {
        self.0 as i32
    }

    /// The endgame value.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // A negative opening value has borrowed one from the upper half.
        ((self.0 + 0x8000_0000) >> 32) as i32
    }
}

impl Add for Tapered {
    type Output = Tapered;

    #[inline]
    fn add(self, other: Tapered) -> Tapered {
        Tapered(self.0 + other.0)
    }
}

impl Sub for Tapered {
    type Output = Tapered;

    #[inline]
    fn sub(self, other: Tapered) -> Tapered {
        Tapered(self.0 - other.0)
    }
}

impl Neg for Tapered {
    type Output = Tapered;

    #[inline]
    fn neg(self) -> Tapered {
        Tapered(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;

    #[inline]
    fn mul(self, times: i32) -> Tapered {
        Tapered(self.0 * times as i64)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl Sum for Tapered {
    fn sum<I: Iterator<Item = Tapered>>(values: I) -> Tapered {
        values.fold(Tapered::ZERO, Add::add)
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.opening(), self.endgame())
    }
}

impl Serialize for Tapered {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Halves {
            opening: i32,
            endgame: i32,
        }
        Halves {
            opening: self.opening(),
            endgame: self.endgame(),
        }
        .serialize(serializer)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn arithmetic_is_that_of_the_halves(
            a in -1_000_000..1_000_000, b in -1_000_000..1_000_000,
            c in -1_000_000..1_000_000, d in -1_000_000..1_000_000, n in -999..999,
        ) {
            let (x, y) = (Tapered::new(a, b), Tapered::new(c, d));
            prop_assert_eq!(((x + y).opening(), (x + y).endgame()), (a + c, b + d));
            prop_assert_eq!(((x - y).opening(), (x - y).endgame()), (a - c, b - d));
            prop_assert_eq!(((-x).opening(), (-x).endgame()), (-a, -b));
            prop_assert_eq!(((x * n).opening(), (x * n).endgame()), (a * n, b * n));
            prop_assert_eq!(Tapered::opening_only(a) + Tapered::endgame_only(b), x);
        }
    }
}
