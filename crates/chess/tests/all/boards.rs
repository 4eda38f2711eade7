//! What every board of the table must do: perft, legality of every possible word, and the ends of games.

use vidmar_chess::{
    Board, BoardKind, Color, Generate, Generation, Move, MoveList, Position, Square, Termination, with_board,
};

const PERFT: &str = include_str!("../data/perft.epd");

#[test]
fn names_are_read_back_and_others_refused() {
    for &kind in BoardKind::ALL {
        assert_eq!(kind.name().parse(), Ok(kind));
        assert_eq!(with_board!(kind, B => B::KIND), kind);
        assert!(!kind.help().is_empty());
    }
    let error = "9x9".parse::<BoardKind>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown board '9x9' (known: bitboard, 0x88, 10x12, 10x10, 8x8)"
    );
}

#[test]
fn every_board_counts_the_small_suite() {
    let cases = crate::suite::read(PERFT);
    assert_eq!(cases.len(), 35);
    for &kind in BoardKind::ALL {
        for case in &cases {
            assert!(crate::suite::check(case, kind, u64::MAX) > 0);
        }
    }
}

/// Legal, pseudo-legal and staged generation find the same moves: every count of the suite up to a size.
#[test]
fn every_generation_counts_the_small_suite() {
    const LIMIT: u64 = 20_000;
    let mut illegal = 0;
    for case in crate::suite::read(PERFT) {
        let position: Position = case.fen.parse().unwrap();
        for &(depth, expected) in case.counts.iter().filter(|&&(_, nodes)| nodes <= LIMIT) {
            for &kind in BoardKind::ALL {
                for &generation in Generation::ALL {
                    let nodes = with_board!(kind, B => generation.perft(&mut B::new(&position), depth));
                    assert_eq!(
                        nodes, expected,
                        "{generation} on {kind}, {}, depth {depth}",
                        case.fen
                    );
                }
            }
        }
        illegal += with_board!(BoardKind::Bitboard, B => pseudo_legal(&B::new(&position), Generate::All))
            .len()
            - position.legal_moves().len();
    }
    assert!(
        illegal > 20,
        "{illegal}: hardly a move that is only pseudo-legal was tested"
    );
}

fn pseudo_legal<B: Board>(board: &B, what: Generate) -> Vec<Move> {
    let mut moves = MoveList::new();
    board.generate_pseudo_legal(what, &mut moves);
    let mut moves = moves.to_vec();
    moves.sort_unstable();
    moves
}

/// The pseudo-legal moves are those of every board; the legal among them are those that leave no king in check.
#[test]
fn pseudo_legal_moves_are_the_same_on_every_board_and_legal_ones_leave_no_check() {
    fn check<B: Board>(position: &Position, truth: &[Move]) {
        let mut board = B::new(position);
        let all = pseudo_legal(&board, Generate::All);
        assert_eq!(all, truth, "{} in {position}", B::KIND);
        let mut parts = pseudo_legal(&board, Generate::Captures);
        assert!(parts.iter().all(|&m| board.is_capture(m)), "{position}");
        parts.extend(pseudo_legal(&board, Generate::Quiets));
        parts.sort_unstable();
        assert_eq!(parts, all, "{} in {position}", B::KIND);
        let before = (board.key(), board.setup());
        for m in all {
            let legal = board.is_legal(m);
            board.make(m);
            assert_eq!(!board.has_left_king_in_check(), legal, "{m:?} in {position}");
            board.unmake();
            assert_eq!((board.key(), board.setup()), before, "{m:?} in {position}");
        }
    }
    for case in crate::suite::read(PERFT) {
        let position = case.fen.parse().unwrap();
        let truth = with_board!(BoardKind::Bitboard, B => pseudo_legal(&B::new(&position), Generate::All));
        for &kind in BoardKind::ALL {
            with_board!(kind, B => check::<B>(&position, &truth));
        }
    }
}

/// Seen square by square, from the square itself.
#[test]
fn every_board_attacks_the_same_squares() {
    for case in crate::suite::read(PERFT) {
        let position: Position = case.fen.parse().unwrap();
        for color in Color::ALL {
            let attacked = |square: &Square| {
                (position.attackers_to(*square, position.occupied()) & position.color(color)).any()
            };
            let truth: Vec<Square> = Square::ALL.into_iter().filter(attacked).collect();
            for &kind in BoardKind::ALL {
                let set = with_board!(kind, B => B::new(&position).attacked_by(color));
                let set: Vec<Square> = set.into_iter().collect();
                assert_eq!(set, truth, "{color} on {kind}: {position}");
            }
        }
    }
}

/// A table move, a killer or a book may hold any word: only the words of the legal moves are legal.
#[test]
fn of_all_words_only_the_legal_moves_are_legal() {
    fn check<B: Board>(position: &Position) {
        let board = B::new(position);
        let legal = board.legal_moves();
        for m in (1..=u16::MAX).filter_map(Move::from_word) {
            assert_eq!(
                board.is_legal(m),
                legal.contains(&m),
                "{}: {m:?} in {position}",
                B::KIND
            );
        }
    }
    for case in crate::suite::read(PERFT) {
        let position = case.fen.parse().unwrap();
        for &kind in BoardKind::ALL {
            with_board!(kind, B => check::<B>(&position));
        }
    }
}

/// Plays a game on every board; `expect` sees each position, from the first to the last.
fn play(fen: &str, moves: &str, expect: impl Fn(usize, Option<Termination>, Option<Termination>, usize)) {
    fn on<B: Board>(
        fen: &str,
        moves: &str,
        expect: &impl Fn(usize, Option<Termination>, Option<Termination>, usize),
    ) {
        let mut board = B::new(&fen.parse().expect("legal"));
        let see = |ply, board: &B| {
            expect(
                ply,
                board.termination(),
                board.termination_with_claims(),
                board.occurrences(),
            );
        };
        see(0, &board);
        for (ply, san) in moves.split_ascii_whitespace().enumerate() {
            let m = board.position().parse_san(san).expect("legal");
            board.make(m);
            see(ply + 1, &board);
        }
    }
    for &kind in BoardKind::ALL {
        with_board!(kind, B => on::<B>(fen, moves, &expect));
    }
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn repetitions_are_counted_to_five() {
    let dance = "Nf3 Nf6 Ng1 Ng8 ".repeat(4);
    play(START, &dance, |ply, outcome, claimed, occurrences| {
        assert_eq!(occurrences, 1 + ply / 4, "ply {ply}");
        assert_eq!(
            outcome,
            (ply == 16).then_some(Termination::FivefoldRepetition),
            "ply {ply}"
        );
        let expected = match ply {
            0..8 => None,
            8..16 => Some(Termination::ThreefoldRepetition),
            _ => Some(Termination::FivefoldRepetition),
        };
        assert_eq!(claimed, expected, "ply {ply}");
    });
}

#[test]
fn lost_castling_makes_another_position() {
    // The rook's first return is to a board that looks the same, but cannot castle there any more.
    let game = "Rg1 Rg8 Rh1 Rh8 Rg1 Rg8 Rh1 Rh8";
    play(
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        game,
        |ply, _, _, occurrences| {
            assert_eq!(occurrences, if ply < 6 { 1 } else { 2 }, "ply {ply}");
        },
    );
}

#[test]
fn en_passant_makes_another_position_only_where_it_is_legal() {
    let game = "e4 Ke8 Ke1 Kd8 Kf1";
    let last = |expected| {
        move |ply, _, _, occurrences| {
            if ply == 5 {
                assert_eq!(occurrences, expected);
            }
        }
    };
    play("3k4/8/8/8/3p4/8/4P3/5K2 w - - 0 1", game, last(1));
    // The same with the pawn pinned: nobody could ever take, so nothing has changed.
    play("3k4/8/8/8/3p4/8/4P3/3R1K2 w - - 0 1", game, last(2));
}

#[test]
fn moves_without_progress_are_counted() {
    let outcomes = |fen, game, ply, automatic, claimed| {
        play(fen, game, |at, outcome, with_claims, _| {
            if at == ply {
                assert_eq!((outcome, with_claims), (automatic, claimed), "{fen} after {game}");
            }
        });
    };
    let fifty = Some(Termination::FiftyMoves);
    let seventy_five = Some(Termination::SeventyFiveMoves);
    outcomes("4k3/8/8/8/8/8/P7/R3K3 w - - 98 80", "Ra1b1", 1, None, None);
    outcomes("4k3/8/8/8/8/8/P7/R3K3 w - - 98 80", "Rb1 Kd8", 2, None, fifty);
    outcomes("4k3/8/8/8/8/8/P7/R3K3 w - - 98 80", "Rb1 Kd8 a3", 3, None, None);
    outcomes(
        "4k3/8/8/8/8/8/P7/R3K3 w - - 149 99",
        "Rb1",
        1,
        seventy_five,
        seventy_five,
    );
    // Mate on the last move counts.
    let mate = Some(Termination::Checkmate { winner: Color::White });
    outcomes("6k1/5ppp/8/8/8/8/8/R3K3 w - - 149 99", "Ra8#", 1, mate, mate);
}

#[test]
fn mates_and_stalemates() {
    let ends = |fen, game: &str, expected| {
        let plies = game.split_ascii_whitespace().count();
        play(fen, game, |ply, outcome, claimed, _| {
            let expected = (ply == plies).then_some(expected);
            assert_eq!((outcome, claimed), (expected, expected), "{game} at {ply}");
        });
    };
    ends(
        START,
        "f3 e5 g4 Qh4#",
        Termination::Checkmate { winner: Color::Black },
    );
    ends(
        START,
        "e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#",
        Termination::Checkmate { winner: Color::White },
    );
    // Loyd's shortest stalemate, ten moves a side.
    ends(
        START,
        "e3 a5 Qh5 Ra6 Qxa5 h5 h4 Rah6 Qxc7 f6 Qxd7+ Kf7 Qxb7 Qd3 Qxb8 Qh7 Qxc8 Kg6 Qe6",
        Termination::Stalemate,
    );
    ends(
        "7k/8/8/8/8/8/1p6/1K1B4 w - - 0 1",
        "Kxb2",
        Termination::InsufficientMaterial,
    );
}

#[test]
fn taking_back_without_a_past_does_nothing() {
    for &kind in BoardKind::ALL {
        with_board!(kind, B => {
            let mut board = B::new(&Position::default());
            board.unmake();
            board.unmake_null();
            assert_eq!(board.setup().to_string(), START);
            assert_eq!(board.history().plies(), 0);
        });
    }
}

/// Making a word of unknown origin is an error of the caller, but never a panic.
#[test]
fn illegal_moves_do_not_panic() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let position: Position = fen.parse().unwrap();
    for &kind in BoardKind::ALL {
        with_board!(kind, B => for m in (1..=u16::MAX).filter_map(Move::from_word) {
            let mut board = B::new(&position);
            board.make(m);
            board.legal_moves();
            board.unmake();
        });
    }
}
