//! The null move fails where it must, and each remedy mends it.
//!
//! MTD(f) searches the root with minimal windows, so that with the rule about the root switched off the failure shows
//! at the very position that [maribor-2004] gives and not only below it. No table and no quiescence: nothing else
//! changes a value.

use vidmar_chess::{BitboardBoard, Board, Position, Score};
use vidmar_eval::SimpleEvaluation;
use vidmar_search::{Algorithm, Limits, NullMove, NullMoveRules, Report, Scheme, Settings, search_once};

fn search(fen: &str, depth: u32, null_move: NullMove, rules: NullMoveRules) -> Score {
    let position: Position = fen.parse().expect("a legal position");
    let settings = Settings {
        algorithm: Algorithm::Mtdf,
        table: Scheme::None,
        quiescence: false,
        null_move,
        null_move_rules: NullMoveRules {
            not_at_the_root: false,
            ..rules
        },
        ..Settings::default()
    };
    let board = BitboardBoard::new(&position);
    search_once(
        &board,
        &SimpleEvaluation::default(),
        &settings,
        &Limits::depth(depth),
    )
    .expect("settings that fit together")
    .score
}

const ALL_RULES: NullMoveRules = NullMoveRules {
    not_twice: true,
    not_in_pawn_endings: true,
    not_at_the_horizon: true,
    not_at_the_root: true,
};
const IN_PAWN_ENDINGS: NullMoveRules = NullMoveRules {
    not_in_pawn_endings: false,
    ..ALL_RULES
};

/// White to move loses the pawn race, because it must move.
#[test]
fn zugzwang_with_white_to_move() {
    const FEN: &str = "8/8/8/8/8/3k4/2p5/2K5 w - - 0 1";
    let white = |null_move, rules| search(FEN, 6, null_move, rules);
    assert_eq!(white(NullMove::Off, ALL_RULES), Score::Centipawns(-1180));
    // A pass seems to hold everything: the queen is not seen.
    assert_eq!(white(NullMove::R2, IN_PAWN_ENDINGS), Score::Centipawns(-150));
    assert_eq!(white(NullMove::R3, IN_PAWN_ENDINGS), Score::Centipawns(-140));
    // Verification sees it, the rule about pawn endings too.
    assert_eq!(
        white(NullMove::Verified, IN_PAWN_ENDINGS),
        Score::Centipawns(-1170)
    );
    for &null_move in NullMove::ALL {
        assert_eq!(
            white(null_move, ALL_RULES),
            Score::Centipawns(-1180),
            "{null_move}"
        );
    }
}

/// Black to move only draws: stalemate, or the pawn is lost.
#[test]
fn zugzwang_with_black_to_move() {
    const FEN: &str = "8/8/8/8/8/3k4/2p5/2K5 b - - 0 1";
    let black = |null_move, rules| search(FEN, 7, null_move, rules);
    assert_eq!(black(NullMove::Off, ALL_RULES), Score::Centipawns(0));
    // If Black could pass, White would be in zugzwang: a queen up.
    assert_eq!(black(NullMove::R2, IN_PAWN_ENDINGS), Score::Centipawns(900));
    assert_eq!(black(NullMove::Verified, IN_PAWN_ENDINGS), Score::Centipawns(0));
    for &null_move in NullMove::ALL {
        assert_eq!(black(null_move, ALL_RULES), Score::Centipawns(0), "{null_move}");
    }
}

/// Black threatens Qg2 mate. At depth 2 a pass falls straight to the static value.
#[test]
fn the_horizon() {
    const FEN: &str = "6k1/pp6/2p5/3p4/3Pp1p1/2P1PpPq/PPQ2P2/3R2K1 w - - 0 1";
    let to_the_horizon = NullMoveRules {
        not_at_the_horizon: false,
        ..ALL_RULES
    };
    assert_eq!(search(FEN, 2, NullMove::Off, ALL_RULES), Score::Mate(-1));
    assert_eq!(
        search(FEN, 2, NullMove::R2, to_the_horizon),
        Score::Centipawns(500)
    );
    assert_eq!(
        search(FEN, 2, NullMove::R3, to_the_horizon),
        Score::Centipawns(500)
    );
    // The depth limit mends it at once; verification one ply later, when its shallower search sees the reply.
    for &null_move in NullMove::ALL {
        assert_eq!(
            search(FEN, 2, null_move, ALL_RULES),
            Score::Mate(-1),
            "{null_move}"
        );
    }
    assert_eq!(
        search(FEN, 3, NullMove::R2, to_the_horizon),
        Score::Centipawns(500)
    );
    assert_eq!(
        search(FEN, 3, NullMove::Verified, to_the_horizon),
        Score::Mate(-1)
    );
}

/// The zugzwang suite at a fixed depth, with the rule about pawn endings off for both: verification solves at
/// least as many as the plain null move of the same reduction.
#[test]
fn verification_solves_no_fewer_zugzwangs() {
    const DEPTH: u32 = 7;
    let Some(data) = std::env::var_os("VIDMAR_DATA") else {
        println!("skipped: VIDMAR_DATA is not set");
        return;
    };
    let file = std::path::Path::new(&data).join("epd/zugts.epd");
    let text = std::fs::read(&file).expect("the zugzwang suite");
    let mut solved = [0; 3];
    for (line, record) in vidmar_formats::epd::Reader::new(&text[..]) {
        let (epd, _) = record.unwrap_or_else(|error| panic!("line {line}: {error}"));
        let found = [NullMove::Off, NullMove::R3, NullMove::Verified].map(|null_move| {
            let report = suite_search(&epd.position, null_move, DEPTH);
            report.best.is_some_and(|m| epd.best_moves().contains(&m))
        });
        for (count, found) in solved.iter_mut().zip(found) {
            *count += u32::from(found);
        }
        let [off, plain, verified] = found;
        if off != plain || plain != verified {
            let id = epd.id().unwrap_or("?");
            println!("{id}: without null move {off}, r3 {plain}, verified {verified}");
        }
    }
    println!(
        "depth {DEPTH}: without null move {}, r3 {}, verified {}",
        solved[0], solved[1], solved[2]
    );
    assert!(solved[2] >= solved[1]);
}

fn suite_search(position: &Position, null_move: NullMove, depth: u32) -> Report {
    let settings = Settings {
        algorithm: Algorithm::Pvs,
        null_move,
        null_move_rules: IN_PAWN_ENDINGS,
        ..Settings::default()
    };
    let board = BitboardBoard::new(position);
    search_once(
        &board,
        &SimpleEvaluation::default(),
        &settings,
        &Limits::depth(depth),
    )
    .expect("settings that fit together")
}
