//! Whole collections: replayed, compared with pgn-reader and shakmaty, written and read again.

#![allow(clippy::unwrap_used)]

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use crate::data_folder::{data_folder, files};
use pgn_reader::{RawTag, SanPlus, Skip};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess, EnPassantMode};
use vidmar_formats::pgn::{Game, Reader, Writer};

/// File and games, as the description of the data counts them.
const COUNTS: [(&str, usize); 11] = [
    ("experts/1994-spanton.pgn", 203),
    ("experts/2101-miladinovic.pgn", 236),
    ("experts/2211-lyell.pgn", 511),
    ("experts/2320-szeberenyi.pgn", 345),
    ("experts/2430-arkell.pgn", 502),
    ("experts/2535-malakhatko.pgn", 576),
    ("experts/2645-fedorchuk.pgn", 689),
    ("pgn/speed/lichess-1000k.pgn", 438),
    ("pgn/speed/twic1335.pgn", 4609),
    ("pgn/speed/twic1427.pgn", 4687),
    ("pgn/speed/twic1599-1000k.pgn", 1110),
];

/// The last position of every game, as others see it.
struct LastPositions;

impl pgn_reader::Visitor for LastPositions {
    type Tags = Chess;
    type Movetext = Chess;
    type Output = String;

    fn begin_tags(&mut self) -> ControlFlow<String, Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn tag(&mut self, start: &mut Chess, name: &[u8], value: RawTag<'_>) -> ControlFlow<String> {
        if name == b"FEN" {
            let fen = Fen::from_ascii(value.as_bytes()).unwrap();
            *start = fen.into_position(CastlingMode::Chess960).unwrap();
        }
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, start: Chess) -> ControlFlow<String, Chess> {
        ControlFlow::Continue(start)
    }

    fn begin_variation(&mut self, _: &mut Chess) -> ControlFlow<String, Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<String> {
        let m = san.san.to_move(position).unwrap();
        shakmaty::Position::play_unchecked(position, m);
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, last: Chess) -> String {
        Fen::from_position(&last, EnPassantMode::Legal).to_string()
    }
}

fn check(path: &Path, expected: usize) {
    let bytes = std::fs::read(path).unwrap();
    let games: Vec<Game> = Reader::new(&bytes[..])
        .games()
        .map(|game| game.unwrap_or_else(|error| panic!("{}: {error}", path.display())))
        .collect();
    assert_eq!(games.len(), expected, "{}", path.display());

    let mut other = pgn_reader::Reader::new(&bytes[..]);
    for game in &games {
        let theirs = other.read_game(&mut LastPositions).unwrap();
        assert_eq!(
            Some(game.last_position().to_string()),
            theirs,
            "{}",
            path.display()
        );
    }

    for width in [79, 0] {
        let mut writer = Writer::new(Vec::new()).with_width(width);
        for game in &games {
            writer.write(game).unwrap();
        }
        let written = writer.into_inner();
        if width > 0 {
            let long = str::from_utf8(&written)
                .unwrap()
                .lines()
                .find(|line| !line.starts_with('[') && line.chars().count() > width);
            assert_eq!(long, None);
        }
        let mut again = Reader::new(&written[..]).games();
        for game in &games {
            assert_eq!(again.next().unwrap().as_ref().unwrap(), game);
        }
        assert!(again.next().is_none());
    }
}

#[test]
fn collections_read_right_and_survive_writing() {
    let Some(folder) = data_folder("collections of games") else {
        return;
    };
    let mut found: Vec<PathBuf> = files(&folder.join("experts"), "pgn");
    found.extend(files(&folder.join("pgn/speed"), "pgn"));
    assert_eq!(found.len(), COUNTS.len());
    for (path, (name, games)) in found.iter().zip(COUNTS) {
        assert!(path.ends_with(name), "{}", path.display());
        check(path, games);
    }
}
