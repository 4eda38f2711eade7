//! The scanner of results on good, odd and bad files.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "helpers of tests")]

use std::io::{self, Read};

use vidmar_chess::Outcome;
use vidmar_formats::results::ResultReader;

/// Reads in tiny portions, so that every line is cut somewhere.
struct Drip<'a>(&'a [u8], usize);

impl Read for Drip<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let count = self.1.min(self.0.len()).min(out.len());
        out[..count].copy_from_slice(&self.0[..count]);
        self.0 = &self.0[count..];
        Ok(count)
    }
}

fn all(pgn: &str) -> Vec<Result<String, String>> {
    let read = |portion: usize| {
        let mut reader = ResultReader::new(Drip(pgn.as_bytes(), portion));
        let mut found = Vec::new();
        loop {
            match reader.next_record() {
                Ok(None) => return found,
                Ok(Some(r)) => {
                    found.push(Ok(format!(
                        "{} {} {} {}",
                        r.white,
                        r.black,
                        Outcome::text(r.result),
                        r.line
                    )));
                }
                Err(error) => found.push(Err(error.to_string())),
            }
        }
    };
    let whole = read(usize::MAX);
    assert_eq!(read(1), whole);
    assert_eq!(read(7), whole);
    whole
}

#[expect(clippy::unnecessary_wraps, reason = "it is compared with results")]
fn ok(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

#[test]
fn plain_games() {
    let pgn = "\u{feff}[Event \"x\"]\r\n[White \"A b\"]\r\n[Black \"C\"]\r\n[Result \"1-0\"]\r\n\r\n1. e4 {comment} 1-0\r\n\r\n\
               [Event \"x\"]\n[Black \"D\"]\n[White \"C\"]\n[Result \"*\"]\n\n*\n";
    assert_eq!(all(pgn), [ok("A b C 1-0 1"), ok("C D * 8")]);
    assert_eq!(all(""), []);
    assert_eq!(all("\n\n"), []);
    assert_eq!(all("just words\n"), []);
}

#[test]
fn games_without_movetext() {
    let pgn = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n[White \"B\"]\n[Black \"A\"]\n[Result \"1/2-1/2\"]";
    assert_eq!(all(pgn), [ok("A B 0-1 1"), ok("B A 1/2-1/2 5")]);
    let one = "[White \"A\"] [Black \"B\"] [Result \"0-1\"]\n\n[WhiteElo \"2000\"]\n\n1. d4 0-1\n";
    assert_eq!(all(one), [ok("A B 0-1 1")]);
}

#[test]
fn comments_may_look_like_tags() {
    let pgn = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. e4 { a comment\n[White \"X\"]\n\n[Result \"1-1\"] } e5\n\
               [%clk 1:00]\n2. d4 ; a { brace\n0-1\n\n[White \"C\"]\n[Black \"D\"]\n[Result \"1-0\"]\n\n1-0\n";
    assert_eq!(all(pgn), [ok("A B 0-1 1"), ok("C D 1-0 13")]);
}

#[test]
fn quotes_and_old_letters() {
    let pgn = b"[White \"A \\\"the\\\" B\"]\n[Black \"C \"D\" E\"]\n[Result \"1-0\"]\n\n1-0\n\n[White \"J\xfcrgen\"]\n[Black \"\\\\\"]\n[Result \"1-0\"]\n";
    let mut reader = ResultReader::new(&pgn[..]);
    let first = reader.next_record().unwrap().unwrap();
    assert_eq!((&*first.white, &*first.black), ("A \"the\" B", "C \"D\" E"));
    let second = reader.next_record().unwrap().unwrap();
    assert_eq!(&*second.white, "Jürgen");
}

#[test]
fn errors_name_the_line_and_reading_goes_on() {
    let pgn = "[White \"A\"]\n[Black \"B\"]\n[Result \"2-0\"]\n\n1-0\n\n[White \"A\"]\n[Result \"1-0\"]\n\n1-0\n\n\
               [White \"?\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0\n\n[White A]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0\n\n\
               [White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1-0\n";
    let expected = [
        "line 3: '2-0' is not a result: expected 1-0, 0-1, 1/2-1/2 or *",
        "line 7: the game that begins here has no Black tag",
        "line 12: the White tag does not name a player: '?'",
        "line 18: the White tag has no value in quotes",
    ];
    let found = all(pgn);
    assert_eq!(found[..4], expected.map(|text| Err(text.to_owned())));
    assert_eq!(found[4..], [ok("A B 1-0 24")]);
}

proptest::proptest! {
    #[test]
    fn never_panics_and_always_ends(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..300)) {
        let mut reader = ResultReader::new(&bytes[..]);
        for _ in 0..400 {
            if matches!(reader.next_record(), Ok(None)) {
                return Ok(());
            }
        }
        proptest::prop_assert!(false, "no end");
    }

    #[test]
    fn never_panics_on_what_looks_like_pgn(text in "([\\[\\]\"\\\\{};%\n A-Z*]|White |Black |Result |1-0){0,80}") {
        let mut reader = ResultReader::new(text.as_bytes());
        while !matches!(reader.next_record(), Ok(None)) {}
    }
}

/// The same three tags, by another reader.
mod by_pgn_reader {
    use std::ops::ControlFlow;

    use pgn_reader::{RawTag, Reader, Visitor};

    struct Tags;

    impl Visitor for Tags {
        type Tags = [Option<String>; 3];
        type Movetext = ();
        type Output = [Option<String>; 3];

        fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
            ControlFlow::Continue([None, None, None])
        }

        fn tag(
            &mut self,
            tags: &mut Self::Tags,
            name: &[u8],
            value: RawTag<'_>,
        ) -> ControlFlow<Self::Output> {
            let index = [&b"White"[..], b"Black", b"Result"]
                .iter()
                .position(|known| *known == name);
            if let Some(index) = index {
                tags[index] = Some(value.decode_utf8_lossy().trim().to_owned());
            }
            ControlFlow::Continue(())
        }

        fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, Self::Movetext> {
            ControlFlow::Break(tags)
        }

        fn end_game(&mut self, (): Self::Movetext) -> Self::Output {
            [None, None, None]
        }
    }

    pub(super) fn games(bytes: &[u8]) -> Vec<[Option<String>; 3]> {
        Reader::new(bytes)
            .read_games(&mut Tags)
            .map(|game| game.unwrap())
            .collect()
    }
}

#[test]
fn the_same_games_as_pgn_reader_finds() {
    let Ok(folder) = std::env::var("VIDMAR_DATA") else {
        println!("skipped: VIDMAR_DATA is not set");
        return;
    };
    let mut compared = 0;
    for entry in std::fs::read_dir(std::path::Path::new(&folder).join("pgn/speed")).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        let theirs = by_pgn_reader::games(&bytes);
        let mut reader = ResultReader::new(&bytes[..]);
        for game in &theirs {
            let record = reader.next_record().unwrap().unwrap();
            let [white, black, result] = game.each_ref().map(|tag| tag.as_deref().unwrap_or_default());
            let ours = Outcome::text(record.result);
            assert_eq!((&*record.white, &*record.black, ours), (white, black, result));
            compared += 1;
        }
        assert!(reader.next_record().unwrap().is_none());
    }
    assert!(compared > 1000, "{compared} games");
}
