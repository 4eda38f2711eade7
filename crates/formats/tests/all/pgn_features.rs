//! What the reader understands, case by case, on small files of our own.

#![allow(clippy::unwrap_used)]

use std::io::{self, Read};

use vidmar_chess::{Move, Outcome, Position, Score, WhiteScore};
use vidmar_formats::Text;
use vidmar_formats::pgn::{Fault, Game, Limits, Line, Moves, Nag, PgnError, Reader, TagValue, Visitor};

const ANNOTATED: &[u8] = include_bytes!("../data/annotated.pgn");
const MIXED_FAULTS: &[u8] = include_bytes!("../data/mixed_faults.pgn");
const LATIN1_CRLF: &[u8] = include_bytes!("../data/latin1_crlf.pgn");

fn games(text: &[u8]) -> Vec<Result<Game, PgnError>> {
    Reader::new(text).games().collect()
}

fn game(text: &str) -> Game {
    let mut games = games(text.as_bytes());
    assert_eq!(games.len(), 1, "{text}: {games:?}");
    games.remove(0).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// A line as text without numbers: moves, then variations in parentheses.
fn shown(line: &Line, mut position: Position) -> String {
    let mut words = Vec::new();
    for ply in &line.plies {
        let before = position.clone();
        if let Some(m) = ply.played {
            words.push(position.san(m).to_string());
            position.play(m);
        } else {
            words.push("--".to_owned());
            position.play_null();
        }
        for variation in &ply.variations {
            words.push(format!("({})", shown(variation, before.clone())));
        }
    }
    words.join(" ")
}

fn moves(game: &Game) -> String {
    shown(&game.main, game.start().clone())
}

#[test]
fn a_game_with_everything() {
    let game = game(str::from_utf8(ANNOTATED).unwrap());
    assert_eq!(
        moves(&game),
        "d4 d5 c4 (Nf3 Nf6 (c5 dxc5 (c3)) c4) (e4 dxe4) e6 Nc3 Nf6 Bg5 -- e3 Be7 Nf3 O-O Rc1 Nbd7 Bd3 dxc4 \
         Bxc4 c6 O-O Nd5"
    );
    assert_eq!(game.tags.get("White"), Some("Vidmar, \"Milan\""));
    assert_eq!(game.tags.get("Black"), Some(r"C:\NN"));
    assert_eq!(game.result, Some(Outcome::WHITE_WINS));
    assert_eq!(game.main.comments[0].as_str(), "A comment before the first move");

    let plies = &game.main.plies;
    assert_eq!(plies[0].nags, [Nag(1), Nag(14)]);
    let annotations = plies[0].comments[0].annotations();
    let evaluation = annotations.evaluation.unwrap();
    assert_eq!(
        (evaluation.score, evaluation.depth),
        (WhiteScore(Score::Centipawns(35)), Some(20))
    );
    assert_eq!(annotations.clock.unwrap().as_millis(), 5_398_500);
    assert_eq!(plies[1].comments[0].as_str(), "to the end {of the line");
    assert_eq!(plies[2].comments[0].annotations().engine.unwrap().depth, 12);
    assert_eq!(plies[3].nags, [Nag(6)]);
    assert_eq!(plies[3].comments[0].annotations().elapsed.unwrap().as_secs(), 7);
    assert_eq!(plies[8].nags, [Nag(16)]);
    let last = plies.last().unwrap();
    assert_eq!(last.comments[0].as_str(), "Black resigned much later");
}

#[test]
fn broken_games_are_reported_and_the_next_is_read() {
    let found: Vec<String> = games(MIXED_FAULTS)
        .into_iter()
        .map(|game| match game {
            Ok(game) => format!("{}: {}", game.tags.get("Event").unwrap(), moves(&game)),
            Err(error) => error.to_string(),
        })
        .collect();
    let expected = [
        "good: e4 e5 Qh5 Nc6 Bc4 Nf6 Qxf7#",
        "game 2 (line 8, column 13, byte 112): the move Ke3 is not legal here",
        "good: d4 d5",
        "game 4 (line 16, column 7, byte 223): the comment that begins here is not closed (expected '}')",
        "good: c4",
        "game 6 (line 27, column 1, byte 342): the game ends inside 1 open variations (expected ')')",
        "good: f4",
        "game 8 (line 32, column 1, byte 385): the variant 'Atomic' is not chess or Chess960",
        "good: g3",
        "game 10 (line 40, column 1, byte 442): '[Event \\\"broken tag]' is not a tag (expected for example \
         [White \"Name\"])",
        "good: b3",
        "game 12 (line 51, column 1, byte 546): the FEN tag is wrong: impossible position: white has no king; \
         black has no king",
        "good, no result: a3 a6",
        "good: ",
        "game 15 (line 64, column 7, byte 679): ')' without an open variation",
        "game 16 (line 68, column 24, byte 731): the move Nd2 is ambiguous here",
        "good: h3",
    ];
    assert_eq!(found, expected);
}

#[test]
fn encodings_line_ends_and_blank_lines() {
    let game = games(LATIN1_CRLF).remove(0).unwrap();
    assert_eq!(game.tags.get("White"), Some("Müller, é"));
    assert_eq!(game.tags.get("Black"), Some("Šahović"));
    assert_eq!(game.main.plies[0].comments[0].as_str(), "naïve");
    assert_eq!(moves(&game), "e4 e5 Nf3 Nc6");
    assert_eq!(game.result, Some(Outcome::WHITE_WINS));
}

#[test]
fn moves_in_many_notations() {
    for text in [
        "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O *",
        "1.e4 e5 2.Nf3 Nc6 3.Bc4 Nf6 4.0-0 *",
        "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O",
        "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 *",
        "1 e4 e5 2 Nf3 Nc6 3 Bc4 Nf6 4 O-O",
        "1. e4 1... e5 2. Nf3 2... Nc6 3. Bc4 3.. Nf6 4. O-O *",
        "1. e4! e5!? 2. Ng1-f3 Nb8-c6 3. Bf1c4 Ng8f6 4. o-o",
    ] {
        assert_eq!(moves(&game(text)), "e4 e5 Nf3 Nc6 Bc4 Nf6 O-O", "{text}");
    }
    for null in ["--", "Z0", "0000", "@@@@", "null"] {
        let text = format!("1. e4 {null} 2. d4 *");
        assert_eq!(moves(&game(&text)), "e4 -- d4", "{text}");
    }
    let passing = game("[FEN \"4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1\"]\n\n1. exd6 e.p. Kd7 *");
    assert_eq!(moves(&passing), "exd6 Kd7");
    let promotion = game("[FEN \"7k/P7/8/8/8/8/8/K7 w - - 0 1\"]\n\n1. a8(Q)+ Kh7 (1... Kg7) *");
    assert_eq!(moves(&promotion), "a8=Q+ Kh7 (Kg7)");
}

#[test]
fn a_null_move_in_check_is_refused() {
    let error = games(b"1. f3 e5 2. g4 Qh4+ 3. -- *").remove(0).unwrap_err();
    assert!(
        error
            .to_string()
            .ends_with("the null move -- is not allowed in check"),
        "{error}"
    );
}

#[test]
fn games_without_tags_or_results() {
    let text =
        "1. e4 e5 1-0\n1. d4 d5\n2. c4 1/2-1/2 {agreed}\n\n1. c4\n\n   1. Nf3 Nf6 2. g3\n\n1. f4 f5\n1. b3";
    let found: Vec<_> = games(text.as_bytes())
        .into_iter()
        .map(|game| game.map(|game| (moves(&game), game.result)).unwrap())
        .collect();
    let expected = [
        ("e4 e5", Some(Outcome::WHITE_WINS)),
        ("d4 d5 c4", Some(Outcome::Draw)),
        ("c4", None),
        ("Nf3 Nf6 g3", None),
        ("f4 f5", None),
        ("b3", None),
    ];
    assert_eq!(found, expected.map(|(moves, result)| (moves.to_owned(), result)));
}

#[test]
fn tags_and_moves_on_one_line() {
    let text = "[White \"A\"] [Black \"B\"] 1. e4 e5 [White \"C\"]\n1. d4 *";
    let found = games(text.as_bytes());
    assert_eq!(found.len(), 2);
    let whites: Vec<_> = found
        .iter()
        .map(|game| game.as_ref().unwrap().tags.get("White").unwrap())
        .collect();
    assert_eq!(whites, ["A", "C"]);
}

#[test]
fn the_result_of_the_moves_comes_before_that_of_the_tag() {
    assert_eq!(
        game("[Result \"1-0\"]\n\n1. e4 0-1").result,
        Some(Outcome::BLACK_WINS)
    );
    assert_eq!(
        game("[Result \"1-0\"]\n\n1. e4").result,
        Some(Outcome::WHITE_WINS)
    );
    assert_eq!(game("[Result \"?\"]\n\n1. e4").result, None);
    assert_eq!(game("1. e4 ½-½").result, Some(Outcome::Draw));
}

#[test]
fn chess960_in_both_notations_of_rights() {
    for fen in [
        "bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w KQkq - 0 1",
        "bqnb1rkr/pppppppp/8/8/8/8/PPPPPPPP/BQNB1RKR w HFhf - 0 1",
    ] {
        let text = format!(
            "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n1. c3 c6 2. Bc2 Bc7 3. O-O-O *"
        );
        let error = games(text.as_bytes()).remove(0).unwrap_err();
        assert!(
            error.to_string().contains("the move O-O-O is not legal here"),
            "{error}"
        );
        let text = text.replace("3. O-O-O", "3. g3 g6 4. Kg2 a6");
        assert_eq!(moves(&game(&text)), "c3 c6 Bc2 Bc7 g3 g6 Kg2 a6");
    }
    let castling = game(
        "[Variant \"fischerandom\"]\n[FEN \"1r3k1r/pppppppp/8/8/8/8/PPPPPPPP/1R3K1R w KQkq - 0 1\"]\n\n1. O-O O-O-O *",
    );
    assert_eq!(
        castling.last_position().to_string(),
        "2kr3r/pppppppp/8/8/8/8/PPPPPPPP/1R3RK1 w - - 2 2"
    );
}

/// Reads no variations.
struct MainLine;

impl Visitor for MainLine {}

#[test]
fn nesting_is_bounded_and_never_recursive() {
    for (open, close) in [("(", ""), ("(1. e4 ", ""), ("(", ")"), ("(1. d4 ", ")")] {
        let text = format!(
            "1. e4 {}{} *\n\n1. d4 *",
            open.repeat(1_000_000),
            close.repeat(1_000_000)
        );
        let found = games(text.as_bytes());
        assert!(
            matches!(&found[0], Err(PgnError::Game(error)) if matches!(error.fault, Fault::TooDeep(_) | Fault::EarlyVariation)),
            "{:?}",
            found[0]
        );
        assert!(found.last().unwrap().is_ok());
    }
    let text = format!("1. e4 {} *", "(".repeat(1_000_000));
    let error = Reader::new(text.as_bytes()).read_game(&mut MainLine).unwrap_err();
    assert!(error.to_string().contains("nested more than 128 deep"), "{error}");
    let deep = format!("1. e4 {}{} e5 *", "(1. e4 ".repeat(100), ")".repeat(100));
    assert_eq!(games(deep.as_bytes()).remove(0).unwrap().main.plies.len(), 2);
}

#[test]
fn junk_of_every_sort_takes_linear_time() {
    for piece in [
        "{",
        "(",
        "[",
        "}",
        ")",
        "$",
        "%",
        ";",
        "1.",
        "{\n[Event \"",
        "\n\n[A \"\"]{",
        "\n[",
        "*",
        "\0",
        "é",
        "x",
    ] {
        let junk = piece.repeat(300_000);
        for game in Reader::new(junk.as_bytes()).games() {
            drop(game);
        }
    }
}

#[test]
fn long_things() {
    let comment = "word ".repeat(100_000);
    let found = game(&format!("1. e4 {{{comment}}} e5 *"));
    assert_eq!(found.main.plies[0].comments[0].as_str().len(), comment.len() - 1);
    let endless = format!(
        "1. e4 {{{} *\n\n[Event \"next\"]\n\n1. d4 *",
        "x".repeat(2_000_000)
    );
    let found = games(endless.as_bytes());
    assert!(
        found[0]
            .as_ref()
            .unwrap_err()
            .to_string()
            .contains("longer than 1048576 bytes")
    );
    assert_eq!(found[1].as_ref().unwrap().tags.get("Event"), Some("next"));
    let shuffle = "Nf3 Nf6 Ng1 Ng8 ".repeat(100_000);
    assert_eq!(game(&shuffle).main.plies.len(), 400_000);
}

/// Gives one byte at a time.
struct Drip<'a>(&'a [u8]);

impl Read for Drip<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let count = self.0.len().min(into.len()).min(1);
        into[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

#[test]
fn the_size_of_the_pieces_does_not_matter() {
    let mut text = Vec::new();
    for _ in 0..200 {
        text.extend_from_slice(ANNOTATED);
        text.extend_from_slice(b"\n");
        text.extend_from_slice(MIXED_FAULTS);
        text.extend_from_slice(b"\n");
    }
    let show = |games: Vec<Result<Game, PgnError>>| -> Vec<Result<Game, String>> {
        games
            .into_iter()
            .map(|game| game.map_err(|error| error.to_string()))
            .collect()
    };
    let whole = show(games(&text));
    assert_eq!(whole.len(), 200 * 18);
    assert_eq!(show(Reader::new(Drip(&text)).games().collect()), whole);
}

#[test]
fn an_error_of_the_source_ends_the_games() {
    struct Broken;
    impl Read for Broken {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            Err(io::Error::other("gone"))
        }
    }
    let found: Vec<_> = Reader::new(b"1. e4 *\n\n1. d4".chain(Broken))
        .games()
        .take(5)
        .collect();
    assert_eq!(found.len(), 1);
    assert_eq!(
        found[0].as_ref().unwrap_err().to_string(),
        "the file cannot be read: gone"
    );
}

#[test]
fn a_visitor_may_skip_the_moves() {
    #[derive(Default)]
    struct Results {
        white: String,
        result: Option<Outcome>,
        found: Vec<(String, Option<Outcome>)>,
        plies: usize,
    }
    impl Visitor for Results {
        fn tag(&mut self, name: Text<'_>, value: TagValue<'_>) {
            if name.bytes() == b"Event" {
                self.white = value.to_string();
            }
        }
        fn begin_moves(&mut self, _: &Position) -> Moves {
            Moves::Skip
        }
        fn played(&mut self, _: &Position, _: Option<Move>) {
            self.plies += 1;
        }
        fn result(&mut self, outcome: Option<Outcome>) {
            self.result = outcome;
        }
        fn end_game(&mut self, _: &Position) {
            self.found.push((self.white.clone(), self.result.take()));
        }
    }
    let text = "[Event \"A\"]\n\n1. e4 {1-0} (1. xx 0-1) zz 1-0\n\n[Event \"B\"]\n\n1. e4\n\n[Event \"C\"]\n\n1/2-1/2";
    let mut results = Results::default();
    let mut reader = Reader::new(text.as_bytes());
    while reader.read_game(&mut results).unwrap() {}
    assert_eq!(reader.games_read(), 3);
    let expected = [
        ("A".to_owned(), Some(Outcome::WHITE_WINS)),
        ("B".to_owned(), None),
        ("C".to_owned(), Some(Outcome::Draw)),
    ];
    assert_eq!((results.found, results.plies), (expected.to_vec(), 0));
}

/// Twice as many tags take about twice as long: four times as long would be the square.
#[test]
fn many_tags_are_read_in_linear_time() {
    let read = |tags: usize| {
        let tag = |number| format!("[T{number} \"\"]\n");
        let text = (0..tags).map(tag).collect::<Vec<String>>().concat();
        // Processor time: what a busy machine adds is not the reader's.
        let begun = vidmar_cpu::ThreadInstant::now();
        let game = game(&format!("{text}\n*"));
        assert_eq!(game.tags.len(), tags);
        begun.elapsed()
    };
    let (few, many) = (read(10_000), read(290_000));
    assert!(many < few * 29 * 8, "{few:?} for 10,000, {many:?} for 290,000");
}

#[test]
fn a_game_beyond_the_limits_is_a_broken_one() {
    let limits = Limits { tags: 2, parts: 5 };
    let read = |text: &str| -> Vec<Result<Game, PgnError>> {
        Reader::new(text.as_bytes()).within(limits).games().collect()
    };
    let fault = |text: &str| match read(text).remove(0) {
        Err(PgnError::Game(error)) => error.fault.to_string(),
        other => panic!("{other:?}"),
    };
    for whole in ["1. e4 {a} e5 $1 2. d4 *", "1. e4 (1. d4) {} e5 *"] {
        assert!(read(&format!("[Event \"\"]\n[Site \"\"]\n\n{whole}"))[0].is_ok());
    }
    let tags = "[Event \"\"]\n[Site \"\"]\n[Date \"\"]\n\n1. e4 *";
    assert_eq!(fault(tags), "the game has more than 2 tags");
    for long in [
        "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 *",
        "1. e4 {} {} {} {} {} *",
        "1. e4 $1 $2 $3 $4 $5 *",
        "1. e4 (1. d4) (1. c4) e5 *",
    ] {
        assert_eq!(
            fault(long),
            "the game has more than 5 moves and comments",
            "{long}"
        );
    }
    // The next game is read.
    let both = read(&format!("{tags}\n\n[Event \"\"]\n\n1. d4 *"));
    assert!(both.len() == 2 && both[1].is_ok(), "{both:?}");
}
