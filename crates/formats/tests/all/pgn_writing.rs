//! What the writer writes, to the letter.

#![allow(clippy::unwrap_used)]

use std::time::Duration;

use vidmar_chess::{Move, Outcome, Position, Score, Square, WhiteScore};
use vidmar_formats::pgn::{Annotations, Comment, Evaluation, Game, Nag, Ply, Reader, WriteError, Writer};

const ANNOTATED: &[u8] = include_bytes!("../data/annotated.pgn");

#[test]
fn a_game_with_everything() {
    let game = Reader::new(ANNOTATED).games().next().unwrap().unwrap();
    let expected = r#"[Event "Bled, a study of comments"]
[Site "Bled"]
[Date "1931.08.23"]
[Round "1"]
[White "Vidmar, \"Milan\""]
[Black "C:\\NN"]
[Result "1-0"]
[ECO "D30"]

{A comment before the first move} 1. d4 $1 $14 {[%eval 0.35,20]
[%clk 1:29:58.5]} 1... d5 {to the end {of the line} 2. c4
{+0.35/12 0.5s} (2. Nf3 Nf6 (2... c5 {sharp} 3. dxc5 (3. c3)) 3.
c4) (2. e4 {a gambit} 2... dxe4) 2... e6 $6 {[%emt 0:00:07]} 3.
Nc3 Nf6 4. Bg5 -- 5. e3 $16 Be7 6. Nf3 O-O 7. Rc1 $1 $146 Nbd7 8.
Bd3 dxc4 9. Bxc4 c6 10. O-O Nd5 {Black resigned much later} 1-0
"#;
    assert_eq!(game.to_pgn(65).unwrap(), expected);
}

#[test]
fn a_game_made_by_hand() {
    let start: Position = "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w KQkq - 0 1"
        .parse()
        .unwrap();
    let mut game = Game::new(start.clone());
    game.tags.complete_roster();
    let mut ply = Ply::new(Some(start.parse_san("O-O").unwrap()));
    ply.nags.push(Nag(1));
    let annotations = Annotations {
        clock: Some(Duration::from_millis(61_500)),
        evaluation: Some(Evaluation {
            score: WhiteScore(Score::Centipawns(20)),
            depth: None,
        }),
        ..Annotations::default()
    };
    ply.comments.push(Comment::from(&annotations));
    ply.comments.push(Comment::new("with a } in\nit"));
    game.main.plies.push(ply);
    game.result = Some(Outcome::Draw);
    let mut writer = Writer::new(Vec::new());
    writer.write(&game).unwrap();
    let expected = r#"[Event "?"]
[Site "?"]
[Date "????.??.??"]
[Round "?"]
[White "?"]
[Black "?"]
[Result "*"]
[Variant "Chess960"]
[SetUp "1"]
[FEN "1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w KQkq - 0 1"]

1. O-O $1 {[%eval 0.20] [%clk 0:01:01.5]} ; with a } in it
1/2-1/2

"#;
    let written = writer.into_inner();
    assert_eq!(str::from_utf8(&written).unwrap(), expected);
    assert_eq!(Reader::new(&written[..]).games().next().unwrap().unwrap(), game);
}

#[test]
fn a_start_that_the_tags_hide_is_written_all_the_same() {
    let start: Position = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1".parse().unwrap();
    let mut game = Game::new(start.clone());
    game.tags.remove("FEN");
    let written = game.to_pgn(79).unwrap();
    let again = Reader::new(written.as_bytes()).games().next().unwrap().unwrap();
    assert_eq!(again.start(), &start);
}

#[test]
fn no_illegal_game_is_written() {
    let mut game = Game::default();
    game.main
        .plies
        .push(Ply::new(Some(Move::normal(Square::E2, Square::E5))));
    let error = game.to_pgn(79).unwrap_err();
    assert!(
        matches!(&error, WriteError::Illegal(text, _) if text == "e2e5"),
        "{error}"
    );
}
