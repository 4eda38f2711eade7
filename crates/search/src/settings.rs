//! What to search with: one plain value that says everything, so that two equal ones search alike.

use crate::algorithms::Algorithm;
use crate::parallel::Parallel;
use crate::table::Scheme;
use vidmar_text::{UnknownName, named_enum};

/// Every choice that a search leaves open. The default is plain alpha-beta with a table, all ordering
/// and quiescence, and nothing that prunes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)]
pub struct Settings {
    /// How the root's value is found.
    pub algorithm: Algorithm,
    /// Whether to search depth 1, 2, ... up to the limit, or the limit at once.
    pub iterative: bool,
    /// What a node returns when its value lies outside the window.
    pub fail: Fail,
    /// Whether leaves are searched on until they are quiet.
    pub quiescence: bool,
    /// The null move, if any.
    pub null_move: NullMove,
    /// Where the null move may be tried.
    pub null_move_rules: NullMoveRules,
    /// Whether hopeless quiet moves near the leaves are left out.
    pub futility: bool,
    /// What moves are ordered by.
    pub ordering: OrderingRules,
    /// Which entries the table gives up.
    pub table: Scheme,
    /// The size of the table.
    pub table_mib: usize,
    /// Whether every value must be that of minimax (see [`draws`](crate::draws)).
    pub exact: bool,
    /// How threads share the work.
    pub parallel: Parallel,
    /// How many threads search.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            algorithm: Algorithm::AlphaBeta,
            iterative: true,
            fail: Fail::Soft,
            quiescence: true,
            null_move: NullMove::Off,
            null_move_rules: NullMoveRules::default(),
            futility: false,
            ordering: OrderingRules::ALL,
            table: Scheme::TwoLevel,
            table_mib: 16,
            exact: false,
            parallel: Parallel::None,
            threads: 1,
        }
    }
}

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
        if self.threads == 0 {
            return Err(SettingsError::NoThread);
        }
        if self.parallel == Parallel::None && self.threads > 1 {
            return Err(SettingsError::ThreadsAlone(self.threads));
        }
        if self.fail == Fail::Hard && self.algorithm.needs_soft_bounds() {
            return Err(SettingsError::NeedsSoftBounds(self.algorithm));
        }
        if self.parallel == Parallel::YoungBrothersWait && !self.algorithm.splits() {
            return Err(SettingsError::CannotSplit(self.algorithm));
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
    #[error("{0} steps from bound to bound and would step by 1 with hard ones (expected soft)")]
    NeedsSoftBounds(Algorithm),
    #[error("{0} has no nodes that ybwc could split (expected lazy, or another algorithm)")]
    CannotSplit(Algorithm),
}

named_enum! {
    /// What a node returns when its value lies outside the window.
    pub enum Fail: "bound";
    Soft, "soft", "the best bound known, which may lie outside the window";
    Hard, "hard", "the edge of the window";
}

named_enum! {
    /// The null move: whether a side that would stand well even after passing is searched at all.
    pub enum NullMove: "null move";
    Off, "off", "every node is searched";
    R2, "r2", "a pass is searched 2 plies shallower";
    R3, "r3", "a pass is searched 3 plies shallower";
    Adaptive, "adaptive", "2 or 3 plies by depth and material";
    Verified, "verified", "3 plies; a cut-off is verified one ply shallower";
}

named_enum! {
    /// A rule of the null move that can be left out, to show what it is good for.
    pub enum NullMoveRule: "null-move rule";
    NotTwice, "not-twice", "not straight after another one";
    NotInPawnEndings, "not-in-pawn-endings", "not by a side that has only its king and pawns, where zugzwang is common";
    NotAtTheHorizon, "not-at-the-horizon", "not where the pass would be judged without searching a single reply";
    NotAtTheRoot, "not-at-the-root", "not at the root, which has to find a move";
}

/// Where the null move may be tried. Each rule can be switched off, to show what it is good for; that
/// a side in check may not pass is no rule of ours but of chess, and stays.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)]
pub struct NullMoveRules {
    /// Not straight after another one.
    pub not_twice: bool,
    /// Not by a side that has only its king and pawns, where zugzwang is common.
    pub not_in_pawn_endings: bool,
    /// Not where the pass would be judged without searching a single reply.
    pub not_at_the_horizon: bool,
    /// Not at the root, which has to find a move.
    pub not_at_the_root: bool,
}

impl NullMoveRules {
    /// All but those with these names, with commas between; all if there are none.
    pub fn without(names: &str) -> Result<NullMoveRules, UnknownName> {
        let mut rules = NullMoveRules::default();
        for name in names.split(',').filter(|name| !name.is_empty()) {
            *rules.of(name.parse()?) = false;
        }
        Ok(rules)
    }

    /// The names of those that are left out, with commas between.
    pub fn left_out(mut self) -> String {
        let names: Vec<&str> = NullMoveRule::ALL
            .iter()
            .filter(|&&rule| !*self.of(rule))
            .map(|rule| rule.name())
            .collect();
        names.join(",")
    }

    fn of(&mut self, rule: NullMoveRule) -> &mut bool {
        match rule {
            NullMoveRule::NotTwice => &mut self.not_twice,
            NullMoveRule::NotInPawnEndings => &mut self.not_in_pawn_endings,
            NullMoveRule::NotAtTheHorizon => &mut self.not_at_the_horizon,
            NullMoveRule::NotAtTheRoot => &mut self.not_at_the_root,
        }
    }
}

impl Default for NullMoveRules {
    /// All of them.
    fn default() -> NullMoveRules {
        NullMoveRules {
            not_twice: true,
            not_in_pawn_endings: true,
            not_at_the_horizon: true,
            not_at_the_root: true,
        }
    }
}

named_enum! {
    /// A heuristic that orders moves.
    pub enum OrderingRule: "ordering";
    Table, "table", "the move that the table remembers";
    MvvLva, "mvv-lva", "captures, the most valuable victim first, then the cheapest attacker";
    Killers, "killers", "quiet moves that cut off at the same ply";
    History, "history", "quiet moves that cut off anywhere, weighted by depth";
    Static, "static", "moves towards the centre";
    Refutation, "refutation", "root moves by their last results, and what refuted each";
}

/// A set of ordering heuristics; written `all`, `none` or names with commas between.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash)]
pub struct OrderingRules(u8);

impl OrderingRules {
    /// Every heuristic.
    pub const ALL: OrderingRules = OrderingRules((1 << OrderingRule::ALL.len()) - 1);
    /// No heuristic: moves in the order of their numbers, the same on every board.
    pub const NONE: OrderingRules = OrderingRules(0);

    /// Whether a heuristic is among them.
    #[inline]
    pub const fn has(self, rule: OrderingRule) -> bool {
        self.0 & 1 << rule as u8 != 0
    }

    /// The set with one more.
    pub const fn with(self, rule: OrderingRule) -> OrderingRules {
        OrderingRules(self.0 | 1 << rule as u8)
    }

    /// The set with one less.
    pub const fn without(self, rule: OrderingRule) -> OrderingRules {
        OrderingRules(self.0 & !(1 << rule as u8))
    }
}

impl std::str::FromStr for OrderingRules {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<OrderingRules, UnknownName> {
        match text {
            "all" => Ok(OrderingRules::ALL),
            "none" => Ok(OrderingRules::NONE),
            list => list.split(',').try_fold(OrderingRules::NONE, |rules, name| {
                name.parse().map(|rule| rules.with(rule))
            }),
        }
    }
}

impl std::fmt::Display for OrderingRules {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            OrderingRules::ALL => f.pad("all"),
            OrderingRules::NONE => f.pad("none"),
            some => {
                let names: Vec<&str> = OrderingRule::ALL
                    .iter()
                    .filter(|&&rule| some.has(rule))
                    .map(|rule| rule.name())
                    .collect();
                f.pad(&names.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orderings_are_read_as_they_are_written() {
        for text in ["all", "none", "table", "mvv-lva,killers", "table,history,static"] {
            let rules: OrderingRules = text.parse().expect("a list of orderings");
            assert_eq!(rules.to_string(), text);
        }
        let error = "table,luck".parse::<OrderingRules>().expect_err("no such rule");
        assert_eq!(
            error.to_string(),
            "unknown ordering 'luck' (known: table, mvv-lva, killers, history, static, refutation)"
        );
    }

    #[test]
    fn contradictions_are_named() {
        let settings = Settings {
            threads: 2,
            ..Settings::default()
        };
        assert_eq!(settings.check(), Err(SettingsError::ThreadsAlone(2)));
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
}
