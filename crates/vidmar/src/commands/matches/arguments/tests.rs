use std::time::Duration;

use vidmar_arena::{OpeningPolicy, Tournament};

use super::row::Idle;
use super::*;

fn read_text(line: &str) -> anyhow::Result<CommandLine> {
    let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
    read(&split(&words)?)
}

fn settings(line: &str) -> CommandLine {
    read_text(line).unwrap_or_else(|error| panic!("{line}: {error:#}"))
}

fn message(line: &str) -> String {
    format!("{:#}", read_text(line).expect_err(line))
}

/// The example of fastchess's manual.
#[test]
fn a_line_written_for_fastchess() {
    let settings = settings(
        "-engine cmd=Engine1.exe name=Engine1 option.Threads=1 nodes=2000000 \
         -engine cmd=Engine2.exe name=Engine2 option.Threads=2 nodes=1000000 \
         -openings file=UHO_Lichess_4852_v1.epd format=epd order=random \
         -each tc=300+5 -resign movecount=3 score=600 -draw movenumber=34 movecount=8 score=20 \
         -sprt elo0=0 elo1=2 alpha=0.05 beta=0.05 \
         -rounds 100000 -concurrency 3 -pgnout notation=san nodes=true file=./games/sprt.pgn",
    );
    assert_eq!(settings.engines.len(), 2);
    let second = &settings.engines[1];
    assert_eq!(second.command.as_deref(), Some("Engine2.exe"));
    assert_eq!(second.options, [("Threads".to_owned(), "2".to_owned())]);
    assert_eq!(second.limits().base, Some(Duration::from_mins(5)));
    assert_eq!(second.limits().nodes, Some(1_000_000));
    assert_eq!((settings.plan().rounds, settings.plan().games), (100_000, 2));
    assert_eq!(settings.concurrency().get(), 3);
    let rule = settings.rules.resign.expect("a rule");
    assert_eq!((rule.moves, rule.score, rule.two_sided), (3, 600, false));
    let rule = settings.rules.draw.expect("a rule");
    assert_eq!((rule.from_move, rule.moves, rule.score), (34, 8, 20));
    assert_eq!(settings.sprt().unwrap().expect("a test").hypotheses(), (0.0, 2.0));
    let pgn = settings.pgn.as_ref().expect("a file");
    assert!(pgn.nodes && !pgn.plain && pgn.file.ends_with("sprt.pgn"));
    assert!(
        settings
            .openings()
            .unwrap()
            .is_some_and(|openings| openings.random)
    );
    assert!(settings.notes.is_empty());
}

/// A line as cutechess-cli has it, down to its ways of saying nothing.
#[test]
fn a_line_written_for_cutechess() {
    let settings = settings(
        "-engine cmd=a proto=xboard arg=-x arg=y restart=on -engine cmd=b dir=/tmp timemargin=50 whitepov \
         -each tc=40/60+0.6 -rounds 10 -games 2 -repeat -recover -wait 10 -ratinginterval 0 -srand 7 \
         -pgnout out.pgn min -epdout end.epd -tournament gauntlet -event Test -site Here -maxmoves 200 -noswap -debug",
    );
    let [first, second] = settings.engines.as_slice() else {
        panic!("two engines");
    };
    assert_eq!(first.xboard, Some(true));
    assert_eq!(first.arguments, ["-x", "y"]);
    assert_eq!((first.restart, second.restart), (Some(true), None));
    assert_eq!(second.limits().margin, Duration::from_millis(50));
    assert_eq!(second.limits().moves, Some(40));
    assert_eq!(settings.plan().openings, OpeningPolicy::Games(2));
    assert_eq!(settings.plan().tournament, Tournament::Gauntlet { seeds: 1 });
    assert!(!settings.plan().swap && settings.seed == 7);
    assert!(settings.pgn.is_some_and(|pgn| pgn.plain));
    assert_eq!(settings.notes.len(), 3, "{:?}", settings.notes);
}

#[test]
fn an_engine_overrides_each() {
    let settings = settings(
        "-engine cmd=a option.Hash=1 tc=1+1 -engine player=random name=r -each cmd=x option.Hash=2 option.Threads=3 tc=2 nodes=9",
    );
    let options: Vec<&str> = settings.engines[0]
        .options
        .iter()
        .map(|(_, value)| value.as_str())
        .collect();
    assert_eq!(options, ["3", "1"]);
    assert_eq!(settings.engines[0].limits().base, Some(Duration::from_secs(1)));
    assert_eq!(settings.engines[0].limits().nodes, Some(9));
    assert_eq!(settings.engines[1].player.as_deref(), Some("random"));
    assert_eq!(settings.engines[1].command, None);
}

#[test]
fn what_is_not_understood_is_named() {
    for (line, expected) in [
        (
            "-concurency 4",
            "unknown argument '-concurency'; did you mean '-concurrency'?",
        ),
        (
            "-xyzzy",
            "unknown argument '-xyzzy' ('vidmar match --help' lists them)",
        ),
        (
            "games",
            "'games': expected an argument such as -engine ('vidmar match --help' lists them)",
        ),
        (
            "-engine cmdd=x",
            "unknown key of -engine 'cmdd'; did you mean 'cmd'?",
        ),
        ("-engine cmd", "-engine: 'cmd': expected KEY=VALUE"),
        ("-engine", "-engine: expected KEY=VALUE"),
        (
            "-engine tc=fast",
            "-engine tc: 'fast' is not a time control: expected [MOVES/]TIME[+INCREMENT], for example 40/60, 2+0.02 or inf",
        ),
        ("-engine st=-1", "-engine st: '-1': expected a number of seconds"),
        (
            "-engine nodes=0",
            "-engine nodes: '0': expected a whole number, 1 or more",
        ),
        (
            "-engine ponder=on",
            "-engine ponder: thinking on the opponent's time is not supported: expected off",
        ),
        ("-engine option.=1", "-engine option.: expected option.NAME=VALUE"),
        (
            "-engine proto=ucci",
            "-engine proto: 'ucci': did you mean 'uci'? (expected uci, xboard)",
        ),
        ("-rounds", "-rounds: expected N"),
        (
            "-rounds many",
            "-rounds: 'many': expected a whole number, 1 or more",
        ),
        (
            "-concurrency 4000",
            "-concurrency: '4000': expected a whole number from 1 to 1024",
        ),
        ("-rounds 3 4", "-rounds: unexpected '4'"),
        ("-rounds -3", "-rounds: '-3': expected a whole number, 1 or more"),
        ("-noswap yes", "-noswap: unexpected 'yes'"),
        ("-sprt elo0=0", "-sprt: expected elo0=ELO and elo1=ELO"),
        (
            "-sprt elo0=5 elo1=0",
            "-sprt: elo0 is 5 and elo1 is 0: expected elo0 below elo1",
        ),
        (
            "-sprt elo0=0 elo1=5 model=logistics",
            "-sprt model: 'logistics': did you mean 'logistic'? (expected normalized, logistic, bayesian)",
        ),
        (
            "-resign movecount=3",
            "-resign: score is missing (expected score=CENTIPAWNS)",
        ),
        (
            "-openings format=epd",
            "-openings: file is missing (expected file=FILE)",
        ),
        (
            "-openings file=x format=fen",
            "-openings format: 'fen': expected epd, pgn, bin",
        ),
        (
            "-tbpieces 5",
            "-tbpieces, -tbignore50 and -tbadjudicate need -tb PATHS",
        ),
        ("-seeds 2", "-seeds is for -tournament gauntlet"),
        (
            "-tournament swiss",
            "-tournament: 'swiss': expected roundrobin, round-robin, gauntlet, knockout",
        ),
        (
            "--faults forgive",
            "--faults: 'forgive': expected loss, replay, drop",
        ),
        (
            "-pgnout notation=uci file=x",
            "-pgnout notation: 'uci': expected san",
        ),
        ("--compliance", "--compliance: expected the command of an engine"),
    ] {
        assert_eq!(message(line), expected, "{line}");
    }
    let words = ["-engine".to_owned(), "args=\"a b".to_owned()];
    let error = split(&words)
        .and_then(|arguments| read(&arguments))
        .expect_err("open");
    assert_eq!(
        format!("{error:#}"),
        "-engine args: a quote is not closed in '\\\"a b'"
    );
}

/// Every row takes what its shape says.
#[test]
fn every_row_is_read() {
    for row in ROWS {
        let words: Vec<String> = match row.shape {
            Shape::Flag(_) | Shape::Idle(Idle::Nothing) => Vec::new(),
            Shape::Word(..) | Shape::MaybeWord(..) | Shape::Words(..) | Shape::Idle(_) => {
                vec!["1".to_owned()]
            }
            Shape::Keys(group) => group.help().iter().map(|key| format!("{}=1", key.name)).collect(),
        };
        // A value may be wrong, but not the number of words.
        if let Err(error) = read(&[Argument { row, words }]) {
            let error = format!("{error:#}");
            assert!(!error.contains("unexpected"), "{}: {error}", row.name);
        }
    }
}

#[test]
fn everything_behind_compliance_is_the_engines() {
    let settings = settings("--compliance ./engine -x --y 1");
    assert_eq!(
        settings.compliance.expect("a command"),
        ["./engine", "-x", "--y", "1"]
    );
}

/// Lines of known and unknown words in any order are read or refused, without a panic.
#[test]
fn any_line_is_read_or_refused() {
    let mut words: Vec<String> = [
        "", "-", "--", "=", "1", "-1", "1e999", "file=", "tc=:", "tc=/+", "option.=", "é=ü", "\"", "x=\"",
        "nan",
    ]
    .map(str::to_owned)
    .to_vec();
    for row in ROWS {
        words.push(row.name.to_owned());
        if let Shape::Keys(group) = row.shape {
            for value in ["", "0", "1", "true", "999999999999999999999", "-3", "1+1"] {
                words.extend(group.help().iter().map(|key| format!("{}={value}", key.name)));
            }
        }
    }
    let mut rng = vidmar_rng::Rng::new(1, b"anywords", 0, 0);
    let mut understood = 0;
    for _ in 0..20_000 {
        let line: Vec<String> = (0..rng.below(8))
            .filter_map(|_| rng.pick(&words).cloned())
            .collect();
        understood += u32::from(split(&line).and_then(|arguments| read(&arguments)).is_ok());
    }
    assert!(understood > 100, "{understood}");
}
