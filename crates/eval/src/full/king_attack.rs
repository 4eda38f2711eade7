//! The attack on the enemy king.
//!
//! Every knight, bishop, rook and queen that attacks the king's square or one beside it brings its unit; the
//! sum of the units counts by the number of attackers. The extended terms are weighed by that
//! number as well: one piece gives no attack, however many checks it has.

use vidmar_chess::{Bitboard, Color, Role, Square, attacks};

use super::pieces::{Attacks, Scene};
use super::shelter::king_flank;
use crate::breakdown::{Ledger, Term, Trace};
use crate::spans::relative;
use crate::tapered::{Tapered, fold};
use crate::weights::Extended;

#[inline(always)]
pub(crate) fn king_attack<T: Trace>(scene: &Scene<'_>, us: Color, own: &Attacks, ledger: &mut Ledger<'_, T>) {
    let weight = scene.weights.king_attack[own.attackers.min(15)];
    let value = fold(own.units as i64 * weight / 256);
    ledger.add(Term::KingAttack, us, Tapered::opening_only(value));
}

/// Safe checks, weak squares, pins; and, without regard to the number of attackers, attacks on the flank.
#[inline(always)]
pub(crate) fn extended_attack<T: Trace>(
    scene: &Scene<'_>,
    x: &Extended,
    us: Color,
    own: &Attacks,
    enemy: &Attacks,
    ledger: &mut Ledger<'_, T>,
) {
    let king = scene.kings[!us];
    let weight = scene.weights.attacker_weight[own.attackers.min(15)];
    let poorly_defended =
        !enemy.all | (enemy.by[Role::King as usize] | enemy.by[Role::Queen as usize]) & !enemy.twice;
    let weak = scene.king_zones[!us] & own.all & poorly_defended;

    let mut danger = safe_checks(scene, x, us, own, enemy);
    danger += x.weak_king_square as i64 * weak.len() as i64;
    danger += x.king_ring_attack as i64 * own.hits_on_zone as i64;
    danger += x.king_pin as i64 * shields(scene, us, king).len() as i64;
    if scene.position.pieces(us, Role::Queen).is_empty() {
        danger -= x.queenless_attack as i64;
    }
    let value = fold(danger * weight as i64 / 256);
    ledger.add(Term::KingAttack, us, Tapered::opening_only(value));

    let flank = king_flank(king) & relative(!us, HOME_HALF);
    ledger.add(
        Term::KingAttack,
        us,
        x.king_flank_attack * (flank & own.all).len() as i32,
    );
}

const HOME_HALF: Bitboard = Bitboard(0x0000_00FF_FFFF_FFFF);

/// What the squares are worth from which a piece may check without being taken for nothing.
#[inline(always)]
fn safe_checks(scene: &Scene<'_>, x: &Extended, us: Color, own: &Attacks, enemy: &Attacks) -> i64 {
    let king = scene.kings[!us];
    // A check on a square that only the king guards is safe if another piece supports it.
    let only_king = enemy.by[Role::King as usize] & !enemy.twice & own.twice;
    let safe = !scene.position.color(us) & (!enemy.all | only_king);
    // The king itself does not shield the squares behind it, nor does its queen.
    let straight = attacks::rook(king, scene.occupied);
    let diagonal = attacks::bishop(king, scene.occupied);
    let from = [attacks::knight(king), diagonal, straight, straight | diagonal];
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let checks = roles.into_iter().zip(from).zip(x.safe_check);
    checks
        .map(|((role, from), worth)| (from & safe & own.by[role as usize]).len() as i64 * worth as i64)
        .sum()
}

/// The enemy pieces and pawns that alone stand between their king and one of our sliders.
#[inline(always)]
fn shields(scene: &Scene<'_>, us: Color, king: Square) -> Bitboard {
    let position = scene.position;
    let queens = position.role(Role::Queen);
    let sliders = attacks::rook_lines(king) & (position.role(Role::Rook) | queens)
        | attacks::bishop_lines(king) & (position.role(Role::Bishop) | queens);
    let mut shields = Bitboard::EMPTY;
    for slider in sliders & position.color(us) {
        let blockers = attacks::between(king, slider) & scene.occupied;
        if !blockers.several() {
            shields |= blockers & position.color(!us);
        }
    }
    shields
}
