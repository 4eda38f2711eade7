//! The extended terms: what later hand-crafted evaluations know beyond the published one.
//!
//! A weight is one row: it makes the parameters (in both phases, in one, or a plain number), with their intervals and meaning,
//! and the field of [`Extended`] that the code of the term reads. Every parameter is 0 by default, which is off, and both of its
//! intervals contain 0. A term with a heading of its own in the breakdown has a row of `terms!` (`full/terms.rs`) as well.
//!
//! | kind | parameters | field |
//! | --- | --- | --- |
//! | `both "X"` | `XOpening` and `XEndgame` | a value that tapers from one to the other |
//! | `opening "X"` | `XOpening` | the same, nothing in the endgame |
//! | `endgame "X"` | `XEndgame` | the same, nothing in the opening |
//! | `number PHASE "X"` | `X` | the number itself |
//!
//! Then come the narrow and the wide interval (of either phase) and the meaning.

use crate::parameters::{PUBLISHED_COUNT, Parameter, Phase, extended, index};
use crate::tapered::Tapered;
use crate::vector::Vector;

/// What a kind of weight means: its parameters, the type of its field, and how that is read from a vector.
macro_rules! weight {
    (rows both $name:literal [$narrow:tt, $wide:tt; $late_narrow:tt, $late_wide:tt] $meaning:literal) => {
        &[
            extended(
                concat!($name, "Opening"),
                Phase::Opening,
                $narrow,
                $wide,
                $meaning,
            ),
            extended(
                concat!($name, "Endgame"),
                Phase::Endgame,
                $late_narrow,
                $late_wide,
                $meaning,
            ),
        ]
    };
    (rows opening $name:literal [$narrow:tt, $wide:tt] $meaning:literal) => {
        &[extended(
            concat!($name, "Opening"),
            Phase::Opening,
            $narrow,
            $wide,
            $meaning,
        )]
    };
    (rows endgame $name:literal [$narrow:tt, $wide:tt] $meaning:literal) => {
        &[extended(
            concat!($name, "Endgame"),
            Phase::Endgame,
            $narrow,
            $wide,
            $meaning,
        )]
    };
    (rows number $phase:ident $name:literal [$narrow:tt, $wide:tt] $meaning:literal) => {
        &[extended($name, Phase::$phase, $narrow, $wide, $meaning)]
    };
    (type number) => {
        i32
    };
    (type $phases:ident) => {
        Tapered
    };
    (read both $vector:ident $name:literal) => {
        Tapered::new(
            $vector.at(const { index(concat!($name, "Opening")) }),
            $vector.at(const { index(concat!($name, "Endgame")) }),
        )
    };
    (read opening $vector:ident $name:literal) => {
        Tapered::opening_only($vector.at(const { index(concat!($name, "Opening")) }))
    };
    (read endgame $vector:ident $name:literal) => {
        Tapered::endgame_only($vector.at(const { index(concat!($name, "Endgame")) }))
    };
    (read number $vector:ident $name:literal) => {
        $vector.at(const { index($name) })
    };
}

macro_rules! extended_weights {
    ($($field:ident: $kind:ident $($phase:ident)? $name:literal $intervals:tt $meaning:literal;)*) => {
        /// The parameters, weight by weight.
        pub(crate) const EXTENDED: &[&[Parameter]] =
            &[$(weight!(rows $kind $($phase)? $name $intervals $meaning)),*];

        /// What the extended terms weigh.
        #[derive(Clone, Debug)]
        #[allow(clippy::doc_markdown, reason = "meanings name other parameters")]
        pub(crate) struct Extended {
            $(#[doc = $meaning] pub(crate) $field: weight!(type $kind),)*
        }

        impl Extended {
            /// The weights, or nothing if all of them are 0.
            pub(crate) fn new(vector: &Vector) -> Option<Extended> {
                let is_on = vector.values()[PUBLISHED_COUNT..].iter().any(|&value| value != 0);
                is_on.then(|| Extended { $($field: weight!(read $kind vector $name),)* })
            }
        }
    };
}

extended_weights! {
    tempo: both "Tempo"                                            [(0, 40), (0, 100); (0, 40), (0, 100)] "the right to move";

    queen_unit: number Both "QueenUnit"                            [(0, 20), (0, 100)] "squares that a queen of average mobility reaches";
    queen_mob: both "QueenMob"                                     [(-2, 6), (-20, 50); (-2, 12), (-20, 50)] "queen mobility, for each square above the unit";
    guarded_square: both "GuardedSquare"                           [(0, 10), (0, 50); (0, 10), (0, 50)] "penalty: reachable square of a piece that an enemy pawn guards";

    pawn_threat: both "PawnThreat"                                 [(0, 90), (0, 200); (0, 90), (0, 200)] "enemy piece attacked by a pawn";
    pawn_push_threat: both "PawnPushThreat"                        [(0, 40), (0, 100); (0, 40), (0, 100)] "enemy piece that a safe step of a pawn would attack";
    minor_threat_minor: both "MinorThreatMinor"                    [(0, 60), (0, 150); (0, 60), (0, 150)] "enemy minor piece attacked by a minor piece";
    minor_threat_major: both "MinorThreatMajor"                    [(0, 90), (0, 200); (0, 90), (0, 200)] "enemy rook or queen attacked by a minor piece";
    rook_threat_minor: both "RookThreatMinor"                      [(0, 60), (0, 150); (0, 60), (0, 150)] "enemy minor piece attacked by a rook";
    rook_threat_queen: both "RookThreatQueen"                      [(0, 90), (0, 200); (0, 90), (0, 200)] "enemy queen attacked by a rook";
    king_threat: both "KingThreat"                                 [(0, 60), (0, 150); (0, 60), (0, 150)] "enemy pawn or piece that only the king attacks and nothing defends";
    hanging: both "Hanging"                                        [(0, 60), (0, 150); (0, 60), (0, 150)] "enemy piece attacked and not defended";
    weak_pawn: both "WeakPawn"                                     [(0, 30), (0, 100); (0, 30), (0, 100)] "enemy pawn attacked by a piece and defended by no pawn";

    space: opening "Space"                                         [(0, 10), (0, 40)] "free square on files c to f, ranks two to four, that no enemy pawn guards";
    connected: both "Connected"                                    [(0, 12), (0, 50); (0, 12), (0, 50)] "pawn beside or guarded by another, for each rank beyond its first";
    minor_behind_pawn: both "MinorBehindPawn"                      [(0, 30), (0, 100); (0, 30), (0, 100)] "minor piece with a pawn right before it";
    bishop_outpost: both "BishopOutpost"                           [(0, 40), (0, 100); (0, 40), (0, 100)] "bishop on the fourth to sixth rank, guarded by a pawn, that no enemy pawn can chase away";
    knight_outpost: both "KnightOutpost"                           [(0, 40), (0, 100); (0, 40), (0, 100)] "knight on the fourth to sixth rank, guarded by a pawn, that no enemy pawn can chase away";
    knight_outpost_reach: opening "KnightOutpostReach"             [(0, 30), (0, 100)] "knight that can step to a guarded outpost";
    bishop_pawns: both "BishopPawns"                               [(0, 10), (0, 50); (0, 15), (0, 50)] "penalty: own pawn on the colour of a bishop";
    knight_pawns: both "KnightPawns"                               [(-5, 10), (-20, 50); (-5, 10), (-20, 50)] "knight, for each own pawn above five";
    rook_pawns: both "RookPawns"                                   [(-10, 5), (-50, 20); (-10, 5), (-50, 20)] "rook, for each own pawn above five";
    minor_king_distance: both "MinorKingDistance"                  [(0, 10), (0, 50); (0, 10), (0, 50)] "penalty: each step between a minor piece and its own king";

    safe_knight_check: number Opening "SafeKnightCheckOpening"     [(0, 150), (0, 400)] "safe square for a knight check, weighed by KingAttackWeight";
    safe_bishop_check: number Opening "SafeBishopCheckOpening"     [(0, 150), (0, 400)] "safe square for a bishop check, weighed by KingAttackWeight";
    safe_rook_check: number Opening "SafeRookCheckOpening"         [(0, 150), (0, 400)] "safe square for a rook check, weighed by KingAttackWeight";
    safe_queen_check: number Opening "SafeQueenCheckOpening"       [(0, 150), (0, 400)] "safe square for a queen check, weighed by KingAttackWeight";
    weak_king_square: number Opening "WeakKingSquareOpening"       [(0, 60), (0, 200)] "attacked square beside the enemy king that only king or queen defends, weighed by KingAttackWeight";
    king_ring_attack: number Opening "KingRingAttackOpening"       [(0, 40), (0, 150)] "attack of a piece on a square beside the enemy king, weighed by KingAttackWeight";
    king_pin: number Opening "KingPinOpening"                      [(0, 60), (0, 200)] "enemy piece or pawn that shields its king from a slider, weighed by KingAttackWeight";
    queenless_attack: number Opening "QueenlessAttackOpening"      [(0, 100), (0, 400)] "penalty: attack on a king without a queen to lead it, weighed by KingAttackWeight";
    king_flank_attack: opening "KingFlankAttack"                   [(0, 10), (0, 50)] "attacked square on the enemy king's half of the board and flank";
    pawnless_flank: both "PawnlessFlank"                           [(0, 40), (0, 100); (0, 80), (0, 200)] "penalty: king on a flank without pawns";
    king_pawn_distance: endgame "KingPawnDistance"                 [(0, 20), (0, 50)] "penalty: each step from the king to the nearest pawn";

    passed_blocked: both "PassedBlocked"                           [(0, 60), (0, 200); (0, 100), (0, 300)] "penalty: enemy piece right before a passer, times Bonus";
    passed_supported: both "PassedSupported"                       [(0, 60), (0, 200); (0, 100), (0, 300)] "passer guarded by or beside a pawn, times Bonus";
    passed_free_path: both "PassedFreePath"                        [(0, 60), (0, 200); (0, 100), (0, 300)] "passer with no piece before it, times Bonus";
    passed_safe_path: both "PassedSafePath"                        [(0, 60), (0, 200); (0, 150), (0, 400)] "passer with no attacked square before it, times Bonus";
    passed_safe_step: both "PassedSafeStep"                        [(0, 60), (0, 200); (0, 100), (0, 300)] "passer whose next square is not attacked, times Bonus";
    rook_behind_passer: both "RookBehindPasser"                    [(0, 40), (0, 150); (0, 80), (0, 250)] "rook behind an own passer, times Bonus";
    enemy_rook_behind_passer: endgame "EnemyRookBehindPasser"      [(0, 80), (0, 250)] "penalty: enemy rook behind a passer, times Bonus";

    few_pawns_scale: number Endgame "FewPawnsScale"                [(0, 6), (0, 8)] "endgame lead lost, in 1/64, for each pawn that the leader lacks";
    one_flank_scale: number Endgame "OneFlankScale"                [(0, 16), (0, 32)] "endgame lead lost, in 1/64, when both sides have pawns and all stand on one flank";
    opposite_bishops_scale: number Endgame "OppositeBishopsScale"  [(0, 32), (0, 48)] "endgame lead lost, in 1/64, with bishops of opposite colours among other pieces";
    rook_ending_scale: number Endgame "RookEndingScale"            [(0, 32), (0, 48)] "endgame lead lost, in 1/64, with a rook each and at most one pawn more";
}
