//! What graphical interfaces and match runners hold a UCI engine to.

use std::time::Duration;

use crate::pipe::{Talk, after};
use vidmar_chess::{Game, Move, Position};
use vidmar_engine::settings::{Setting, SettingError, Value, find_option};
use vidmar_engine::uci::{ServeError, ServerSettings};
use vidmar_engine::{Control, FlagshipThinker, Info, Limits, Thinker, Thought};

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn best_move(line: &str) -> &str {
    after(line, "bestmove").expect("a best move")
}

fn count(lines: &[String], beginning: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(beginning)).count()
}

#[test]
fn introduces_itself() {
    let talk = Talk::new();
    talk.say("uci");
    let lines = talk.hear_until("uciok");
    assert!(lines[0].starts_with("id name Vidmar"));
    assert!(lines[1].starts_with("id author"));
    for name in [
        "Hash",
        "Threads",
        "Clear Hash",
        "MultiPV",
        "Ponder",
        "Move Overhead",
        "UCI_Chess960",
        "UCI_LimitStrength",
        "UCI_Elo",
        "UCI_ShowWDL",
        "UCI_AnalyseMode",
        "EvalFile",
    ] {
        let wanted = format!("option name {name} type ");
        assert_eq!(count(&lines, &wanted), 1, "{name}");
    }
    assert!(lines.len() < 30, "the parameters are not shown unless asked for");
    talk.say("setoption name Parameters value true");
    talk.say("uci");
    let lines = talk.hear_until("uciok");
    assert_eq!(count(&lines, "option name KnightLine[3] type spin default"), 1);
    assert_eq!(
        count(&lines, "option name null_base type spin default 4 min 2 max 6"),
        1
    );
}

#[test]
fn every_default_is_a_value_that_can_be_set() {
    let talk = Talk::new();
    let offered = FlagshipThinker::all_settings()
        .iter()
        .filter(|row| !row.uci.is_empty());
    for row in offered {
        let text = row.to_string();
        let value = after(&text, "default").map_or(String::new(), |value| format!(" value {value}"));
        talk.say(&format!("setoption name {}{value}", row.uci));
        assert_eq!(talk.sync(), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn is_ready_at_once_while_thinking_and_answers_only_when_told() {
    let talk = Talk::new();
    talk.say("go infinite");
    talk.wait_for("info depth 3 ");
    for _ in 0..20 {
        let heard = talk.sync();
        assert_eq!(count(&heard, "bestmove"), 0);
    }
    talk.say("stop");
    talk.wait_for("bestmove");
    talk.say("stop");
    talk.say("ponderhit");
    assert_eq!(talk.sync(), Vec::<String>::new(), "nothing is said twice");
}

#[test]
fn a_finished_infinite_search_waits_for_stop() {
    for go in [
        "go infinite depth 1",
        "go ponder depth 1",
        "go infinite mate 1",
        "go ponder infinite nodes 5",
    ] {
        let talk = Talk::new();
        talk.say("position fen 6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1");
        talk.say(go);
        let early = talk.hear_for(Duration::from_millis(100));
        assert_eq!(count(&early, "bestmove"), 0, "{go}");
        talk.say("stop");
        talk.wait_for("bestmove");
    }
    // Without a legal move there is nothing to think about, and still no early answer.
    let talk = Talk::new();
    talk.say("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1");
    talk.say("go infinite");
    assert_eq!(talk.hear(), "info depth 0 score cp 0");
    assert_eq!(talk.hear_for(Duration::from_millis(100)), Vec::<String>::new());
    talk.say("stop");
    assert_eq!(talk.hear(), "bestmove 0000");
}

#[test]
fn one_best_move_for_every_go() {
    let talk = Talk::new();
    let gos = [
        "go depth 3",
        "go nodes 500",
        "go movetime 20",
        "go wtime 100 btime 100",
        "go wtime 50",
        "go btime 50",
        "go wtime 0 btime 0",
        "go wtime -10 btime -10",
        "go wtime 60 btime 60 movestogo 1",
        "go wtime 10 btime 10 winc 60000 binc 60000",
        "go depth 2 searchmoves a2a3 h2h3",
        "go depth zero",
        "go nodes 1",
        "go movetime 0",
        "go depth 1 nodes 1 movetime 1",
        "go depth 0",
    ];
    for go in gos {
        talk.say("ucinewgame");
        talk.say("position startpos");
        talk.say(go);
        let answer = talk.wait_for("bestmove");
        Position::default()
            .parse_uci(best_move(&answer))
            .expect("a legal move");
        assert_eq!(count(&talk.sync(), "bestmove"), 0, "{go}");
    }
}

#[test]
fn a_new_go_ends_the_search_before_it() {
    let talk = Talk::new();
    for _ in 0..5 {
        talk.say("go infinite");
    }
    talk.say("stop");
    for _ in 0..5 {
        talk.wait_for("bestmove");
    }
    assert_eq!(talk.sync(), Vec::<String>::new());
}

/// Whoever pipes thousands of questions in gets an answer to each, also after the end of input.
#[test]
fn thousands_of_searches_that_wait_are_all_answered() {
    const PAIRS: usize = 5_000;
    let talk = Talk::new();
    talk.bytes("go infinite\nstop\n".repeat(PAIRS).as_bytes());
    let (heard, ended) = talk.close();
    assert!(ended.is_ok());
    assert_eq!(count(&heard, "bestmove"), PAIRS);
}

#[test]
fn pondering_ends_with_the_hit() {
    let talk = Talk::new();
    talk.say("position startpos moves e2e4 e7e5");
    talk.say("go ponder wtime 300 btime 300");
    let early = talk.hear_for(Duration::from_millis(400));
    assert_eq!(count(&early, "bestmove"), 0, "the clock does not run yet");
    // From here on it does: what thought without end comes to one.
    talk.say("ponderhit");
    talk.wait_for("bestmove");
    // A hit at once leaves the clock to decide.
    talk.say("go ponder wtime 1000 btime 1000");
    talk.say("ponderhit");
    talk.wait_for("bestmove");
    assert_eq!(talk.sync(), Vec::<String>::new());
}

#[test]
fn lines_of_play_are_legal_and_scores_make_sense() {
    let talk = Talk::new();
    talk.say("setoption name MultiPV value 3");
    talk.say("setoption name UCI_ShowWDL value true");
    talk.say(&format!("position fen {KIWIPETE}"));
    talk.say("go depth 8");
    let lines = talk.hear_until("bestmove");
    let start: Position = KIWIPETE.parse().expect("legal");
    for depth in 1..=8 {
        for place in 1..=3 {
            let beginning = format!("info depth {depth} seldepth ");
            let found: Vec<&String> = lines
                .iter()
                .filter(|line| {
                    line.starts_with(&beginning) && after(line, "multipv") == Some(&place.to_string())
                })
                .collect();
            assert_eq!(found.len(), 1, "depth {depth}, line {place}");
            check_info(found[0], &start);
        }
    }
    let first = |place: &str| {
        let line = lines.iter().rfind(|line| after(line, "multipv") == Some(place));
        after(line.expect("shown"), "pv").expect("a move").to_owned()
    };
    assert_eq!(first("1"), best_move(&lines[lines.len() - 1]));
    assert_ne!(first("1"), first("2"));
}

fn check_info(line: &str, start: &Position) {
    let number = |word: &str| -> u64 {
        after(line, word)
            .and_then(|text| text.parse().ok())
            .unwrap_or_else(|| panic!("{word} in {line}"))
    };
    assert!(
        number("seldepth") >= 1 && number("nodes") > 0 && number("nps") > 0,
        "{line}"
    );
    assert!(
        number("hashfull") <= 1000 && number("tbhits") == 0 && number("time") < 60_000,
        "{line}"
    );
    let chances: Vec<u32> = line
        .split_whitespace()
        .skip_while(|&word| word != "wdl")
        .skip(1)
        .take(3)
        .map(|text| text.parse().expect("a number"))
        .collect();
    assert_eq!(chances.iter().sum::<u32>(), 1000, "{line}");
    let (_, moves) = line.split_once(" pv ").expect("a line of play");
    let mut now = start.clone();
    for text in moves.split_whitespace() {
        now.play(now.parse_uci(text).expect("a legal move"));
    }
}

#[test]
fn mates_are_counted_in_moves() {
    let talk = Talk::new();
    for (fen, mate) in [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "1"),
        ("7k/8/8/8/8/8/R7/1R4K1 w - - 0 1", "2"),
        ("k7/8/1K6/8/8/8/8/7R b - - 0 1", "-1"),
    ] {
        talk.say("ucinewgame");
        talk.say(&format!("position fen {fen}"));
        talk.say("go depth 8");
        let lines = talk.hear_until("bestmove");
        assert_eq!(after(&lines[lines.len() - 2], "mate"), Some(mate), "{fen}");
    }
    talk.say("position fen 7k/8/8/8/8/8/R7/1R4K1 w - - 0 1");
    talk.say("go mate 2");
    let lines = talk.hear_until("bestmove");
    assert_eq!(after(&lines[lines.len() - 2], "mate"), Some("2"));
    talk.say("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    talk.say("go depth 3");
    assert_eq!(
        talk.hear_until("bestmove"),
        ["info depth 0 score mate 0", "bestmove 0000"]
    );
}

#[test]
fn castling_is_written_as_the_option_says() {
    // Castling is mate.
    let fen = "5k2/3R4/8/8/8/8/8/4K2R w K - 0 1";
    let talk = Talk::new();
    for (option, castling) in [("false", "e1g1"), ("true", "e1h1")] {
        talk.say(&format!("setoption name UCI_Chess960 value {option}"));
        talk.say(&format!("position fen {fen}"));
        talk.say(&format!("go depth 2 searchmoves {castling}"));
        assert_eq!(best_move(&talk.wait_for("bestmove")), castling);
    }
    // Positions that only Chess960 has are read and answered in its notation, whatever the option says.
    talk.say("setoption name UCI_Chess960 value false");
    talk.say("position fen 4k3/8/8/8/8/8/8/5KR1 w G - 0 1 moves f1g1 e8e7");
    talk.say("d");
    let fen = talk.wait_for("Fen:");
    assert_eq!(fen, "Fen: 8/4k3/8/8/8/8/8/5RK1 w - - 2 2");
}

#[test]
fn junk_gets_one_line_and_nothing_else() {
    let talk = Talk::new();
    talk.say("position startpos moves e2e4");
    let long = "x".repeat(10_000);
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(500);
    let junk = [
        "flubber",
        "\0\0\0",
        "go\0",
        &long,
        "position",
        "position startpos moves e2e5",
        "position fen 9/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        &format!("position startpos moves {moves}e7e5"),
        "setoption",
        "setoption name",
        "setoption name Nonsense value 3",
        "setoption name Hash value many",
        "setoption name Hash value 0",
        "setoption name Hash value 99999999999999999999",
        "setoption name EvalFile value /no/such/file",
        "setoption name PawnValueOpening value 100000",
        "bench none",
        "ucci",
        "\u{202e}\u{7f}\t\u{1b}[2J",
    ];
    for line in junk {
        talk.say(line);
        let heard = talk.sync();
        assert_eq!(heard.len(), 1, "{line:.60}: {heard:?}");
        assert!(heard[0].starts_with("info string "), "{heard:?}");
        assert!(
            heard[0].len() < 300 && !heard[0].contains(char::is_control),
            "{heard:?}"
        );
    }
    talk.bytes(b"\xff\xfe\x00\n");
    assert_eq!(talk.sync().len(), 1);
    let mut overlong = vec![b'a'; 3 << 20];
    overlong.push(b'\n');
    talk.bytes(&overlong);
    assert_eq!(talk.sync().len(), 1);
    for quiet in [
        "",
        "   ",
        "\t",
        "\r",
        "stop",
        "ponderhit",
        "debug on",
        "register later",
    ] {
        talk.say(quiet);
        assert_eq!(talk.sync(), Vec::<String>::new(), "{quiet:?}");
    }
    // And the position is still the one from before.
    talk.say("d");
    assert!(talk.wait_for("Fen:").contains("/4P3/"));
    talk.say("go depth 1");
    talk.wait_for("bestmove");
}

#[test]
fn long_games_and_windows_line_ends_are_read() {
    let talk = Talk::new();
    let moves = "g1f3 g8f6 f3g1 f6g8 ".repeat(500);
    talk.say(&format!("position startpos moves {moves}\r"));
    talk.say("go depth 4\r");
    talk.wait_for("bestmove");
    talk.say("d\r");
    assert!(talk.wait_for("Fen:").ends_with("w KQkq - 2000 1001"));
}

#[test]
fn perft_display_eval_help() {
    let talk = Talk::new();
    talk.say(&format!("position fen {KIWIPETE}"));
    talk.say("go perft 3");
    let lines = talk.hear_until("Nodes searched");
    assert_eq!(lines[lines.len() - 1], "Nodes searched: 97862");
    assert_eq!(lines.iter().filter(|line| line.contains(": ")).count(), 48 + 1);
    for (depth, nodes) in [(0, 1), (1, 48), (4, 4_085_603)] {
        talk.say(&format!("go perft {depth}"));
        assert_eq!(
            talk.wait_for("Nodes searched"),
            format!("Nodes searched: {nodes}")
        );
    }
    talk.say("d");
    assert_eq!(talk.wait_for("Fen:"), format!("Fen: {KIWIPETE}"));
    talk.say("eval");
    talk.wait_for("material");
    talk.wait_for("score ");
    talk.say("help");
    talk.wait_for("quit");
    talk.say("go perft 12");
    talk.say("stop");
    talk.wait_for("info string perft stopped");
    talk.say("bench 2");
    let nodes = talk.hear_until("depth 6:").len() - 1;
    assert_eq!(nodes, vidmar_engine::bench::POSITIONS.len());
    assert!(talk.hear().ends_with(" nodes"));
    assert!(talk.hear().ends_with(" nps"));
}

#[test]
fn the_end_of_input_ends_the_search_and_the_server() {
    for end in ["", "quit\n"] {
        let talk = Talk::new();
        talk.say("go infinite");
        talk.wait_for("info depth 2");
        talk.bytes(end.as_bytes());
        // It would wait for ever if the search went on.
        let (heard, ended) = talk.close();
        assert!(ended.is_ok());
        assert_eq!(count(&heard, "bestmove"), 1);
    }
    let (_, ended) = Talk::new().close();
    assert!(ended.is_ok());
}

/// Each took ten seconds, while it was compared with the name of every option.
#[test]
fn a_name_of_a_mebibyte_is_refused_at_once() {
    let talk = Talk::new();
    let name = "x".repeat(1_000_000);
    for _ in 0..40 {
        talk.say(&format!("setoption name {name} value 1"));
    }
    talk.say("isready");
    let heard = talk.hear_until("readyok");
    assert_eq!(count(&heard, "info string there is no setting 'xxx"), 40);
}

/// A player whose tables take longer to make than a server waits for one that is silent.
struct Slow;

impl Thinker for Slow {
    fn name(&self) -> String {
        "Slow".to_owned()
    }

    fn settings(&self) -> &[Setting] {
        &[]
    }

    fn set(&mut self, _: &str, _: &Value) -> Result<(), SettingError> {
        Ok(())
    }

    fn new_game(&mut self) {}

    fn prepare(&mut self) -> Result<(), String> {
        std::thread::sleep(Duration::from_millis(2300));
        Ok(())
    }

    fn think(&mut self, game: &Game, _: &Limits, _: &Control, _: &mut dyn FnMut(&Info)) -> Thought {
        Thought::unsearched(game.position().legal_moves().first().copied())
    }
}

#[test]
fn quit_waits_for_tables_that_are_being_made() {
    let asked = [("isready", "readyok"), ("go depth 1", "bestmove")];
    let talks = asked.map(|(question, answer)| {
        let talk = Talk::with(Box::new(Slow), ServerSettings::default());
        talk.say(question);
        talk.say("quit");
        (talk, answer)
    });
    for (talk, answer) in talks {
        let (heard, ended) = talk.close();
        assert!(ended.is_ok());
        assert_eq!(count(&heard, answer), 1, "{heard:?}");
    }
}

#[test]
fn repetitions_of_the_game_are_seen() {
    // Black is lost unless the position occurs a third time.
    let talk = Talk::new();
    let shuffle = "g1f1 g8h8 f1g1 h8g8";
    talk.say(&format!(
        "position fen 6k1/8/8/8/8/8/3Q4/6K1 w - - 0 1 moves {shuffle} {shuffle}"
    ));
    talk.say("go depth 1 searchmoves g1f1");
    talk.wait_for("bestmove");
    talk.say(&format!(
        "position fen 6k1/8/8/8/8/8/3Q4/6K1 w - - 0 1 moves {shuffle} g1f1 g8h8 f1g1"
    ));
    talk.say("go depth 1 searchmoves h8g8");
    let lines = talk.hear_until("bestmove");
    let score: i32 = after(&lines[0], "cp")
        .and_then(|text| text.parse().ok())
        .expect("a score");
    assert!(score.abs() <= 1, "{lines:?}");
}

#[test]
fn threads_and_tables_can_be_changed_between_searches() {
    let talk = Talk::new();
    for (threads, hash) in [(2, 1), (4, 8), (1, 2)] {
        talk.say(&format!("setoption name Threads value {threads}"));
        talk.say(&format!("setoption name Hash value {hash}"));
        talk.say("setoption name Clear Hash");
        assert_eq!(talk.sync(), Vec::<String>::new());
        talk.say("go depth 8");
        let lines = talk.hear_until("bestmove");
        assert!(lines.iter().any(|line| line.starts_with("info depth 8 ")));
    }
}

fn default_value(name: &str) -> i32 {
    let row = find_option(FlagshipThinker::all_settings(), name)
        .expect("a row")
        .to_string();
    after(&row, "default")
        .and_then(|text| text.parse().ok())
        .expect("a number")
}

#[test]
fn a_parameter_file_changes_the_evaluation() {
    let file = std::env::temp_dir().join(format!("vidmar parameters {}.txt", std::process::id()));
    std::fs::write(&file, "QueenValueOpening = 4000\n").expect("a temporary file");
    let talk = Talk::new();
    talk.say("setoption name EvalFile value tuned");
    talk.say("position fen rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let score = || -> i32 {
        talk.say("eval");
        let line = talk.wait_for("score ");
        after(&line, "score")
            .and_then(|text| text.parse().ok())
            .expect("a score")
    };
    let before = score();
    talk.say(&format!("setoption name EvalFile value {}", file.display()));
    assert!(score() > before + 2000);
    talk.say("setoption name QueenValueOpening value 925");
    // Less than a queen by at most the difference of the values, which counts in proportion to the phase.
    let lower = default_value("QueenValueOpening") - 925;
    assert!(lower > 0 && (before - lower..before).contains(&score()));
    talk.say("setoption name EvalFile value tuned");
    assert_eq!(score(), before);
    std::fs::remove_file(&file).expect("still there");
}

#[test]
fn the_bench_goes_by_the_evaluation_and_the_parameters_that_are_set() {
    let talk = Talk::new();
    let nodes = || {
        talk.say("bench 3");
        talk.wait_for("depth 6:");
        let nodes = talk.hear();
        assert!(nodes.ends_with(" nodes") && talk.hear().ends_with(" nps"));
        nodes
    };
    let usual = nodes();
    talk.say("setoption name EvalFile value published-narrow");
    let other = nodes();
    talk.say("setoption name EvalFile value <empty>");
    assert_ne!(other, usual);
    assert_eq!(nodes(), usual);
}

#[test]
fn limited_strength_is_repeatable_and_weaker() {
    let play = |elo: u32, seed: u32| -> Vec<String> {
        let talk = Talk::new();
        talk.say("setoption name UCI_LimitStrength value true");
        talk.say(&format!("setoption name UCI_Elo value {elo}"));
        talk.say(&format!("setoption name Strength Seed value {seed}"));
        let mut game = Vec::new();
        for _ in 0..12 {
            talk.say(&format!("position startpos moves {}", game.join(" ")));
            talk.say("go wtime 60000 btime 60000");
            game.push(best_move(&talk.wait_for("bestmove")).to_owned());
        }
        game
    };
    assert_eq!(play(1200, 1), play(1200, 1));
    assert_ne!(play(1200, 1), play(1200, 2));
    // While analysing, the limit is off.
    let talk = Talk::new();
    talk.say("setoption name UCI_LimitStrength value true");
    talk.say("setoption name UCI_Elo value 1000");
    talk.say("go depth 9");
    talk.wait_for("bestmove");
    talk.say("setoption name UCI_AnalyseMode value true");
    talk.say("go depth 9");
    talk.wait_for("info depth 9 ");
}

/// A player that fails.
struct Broken;

impl Thinker for Broken {
    fn name(&self) -> String {
        "Broken".to_owned()
    }

    fn settings(&self) -> &[Setting] {
        &[]
    }

    fn set(&mut self, _: &str, _: &Value) -> Result<(), SettingError> {
        Ok(())
    }

    fn new_game(&mut self) {}

    fn think(&mut self, _: &Game, _: &Limits, _: &Control, _: &mut dyn FnMut(&Info)) -> Thought {
        panic!("this player fails on purpose");
    }
}

#[test]
fn a_player_that_fails_ends_the_server_instead_of_leaving_it_mute() {
    let talk = Talk::with(Box::new(Broken), ServerSettings::default());
    talk.say("eval");
    assert!(talk.hear().starts_with("info string"));
    talk.say("go depth 1");
    let (_, ended) = talk.close();
    assert!(matches!(ended, Err(ServeError::Player)));
}

#[test]
fn only_the_moves_asked_for_are_searched() {
    let talk = Talk::new();
    talk.say("position startpos");
    talk.say("go depth 5 searchmoves a2a3 h2h4");
    let best = best_move(&talk.wait_for("bestmove")).to_owned();
    assert!(best == "a2a3" || best == "h2h4");
    let start = Position::default();
    let _: Move = start.parse_uci(&best).expect("legal");
}
