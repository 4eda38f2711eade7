//! Directions, and how two squares lie to each other.
//!
//! On a board in rows of sixteen the difference of two squares' numbers names their relation without
//! doubt. One small table over the difference tells whether a piece that stands on one square could
//! reach the other on an empty board, and along which line: most pieces are found harmless to a
//! square by a single look.

use super::geometry::Step;
use crate::piece::Role;

/// North, south, east, west, then the diagonals. Straight ones come first, and a direction and its
/// opposite stand together.
pub(super) const STEPS: [Step; 8] = [
    Step::new(0, 1),
    Step::new(0, -1),
    Step::new(1, 0),
    Step::new(-1, 0),
    Step::new(1, 1),
    Step::new(-1, -1),
    Step::new(-1, 1),
    Step::new(1, -1),
];

/// Indices of [`STEPS`].
pub(super) const STRAIGHT: std::ops::Range<u8> = 0..4;
pub(super) const DIAGONAL: std::ops::Range<u8> = 4..8;
pub(super) const ALL: std::ops::Range<u8> = 0..8;
pub(super) const NORTH: u8 = 0;
pub(super) const SOUTH: u8 = 1;
pub(super) const EAST: u8 = 2;
pub(super) const WEST: u8 = 3;
pub(super) const NORTH_EAST: u8 = 4;
pub(super) const SOUTH_WEST: u8 = 5;
pub(super) const NORTH_WEST: u8 = 6;
pub(super) const SOUTH_EAST: u8 = 7;
/// The squares are on no common line.
const NOWHERE: u8 = 8;

pub(super) const KNIGHT_JUMPS: [Step; 8] = [
    Step::new(1, 2),
    Step::new(2, 1),
    Step::new(2, -1),
    Step::new(1, -2),
    Step::new(-1, -2),
    Step::new(-2, -1),
    Step::new(-2, 1),
    Step::new(-1, 2),
];

/// The step of a direction.
#[inline(always)]
pub(super) fn step_of(direction: u8) -> Step {
    STEPS[usize::from(direction & 7)]
}

/// The direction of the way back.
#[inline(always)]
pub(super) const fn opposite(direction: u8) -> u8 {
    direction ^ 1
}

/// Whether two directions are the same line.
#[inline(always)]
pub(super) const fn same_line(a: u8, b: u8) -> bool {
    a >> 1 == b >> 1
}

/// How a square lies to another.
#[derive(Copy, Clone, Debug)]
pub(super) struct Relation {
    /// A bit for each role but the pawn that can go from one to the other on an empty board.
    roles: u8,
    /// The direction of the line from one to the other.
    pub(super) direction: u8,
    /// The steps on that line.
    pub(super) distance: u8,
}

impl Relation {
    /// The relation of two squares given by their numbers in rows of sixteen.
    #[inline(always)]
    pub(super) fn between(from: u8, to: u8) -> Relation {
        RELATIONS[usize::from(to.wrapping_add(0x77).wrapping_sub(from))]
    }

    /// Whether a piece of this role can go from one to the other on an empty board.
    #[inline(always)]
    pub(super) const fn reaches(self, role: Role) -> bool {
        self.roles >> role as u8 & 1 != 0
    }
}

static RELATIONS: [Relation; 256] = relations();

const fn relations() -> [Relation; 256] {
    let mut table = [Relation {
        roles: 0,
        direction: NOWHERE,
        distance: 0,
    }; 256];
    let mut direction = 0;
    while direction < 8 {
        let lines = if direction < STRAIGHT.end {
            bit(Role::Rook) | bit(Role::Queen)
        } else {
            bit(Role::Bishop) | bit(Role::Queen)
        };
        let mut distance = 1;
        while distance < 8 {
            table[index(STEPS[direction as usize], distance)] = Relation {
                roles: if distance == 1 {
                    lines | bit(Role::King)
                } else {
                    lines
                },
                direction,
                distance: distance as u8,
            };
            distance += 1;
        }
        table[index(KNIGHT_JUMPS[direction as usize], 1)].roles = bit(Role::Knight);
        direction += 1;
    }
    table
}

const fn index(step: Step, times: i32) -> usize {
    (0x77 + times * (16 * step.ranks as i32 + step.files as i32)) as usize
}

const fn bit(role: Role) -> u8 {
    1 << role as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks;
    use crate::bitboard::Bitboard;
    use crate::color::Color;
    use crate::square::Square;

    #[test]
    fn relations_are_the_attacks_on_an_empty_board() {
        let wide = |square: Square| square as u8 + (square as u8 & 0x38);
        for from in Square::ALL {
            for to in Square::ALL {
                let relation = Relation::between(wide(from), wide(to));
                for role in &Role::ALL[1..] {
                    let attacks = attacks::of(*role, Color::White, from, Bitboard::EMPTY);
                    assert_eq!(
                        relation.reaches(*role),
                        attacks.contains(to),
                        "{role:?} {from} {to}"
                    );
                }
                if relation.direction != NOWHERE {
                    let Step { files, ranks } = step_of(relation.direction);
                    let steps = i32::from(relation.distance);
                    let end = from.offset(steps * i32::from(files), steps * i32::from(ranks));
                    assert_eq!(end, Some(to));
                }
            }
        }
    }

    #[test]
    fn directions_stand_beside_their_opposites() {
        for direction in ALL {
            let (there, back) = (step_of(direction), step_of(opposite(direction)));
            assert_eq!((there.files, there.ranks), (-back.files, -back.ranks));
            assert!(same_line(direction, opposite(direction)));
        }
    }
}
