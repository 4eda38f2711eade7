//! Passed pawns in their surroundings: what does not depend on the pawns alone.
//!
//! The kings' distances are taken to the square before the pawn and, like the extended terms, count by
//! `Bonus` of its rank. A pawn that cannot be caught is worth `UnstoppablePasser` instead of its ordinary
//! endgame value, if that is more: it must not become worth more than the queen that it will be. A side
//! counts one such pawn. A king catches a pawn if it can enter the square whose side is the pawn's way.

use vidmar_chess::{Bitboard, Color, Rank, Role, Square};

use super::Term;
use super::pieces::{Attacks, Scene};
use crate::breakdown::{Sum, Trace};
use crate::extended::Extended;
use crate::spans::{ahead, behind, beside, forward, forward_fill, pawn_attacks};
use crate::tapered::{Tapered, fold};

#[inline(always)]
pub(crate) fn passers<T: Trace>(
    scene: &Scene<'_>,
    us: Color,
    attacks: Option<(&Attacks, &Attacks)>,
    sum: &mut Sum<'_, T>,
) {
    let passed = scene.pawns.passed & scene.position.color(us);
    if passed.is_empty() {
        return;
    }
    let w = scene.weights;
    let may_run = is_bare(scene, !us);
    let mut unstoppable = 0;
    for pawn in passed {
        let rank = pawn.rank().relative_to(us).index();
        let bonus = w.rank_bonus[rank];
        let Some(stop) = forward(us, pawn.into()).first() else {
            continue;
        };
        let distances = w.defender_distance * stop.distance(scene.kings[!us]) as i32
            - w.attacker_distance * stop.distance(scene.kings[us]) as i32;
        let distances = fold(distances as i64 * bonus as i64 / 256);
        sum.add(Term::PassedPawns, us, Tapered::endgame_only(distances));
        if may_run && runs_through(scene, us, pawn) {
            let ordinary = w.passed[rank].endgame() + distances;
            unstoppable = unstoppable.max(w.unstoppable - ordinary);
        }
        if let (Some(x), Some((own, enemy))) = (&w.extended, attacks) {
            let value = surroundings(scene, x, us, pawn, own, enemy);
            let by_rank = |half: i32| fold(half as i64 * bonus as i64 / 256);
            let value = Tapered::new(by_rank(value.opening()), by_rank(value.endgame()));
            sum.add(Term::PassedPawns, us, value);
        }
    }
    if unstoppable > 0 {
        sum.add(Term::PassedPawns, us, Tapered::endgame_only(unstoppable));
    }
}

/// Whether the side has only its king and pawns.
#[inline(always)]
fn is_bare(scene: &Scene<'_>, side: Color) -> bool {
    let position = scene.position;
    (position.color(side) & !position.role(Role::Pawn))
        .without(scene.kings[side])
        .is_empty()
}

fn runs_through(scene: &Scene<'_>, us: Color, pawn: Square) -> bool {
    let path = ahead(us, pawn.into());
    if (path & scene.occupied).any() {
        return false;
    }
    let promotion = Square::at(pawn.file(), Rank::Eighth.relative_to(us));
    let rank = pawn.rank().relative_to(us);
    // A pawn at home may make two steps at once.
    let steps = (7 - rank.max(Rank::Third) as u32).min(pawn.distance(promotion));
    let tempo = u32::from(scene.position.turn() != us);
    scene.kings[!us].distance(promotion) > steps + tempo
}

/// What the extended terms see round a passer, before it is weighed by its rank.
fn surroundings(
    scene: &Scene<'_>,
    x: &Extended,
    us: Color,
    pawn: Square,
    own: &Attacks,
    enemy: &Attacks,
) -> Tapered {
    let position = scene.position;
    let pawn = Bitboard::of(pawn);
    let path = ahead(us, pawn);
    let stop = forward(us, pawn);
    let mut value = Tapered::ZERO;
    if (stop & position.color(!us)).any() {
        value -= x.passed_blocked;
    }
    let supporters = beside(pawn) | pawn_attacks(!us, pawn);
    if (supporters & position.pieces(us, Role::Pawn)).any() {
        value += x.passed_supported;
    }
    if (path & scene.occupied).is_empty() {
        value += x.passed_free_path;
    }
    // What the enemy attacks once and we too is no obstacle.
    let unsafe_squares = enemy.all & (!own.all | enemy.twice & !own.twice);
    if (path & unsafe_squares).is_empty() {
        value += x.passed_safe_path;
    }
    if (stop & unsafe_squares).is_empty() {
        value += x.passed_safe_step;
    }
    let rooks_behind = rooks_behind(scene, us, pawn);
    if (rooks_behind & position.color(us)).any() {
        value += x.rook_behind_passer;
    }
    if (rooks_behind & position.color(!us)).any() {
        value -= x.enemy_rook_behind_passer;
    }
    value
}

/// The rooks and queens of both sides that look at the pawn's back along its file.
fn rooks_behind(scene: &Scene<'_>, us: Color, pawn: Bitboard) -> Bitboard {
    let heavy = scene.position.role(Role::Rook) | scene.position.role(Role::Queen);
    let rear = behind(us, pawn);
    // Everything behind the nearest piece is hidden by it.
    let hidden = forward_fill(!us, forward(!us, rear & scene.occupied));
    rear & heavy & !hidden
}
