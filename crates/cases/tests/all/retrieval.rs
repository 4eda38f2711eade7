//! Retrieval and decisions against a slow reference that follows the formulas word by word.

use std::fmt::Write as _;
use std::sync::Arc;

use vidmar_cases::{
    Basis, Behaviour, CaseBase, CaseBoard, CaseMove, CaseSettings, PlayerName, Shift, Solution, WHOLE,
    WHOLE_MOVE, build, likeness, move_similarity, slow_similarity, square_likeness,
};
use vidmar_chess::{Color, Game, Move, Position, Square};

/// Games of two players who know no better, long enough to have some thousands of cases.
fn games() -> Vec<u8> {
    let mut state = 5_u64;
    let mut text = String::new();
    for number in 0..60 {
        let (white, black) = if number % 2 == 0 {
            ("Expert", "Other")
        } else {
            ("Other", "Expert")
        };
        let _ = write!(
            text,
            "[Event \"Number {number}\"]\n[Date \"1911.01.01\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n"
        );
        let mut position = Position::default();
        for _ in 0..70 {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let m = moves[(state >> 33) as usize % moves.len()];
            let _ = write!(text, "{} ", position.san(m));
            position.play(m);
        }
        text += "*\n\n";
    }
    text.into_bytes()
}

fn base() -> Arc<CaseBase> {
    let files = [("games".to_owned(), games())];
    Arc::new(
        build(&files, &PlayerName::new("Expert").expect("it is right"))
            .expect("it is right")
            .0,
    )
}

fn settings(pairs: &[(&str, &str)]) -> CaseSettings {
    let mut settings = CaseSettings::default();
    for (key, value) in pairs {
        settings.set(key, value).expect("it is right");
    }
    settings
}

const QUERIES: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 b - - 0 10",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// A case as the reference sees it: how alike, and the best move with its similarity.
#[derive(Debug, PartialEq)]
struct Slow {
    similarity: u16,
    move_similarity: i64,
}

/// Every case of a colour, by the formulas.
fn slowly(base: &CaseBase, settings: &CaseSettings, position: &Position) -> Vec<Slow> {
    let mut cases = Vec::new();
    let turn = position.turn();
    let mut colors = vec![(turn, false)];
    if settings.mirror {
        colors.push((!turn, true));
    }
    for (color, mirrored) in colors {
        let list = base.list(color);
        for index in 0..list.len() {
            let (mut board, mut m) = (list.board(index), list.solution(index));
            if mirrored {
                (board, m) = (board.mirrored(), m.mirrored());
            }
            cases.push(slow_case(&board, m, settings, position));
        }
    }
    cases
}

fn slow_case(board: &CaseBoard, m: CaseMove, settings: &CaseSettings, position: &Position) -> Slow {
    let query = CaseBoard::new(position);
    let compare = |shift: Shift| {
        // The mirrored case is unmirrored here, so ranks of a shift run the other way; all nine are tried anyway.
        let shifted = query.shifted(shift);
        match settings.metric {
            vidmar_cases::Metric::Squares => slow_similarity(board, &shifted),
            vidmar_cases::Metric::LikePieces => likeness(board, &shifted),
            vidmar_cases::Metric::LikeSquares => square_likeness(&shifted, board),
        }
    };
    let shifts = if settings.shift {
        &Shift::ALL[..]
    } else {
        &Shift::ALL[..1]
    };
    let similarity = shifts
        .iter()
        .map(|&shift| compare(shift))
        .max()
        .expect("it is right");
    let shift = *shifts
        .iter()
        .find(|&&shift| compare(shift) == similarity)
        .expect("it is right");
    let mut solution = Solution::new(m, |square| board.piece_at(square));
    solution.m = solution.m.shifted(shift.reversed());
    let best = position
        .legal_moves()
        .iter()
        .map(|&legal| {
            let legal = Solution::new(legal.into(), |square| position.piece_at(square));
            move_similarity(&legal, &solution, &settings.weights)
        })
        .max()
        .expect("it is right");
    Slow {
        similarity,
        move_similarity: best,
    }
}

#[test]
fn the_nearest_are_the_nearest() {
    let base = base();
    assert!(base.len() > 1500);
    for pairs in [
        &[][..],
        &[("weights", "0.8/0.2/0.5")],
        &[("mirror", "on")],
        &[("metric", "like-pieces")],
        &[("metric", "like-squares")],
        &[("shift", "on")],
        &[("shift", "on"), ("metric", "like-pieces")],
        &[("solution", "0.4")],
        &[("shift", "on"), ("solution", "0.4")],
        &[("solution", "1")],
        &[("solution", "0.25"), ("mirror", "on")],
    ] {
        let settings = settings(pairs);
        let behaviour = Behaviour::new(Arc::clone(&base), settings.clone());
        for fen in QUERIES {
            let position: Position = fen.parse().unwrap();
            let mut slow = slowly(&base, &settings, &position);
            let key = |case: &Slow| {
                let board = i64::from(case.similarity) * (WHOLE_MOVE / i64::from(WHOLE));
                settings.solution.rest() * board + settings.solution.thousandths() * case.move_similarity
            };
            slow.sort_by_key(|case| std::cmp::Reverse(key(case)));
            for k in [1, 7, 100, 10_000] {
                let found = behaviour.nearest(&position, &position.legal_moves(), k);
                assert_eq!(found.len(), k.min(slow.len()), "{pairs:?} {fen}");
                for (found, slow) in found.iter().zip(&slow) {
                    let case = Slow {
                        similarity: found.similarity,
                        move_similarity: found.adapted.similarity,
                    };
                    // Of equals any may come first.
                    assert_eq!(key(&case), key(slow), "{pairs:?} {fen}");
                    assert!(position.is_legal(found.adapted.m));
                }
            }
        }
    }
}

fn moves(game: &Game) -> Vec<Move> {
    game.position().legal_moves().to_vec()
}

#[test]
fn equals_are_drawn_fairly() {
    // The same position eight times: e4 six times, d4 twice.
    let mut text = String::new();
    for number in 0..8 {
        let m = if number < 6 { "e4" } else { "d4" };
        let _ = write!(text, "[White \"Expert\"]\n[Black \"Other\"]\n\n1. {m} *\n\n");
    }
    let files = [("games".to_owned(), text.into_bytes())];
    let base = Arc::new(build(&files, &PlayerName::new("Expert").unwrap()).unwrap().0);
    let game = Game::default();
    let count = (0..4000)
        .filter(|&seed| {
            let seeded = CaseSettings {
                seed,
                ..CaseSettings::default()
            };
            let decision = Behaviour::new(Arc::clone(&base), seeded)
                .decide(&game, &moves(&game))
                .unwrap();
            assert_eq!((decision.basis, decision.considered), (Basis::Case, 8));
            decision.best.to() == Square::E4
        })
        .count();
    // 3000 expected, standard deviation 27: five of them.
    assert!((2863..=3137).contains(&count), "{count}");
}

#[test]
fn without_cases_of_a_colour_the_other_colour_helps_and_without_any_chance() {
    let files = [(
        "games".to_owned(),
        b"[White \"Expert\"]\n[Black \"Other\"]\n\n1. e4 *".to_vec(),
    )];
    let base = Arc::new(build(&files, &PlayerName::new("Expert").unwrap()).unwrap().0);
    let behaviour = Behaviour::new(base, CaseSettings::default());
    let mut game = Game::default();
    game.play_uci("e2e4").unwrap();
    // Black has no case; White's 1. e4, turned round, is e7-e5.
    let decision = behaviour.decide(&game, &moves(&game)).unwrap();
    assert_eq!(decision.basis, Basis::OtherColor);
    assert_eq!(CaseMove::from(decision.best).to_string(), "e7e5");
    let nothing = Behaviour::new(Arc::default(), CaseSettings::default());
    let decision = nothing.decide(&game, &moves(&game)).unwrap();
    assert_eq!((decision.basis, decision.neighbour), (Basis::Chance, None));
    assert!(game.position().is_legal(decision.best));
    assert_eq!(nothing.decide(&game, &[]), None);
    assert!(nothing.explain(game.position(), 5).to_string().contains("by lot"));
}

#[test]
fn cycles_are_left_alone_or_avoided() {
    // The knight's way back is the only thing the expert knows.
    let pgn = b"[White \"Expert\"]\n[Black \"Other\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 *".to_vec();
    let files = [("games".to_owned(), pgn)];
    let base = Arc::new(build(&files, &PlayerName::new("Expert").unwrap()).unwrap().0);
    let mut game = Game::default();
    for m in ["g1f3", "g8f6"] {
        game.play_uci(m).unwrap();
    }
    let decide = |game: &Game, cycles: &str| {
        let behaviour = Behaviour::new(Arc::clone(&base), settings(&[("cycles", cycles)]));
        CaseMove::from(behaviour.decide(game, &moves(game)).unwrap().best).to_string()
    };
    // Ng1 leads to a board that has not been: with the black knight on f6 and the white one at home.
    assert_eq!(decide(&game, "allow"), "f3g1");
    assert_eq!(decide(&game, "avoid"), "f3g1");
    for m in ["f3g1", "f6g8", "g1f3", "g8f6"] {
        game.play_uci(m).unwrap();
    }
    assert_eq!(decide(&game, "allow"), "f3g1");
    assert_ne!(decide(&game, "avoid"), "f3g1");
    assert_ne!(decide(&game, "unwanted"), "f3g1");
    // Who is a rook behind welcomes a draw.
    let mut behind = Game::new(
        "rnbqkb1r/pppppppp/5n2/8/8/5N2/PPPPPPPP/RNBQKB2 w Qkq - 0 1"
            .parse()
            .unwrap(),
    );
    for m in ["f3g1", "f6g8", "g1f3", "g8f6"] {
        behind.play_uci(m).unwrap();
    }
    assert_ne!(decide(&behind, "avoid"), "f3g1");
    assert_eq!(decide(&behind, "unwanted"), "f3g1");
}

#[test]
fn the_first_board_of_the_game_has_been_there_too() {
    let pgn = b"[White \"Other\"]\n[Black \"Expert\"]\n\n1. Nf3 Nf6 2. Ng1 Ng8 *".to_vec();
    let files = [("games".to_owned(), pgn)];
    let base = Arc::new(build(&files, &PlayerName::new("Expert").unwrap()).unwrap().0);
    let mut game = Game::default();
    for m in ["g1f3", "g8f6", "f3g1"] {
        game.play_uci(m).unwrap();
    }
    for (cycles, goes_back) in [("allow", true), ("avoid", false)] {
        let behaviour = Behaviour::new(Arc::clone(&base), settings(&[("cycles", cycles)]));
        let best = behaviour.decide(&game, &moves(&game)).unwrap().best;
        assert_eq!(CaseMove::from(best).to_string() == "f6g8", goes_back, "{cycles}");
    }
}

#[test]
fn a_shifted_board_shifts_its_move() {
    let pgn = b"[White \"Expert\"]\n[Black \"Other\"]\n[SetUp \"1\"]\n\
        [FEN \"8/6k1/8/8/3R4/8/1K6/8 w - - 0 1\"]\n\n1. Rd6 *";
    let files = [("games".to_owned(), pgn.to_vec())];
    let base = Arc::new(build(&files, &PlayerName::new("Expert").unwrap()).unwrap().0);
    // Everything a file to the right and a rank up.
    let game = Game::new("7k/8/8/4R3/8/2K5/8/8 w - - 0 1".parse().unwrap());
    let behaviour = Behaviour::new(base, settings(&[("shift", "on")]));
    let neighbour = behaviour.decide(&game, &moves(&game)).unwrap().neighbour.unwrap();
    assert_eq!(
        (neighbour.similarity, neighbour.shift),
        (WHOLE, Shift { files: -1, ranks: -1 })
    );
    assert_eq!(CaseMove::from(neighbour.adapted.m).to_string(), "e5e7");
    assert_eq!(neighbour.adapted.similarity, WHOLE_MOVE);
}

#[test]
fn what_is_learned_is_found_again_and_forgotten_with_the_game() {
    let mut behaviour = Behaviour::new(base(), settings(&[("learn", "game")]));
    let position: Position = QUERIES[3].parse().unwrap();
    let m = position.parse_uci("b4f4").unwrap();
    behaviour.learn(&position, m);
    let game = Game::new(position.clone());
    let decision = behaviour.decide(&game, &moves(&game)).unwrap();
    assert_eq!(
        (decision.best, decision.neighbour.unwrap().similarity),
        (m, WHOLE)
    );
    behaviour.new_game();
    let nearest = behaviour.nearest(&position, &moves(&game), 1);
    assert!(nearest[0].similarity < WHOLE);
    let mut forgetful = Behaviour::new(base(), CaseSettings::default());
    forgetful.learn(&position, m);
    assert!(forgetful.nearest(&position, &moves(&game), 1)[0].similarity < WHOLE);
}

#[test]
fn k_nearest_takes_the_best_move_less_the_penalty() {
    let base = base();
    for penalty in ["0", "0.3", "1"] {
        let settings = settings(&[("k", "25"), ("penalty", penalty)]);
        let behaviour = Behaviour::new(Arc::clone(&base), settings.clone());
        for fen in QUERIES {
            let game = Game::new(fen.parse().unwrap());
            let decision = behaviour.decide(&game, &moves(&game)).unwrap();
            let chosen = decision.neighbour.unwrap();
            let worth = |similarity: u16, move_similarity: i64| {
                let unlike = 1.0 - f64::from(similarity) / 256.0;
                move_similarity as f64 / WHOLE_MOVE as f64
                    - settings.penalty.thousandths() as f64 / 1000.0 * unlike
            };
            let mut slow = slowly(&base, &settings, game.position());
            slow.sort_by_key(|case| std::cmp::Reverse(case.similarity));
            let border = slow[24].similarity;
            // The chosen one is at least as good as every case that is surely among the 25.
            let best = slow
                .iter()
                .filter(|case| case.similarity > border)
                .map(|case| worth(case.similarity, case.move_similarity))
                .fold(f64::MIN, f64::max);
            assert!(
                worth(chosen.similarity, chosen.adapted.similarity) > best - 1e-9,
                "{fen}"
            );
            assert!(chosen.similarity >= border && decision.considered == 25);
        }
    }
}

#[test]
fn colours_have_their_own_cases() {
    let base = base();
    let games = base
        .games()
        .iter()
        .filter(|game| game.expert() == Color::White)
        .count();
    assert_eq!((games, base.games().len()), (30, 60));
    assert_eq!(
        base.list(Color::White).len() + base.list(Color::Black).len(),
        base.len()
    );
}
