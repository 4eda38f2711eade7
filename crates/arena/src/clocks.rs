//! The chess clock of a game.

use std::time::Duration;

use vidmar_chess::{ByColor, Color};
use vidmar_engine::{Clock, Limits};

use crate::time_control::TimeControl;

/// What both sides have left.
pub(crate) struct Clocks<'j> {
    control: &'j ByColor<TimeControl>,
    remaining: ByColor<Duration>,
    /// Moves made since time was last added.
    made: ByColor<u32>,
}

/// The flag fell by so much.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct FlagFell {
    /// What there was.
    pub(crate) allowed: Duration,
}

impl<'j> Clocks<'j> {
    pub(crate) fn new(control: &'j ByColor<TimeControl>) -> Clocks<'j> {
        Clocks {
            control,
            remaining: ByColor::from_fn(|side| control[side].base.unwrap_or_default()),
            made: ByColor::default(),
        }
    }

    /// What the side to move is told. Without a clock of its own it hears of none: engines take a clock that only the other side
    /// has for time of their own, or for none left (Stockfish answers at depth 1).
    pub(crate) fn limits(&self, turn: Color) -> Limits {
        let own = &self.control[turn];
        let clock = |side: Color| {
            let control = &self.control[side];
            own.base.and(control.base).map(|_| Clock {
                remaining: self.remaining[side],
                increment: control.increment,
            })
        };
        Limits {
            clocks: ByColor::from_fn(clock),
            moves_to_go: own.moves.map(|moves| moves - self.made[turn]),
            depth: own.depth,
            nodes: own.nodes,
            move_time: own.move_time,
            ..Limits::none()
        }
    }

    /// What a side has left, in whole milliseconds; none without a clock.
    pub(crate) fn left(&self, side: Color) -> Option<Duration> {
        let remaining = self.remaining[side].as_millis() as u64;
        self.control[side].base.map(|_| Duration::from_millis(remaining))
    }

    /// A side has moved after that time: its clock goes on, or its flag has fallen.
    pub(crate) fn press(&mut self, side: Color, elapsed: Duration) -> Result<(), FlagFell> {
        let control = &self.control[side];
        // Whole milliseconds count, as in fastchess and cutechess: 100.27 ms of 100 ms are in time.
        let counted = Duration::from_millis(elapsed.as_millis() as u64);
        let fell = |allowed: Duration| counted > allowed.saturating_add(control.margin);
        if let Some(allowed) = control.move_time.filter(|&time| fell(time)) {
            return Err(FlagFell { allowed });
        }
        let Some(base) = control.base else {
            return Ok(());
        };
        let remaining = &mut self.remaining[side];
        if fell(*remaining) {
            return Err(FlagFell { allowed: *remaining });
        }
        *remaining = remaining
            .saturating_sub(elapsed)
            .saturating_add(control.increment);
        self.made[side] += 1;
        if control.moves.is_some_and(|moves| self.made[side] >= moves) {
            self.made[side] = 0;
            *remaining = remaining.saturating_add(base);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(milliseconds: u64) -> Duration {
        Duration::from_millis(milliseconds)
    }

    #[test]
    fn increments_and_controls_add_time() {
        let control = ByColor::new(
            TimeControl {
                base: Some(ms(1000)),
                increment: ms(10),
                moves: Some(2),
                ..TimeControl::default()
            },
            TimeControl::default(),
        );
        let mut clocks = Clocks::new(&control);
        let told = |clocks: &Clocks<'_>| {
            let limits = clocks.limits(Color::White);
            (
                limits.clocks[Color::White].map(|clock| clock.remaining),
                limits.moves_to_go,
            )
        };
        assert_eq!(told(&clocks), (Some(ms(1000)), Some(2)));
        assert_eq!(clocks.press(Color::White, ms(400)), Ok(()));
        assert_eq!(told(&clocks), (Some(ms(610)), Some(1)));
        assert_eq!(clocks.press(Color::White, ms(600)), Ok(()));
        assert_eq!(told(&clocks), (Some(ms(1020)), Some(2)));
        assert_eq!(
            clocks.press(Color::White, ms(1021)),
            Err(FlagFell { allowed: ms(1020) })
        );
        assert_eq!(clocks.press(Color::Black, ms(1_000_000)), Ok(()));
        assert_eq!(clocks.limits(Color::Black).clocks, ByColor::default());
    }

    /// As fastchess and cutechess count: a part of a millisecond is nothing.
    #[test]
    fn whole_milliseconds_count() {
        let control = ByColor::from_fn(|_| TimeControl {
            move_time: Some(ms(100)),
            ..TimeControl::default()
        });
        let mut clocks = Clocks::new(&control);
        assert_eq!(clocks.press(Color::White, Duration::from_micros(100_270)), Ok(()));
        assert_eq!(
            clocks.press(Color::White, ms(101)),
            Err(FlagFell { allowed: ms(100) })
        );
    }

    #[test]
    fn the_margin_is_grace_and_not_time() {
        let control = ByColor::from_fn(|_| TimeControl {
            base: Some(ms(100)),
            margin: ms(20),
            ..TimeControl::default()
        });
        let mut clocks = Clocks::new(&control);
        assert_eq!(clocks.press(Color::White, ms(110)), Ok(()));
        let clock = clocks.limits(Color::White).clocks[Color::White].unwrap();
        assert_eq!(clock.remaining, Duration::ZERO);
        assert!(clocks.press(Color::White, ms(21)).is_err());
        let control = ByColor::from_fn(|_| TimeControl {
            move_time: Some(ms(100)),
            margin: ms(20),
            ..TimeControl::default()
        });
        let mut clocks = Clocks::new(&control);
        assert_eq!(clocks.press(Color::White, ms(120)), Ok(()));
        assert!(clocks.press(Color::White, ms(121)).is_err());
    }
}
