//! From a clock to thinking time.
//!
//! The soft time is what a move should take on average; a search may end earlier or later as it sees fit.
//! The hard time is when it must end. The invariant, held by property tests: the hard time and the
//! overhead together are less than what the clock shows, unless the clock shows less than the overhead,
//! and then no time is given at all: a player answers with the first move it can justify.

use std::time::Duration;

use vidmar_chess::Color;

use crate::limits::{Clock, Limits};

/// Thinking time from [`Limits::started`] on; `None` is no limit.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Budget {
    /// After it no more work is begun, more or less.
    pub soft: Option<Duration>,
    /// After it no more work is done.
    pub hard: Option<Duration>,
}

/// Moves that the rest of a game without a time control is reckoned to take.
const MOVES_LEFT: u32 = 22;
/// Hundredths of an increment that a move may count on.
const INCREMENT_PERCENT: u32 = 80;
/// How many times its fair share a troubled move may take.
const MOST_SHARES: u32 = 5;
/// Hundredths of the usable time that one of many moves may take.
const MOST_PERCENT: u32 = 40;
/// A longer clock counts as this long, so that no sum overflows.
const LONGEST: Duration = Duration::from_secs(1_000_000_000);
/// Kept back before the flag whatever the overhead is set to: clocks are read in milliseconds.
const GRAIN: Duration = Duration::from_millis(1);

/// The thinking time of the side to move. Without a clock of its own it goes by the opponent's.
pub fn allot(limits: &Limits, turn: Color) -> Budget {
    if limits.infinite {
        return Budget::default();
    }
    let clock = limits.clocks[turn].or(limits.clocks[!turn]);
    let mut budget = clock.map_or_else(Budget::default, |clock| {
        by_clock(clock, limits.moves_to_go, limits.overhead)
    });
    if let Some(time) = limits.move_time {
        // Who asks for less time than the overhead wants an answer at once, not none.
        let hard = time.saturating_sub(limits.overhead).max(time / 2);
        budget.hard = Some(budget.hard.map_or(hard, |other| other.min(hard)));
    }
    budget
}

fn by_clock(clock: Clock, moves_to_go: Option<u32>, overhead: Duration) -> Budget {
    let usable = clock
        .remaining
        .min(LONGEST)
        .saturating_sub(overhead)
        .saturating_sub(GRAIN);
    // A far time control is no reason to think less than the end of the game would be.
    let moves = moves_to_go.map_or(MOVES_LEFT, |moves| moves.clamp(1, 2 * MOVES_LEFT));
    let share = usable / moves + percent(clock.increment.min(LONGEST), INCREMENT_PERCENT);
    // The last move before a control may take everything, one of many only a part.
    let most = percent(usable, MOST_PERCENT + (100 - MOST_PERCENT) / moves);
    let hard = (share * MOST_SHARES).min(most);
    Budget {
        soft: Some(share.min(hard)),
        hard: Some(hard),
    }
}

fn percent(time: Duration, percent: u32) -> Duration {
    time * percent / 100
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use vidmar_chess::ByColor;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    fn limits(remaining: u64, increment: u64, moves_to_go: Option<u32>, overhead: u64) -> Limits {
        let clock = Clock {
            remaining: ms(remaining),
            increment: ms(increment),
        };
        Limits {
            clocks: ByColor::new(Some(clock), None),
            moves_to_go,
            overhead: ms(overhead),
            ..Limits::none()
        }
    }

    fn white(limits: &Limits) -> (Duration, Duration) {
        let budget = allot(limits, Color::White);
        (budget.soft.expect("a clock"), budget.hard.expect("a clock"))
    }

    proptest! {
        #[test]
        fn the_flag_does_not_fall(
            remaining in prop_oneof![0..200_u64, 0..100_000_u64, any::<u64>()],
            increment in prop_oneof![Just(0_u64), 0..60_000_u64, any::<u64>()],
            moves_to_go in prop_oneof![Just(None), (0..300_u32).prop_map(Some), any::<u32>().prop_map(Some)],
            overhead in 0..5_000_u64,
        ) {
            let (soft, hard) = white(&limits(remaining, increment, moves_to_go, overhead));
            prop_assert!(soft <= hard);
            if remaining > overhead {
                prop_assert!(hard + ms(overhead) < ms(remaining), "{soft:?} {hard:?}");
            } else {
                prop_assert_eq!(hard, Duration::ZERO);
            }
        }

        #[test]
        fn a_game_without_increment_never_ends_by_the_clock(
            start in 100..100_000_u64,
            moves_to_go in prop_oneof![Just(None), (1..60_u32).prop_map(Some)],
        ) {
            // Every move takes its hard time and the whole overhead besides.
            let overhead = ms(5);
            let mut remaining = ms(start);
            let mut to_go = moves_to_go;
            for _ in 0..to_go.unwrap_or(200) {
                let (_, hard) = white(&limits(remaining.as_millis() as u64, 0, to_go, 5));
                if remaining <= overhead {
                    break;
                }
                prop_assert!(remaining > hard + overhead);
                remaining -= hard + overhead;
                to_go = to_go.map(|moves| moves - 1);
            }
        }
    }

    #[test]
    fn clocks_at_the_edges() {
        for (remaining, increment) in [(0, 0), (0, 1000), (20, 1000), (30, 0)] {
            let (soft, hard) = white(&limits(remaining, increment, None, 30));
            assert_eq!((soft, hard), (Duration::ZERO, Duration::ZERO));
        }
        // The last move before the control takes all that can be used, one of many a fair share.
        assert_eq!(white(&limits(1_000, 0, Some(1), 30)).1, ms(969));
        assert_eq!(white(&limits(10_031, 0, Some(40), 30)).0, ms(250));
        assert!(white(&limits(10_000, 0, Some(40), 30)).1 < ms(5_000));
        // More increment than clock: the clock still binds.
        let (soft, hard) = white(&limits(500, 10_000, None, 30));
        assert!(soft == hard && hard < ms(470) && hard > ms(150), "{hard:?}");
        // A long game gives each move a part, and a troubled one more.
        let (soft, hard) = white(&limits(60_000, 600, None, 30));
        assert!(
            soft > ms(2_000) && soft < ms(5_000) && hard > soft * 3,
            "{soft:?} {hard:?}"
        );
    }

    #[test]
    fn without_a_clock_of_its_own_a_side_goes_by_the_opponents() {
        let limits = limits(10_000, 0, None, 30);
        assert_eq!(allot(&limits, Color::Black), allot(&limits, Color::White));
    }

    #[test]
    fn the_time_for_a_move_is_obeyed_and_infinity_has_none() {
        let budget = |milliseconds| {
            allot(
                &Limits {
                    overhead: ms(30),
                    ..Limits::time(ms(milliseconds))
                },
                Color::White,
            )
        };
        assert_eq!(budget(1_000).hard, Some(ms(970)));
        assert_eq!(budget(40).hard, Some(ms(20)));
        assert_eq!(budget(1_000).soft, None);
        let both = Limits {
            move_time: Some(ms(100)),
            ..limits(60_000, 0, None, 30)
        };
        assert_eq!(allot(&both, Color::White).hard, Some(ms(70)));
        let infinite = Limits {
            infinite: true,
            ..both
        };
        assert_eq!(allot(&infinite, Color::White), Budget::default());
    }
}
