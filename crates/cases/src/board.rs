//! A board as a case remembers it: what stands where, 4 bits a square, and nothing else.
//!
//! The four bits of a square are kept in four planes of 64 bits: the colour (set for Black) and the type as a number
//! from 1 (pawn) to 6 (king), 0 for an empty square. An empty square has all four bits clear, so equal boards are
//! equal planes.

use vidmar_chess::{Color, Piece, Position, Role, Square};

/// What stands where.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CaseBoard {
    /// The colour, then the bits of the type from the lowest.
    pub(crate) planes: [u64; 4],
}

/// A step of the whole board: files to the right, ranks up.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Shift {
    /// Files towards h.
    pub files: i8,
    /// Ranks towards 8.
    pub ranks: i8,
}

const A_FILE: u64 = 0x0101_0101_0101_0101;
const H_FILE: u64 = A_FILE << 7;

impl Shift {
    /// No step, then the eight steps of a king.
    pub const ALL: [Shift; 9] = {
        let mut all = [Shift { files: 0, ranks: 0 }; 9];
        let (mut index, mut next) = (0, 1);
        while index < 9 {
            let shift = Shift {
                files: index % 3 - 1,
                ranks: index / 3 - 1,
            };
            if shift.files != 0 || shift.ranks != 0 {
                all[next] = shift;
                next += 1;
            }
            index += 1;
        }
        all
    };

    /// The step back.
    pub const fn reversed(self) -> Shift {
        Shift {
            files: -self.files,
            ranks: -self.ranks,
        }
    }

    /// Where a square goes; at the edge it stays on the board.
    pub fn clamped(self, square: Square) -> Square {
        let along = |index: usize, by: i8| (index as i32 + i32::from(by)).clamp(0, 7) as u32;
        let file = along(square.file().index(), self.files);
        let rank = along(square.rank().index(), self.ranks);
        Square::new(rank * 8 + file)
    }

    fn plane(self, plane: u64) -> u64 {
        let ranks = match self.ranks {
            0 => plane,
            1.. => plane << 8,
            _ => plane >> 8,
        };
        match self.files {
            0 => ranks,
            1.. => (ranks & !H_FILE) << 1,
            _ => (ranks & !A_FILE) >> 1,
        }
    }
}

/// The plane of the colour.
pub(crate) const COLOR: usize = 0;

impl CaseBoard {
    /// The board of a position.
    pub fn new(position: &Position) -> CaseBoard {
        let role = |role: Role| position.role(role).0;
        let (pawns, knights, bishops) = (role(Role::Pawn), role(Role::Knight), role(Role::Bishop));
        let (rooks, queens, kings) = (role(Role::Rook), role(Role::Queen), role(Role::King));
        CaseBoard {
            planes: [
                position.color(Color::Black).0,
                pawns | bishops | queens,
                knights | bishops | kings,
                rooks | queens | kings,
            ],
        }
    }

    /// The board with these pieces.
    pub fn from_pieces(pieces: &[Option<Piece>; 64]) -> CaseBoard {
        let mut board = CaseBoard::default();
        for (square, &piece) in Square::ALL.into_iter().zip(pieces) {
            board.set(square, piece);
        }
        board
    }

    /// What stands on a square.
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let bit = |plane: usize| (self.planes[plane] >> square.index() & 1) as usize;
        let kind = bit(1) | bit(2) << 1 | bit(3) << 2;
        let color = Color::ALL[bit(COLOR)];
        Role::ALL.get(kind.wrapping_sub(1)).map(|&role| role.of(color))
    }

    /// Puts something on a square, or takes it away.
    pub fn set(&mut self, square: Square, piece: Option<Piece>) {
        let code = piece.map_or(0, |piece| {
            (piece.color == Color::Black) as u64 | (piece.role as u64 + 1) << 1
        });
        for (bit, plane) in self.planes.iter_mut().enumerate() {
            *plane &= !(1 << square.index());
            *plane |= (code >> bit & 1) << square.index();
        }
    }

    /// The squares with a piece on them.
    #[inline]
    pub(crate) const fn occupied(&self) -> u64 {
        self.planes[1] | self.planes[2] | self.planes[3]
    }

    /// The squares of a piece.
    pub(crate) fn squares_of(&self, piece: Piece) -> u64 {
        let code = piece.role as usize + 1;
        let plane = |bit: usize, wanted: bool| {
            if wanted {
                self.planes[bit]
            } else {
                !self.planes[bit]
            }
        };
        plane(1, code & 1 != 0)
            & plane(2, code & 2 != 0)
            & plane(3, code & 4 != 0)
            & plane(COLOR, piece.color == Color::Black)
    }

    /// The board turned upside down with the colours exchanged: what the other side would see.
    pub fn mirrored(&self) -> CaseBoard {
        let mut planes = self.planes.map(u64::swap_bytes);
        planes[COLOR] ^= self.occupied().swap_bytes();
        CaseBoard { planes }
    }

    /// Everything moved by a step; what leaves the board is gone, and what enters is empty.
    pub fn shifted(&self, shift: Shift) -> CaseBoard {
        CaseBoard {
            planes: self.planes.map(|plane| shift.plane(plane)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn a_board_tells_what_stands_where() {
        let position: Position = KIWIPETE.parse().unwrap();
        let board = CaseBoard::new(&position);
        let pieces = Square::ALL.map(|square| position.piece_at(square));
        assert_eq!(CaseBoard::from_pieces(&pieces), board);
        for square in Square::ALL {
            assert_eq!(board.piece_at(square), position.piece_at(square));
        }
        for color in Color::ALL {
            for role in Role::ALL {
                assert_eq!(board.squares_of(role.of(color)), position.pieces(color, role).0);
            }
        }
    }

    #[test]
    fn mirrors_and_shifts_move_every_piece() {
        let position: Position = KIWIPETE.parse().unwrap();
        let board = CaseBoard::new(&position);
        let mirrored = board.mirrored();
        assert_eq!(mirrored.mirrored(), board);
        for square in Square::ALL {
            let turned = board
                .piece_at(square.flip_vertical())
                .map(|piece| piece.role.of(!piece.color));
            assert_eq!(mirrored.piece_at(square), turned);
        }
        for shift in Shift::ALL {
            let shifted = board.shifted(shift);
            for square in Square::ALL {
                let from = square.offset(-i32::from(shift.files), -i32::from(shift.ranks));
                assert_eq!(
                    shifted.piece_at(square),
                    from.and_then(|from| board.piece_at(from)),
                    "{shift:?}"
                );
            }
        }
    }

    #[test]
    fn the_nine_shifts_differ_and_the_first_is_none() {
        assert_eq!(Shift::ALL[0], Shift::default());
        for (index, shift) in Shift::ALL.iter().enumerate() {
            assert!(!Shift::ALL[..index].contains(shift));
        }
        let up_right = Shift { files: 1, ranks: 1 };
        assert_eq!(up_right.clamped(Square::H4), Square::H5);
        assert_eq!(up_right.reversed().clamped(Square::A1), Square::A1);
    }
}
