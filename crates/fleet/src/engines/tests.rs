use vidmar_players::PlayerSpec;

use super::*;
use crate::protocol::WirePlayer;

fn spec(text: &str) -> PlayerSpec {
    text.parse().unwrap()
}

/// A file to be known by.
fn program(folder: &tempfile::TempDir, name: &str, contents: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, contents).unwrap();
    path.display().to_string()
}

#[test]
fn built_in_players_go_as_they_are_unless_they_read_files() {
    for text in [
        "engine:depth=3,hash=1,eval=guess",
        "random:seed=1",
        "search:algorithm=mtdf,depth=2",
    ] {
        let wire = to_wire(&spec(text)).unwrap();
        assert_eq!(wire.engine, None);
        assert_eq!(Offered::default().admit(&wire).unwrap(), spec(text));
    }
    let folder = tempfile::tempdir().unwrap();
    let vector = program(&folder, "vector.txt", "PawnValueOpening=90\n");
    let error = to_wire(&spec(&format!("engine:eval={vector}")))
        .unwrap_err()
        .to_string();
    assert!(error.contains("eval=") && error.contains("is a file"), "{error}");
    // As a stranger could write it: nothing is opened before it is refused.
    for (key, path) in [
        ("syzygy", "/tables"),
        ("book", "/book.bin"),
        ("eval", "/etc/passwd"),
    ] {
        let json = format!(r#"{{"spec": {{"type": "engine", "settings": {{"{key}": "{path}"}}}}}}"#);
        let wire: WirePlayer = serde_json::from_str(&json).unwrap();
        let error = Offered::default().admit(&wire).unwrap_err().to_string();
        assert!(
            error.contains("is a file, and files stay on their machine"),
            "{error}"
        );
    }
}

#[test]
fn programs_go_without_their_commands() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(&folder, "gnuchess", "one");
    let wire = to_wire(&spec(&format!(
        "uci:cmd={path},args=--uci,option.Hash=16,depth=4,name=GNU"
    )))
    .unwrap();
    let json = serde_json::to_string(&wire).unwrap();
    assert!(!json.contains(&path) && !json.contains("cmd"), "{json}");
    let engine = wire.engine.clone().unwrap();
    assert_eq!(
        (engine.name.as_str(), engine.arguments.as_str()),
        ("gnuchess", "--uci")
    );
    // The worker's own command, the task's own options.
    let elsewhere = program(&folder, "elsewhere", "one");
    let offered = |text: String| Offered::from(vec![text.parse().unwrap()]);
    let made = offered(format!("gnu={elsewhere} --uci")).admit(&wire).unwrap();
    assert_eq!(made.chosen("cmd").unwrap().to_string(), elsewhere);
    assert_eq!(made.chosen("args").unwrap().to_string(), "--uci");
    assert_eq!(made.chosen("option.Hash").unwrap().to_string(), "16");
    assert_eq!(made.name(), "GNU");
    let error = |offered: Offered| offered.admit(&wire).unwrap_err().to_string();
    assert!(error(Offered::default()).contains("is not offered here"));
    assert!(
        error(offered(format!("gnuchess={elsewhere}")))
            .contains("is started with '' here, and with '--uci' by the run")
    );
    let other = program(&folder, "other", "two");
    let told = error(offered(format!("gnuchess={other} --uci")));
    assert!(told.contains("is wanted, and gnuchess"), "{told}");
}

#[test]
fn options_that_could_name_files_stay_at_home() {
    let folder = tempfile::tempdir().unwrap();
    let path = program(&folder, "engine", "one");
    for option in [
        "option.Debug Log File=x",
        "option.SyzygyPath=x",
        "option.Contempt=../x",
        "option.Anything=/etc/passwd",
        "option.Anything=a\\\\b",
    ] {
        let text = format!("uci:cmd={path},{option}");
        let error = to_wire(&spec(&text)).unwrap_err().to_string();
        assert!(error.contains("could name a file"), "{error}");
    }
    let newline = spec(&format!("uci:cmd={path}"))
        .with("option.Hash", "1\nquit")
        .unwrap();
    assert!(matches!(to_wire(&newline), Err(EngineError::Option { .. })));
    let started = to_wire(&spec(&format!("uci:cmd={path},initstr=setoption")));
    assert!(matches!(started, Err(EngineError::Owners { .. })), "{started:?}");
    assert!(matches!(
        to_wire(&spec("uci:cmd=no-such-engine-here")),
        Err(EngineError::NoProgram(_))
    ));
}

#[test]
fn classes_are_what_is_needed() {
    let engine = |name: &str| EngineRef {
        name: name.to_owned(),
        sha256: "00".to_owned(),
        arguments: String::new(),
    };
    let (a, b) = (engine("a"), engine("b"));
    let both = class_of([&a, &b].into_iter());
    assert_eq!(both, class_of([&b, &a, &b].into_iter()));
    assert_ne!(both.name, class_of([&a].into_iter()).name);
    assert!(both.name.starts_with("with-"));
    assert!(Offered::default().fits(&both).is_err());
    assert!(Offered::default().fits(&class_of(std::iter::empty())).is_ok());
}

#[test]
fn offers_name_what_is_wrong_with_them() {
    for wrong in ["", "stockfish", "=x", "a=", "a='"] {
        assert!(
            matches!(wrong.parse::<OfferedEngine>(), Err(EngineError::Offer(_))),
            "{wrong}"
        );
    }
    let missing = "a=/no/such/program".parse::<OfferedEngine>().unwrap_err();
    assert_eq!(missing.to_string(), "the program /no/such/program is not there");
}
