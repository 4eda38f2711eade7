//! `vidmar openings make` from the outside, and the openings that it made for the program itself.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use vidmar_chess::{Game, Position, Score};
use vidmar_engine::{Control, FlagshipSettings, FlagshipThinker, Limits, Thinker as _};
use vidmar_formats::openings::{BuiltIn, Candidates, Opening, Source};

fn make(arguments: &[&str], file: &str) -> (assert_cmd::assert::Assert, Option<String>) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(file);
    let assert = Command::cargo_bin("vidmar")
        .expect("the binary is built")
        .args(["openings", "make"])
        .args(arguments)
        .arg("-o")
        .arg(&path)
        .assert();
    (assert, std::fs::read_to_string(path).ok())
}

fn openings(text: &str) -> Vec<Opening> {
    // Every line is a record: other match runners take it for one.
    text.lines()
        .map(|line| {
            let (epd, warnings) = vidmar_formats::epd::parse_line(line).expect("a record");
            assert!(warnings.is_empty(), "{warnings:?}");
            Opening::from_epd(&epd).expect("an opening")
        })
        .collect()
}

/// The command that the first record tells; in the lists inside the program, a line of its own before it.
fn told(text: &str) -> String {
    let first = text.lines().next().expect("a line");
    if let Some(command) = first.strip_prefix("# ") {
        return command.to_owned();
    }
    let (epd, _) = vidmar_formats::epd::parse_line(first).expect("a record");
    epd.text("c0").expect("a comment").to_owned()
}

#[test]
fn the_same_openings_for_any_number_of_threads() {
    let arguments = [
        "--plies", "6", "--count", "20", "--bound", "40", "--depth", "3", "--seed", "5",
    ];
    let made = |threads| {
        let (assert, text) = make(&[&arguments[..], &["--threads", threads]].concat(), "o.epd");
        assert.success();
        text.expect("a file")
    };
    let one = made("1");
    assert_eq!(one, made("3"));
    let list = openings(&one);
    assert_eq!(list.len(), 20);
    for opening in &list {
        assert_eq!(opening.moves.len(), 6);
        let score = opening.score.expect("a score");
        assert!(score.centipawns.abs() <= 40 && score.depth == 3);
    }
    assert_eq!(
        told(&one),
        "vidmar openings make --plies 6 --count 20 --bound 40 --depth 3 --seed 5"
    );
}

#[test]
fn games_have_the_same_moves_as_records() {
    let arguments = ["--plies", "4", "--count", "5", "--depth", "2", "--bound", "100"];
    let (assert, epd) = make(&arguments, "o.epd");
    assert.success();
    let (assert, pgn) = make(&arguments, "o.pgn");
    assert.success();
    let text = pgn.expect("a file");
    let games: Vec<_> = vidmar_formats::pgn::Reader::new(text.as_bytes())
        .games()
        .map(|game| game.expect("a game").moves().flatten().collect::<Vec<_>>())
        .collect();
    let records: Vec<_> = openings(&epd.expect("a file"))
        .into_iter()
        .map(|opening| opening.moves)
        .collect();
    assert_eq!(games, records);
}

#[test]
fn what_cannot_be_is_said() {
    let (assert, text) = make(
        &["--plies", "1", "--count", "21", "--depth", "1", "--bound", "1000"],
        "o.epd",
    );
    assert.code(2).stderr(contains("only 20 of 21 openings found"));
    assert_eq!(text, None);
    let (assert, _) = make(&["--start", "8/8/8/8/8/8/8/8 w - - 0 1"], "o.epd");
    assert.code(2).stderr(contains("--start"));
    let (assert, _) = make(&["--book", "nowhere.bin"], "o.epd");
    assert.code(2).stderr(contains("nowhere.bin"));
}

fn random() -> &'static [Opening] {
    BuiltIn::Random.openings()
}

/// The arguments that the first line of the built-in file tells.
fn recorded(list: BuiltIn) -> Vec<String> {
    let command = told(list.text());
    let arguments = command.strip_prefix("vidmar openings make ");
    let words = arguments.expect("the command").split(' ');
    words.map(str::to_owned).collect()
}

/// The same with another count.
fn recorded_but(list: BuiltIn, count: &str) -> Vec<String> {
    let mut arguments = recorded(list);
    let at = arguments.iter().position(|word| word == "--count");
    count.clone_into(&mut arguments[at.expect("a count") + 1]);
    arguments
}

fn argument<T: std::str::FromStr>(name: &str) -> T {
    let words = recorded(BuiltIn::Random);
    let index = words.iter().position(|word| word == name).expect("an argument");
    words[index + 1].parse().ok().expect("a number")
}

#[test]
fn the_random_openings_are_lines_of_their_seed_in_their_order() {
    let mut lines = Candidates::new(
        Source::Random,
        Position::default(),
        argument("--plies"),
        argument("--seed"),
    );
    for opening in random() {
        assert!(
            lines.any(|line| line.moves == opening.moves),
            "{} is not a line of the seed, or not in its place",
            opening.uci()
        );
    }
    assert_eq!(random().len(), argument::<usize>("--count"));
}

/// As below, for the openings of matches.
#[test]
fn the_command_makes_the_openings_of_matches_again() {
    let arguments = recorded_but(BuiltIn::Book, "6");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (assert, text) = make(&arguments, "o.epd");
    assert.success();
    let again = openings(&text.expect("a file"));
    let book = BuiltIn::Book.openings();
    let same = again
        .iter()
        .filter(|made| book[..12].iter().any(|kept| kept.moves == made.moves));
    assert!(same.count() >= 3, "{again:?}");
    assert!(again.iter().all(|opening| !opening.name.is_empty()));
}

#[test]
fn the_lists_are_written_for_other_match_runners() {
    let folder = tempfile::tempdir().expect("a folder");
    let export = |words: &[&str]| {
        let mut command = Command::cargo_bin("vidmar").expect("the binary is built");
        command
            .current_dir(folder.path())
            .args(["openings", "export"])
            .args(words)
            .assert()
    };
    export(&["-o", "book.pgn"]).success();
    export(&["-o", "book.epd"]).success();
    let read = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect(name);
    let book = BuiltIn::Book.openings();
    assert_eq!(openings(&read("book.epd")), book);
    let text = read("book.pgn");
    let games: Vec<_> = vidmar_formats::pgn::Reader::new(text.as_bytes())
        .games()
        .map(|game| game.expect("a game"))
        .collect();
    assert_eq!(games.len(), book.len());
    for (game, opening) in games.iter().zip(book) {
        assert_eq!(game.moves().flatten().collect::<Vec<_>>(), opening.moves);
        let tag = |name| game.tags.get(name).unwrap_or_default();
        assert_eq!(format!("{} {}", tag("ECO"), tag("Opening")), opening.name);
    }
    export(&["--eco", "b9", "-o", "najdorf.epd"]).success();
    let najdorf = openings(&read("najdorf.epd"));
    assert!(!najdorf.is_empty() && najdorf.iter().all(|opening| opening.name.starts_with("B9")));
    export(&["--eco", "F"])
        .code(2)
        .stderr(contains("--eco F: there is no such opening in the list book"));
    export(&["--list", "random"])
        .success()
        .stdout(contains("c0 \"vidmar openings export --list random\";"))
        .stdout(predicates::str::starts_with("#").not());
}

/// The set stays as it is while the engine learns, so that games from it can be compared. A score near the bound may
/// have crossed it since: some of the first openings may differ (another seed would make none of them), and a score made
/// anew may lie somewhat beyond.
#[test]
fn the_command_makes_the_random_openings_again() {
    let arguments = recorded_but(BuiltIn::Random, "24");
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let (assert, text) = make(&arguments, "o.epd");
    assert.success();
    let again = openings(&text.expect("a file"));
    let same = again
        .iter()
        .filter(|opening| random()[..30].iter().any(|kept| kept.moves == opening.moves))
        .count();
    assert!(same >= 12, "only {same} of 24 were made again");
    let mut thinker = FlagshipThinker::new(FlagshipSettings {
        hash: 1,
        ..FlagshipSettings::default()
    });
    let bound: i32 = argument("--bound");
    let scores: Vec<i32> = random()
        .iter()
        .step_by(random().len() / 40)
        .map(|opening| {
            thinker.new_game();
            let game = Game::new(opening.end());
            let limits = Limits::depth(argument("--depth"));
            match thinker.think(&game, &limits, &Control::new(), &mut |_| {}).score {
                Score::Centipawns(centipawns) => centipawns.abs(),
                mate @ Score::Mate(_) => panic!("{mate} after {}", opening.uci()),
            }
        })
        .collect();
    let mean = scores.iter().sum::<i32>() / scores.len() as i32;
    assert!(mean <= bound, "{scores:?}");
    assert!(scores.iter().all(|&score| score <= 3 * bound), "{scores:?}");
}
