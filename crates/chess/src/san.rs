//! Standard algebraic notation: `Nf3`, `exd6`, `O-O-O`, `e8=Q+`.
//!
//! Written strictly, with the least disambiguation and the check or mate sign. Read leniently, as
//! real files need it: signs missing or wrong, annotation marks, `0-0`, `e8Q`, `e8(Q)`, `e8/Q`, more
//! disambiguation than necessary, `Ng1-f3`, `exd6 e.p.`, lower-case piece letters where they cannot mean
//! a file, and UCI notation. One rule holds always: the text must fit exactly one legal move.
//!
//! Reading never generates all moves. The few pieces that can reach the target square are found from
//! it, which is what makes reading game files fast.

use std::fmt;

use thiserror::Error;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::Color;
use crate::moves::{Move, MoveKind};
use crate::piece::{Promotion, Role};
use crate::position::Position;
use crate::square::{File, Rank, Square};
use vidmar_text::Excerpt;

/// The text is no move, or names no or several legal ones.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SanError {
    /// Not the shape of a move.
    #[error("'{0}' is not a move in algebraic notation")]
    Syntax(Excerpt),
    /// No legal move fits.
    #[error("the move {0} is not legal here")]
    Illegal(Excerpt),
    /// Several legal moves fit.
    #[error("the move {0} is ambiguous here")]
    Ambiguous(Excerpt),
}

/// What a text says of a move, before a position is asked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Words {
    Castling { short: bool },
    Move(Said),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Said {
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    promotion: Option<Promotion>,
}

impl Said {
    /// The squares that the text allows the piece to come from.
    #[inline(always)]
    fn origins(self) -> Bitboard {
        let file = self.file.map_or(Bitboard::FULL, Bitboard::from);
        file & self.rank.map_or(Bitboard::FULL, Bitboard::from)
    }
}

/// Why no move fits.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Miss {
    None,
    Several,
}

impl Position {
    /// Reads a legal move in algebraic notation.
    ///
    /// ```
    /// # use vidmar_chess::Position;
    /// let position = Position::default();
    /// assert_eq!(position.parse_san("Nf3"), position.parse_uci("g1f3").map_err(|_| unreachable!()));
    /// assert_eq!(position.parse_san("Nf6").unwrap_err().to_string(), "the move Nf6 is not legal here");
    /// ```
    pub fn parse_san(&self, text: &str) -> Result<Move, SanError> {
        self.parse_san_bytes(text.as_bytes())
    }

    /// The same for text that need not be UTF-8, as PGN files contain it.
    #[inline]
    pub fn parse_san_bytes(&self, text: &[u8]) -> Result<Move, SanError> {
        match read(text).map(|words| self.find(words)) {
            Some(Ok(m)) => Ok(m),
            Some(Err(miss)) => self.fall_back(text, Some(miss)),
            None => self.fall_back(text, None),
        }
    }

    #[inline]
    fn find(&self, words: Words) -> Result<Move, Miss> {
        match words {
            Words::Castling { short } => self.find_castling(short).ok_or(Miss::None),
            Words::Move(said) if said.role == Role::Pawn => self.find_pawn_move(said),
            Words::Move(said) => self.find_piece_move(said),
        }
    }

    /// What else the text may be: UCI notation, or a piece in lower case.
    #[cold]
    fn fall_back(&self, text: &[u8], miss: Option<Miss>) -> Result<Move, SanError> {
        if miss == Some(Miss::Several) {
            return Err(SanError::Ambiguous(text.into()));
        }
        self.read_otherwise(text).ok_or_else(|| match miss {
            Some(_) => SanError::Illegal(text.into()),
            None => SanError::Syntax(text.into()),
        })
    }

    fn read_otherwise(&self, text: &[u8]) -> Option<Move> {
        let text = str::from_utf8(text).ok()?.trim_end_matches(['+', '#', '!', '?']);
        if let Ok(m) = self.parse_uci(text) {
            return Some(m);
        }
        let first = text
            .chars()
            .next()
            .filter(|c| matches!(c, 'n' | 'r' | 'q' | 'k'))?;
        let upper = format!("{}{}", first.to_ascii_uppercase(), &text[1..]);
        match read(upper.as_bytes())? {
            words @ Words::Move(_) => self.find(words).ok(),
            Words::Castling { .. } => None,
        }
    }

    fn find_castling(&self, short: bool) -> Option<Move> {
        let king = self.king(self.turn());
        let home = Bitboard::of_rank(Rank::back(self.turn()));
        let rook = (self.castling() & home)
            .into_iter()
            .find(|&rook| (rook > king) == short)?;
        let m = Move::new(king, rook, MoveKind::Castling);
        self.is_legal(m).then_some(m)
    }

    /// From the target the pieces that reach it, of these those that the text does not exclude, of
    /// these those that their king lets go.
    #[inline]
    fn find_piece_move(&self, said: Said) -> Result<Move, Miss> {
        let (turn, to) = (self.turn(), said.to);
        let reach = attacks::of(said.role, turn, to, self.occupied());
        let mut candidates = self.pieces(turn, said.role) & reach & said.origins();
        if said.promotion.is_some() || self.color(turn).contains(to) {
            return Err(Miss::None);
        }
        if said.role == Role::King {
            let occupied = self.occupied() ^ candidates;
            if (self.attackers_to(to, occupied) & self.color(!turn)).any() {
                return Err(Miss::None);
            }
        } else if (self.checkers() | (self.pinned() & candidates)).any() {
            candidates = candidates
                .into_iter()
                .filter(|&from| self.is_legal(Move::normal(from, to)))
                .collect();
        }
        match candidates.first() {
            Some(_) if candidates.several() => Err(Miss::Several),
            Some(from) => Ok(Move::normal(from, to)),
            None => Err(Miss::None),
        }
    }

    /// A pawn takes if the text names another file than the target's, else it steps: one origin at most.
    #[inline]
    fn find_pawn_move(&self, said: Said) -> Result<Move, Miss> {
        let (turn, to) = (self.turn(), said.to);
        let pawns = self.pieces(turn, Role::Pawn) & said.origins();
        let takes = said.file.is_some_and(|file| file != to.file());
        let from = if takes {
            (pawns & attacks::pawn(!turn, to)).first()
        } else {
            self.stepping_pawn(pawns, to)
        }
        .ok_or(Miss::None)?;
        let kind = match said.promotion {
            Some(promotion) => MoveKind::Promotion(promotion),
            None if takes && self.en_passant() == Some(to) => MoveKind::EnPassant,
            None => MoveKind::Normal,
        };
        let m = Move::new(from, to, kind);
        // A step, or taking what is there, by a pawn that nothing binds needs no second look.
        let target_fits = if takes {
            self.color(!turn).contains(to)
        } else {
            !self.occupied().contains(to)
        };
        let bound = self.checkers() | (self.pinned() & from.into());
        let plain = kind == MoveKind::Normal && to.rank() != Rank::Eighth.relative_to(turn);
        if (plain && target_fits && bound.is_empty()) || self.is_legal(m) {
            Ok(m)
        } else {
            Err(Miss::None)
        }
    }

    /// The pawn one step behind the target, or two where that is a first step.
    #[inline]
    fn stepping_pawn(&self, pawns: Bitboard, to: Square) -> Option<Square> {
        let back = if self.turn() == Color::White { -1 } else { 1 };
        let one = to.offset(0, back)?;
        if self.occupied().contains(one) {
            return pawns.contains(one).then_some(one);
        }
        let two = one.offset(0, back)?;
        (two.rank() == Rank::Second.relative_to(self.turn()) && pawns.contains(two)).then_some(two)
    }

    /// The move in algebraic notation, with the sign of check or mate. The move must be legal.
    pub fn san(&self, m: Move) -> San {
        let mut san = self.san_without_sign(m);
        if self.gives_check(m) {
            let mut after = self.clone();
            after.play(m);
            san.sign = Some(if after.count_legal_moves() == 0 { '#' } else { '+' });
        }
        san
    }

    fn san_without_sign(&self, m: Move) -> San {
        let (from, to) = (m.from(), m.to());
        let role = self.role_at(from).unwrap_or(Role::Pawn);
        let captures = self.is_capture(m);
        let (file, rank) = match role {
            Role::Pawn => (captures.then_some(from.file()), None),
            Role::King => (None, None),
            _ => self.disambiguation(role, from, to),
        };
        San {
            castling: m.is_castling(),
            role,
            file,
            rank,
            captures,
            from,
            to,
            promotion: m.promotion(),
            sign: None,
        }
    }

    /// What must be said of the origin: nothing, the file, the rank, or both, in this order of preference.
    fn disambiguation(&self, role: Role, from: Square, to: Square) -> (Option<File>, Option<Rank>) {
        let reach = attacks::of(role, self.turn(), to, self.occupied()) & self.pieces(self.turn(), role);
        let rivals: Bitboard = reach
            .without(from)
            .into_iter()
            .filter(|&other| self.is_legal(Move::normal(other, to)))
            .collect();
        if rivals.is_empty() {
            (None, None)
        } else if (rivals & from.file().into()).is_empty() {
            (Some(from.file()), None)
        } else if (rivals & from.rank().into()).is_empty() {
            (None, Some(from.rank()))
        } else {
            (Some(from.file()), Some(from.rank()))
        }
    }

    /// All legal moves with their notation.
    pub fn sans(&self) -> Vec<(Move, San)> {
        self.legal_moves().into_iter().map(|m| (m, self.san(m))).collect()
    }
}

/// A move in algebraic notation; made by [`Position::san`], shown by `Display`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct San {
    castling: bool,
    role: Role,
    file: Option<File>,
    rank: Option<Rank>,
    captures: bool,
    from: Square,
    to: Square,
    promotion: Option<Promotion>,
    sign: Option<char>,
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        if self.castling {
            f.write_str(if self.to > self.from { "O-O" } else { "O-O-O" })?;
        } else {
            if self.role != Role::Pawn {
                f.write_char(self.role.upper_char())?;
            }
            if let Some(file) = self.file {
                f.write_char(file.char())?;
            }
            if let Some(rank) = self.rank {
                f.write_char(rank.char())?;
            }
            if self.captures {
                f.write_char('x')?;
            }
            write!(f, "{}", self.to)?;
            if let Some(promotion) = self.promotion {
                write!(f, "={}", promotion.role().upper_char())?;
            }
        }
        self.sign.map_or(Ok(()), |sign| f.write_char(sign))
    }
}

/// Takes the text apart. The forms of nearly every move in nearly every file come first.
#[inline]
fn read(text: &[u8]) -> Option<Words> {
    match read_plain(text) {
        Some(said) => Some(Words::Move(said)),
        None => read_any(text),
    }
}

/// `e4`, `exd5`, `Nf3`, `Nxf3`, `Nbd2`, `Nbxd2`, with or without a sign.
#[inline(always)]
fn read_plain(text: &[u8]) -> Option<Said> {
    let text = match text {
        [rest @ .., b'+' | b'#'] => rest,
        _ => text,
    };
    let (before, &[file, rank]) = text.split_last_chunk()?;
    let to = square(file, rank)?;
    let (role, origin) = match *before {
        [] => (Role::Pawn, None),
        [piece] | [piece, b'x'] if piece.is_ascii_uppercase() => (piece_role(piece)?, None),
        [file, b'x'] => (Role::Pawn, Some(file)),
        [piece, origin] | [piece, origin, b'x'] => (piece_role(piece)?, Some(origin)),
        _ => return None,
    };
    let (file, rank) = match origin {
        None => (None, None),
        Some(origin) => match (letter_file(origin), digit_rank(origin)) {
            (None, None) => return None,
            either => either,
        },
    };
    Some(Said {
        role,
        file,
        rank,
        to,
        promotion: None,
    })
}

#[inline(always)]
fn piece_role(letter: u8) -> Option<Role> {
    match letter {
        b'N' => Some(Role::Knight),
        b'B' => Some(Role::Bishop),
        b'R' => Some(Role::Rook),
        b'Q' => Some(Role::Queen),
        b'K' => Some(Role::King),
        _ => None,
    }
}

/// Every other form, from its end: what stands before the target square is about the origin.
fn read_any(text: &[u8]) -> Option<Words> {
    let text = trim_marks(text);
    match text {
        b"O-O" | b"0-0" | b"o-o" | b"OO" | b"00" => return Some(Words::Castling { short: true }),
        b"O-O-O" | b"0-0-0" | b"o-o-o" | b"OOO" | b"000" => return Some(Words::Castling { short: false }),
        _ => {}
    }
    let (text, promotion) = split_promotion(text)?;
    let (&[file, rank], before) = text.split_last_chunk::<2>().map(|(before, to)| (to, before))?;
    let to = square(file, rank)?;
    let (role, mut before) = match before.split_first() {
        Some((&letter @ (b'P' | b'N' | b'B' | b'R' | b'Q' | b'K'), rest)) => {
            (Role::from_char(letter as char)?, rest)
        }
        _ => (Role::Pawn, before),
    };
    if let [rest @ .., b'x' | b'X' | b':' | b'-'] = before {
        before = rest;
    }
    let (file, rank) = match *before {
        [] => (None, None),
        [c] => match (letter_file(c), digit_rank(c)) {
            (None, None) => return None,
            either => either,
        },
        [file, rank] => {
            let from = square(file, rank)?;
            (Some(from.file()), Some(from.rank()))
        }
        _ => return None,
    };
    Some(Words::Move(Said {
        role,
        file,
        rank,
        to,
        promotion,
    }))
}

#[inline(always)]
fn square(file: u8, rank: u8) -> Option<Square> {
    let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
    (file < 8 && rank < 8).then(|| Square::new(u32::from(rank * 8 + file)))
}

#[inline(always)]
fn letter_file(letter: u8) -> Option<File> {
    File::ALL.get(usize::from(letter.wrapping_sub(b'a'))).copied()
}

#[inline(always)]
fn digit_rank(digit: u8) -> Option<Rank> {
    Rank::ALL.get(usize::from(digit.wrapping_sub(b'1'))).copied()
}

/// Cuts check signs, annotation marks and `e.p.` off the end.
#[inline]
fn trim_marks(mut text: &[u8]) -> &[u8] {
    while let [rest @ .., b'+' | b'#' | b'!' | b'?' | b' '] = text {
        text = rest;
    }
    for mark in [&b"e.p."[..], b"ep"] {
        if let Some(rest) = text.strip_suffix(mark) {
            return trim_marks(rest);
        }
    }
    text
}

/// Splits `=Q`, `(Q)`, `/Q` or a bare `Q` off the end; the outer `None` means a wrong piece.
#[inline]
fn split_promotion(text: &[u8]) -> Option<(&[u8], Option<Promotion>)> {
    let (rest, letter) = match text {
        [rest @ .., b'(', letter, b')'] | [rest @ .., b'=' | b'/', letter] => (rest, *letter),
        [rest @ .., b'1' | b'8', b'N' | b'B' | b'R' | b'Q'] => (&text[..=rest.len()], text[text.len() - 1]),
        _ => return Some((text, None)),
    };
    let role = Role::from_char(letter as char)?;
    Some((rest, Some(Promotion::from_role(role)?)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().expect("legal")
    }

    fn read_as(position: &Position, text: &str) -> String {
        match position.parse_san(text) {
            Ok(m) => position.san(m).to_string(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn many_ways_of_writing_one_move() {
        let start = Position::default();
        for text in [
            "Nf3", "Nf3+", "Nf3!?", "Ngf3", "N1f3", "Ng1f3", "Ng1-f3", "N-f3", "g1f3", "nf3", "Nf3 e.p.",
        ] {
            assert_eq!(read_as(&start, text), "Nf3", "{text}");
        }
        for text in ["e4", "e2e4", "e2-e4", "Pe4", "e4!!"] {
            assert_eq!(read_as(&start, text), "e4", "{text}");
        }
        let castle = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        for text in ["O-O", "0-0", "o-o", "O-O+", "e1g1", "e1h1", "Kg1"] {
            let expected = if text == "Kg1" {
                "the move Kg1 is not legal here"
            } else {
                "O-O"
            };
            assert_eq!(read_as(&castle, text), expected, "{text}");
        }
        let promote = position("3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1");
        for text in [
            "exd8=Q", "exd8Q", "exd8(Q)", "exd8/Q+", "ed8=Q", "e:d8=Q", "e7xd8=Q", "e7d8q",
        ] {
            assert_eq!(read_as(&promote, text), "exd8=Q+", "{text}");
        }
        let passing = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
        for text in ["exd6", "exd6ep", "exd6 e.p.", "exd6e.p.", "ed6", "e5xd6"] {
            assert_eq!(read_as(&passing, text), "exd6", "{text}");
        }
    }

    #[test]
    fn the_least_disambiguation() {
        let knights = position("k7/8/8/2N5/8/2N1N3/8/7K w - - 0 1");
        let written: Vec<String> = knights.sans().iter().map(|(_, san)| san.to_string()).collect();
        for expected in ["N5e4", "N3e4", "Ncd5", "Ned5", "N5a4"] {
            assert!(
                written.iter().any(|san| san == expected),
                "{expected} in {written:?}"
            );
        }
        let queens = position("2k5/8/8/8/4Q2Q/8/8/K6Q w - - 0 1");
        let written: Vec<String> = queens.sans().iter().map(|(_, san)| san.to_string()).collect();
        assert!(written.iter().any(|san| san == "Qh4e1"), "{written:?}");
        // A rival that is pinned is no rival.
        let pinned = position("k3r3/8/8/8/8/2N5/4N3/4K3 w - - 0 1");
        assert!(pinned.sans().iter().any(|(_, san)| san.to_string() == "Nd5"));
    }

    #[test]
    fn ambiguous_illegal_and_junk_are_told_apart() {
        let knights = position("k7/8/8/8/8/2N1N3/8/7K w - - 0 1");
        assert_eq!(read_as(&knights, "Nd5"), "the move Nd5 is ambiguous here");
        assert_eq!(read_as(&knights, "Ne4"), "Ne4");
        assert_eq!(read_as(&knights, "Nd6"), "the move Nd6 is not legal here");
        for junk in [
            "", "N", "e9", "xx", "Zf3", "e8=K", "Nf3=", "N\0f3", "O-O-O-O", "é4", "=", "()",
        ] {
            let answer = read_as(&knights, junk);
            assert!(
                answer.contains("not a move") || answer.contains("not legal"),
                "{junk}: {answer}"
            );
        }
    }

    /// Reading takes short cuts past the generator: none may lead to a move that is not legal, and
    /// every legal move must be found by its name.
    #[test]
    fn whatever_is_read_is_legal_and_whatever_is_legal_is_read() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/8/8/K2Pp2r/8/8/8/4k3 w - e6 0 1",
            "3k4/8/8/8/8/8/3p4/K1N1B3 b - - 0 1",
            "4k3/1P6/8/b7/3P4/8/3R4/4K3 w - - 0 1",
            "4k3/4r3/8/8/1b6/2N1P3/3P1P2/3QK2R w K - 0 1",
            "k3q3/8/8/8/4N3/6n1/8/4K1N1 w - - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        ] {
            let position = position(fen);
            let legal = position.legal_moves();
            for (m, san) in position.sans() {
                assert_eq!(position.parse_san(&san.to_string()), Ok(m), "{san} in {fen}");
            }
            for piece in ["", "N", "B", "R", "Q", "K"] {
                for origin in [
                    "", "a", "b", "c", "d", "e", "f", "g", "h", "1", "2", "4", "5", "7",
                ] {
                    for to in Square::ALL {
                        for promotion in ["", "=Q", "=N"] {
                            for takes in ["", "x"] {
                                let text = format!("{piece}{origin}{takes}{to}{promotion}");
                                if let Ok(m) = position.parse_san(&text) {
                                    assert!(legal.contains(&m), "{text} in {fen}");
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn signs() {
        let mate = position("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
        assert_eq!(read_as(&mate, "Ra8"), "Ra8#");
        assert_eq!(
            read_as(&position("6k1/5pp1/8/8/8/8/8/R3K3 w Q - 0 1"), "Ra8"),
            "Ra8+"
        );
    }
}
