//! The two games that [urminsky-2007] prints, the evolving player White (its tables 7.1 and 7.2).

use vidmar_chess::{BitboardBoard, Board, Color, Position, Termination};

/// 6 genes, 200 generations, 3 chromosomes.
const FIRST: &str = "e2e4 a7a5 b1a3 e7e5 h2h4 h7h5 d1h5 h8h5 d2d4 g8f6 d4e5 f6g8 a1b1 h5h7 e1d2 b7b6 c2c4 d7d6 \
    g2g4 d6e5 f1d3 c8g4 f2f4 e5f4 h4h5 g7g6 h5g6 h7h1 g1e3 f7g6 e2g1 h1g1 b1a1 g1d1 d2c3 d8d3";
/// 6 genes, 300 generations, 5 chromosomes.
const SECOND: &str = "a2a4 e7e5 h2h4 d7d6 a1a3 h7h5 b2b4 f7f5 c2c4 d6d5 a3h3 d5c4 d1b3 c4b3 f2f4 d8d4 h3b3 d4f4 \
    e2e4 f4e4 g1e2 e4c4 b1a3 c4b3 b4b5 f8a3 e2g1 a3c1 f1c4 b3c4 g2g4 c4d5 e1f2 d5h1 f2g3 h1g1 g3f3 g1g4 f3e3 g4a4 \
    b5b6 a7b6 e3f2 a4h4 f2e3 a8a2 e3d3 a2d2 d3c3 c8e6";

/// The board after a game, and the moves that are not legal as printed: the number of the ply, from 0, with the move.
fn play(
    moves: &str,
    instead: impl Fn(&str) -> Option<&'static str>,
) -> (BitboardBoard, Vec<(usize, String)>) {
    let mut board = BitboardBoard::new(&Position::default());
    let mut wrong = Vec::new();
    for (ply, word) in moves.split_whitespace().enumerate() {
        let m = board.position().parse_uci(word).unwrap_or_else(|_| {
            wrong.push((ply, word.to_owned()));
            let fits = instead(word).unwrap_or_else(|| panic!("ply {ply}: {word} is not legal"));
            board.position().parse_uci(fits).expect("legal")
        });
        board.make(m);
    }
    (board, wrong)
}

#[test]
fn the_first_game_is_legal_but_for_one_move_and_ends_in_mate() {
    let (board, wrong) = play(FIRST, |word| (word == "g1e3").then_some("g1e2"));
    assert_eq!(wrong, [(28, "g1e3".to_owned())], "15. g1e3 and no other");
    assert_eq!(
        board.termination(),
        Some(Termination::Checkmate { winner: Color::Black })
    );
}

#[test]
fn the_second_game_is_legal_and_ends_in_stalemate() {
    let (board, wrong) = play(SECOND, |_| None);
    assert_eq!(wrong, []);
    assert_eq!(board.turn(), Color::White);
    assert_eq!(board.termination(), Some(Termination::Stalemate));
}
