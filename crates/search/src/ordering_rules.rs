//! What moves are ordered by, as rows and as a set of them.

use vidmar_text::{UnknownName, named_enum};

named_enum! {
    /// A heuristic that orders moves.
    pub enum OrderingRule: "ordering";
    Table, "table", "the move that the table has stored";
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
}
