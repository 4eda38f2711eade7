//! Threats and space: extended terms only.

use vidmar_chess::{Bitboard, Color, Rank, Role};

use super::pieces::{Attacks, Scene};
use super::terms::{Side, Term};
use crate::breakdown::{Sum, Trace};
use crate::spans::{forward, pawn_attacks, rank};
use crate::tapered::Tapered;

#[inline(always)]
pub(super) fn threats<T: Trace>(side: &Side<'_>, sum: &mut Sum<'_, T>) {
    let &Side {
        scene,
        weights: x,
        us,
        own,
        enemy,
    } = side;
    let position = scene.position;
    let of = |role: Role| position.pieces(!us, role);
    let by = |role: Role| own.by[role as usize];
    let count = |set: Bitboard| set.len() as i32;
    let pieces = position.color(!us) & !position.role(Role::Pawn) & !position.role(Role::King);
    let minors = of(Role::Knight) | of(Role::Bishop);
    let majors = of(Role::Rook) | of(Role::Queen);
    let minor_attacks = by(Role::Knight) | by(Role::Bishop);

    let mut value = x.pawn_threat * count(pieces & by(Role::Pawn));
    value += x.pawn_push_threat * count(pieces & step_threats(scene, us, own, enemy) & !by(Role::Pawn));
    // A minor piece that a pawn guards is no target for another.
    value += x.minor_threat_minor * count(minors & minor_attacks & !enemy.by[Role::Pawn as usize]);
    value += x.minor_threat_major * count(majors & minor_attacks);
    value += x.rook_threat_minor * count(minors & by(Role::Rook) & !enemy.by[Role::Pawn as usize]);
    value += x.rook_threat_queen * count(of(Role::Queen) & by(Role::Rook));

    let undefended = own.all & !enemy.all;
    value += x.hanging * count(pieces & undefended);
    let targets = position.color(!us) & !position.role(Role::King);
    value += x.king_threat * count(targets & undefended & by(Role::King) & !own.twice);
    let by_pieces = minor_attacks | by(Role::Rook) | by(Role::Queen) | by(Role::King);
    value += x.weak_pawn * count(of(Role::Pawn) & by_pieces & !enemy.by[Role::Pawn as usize]);
    sum.add(Term::Threats, us, value);
}

/// What pawns would attack after a step to a square that no enemy pawn guards and that is ours or nobody's.
#[inline(always)]
fn step_threats(scene: &Scene<'_>, us: Color, own: &Attacks, enemy: &Attacks) -> Bitboard {
    let free = !scene.occupied;
    let once = forward(us, scene.position.pieces(us, Role::Pawn)) & free;
    let steps = once | forward(us, once & rank(us, Rank::Third)) & free;
    let safe = !scene.pawn_attacks[!us] & (own.all | !enemy.all);
    pawn_attacks(us, steps & safe)
}

/// Free squares in the own half of the centre.
#[inline(always)]
pub(super) fn space<T: Trace>(side: &Side<'_>, sum: &mut Sum<'_, T>) {
    const CENTRE_FILES: Bitboard = Bitboard(0x3C3C_3C3C_3C3C_3C3C);
    let &Side {
        scene,
        weights: x,
        us,
        ..
    } = side;
    let room = CENTRE_FILES & (rank(us, Rank::Second) | rank(us, Rank::Third) | rank(us, Rank::Fourth));
    let free = room & !scene.position.pieces(us, Role::Pawn) & !scene.pawn_attacks[!us];
    let value: Tapered = x.space * free.len() as i32;
    sum.add(Term::Space, us, value);
}
