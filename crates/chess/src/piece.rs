//! Roles, pieces and promotions.

use crate::color::Color;

/// What a piece is, apart from its colour.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Role {
    Pawn,
    Knight,
    Bishop,
    Rook,
    Queen,
    King,
}

impl Role {
    /// All roles, from pawn to king.
    pub const ALL: [Role; 6] = [
        Role::Pawn,
        Role::Knight,
        Role::Bishop,
        Role::Rook,
        Role::Queen,
        Role::King,
    ];

    /// The lower-case English letter.
    pub const fn char(self) -> char {
        match self {
            Role::Pawn => 'p',
            Role::Knight => 'n',
            Role::Bishop => 'b',
            Role::Rook => 'r',
            Role::Queen => 'q',
            Role::King => 'k',
        }
    }

    /// The upper-case English letter.
    pub const fn upper_char(self) -> char {
        self.char().to_ascii_uppercase()
    }

    /// Reads an English letter of either case.
    pub const fn from_char(c: char) -> Option<Role> {
        Some(match c.to_ascii_lowercase() {
            'p' => Role::Pawn,
            'n' => Role::Knight,
            'b' => Role::Bishop,
            'r' => Role::Rook,
            'q' => Role::Queen,
            'k' => Role::King,
            _ => return None,
        })
    }

    /// The piece of this role and colour.
    pub const fn of(self, color: Color) -> Piece {
        Piece { color, role: self }
    }
}

/// A piece: a colour and a role.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece {
    /// Whose it is.
    pub color: Color,
    /// What it is.
    pub role: Role,
}

impl Piece {
    /// The letter of a FEN: upper case for White.
    pub const fn char(self) -> char {
        match self.color {
            Color::White => self.role.upper_char(),
            Color::Black => self.role.char(),
        }
    }

    /// Reads a FEN letter.
    pub const fn from_char(c: char) -> Option<Piece> {
        match Role::from_char(c) {
            Some(role) if c.is_ascii_uppercase() => Some(role.of(Color::White)),
            Some(role) => Some(role.of(Color::Black)),
            None => None,
        }
    }
}

/// What a pawn may become.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
#[allow(missing_docs)]
pub enum Promotion {
    Knight,
    Bishop,
    Rook,
    Queen,
}

impl Promotion {
    /// The four choices, the queen last.
    pub const ALL: [Promotion; 4] = [
        Promotion::Knight,
        Promotion::Bishop,
        Promotion::Rook,
        Promotion::Queen,
    ];

    /// The new piece's role.
    #[inline]
    pub const fn role(self) -> Role {
        match self {
            Promotion::Knight => Role::Knight,
            Promotion::Bishop => Role::Bishop,
            Promotion::Rook => Role::Rook,
            Promotion::Queen => Role::Queen,
        }
    }

    /// The promotion to a role; none to a pawn or king.
    pub const fn from_role(role: Role) -> Option<Promotion> {
        match role {
            Role::Knight => Some(Promotion::Knight),
            Role::Bishop => Some(Promotion::Bishop),
            Role::Rook => Some(Promotion::Rook),
            Role::Queen => Some(Promotion::Queen),
            Role::Pawn | Role::King => None,
        }
    }
}
