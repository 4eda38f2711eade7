//! The positions of an ending by number: what a check of a whole tablebase walks over.

use vidmar_chess::{Color, Position, Role, Setup};

use crate::ending::Ending;
use crate::layout::{Layout, placed, side_index};

impl Ending {
    /// How many numbers the positions of the ending have, for each side to move.
    pub fn numbers(self) -> u32 {
        Layout::new(self).len() as u32
    }

    /// The position with a number below [`numbers`](Ending::numbers), the side named first being White. None if that number
    /// stands for no legal position, or for one that has another number already.
    pub fn position(self, number: u32, turn: Color) -> Option<Position> {
        let layout = Layout::new(self);
        let placement = layout.placement(number);
        if layout.number(placement) != Some(number) {
            return None;
        }
        let mut setup = Setup {
            turn,
            ..Setup::default()
        };
        let kings = Color::ALL.map(|color| (Role::King.of(color), placement.kings[side_index(color)]));
        for (piece, square) in kings.into_iter().chain(placed(self, placement)) {
            if setup.board[square.index()].replace(piece).is_some() {
                return None;
            }
        }
        setup.position().ok()
    }
}
