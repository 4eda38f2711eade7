//! Random games with random annotations, written and read again; junk that must do no harm.

#![allow(clippy::unwrap_used)]

use proptest::collection::vec;
use proptest::prelude::*;
use vidmar_chess::{Outcome, Position};
use vidmar_formats::epd;
use vidmar_formats::perft_suite;
use vidmar_formats::pgn::{Comment, Game, Line, Nag, Ply, Reader, Writer};

const STARTS: [&str; 4] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 4 12",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
    "8/2P5/3k4/8/8/3K4/5p2/8 w - - 0 65535",
];

/// Choices that steer a random game: one number for each.
struct Choices(std::vec::IntoIter<u32>);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0.next().unwrap_or(0) as usize % bound
    }

    fn one_in(&mut self, bound: usize) -> bool {
        self.below(bound) == bound - 1
    }
}

fn line(choices: &mut Choices, texts: &[String], mut position: Position, depth: usize) -> Line {
    let mut line = Line::default();
    if choices.one_in(4) {
        line.comments.push(comment(choices, texts));
    }
    for _ in 0..=choices.below(30) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let null = choices.one_in(20) && !position.in_check();
        let before = position.clone();
        let mut ply = Ply::new(if null {
            None
        } else {
            Some(moves[choices.below(moves.len())])
        });
        match ply.played {
            Some(m) => position.play(m),
            None => position.play_null(),
        }
        while choices.one_in(5) {
            ply.nags.push(Nag(choices.below(256) as u8));
        }
        while choices.one_in(3) {
            ply.comments.push(comment(choices, texts));
        }
        while depth < 4 && choices.one_in(6) {
            ply.variations
                .push(self::line(choices, texts, before.clone(), depth + 1));
        }
        line.plies.push(ply);
    }
    line
}

fn comment(choices: &mut Choices, texts: &[String]) -> Comment {
    Comment::new(&texts[choices.below(texts.len())])
}

/// Texts that tempt a writer to break them wrong.
fn texts() -> impl Strategy<Value = Vec<String>> {
    let piece = prop_oneof![
        Just("[%clk 0:01:02]".to_owned()),
        Just("[Event \"x\"]".to_owned()),
        Just("% ; } { ( ) 1-0 *".to_owned()),
        Just("\n\n[Site \"y\"]".to_owned()),
        Just("  two  blanks\tand a tab ".to_owned()),
        "\\PC{0,100}",
        "[a-z ]{0,200}",
    ];
    vec(vec(piece, 0..4).prop_map(|pieces| pieces.join(" ")), 1..8)
}

fn game() -> impl Strategy<Value = Game> {
    let tags = vec(("[A-Za-z_]{1,8}", "\\PC{0,20}"), 0..6);
    (vec(any::<u32>(), 0..400), texts(), tags, 0..STARTS.len()).prop_map(|(numbers, texts, tags, start)| {
        let mut choices = Choices(numbers.into_iter());
        let start: Position = STARTS[start].parse().expect("legal");
        let mut game = Game::new(start.clone());
        for (name, value) in tags {
            if !["FEN", "Variant", "Result"].contains(&name.as_str()) {
                game.tags.set(&name, &value);
            }
        }
        game.main = line(&mut choices, &texts, start, 0);
        game.result = [
            Some(Outcome::WHITE_WINS),
            Some(Outcome::BLACK_WINS),
            Some(Outcome::Draw),
            None,
        ][choices.below(4)];
        game
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn what_is_written_reads_the_same(games in vec(game(), 1..4), width in prop_oneof![Just(0_usize), 10..120_usize]) {
        let mut writer = Writer::new(Vec::new()).with_width(width);
        for game in &games {
            writer.write(game).unwrap();
        }
        let written = writer.into_inner();
        let again: Result<Vec<Game>, _> = Reader::new(&written[..]).games().collect();
        let again = again.map_err(|error| TestCaseError::fail(format!("{error}\n{}", String::from_utf8_lossy(&written))))?;
        prop_assert_eq!(again, games, "{}", String::from_utf8_lossy(&written));
    }

    #[test]
    fn junk_does_no_harm(junk in vec(any::<u8>(), 0..2000)) {
        for game in Reader::new(&junk[..]).games() {
            drop(game);
        }
        let text = String::from_utf8_lossy(&junk);
        drop(epd::parse_line(&text));
        drop(perft_suite::parse(&text));
    }

    #[test]
    fn words_of_pgn_in_any_order_do_no_harm(words in vec(prop::sample::select(vec![
        "1.", "e4", "e5", "Nf3", "--", "(", ")", "{", "}", ";", "\n", "\n\n", "[Event \"x\"]", "[FEN \"", "\"]", "%", "$", "$1",
        "!", "1-0", "*", "1/2", "0-0", "O-O", "e8=Q", "e8(Q)", "[", "]", "\\", "[Variant \"960\"]", "\u{feff}", "½-½", "…", "±",
    ]), 0..200)) {
        let text = words.join(" ");
        for game in Reader::new(text.as_bytes()).games().flatten() {
            let written = game.to_pgn(79).unwrap();
            let again: Vec<Game> = Reader::new(written.as_bytes()).games().map(Result::unwrap).collect();
            prop_assert_eq!(again, vec![game], "{}\n{}", text, written);
        }
    }

    #[test]
    fn epd_words_in_any_order_do_no_harm(words in vec(prop::sample::select(vec![
        "bm", "am", "Nf3", "e4", "e9", ";", "\"", "id", "c0", "pv", "e5", "#3", "hmvc", "fmvn", "12", "0", "-1", "99999999999", "00:00",
        "é", "ce", "+5", "noop",
    ]), 0..40)) {
        let line = format!("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - {}", words.join(" "));
        let Ok((read, _)) = epd::parse_line(&line) else {
            // A counter that is too large.
            return Ok(());
        };
        let (again, _) = epd::parse_line(&read.to_string()).unwrap();
        prop_assert_eq!(again, read, "{}", line);
    }
}
