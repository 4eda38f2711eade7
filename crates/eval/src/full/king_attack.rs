//! The attack on the enemy king.
//!
//! Every knight, bishop, rook and queen that attacks the king's square or one beside it brings its unit; the
//! sum of the units counts by the number of attackers. The extended terms are weighed by that number as well:
//! checks and weak squares matter to those who have pieces to use them.

use vidmar_chess::{Bitboard, Color, Role, Square, attacks};

use super::pieces::{Attacks, Scene};
use super::shelter::king_flank;
use super::terms::{Side, Term};
use crate::breakdown::{Sum, Trace};
use crate::spans::relative;
use crate::tapered::{Tapered, fold};

#[inline(always)]
pub(crate) fn king_attack<T: Trace>(scene: &Scene<'_>, us: Color, own: &Attacks, sum: &mut Sum<'_, T>) {
    let weight = scene.weights.king_attack[own.attackers.min(15)];
    let value = fold(own.units as i64 * weight / 256);
    sum.add(Term::KingAttack, us, Tapered::opening_only(value));
}

/// Safe checks, weak squares, pins; and, without regard to the number of attackers, attacks on the flank.
#[inline(always)]
pub(super) fn extended_attack<T: Trace>(side: &Side<'_>, sum: &mut Sum<'_, T>) {
    let &Side {
        scene,
        weights: x,
        us,
        own,
        ..
    } = side;
    let king = scene.kings[!us];
    if own.attackers > 0 {
        let danger = danger(side);
        let weight = scene.weights.attacker_weight[own.attackers.min(15)];
        let value = fold(danger * weight as i64 / 256);
        sum.add(Term::KingAttack, us, Tapered::opening_only(value));
    }
    let flank = king_flank(king) & relative(!us, HOME_HALF);
    sum.add(
        Term::KingAttack,
        us,
        x.king_flank_attack * (flank & own.all).len() as i32,
    );
}

/// What threatens the enemy king, before it is weighed by the number of attackers.
#[inline(always)]
fn danger(side: &Side<'_>) -> i64 {
    let &Side {
        scene,
        weights: x,
        us,
        own,
        enemy,
    } = side;
    let king = scene.kings[!us];
    let poorly_defended =
        !enemy.all | (enemy.by[Role::King as usize] | enemy.by[Role::Queen as usize]) & !enemy.twice;
    let weak = scene.king_zones[!us] & own.all & poorly_defended;
    let mut danger = safe_checks(side);
    danger += x.weak_king_square as i64 * weak.len() as i64;
    danger += x.king_ring_attack as i64 * own.hits_on_zone as i64;
    danger += x.king_pin as i64 * shields(scene, us, king).len() as i64;
    if scene.position.pieces(us, Role::Queen).is_empty() {
        danger -= x.queenless_attack as i64;
    }
    danger
}

const HOME_HALF: Bitboard = Bitboard(0x0000_00FF_FFFF_FFFF);

/// What the squares are worth from which a piece may check without being taken for nothing.
#[inline(always)]
fn safe_checks(side: &Side<'_>) -> i64 {
    let &Side {
        scene,
        weights: x,
        us,
        own,
        enemy,
    } = side;
    let king = scene.kings[!us];
    // A check on a square that only the king guards is safe if another piece supports it.
    let only_king = enemy.by[Role::King as usize] & !enemy.twice & own.twice;
    let safe = !scene.position.color(us) & (!enemy.all | only_king);
    let straight = attacks::rook(king, scene.occupied);
    let diagonal = attacks::bishop(king, scene.occupied);
    let from = [attacks::knight(king), diagonal, straight, straight | diagonal];
    let roles = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];
    let worths = [
        x.safe_knight_check,
        x.safe_bishop_check,
        x.safe_rook_check,
        x.safe_queen_check,
    ];
    let checks = roles.into_iter().zip(from).zip(worths);
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
