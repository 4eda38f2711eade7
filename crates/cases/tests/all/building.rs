//! Case bases from PGN: names, broken games, and the same result for any number of threads.

use vidmar_cases::{BuildError, CaseBase, PlayerName, build, most_frequent_player};
use vidmar_chess::Color;

fn expert() -> PlayerName {
    PlayerName::new("Vidmar,M").expect("it is right")
}

fn game(white: &str, black: &str, moves: &str) -> String {
    format!("[Event \"E\"]\n[Date \"1927.02.20\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\n{moves} *\n\n")
}

fn file(name: &str, text: &str) -> (String, Vec<u8>) {
    (name.to_owned(), text.as_bytes().to_vec())
}

#[test]
fn names_are_told_with_their_games() {
    let one = game("Vidmar,M", "Nimzowitsch,A", "1. d4 Nf6 2. Nf3")
        + &game("Alekhine,A", "Vidmar, Milan", "1. d4 d5 2. c4 e6")
        + &game("Spielmann,R", "Marshall,F", "1. e4 e5");
    let two = game("Milan Vidmar", "Vidmar,J", "1. c4 c5") + &game("Vidmar,J", "Marshall,F", "1. d4 d5");
    let (base, report) = build(&[file("one", &one), file("two", &two)], &expert()).unwrap();
    assert_eq!((report.games, base.games().len(), report.both_sides), (5, 3, 0));
    let names: Vec<_> = report.names.keys().map(String::as_str).collect();
    assert_eq!(names, ["Milan Vidmar", "Vidmar, Milan", "Vidmar,M"]);
    assert_eq!(
        (report.games_with(Color::White), report.games_with(Color::Black)),
        (2, 1)
    );
    // 1. d4, 2. Nf3 and 1. c4 with White; 1... d5 and 2... e6 with Black.
    assert_eq!(
        (base.list(Color::White).len(), base.list(Color::Black).len()),
        (3, 2)
    );
    assert_eq!(base.list(Color::Black).solution(1).to_string(), "e7e6");
    let family = PlayerName::new("Vidmar").unwrap();
    let (_, report) = build(&[file("two", &two)], &family).unwrap();
    assert_eq!(report.both_sides, 1);
}

#[test]
fn a_player_who_is_not_there_is_an_error_that_helps() {
    let text = game("Alekhine,A", "Marshall,F", "1. d4 d5") + &game("Marshall,F", "Spielmann,R", "1. e4 e5");
    let error = build(&[file("one", &text)], &expert()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "no game of 'Vidmar,M' among 2 games (most frequent there: Marshall,F; Alekhine,A; Spielmann,R)"
    );
    for nothing in ["", "no game at all", "\n\n"] {
        let error = build(&[file("one", nothing)], &expert()).unwrap_err();
        assert!(matches!(error, BuildError::NoSuchPlayer { .. }), "{nothing:?}");
    }
    assert_eq!(
        most_frequent_player(text.as_bytes()).as_deref(),
        Some("Marshall,F")
    );
    assert_eq!(most_frequent_player(b""), None);
}

#[test]
fn a_broken_game_costs_that_game_only_and_has_its_place() {
    let good = game("Vidmar,M", "X", "1. d4 d5 2. c4");
    let bad = game("Vidmar,M", "X", "1. d4 d5 2. Qxd5");
    let others = game("Y", "X", "1. d4 Qxd5");
    let text = format!("{good}{others}{bad}{good}");
    let (base, report) = build(&[file("one", &text)], &expert()).unwrap();
    // The other player's broken game is not even read.
    assert_eq!((base.games().len(), report.games, report.broken.len()), (2, 4, 1));
    let (name, error) = &report.broken[0];
    assert_eq!((name.as_str(), error.game, error.location.line), ("one", 3, 20));
}

/// A file of several pieces.
fn large_file() -> String {
    let mut text = String::new();
    for number in 0..12_000 {
        let moves = [
            "1. d4 d5 2. c4 e6 3. Nc3 Nf6",
            "1. e4 c5 2. Nf3 d6",
            "1. c4 Nf6 2. Nc3 g6 3. Ke5",
        ][number % 3];
        text += &match number % 4 {
            0 => game("Vidmar,M", "Somebody", moves),
            1 => game("Somebody", "Vidmar,Milan", moves),
            _ => game("Somebody", "Else", moves),
        };
    }
    text
}

#[test]
fn threads_do_not_matter_and_neither_do_pieces() {
    let text = large_file();
    assert!(text.len() > 1 << 20, "{}", text.len());
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| build(&[file("large", &text)], &expert()).unwrap())
    };
    let (base, report) = with_threads(1);
    let (other, other_report) = with_threads(3);
    assert_eq!(base.to_bytes(), other.to_bytes());
    assert_eq!(report, other_report);
    // Game by game, each a file of its own.
    let single: Vec<_> = text
        .split("\n\n[Event")
        .enumerate()
        .map(|(index, part)| {
            if index == 0 {
                file("x", part)
            } else {
                file("x", &format!("[Event{part}"))
            }
        })
        .collect();
    let (one_by_one, counted) = build(&single, &expert()).unwrap();
    assert_eq!(one_by_one.to_bytes(), base.to_bytes());
    assert_eq!(
        (counted.games, counted.broken.len()),
        (report.games, report.broken.len())
    );
    let last = &report.broken.last().unwrap().1;
    let line = text.lines().nth(last.location.line as usize - 1).unwrap();
    assert!(line.contains("Ke5"), "{line}");
    let read = CaseBase::from_bytes(&base.to_bytes()).unwrap();
    assert_eq!(read.len(), base.len());
}

/// The experts of a data folder like that of `VIDMAR_DATA`, against what its README says of them.
#[test]
fn experts_of_the_data_folder() {
    let Some(folder) = std::env::var_os("VIDMAR_DATA").map(std::path::PathBuf::from) else {
        println!("skipped: VIDMAR_DATA is not set");
        return;
    };
    for (name, fide, games, white, elo) in [
        ("1994-spanton.pgn", "404802", 203, 102, 1994.1),
        ("2101-miladinovic.pgn", "942553", 236, 118, 2100.3),
        ("2211-lyell.pgn", "402354", 511, 253, 2212.3),
        ("2320-szeberenyi.pgn", "710466", 345, 171, 2319.1),
        ("2430-arkell.pgn", "400270", 502, 250, 2433.4),
        ("2535-malakhatko.pgn", "14104202", 576, 295, 2534.8),
        ("2645-fedorchuk.pgn", "14102536", 689, 350, 2644.1),
    ] {
        let bytes = std::fs::read(folder.join("experts").join(name)).expect("the data folder has it");
        let by_name = PlayerName::new(&most_frequent_player(&bytes).unwrap()).unwrap();
        let files = [(name.to_owned(), bytes)];
        let (base, report) = build(&files, &by_name).unwrap();
        assert_eq!(
            (base.games().len(), report.games_with(Color::White)),
            (games, white),
            "{name}"
        );
        assert!((base.mean_elo().unwrap() - elo).abs() < 0.051, "{name}");
        let by_fide = build(&files, &PlayerName::new(fide).unwrap());
        assert!(
            by_fide.is_ok_and(|(base, _)| base.games().len() <= games),
            "{name}"
        );
        assert!(report.broken.is_empty());
    }
}
