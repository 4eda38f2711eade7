//! Our position as one of shakmaty's.
//!
//! Both number squares from a1 along the ranks, so sets of squares go over as bit sets. Castling rights do not: positions
//! that have any are not asked for.

use std::num::NonZeroU32;

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, CastlingMode, Chess, FromSetup as _, PositionError, Setup, Square,
};
use vidmar_chess::{Color, Position, Role};

/// None for a position that their rules refuse in spite of ours.
pub(super) fn position(position: &Position) -> Option<Chess> {
    let role = |role| Bitboard(position.role(role).0);
    let by_role = ByRole {
        pawn: role(Role::Pawn),
        knight: role(Role::Knight),
        bishop: role(Role::Bishop),
        rook: role(Role::Rook),
        queen: role(Role::Queen),
        king: role(Role::King),
    };
    let by_color = ByColor {
        white: Bitboard(position.color(Color::White).0),
        black: Bitboard(position.color(Color::Black).0),
    };
    let setup = Setup {
        board: Board::try_from_bitboards(by_role, by_color).ok()?,
        turn: match position.turn() {
            Color::White => shakmaty::Color::White,
            Color::Black => shakmaty::Color::Black,
        },
        ep_square: position.en_passant().map(|square| Square::new(square as u32)),
        halfmoves: position.halfmoves().into(),
        fullmoves: NonZeroU32::from(position.fullmoves()),
        ..Setup::empty()
    };
    // Checks that no move can have given, and more pieces than a game can have, are no obstacle to a table.
    Chess::from_setup(setup, CastlingMode::Standard)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
}
