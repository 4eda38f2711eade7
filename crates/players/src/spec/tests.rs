//! What a specification is and is not, as text and as data.

use super::*;
use crate::table::PLAYER_TYPES;

fn message(text: &str) -> String {
    text.parse::<PlayerSpec>().expect_err(text).to_string()
}

#[test]
fn specifications_are_written_as_they_are_read() {
    for text in [
        "engine",
        "engine:depth=6",
        "engine:nodes=8000,eval=fitted,hash=16,elo=1800,seed=4",
        "engine:movetime=100,multipv=2",
        "search:algorithm=mtdf,board=0x88,depth=4,quiescence=on,table=two-level,null-move=r3",
        "search:ordering=table,mvv-lva,killers,depth=2,eval=full,vector=fitted",
        "search:algorithm=flagship,eval=full,table-mib=4,nodes=5000",
        "evolve:genes=6,generations=200,chromosomes=3,seed=1",
        "evolve:preset=improved,strategy=alternating,fitness=leaf,eval=full,nodes=50000",
        "random:seed=1,name=chance",
        "uci:cmd=/usr/games/stockfish,args=--x \"a b\",option.Hash=16,option.Move Overhead=10",
        "xboard:cmd=phalanx,dir=/tmp",
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        assert_eq!(spec.to_string(), text);
    }
    let spec: PlayerSpec = "random:name=chance".parse().unwrap();
    assert_eq!(spec.name(), "chance");
    assert_eq!(spec.player().unwrap().name(), "chance");
}

#[test]
fn a_command_is_written_as_it_is_read() {
    let command = EngineCommand {
        directory: Some("/a,b".into()),
        ignores_unknown_options: true,
        ..EngineCommand::new("/x y/z")
            .argument("-a")
            .argument("it's \"b c\"")
            .argument("")
            .option("Some File", "p=q,r=s")
    };
    let spec = PlayerSpec::external(Protocol::Uci, &command, None);
    let text = spec.to_string();
    let again: PlayerSpec = text.parse().unwrap();
    assert_eq!(again, spec, "{text}");
    assert_eq!(again.command().unwrap(), command);
}

#[test]
fn data_is_read_as_it_is_written_and_held_against_the_table() {
    for text in [
        "engine:nodes=8000,eval=fitted,hash=16,elo=1800,seed=4",
        "search:ordering=table,mvv-lva,killers,depth=2,quiescence=off",
        "evolve:preset=improved,genes=4",
        "uci:cmd=/usr/games/stockfish,option.Hash=16,name=a b",
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        let json = serde_json::to_string(&spec).unwrap();
        let again: PlayerSpec = serde_json::from_str(&json).unwrap();
        assert_eq!((again.to_string().as_str(), &again), (text, &spec), "{json}");
    }
    let spec = serde_json::to_value("engine:depth=6,eval=guess".parse::<PlayerSpec>().unwrap()).unwrap();
    let expected = serde_json::json!({"type": "engine", "settings": {"depth": 6, "eval": "guess"}});
    assert_eq!(spec, expected);
    for (json, expected) in [
        (
            r#"{"type": "engin"}"#,
            "unknown player 'engin'; did you mean 'engine'?",
        ),
        (
            r#"{"type": "engine", "settings": {"hash": 0}}"#,
            "hash: '0' is not a number",
        ),
        (
            r#"{"type": "engine", "settings": {"hash": "16"}}"#,
            "hash: '16' is not a number",
        ),
        (
            r#"{"type": "random", "settings": {"hash": 1}}"#,
            "random: unknown setting 'hash'",
        ),
        (r#"{"type": "random", "options": {}}"#, "unknown field `options`"),
    ] {
        let error = serde_json::from_str::<PlayerSpec>(json).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn vectors_are_part_of_the_data() {
    let vector = vidmar_eval::Vector::guess();
    let spec = PlayerSpec::of("engine").unwrap();
    let spec = spec.with("eval", vector.values().as_slice()).unwrap();
    let again: PlayerSpec = spec.to_string().parse().unwrap();
    assert_eq!(again, spec);
    let short = PlayerSpec::of("engine").unwrap().with("eval", [1, 2].as_slice());
    assert!(short.unwrap_err().to_string().contains("numbers"));
    let named: PlayerSpec = "engine:eval=guess".parse().unwrap();
    let answer = |spec: &PlayerSpec| {
        let mut player = spec.player().unwrap();
        player.new_game(false, 1).unwrap();
        let limits = vidmar_engine::Limits::nodes(2000);
        let game = vidmar_chess::Game::default();
        let reply = player
            .choose(&game, &limits, &vidmar_engine::Control::new())
            .unwrap();
        (reply.best, reply.info.score, reply.info.nodes)
    };
    assert_eq!(answer(&spec), answer(&named));
}

#[test]
fn an_option_by_its_uci_name_is_the_same_setting() {
    let read = |text: &str| text.parse::<PlayerSpec>();
    assert_eq!(read("engine:option.MultiPV=2"), read("engine:multipv=2"));
    assert_eq!(read("evolve:option.genes=3"), read("evolve:genes=3"));
    assert_eq!(message("engine:hash=1,option.Hash=1"), "hash is set twice");
    assert_eq!(message("engine:clear-hash=on").split(' ').nth(1), Some("unknown"));
}

#[test]
fn a_choice_that_needs_a_switch_switches_it_on() {
    let keys = |text: &str| -> Vec<(&str, String)> {
        let spec: PlayerSpec = text.parse().unwrap();
        let choices = spec.in_order().into_iter();
        choices.map(|(key, value)| (key, value.to_string())).collect()
    };
    let limited = [("limit-strength", "on".to_owned()), ("elo", "1500".to_owned())];
    assert_eq!(keys("engine:elo=1500"), limited);
    assert_eq!(keys("engine:limit-strength=on,elo=1500"), limited);
    assert_eq!(keys("evolve:genes=2,preset=improved")[0].0, "preset");
}

#[test]
fn errors_name_the_token_and_what_was_expected() {
    for (text, expected) in [
        (
            "random:sede=1",
            "random: unknown setting 'sede'; did you mean 'seed'? (known: name, seed)",
        ),
        ("engine:depth=0", "depth: '0' is not a number from 1 to 100"),
        ("engine:elo=9", "elo: '9' is not a number from 1000 to 2800"),
        ("engine:depth", "'depth': expected KEY=VALUE"),
        (
            "engine:eval=fited",
            "eval: unknown vector 'fited' (did you mean 'fitted'?)",
        ),
        (
            "engine:option.Hsh=1",
            "option.Hsh: no such option; did you mean 'Hash'?",
        ),
        ("cbr:", "cbr: cases is missing (expected cases=FILE)"),
        ("cbr:k=0,cases=x", "k: '0' is not a number from 1 to 10000"),
        ("evolve:fitness=best", "fitness: 'best' is not one of sum, leaf"),
        ("uci:", "uci: cmd is missing (expected cmd=PATH)"),
        ("uci:cmd=x,args=\"", "args: a quote is not closed in '\\\"'"),
        (
            "search:threads=2",
            "search: 2 threads without a way to share the work (expected parallel ybwc or lazy)",
        ),
        (
            "search:eval=simple,vector=fitted",
            "search: the evaluation simple has no parameters, and vector says some (expected eval full or chances)",
        ),
        (
            "search:table=none,algorithm=flagship",
            "table: flagship does not honour table (it honours eval, table-mib, multipv, parallel, threads, tablebases, parameters, techniques)",
        ),
        (
            "search:algorithm=flagship,board=0x88",
            "board: flagship does not honour board (it honours eval, table-mib, multipv, parallel, threads, tablebases, parameters, techniques)",
        ),
    ] {
        assert_eq!(message(text), expected);
    }
    let known: Vec<&str> = PLAYER_TYPES.iter().map(|row| row.key).collect();
    assert_eq!(
        message("egnine:depth=6"),
        format!(
            "unknown player 'egnine'; did you mean 'engine'? (known: {})",
            known.join(", ")
        )
    );
    let misspelt = message("search:algorithm=mtd");
    assert!(
        misspelt.starts_with("algorithm: 'mtd' is not one of minimax, "),
        "{misspelt}"
    );
    assert!(misspelt.ends_with(" (did you mean 'mtdf'?)"), "{misspelt}");
}

/// What the row of a setting belongs to is not there: it would change nothing.
#[test]
fn what_has_no_effect_is_refused_by_name() {
    for (text, expected) in [
        (
            "random:depth=3",
            "random: unknown setting 'depth' (known: name, seed)",
        ),
        (
            "cbr:cases=x,depth=3",
            "cbr: depth has no effect with filter=off, when it answers at once",
        ),
        (
            "cbr:cases=x,filter-depth=3",
            "cbr: filter-depth has no effect with filter=off",
        ),
        ("cbr:cases=x,penalty=0.5", "cbr: penalty has no effect with k=1"),
        (
            "search:table=none,table-mib=64",
            "search: table-mib has no effect with table=none",
        ),
        (
            "search:parallel=ybwc",
            "search: parallel has no effect with threads=1",
        ),
        (
            "engine:own-book=on",
            "engine: own-book has no effect without book",
        ),
        (
            "engine:best-book-move=on",
            "engine: best-book-move has no effect without book",
        ),
        (
            "engine:book-seed=3",
            "engine: book-seed has no effect without book",
        ),
        (
            "engine:parallel=ybwc",
            "engine: parallel has no effect with threads=1",
        ),
        (
            "engine:seed=3",
            "engine: seed has no effect with limit-strength=off",
        ),
        (
            "engine:elo=1200,limit-strength=off",
            "engine: elo has no effect with limit-strength=off",
        ),
        (
            "engine:elo=1200,analyse=on",
            "engine: elo has no effect with analyse=on",
        ),
        (
            "engine:limit-strength=on,analyse=on",
            "engine: limit-strength has no effect with analyse=on",
        ),
        (
            "engine:elo=1200,syzygy=endings",
            "engine: syzygy has no effect with limit-strength=on",
        ),
        (
            "engine:limit-strength=on,tablebases=endings",
            "engine: tablebases has no effect with limit-strength=on",
        ),
    ] {
        assert_eq!(message(text), expected);
    }
    for text in [
        "search:table=none",
        "search:table=none,table-mib=16",
        "engine:own-book=off",
        "engine:parallel=ybwc,threads=2",
        "engine:elo=1200,seed=3",
        "engine:limit-strength=on,seed=3",
        "engine:analyse=on,limit-strength=off",
        "evolve:depth=3",
        "engine:hash=1,depth=2",
    ] {
        assert_eq!(text.parse::<PlayerSpec>().map(drop), Ok(()), "{text}");
    }
}

#[test]
fn who_ends_by_itself_needs_no_limit() {
    let needs = |text: &str| text.parse::<PlayerSpec>().expect(text).needs_limit();
    for (text, expected) in [
        ("random", false),
        ("evolve", false),
        ("evolve:generations=5", false),
        ("evolve:generations=0", true),
        ("evolve:preset=improved", true),
        ("evolve:preset=improved,generations=9", false),
        ("engine", true),
        ("engine:nodes=5", false),
        ("search", true),
    ] {
        assert_eq!(needs(text), expected, "{text}");
    }
    assert!(!PlayerSpec::of("cbr").expect("a row").needs_limit());
    let after_a_book = |then: &str| {
        let book = PlayerSpec::of("book").expect("a row");
        book.with_text("then", then).expect("a player")
    };
    for (then, expected) in [("engine", true), ("engine:depth=1", false), ("random", false)] {
        assert_eq!(after_a_book(then).needs_limit(), expected, "{then}");
    }
    assert_eq!(after_a_book("engine").threads(), 1);
    assert_eq!(after_a_book("engine:threads=4").threads(), 4);
}

/// A button has no value: it is none of what could have been meant.
#[test]
fn a_word_is_not_taken_for_itself() {
    let error = message("engine:clear-hash=1");
    assert!(
        error.starts_with("engine: unknown setting 'clear-hash'"),
        "{error}"
    );
    assert!(
        !error.contains("did you mean 'clear-hash'") && !error.contains(", clear-hash,"),
        "{error}"
    );
}

#[test]
fn a_vector_and_the_evaluation_that_it_is_for_are_given_in_any_order() {
    for text in [
        "search:vector=fitted,eval=full",
        "search:eval=chances,vector=fitted",
    ] {
        let spec: PlayerSpec = text.parse().unwrap();
        assert_eq!(spec.check(), Ok(()), "{text}");
    }
}

#[test]
fn a_file_without_cases_makes_no_player() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), vidmar_cases::CaseBase::default().to_bytes()).unwrap();
    let error = message(&format!("cbr:cases={}", file.path().display()));
    assert!(error.contains("holds no cases"), "{error}");
}

#[test]
fn what_cannot_be_repeated_says_why() {
    let why = |text: &str| text.parse::<PlayerSpec>().unwrap().unrepeatable();
    assert_eq!(why("engine:depth=3"), None);
    assert_eq!(
        why("engine:depth=3,threads=2"),
        Some("it thinks in several threads")
    );
    assert_eq!(why("engine:movetime=50"), Some("it has a limit of time"));
    assert_eq!(
        why("search:parallel=ybwc,threads=4,depth=3"),
        Some("it thinks in several threads")
    );
    assert_eq!(why("random:seed=3"), None);
    assert_eq!(
        why("uci:cmd=stockfish,depth=3"),
        Some("it is a program of somebody else")
    );
    let learning = PlayerSpec::of("cbr").unwrap().with("learn", "session").unwrap();
    assert_eq!(learning.unrepeatable(), Some("it learns from game to game"));
    assert_eq!(PlayerSpec::of("cbr").unwrap().unrepeatable(), None);
}
