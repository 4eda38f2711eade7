//! Limits that a player brings along, whatever the game allows.

use std::sync::LazyLock;
use std::time::Duration;

use vidmar_engine::Limits;
use vidmar_engine::settings::{Field, Row, Setting, Unset, Value, schema};
use vidmar_search::MAX_DEPTH;

use crate::fault::Fault;
use crate::spec::{PlayerSpec, SpecError};
use crate::table::{Build, LimitUse, Protocol};
use crate::xboard;

/// The most that a player uses for a move. A game's own limits hold as well: the tighter one wins.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveLimits {
    /// Plies.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// Time.
    pub move_time: Option<Duration>,
}

/// A month.
const MAX_MILLISECONDS: i64 = 31 * 24 * 3_600_000;

type LimitRow = Row<MoveLimits>;

/// The settings that every player has.
const ROWS: &[LimitRow] = &[
    LimitRow::new(
        "depth",
        "",
        "Depth limit (plies)",
        "how far it looks ahead at most, in plies (half-moves)",
        Field::Integer {
            min: 1,
            max: MAX_DEPTH as i64,
            get: |limits| limits.depth.map_or(1, i64::from),
            set: |limits, plies| limits.depth = Some(plies as u32),
        },
    )
    .unset(Unset::Nothing),
    LimitRow::new(
        "nodes",
        "",
        "Position limit",
        "how many positions it looks at for a move at most",
        Field::Integer {
            min: 1,
            max: i64::MAX,
            get: |limits| limits.nodes.map_or(1, |nodes| nodes as i64),
            set: |limits, nodes| limits.nodes = Some(nodes.unsigned_abs()),
        },
    )
    .unset(Unset::Nothing),
    LimitRow::new(
        "movetime",
        "",
        "Time limit (ms)",
        "how long it thinks about a move at most, in milliseconds",
        Field::Integer {
            min: 1,
            max: MAX_MILLISECONDS,
            get: |limits| limits.move_time.map_or(1, |time| time.as_millis() as i64),
            set: |limits, time| limits.move_time = Some(Duration::from_millis(time.unsigned_abs())),
        },
    )
    .unset(Unset::Nothing),
];

/// The settings that go with every player.
pub fn limit_settings() -> &'static [Setting] {
    static SETTINGS: LazyLock<Vec<Setting>> = LazyLock::new(|| schema(ROWS));
    &SETTINGS
}

impl MoveLimits {
    /// The limits among the settings of a player.
    pub(crate) fn of<'a>(settings: impl Iterator<Item = (&'a str, &'a Value)>) -> MoveLimits {
        let mut limits = MoveLimits::default();
        for (key, value) in settings {
            if let Some(row) = ROWS.iter().find(|row| row.key == key) {
                // What does not fit was refused when it was chosen.
                let _ = row.set(&mut limits, value);
            }
        }
        limits
    }

    /// A depth and nothing else.
    pub fn depth(plies: u32) -> MoveLimits {
        MoveLimits {
            depth: Some(plies),
            ..MoveLimits::default()
        }
    }

    /// Those of `go` that a player may bring along as well.
    pub fn of_game(limits: &Limits) -> MoveLimits {
        MoveLimits {
            depth: limits.depth,
            nodes: limits.nodes,
            move_time: limits.move_time,
        }
    }

    /// The keys of those that are there.
    fn keys(&self) -> impl Iterator<Item = &'static str> {
        let there = [
            self.depth.is_some(),
            self.nodes.is_some(),
            self.move_time.is_some(),
        ];
        ROWS.iter()
            .zip(there)
            .filter_map(|(row, there)| there.then_some(row.key))
    }

    /// Whether it ends a player's thinking all by itself.
    pub fn is_finite(&self) -> bool {
        self.depth.is_some() || self.nodes.is_some() || self.move_time.is_some()
    }

    /// The limits of a game under these limits.
    pub fn over(&self, limits: &Limits) -> Limits {
        Limits {
            depth: tighter(limits.depth, self.depth),
            nodes: tighter(limits.nodes, self.nodes),
            move_time: tighter(limits.move_time, self.move_time),
            ..limits.clone()
        }
    }
}

impl PlayerSpec {
    /// An error if limits that are meant for it alone are nothing to it.
    pub fn check_limits(&self, limits: &MoveLimits) -> Result<(), SpecError> {
        let LimitUse::None(why) = self.limit_use() else {
            return Ok(());
        };
        limits.keys().try_for_each(|key| {
            Err(SpecError::Together {
                player: self.player_type().key,
                reason: format!("{key} has no effect {why}"),
            })
        })
    }

    /// An error if it cannot be held to the limits of a game: known before the game, it loses none.
    pub fn check_game(&self, limits: &MoveLimits) -> Result<(), Fault> {
        match self.player_type().build {
            Build::Program(Protocol::Xboard) => xboard::check_limits(limits),
            Build::Program(Protocol::Uci) | Build::BuiltIn(_) => Ok(()),
        }
    }
}

fn tighter<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    a.into_iter().chain(b).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_that_are_nothing_to_a_player_are_refused_by_name() {
        let limits = |depth, nodes| MoveLimits {
            depth,
            nodes,
            ..MoveLimits::default()
        };
        let refused = |player: &str, limits: MoveLimits| {
            let spec: PlayerSpec = player.parse().expect("a player");
            spec.check_limits(&limits)
                .err()
                .map(|error| error.to_string())
                .or_else(|| spec.check_game(&limits).err().map(|fault| fault.to_string()))
        };
        let at_once = "has no effect at all: it answers at once";
        assert_eq!(
            refused("random", limits(Some(4), None)),
            Some(format!("random: depth {at_once}"))
        );
        assert_eq!(
            refused("random", limits(None, Some(4))),
            Some(format!("random: nodes {at_once}"))
        );
        let uncounted = "start: an xboard engine cannot be held to a number of nodes".to_owned();
        assert_eq!(refused("xboard:cmd=x", limits(None, Some(4))), Some(uncounted));
        for (player, limits) in [
            ("random", limits(None, None)),
            ("engine", limits(Some(4), Some(4))),
            ("evolve", limits(Some(4), None)),
            ("uci:cmd=x", limits(None, Some(4))),
            ("xboard:cmd=x", limits(Some(4), None)),
        ] {
            assert_eq!(refused(player, limits), None, "{player}");
        }
    }

    #[test]
    fn the_tighter_limit_wins() {
        let move_limits = MoveLimits {
            depth: Some(6),
            nodes: None,
            move_time: Some(Duration::from_secs(1)),
        };
        let limits = Limits {
            nodes: Some(500),
            move_time: Some(Duration::from_secs(2)),
            ..Limits::depth(9)
        };
        let both = move_limits.over(&limits);
        assert_eq!((both.depth, both.nodes), (Some(6), Some(500)));
        assert_eq!(both.move_time, Some(Duration::from_secs(1)));
        assert_eq!(move_limits.over(&Limits::depth(2)).depth, Some(2));
    }
}
