//! The weights of the extended terms.

use super::mobility;
use crate::parameters::{PARAMETERS, PUBLISHED_COUNT, place};
use crate::tapered::Tapered;
use crate::vector::Vector;

/// What the extended terms weigh. Its fields are the parameters of the same names.
#[derive(Clone, Debug)]
pub(crate) struct Extended {
    pub(crate) tempo: Tapered,
    /// By reachable squares.
    pub(crate) queen_mobility: [Tapered; 28],
    pub(crate) guarded_square: Tapered,
    pub(crate) pawn_threat: Tapered,
    pub(crate) pawn_push_threat: Tapered,
    pub(crate) minor_threat_minor: Tapered,
    pub(crate) minor_threat_major: Tapered,
    pub(crate) rook_threat_minor: Tapered,
    pub(crate) rook_threat_queen: Tapered,
    pub(crate) king_threat: Tapered,
    pub(crate) hanging: Tapered,
    pub(crate) weak_pawn: Tapered,
    pub(crate) space: Tapered,
    pub(crate) connected: Tapered,
    pub(crate) minor_behind_pawn: Tapered,
    pub(crate) bishop_outpost: Tapered,
    pub(crate) knight_outpost: Tapered,
    pub(crate) knight_outpost_reach: Tapered,
    pub(crate) bishop_pawns: Tapered,
    pub(crate) knight_pawns: Tapered,
    pub(crate) rook_pawns: Tapered,
    pub(crate) minor_king_distance: Tapered,
    /// Knight to queen.
    pub(crate) safe_check: [i32; 4],
    pub(crate) weak_king_square: i32,
    pub(crate) king_ring_attack: i32,
    pub(crate) king_pin: i32,
    pub(crate) queenless_attack: i32,
    pub(crate) king_flank_attack: Tapered,
    pub(crate) pawnless_flank: Tapered,
    pub(crate) king_pawn_distance: Tapered,
    pub(crate) passed_blocked: Tapered,
    pub(crate) passed_supported: Tapered,
    pub(crate) passed_free_path: Tapered,
    pub(crate) passed_safe_path: Tapered,
    pub(crate) passed_safe_step: Tapered,
    pub(crate) rook_behind_passer: Tapered,
    pub(crate) enemy_rook_behind_passer: Tapered,
    pub(crate) few_pawns_scale: i32,
    pub(crate) one_flank_scale: i32,
    pub(crate) opposite_bishops_scale: i32,
    pub(crate) rook_ending_scale: i32,
}

impl Extended {
    /// The weights, or nothing if all of them are 0.
    pub(super) fn new(v: &Vector) -> Option<Extended> {
        if (PUBLISHED_COUNT..PARAMETERS.len()).all(|place| v.at(place) == 0) {
            return None;
        }
        Some(Extended {
            tempo: weight!(v, "Tempo"),
            queen_mobility: mobility(value!(v, "QueenUnit"), weight!(v, "QueenMob")),
            guarded_square: weight!(v, "GuardedSquare"),
            pawn_threat: weight!(v, "PawnThreat"),
            pawn_push_threat: weight!(v, "PawnPushThreat"),
            minor_threat_minor: weight!(v, "MinorThreatMinor"),
            minor_threat_major: weight!(v, "MinorThreatMajor"),
            rook_threat_minor: weight!(v, "RookThreatMinor"),
            rook_threat_queen: weight!(v, "RookThreatQueen"),
            king_threat: weight!(v, "KingThreat"),
            hanging: weight!(v, "Hanging"),
            weak_pawn: weight!(v, "WeakPawn"),
            space: Tapered::opening_only(value!(v, "SpaceOpening")),
            connected: weight!(v, "Connected"),
            minor_behind_pawn: weight!(v, "MinorBehindPawn"),
            bishop_outpost: weight!(v, "BishopOutpost"),
            knight_outpost: weight!(v, "KnightOutpost"),
            knight_outpost_reach: Tapered::opening_only(value!(v, "KnightOutpostReachOpening")),
            bishop_pawns: weight!(v, "BishopPawns"),
            knight_pawns: weight!(v, "KnightPawns"),
            rook_pawns: weight!(v, "RookPawns"),
            minor_king_distance: weight!(v, "MinorKingDistance"),
            safe_check: [
                value!(v, "SafeKnightCheckOpening"),
                value!(v, "SafeBishopCheckOpening"),
                value!(v, "SafeRookCheckOpening"),
                value!(v, "SafeQueenCheckOpening"),
            ],
            weak_king_square: value!(v, "WeakKingSquareOpening"),
            king_ring_attack: value!(v, "KingRingAttackOpening"),
            king_pin: value!(v, "KingPinOpening"),
            queenless_attack: value!(v, "QueenlessAttackOpening"),
            king_flank_attack: Tapered::opening_only(value!(v, "KingFlankAttackOpening")),
            pawnless_flank: weight!(v, "PawnlessFlank"),
            king_pawn_distance: Tapered::endgame_only(value!(v, "KingPawnDistanceEndgame")),
            passed_blocked: weight!(v, "PassedBlocked"),
            passed_supported: weight!(v, "PassedSupported"),
            passed_free_path: weight!(v, "PassedFreePath"),
            passed_safe_path: weight!(v, "PassedSafePath"),
            passed_safe_step: weight!(v, "PassedSafeStep"),
            rook_behind_passer: weight!(v, "RookBehindPasser"),
            enemy_rook_behind_passer: Tapered::endgame_only(value!(v, "EnemyRookBehindPasserEndgame")),
            few_pawns_scale: value!(v, "FewPawnsScale"),
            one_flank_scale: value!(v, "OneFlankScale"),
            opposite_bishops_scale: value!(v, "OppositeBishopsScale"),
            rook_ending_scale: value!(v, "RookEndingScale"),
        })
    }
}
