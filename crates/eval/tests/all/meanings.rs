//! What each published parameter means, one at a time: nothing counts but the values named, and the sum of the
//! terms (White's minus Black's, opening and endgame) is what a reader of the description would compute.

use vidmar_eval::{FullEvaluation, Vector};

/// The sum in a position when only these values count.
fn total(values: &str, fen: &str) -> (i32, i32) {
    let mut vector = Vector::zero();
    for value in values.split_whitespace() {
        vector.assign(value).expect(value);
    }
    let position = fen.parse().expect(fen);
    let total = FullEvaluation::new(&vector).explain(&position).total;
    (total.opening(), total.endgame())
}

type Case = (&'static str, &'static str, (i32, i32));

fn check(cases: &[Case]) {
    for (values, fen, expected) in cases {
        assert_eq!(total(values, fen), *expected, "{values} in {fen}");
    }
}

#[test]
fn material_and_pairs() {
    check(&[
        (
            "RookValueOpening=5 RookValueEndgame=6",
            "4k3/8/8/8/8/8/8/R3K2R w - - 0 1",
            (10, 12),
        ),
        (
            "PawnValueOpening=5 PawnValueEndgame=6",
            "4k3/pp6/8/8/8/8/P7/4K3 w - - 0 1",
            (-5, -6),
        ),
        (
            "BishopPairOpening=5 BishopPairEndgame=6",
            "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1",
            (5, 6),
        ),
        // Two bishops of one colour are no pair.
        (
            "BishopPairOpening=5 BishopPairEndgame=6",
            "4k3/8/8/8/8/8/8/2B1K1B1 w - - 0 1",
            (0, 0),
        ),
    ]);
}

#[test]
fn patterns() {
    check(&[
        (
            "TrappedBishop=100",
            "4k3/B7/1p6/8/8/8/8/4K3 w - - 0 1",
            (-100, -100),
        ),
        ("TrappedBishop=100", "4k3/B7/8/1p6/8/8/8/4K3 w - - 0 1", (0, 0)),
        (
            "TrappedBishop=100",
            "4k3/8/7B/6p1/8/8/8/4K3 w - - 0 1",
            (-50, -50),
        ),
        (
            "TrappedBishop=100",
            "4k3/8/8/8/8/6P1/7b/4K3 w - - 0 1",
            (100, 100),
        ),
        (
            "BlockedBishop=40",
            "4k3/8/8/8/8/3N4/3P4/2B1K3 w - - 0 1",
            (-40, 0),
        ),
        ("BlockedBishop=40", "4k3/8/8/8/3N4/8/3P4/2B1K3 w - - 0 1", (0, 0)),
        ("BlockedBishop=40", "4kb2/4p3/4n3/8/8/8/8/4K3 w - - 0 1", (40, 0)),
        ("BlockedRook=30", "4k3/8/8/8/8/8/8/5K1R w - - 0 1", (-30, 0)),
        ("BlockedRook=30", "4k3/8/8/8/8/8/8/5RK1 w - - 0 1", (0, 0)),
        ("BlockedRook=30", "rk6/8/8/8/8/8/8/4K3 w - - 0 1", (30, 0)),
        ("KnightTrapped=90", "N3k3/8/8/8/8/8/8/4K3 w - - 0 1", (-90, -90)),
        ("KnightTrapped=90", "4k3/8/8/8/8/8/7n/4K3 w - - 0 1", (90, 90)),
    ]);
}

#[test]
fn mobility() {
    check(&[
        (
            "KnightUnit=5 KnightMobOpening=10 KnightMobEndgame=1",
            "4k3/8/8/8/4N3/8/8/4K3 w - - 0 1",
            (30, 3),
        ),
        // Own pieces take squares away, enemy pieces do not.
        (
            "KnightMobOpening=10",
            "4k3/8/3p1P2/8/4N3/8/8/4K3 w - - 0 1",
            (70, 0),
        ),
        (
            "BishopUnit=3 BishopMobOpening=2",
            "4k3/8/8/8/8/8/1P6/B3K3 w - - 0 1",
            (-6, 0),
        ),
        ("RookMobEndgame=1", "4k3/8/8/8/4p3/8/8/4R1K1 w - - 0 1", (0, 8)),
    ]);
}

#[test]
fn rooks_and_queens() {
    let files =
        "RookSemiOpenFileOpening=1 RookSemiOpenFileEndgame=2 RookOpenFileOpening=10 RookOpenFileEndgame=20";
    let kings = "RookSemiKingFileOpening=1 RookKingFileOpening=10";
    let seventh = "Rook7thOpening=1 Rook7thEndgame=2 Queen7thOpening=10 Queen7thEndgame=20";
    for (values, fen, expected) in [
        (files, "4k3/p7/8/8/8/8/7P/R3K3 w - - 0 1", (1, 2)),
        (files, "4k3/8/8/8/8/8/7P/R3K3 w - - 0 1", (10, 20)),
        (files, "4k3/8/8/8/8/P7/8/R3K3 w - - 0 1", (0, 0)),
        (kings, "4k3/4p3/8/8/8/8/8/K3R3 w - - 0 1", (10, 0)),
        (kings, "4k3/8/8/8/8/8/8/K2R4 w - - 0 1", (1, 0)),
        (kings, "4k3/8/8/8/8/8/8/K1R5 w - - 0 1", (0, 0)),
        (kings, "4k3/8/8/8/8/8/3P4/K2R4 w - - 0 1", (0, 0)),
        (seventh, "4k3/R6R/8/8/8/8/8/4K3 w - - 0 1", (2, 4)),
        (seventh, "8/R7/4k3/8/8/8/8/4K3 w - - 0 1", (0, 0)),
        (seventh, "8/R5p1/4k3/8/8/8/8/4K3 w - - 0 1", (1, 2)),
        (seventh, "4k3/8/8/8/8/8/q7/4K3 b - - 0 1", (-10, -20)),
    ] {
        assert_eq!(total(values, fen), expected, "{values} in {fen}");
    }
}

#[test]
fn kings() {
    let attack = "KingAttackOpening=10 KingAttackUnit[4]=1 KingAttackUnit[10]=4 KingAttackUnit[9]=3 \
                  KingAttackWeight[1]=64 KingAttackWeight[2]=128";
    for (values, fen, expected) in [
        // The black king far from any pawn has no shelter: 2 x 36 + 2 x 36. White's loses by what moved.
        ("ShelterOpening=256", "4k3/8/8/8/8/8/5PPP/6K1 w - - 0 1", (144, 0)),
        (
            "ShelterOpening=256",
            "4k3/8/8/8/8/7P/5PP1/6K1 w - - 0 1",
            (144 - 11, 0),
        ),
        (
            "ShelterOpening=256",
            "4k3/8/8/8/6P1/8/5P1P/6K1 w - - 0 1",
            (144 - 2 * 20, 0),
        ),
        (
            "ShelterOpening=128",
            "4k3/8/8/8/8/8/5P1P/6K1 w - - 0 1",
            (72 - 36, 0),
        ),
        // A king in the corner has one file less; pawns behind it do not shelter it.
        ("ShelterOpening=256", "k7/8/8/8/8/7K/7P/8 w - - 0 1", (0, 0)),
        // The right to castle counts.
        ("ShelterOpening=256", "4k3/8/8/8/8/8/5PPP/4K2R w - - 0 1", (36, 0)),
        (
            "ShelterOpening=256",
            "4k3/8/8/8/8/8/5PPP/4K2R w K - 0 1",
            (144, 0),
        ),
        ("StormOpening=10", "4k3/8/8/6p1/8/8/8/6K1 w - - 0 1", (-10, 0)),
        ("StormOpening=10", "4k3/8/8/8/6p1/8/8/6K1 w - - 0 1", (-30, 0)),
        ("StormOpening=10", "4k3/8/8/8/8/5pp1/8/6K1 w - - 0 1", (-120, 0)),
        ("StormOpening=10", "4k3/8/8/8/3p4/8/8/6K1 w - - 0 1", (0, 0)),
        (attack, "6k1/8/8/8/8/8/6Q1/K7 b - - 0 1", (10, 0)),
        (attack, "6k1/8/8/6N1/8/8/7Q/K7 b - - 0 1", (25, 0)),
        (attack, "6k1/8/8/8/8/8/r7/6K1 b - - 0 1", (-7, 0)),
        (
            "KingFileOpening=10 KingFile[6]=4 KingRankOpening=5 KingRank[0]=2",
            "7k/8/8/8/8/8/8/6K1 w - - 0 1",
            (40, 0),
        ),
        (
            "KingCenterEndgame=10 KingLine[4]=1 KingLine[3]=2",
            "7k/8/8/8/4K3/8/8/8 w - - 0 1",
            (0, 30),
        ),
    ] {
        assert_eq!(total(values, fen), expected, "{values} in {fen}");
    }
}

#[test]
fn pawns() {
    let isolated = "IsolatedOpening=1 IsolatedOpeningOpen=10 IsolatedEndgame=100";
    let backward = "BackwardOpening=1 BackwardOpeningOpen=10 BackwardEndgame=100";
    let passed = "PassedOpeningMin=10 PassedOpeningMax=50 PassedEndgameMin=20 PassedEndgameMax=120 \
                  Bonus[3]=64 Bonus[4]=128 Bonus[5]=192 Bonus[6]=256";
    let candidate = "CandidateOpeningMin=10 CandidateOpeningMax=50 CandidateEndgameMin=20 CandidateEndgameMax=120 \
                     Bonus[3]=64 Bonus[4]=128";
    for (values, fen, expected) in [
        (
            "DoubledOpening=1 DoubledEndgame=2",
            "4k3/p7/8/8/P7/P7/P7/4K3 w - - 0 1",
            (-2, -4),
        ),
        (isolated, "4k3/p7/8/8/8/8/P7/4K3 w - - 0 1", (0, 0)),
        (isolated, "4k3/pp6/8/8/8/8/P7/4K3 w - - 0 1", (-1, -100)),
        (isolated, "4k3/1pp5/8/8/8/8/P7/4K3 w - - 0 1", (-10, -100)),
        (backward, "4k3/1p6/2p5/3p4/1P6/2P5/8/4K3 w - - 0 1", (-1, -100)),
        (backward, "4k3/8/8/1p1p4/1P6/2P5/8/4K3 w - - 0 1", (-10, -100)),
        // It can step up to its neighbour.
        (backward, "4k3/8/8/3p4/1P6/P7/8/4K3 w - - 0 1", (0, 0)),
        (passed, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", (10, 20)),
        (passed, "4k3/8/8/8/P7/8/8/4K3 w - - 0 1", (20, 45)),
        (passed, "4k3/8/8/8/8/8/p7/4K3 w - - 0 1", (-50, -120)),
        (passed, "4k3/1p6/8/8/P7/8/8/4K3 w - - 0 1", (0, 0)),
        (candidate, "4k3/1p6/8/8/PP6/8/8/4K3 w - - 0 1", (20, 45)),
        (
            "PawnFileOpening=2 PawnFile[0]=-3",
            "4k3/8/8/8/8/8/P7/4K3 w - - 0 1",
            (-6, 0),
        ),
        (
            "PawnRankEndgame=2 PawnRank[6]=16",
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
            (0, 32),
        ),
        ("PawnCenter[1]=20", "4k3/8/8/8/2PP4/8/8/4K3 w - - 0 1", (20, 0)),
        ("PawnCenter[2]=20", "4k3/8/8/8/4p3/8/8/4K3 w - - 0 1", (-20, 0)),
        ("PawnCenter[1]=20", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1", (-20, 0)),
    ] {
        assert_eq!(total(values, fen), expected, "{values} in {fen}");
    }
}

#[test]
fn passers_and_kings() {
    check(&[
        // The kings stand 3 and 7 steps from the square before the pawn.
        (
            "DefenderDistance=10 Bonus[4]=128",
            "7k/8/8/P7/8/3K4/7n/8 w - - 0 1",
            (0, 35),
        ),
        (
            "AttackerDistance=10 Bonus[4]=128",
            "7k/8/8/P7/8/3K4/7n/8 w - - 0 1",
            (0, -15),
        ),
        // The king needs 4 steps to a8 and the pawn 3; on the move it is in time.
        ("UnstoppablePasser=800", "4k3/8/8/P7/8/8/8/7K w - - 0 1", (0, 800)),
        ("UnstoppablePasser=800", "4k3/8/8/P7/8/8/8/7K b - - 0 1", (0, 0)),
        ("UnstoppablePasser=800", "4k1n1/8/8/P7/8/8/8/7K w - - 0 1", (0, 0)),
        (
            "UnstoppablePasser=800",
            "4k3/8/8/P7/8/8/P7/7K w - - 0 1",
            (0, 800),
        ),
        ("UnstoppablePasser=800", "K3k3/8/8/P7/8/8/8/8 w - - 0 1", (0, 0)),
        // At home it steps twice: five moves to a8.
        ("UnstoppablePasser=800", "6k1/8/8/8/8/8/P7/7K w - - 0 1", (0, 800)),
        ("UnstoppablePasser=800", "5k2/8/8/8/8/8/P7/7K w - - 0 1", (0, 0)),
        // Instead of its ordinary value.
        (
            "UnstoppablePasser=800 PassedEndgameMin=100",
            "4k3/8/8/P7/8/8/8/7K w - - 0 1",
            (0, 800),
        ),
    ]);
}

#[test]
fn pieces_on_their_squares() {
    check(&[
        (
            "KnightCenterOpening=2 KnightCenterEndgame=3 KnightLine[4]=1 KnightLine[3]=5",
            "k7/8/8/8/4N3/8/8/K7 w - - 0 1",
            (12, 18),
        ),
        ("KnightRankOpening=10", "k7/8/4N3/8/8/8/8/K7 w - - 0 1", (30, 0)),
        (
            "KnightBackRankOpening=4",
            "k7/8/8/8/8/8/8/K2N4 w - - 0 1",
            (-4, 0),
        ),
        (
            "BishopCenterOpening=2 BishopCenterEndgame=3 BishopLine[1]=1",
            "k7/8/8/8/8/8/1B6/K7 w - - 0 1",
            (4, 6),
        ),
        ("BishopBackRankOpening=4", "k1b5/8/8/8/8/8/8/K7 w - - 0 1", (4, 0)),
        (
            "BishopDiagonalOpening=4",
            "k7/8/8/8/8/2b5/5B2/7K w - - 0 1",
            (-4, 0),
        ),
        ("BishopDiagonalOpening=4", "k7/8/8/8/3B4/8/8/K7 w - - 0 1", (4, 0)),
        (
            "RookFileOpening=3 RookFile[3]=2",
            "k7/8/8/8/8/8/8/K2R4 w - - 0 1",
            (6, 0),
        ),
        (
            "QueenCenterOpening=2 QueenCenterEndgame=3 QueenLine[4]=1",
            "k7/8/8/4Q3/8/8/8/1K6 b - - 0 1",
            (4, 6),
        ),
        (
            "QueenBackRankOpening=4",
            "k7/8/8/8/8/8/8/1K1Q4 w - - 0 1",
            (-4, 0),
        ),
        // Outposts: alone, guarded, where an enemy pawn may come, and Black's.
        (
            "KnightOutpostMatrix[0][36]=10",
            "k7/8/8/4N3/8/8/8/K7 w - - 0 1",
            (10, 10),
        ),
        (
            "KnightOutpostMatrix[0][36]=10",
            "k7/8/8/4N3/3P4/8/8/K7 w - - 0 1",
            (20, 20),
        ),
        (
            "KnightOutpostMatrix[0][36]=10",
            "k7/5p2/8/4N3/3P4/8/8/K7 w - - 0 1",
            (0, 0),
        ),
        (
            "KnightOutpostMatrix[0][36]=10",
            "k7/8/8/8/4n3/8/8/K7 w - - 0 1",
            (-10, -10),
        ),
    ]);
}
