//! What to search with: one plain value that says everything, so that two equal ones search alike.
//!
//! Every setting is one row: the field, its default, its name outside and one line about it. Not every algorithm can honour every
//! setting; its row in `algorithms/` says which it does, and [`Settings::check`] refuses the others by name.

use std::sync::{Arc, LazyLock};

use vidmar_chess::Generation;
use vidmar_eval::{Evaluation, PAWN};
use vidmar_tablebases::Tablebases;
use vidmar_text::named_enum;

use crate::algorithms::Algorithm;
use crate::flagship::{SearchParameters, Techniques};
use crate::null_move::{NullMove, NullMoveRules};
use crate::ordering_rules::OrderingRules;
use crate::parallel::Parallel;
use crate::table::Scheme;

macro_rules! settings {
    (fields { $($field:ident: $type:ty = $default:expr, $switch:ident $name:literal $help:literal;)* }
     beside { $($other:ident $other_name:literal $other_help:literal;)* }) => {
        /// Every choice that a search leaves open. The default is plain alpha-beta with a table, all ordering and quiescence, and
        /// nothing that prunes.
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[allow(clippy::struct_excessive_bools)]
        pub struct Settings {
            /// How the root's value is found.
            pub algorithm: Algorithm,
            $(#[doc = $help] pub $field: $type,)*
        }

        impl Default for Settings {
            fn default() -> Settings {
                Settings { algorithm: Algorithm::AlphaBeta, $($field: $default,)* }
            }
        }

        named_enum! {
            /// A choice that an algorithm may or may not honour: the fields of [`Settings`], and what is chosen beside them.
            pub enum Switch: "setting";
            $($switch, $name, $help;)*
            $($other, $other_name, $other_help;)*
        }

        impl Settings {
            /// The settings that differ from the default.
            pub fn changed(&self) -> impl Iterator<Item = Switch> {
                let usual = Settings::default();
                [$((Switch::$switch, self.$field != usual.$field)),*]
                    .into_iter()
                    .filter_map(|(switch, is_changed)| is_changed.then_some(switch))
            }
        }
    };
}

settings! {
    fields {
        iterative: bool = true, Iterative "iterative" "depth 1, 2, ... up to the limit, or the limit at once";
        fail: Fail = Fail::Soft, Fail "fail" "what a node returns when its value lies outside the window";
        quiescence: bool = true, Quiescence "quiescence" "leaves are searched on until they are quiet";
        quiescence_plies: u32 = 0, QuiescencePlies "quiescence-plies" "after how many plies a leaf counts as quiet; 0: when it is";
        null_move: NullMove = NullMove::Off, NullMove "null-move" "cut off where a pass would be good enough";
        null_move_rules: NullMoveRules = NullMoveRules::default(), NullMoveRules "null-move-without"
            "null-move rules to leave out";
        futility: bool = false, Futility "futility" "hopeless quiet moves near the leaves are left out";
        generation: Generation = Generation::Legal, Generation "generation" "how the moves of a node are found";
        ordering: OrderingRules = OrderingRules::ALL, Ordering "ordering" "what moves are ordered by";
        table: Scheme = Scheme::TwoLevel, Table "table" "which entries the table keeps";
        table_mib: usize = 16, TableSize "table-mib" "the size of the table in mebibytes";
        exact: bool = false, Exact "exact" "tables and repetitions change no value: it is that of minimax where nothing else prunes";
        parallel: Parallel = Parallel::None, Parallel "parallel" "how threads share the search";
        threads: usize = 1, Threads "threads" "how many threads search";
        multipv: usize = 1, MultiPv "multipv" "how many best lines are found";
        parameters: SearchParameters = SearchParameters::default(), Parameters "parameters"
            "the numbers of selective techniques";
        techniques: Techniques = Techniques::default(), Techniques "techniques"
            "the selective techniques that are on, in a build that can switch them";
        tablebases: Probes = Probes::default(), Tablebases "tablebases" "the tablebases that are probed below the root";
    }
    beside {
        Board "board" "the board representation";
        Evaluation "eval" "the evaluation of the leaves";
        TablePv "pv" "the principal variation from the table instead of the triangular array";
    }
}

named_enum! {
    /// What a node returns when its value lies outside the window.
    pub enum Fail: "bound";
    Soft, "soft", "the best bound known, which may lie outside the window";
    Hard, "hard", "the edge of the window";
}

/// The tablebases of a search. Clones share them: one set serves many searches.
#[derive(Clone, Debug)]
pub struct Probes {
    /// Those built in, unless others are given.
    pub tablebases: Arc<Tablebases>,
    /// The least depth at which positions with as many pieces as the largest of them are looked up; smaller ones always are.
    pub least_depth: u32,
}

impl Probes {
    /// No tablebases at all.
    pub fn none() -> Probes {
        static NONE: LazyLock<Arc<Tablebases>> = LazyLock::new(|| Arc::new(Tablebases::none()));
        Probes {
            tablebases: Arc::clone(&NONE),
            least_depth: 1,
        }
    }
}

impl Default for Probes {
    fn default() -> Probes {
        static BUILT_IN: LazyLock<Arc<Tablebases>> = LazyLock::new(|| Arc::new(Tablebases::built_in()));
        Probes {
            tablebases: Arc::clone(&BUILT_IN),
            least_depth: 1,
        }
    }
}

/// Equal if they are the same tablebases in memory, used alike.
impl PartialEq for Probes {
    fn eq(&self, other: &Probes) -> bool {
        Arc::ptr_eq(&self.tablebases, &other.tablebases) && self.least_depth == other.least_depth
    }
}

impl Eq for Probes {}

impl Settings {
    /// The settings under which an exact algorithm returns the value of minimax: nothing prunes, no
    /// quiescence, and tables answer only for the same depth.
    pub fn exact(algorithm: Algorithm, table: Scheme) -> Settings {
        Settings {
            algorithm,
            table,
            quiescence: false,
            exact: true,
            ..Settings::default()
        }
    }

    /// The first reason why nothing can search with these settings.
    pub fn check(&self) -> Result<(), SettingsError> {
        self.algorithm.check(self.changed())?;
        if self.threads == 0 {
            return Err(SettingsError::NoThread);
        }
        if self.quiescence_plies > 0 && !self.quiescence {
            return Err(SettingsError::PliesAlone(self.quiescence_plies));
        }
        if self.parallel == Parallel::None && self.threads > 1 {
            return Err(SettingsError::ThreadsAlone(self.threads));
        }
        if self.parallel == Parallel::YoungBrothersWait && !self.algorithm.splits() {
            return Err(SettingsError::CannotSplit(self.algorithm));
        }
        if !cfg!(feature = "switches") && self.techniques != Techniques::default() {
            return Err(SettingsError::NoSwitches);
        }
        Ok(())
    }
}

impl Settings {
    /// The same of a search with this evaluation. Selective techniques go by margins in hundredths of a pawn, so no other unit will do.
    pub fn check_with(&self, evaluation: &impl Evaluation) -> Result<(), SettingsError> {
        self.check()?;
        if self.algorithm.is_selective() && evaluation.pawn() != PAWN {
            return Err(SettingsError::NotInPawns(self.algorithm));
        }
        Ok(())
    }
}

/// Settings that contradict each other.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs)]
pub enum SettingsError {
    #[error("0 threads (expected at least 1)")]
    NoThread,
    #[error("{0} threads without a way to share the work (expected parallel ybwc or lazy)")]
    ThreadsAlone(usize),
    #[error("{0} quiescence-plies without quiescence (expected quiescence on, or 0)")]
    PliesAlone(u32),
    #[error("{algorithm} does not honour {switch} (it honours {honoured})", honoured = names(algorithm.honoured()))]
    Unhonoured { algorithm: Algorithm, switch: Switch },
    #[error("{0} has no nodes that ybwc could split (expected lazy, or another algorithm)")]
    CannotSplit(Algorithm),
    #[error(
        "{0} does not honour this evaluation: its margins are in hundredths of a pawn, and the values are not"
    )]
    NotInPawns(Algorithm),
    #[error("the evaluation {0} has no parameters, and vector says some (expected eval full or chances)")]
    NoParameters(&'static str),
    #[error(
        "the evaluation {leaf} does not weigh {weight} (expected eval simple, simple-squares or simple-occupation)"
    )]
    NoWeight {
        leaf: &'static str,
        weight: &'static str,
    },
    #[error("techniques: this build cannot switch them off (expected one with the feature switches)")]
    NoSwitches,
    #[error("there is no memory for a table of {0} MiB")]
    NoMemory(usize),
}

fn names(switches: &[Switch]) -> String {
    let names: Vec<&str> = switches.iter().map(|switch| switch.name()).collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contradictions_are_named() {
        let settings = Settings {
            threads: 2,
            ..Settings::default()
        };
        assert_eq!(settings.check(), Err(SettingsError::ThreadsAlone(2)));
        let settings = Settings {
            threads: 1,
            quiescence: false,
            quiescence_plies: 3,
            ..settings
        };
        assert_eq!(settings.check(), Err(SettingsError::PliesAlone(3)));
        let settings = Settings {
            quiescence: true,
            ..settings
        };
        assert_eq!(settings.check(), Ok(()));
        let settings = Settings {
            parallel: Parallel::YoungBrothersWait,
            algorithm: Algorithm::Minimax,
            ..settings
        };
        assert_eq!(
            settings.check(),
            Err(SettingsError::CannotSplit(Algorithm::Minimax))
        );
    }

    #[test]
    fn what_an_algorithm_cannot_honour_is_refused_by_name() {
        let settings = Settings {
            algorithm: Algorithm::Flagship,
            table: Scheme::None,
            ..Settings::default()
        };
        assert_eq!(
            settings
                .check()
                .expect_err("it has a table of its own")
                .to_string(),
            "flagship does not honour table (it honours eval, table-mib, multipv, parallel, threads, tablebases, \
             parameters, techniques)"
        );
        let settings = Settings {
            algorithm: Algorithm::Mtdf,
            fail: Fail::Hard,
            ..Settings::default()
        };
        assert_eq!(
            settings.check(),
            Err(SettingsError::Unhonoured {
                algorithm: Algorithm::Mtdf,
                switch: Switch::Fail
            })
        );
    }
}
