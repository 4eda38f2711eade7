//! A position as training sees it: 32 bytes.

use vidmar_chess::{Color, Position, Role, Square};
use vidmar_net::{FEATURES, Kings};

/// The most pieces of a position.
pub(crate) const PIECES: usize = 32;

/// The bytes of a position in a file.
pub(crate) const SAMPLE_BYTES: usize = 32;

/// How pieces are numbered: the kings.
const OWN_KING: u8 = Role::King as u8;
const OTHER_KING: u8 = OWN_KING + Role::ALL.len() as u8;

/// A position from the side to move, who plays up the board, and what is to be learnt of it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Sample {
    /// Squares with pieces.
    occupied: u64,
    /// What stands there, in the order of the squares, four bits each: own pawn to king 0 to 5, the opponent's 6 to 11.
    pieces: [u8; PIECES / 2],
    /// The score of the side to move in hundredths of a pawn.
    pub(crate) score: i16,
    /// What the side to move got, in half points.
    pub(crate) half_points: u8,
    /// Whether nobody may castle: then the board in a mirror beside it is worth the same.
    pub(crate) is_symmetric: bool,
    /// Whether it is seen in that mirror.
    pub(crate) is_mirrored: bool,
}

/// The inputs of a position: those that the side to move sees, then those that the other side sees.
#[derive(Copy, Clone, Debug)]
#[repr(align(64))]
pub(crate) struct Inputs {
    /// Feature numbers.
    pub(crate) views: [[u16; PIECES]; 2],
}

impl Default for Inputs {
    fn default() -> Inputs {
        Inputs {
            views: [[0; PIECES]; 2],
        }
    }
}

impl Sample {
    /// A position with the score of the side to move and its half points.
    pub(crate) fn new(position: &Position, score: i16, half_points: u8) -> Sample {
        let turn = position.turn();
        let mut occupied = position.occupied();
        if turn == Color::Black {
            occupied = occupied.flip_vertical();
        }
        let mut pieces = [0; PIECES / 2];
        for (index, square) in occupied.into_iter().enumerate() {
            let square = match turn {
                Color::White => square,
                Color::Black => square.flip_vertical(),
            };
            let Some(piece) = position.piece_at(square) else {
                continue;
            };
            let code = piece.role as u8
                + if piece.color == turn {
                    0
                } else {
                    Role::ALL.len() as u8
                };
            pieces[index / 2] |= code << (4 * (index % 2));
        }
        Sample {
            occupied: occupied.0,
            pieces,
            score,
            half_points,
            is_symmetric: position.castling().is_empty(),
            is_mirrored: false,
        }
    }

    /// Sees every second position that has a mirror image in the mirror, the others in the next epoch.
    pub(crate) fn mirror(&mut self, epoch: u64) {
        let parity = u64::from(self.occupied.count_ones()) ^ self.score as u64 ^ epoch;
        self.is_mirrored = self.is_symmetric && parity & 1 == 1;
    }

    /// As the file of [`export`](crate::export) has it.
    pub(crate) fn to_bytes(self) -> [u8; SAMPLE_BYTES] {
        let mut bytes = [0; SAMPLE_BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24..26].copy_from_slice(&self.score.to_le_bytes());
        bytes[26] = self.half_points;
        bytes[27] = u8::from(self.is_symmetric);
        bytes
    }

    /// How many pieces there are.
    pub(crate) fn pieces(&self) -> usize {
        self.occupied.count_ones() as usize
    }

    /// Writes its inputs, as many as pieces, counted from a number.
    pub(crate) fn write_inputs(&self, kings: Kings, first: u16, inputs: &mut Inputs) {
        let mut left = self.occupied;
        let mirror = if self.is_mirrored { 0b111 } else { 0 };
        let [own_view, other_view] = [OWN_KING, OTHER_KING].map(|king| {
            let turned = if king == OWN_KING { 0 } else { 0b111_000 };
            let square = self.square_of(king) ^ mirror as u8 ^ turned;
            let view = kings.view(Color::White, Square::ALL[usize::from(square)]);
            (first + view.offset() as u16, u16::from(view.flip() ^ turned))
        });
        let [own, others] = &mut inputs.views;
        for (index, (own, other)) in own.iter_mut().zip(others).enumerate() {
            if left == 0 {
                break;
            }
            let square = left.trailing_zeros() as u16 ^ mirror;
            left &= left - 1;
            let code = u16::from(self.pieces[index / 2] >> (4 * (index % 2)) & 15);
            let half = (FEATURES / 2) as u16;
            let kind = code * 64;
            let other_kind = if kind < half { kind + half } else { kind - half };
            *own = own_view.0 + kind + (square ^ own_view.1);
            *other = other_view.0 + other_kind + (square ^ other_view.1);
        }
    }

    /// The first square with such a piece; the first of all if there is none.
    fn square_of(&self, code: u8) -> u8 {
        let mut left = self.occupied;
        for index in 0..self.pieces() {
            if self.pieces[index / 2] >> (4 * (index % 2)) & 15 == code {
                break;
            }
            left &= left - 1;
        }
        (left.trailing_zeros() & 63) as u8
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use vidmar_chess::Square;

    #[test]
    fn inputs_are_those_of_the_net() {
        for fen in [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/8/8/8/8/2k5/2P5/2K5 b - - 0 1",
        ] {
            let position: Position = fen.parse().unwrap();
            let sample = Sample::new(&position, 12, 2);
            let turn = position.turn();
            let views = [0, 1, 4, 8].into_iter().flat_map(|buckets| {
                let kings = Kings::new(buckets).unwrap();
                let mut inputs = Inputs::default();
                sample.write_inputs(kings, 0, &mut inputs);
                [turn, !turn]
                    .map(|side| (kings, side))
                    .into_iter()
                    .zip(inputs.views)
            });
            for ((kings, side), view) in views {
                let seen = kings.view(side, position.king(side));
                let mut found: Vec<usize> = view[..sample.pieces()].iter().map(|&f| usize::from(f)).collect();
                let mut expected: Vec<usize> = Square::ALL
                    .into_iter()
                    .filter_map(|square| Some(seen.feature(position.piece_at(square)?, square)))
                    .collect();
                found.sort_unstable();
                expected.sort_unstable();
                assert_eq!(found, expected, "{fen}");
            }
        }
        assert_eq!(size_of::<Sample>(), 32);
    }

    #[test]
    fn mirrored_inputs_are_those_of_the_mirrored_position() {
        let inputs = |fen: &str, epochs: &[u64]| {
            let mut sample = Sample::new(&fen.parse().unwrap(), 0, 1);
            for &epoch in epochs {
                sample.mirror(epoch);
            }
            let mut inputs = Inputs::default();
            sample.write_inputs(Kings::PLAIN, 0, &mut inputs);
            inputs.views.map(|view| {
                let mut view = view[..sample.pieces()].to_vec();
                view.sort_unstable();
                view
            })
        };
        let (fen, mirrored) = (
            "4k3/p7/8/8/8/8/6PP/R3K3 b - - 0 1",
            "3k4/7p/8/8/8/8/PP6/3K3R b - - 0 1",
        );
        // Six pieces and an even score: the odd epochs.
        assert_eq!(inputs(fen, &[1]), inputs(mirrored, &[]));
        assert_eq!(inputs(fen, &[1, 2]), inputs(fen, &[]));
        let castling = fen.replace(" - -", " Q -");
        assert_eq!(inputs(&castling, &[1]), inputs(&castling, &[]));
    }
}
