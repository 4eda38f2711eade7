//! Limits that a player brings along, whatever the game allows.

use std::time::Duration;

use vidmar_engine::Limits;

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

impl MoveLimits {
    /// A depth and nothing else.
    pub fn depth(plies: u32) -> MoveLimits {
        MoveLimits {
            depth: Some(plies),
            ..MoveLimits::default()
        }
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

fn tighter<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    a.into_iter().chain(b).min()
}

#[cfg(test)]
mod tests {
    use super::*;

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
