//! One entry of a book, and the move inside it.

use vidmar_chess::{Key, Move, Position, Promotion, Square};

/// An entry as the file has it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position.
    pub key: Key,
    /// The move: to in bits 0–5, from in 6–11, promotion in 12–14 (0 none, 1 knight … 4 queen). Castling is the
    /// king taking its own rook.
    pub word: u16,
    /// How good the move is, or how often it is to be played; 0 is "never".
    pub weight: u16,
    /// For programs that learn; kept as it is.
    pub learn: u32,
}

impl Entry {
    /// Bytes of an entry.
    pub const SIZE: usize = 16;

    /// An entry for a move, castling as the format wants it.
    pub fn new(key: Key, m: Move, weight: u16) -> Entry {
        let promotion = m.promotion().map_or(0, |promotion| promotion as u16 + 1);
        Entry {
            key,
            word: m.to() as u16 | (m.from() as u16) << 6 | promotion << 12,
            weight,
            learn: 0,
        }
    }

    /// Reads an entry.
    pub(super) fn from_bytes(bytes: &[u8; Entry::SIZE]) -> Entry {
        let [k0, k1, k2, k3, k4, k5, k6, k7, m0, m1, w0, w1, l0, l1, l2, l3] = *bytes;
        Entry {
            key: Key(u64::from_be_bytes([k0, k1, k2, k3, k4, k5, k6, k7])),
            word: u16::from_be_bytes([m0, m1]),
            weight: u16::from_be_bytes([w0, w1]),
            learn: u32::from_be_bytes([l0, l1, l2, l3]),
        }
    }

    /// The entry as the file has it.
    pub(super) fn to_bytes(self) -> [u8; Entry::SIZE] {
        let mut bytes = [0; Entry::SIZE];
        bytes[..8].copy_from_slice(&self.key.0.to_be_bytes());
        bytes[8..10].copy_from_slice(&self.word.to_be_bytes());
        bytes[10..12].copy_from_slice(&self.weight.to_be_bytes());
        bytes[12..].copy_from_slice(&self.learn.to_be_bytes());
        bytes
    }

    /// The legal move that the entry names in a position, if there is one. Castling written as the king's own step
    /// (`e1g1`), which some books have, is read as well.
    pub fn legal_move(&self, position: &Position) -> Option<Move> {
        let (to, from) = (
            Square::new(u32::from(self.word)),
            Square::new(u32::from(self.word >> 6)),
        );
        let promotion = match self.word >> 12 & 7 {
            0 => None,
            index => Some(*Promotion::ALL.get(usize::from(index) - 1)?),
        };
        position.legal_move(from, to, promotion)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The move of a text, there and back.
    fn word(fen: &str, uci: &str) -> u16 {
        let position: Position = fen.parse().expect("legal");
        let m = position.parse_uci(uci).expect("legal");
        let entry = Entry::new(position.key(), m, 7);
        assert_eq!(entry.legal_move(&position), Some(m));
        assert_eq!(Entry::from_bytes(&entry.to_bytes()), entry);
        entry.word
    }

    #[test]
    fn words_are_those_of_the_format() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(word(start, "e2e4"), 0o1434);
        let castling = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1";
        assert_eq!(word(castling, "e8g8"), 0o7477);
        assert_eq!(word(castling, "e8c8"), 0o7470);
        let promotion = "4k3/P7/8/8/8/8/8/4K3 w - - 0 1";
        assert_eq!(word(promotion, "a7a8n"), 0o1_6070);
        assert_eq!(word(promotion, "a7a8q"), 0o4_6070);
        assert_eq!(word("4k3/8/8/8/8/8/8/1RK5 w B - 0 1", "c1b1"), 0o0201);
    }

    #[test]
    fn castling_is_read_in_both_forms_and_what_is_not_legal_not_at_all() {
        let position: Position = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1".parse().expect("legal");
        let legal = |word: u16| {
            Entry {
                key: position.key(),
                word,
                weight: 1,
                learn: 0,
            }
            .legal_move(&position)
        };
        assert_eq!(legal(0o0406), position.parse_uci("e1g1").ok());
        assert_eq!(legal(0o0407), position.parse_uci("e1g1").ok());
        assert_eq!(legal(0o0402), position.parse_uci("e1c1").ok());
        for junk in [0, u16::MAX, 0o5_0000, 0o4_0406, 0o7476] {
            assert_eq!(legal(junk), None, "{junk:#x}");
        }
    }
}
