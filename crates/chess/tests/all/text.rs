//! Positions as text: FEN in its dialects, every fault of a setup, and junk.

use proptest::prelude::*;
use vidmar_chess::{Color, FenError, Piece, Position, Rank, Setup, SetupError, SetupFault, Square};

fn faults(fen: &str) -> Vec<SetupFault> {
    match fen.parse::<Setup>().expect("well-formed").position() {
        Ok(_) => Vec::new(),
        Err(SetupError { faults }) => faults,
    }
}

#[test]
fn every_fault_is_found() {
    use Color::{Black, White};
    use SetupFault as Fault;
    let cases: &[(&str, &[SetupFault])] = &[
        ("8/8/8/8/8/8/8/K7 w - - 0 1", &[Fault::NoKing(Black)]),
        (
            "8/8/8/8/8/8/8/8 w - - 0 1",
            &[Fault::NoKing(White), Fault::NoKing(Black)],
        ),
        (
            "kk6/8/8/8/8/8/8/KKK5 w - - 0 1",
            &[Fault::SeveralKings(White, 3), Fault::SeveralKings(Black, 2)],
        ),
        ("4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", &[]),
        (
            "4k3/8/8/8/8/7N/PPPPPPPP/RNBQKBNR w - - 0 1",
            &[
                Fault::TooManyPieces(White, 17),
                Fault::TooManyPromoted(White, 1, 0),
            ],
        ),
        (
            "4k3/p7/8/8/P7/8/PPPPPPPP/4K3 w - - 0 1",
            &[Fault::TooManyPawns(White, 9)],
        ),
        (
            "4k3/8/8/qqqq4/8/8/8/1K6 b - - 0 1",
            &[Fault::OpponentInCheck(White)],
        ),
        (
            "4k3/pppppp2/8/qqqq4/8/8/7K/8 b - - 0 1",
            &[Fault::TooManyPromoted(Black, 3, 2)],
        ),
        (
            "p3k3/8/8/8/8/8/8/4K2P w - - 0 1",
            &[
                Fault::PawnOnLastRank(Square::H1),
                Fault::PawnOnLastRank(Square::A8),
            ],
        ),
        ("4k3/8/8/8/8/8/8/K3R3 w - - 0 1", &[Fault::OpponentInCheck(Black)]),
        ("4k3/8/8/8/8/8/8/K3R3 b - - 0 1", &[]),
        ("4k3/8/3N4/1B6/8/8/8/K3R3 b - - 0 1", &[Fault::TooManyCheckers(3)]),
        (
            "4k3/8/8/8/8/8/8/R3K3 w K - 0 1",
            &[Fault::CastlingWithoutRook(Square::H1, White)],
        ),
        (
            "r3k3/8/8/8/8/8/8/R3K2r w K - 0 1",
            &[Fault::CastlingWithoutRook(Square::H1, White)],
        ),
        (
            "r6r/4k3/8/8/8/8/8/4K3 w kq - 0 1",
            &[
                Fault::CastlingWithoutKing(Square::A8, Black),
                Fault::CastlingWithoutKing(Square::H8, Black),
            ],
        ),
        (
            "4k3/8/8/8/8/8/8/RR2K3 w AB - 0 1",
            &[Fault::CastlingTwiceOnAWing(Square::B1)],
        ),
        ("4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", &[]),
        (
            "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1",
            &[Fault::EnPassant(Square::E3)],
        ),
        ("4k3/8/8/8/8/8/8/4K3 b - e3 0 1", &[Fault::EnPassant(Square::E3)]),
        (
            "4k3/8/8/8/4P3/8/4N3/4K3 b - e3 0 1",
            &[Fault::EnPassant(Square::E3)],
        ),
        (
            "4k3/8/8/8/4P3/4n3/8/4K3 b - e3 0 1",
            &[Fault::EnPassant(Square::E3)],
        ),
        (
            "4k3/8/8/8/4P3/8/8/4K3 b - e6 0 1",
            &[Fault::EnPassant(Square::E6)],
        ),
    ];
    for (fen, expected) in cases {
        assert_eq!(faults(fen), *expected, "{fen}");
    }
}

#[test]
fn all_faults_of_a_setup_come_together() {
    let error = "P7/8/8/8/8/8/8/4K3 w Q a6 0 1".parse::<Position>().unwrap_err();
    assert_eq!(
        error.to_string(),
        "impossible position: black has no king; a pawn stands on a8; castling with a1: there is no white rook; \
         no pawn can just have passed the en-passant square a6"
    );
}

#[test]
fn fens_come_back_as_they_were() {
    for line in include_str!("../data/perft.epd")
        .lines()
        .filter(|line| !line.starts_with('#'))
    {
        let fen = line.split(" ;").next().unwrap();
        let setup: Setup = fen.parse().unwrap();
        assert_eq!(setup.to_string().parse(), Ok(setup.clone()), "{fen}");
        assert_eq!(setup.shredder_fen().parse(), Ok(setup.clone()), "{fen}");
        assert_eq!(
            format!("{} {} {}", setup.epd(), setup.halfmoves, setup.fullmoves),
            setup.to_string()
        );
        // A position forgets an en-passant square where nobody can take, and nothing else.
        let position = setup.position().unwrap();
        let kept = Setup {
            en_passant: position.setup().en_passant,
            ..setup
        };
        assert_eq!(position.setup(), kept, "{fen}");
    }
}

#[test]
fn castling_is_read_in_every_dialect_and_written_in_two() {
    let cases = [
        // read, written as X-FEN, written with file letters
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "KQkq", "HAha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Kq - 0 1", "Kq", "Ha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w Hq - 0 1", "Kq", "Ha"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w - - 0 1", "-", "-"),
        // An inner rook has the right: only its file names it.
        ("rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1", "GBgb", "GBgb"),
        ("rr2k1rr/8/8/8/8/8/8/RR2K1RR w KBkb - 0 1", "KBkb", "HBhb"),
        ("1rk3r1/8/8/8/8/8/8/1RK3R1 w KQkq - 0 1", "KQkq", "GBgb"),
    ];
    for (fen, plain, shredder) in cases {
        let setup: Setup = fen.parse().unwrap();
        let castling = |text: &str| text.split(' ').nth(2).unwrap().to_owned();
        assert_eq!(castling(&setup.to_string()), plain, "{fen}");
        assert_eq!(castling(&setup.shredder_fen()), shredder, "{fen}");
        assert!(setup.position().is_ok(), "{fen}");
    }
}

#[test]
fn counters_may_be_missing_and_move_zero_is_one() {
    let full: Setup = "4k3/8/8/8/8/8/8/4K3 b - - 0 1".parse().unwrap();
    for fen in [
        "4k3/8/8/8/8/8/8/4K3 b - -",
        "4k3/8/8/8/8/8/8/4K3 b - - 0",
        "4k3/8/8/8/8/8/8/4K3\tb - -  0 0\r\n",
    ] {
        assert_eq!(fen.parse(), Ok(full.clone()), "{fen}");
    }
}

#[test]
fn errors_name_what_is_wrong() {
    let board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
    let cases = [
        (String::new(), FenError::Empty),
        (" \t ".into(), FenError::Empty),
        (board.into(), FenError::Missing("side to move")),
        (format!("{board} w"), FenError::Missing("castling")),
        (format!("{board} w KQkq"), FenError::Missing("en-passant")),
        (format!("{board} w KQkq - 0 1 2"), FenError::Trailing("2".into())),
        (format!("{board} W KQkq - 0 1"), FenError::Turn("W".into())),
        (
            format!("{board} white KQkq - 0 1"),
            FenError::Turn("white".into()),
        ),
        (format!("{board} w KK - 0 1"), FenError::Castling("KK".into())),
        (format!("{board} w KX - 0 1"), FenError::Castling("KX".into())),
        (format!("{board} w KQkq e9 0 1"), FenError::EnPassant("e9".into())),
        (
            format!("{board} w KQkq - -1 1"),
            FenError::Counter("half-move clock", "-1".into()),
        ),
        (
            format!("{board} w KQkq - 0 65536"),
            FenError::Counter("move number", "65536".into()),
        ),
        (board[..20].to_owned() + " w - -", FenError::RankCount(4)),
        (
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR/8 w - -".into(),
            FenError::RankCount(9),
        ),
        (
            "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -".into(),
            FenError::RankLength(Rank::Seventh, 7),
        ),
        (
            "rnbqkbnr/pppppppp/8/88/8/8/PPPPPPPP/RNBQKBNR w - -".into(),
            FenError::RankLength(Rank::Fifth, 16),
        ),
        (
            "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - -".into(),
            FenError::Board('x'),
        ),
        ("9/8/8/8/8/8/8/8 w - -".into(), FenError::Board('9')),
        ("0/8/8/8/8/8/8/8 w - -".into(), FenError::Board('0')),
    ];
    for (fen, expected) in cases {
        assert_eq!(fen.parse::<Position>().unwrap_err(), expected, "{fen}");
    }
}

/// Every beginning of a FEN is read or refused, and none is read as another position.
#[test]
fn truncated_fens() {
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 10 27";
    let whole: Setup = fen.parse().unwrap();
    for end in 0..fen.len() {
        if let Ok(setup) = fen[..end].parse::<Setup>() {
            assert_eq!(setup.board, whole.board);
            assert_eq!(setup.turn, whole.turn);
            assert!(end >= fen.find(" - ").unwrap() + 2, "{}", &fen[..end]);
        }
    }
}

#[test]
fn long_and_strange_junk_gets_a_short_answer() {
    let junk = [
        "\0".repeat(10_000),
        "/".repeat(10_000),
        "8/".repeat(5_000),
        "k".repeat(10_000) + " w - - 0 1",
        "é♔\u{202e}".repeat(1_000),
        "8/8/8/8/8/8/8/8 ".to_owned() + &"w".repeat(10_000),
        "8/8/8/8/8/8/8/8 w ".to_owned() + &"K".repeat(10_000),
        "8/8/8/8/8/8/8/8 w - - ".to_owned() + &"9".repeat(10_000),
        "8/8/8/8/8/8/8/8 w - - 0 1 ".to_owned() + &"\0\u{1}x".repeat(3_000),
        Position::default().to_string().replace(' ', "\0"),
    ];
    for text in junk {
        let message = text.parse::<Position>().unwrap_err().to_string();
        assert!(message.len() < 500, "{message}");
        assert!(!message.contains(['\0', '\u{1}']), "{message:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, max_global_rejects: 10_000, ..ProptestConfig::default() })]

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC{0,100}") {
        let _ = text.parse::<Position>();
    }

    /// Pieces strewn over a board: whatever can be played comes back from its own FEN.
    #[test]
    fn random_boards_round_trip(
        kings in (0..64_u32, 0..64_u32),
        pieces in proptest::collection::vec((0..64_u32, "[pnbrqPNBRQ]"), 0..12),
        black in any::<bool>(),
        halfmoves in any::<u16>(),
    ) {
        let mut setup = Setup { halfmoves, ..Setup::default() };
        for (square, letter) in &pieces {
            setup.board[*square as usize] = letter.chars().next().and_then(Piece::from_char);
        }
        setup.board[kings.0 as usize] = Piece::from_char('K');
        setup.board[kings.1 as usize] = Piece::from_char('k');
        setup.turn = if black { Color::Black } else { Color::White };
        prop_assert_eq!(setup.to_string().parse(), Ok(setup.clone()));
        prop_assume!(setup.position().is_ok());
        let position = setup.position().expect("assumed");
        prop_assert_eq!(position.setup(), setup);
        prop_assert_eq!(position.to_string().parse(), Ok(position));
    }
}
