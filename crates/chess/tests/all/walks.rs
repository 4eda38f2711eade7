//! Random walks on which every board must agree with shakmaty.
//!
//! What shakmaty says along a walk is written down first, as [`Facts`] about each position; then
//! each board of the table makes the same moves and is asked for everything it knows. Walks prefer
//! captures, promotions, castling and checks, which random moves seldom meet.

use std::cell::Cell;
use std::num::NonZeroU16;

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};
use vidmar_chess::{
    Board, BoardKind, CastlingNotation, Color, Generate, Key, Move, MoveList, Position, Setup, Termination,
    with_board,
};

/// Where walks begin: openings, Chess960, endings with pawns about to promote, crowds of queens.
const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/NRBKQBRN w GBgb - 0 1",
    "rkr5/8/8/8/8/8/8/RKR5 w KQkq - 0 1",
    "1rk3r1/pppppppp/8/8/8/8/PPPPPPPP/5RKR w FHbg - 0 1",
    "qnrbbknr/pppppppp/8/8/8/8/PPPPPPPP/QNRBBKNR b KQkq - 3 7",
    "r3k1r1/8/8/8/8/8/8/R2K2R1 w KQkq - 0 1",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1",
    "8/P6k/8/8/8/8/p6K/8 w - - 0 1",
    "3k4/qq1qq3/8/8/8/8/3QQ1QQ/4K3 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
    "4k3/8/8/1n1b1r2/8/2N1B1R1/8/4K3 w - - 96 80",
    "8/8/4k3/8/8/3BK3/8/5b2 w - - 140 200",
    "8/8/8/2k5/3Pp3/8/8/2K1Q3 b - d3 0 1",
];

/// What shakmaty says of a position and its past.
struct Facts {
    fen: String,
    key: Key,
    pawn_key: Key,
    en_passant: Option<String>,
    in_check: bool,
    insufficient: bool,
    outcome: Option<Termination>,
    occurrences: usize,
    /// UCI text in Chess960 form, SAN, and whether the move takes something and gives check, sorted.
    moves: Vec<(String, String, bool, bool)>,
    /// The move that the walk takes from here, if it goes on.
    chosen: Option<String>,
}

fn walk(start: &str, choices: &[u16]) -> Vec<Facts> {
    let mut chess: Chess = start
        .parse::<Fen>()
        .expect("FEN")
        .into_position(CastlingMode::Chess960)
        .expect("legal");
    let mut facts = Vec::new();
    let mut seen = Vec::new();
    let mut choices = choices.iter();
    loop {
        let legal = chess.legal_moves();
        let moves = describe(&chess, &legal);
        let fen = Fen::from_position(&chess, EnPassantMode::Legal).to_string();
        let essence: Vec<_> = fen.split(' ').take(4).map(str::to_owned).collect();
        seen.push(essence.clone());
        let occurrences = seen.iter().filter(|earlier| **earlier == essence).count();
        let chosen = choices
            .next()
            .filter(|_| !moves.is_empty())
            .map(|&choice| choose(&moves, choice));
        facts.push(Facts {
            fen,
            key: Key(chess.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0),
            pawn_key: pawn_key(&chess),
            en_passant: chess.pseudo_legal_ep_square().map(|square| square.to_string()),
            in_check: chess.is_check(),
            insufficient: chess.is_insufficient_material(),
            outcome: outcome(&chess, occurrences),
            occurrences,
            moves,
            chosen: chosen.clone(),
        });
        let Some(chosen) = chosen else { return facts };
        let m = legal
            .into_iter()
            .find(|m| m.to_uci(CastlingMode::Chess960).to_string() == chosen)
            .expect("chosen among them");
        chess.play_unchecked(m);
    }
}

fn describe(chess: &Chess, legal: &shakmaty::MoveList) -> Vec<(String, String, bool, bool)> {
    let mut moves: Vec<_> = legal
        .iter()
        .map(|&m| {
            let mut after = chess.clone();
            after.play_unchecked(m);
            (
                m.to_uci(CastlingMode::Chess960).to_string(),
                SanPlus::from_move(chess.clone(), m).to_string(),
                m.is_capture(),
                after.is_check(),
            )
        })
        .collect();
    moves.sort();
    moves
}

/// Every other choice falls on a remarkable move, if there is one.
fn choose(moves: &[(String, String, bool, bool)], choice: u16) -> String {
    let remarkable: Vec<_> = moves
        .iter()
        .filter(|(uci, san, captures, checks)| uci.len() == 5 || san.starts_with('O') || *captures || *checks)
        .collect();
    let index = usize::from(choice >> 1);
    if choice & 1 == 0 && !remarkable.is_empty() {
        remarkable[index % remarkable.len()].0.clone()
    } else {
        moves[index % moves.len()].0.clone()
    }
}

fn pawn_key(chess: &Chess) -> Key {
    let board = chess.board();
    let pawns = board.pawns().into_iter().filter_map(|square| {
        let piece = board.piece_at(square)?;
        Some(Zobrist64::zobrist_for_piece(square, piece).0)
    });
    Key(pawns.fold(0, |key, word| key ^ word))
}

fn outcome(chess: &Chess, occurrences: usize) -> Option<Termination> {
    if chess.is_checkmate() {
        let winner = if chess.turn().is_white() {
            Color::Black
        } else {
            Color::White
        };
        Some(Termination::Checkmate { winner })
    } else if chess.is_stalemate() {
        Some(Termination::Stalemate)
    } else if chess.is_insufficient_material() {
        Some(Termination::InsufficientMaterial)
    } else if occurrences >= 5 {
        Some(Termination::FivefoldRepetition)
    } else if chess.halfmoves() >= 150 {
        Some(Termination::SeventyFiveMoves)
    } else {
        None
    }
}

/// Everything by which two boards can be told apart.
#[derive(Debug, PartialEq)]
struct Snapshot {
    setup: Setup,
    key: Key,
    pawn_key: Key,
    clocks: (u16, NonZeroU16),
    plies: usize,
    earlier: Vec<usize>,
    counts: Vec<u32>,
    kings: [vidmar_chess::Square; 2],
}

fn snapshot(board: &impl Board) -> Snapshot {
    use vidmar_chess::Role;
    let counts = Color::ALL
        .into_iter()
        .flat_map(|color| Role::ALL.map(|role| board.count(color, role)));
    Snapshot {
        setup: board.setup(),
        key: board.key(),
        pawn_key: board.pawn_key(),
        clocks: (board.halfmoves(), board.fullmoves()),
        plies: board.history().plies(),
        earlier: board.history().earlier().collect(),
        counts: counts.collect(),
        kings: Color::ALL.map(|color| board.king(color)),
    }
}

fn uci(m: Move) -> String {
    m.uci(CastlingNotation::Chess960).to_string()
}

fn check_facts(board: &impl Board, facts: &Facts) {
    let position = board.position();
    assert_eq!(board.setup().to_string(), facts.fen);
    assert_eq!(position.to_string(), facts.fen);
    assert_eq!(board.key(), facts.key, "key of {}", facts.fen);
    assert_eq!(board.pawn_key(), facts.pawn_key, "pawn key of {}", facts.fen);
    let en_passant = board.en_passant().map(|square| square.to_string());
    assert_eq!(en_passant, facts.en_passant, "en passant in {}", facts.fen);
    assert_eq!(board.in_check(), facts.in_check, "check in {}", facts.fen);
    assert_eq!(
        board.has_insufficient_material(),
        facts.insufficient,
        "{}",
        facts.fen
    );
    assert_eq!(board.occurrences(), facts.occurrences, "{}", facts.fen);
    assert_eq!(board.termination(), facts.outcome, "{}", facts.fen);

    let legal = board.legal_moves();
    let mut moves: Vec<_> = legal
        .iter()
        .map(|&m| {
            (
                uci(m),
                position.san(m).to_string(),
                board.is_capture(m),
                board.gives_check(m),
            )
        })
        .collect();
    moves.sort();
    assert_eq!(moves, facts.moves, "moves of {}", facts.fen);
    assert_eq!(board.count_legal_moves(), legal.len());
    let checking = position.checking_squares();
    for &m in &legal {
        let checks = position.gives_check_knowing(&checking, m);
        assert_eq!(checks, board.gives_check(m), "{m:?} in {}", facts.fen);
        assert_eq!(position.parse_san(&position.san(m).to_string()), Ok(m));
        assert_eq!(position.parse_uci(&uci(m)), Ok(m));
    }
}

fn position_quiets(position: &Position) -> MoveList {
    let mut quiets = MoveList::new();
    position.generate(Generate::Quiets, &mut quiets);
    quiets
}

fn check_parts(board: &impl Board, words: &[u16]) {
    let legal = board.legal_moves();
    let part = |what| {
        let mut moves = MoveList::new();
        board.generate(what, &mut moves);
        moves
    };
    let (captures, quiets) = (part(Generate::Captures), part(Generate::Quiets));
    assert!(captures.iter().all(|&m| board.is_capture(m)));
    assert!(quiets.iter().all(|&m| !board.is_capture(m)));
    let position = board.position();
    let mut checks = MoveList::new();
    position.generate_quiet_checks(&mut checks);
    let is_plain_check = |&m: &Move| m.promotion().is_none() && board.gives_check(m);
    let expected: MoveList = position_quiets(&position)
        .into_iter()
        .filter(is_plain_check)
        .collect();
    assert_eq!(checks, expected, "quiet checks of {position}");
    let mut both: Vec<Move> = captures.into_iter().chain(quiets).collect();
    let mut all = legal.to_vec();
    both.sort();
    all.sort();
    assert_eq!(both, all);
    assert!(all.iter().all(|&m| board.is_legal(m)));
    for m in words.iter().copied().filter_map(Move::from_word) {
        assert_eq!(
            board.is_legal(m),
            legal.contains(&m),
            "{m:?} in {}",
            board.setup()
        );
    }
}

/// Every move and a pass, made and taken back, leave no trace; in between, the keys are those that
/// the pieces give.
fn check_undo(board: &mut impl Board) {
    let before = snapshot(board);
    for m in board.legal_moves() {
        board.make(m);
        assert_eq!(
            (board.key(), board.pawn_key()),
            board.position_as_is().recomputed_keys()
        );
        assert_eq!(board.history().plies(), before.plies + 1);
        board.unmake();
        assert_eq!(snapshot(board), before, "after {m:?}");
    }
    if !board.in_check() {
        let turn = board.turn();
        board.make_null();
        assert_eq!(board.turn(), !turn);
        assert_eq!(board.en_passant(), None);
        assert_eq!(board.occurrences(), 1);
        assert_eq!(
            (board.key(), board.pawn_key()),
            board.position_as_is().recomputed_keys()
        );
        board.unmake_null();
        assert_eq!(snapshot(board), before, "after a pass");
    }
}

/// A board's position with its en-passant square, whether or not taking there is legal.
trait PositionAsIs: Board {
    fn position_as_is(&self) -> Position {
        let setup = Setup {
            en_passant: self.en_passant(),
            ..self.setup()
        };
        setup.position().expect("moves lead to legal positions")
    }
}

impl<B: Board> PositionAsIs for B {}

fn follow<B: Board>(start: &str, walk: &[Facts], words: &[u16]) {
    let mut board = B::new(&start.parse().expect("legal"));
    let mut snapshots = Vec::new();
    for facts in walk {
        check_facts(&board, facts);
        check_parts(&board, words);
        check_undo(&mut board);
        snapshots.push(snapshot(&board));
        if let Some(chosen) = &facts.chosen {
            let m = board.legal_moves().into_iter().find(|&m| uci(m) == *chosen);
            board.make(m.expect("checked above"));
        }
    }
    while let Some(expected) = snapshots.pop() {
        assert_eq!(snapshot(&board), expected);
        board.unmake();
    }
    board.unmake();
    assert_eq!(board.setup().to_string(), walk[0].fen);
}

#[test]
fn boards_agree_with_shakmaty_on_random_walks() {
    let positions = Cell::new(0);
    let mut runner = TestRunner::new_with_rng(
        Config {
            cases: 400,
            failure_persistence: None,
            ..Config::default()
        },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let strategy = (0..STARTS.len(), proptest::collection::vec(any::<u16>(), 10..80));
    let result = runner.run(&strategy, |(start, choices)| {
        let start = STARTS[start];
        let walk = walk(start, &choices);
        positions.set(positions.get() + walk.len());
        for &kind in BoardKind::ALL {
            with_board!(kind, B => follow::<B>(start, &walk, &choices));
        }
        Ok(())
    });
    if let Err(error) = result {
        panic!("{error}");
    }
    assert!(positions.get() >= 10_000, "only {} positions", positions.get());
}
