//! Files that other readers' authors collected because something in them is odd.

#![allow(clippy::unwrap_used)]

use crate::data_folder::{data_folder, files};
use vidmar_formats::pgn::{Fault, Game, PgnError, Reader, Writer};

/// File, games that read well, games that are refused or reported.
const EXPECTED: [(&str, usize, usize); 43] = [
    ("anastasian-lewis.pgn", 1, 0),
    ("antichess-programfox.pgn", 0, 2),
    ("chessbase-empty-line.pgn", 1, 0),
    ("chessops-headers-and-moves-on-the-same-line.pgn", 0, 3),
    ("chessops-leading-whitespace.pgn", 4, 0),
    ("chessops-pathological-headers.pgn", 1, 0),
    ("cutechess-fischerrandom.pgn", 4, 0),
    ("kasparov-deep-blue-1997.pgn", 6, 0),
    ("knightvuillaume-jannlee-zh-lichess.pgn", 0, 1),
    ("molinari-bordais-1979.pgn", 1, 0),
    ("nepomniachtchi-liren-game1.pgn", 1, 0),
    ("pgn-parser-32games.pgn", 32, 0),
    ("pgn-parser-benko.pgn", 2, 0),
    ("pgn-parser-lichess_mliebelt_2024-01-03.pgn", 8, 0),
    ("pgn-parser-sampleGameThrow.pgn", 0, 1),
    ("pychess-3fold.pgn", 2, 0),
    ("pychess-50.pgn", 1, 0),
    ("pychess-50halfmoves.pgn", 1, 0),
    ("pychess-a.pgn", 1, 0),
    ("pychess-annotated.pgn", 1, 0),
    ("pychess-atomic.pgn", 0, 10),
    ("pychess-b.pgn", 1, 0),
    ("pychess-badpgn.pgn", 0, 1),
    ("pychess-bilbao.pgn", 1, 0),
    ("pychess-black.pgn", 1, 0),
    ("pychess-c.pgn", 1, 0),
    ("pychess-chess960rwch.pgn", 20, 0),
    ("pychess-d.pgn", 1, 0),
    ("pychess-draw.pgn", 1, 0),
    ("pychess-e.pgn", 1, 0),
    ("pychess-f.pgn", 1, 0),
    ("pychess-fenSetup.pgn", 1, 0),
    ("pychess-insufficient_material.pgn", 1, 0),
    ("pychess-mate.pgn", 1, 0),
    ("pychess-material.pgn", 1, 0),
    ("pychess-promotion.pgn", 1, 0),
    ("pychess-threefold.pgn", 1, 0),
    ("pychess-world_matches.pgn", 580, 0),
    ("saturs-jannlee-zh-lichess.pgn", 0, 1),
    ("stockfish-learning.pgn", 1, 0),
    ("sunfish-pgns.pgn", 278, 0),
    ("uci-moves.pgn", 1, 0),
    ("utf8-bom.pgn", 2, 0),
];

#[test]
fn every_edge_file_reads_as_its_description_says() {
    let Some(folder) = data_folder("edge cases of PGN") else {
        return;
    };
    let found = files(&folder.join("pgn/edge"), "pgn");
    assert_eq!(found.len(), EXPECTED.len());
    let mut wrong = Vec::new();
    for (path, (name, good, bad)) in found.iter().zip(EXPECTED) {
        assert_eq!(path.file_name().unwrap(), name);
        let bytes = std::fs::read(path).unwrap();
        let (games, errors): (Vec<_>, Vec<_>) = Reader::new(&bytes[..]).games().partition(Result::is_ok);
        if (games.len(), errors.len()) != (good, bad) {
            let games = games.len();
            wrong.push(format!(
                "{name}: {games} games instead of {good}, {errors:?} of {bad}"
            ));
        }
        for error in &errors {
            let Err(PgnError::Game(error)) = error else {
                panic!("{name}: {error:?}");
            };
            let variant = matches!(error.fault, Fault::Variant(_));
            let other = ["pgn-parser-sampleGameThrow.pgn", "pychess-badpgn.pgn"].contains(&name);
            assert!(variant != other, "{name}: {error}");
        }
        let games: Vec<Game> = games.into_iter().map(Result::unwrap).collect();
        let mut writer = Writer::new(Vec::new());
        for game in &games {
            writer.write(game).unwrap();
        }
        let written = writer.into_inner();
        let again: Vec<Game> = Reader::new(&written[..]).games().map(Result::unwrap).collect();
        assert_eq!(again, games, "{name}");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn odd_things_are_where_they_should_be() {
    let Some(folder) = data_folder("details of odd PGN files") else {
        return;
    };
    let first = |name: &str| {
        let bytes = std::fs::read(folder.join("pgn/edge").join(name)).unwrap();
        Reader::new(&bytes[..]).games().next().unwrap()
    };
    let null = first("anastasian-lewis.pgn").unwrap();
    assert_eq!(null.moves().filter(Option::is_none).count(), 1);

    let headers = first("chessops-pathological-headers.pgn").unwrap();
    let values: Vec<&str> = headers.tags.iter().map(|(_, value)| value).collect();
    let expected = [
        r#"b""#,
        r#"b""#,
        "A]]",
        "A]][",
        r#""A]][""#,
        r#""A]]["\"#,
        r#""]"#,
    ];
    assert_eq!(values, expected);

    let scores = first("stockfish-learning.pgn").unwrap();
    let engine = scores.main.plies[3].comments[0].annotations().engine.unwrap();
    assert_eq!((engine.depth, engine.time.unwrap().as_secs()), (31, 48));

    let error = first("pgn-parser-sampleGameThrow.pgn").unwrap_err();
    assert_eq!(
        error.to_string(),
        "game 1 (line 2, column 13, byte 105): 'Sf3' is not a move in algebraic notation"
    );

    let annotated = first("pychess-annotated.pgn").unwrap();
    let variations: Vec<usize> = annotated
        .main
        .plies
        .iter()
        .map(|ply| ply.variations.len())
        .collect();
    assert_eq!(variations, [0, 0, 1, 2, 0]);
    assert_eq!(annotated.main.comments[0].as_str(), "Initial main line comment");
}
