//! Records of our own, right and odd.

#![allow(clippy::unwrap_used)]

use vidmar_formats::epd::{Epd, Operand, Reader, Value, Warning, parse_line};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn read(operations: &str) -> (Epd, Vec<String>) {
    let (epd, warnings) = parse_line(&format!("{START} {operations}")).unwrap();
    (epd, warnings.iter().map(Warning::to_string).collect())
}

#[test]
fn a_strict_record() {
    let text =
        "acd 12; am a3 h3; bm Nf3 e4; c0 \"a; b\"; ce -35; id \"X.1\"; odd 1 \"two; three\"; pv e4 e5 Nf3;";
    let (epd, warnings) = read(text);
    assert_eq!(warnings, Vec::<String>::new());
    let uci = |moves: &[vidmar_chess::Move]| -> Vec<String> {
        moves
            .iter()
            .map(|m| m.uci(vidmar_chess::CastlingNotation::Standard).to_string())
            .collect()
    };
    assert_eq!(uci(epd.best_moves()), ["g1f3", "e2e4"]);
    assert_eq!(uci(epd.avoid_moves()), ["a2a3", "h2h3"]);
    assert_eq!(uci(epd.variation()), ["e2e4", "e7e5", "g1f3"]);
    assert_eq!((epd.number("acd"), epd.number("ce")), (Some(12), Some(-35)));
    assert_eq!((epd.id(), epd.text("c0")), (Some("X.1"), Some("a; b")));
    let words = [("1", false), ("two; three", true)].map(|(text, quoted)| Operand {
        text: text.to_owned(),
        quoted,
    });
    assert_eq!(epd.get("odd"), Some(&Value::Words(words.to_vec())));
    assert_eq!(epd.to_string(), format!("{START} {text}"));
}

#[test]
fn liberties_and_their_warnings() {
    for (operations, written, expected) in [
        (
            "0 1 bm e4;",
            "bm e4;",
            &["six FEN fields instead of the four of EPD"][..],
        ),
        (
            "7 31; bm e4;",
            "bm e4; hmvc 7; fmvn 31;",
            &["six FEN fields instead of the four of EPD"],
        ),
        ("hmvc 7; fmvn 31; bm e4;", "bm e4; hmvc 7; fmvn 31;", &[]),
        (
            "hmvc x;",
            "",
            &["operation hmvc: 'x' instead of a number up to 65535"],
        ),
        ("bm e4", "bm e4;", &["no ';' after the last operation"]),
        (
            "bm e4; found by a friend",
            "bm e4;",
            &["the text 'found by a friend' is not an operation"],
        ),
        (
            "bm e4; 00:10; id \"x\";",
            "bm e4; id \"x\";",
            &["the text '00:10' is not an operation"],
        ),
        ("bm #-3; ep;", "bm #-3; ep;", &[]),
        ("dm 4;;", "dm 4;", &[]),
        ("id plain;", "id \"plain\";", &[]),
        (
            "id \"a",
            "id \"a\";",
            &[
                "the quote before 'a' is not closed",
                "no ';' after the last operation",
            ],
        ),
        ("bm e4, d4!;", "bm e4 d4;", &[]),
        (
            "bm Ke2 e4;",
            "bm e4;",
            &["operation bm: the move Ke2 is not legal here"],
        ),
        (
            "bm xyz;",
            "bm xyz;",
            &["operation bm: 'xyz' is not a move in algebraic notation"],
        ),
        (
            "pv e4 e4 e5;",
            "pv e4;",
            &["operation pv: the move e4 is not legal here"],
        ),
        ("bm;", "bm;", &["operation bm: '' instead of moves"]),
        (
            "ce high;",
            "ce high;",
            &["operation ce: 'high' instead of a number"],
        ),
        (
            "id two words;",
            "id two words;",
            &["operation id: 'two words' instead of a text in quotes"],
        ),
        (
            "id \"a\"; id \"b\";",
            "id \"b\";",
            &["the operation id stands twice"],
        ),
        ("", "", &[]),
    ] {
        let (epd, warnings) = read(operations);
        assert_eq!(warnings, expected, "{operations}");
        assert_eq!(
            epd.to_string(),
            format!("{START} {written}").trim_end(),
            "{operations}"
        );
    }
}

#[test]
fn a_file_of_records() {
    let text = format!("\u{feff}# a suite\r\n{START} bm e4;\r\n\r\nnonsense\r\n  {START} id \"\u{e9}\";");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(b"\n");
    bytes.extend_from_slice(START.as_bytes());
    bytes.extend_from_slice(b" id \"\xe9\";");
    let found: Vec<(u64, Result<String, String>)> = Reader::new(&bytes[..])
        .map(|(line, record)| {
            let id = record.map(|(epd, _)| epd.id().unwrap_or("-").to_owned());
            (line, id.map_err(|error| error.to_string()))
        })
        .collect();
    let junk = "'o' in the board of the FEN (expected a piece letter, a digit 1-8 or '/')";
    let expected = [
        (2, Ok("-".to_owned())),
        (4, Err(junk.to_owned())),
        (5, Ok("é".to_owned())),
        (6, Ok("é".to_owned())),
    ];
    assert_eq!(found, expected);
}

#[test]
fn a_line_without_end_is_refused_and_the_next_is_read() {
    let text = format!("{}\n{START}\n", "x".repeat(3_000_000));
    let found: Vec<_> = Reader::new(text.as_bytes()).collect();
    assert_eq!(found.len(), 2);
    assert_eq!(
        found[0].1.as_ref().unwrap_err().to_string(),
        "the line is longer than 1048576 bytes"
    );
    assert!(found[1].0 == 2 && found[1].1.is_ok());
}
