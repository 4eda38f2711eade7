//! A game's board is the one that replaying its moves gives, whatever was played and taken back.

use proptest::prelude::*;
use vidmar_chess::{Board, BoardKind, Game, Position, with_board};

const STARTS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/8/8/2k5/3Pp3/8/8/2K1Q3 b - d3 0 1",
    "8/8/4k3/8/8/3BK3/8/5b2 w - - 140 200",
];

/// All that a game is asked for, of a board that was made anew.
fn assert_replayed<B: Board>(game: &Game) {
    let replayed = B::of_game(game);
    let board = game.board();
    // As text: boards differ in whether they note an en passant square where every capture is pinned.
    assert_eq!(replayed.position().to_string(), game.position().to_string());
    assert_eq!(
        (replayed.key(), replayed.occurrences(), replayed.history().plies()),
        (board.key(), board.occurrences(), game.moves().len())
    );
    assert_eq!(
        (replayed.termination(), replayed.termination_with_claims()),
        (board.termination(), board.termination_with_claims())
    );
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    /// A choice picks among the legal moves; every seventh value takes a move back instead.
    #[test]
    fn games_are_their_moves(start in 0..STARTS.len(), choices in proptest::collection::vec(0..1000_usize, 0..60)) {
        let start: Position = STARTS[start].parse().expect("legal");
        let mut game = Game::new(start.clone());
        let mut before = vec![start];
        for choice in choices {
            let moves = game.position().legal_moves();
            if choice % 7 == 0 || moves.is_empty() {
                let taken = game.take_back();
                prop_assert_eq!(taken.is_some(), before.len() > 1);
                if taken.is_some() {
                    before.pop();
                }
            } else {
                game.play(moves[choice % moves.len()]);
                before.push(game.position().clone());
            }
            prop_assert_eq!(Some(game.position()), before.last());
        }
        for &kind in BoardKind::ALL {
            with_board!(kind, B => assert_replayed::<B>(&game));
        }
    }
}

#[test]
fn taking_back_forgets_a_repetition() {
    let mut game = Game::default();
    for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
        game.play_uci(text).expect("legal");
    }
    assert_eq!(game.board().occurrences(), 2);
    game.take_back();
    assert_eq!((game.board().occurrences(), game.moves().len()), (1, 3));
}
