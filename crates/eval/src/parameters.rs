//! The one table of evaluation parameters.
//!
//! A parameter is one row: name, phase, intervals, published values, meaning. Its index in the table is its
//! index in every [`Vector`](crate::Vector). Command-line and UCI names, the tuner's vector, columns of
//! tables and the documentation are read from here and written nowhere else. The first
//! [`PUBLISHED_COUNT`] rows are the published engine's, in its order; the others, the *extended* ones (`extended.rs`), are
//! this project's and 0 by default, which switches what they weigh off.
//!
//! Code names a parameter by [`index`] in a constant, so that a misspelt name does not compile.

mod published;

use serde::Serialize;
use thiserror::Error;
use vidmar_text::did_you_mean;

use crate::extended::EXTENDED;
use published::PUBLISHED;

/// How many parameters the published engine had.
pub const PUBLISHED_COUNT: usize = PUBLISHED.len();

/// How many parameters there are.
pub const COUNT: usize = PUBLISHED.len() + extended_count();

/// Every parameter.
pub const PARAMETERS: &[Parameter; COUNT] = &joined();

/// The phases of the game in which a parameter counts.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Phase {
    Opening,
    Endgame,
    Both,
}

/// A closed interval of values.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Interval {
    /// The lowest value.
    pub min: i32,
    /// The highest value.
    pub max: i32,
}

impl Interval {
    /// The value in the middle, rounded down.
    pub const fn midpoint(self) -> i32 {
        (self.min + self.max).div_euclid(2)
    }

    /// Whether the value lies in the interval.
    pub const fn contains(self, value: i32) -> bool {
        self.min <= value && value <= self.max
    }

    const fn of((min, max): (i32, i32)) -> Interval {
        assert!(min <= max);
        Interval { min, max }
    }
}

/// The two published values of a parameter.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Published {
    /// Tuned inside the narrow intervals.
    pub narrow: i32,
    /// Tuned inside the wide intervals.
    pub wide: i32,
}

/// A row of the table.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, Serialize)]
pub struct Parameter {
    /// Its name, everywhere.
    pub name: &'static str,
    /// When it counts.
    pub phase: Phase,
    /// Where an expert would look for its value.
    pub narrow: Interval,
    /// Where one who knows little would.
    pub wide: Interval,
    /// What the published engine was tuned to; extended parameters have none.
    pub published: Option<Published>,
    /// One line for documentation and help.
    pub meaning: &'static str,
}

impl Parameter {
    /// The expert's guess: the midpoint of the narrow interval, or 0 (off) for an extended parameter.
    pub const fn guess(&self) -> i32 {
        match self.published {
            Some(_) => self.narrow.midpoint(),
            None => 0,
        }
    }

    /// Whether it is what a piece is worth in one of the phases.
    pub fn is_piece_value(&self) -> bool {
        self.name.ends_with("ValueOpening") || self.name.ends_with("ValueEndgame")
    }
}

/// A row of the published table.
const fn published(
    name: &'static str,
    phase: Phase,
    narrow: (i32, i32),
    narrow_tuned: i32,
    wide: (i32, i32),
    wide_tuned: i32,
    meaning: &'static str,
) -> Parameter {
    Parameter {
        name,
        phase,
        narrow: Interval::of(narrow),
        wide: Interval::of(wide),
        published: Some(Published {
            narrow: narrow_tuned,
            wide: wide_tuned,
        }),
        meaning,
    }
}

/// An extended parameter: both of its intervals contain 0, which is off.
pub(crate) const fn extended(
    name: &'static str,
    phase: Phase,
    narrow: (i32, i32),
    wide: (i32, i32),
    meaning: &'static str,
) -> Parameter {
    let (narrow, wide) = (Interval::of(narrow), Interval::of(wide));
    assert!(narrow.contains(0) && wide.contains(0));
    Parameter {
        name,
        phase,
        narrow,
        wide,
        published: None,
        meaning,
    }
}

const fn extended_count() -> usize {
    let (mut count, mut weight) = (0, 0);
    while weight < EXTENDED.len() {
        count += EXTENDED[weight].len();
        weight += 1;
    }
    count
}

#[allow(clippy::large_stack_arrays, reason = "only ever evaluated by the compiler")]
const fn joined() -> [Parameter; COUNT] {
    let mut table = [PUBLISHED[0]; COUNT];
    let mut next = 1;
    while next < PUBLISHED.len() {
        table[next] = PUBLISHED[next];
        next += 1;
    }
    let mut weight = 0;
    while weight < EXTENDED.len() {
        let mut row = 0;
        while row < EXTENDED[weight].len() {
            table[next] = EXTENDED[weight][row];
            next += 1;
            row += 1;
        }
        weight += 1;
    }
    table
}

/// No parameter has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown parameter '{name}'{hint}")]
pub struct UnknownParameter {
    /// What was asked for.
    pub name: String,
    /// ` (did you mean '…'?)` where a known name is near.
    pub hint: String,
}

/// The index of the parameter with this name.
pub fn find(name: &str) -> Result<usize, UnknownParameter> {
    PARAMETERS
        .iter()
        .position(|parameter| parameter.name == name)
        .ok_or_else(|| UnknownParameter {
            name: name.to_owned(),
            hint: did_you_mean(name, PARAMETERS.iter().map(|parameter| parameter.name)),
        })
}

/// The index of a parameter known when the program is compiled: use it in a `const`, where an unknown
/// name stops the compiler.
pub const fn index(name: &str) -> usize {
    let mut index = 0;
    while index < COUNT {
        if same(PARAMETERS[index].name.as_bytes(), name.as_bytes()) {
            return index;
        }
        index += 1;
    }
    panic!("no parameter has this name")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut index = 0;
    while index < a.len() {
        if a[index] != b[index] {
            return false;
        }
        index += 1;
    }
    true
}

/// A named set of parameters, to be tuned together.
#[derive(Copy, Clone, Debug)]
pub struct ParameterSet {
    /// Its name.
    pub name: &'static str,
    /// One line about it.
    pub about: &'static str,
    contains: fn(usize) -> bool,
}

/// Every named set.
pub const SETS: &[ParameterSet] = &[
    ParameterSet {
        name: "published190",
        about: "the 190 parameters of the published engine",
        contains: |index| index < PUBLISHED_COUNT,
    },
    ParameterSet {
        name: "material-mobility",
        about: "five piece values and three mobilities, each in both phases",
        contains: is_material_or_mobility,
    },
    ParameterSet {
        name: "extended",
        about: "what later evaluations know beyond the 190",
        contains: |index| index >= PUBLISHED_COUNT,
    },
    ParameterSet {
        name: "all",
        about: "every parameter",
        contains: |_| true,
    },
];

fn is_material_or_mobility(at: usize) -> bool {
    const VALUES: (usize, usize) = (index("PawnValueOpening"), index("QueenValueEndgame"));
    const MOBILITY: (usize, usize) = (index("KnightMobOpening"), index("RookMobEndgame"));
    (VALUES.0..=VALUES.1).contains(&at) || (MOBILITY.0..=MOBILITY.1).contains(&at)
}

impl ParameterSet {
    /// The set with this name.
    pub fn named(name: &str) -> Option<&'static ParameterSet> {
        SETS.iter().find(|set| set.name == name)
    }

    /// Whether the parameter at this index belongs to the set.
    pub fn contains(&self, index: usize) -> bool {
        index < COUNT && (self.contains)(index)
    }

    /// The indices of its parameters, in order.
    pub fn indices(&self) -> impl Iterator<Item = usize> {
        let contains = self.contains;
        (0..COUNT).filter(move |&index| contains(index))
    }

    /// Its parameters, in order.
    pub fn parameters(&self) -> impl Iterator<Item = &'static Parameter> {
        self.indices().map(|index| &PARAMETERS[index])
    }
}
