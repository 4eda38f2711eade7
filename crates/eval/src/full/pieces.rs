//! Knights, bishops, rooks and queens: where they stand, how far they see, whom they attack.
//!
//! A piece reaches the squares that it attacks and no own piece occupies. A rook's file is half-open when
//! no own pawn stands on it, open when no pawn does.

use vidmar_chess::{Bitboard, ByColor, Color, Position, Rank, Role, Square, attacks};

use super::pawns::{PawnEntry, outpost_squares};
use super::terms::{Side, Term};
use crate::breakdown::{Sum, Trace};
use crate::spans::{forward, pawn_attacks, rank};
use crate::tapered::Tapered;
use crate::weights::Weights;

/// What all terms look at.
pub(crate) struct Scene<'a> {
    pub(crate) weights: &'a Weights,
    pub(crate) position: &'a Position,
    pub(crate) pawns: &'a PawnEntry,
    pub(crate) occupied: Bitboard,
    pub(crate) kings: ByColor<Square>,
    /// The squares of either king and those beside it.
    pub(crate) king_zones: ByColor<Bitboard>,
    pub(crate) pawn_attacks: ByColor<Bitboard>,
}

impl<'a> Scene<'a> {
    #[inline(always)]
    pub(crate) fn new(weights: &'a Weights, position: &'a Position, pawns: &'a PawnEntry) -> Scene<'a> {
        let kings = ByColor::from_fn(|color| position.king(color));
        Scene {
            weights,
            position,
            pawns,
            occupied: position.occupied(),
            kings,
            king_zones: ByColor::from_fn(|color| attacks::king(kings[color]).with(kings[color])),
            pawn_attacks: ByColor::from_fn(|color| pawn_attacks(color, position.pieces(color, Role::Pawn))),
        }
    }
}

/// What a side's pieces attack.
#[derive(Copy, Clone, Default)]
pub(crate) struct Attacks {
    /// How many pieces attack the enemy king's zone.
    pub(crate) attackers: usize,
    /// What they are worth together.
    pub(crate) units: i32,
    /// The squares attacked by each role; for the extended terms only, as the rest.
    pub(crate) by: [Bitboard; 6],
    pub(crate) all: Bitboard,
    pub(crate) twice: Bitboard,
    /// Attacks of pieces on squares of the enemy king's zone.
    pub(crate) hits_on_zone: u32,
}

impl Attacks {
    #[inline(always)]
    fn extend(&mut self, role: Role, set: Bitboard) {
        self.twice |= self.all & set;
        self.all |= set;
        self.by[role as usize] |= set;
    }
}

/// Adds a side's pieces and returns what they attack.
#[inline(always)]
pub(crate) fn pieces<T: Trace, const EXTENDED: bool>(
    scene: &Scene<'_>,
    us: Color,
    sum: &mut Sum<'_, T>,
) -> Attacks {
    let mut result = Attacks::default();
    if EXTENDED {
        result.extend(Role::Pawn, scene.pawn_attacks[us]);
        result.extend(Role::King, attacks::king(scene.kings[us]));
    }
    let w = scene.weights;
    each::<T, EXTENDED, 9>(scene, us, Role::Knight, &w.knight_mobility, &mut result, sum);
    each::<T, EXTENDED, 14>(scene, us, Role::Bishop, &w.bishop_mobility, &mut result, sum);
    each::<T, EXTENDED, 15>(scene, us, Role::Rook, &w.rook_mobility, &mut result, sum);
    each::<T, EXTENDED, 28>(scene, us, Role::Queen, &w.queen_mobility, &mut result, sum);
    let king = scene.kings[us].index();
    sum.add(Term::PieceSquares, us, w.squares[us][Role::King as usize][king]);
    outposts(scene, us, sum);
    seventh_rank(scene, us, sum);
    bishop_pair(scene, us, sum);
    result
}

/// Adds the pieces of one role.
#[inline(always)]
fn each<T: Trace, const EXTENDED: bool, const N: usize>(
    scene: &Scene<'_>,
    us: Color,
    role: Role,
    mobility: &[Tapered; N],
    result: &mut Attacks,
    sum: &mut Sum<'_, T>,
) {
    let w = scene.weights;
    let not_own = !scene.position.color(us);
    let zone = scene.king_zones[!us];
    for square in scene.position.pieces(us, role) {
        sum.add_piece(
            us,
            w.squares[us][role as usize][square.index()],
            w.material[role as usize],
        );
        let attacked = attacks::of(role, us, square, scene.occupied);
        let reachable = attacked & not_own;
        if role != Role::Queen || EXTENDED {
            sum.add(Term::Mobility, us, mobility[reachable.len() as usize]);
        }
        if (attacked & zone).any() {
            result.attackers += 1;
            result.units += w.attack_unit[us][role as usize - 1];
        }
        if role == Role::Rook {
            rook_file(scene, us, square, sum);
        }
        if EXTENDED {
            result.extend(role, attacked);
            result.hits_on_zone += (attacked & zone).len();
            if let Some(x) = &w.extended {
                let guarded = (reachable & scene.pawn_attacks[!us]).len() as i32;
                sum.add(Term::Mobility, us, -x.guarded_square * guarded);
            }
        }
    }
}

#[inline(always)]
fn rook_file<T: Trace>(scene: &Scene<'_>, us: Color, rook: Square, sum: &mut Sum<'_, T>) {
    if scene.pawns.files[us].contains(rook) {
        return;
    }
    let half_open = scene.pawns.files[!us].contains(rook);
    let mut value = scene.weights.rook_files[usize::from(half_open)];
    let from_king = rook.file().index().abs_diff(scene.kings[!us].file().index());
    if from_king <= 1 {
        value += scene.weights.rook_king_files[from_king];
    }
    sum.add(Term::RooksAndQueens, us, value);
}

/// Knights that no enemy pawn can chase away; twice the worth where an own pawn guards them.
#[inline(always)]
fn outposts<T: Trace>(scene: &Scene<'_>, us: Color, sum: &mut Sum<'_, T>) {
    let safe = outpost_squares(us) & !scene.pawns.reach[!us];
    for square in scene.position.pieces(us, Role::Knight) & safe {
        let value = scene.weights.outpost[square.relative_to(us).index()];
        let times = 1 + i32::from(scene.pawn_attacks[us].contains(square));
        sum.add(Term::Outposts, us, Tapered::new(value, value) * times);
    }
}

#[inline(always)]
fn seventh_rank<T: Trace>(scene: &Scene<'_>, us: Color, sum: &mut Sum<'_, T>) {
    let position = scene.position;
    let seventh = rank(us, Rank::Seventh);
    let pieces = position.color(us) & seventh;
    if (pieces & (position.role(Role::Rook) | position.role(Role::Queen))).is_empty() {
        return;
    }
    let king_behind = rank(us, Rank::Eighth).contains(scene.kings[!us]);
    if king_behind || (position.pieces(!us, Role::Pawn) & seventh).any() {
        let rooks = (pieces & position.role(Role::Rook)).len() as i32;
        let queens = (pieces & position.role(Role::Queen)).len() as i32;
        let value = scene.weights.rook_seventh * rooks + scene.weights.queen_seventh * queens;
        sum.add(Term::RooksAndQueens, us, value);
    }
}

#[inline(always)]
fn bishop_pair<T: Trace>(scene: &Scene<'_>, us: Color, sum: &mut Sum<'_, T>) {
    let bishops = scene.position.pieces(us, Role::Bishop);
    if (bishops & Bitboard::LIGHT).any() && (bishops & Bitboard::DARK).any() {
        sum.add(Term::BishopPair, us, scene.weights.bishop_pair);
    }
}

/// Minor pieces and rooks in relation to pawns and king: the extended terms.
#[inline(always)]
pub(super) fn among_pawns<T: Trace>(side: &Side<'_>, sum: &mut Sum<'_, T>) {
    let &Side {
        scene,
        weights: x,
        us,
        ..
    } = side;
    let position = scene.position;
    let count = |set: Bitboard| set.len() as i32;
    let own_pawns = position.pieces(us, Role::Pawn);
    let (knights, bishops) = (
        position.pieces(us, Role::Knight),
        position.pieces(us, Role::Bishop),
    );
    let minors = knights | bishops;

    let sheltered = minors & forward(!us, position.role(Role::Pawn));
    let mut value = x.minor_behind_pawn * count(sheltered);

    let middle = rank(us, Rank::Fourth) | rank(us, Rank::Fifth) | rank(us, Rank::Sixth);
    let posts = middle & scene.pawn_attacks[us] & !scene.pawns.reach[!us];
    value += x.bishop_outpost * count(bishops & posts) + x.knight_outpost * count(knights & posts);
    let free_posts = posts & !position.color(us);
    let near = (knights & !posts)
        .into_iter()
        .filter(|&knight| (attacks::knight(knight) & free_posts).any());
    value += x.knight_outpost_reach * near.count() as i32;

    for colour in [Bitboard::LIGHT, Bitboard::DARK] {
        value -= x.bishop_pawns * (count(bishops & colour) * count(own_pawns & colour));
    }
    let above_five = count(own_pawns) - 5;
    value += x.knight_pawns * (above_five * count(knights));
    value += x.rook_pawns * (above_five * count(position.pieces(us, Role::Rook)));

    let king = scene.kings[us];
    let steps: u32 = minors.into_iter().map(|minor| minor.distance(king)).sum();
    value -= x.minor_king_distance * steps as i32;
    sum.add(Term::Pieces, us, value);
}
