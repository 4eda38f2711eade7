//! Endings that are harder to win than the material says.
//!
//! A scale is what is left of the leader's advantage, in 1/64. [`draw_scale`] shrinks the whole score in
//! endings known to be drawn or nearly so; it is not tunable, for it states facts. [`endgame_scale`] holds
//! the extended rules of thumb and shrinks the endgame value only.
//!
//! | the leader has | and | left |
//! | --- | --- | --- |
//! | nothing but king and at most one minor piece | | 0 |
//! | two knights, no pawn | the defender a bare king | 0 |
//! | no pawn | at most a minor piece's worth more than the defender's pieces, who has some | 16 |
//! | pawns on one rook file only, and at most bishops that do not guard its last square | the defending king on or beside that square | 0 |
//! | one bishop and pawns against one bishop and pawns, on opposite colours | at most two pawns' difference | 16 |

use vidmar_chess::{Bitboard, Color, File, Position, Rank, Role, Square};

use crate::extended::Extended;

/// The whole of an advantage: scales are given in this part.
pub const WHOLE: i32 = 64;
/// What is left where a draw is near.
const NEAR_DRAW: i32 = 16;

/// What is left of the whole score of the leader.
#[inline(always)]
pub(crate) fn draw_scale(position: &Position, leader: Color) -> i32 {
    // Two rooks, or a queen: none of the endings here. Most positions leave at this line.
    let heavy = position.role(Role::Queen).len() * 2 + position.role(Role::Rook).len();
    let pawns = position.pieces(leader, Role::Pawn);
    if pawns.any() && heavy > 0 {
        return WHOLE;
    }
    ending_scale(position, leader)
}

fn ending_scale(position: &Position, leader: Color) -> i32 {
    let pawns = position.pieces(leader, Role::Pawn);
    if pawns.is_empty() {
        pawnless_scale(position, leader)
    } else if is_corner_draw(position, leader, pawns) {
        0
    } else if bishops_only(position) && pawns.len().abs_diff(position.pieces(!leader, Role::Pawn).len()) <= 2
    {
        NEAR_DRAW
    } else {
        WHOLE
    }
}

fn pawnless_scale(position: &Position, leader: Color) -> i32 {
    let count = |color, role| position.pieces(color, role).len();
    let minors = count(leader, Role::Knight) + count(leader, Role::Bishop);
    let pieces = position.color(leader).len() - 1;
    let defenders = position.color(!leader).len() - 1;
    if pieces == 0 || pieces == 1 && minors == 1 {
        return 0;
    }
    if pieces == 2 && count(leader, Role::Knight) == 2 && defenders == 0 {
        return 0;
    }
    let defending_pieces = defenders - count(!leader, Role::Pawn);
    let lead = worth(position, leader) - worth(position, !leader);
    if defending_pieces > 0 && lead <= 3 {
        NEAR_DRAW
    } else {
        WHOLE
    }
}

/// The pieces of a side in whole pawns, as players count.
fn worth(position: &Position, side: Color) -> i32 {
    let values = [
        (Role::Knight, 3),
        (Role::Bishop, 3),
        (Role::Rook, 5),
        (Role::Queen, 9),
    ];
    values
        .into_iter()
        .map(|(role, value)| value * position.pieces(side, role).len() as i32)
        .sum()
}

/// A rook pawn without the right bishop, and the defender in its corner.
fn is_corner_draw(position: &Position, leader: Color, pawns: Bitboard) -> bool {
    let bishops = position.pieces(leader, Role::Bishop);
    let others = position.color(leader) & !pawns & !bishops & !position.role(Role::King);
    if others.any() {
        return false;
    }
    [File::A, File::H].into_iter().any(|file| {
        let corner = Square::at(file, Rank::Eighth.relative_to(leader));
        let guarding = if corner.is_light() {
            Bitboard::LIGHT
        } else {
            Bitboard::DARK
        };
        (pawns & !Bitboard::of_file(file)).is_empty()
            && (bishops & guarding).is_empty()
            && position.king(!leader).distance(corner) <= 1
    })
}

/// Whether kings, pawns and one bishop a side, on opposite colours, are all there is.
fn bishops_only(position: &Position) -> bool {
    let others = position.role(Role::Knight) | position.role(Role::Rook) | position.role(Role::Queen);
    others.is_empty() && has_opposite_bishops(position)
}

fn has_opposite_bishops(position: &Position) -> bool {
    let [white, black] = Color::ALL.map(|color| position.pieces(color, Role::Bishop).single());
    matches!((white, black), (Some(white), Some(black)) if white.is_light() != black.is_light())
}

/// What is left of the leader's endgame value by the extended rules.
pub(crate) fn endgame_scale(x: &Extended, position: &Position, leader: Color) -> i32 {
    const QUEEN_SIDE: Bitboard = Bitboard(0x0F0F_0F0F_0F0F_0F0F);
    let pawns = position.role(Role::Pawn);
    let own = position.pieces(leader, Role::Pawn).len() as i32;
    let mut lost = x.few_pawns_scale * (8 - own);
    // Pawns of one side only are not held up by a narrow front.
    let is_front = own > 0 && position.pieces(!leader, Role::Pawn).any();
    if is_front && ((pawns & QUEEN_SIDE).is_empty() || (pawns & !QUEEN_SIDE).is_empty()) {
        lost += x.one_flank_scale;
    }
    if has_opposite_bishops(position) {
        lost += x.opposite_bishops_scale;
    }
    let rooks = |color| position.pieces(color, Role::Rook).len();
    let pieces = position.occupied() & !pawns & !position.role(Role::King);
    let is_rook_ending = rooks(leader) == 1 && rooks(!leader) == 1 && pieces.len() == 2;
    if is_rook_ending && own - position.pieces(!leader, Role::Pawn).len() as i32 <= 1 {
        lost += x.rook_ending_scale;
    }
    (WHOLE - lost).clamp(0, WHOLE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scale(fen: &str) -> i32 {
        draw_scale(&fen.parse().unwrap(), Color::White)
    }

    #[test]
    fn known_draws_and_wins() {
        let cases = [
            ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", 0),
            ("8/8/4k3/8/8/3K1B2/8/8 w - - 0 1", 0),
            ("8/8/4k3/8/8/3K1N2/8/8 w - - 0 1", 0),
            ("8/8/4k1p1/8/8/3K1N2/8/8 w - - 0 1", 0),
            ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", 0),
            ("8/8/4k3/8/8/3KBN2/8/8 w - - 0 1", WHOLE),
            ("8/8/4k3/8/8/3KBB2/8/8 w - - 0 1", WHOLE),
            ("8/8/4k3/8/8/3K1R2/8/8 w - - 0 1", WHOLE),
            ("8/8/4kb2/8/8/3K1R2/8/8 w - - 0 1", NEAR_DRAW),
            ("8/8/4kr2/8/8/3KNR2/8/8 w - - 0 1", NEAR_DRAW),
            ("8/8/4kr2/8/8/3K1Q2/8/8 w - - 0 1", WHOLE),
            ("8/8/4k3/8/8/3K1Q2/8/8 w - - 0 1", WHOLE),
            // Rook pawns: the wrong bishop, the right one, the king too far, a second file.
            ("1k6/8/8/P7/8/3K1B2/8/8 w - - 0 1", 64),
            ("1k6/8/8/P7/8/3KB3/8/8 w - - 0 1", 0),
            ("8/1k6/8/P7/8/3K4/8/8 w - - 0 1", 0),
            ("8/8/3k4/P7/8/3KB3/8/8 w - - 0 1", WHOLE),
            ("1k6/8/8/PP6/8/3KB3/8/8 w - - 0 1", WHOLE),
            // Bishops.
            ("8/4kb2/4p3/8/8/3KBP1P/6P1/8 w - - 0 1", NEAR_DRAW),
            ("8/4kb2/8/8/8/3KBP1P/6P1/8 w - - 0 1", WHOLE),
            ("8/4k1b1/4p3/8/8/3KBP1P/6P1/8 w - - 0 1", WHOLE),
            ("8/4kbr1/4p3/8/8/3KBPRP/6P1/8 w - - 0 1", WHOLE),
        ];
        for (fen, expected) in cases {
            assert_eq!(scale(fen), expected, "{fen}");
        }
    }
}
