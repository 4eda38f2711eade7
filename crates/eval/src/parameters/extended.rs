//! Parameters beyond the published ones: what later hand-crafted evaluations know. Each is 0 (off) by
//! default and has intervals of its own.
//!
//! Columns: name, phase, narrow interval, wide interval, meaning.

use super::Phase::{Both, Endgame, Opening};
use super::{Parameter, extended};

#[rustfmt::skip]
pub(super) const EXTENDED: [Parameter; 72] = [
    extended("TempoOpening",               Opening, (0, 40), (0, 100), "the right to move"),
    extended("TempoEndgame",               Endgame, (0, 40), (0, 100), "the right to move"),

    extended("QueenUnit",                  Both,    (0, 20), (0, 100), "squares that a queen of average mobility reaches"),
    extended("QueenMobOpening",            Opening, (-2, 6), (-20, 50), "queen mobility, for each square above the unit"),
    extended("QueenMobEndgame",            Endgame, (-2, 12), (-20, 50), "queen mobility, for each square above the unit"),
    extended("GuardedSquareOpening",       Opening, (0, 10), (0, 50), "penalty: reachable square of a piece that an enemy pawn guards"),
    extended("GuardedSquareEndgame",       Endgame, (0, 10), (0, 50), "penalty: reachable square of a piece that an enemy pawn guards"),

    extended("PawnThreatOpening",          Opening, (0, 90), (0, 200), "enemy piece attacked by a pawn"),
    extended("PawnThreatEndgame",          Endgame, (0, 90), (0, 200), "enemy piece attacked by a pawn"),
    extended("PawnPushThreatOpening",      Opening, (0, 40), (0, 100), "enemy piece that a safe step of a pawn would attack"),
    extended("PawnPushThreatEndgame",      Endgame, (0, 40), (0, 100), "enemy piece that a safe step of a pawn would attack"),
    extended("MinorThreatMinorOpening",    Opening, (0, 60), (0, 150), "enemy minor piece attacked by a minor piece"),
    extended("MinorThreatMinorEndgame",    Endgame, (0, 60), (0, 150), "enemy minor piece attacked by a minor piece"),
    extended("MinorThreatMajorOpening",    Opening, (0, 90), (0, 200), "enemy rook or queen attacked by a minor piece"),
    extended("MinorThreatMajorEndgame",    Endgame, (0, 90), (0, 200), "enemy rook or queen attacked by a minor piece"),
    extended("RookThreatMinorOpening",     Opening, (0, 60), (0, 150), "enemy minor piece attacked by a rook"),
    extended("RookThreatMinorEndgame",     Endgame, (0, 60), (0, 150), "enemy minor piece attacked by a rook"),
    extended("RookThreatQueenOpening",     Opening, (0, 90), (0, 200), "enemy queen attacked by a rook"),
    extended("RookThreatQueenEndgame",     Endgame, (0, 90), (0, 200), "enemy queen attacked by a rook"),
    extended("KingThreatOpening",          Opening, (0, 60), (0, 150), "enemy pawn or piece that only the king attacks and nothing defends"),
    extended("KingThreatEndgame",          Endgame, (0, 60), (0, 150), "enemy pawn or piece that only the king attacks and nothing defends"),
    extended("HangingOpening",             Opening, (0, 60), (0, 150), "enemy piece attacked and not defended"),
    extended("HangingEndgame",             Endgame, (0, 60), (0, 150), "enemy piece attacked and not defended"),
    extended("WeakPawnOpening",            Opening, (0, 30), (0, 100), "enemy pawn attacked by a piece and defended by no pawn"),
    extended("WeakPawnEndgame",            Endgame, (0, 30), (0, 100), "enemy pawn attacked by a piece and defended by no pawn"),

    extended("SpaceOpening",               Opening, (0, 10), (0, 40), "free square on files c to f, ranks two to four, that no enemy pawn guards"),
    extended("ConnectedOpening",           Opening, (0, 12), (0, 50), "pawn beside or guarded by another, for each rank beyond its first"),
    extended("ConnectedEndgame",           Endgame, (0, 12), (0, 50), "pawn beside or guarded by another, for each rank beyond its first"),
    extended("MinorBehindPawnOpening",     Opening, (0, 30), (0, 100), "minor piece with a pawn right before it"),
    extended("MinorBehindPawnEndgame",     Endgame, (0, 30), (0, 100), "minor piece with a pawn right before it"),
    extended("BishopOutpostOpening",       Opening, (0, 40), (0, 100), "bishop on the fourth to sixth rank, guarded by a pawn, that no enemy pawn can chase away"),
    extended("BishopOutpostEndgame",       Endgame, (0, 40), (0, 100), "bishop on the fourth to sixth rank, guarded by a pawn, that no enemy pawn can chase away"),
    extended("KnightOutpostOpening",       Opening, (0, 40), (0, 100), "knight on the fourth to sixth rank, guarded by a pawn, that no enemy pawn can chase away"),
    extended("KnightOutpostEndgame",       Endgame, (0, 40), (0, 100), "knight on the fourth to sixth rank, guarded by a pawn, that no enemy pawn can chase away"),
    extended("KnightOutpostReachOpening",  Opening, (0, 30), (0, 100), "knight that can step to a guarded outpost"),
    extended("BishopPawnsOpening",         Opening, (0, 10), (0, 50), "penalty: own pawn on the colour of a bishop"),
    extended("BishopPawnsEndgame",         Endgame, (0, 15), (0, 50), "penalty: own pawn on the colour of a bishop"),
    extended("KnightPawnsOpening",         Opening, (-5, 10), (-20, 50), "knight, for each own pawn above five"),
    extended("KnightPawnsEndgame",         Endgame, (-5, 10), (-20, 50), "knight, for each own pawn above five"),
    extended("RookPawnsOpening",           Opening, (-10, 5), (-50, 20), "rook, for each own pawn above five"),
    extended("RookPawnsEndgame",           Endgame, (-10, 5), (-50, 20), "rook, for each own pawn above five"),
    extended("MinorKingDistanceOpening",   Opening, (0, 10), (0, 50), "penalty: each step between a minor piece and its own king"),
    extended("MinorKingDistanceEndgame",   Endgame, (0, 10), (0, 50), "penalty: each step between a minor piece and its own king"),

    extended("SafeKnightCheckOpening",     Opening, (0, 150), (0, 400), "safe square for a knight check, weighed by KingAttackWeight"),
    extended("SafeBishopCheckOpening",     Opening, (0, 150), (0, 400), "safe square for a bishop check, weighed by KingAttackWeight"),
    extended("SafeRookCheckOpening",       Opening, (0, 150), (0, 400), "safe square for a rook check, weighed by KingAttackWeight"),
    extended("SafeQueenCheckOpening",      Opening, (0, 150), (0, 400), "safe square for a queen check, weighed by KingAttackWeight"),
    extended("WeakKingSquareOpening",      Opening, (0, 60), (0, 200), "attacked square beside the enemy king that only king or queen defends, weighed by KingAttackWeight"),
    extended("KingRingAttackOpening",      Opening, (0, 40), (0, 150), "attack of a piece on a square beside the enemy king, weighed by KingAttackWeight"),
    extended("KingPinOpening",             Opening, (0, 60), (0, 200), "enemy piece or pawn that shields its king from a slider, weighed by KingAttackWeight"),
    extended("QueenlessAttackOpening",     Opening, (0, 100), (0, 400), "penalty: attack on a king without a queen to lead it, weighed by KingAttackWeight"),
    extended("KingFlankAttackOpening",     Opening, (0, 10), (0, 50), "attacked square on the enemy king's half of the board and flank"),
    extended("PawnlessFlankOpening",       Opening, (0, 40), (0, 100), "penalty: king on a flank without pawns"),
    extended("PawnlessFlankEndgame",       Endgame, (0, 80), (0, 200), "penalty: king on a flank without pawns"),
    extended("KingPawnDistanceEndgame",    Endgame, (0, 20), (0, 50), "penalty: each step from the king to the nearest pawn"),

    extended("PassedBlockedOpening",       Opening, (0, 60), (0, 200), "penalty: enemy piece right before a passer, times Bonus"),
    extended("PassedBlockedEndgame",       Endgame, (0, 100), (0, 300), "penalty: enemy piece right before a passer, times Bonus"),
    extended("PassedSupportedOpening",     Opening, (0, 60), (0, 200), "passer guarded by or beside a pawn, times Bonus"),
    extended("PassedSupportedEndgame",     Endgame, (0, 100), (0, 300), "passer guarded by or beside a pawn, times Bonus"),
    extended("PassedFreePathOpening",      Opening, (0, 60), (0, 200), "passer with no piece before it, times Bonus"),
    extended("PassedFreePathEndgame",      Endgame, (0, 100), (0, 300), "passer with no piece before it, times Bonus"),
    extended("PassedSafePathOpening",      Opening, (0, 60), (0, 200), "passer with no attacked square before it, times Bonus"),
    extended("PassedSafePathEndgame",      Endgame, (0, 150), (0, 400), "passer with no attacked square before it, times Bonus"),
    extended("PassedSafeStepOpening",      Opening, (0, 60), (0, 200), "passer whose next square is not attacked, times Bonus"),
    extended("PassedSafeStepEndgame",      Endgame, (0, 100), (0, 300), "passer whose next square is not attacked, times Bonus"),
    extended("RookBehindPasserOpening",    Opening, (0, 40), (0, 150), "rook behind an own passer, times Bonus"),
    extended("RookBehindPasserEndgame",    Endgame, (0, 80), (0, 250), "rook behind an own passer, times Bonus"),
    extended("EnemyRookBehindPasserEndgame",Endgame,(0, 80), (0, 250), "penalty: enemy rook behind a passer, times Bonus"),

    extended("FewPawnsScale",              Endgame, (0, 6), (0, 8), "endgame lead lost, in 1/64, for each pawn that the leader lacks"),
    extended("OneFlankScale",              Endgame, (0, 16), (0, 32), "endgame lead lost, in 1/64, when all pawns stand on one flank"),
    extended("OppositeBishopsScale",       Endgame, (0, 32), (0, 48), "endgame lead lost, in 1/64, with bishops of opposite colours among other pieces"),
    extended("RookEndingScale",            Endgame, (0, 32), (0, 48), "endgame lead lost, in 1/64, with a rook each and at most one pawn more"),
];
