//! What can be chosen about the player.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;
use vidmar_text::Excerpt;

/// Declares a table of choices: one row each, and everything that lists, names or reads them.
macro_rules! choices {
    ($(#[$doc:meta])* $type:ident; $($variant:ident, $name:literal, $help:literal;)*) => {
        $(#[$doc])*
        #[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $type { $(#[doc = $help] $variant),* }

        impl $type {
            /// Every choice, the published one first.
            pub const ALL: &[$type] = &[$($type::$variant),*];

            /// The name by which users choose it.
            pub const fn name(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }

            /// One line about it.
            pub const fn help(self) -> &'static str {
                match self { $($type::$variant => $help),* }
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        impl FromStr for $type {
            type Err = SettingsError;

            fn from_str(text: &str) -> Result<$type, SettingsError> {
                let known = $type::ALL.iter().copied().find(|choice| choice.name() == text);
                known.ok_or_else(|| SettingsError {
                    value: text.into(),
                    known: $type::ALL.iter().map(|choice| choice.name()).collect::<Vec<_>>().join(", "),
                })
            }
        }
    };
}

choices! {
    /// Whose good the evolution seeks.
    Strategy;
    OneSided, "one-sided", "every change that helps the mover is kept, as if the opponent would help (published)";
    Alternating, "alternating", "the mover's genes evolve for the mover, then the opponent's for the opponent";
    Answering, "answering", "the same, and a changed gene is judged by the best answers found so far";
}

choices! {
    /// What a line is worth.
    Fitness;
    Sum, "sum", "the sum of the evaluations after each gene (published)";
    Leaf, "leaf", "the evaluation after the last gene";
}

choices! {
    /// What a position is worth.
    PositionEvaluation;
    Material, "material", "pawn 1, knight and bishop 3, rook 5, queen 9 (published)";
    Mobility, "mobility", "material, and a tenth of a pawn for each legal move";
    Structure, "structure", "the same, less half a pawn for each doubled pawn";
    Full, "full", "the evaluation of the strong engine";
    See, "see", "the same, with what the best capture wins at the end of a line";
}

/// The text names nothing that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{value}' is not one of {known}")]
pub struct SettingsError {
    /// The text.
    pub value: Excerpt,
    /// What it could be.
    pub known: String,
}

/// How the player evolves its lines. The default is the published player.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The length of a line in plies, from 1 to [`Settings::MOST_GENES`].
    pub genes: usize,
    /// Generations for each first move; 0 for as many as the limits allow.
    pub generations: u32,
    /// Lines in the population of a first move, at least 1.
    pub chromosomes: usize,
    /// Another seed, other games.
    pub seed: u64,
    /// Whose good is sought.
    pub strategy: Strategy,
    /// What a line is worth.
    pub fitness: Fitness,
    /// What a position is worth.
    pub evaluation: PositionEvaluation,
    /// First moves that evolve at the same time; 0 for one a core. It changes no result.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            genes: 6,
            generations: 200,
            chromosomes: 3,
            seed: 0,
            strategy: Strategy::OneSided,
            fitness: Fitness::Sum,
            evaluation: PositionEvaluation::Material,
            threads: 1,
        }
    }
}

impl Settings {
    /// The longest line.
    pub const MOST_GENES: usize = 64;
    /// The largest population.
    pub const MOST_CHROMOSOMES: usize = 1_000;

    /// The player with the cures: both sides evolve, the full evaluation, only the end of a line counts, and it
    /// thinks as long as it may.
    pub fn improved() -> Settings {
        Settings {
            genes: 3,
            generations: 0,
            chromosomes: 3,
            strategy: Strategy::Answering,
            fitness: Fitness::Leaf,
            evaluation: PositionEvaluation::See,
            ..Settings::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back_and_others_refused() {
        for &strategy in Strategy::ALL {
            assert_eq!(strategy.name().parse(), Ok(strategy));
        }
        for &fitness in Fitness::ALL {
            assert_eq!(fitness.to_string().parse(), Ok(fitness));
        }
        for &evaluation in PositionEvaluation::ALL {
            assert_eq!(evaluation.name().parse(), Ok(evaluation));
        }
        assert_eq!(
            "best".parse::<Fitness>().unwrap_err().to_string(),
            "'best' is not one of sum, leaf"
        );
    }
}
