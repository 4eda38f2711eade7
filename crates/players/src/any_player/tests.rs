//! Who thinks, and by which settings.

use vidmar_chess::{Move, Score};
use vidmar_engine::settings::find_option;
use vidmar_eval::Vector;
use vidmar_eval::parameters::{PARAMETERS, find};

use super::*;

#[test]
fn an_algorithm_of_the_laboratory_thinks_in_the_engines_place() {
    let mut player = AnyPlayer::default();
    let algorithm = find_option(player.settings(), "Algorithm")
        .expect("the option is offered")
        .clone();
    let value = algorithm.read("mtdf").expect("a word of the table");
    player.set(&algorithm.key, &value).expect("it is set");
    assert_eq!(player.key(), SEARCH);
    let game = Game::new(Position::default());
    let thought = player.think(&game, &Limits::depth(3), &Control::new(), &mut |_| {});
    assert!(thought.best.is_some());
    player
        .set(BOARD, &"0x88".into())
        .expect("mtdf plays on every board");
    let flagship = algorithm
        .read(Algorithm::Flagship.name())
        .expect("a word of the table");
    let refused = player
        .set(&algorithm.key, &flagship)
        .expect_err("not on that board");
    assert!(
        refused.to_string().contains("flagship does not honour board"),
        "{refused}"
    );
    player.set(BOARD, &"bitboard".into()).expect("its own");
    player.set(&algorithm.key, &flagship).expect("it is set");
    assert!(player.other().is_none());
    assert!(player.set(BOARD, &"0x88".into()).is_err());
    // And in the laboratory itself, where a setting is refused once the algorithm is chosen.
    player.set("search:algorithm", &flagship).expect("it is set");
    let refused = player
        .set("search:null-move", &"r2".into())
        .expect_err("it has its own");
    assert!(
        refused.to_string().contains("flagship does not honour null-move"),
        "{refused}"
    );
}

#[test]
fn no_two_options_have_the_same_name_and_each_reaches_its_player() {
    let mut player = AnyPlayer::default();
    let rows = player.settings().to_vec();
    for (index, row) in rows.iter().enumerate() {
        let same = |other: &Setting| other.uci.eq_ignore_ascii_case(&row.uci) || other.key == row.key;
        assert_eq!(rows.iter().position(same), Some(index), "{}", row.uci);
        let value = row.default_value().unwrap_or(Value::Switch(true));
        assert_eq!(player.set(&row.key, &value), Ok(()), "{}", row.uci);
    }
}

fn set(player: &mut AnyPlayer, option: &str, text: &str) -> Result<(), String> {
    let row = find_option(player.settings(), option).expect(option).clone();
    let value = row.read(text).map_err(|error| error.to_string())?;
    player.set(&row.key, &value).map_err(|error| error.to_string())
}

fn think(player: &mut AnyPlayer, game: &Game, limits: &Limits) -> (Thought, Vec<Info>) {
    let mut told = Vec::new();
    let thought = player.think(game, limits, &Control::new(), &mut |info| told.push(info.clone()));
    (thought, told)
}

/// Whichever is set first, the refusal says whose the parameters are and where those of the algorithm are chosen.
#[test]
fn parameters_of_the_flagship_are_refused_with_the_options_that_are_meant() {
    let expected = "the parameters of EvalFile are the flagship's; mtdf has its own evaluation \
                    (expected Search Evaluation and Search Vector)";
    let mut player = AnyPlayer::default();
    assert_eq!(set(&mut player, "Algorithm", "mtdf"), Ok(()));
    let error = set(&mut player, "EvalFile", "fitted").expect_err("not its own");
    assert!(error.ends_with(expected), "{error}");
    for (option, value) in [("Search Evaluation", "full"), ("Search Vector", "fitted")] {
        assert_eq!(set(&mut player, option, value), Ok(()), "{option}");
    }
    let mut player = AnyPlayer::default();
    assert_eq!(set(&mut player, "EvalFile", "fitted"), Ok(()));
    let error = set(&mut player, "Algorithm", "mtdf").expect_err("not its own");
    assert!(error.ends_with(expected), "{error}");
}

/// What has no effect on who thinks, and what has, whichever is set first.
#[test]
fn what_was_set_for_another_player_is_without_effect() {
    let without = |options: &[(&str, &str)]| {
        let mut player = AnyPlayer::default();
        for (option, value) in options {
            assert_eq!(set(&mut player, option, value), Ok(()), "{option}");
        }
        player.without_effect()
    };
    let nothing: [&str; 0] = [];
    assert_eq!(
        without(&[("MultiPV", "3"), ("Hash", "64"), ("Threads", "2")]),
        nothing
    );
    assert_eq!(
        without(&[("Player", "random"), ("Algorithm", "mtdf"), ("UCI_Elo", "1200")]),
        [
            "option Algorithm has no effect: the player random does not honour it",
            "option UCI_Elo has no effect: the player random does not honour it",
        ]
    );
    assert_eq!(
        without(&[("Evolve Genes", "4")]),
        ["option Evolve Genes has no effect: the player engine does not honour it"]
    );
    assert_eq!(without(&[("Player", "evolve"), ("Evolve Genes", "4")]), nothing);
    // As it was at first it says nothing.
    assert_eq!(
        without(&[("Player", "random"), ("MultiPV", "3"), ("MultiPV", "1")]),
        nothing
    );
    // The laboratory shares some, as a player and as an algorithm in the engine's place.
    for choice in [("Player", "search"), ("Algorithm", "pvs")] {
        assert_eq!(
            without(&[
                choice,
                ("Hash", "64"),
                ("Threads", "2"),
                ("ParallelSearch", "ybwc")
            ]),
            nothing
        );
    }
    let elo = without(&[
        ("Player", "random"),
        ("UCI_Elo", "1200"),
        ("Algorithm", "mtdf"),
        ("Player", "engine"),
    ]);
    assert!(
        elo.len() == 1 && elo[0].starts_with("option UCI_Elo has no effect: mtdf does not honour elo"),
        "{elo:?}"
    );
    // And what belongs to another option.
    for (options, expected) in [
        (
            &[("OwnBook", "true")] as &[_],
            "OwnBook has no effect without BookFile",
        ),
        (
            &[("ParallelSearch", "ybwc")],
            "ParallelSearch has no effect with Threads=1",
        ),
        (
            &[("UCI_Elo", "1200")],
            "UCI_Elo has no effect with UCI_LimitStrength=off",
        ),
        (
            &[("Strength Seed", "5")],
            "Strength Seed has no effect with UCI_LimitStrength=off",
        ),
        (
            &[("UCI_AnalyseMode", "true"), ("UCI_LimitStrength", "true")],
            "UCI_LimitStrength has no effect with UCI_AnalyseMode=on",
        ),
        (
            &[("Player", "cbr"), ("Cbr FilterDepth", "6")],
            "Cbr FilterDepth has no effect with Cbr Filter=off",
        ),
    ] {
        assert_eq!(without(options), [format!("option {expected}")]);
    }
}

/// Everybody who thinks, by what chooses him.
fn everybody() -> Vec<(&'static str, String)> {
    let mut all: Vec<(&str, String)> = Algorithm::ALL
        .iter()
        .map(|algorithm| ("Algorithm", algorithm.to_string()))
        .collect();
    all.extend([("Player", "random".to_owned()), ("Player", "evolve".to_owned())]);
    all
}

/// The engine goes by its net, and an algorithm by its own evaluation.
#[test]
fn parameters_of_the_hand_crafted_evaluation_need_it() {
    for parameter in PARAMETERS.iter().step_by(40) {
        let other = Value::Integer(i64::from(Vector::default().get(parameter.name).expect("known")) + 1);
        let mut player = AnyPlayer::default();
        let error = player.set(parameter.name, &other).expect_err("a net evaluates");
        assert!(error.to_string().contains("a net evaluates"), "{error}");
        player.set("eval", &"tuned".into()).expect("a name");
        assert_eq!(player.set(parameter.name, &other), Ok(()));
        let mut player = AnyPlayer::default();
        player.set(ALGORITHM, &"mtdf".into()).expect("a name");
        let error = player.set(parameter.name, &other).expect_err("not its own");
        assert!(error.to_string().contains("mtdf does not honour"), "{error}");
    }
}

/// Every option of the engine holds for an algorithm in its place or is refused by name, whichever is set first.
#[test]
fn options_of_the_engine_hold_for_an_algorithm_or_are_refused_by_name() {
    let rows = AnyPlayer::default().settings().to_vec();
    let of_the_engine = rows
        .iter()
        .filter(|row| !row.key.contains(':') && ![PLAYER, ALGORITHM, BOARD].contains(&row.key.as_ref()))
        .filter(|row| matches!(row.kind, Kind::Integer { .. } | Kind::Switch { .. }))
        .filter(|row| find(&row.key).is_err());
    let mut refused = Vec::new();
    for row in of_the_engine {
        let value = match row.kind {
            Kind::Integer { default, max, .. } => Value::Integer(max.min(default + 1)),
            _ => Value::Switch(row.default_value() == Some(Value::Switch(false))),
        };
        let (mut first, mut second) = (AnyPlayer::default(), AnyPlayer::default());
        assert_eq!(first.set(ALGORITHM, &"mtdf".into()), Ok(()));
        let before = first.set(&row.key, &value);
        assert_eq!(second.set(&row.key, &value), Ok(()), "{}", row.uci);
        let after = second.set(ALGORITHM, &"mtdf".into());
        assert_eq!(before.is_ok(), after.is_ok(), "{}", row.uci);
        if let (Err(before), Err(after)) = (before, after) {
            for error in [before, after] {
                let words = format!("mtdf does not honour {}", row.key);
                assert!(error.to_string().contains(&words), "{error}");
            }
            refused.push(row.uci.as_ref());
            assert_eq!(second.algorithm, Algorithm::Flagship, "nothing has changed");
            // As at first it may be set to what it is.
            let usual = row.default_value().expect("a default");
            assert_eq!(first.set(&row.key, &usual), Ok(()), "{}", row.uci);
        }
    }
    for name in [
        "MultiPV",
        "UCI_LimitStrength",
        "UCI_Elo",
        "SyzygyProbeDepth",
        "null_base",
    ] {
        assert!(refused.contains(&name), "{name}");
    }
    for name in [
        "Hash",
        "Threads",
        "OwnBook",
        "Best Book Move",
        "Book Seed",
        "UCI_AnalyseMode",
    ] {
        assert!(!refused.contains(&name), "{name}");
    }
}

#[test]
fn threads_and_hash_reach_the_algorithm() {
    let nodes = |threads: &str| {
        let mut player = AnyPlayer::default();
        set(&mut player, "Algorithm", "pvs").expect("an algorithm");
        set(&mut player, "Threads", threads).expect("threads");
        assert_eq!(player.check(), Ok(()));
        think(&mut player, &Game::default(), &Limits::depth(7)).0.nodes
    };
    // One thread always visits the same nodes. Four that share the work do not, as soon as one of the three that help comes in
    // time: on a busy machine that takes several searches.
    let alone = nodes("1");
    assert_eq!(nodes("1"), alone);
    assert!(
        (0..200).any(|_| nodes("4") != alone),
        "nobody helps the one thread"
    );
    let full = |hash: &str| {
        let mut player = AnyPlayer::default();
        set(&mut player, "Algorithm", "pvs").expect("an algorithm");
        set(&mut player, "Hash", hash).expect("a size");
        let told = think(&mut player, &Game::default(), &Limits::depth(5)).1;
        told.last().expect("an iteration").hashfull
    };
    assert!(full("1") > full("64"), "{} and {}", full("1"), full("64"));
}

/// A book of the start position with e2e4 and d2d4.
fn book(folder: &std::path::Path) -> String {
    let spec = crate::book::trials(folder).remove(0);
    let path = spec.split(['=', ',']).nth(1).expect("a path");
    path.to_owned()
}

#[test]
fn the_book_stands_above_everybody() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = book(folder.path());
    let e4 = Position::default().parse_uci("e2e4").ok();
    for (option, word) in everybody() {
        let mut player = AnyPlayer::default();
        set(&mut player, option, &word).expect("a choice");
        for (option, value) in [
            ("BookFile", path.as_str()),
            ("OwnBook", "true"),
            ("Best Book Move", "true"),
        ] {
            set(&mut player, option, value).expect(option);
        }
        let depth = Limits::depth(2);
        let (thought, told) = think(&mut player, &Game::default(), &depth);
        assert_eq!((thought.best, thought.nodes, told.len()), (e4, 0, 0), "{word}");
        let reasons = player.explanation().expect("reasons").to_string();
        assert_eq!(
            reasons, "from the opening book, the heaviest move: e4 3, d4 1",
            "{word}"
        );
        // Not where another move is asked for, nor in an analysis.
        let a3 = Position::default().parse_uci("a2a3").expect("legal");
        let among = Limits {
            search_moves: vec![a3],
            ..depth.clone()
        };
        assert_eq!(
            think(&mut player, &Game::default(), &among).0.best,
            Some(a3),
            "{word}"
        );
        assert!(
            !matches!(player.explanation(), Some(Explanation::Book(_))),
            "{word}"
        );
        set(&mut player, "UCI_AnalyseMode", "true").expect("a switch");
        think(&mut player, &Game::default(), &depth);
        assert!(
            !matches!(player.explanation(), Some(Explanation::Book(_))),
            "{word}"
        );
    }
}

#[test]
fn tablebases_at_the_root_stand_above_everybody() {
    let folder = tempfile::tempdir().expect("a folder");
    let never = std::sync::atomic::AtomicBool::new(false);
    vidmar_tablebases::make(folder.path(), 3, &never, |_, _| {}).expect("writable");
    // The rook is attacked.
    let game = Game::new("8/8/8/8/8/4k3/3R4/K7 w - - 0 1".parse().expect("legal"));
    let tables = vidmar_tablebases::Tablebases::new(
        vidmar_tablebases::Library::open(folder.path()).expect("made"),
        None,
    );
    let legal: Vec<Move> = game.position().legal_moves().to_vec();
    let kept = tables
        .keeping(game.position(), &legal, false)
        .expect("three pieces")
        .moves;
    assert!(kept.len() < legal.len(), "some moves lose the rook");
    for (option, word) in everybody() {
        let mut player = AnyPlayer::default();
        set(&mut player, option, &word).expect("a choice");
        set(&mut player, "BasesPath", &folder.path().display().to_string()).expect("a folder");
        let (thought, told) = think(&mut player, &game, &Limits::depth(2));
        assert!(thought.best.is_some_and(|m| kept.contains(&m)), "{word}");
        assert_eq!(thought.score, Score::Centipawns(20_000), "{word}");
        for info in told {
            assert!(
                info.tbhits > 0 && info.score == Some(Score::Centipawns(20_000)),
                "{word}: {info:?}"
            );
        }
    }
}

/// A player of limited strength does without them, and says so as long as its strength is limited.
#[test]
fn a_weaker_player_names_the_tablebases_that_it_does_without() {
    let folder = tempfile::tempdir().expect("a folder");
    let never = std::sync::atomic::AtomicBool::new(false);
    vidmar_tablebases::make(folder.path(), 3, &never, |_, _| {}).expect("writable");
    let mut player = AnyPlayer::default();
    let mut noted = |option: &str, text: &str| {
        set(&mut player, option, text).expect("an option");
        let notes = player.without_effect();
        notes
            .iter()
            .any(|note| note.contains("option BasesPath has no effect with UCI_LimitStrength=on"))
    };
    assert!(!noted("BasesPath", &folder.path().display().to_string()));
    assert!(noted("UCI_LimitStrength", "true"));
    assert!(!noted("UCI_AnalyseMode", "true"), "at full strength");
    assert!(noted("UCI_AnalyseMode", "false"));
    assert!(!noted("Player", "random"), "at its root they hold");
}

#[test]
fn a_player_that_lacks_what_it_needs_does_not_pretend() {
    let folder = tempfile::tempdir().expect("a folder");
    for row in PLAYER_TYPES
        .iter()
        .filter(|row| matches!(row.build, Build::BuiltIn(_)))
    {
        let mut player = AnyPlayer::default();
        set(&mut player, "Player", row.key).expect("a player");
        match row.required().next() {
            None => assert_eq!(player.check(), Ok(()), "{}", row.key),
            Some((needed, _)) => {
                let reason = player.check().expect_err(row.key);
                let option = offered::option_of(row, needed);
                assert!(
                    reason.contains(&format!("setoption name {option} value FILE")),
                    "{reason}"
                );
                let spec = (row.trials)(folder.path()).remove(0);
                let spec: crate::PlayerSpec = spec.parse().expect("a trial");
                let file = spec.chosen(&needed.key).expect("a file").to_string();
                set(&mut player, &option, &file).expect("a file");
                assert_eq!(player.check(), Ok(()), "{}", row.key);
                set(&mut player, &option, "").expect("none again");
                assert!(player.check().is_err(), "{}", row.key);
            }
        }
    }
}
