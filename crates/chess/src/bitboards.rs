//! The pieces as sets of squares: what move generation needs to know, and no more.
//!
//! [`Bitboards`] is the core of [`Position`](crate::Position), which adds the square-by-square view, the keys
//! and the clocks. It stands by itself so that perft can walk over millions of positions without
//! keeping what nobody reads. The eight sets lie in one cache line; making a move copies them and
//! clears the target square in all of them at once, which takes whatever stood there without asking
//! what it was.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::color::{Color, Side};
use crate::piece::{Promotion, Role};
use crate::square::{File, Rank, Square};

/// Six sets by role and two by colour, the rooks that may still castle, the en-passant square.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(crate) struct Bitboards {
    roles: [Bitboard; 6],
    colors: [Bitboard; 2],
    /// The rooks that neither they nor their king have moved, of both sides.
    castling: Bitboard,
    /// The square that a pawn has just passed, kept only while an enemy pawn stands ready to take it.
    en_passant: Option<Square>,
}

/// What threatens the king of the side to move.
#[derive(Copy, Clone, Debug)]
pub(crate) struct Checks {
    pub(crate) king: Square,
    /// The pieces that give check.
    pub(crate) checkers: Bitboard,
    /// The own pieces that alone stand between the king and a slider.
    pub(crate) pinned: Bitboard,
}

impl Bitboards {
    pub(crate) const EMPTY: Bitboards = Bitboards {
        roles: [Bitboard::EMPTY; 6],
        colors: [Bitboard::EMPTY; 2],
        castling: Bitboard::EMPTY,
        en_passant: None,
    };

    pub(crate) fn put(&mut self, color: Color, role: Role, square: Square) {
        self.roles[role as usize] |= square.into();
        self.colors[color as usize] |= square.into();
    }

    pub(crate) fn set_castling(&mut self, rooks: Bitboard) {
        self.castling = rooks;
    }

    /// Keeps the square if a pawn of the side to move stands ready to take there.
    pub(crate) fn set_en_passant<S: Side>(&mut self, square: Option<Square>) {
        self.en_passant =
            square.filter(|&s| (attacks::pawn(S::Opponent::COLOR, s) & self.pieces::<S>(Role::Pawn)).any());
    }

    #[inline(always)]
    pub(crate) fn role(&self, role: Role) -> Bitboard {
        self.roles[role as usize]
    }

    #[inline(always)]
    pub(crate) fn color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    #[inline(always)]
    pub(crate) fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    #[inline(always)]
    pub(crate) fn castling(&self) -> Bitboard {
        self.castling
    }

    #[inline(always)]
    pub(crate) fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    #[inline(always)]
    pub(crate) fn pieces<S: Side>(&self, role: Role) -> Bitboard {
        self.role(role) & self.color(S::COLOR)
    }

    /// The side's king. Validation sees to it that there is one.
    #[inline(always)]
    pub(crate) fn king<S: Side>(&self) -> Square {
        self.pieces::<S>(Role::King).first().unwrap_or(Square::A1)
    }

    #[inline(always)]
    pub(crate) fn diagonal_sliders<S: Side>(&self) -> Bitboard {
        (self.role(Role::Bishop) | self.role(Role::Queen)) & self.color(S::COLOR)
    }

    #[inline(always)]
    pub(crate) fn straight_sliders<S: Side>(&self) -> Bitboard {
        (self.role(Role::Rook) | self.role(Role::Queen)) & self.color(S::COLOR)
    }

    /// Checkers and pins of the side to move, seen from its king.
    #[inline(always)]
    pub(crate) fn checks<S: Side>(&self) -> Checks {
        let king = self.king::<S>();
        let leapers = attacks::knight(king) & self.pieces::<S::Opponent>(Role::Knight)
            | attacks::pawn(S::COLOR, king) & self.pieces::<S::Opponent>(Role::Pawn);
        let (sliders, screens) = self.lines_at_king::<S>();
        Checks {
            king,
            checkers: leapers | sliders,
            pinned: screens & self.color(S::COLOR),
        }
    }

    /// The side's pieces that uncover an attack on the opponent's king when they leave its line.
    #[inline(always)]
    pub(crate) fn covering<S: Side>(&self) -> Bitboard {
        self.lines_at_king::<S::Opponent>().1 & self.color(S::COLOR)
    }

    /// The opponent's sliders that attack the side's king, and the pieces of both sides that alone keep one from it.
    #[inline(always)]
    fn lines_at_king<S: Side>(&self) -> (Bitboard, Bitboard) {
        let king = self.king::<S>();
        let occupied = self.occupied();
        let (mut sliders, mut screens) = (Bitboard::EMPTY, Bitboard::EMPTY);
        let snipers = attacks::bishop_lines(king) & self.diagonal_sliders::<S::Opponent>()
            | attacks::rook_lines(king) & self.straight_sliders::<S::Opponent>();
        for sniper in snipers {
            let between = attacks::between(king, sniper) & occupied;
            if between.is_empty() {
                sliders |= sniper.into();
            } else if !between.several() {
                screens |= between;
            }
        }
        (sliders, screens)
    }

    /// Every square that the side attacks when `occupied` stops its sliders.
    #[inline(always)]
    pub(crate) fn attacked_by<S: Side>(&self, occupied: Bitboard) -> Bitboard {
        let pawns = forward::<S>(self.pieces::<S>(Role::Pawn));
        let mut attacked = pawns.west() | pawns.east() | attacks::king(self.king::<S>());
        for knight in self.pieces::<S>(Role::Knight) {
            attacked |= attacks::knight(knight);
        }
        for slider in self.diagonal_sliders::<S>() {
            attacked |= attacks::bishop(slider, occupied);
        }
        for slider in self.straight_sliders::<S>() {
            attacked |= attacks::rook(slider, occupied);
        }
        attacked
    }

    /// The pieces of both sides that attack the square when `occupied` stops the sliders.
    #[inline]
    pub(crate) fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        let queens = self.role(Role::Queen);
        attacks::pawn(Color::Black, square) & self.role(Role::Pawn) & self.color(Color::White)
            | attacks::pawn(Color::White, square) & self.role(Role::Pawn) & self.color(Color::Black)
            | attacks::knight(square) & self.role(Role::Knight)
            | attacks::bishop(square, occupied) & (self.role(Role::Bishop) | queens)
            | attacks::rook(square, occupied) & (self.role(Role::Rook) | queens)
            | attacks::king(square) & self.role(Role::King)
    }

    /// The board after a piece goes from one square to another, taking what is there.
    #[inline(always)]
    pub(crate) fn after_move<S: Side>(&self, role: Role, from: Square, to: Square) -> Bitboards {
        let both = Bitboard::of(from) | Bitboard::of(to);
        let mut next = self.without(to.into(), both);
        next.roles[role as usize] ^= both;
        next.colors[S::COLOR as usize] ^= both;
        if matches!(role, Role::King) {
            next.castling &= !Bitboard::of_rank(Rank::back(S::COLOR));
        }
        next
    }

    /// The board after a pawn's first step of two squares.
    #[inline(always)]
    pub(crate) fn after_double_push<S: Side>(&self, from: Square, to: Square) -> Bitboards {
        let both = Bitboard::of(from) | Bitboard::of(to);
        let mut next = *self;
        next.roles[Role::Pawn as usize] ^= both;
        next.colors[S::COLOR as usize] ^= both;
        let beside = Bitboard::of(to).west() | Bitboard::of(to).east();
        let ready = (beside & self.pieces::<S::Opponent>(Role::Pawn)).any();
        next.en_passant = ready.then(|| Square::new(u32::midpoint(from as u32, to as u32)));
        next
    }

    /// The board after a pawn reaches the last rank.
    #[inline(always)]
    pub(crate) fn after_promotion<S: Side>(
        &self,
        from: Square,
        to: Square,
        promotion: Promotion,
    ) -> Bitboards {
        let mut next = self.without(to.into(), to.into());
        next.roles[Role::Pawn as usize] ^= from.into();
        next.roles[promotion.role() as usize] ^= to.into();
        next.colors[S::COLOR as usize] ^= Bitboard::of(from) | Bitboard::of(to);
        next
    }

    /// The board after a pawn takes en passant.
    #[inline(always)]
    pub(crate) fn after_en_passant<S: Side>(&self, from: Square, to: Square) -> Bitboards {
        let both = Bitboard::of(from) | Bitboard::of(to);
        let taken = Bitboard::of(en_passant_victim(from, to));
        let mut next = self.without(taken, Bitboard::EMPTY);
        next.roles[Role::Pawn as usize] ^= both;
        next.colors[S::COLOR as usize] ^= both;
        next
    }

    /// The board after the king castles with the rook.
    #[inline(always)]
    pub(crate) fn after_castling<S: Side>(&self, king: Square, rook: Square) -> Bitboards {
        let (king_to, rook_to) = castling_targets(king, rook);
        let kings = Bitboard::of(king) ^ Bitboard::of(king_to);
        let rooks = Bitboard::of(rook) ^ Bitboard::of(rook_to);
        let mut next = *self;
        next.roles[Role::King as usize] ^= kings;
        next.roles[Role::Rook as usize] ^= rooks;
        next.colors[S::COLOR as usize] ^= kings ^ rooks;
        next.castling &= !Bitboard::of_rank(Rank::back(S::COLOR));
        next.en_passant = None;
        next
    }

    /// The board after a side passes.
    pub(crate) fn after_null(&self) -> Bitboards {
        Bitboards {
            en_passant: None,
            ..*self
        }
    }

    /// A copy with a square of either side emptied, and castling lost for rooks on `touched`.
    #[inline(always)]
    fn without(&self, emptied: Bitboard, touched: Bitboard) -> Bitboards {
        let keep = !emptied;
        Bitboards {
            roles: self.roles.map(|set| set & keep),
            colors: self.colors.map(|set| set & keep),
            castling: self.castling & !touched,
            en_passant: None,
        }
    }
}

/// The pawns' squares one step ahead.
#[inline(always)]
pub(crate) fn forward<S: Side>(set: Bitboard) -> Bitboard {
    if S::IS_WHITE { set.north() } else { set.south() }
}

/// Where the pawn stands that is taken en passant: on the file of the target, the rank of the origin.
#[inline(always)]
pub(crate) const fn en_passant_victim(from: Square, to: Square) -> Square {
    Square::at(to.file(), from.rank())
}

/// Where king and rook stand after castling, from where they stood before.
#[inline(always)]
pub(crate) const fn castling_targets(king: Square, rook: Square) -> (Square, Square) {
    let rank = king.rank();
    if rook as u8 > king as u8 {
        (Square::at(File::G, rank), Square::at(File::F, rank))
    } else {
        (Square::at(File::C, rank), Square::at(File::D, rank))
    }
}
