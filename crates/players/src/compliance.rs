//! Whether an engine keeps to the UCI protocol, step by step.
//!
//! The engine is talked to as graphical interfaces do, one rule of the protocol at a time (the UCI protocol, Stefan
//! Meyer-Kahlen, April 2006). The first step that leaves nobody to talk to ends
//! the check.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use vidmar_chess::Position;
use vidmar_text::duration;

use crate::fault::{Fault, FaultKind};

/// Long enough for any engine that is alive.
const PATIENCE: Duration = Duration::from_secs(10);

/// How late an answer to `stop`, or to the end of its time, may come.
const LATE: Duration = Duration::from_secs(1);

/// What a step found: nothing to complain of, or a complaint.
type Verdict = Result<(), String>;

/// One rule, and how it is looked into.
type Step = (&'static str, fn(&mut Engine) -> Verdict);

/// Every step, in order.
const STEPS: &[Step] = &[
    (
        "answers 'uci' with its name, its author and 'uciok'",
        introduces_itself,
    ),
    (
        "declares its options in the words of the protocol",
        declares_options,
    ),
    ("answers 'isready' with 'readyok'", Engine::is_ready),
    ("takes values for Hash and Threads, if it has them", takes_options),
    ("is ready again after 'ucinewgame'", is_ready_for_a_new_game),
    ("finds a legal move with 'go depth'", |engine| {
        engine.moves("position startpos", "go depth 4")
    }),
    (
        "tells depth, score and a legal line with 'info'",
        tells_what_it_thinks,
    ),
    ("knows 'position startpos moves'", |engine| {
        engine.moves("position startpos moves e2e4 e7e5 g1f3", "go depth 3")
    }),
    ("knows 'position fen', with Black to move", |engine| {
        engine.moves(
            "position fen r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 3 3 moves g8f6",
            "go depth 3",
        )
    }),
    ("promotes", |engine| {
        engine.moves("position fen 7k/P7/8/8/8/8/8/K7 w - - 0 1", "go depth 3")
    }),
    ("moves where there is one move only", |engine| {
        engine.moves("position fen 7k/8/8/8/8/8/r7/K7 w - - 0 1", "go depth 5")
    }),
    ("keeps 'go movetime'", |engine| {
        engine.moves_within("go movetime 200", Duration::from_millis(200))
    }),
    ("keeps a clock", |engine| {
        engine.moves_within("go wtime 1000 btime 1000 winc 10 binc 10", LATE)
    }),
    ("keeps a clock with 'movestogo'", |engine| {
        engine.moves_within("go wtime 1000 btime 1000 movestogo 10", LATE)
    }),
    ("knows 'go nodes'", |engine| {
        engine.moves_within("go nodes 1000", PATIENCE)
    }),
    (
        "answers 'isready' while it thinks, and 'stop' with a move",
        is_ready_while_thinking,
    ),
    ("passes over words that it does not know", passes_over_nonsense),
    ("plays on after all that", |engine| {
        engine.say("ucinewgame");
        engine.is_ready()?;
        engine.moves("position startpos", "go depth 4")
    }),
    ("ends at 'quit'", ends),
];

/// What a step found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepReport {
    /// Its number, from 1.
    pub number: usize,
    /// How many steps there are.
    pub steps: usize,
    /// The rule that it looked into.
    pub rule: &'static str,
    /// What there is to complain of.
    pub complaint: Option<String>,
    /// Whether the engine has ended before its time: there will be no other step.
    pub has_ended: bool,
}

/// Checks an engine step by step; each is reported as it is done.
pub fn check(program: &str, arguments: &[String], report: &mut dyn FnMut(StepReport)) -> Result<(), Fault> {
    let mut engine = Engine::start(program, arguments)?;
    for (index, (rule, step)) in STEPS.iter().enumerate() {
        let complaint = step(&mut engine).err();
        let has_ended = engine.ended && index + 1 < STEPS.len();
        report(StepReport {
            number: index + 1,
            steps: STEPS.len(),
            rule,
            complaint,
            has_ended,
        });
        if has_ended {
            break;
        }
    }
    Ok(())
}

/// The engine's process, and what it says.
struct Engine {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    options: Vec<String>,
    ended: bool,
}

impl Engine {
    fn start(program: &str, arguments: &[String]) -> Result<Engine, Fault> {
        let unstarted = |reason: String| Fault::new(FaultKind::Start, reason);
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| unstarted(format!("{program} cannot be started: {error}")))?;
        let stdout = child.stdout.take();
        let stdout = stdout.ok_or_else(|| unstarted("the engine has no output".to_owned()))?;
        let (said, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(stdout).split(b'\n') {
                let Ok(line) = line else { break };
                let line = String::from_utf8_lossy(&line).trim_end().to_owned();
                if said.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Engine {
            input: child.stdin.take(),
            child,
            lines,
            options: Vec::new(),
            ended: false,
        })
    }

    fn say(&mut self, line: &str) {
        if let Some(input) = &mut self.input
            && writeln!(input, "{line}").and_then(|()| input.flush()).is_err()
        {
            self.ended = true;
        }
    }

    /// The lines up to the one that begins with this word, which is the last of them.
    fn hear(&mut self, word: &str, within: Duration) -> Result<Vec<String>, String> {
        let until = Instant::now() + within;
        let mut heard = Vec::new();
        loop {
            match self
                .lines
                .recv_timeout(until.saturating_duration_since(Instant::now()))
            {
                Ok(line) => {
                    let found = line.split_whitespace().next() == Some(word);
                    heard.push(line);
                    if found {
                        return Ok(heard);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err(format!("no '{word}' within {}", duration(within.as_secs_f64())));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    self.ended = true;
                    return Err(format!("it ended without '{word}'"));
                }
            }
        }
    }

    fn is_ready(&mut self) -> Verdict {
        self.say("isready");
        self.hear("readyok", PATIENCE).map(drop)
    }

    /// Sets up a position and asks for a move, which must be legal.
    fn moves(&mut self, position: &str, go: &str) -> Verdict {
        self.say(position);
        self.say(go);
        let best = self.best_move(PATIENCE)?;
        check_move(&after(position), &best)
    }

    /// Asks for a move from the start position, which must not come later than this and a little.
    fn moves_within(&mut self, go: &str, time: Duration) -> Verdict {
        self.say("position startpos");
        self.say(go);
        let best = self.best_move(time + LATE)?;
        check_move(&Position::default(), &best)
    }

    /// The line with the move. One that does not come in time is asked for, so that the next step finds a quiet engine.
    fn best_move(&mut self, within: Duration) -> Result<String, String> {
        match self.hear("bestmove", within) {
            Ok(mut heard) => Ok(heard.pop().unwrap_or_default()),
            Err(complaint) => {
                self.say("stop");
                let _ = self.hear("bestmove", LATE);
                Err(complaint)
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The position that a line sets up; our own lines, which are right.
fn after(line: &str) -> Position {
    let rest = line.strip_prefix("position ").unwrap_or(line);
    let (start, moves) = rest.split_once(" moves ").unwrap_or((rest, ""));
    let mut position: Position = match start.strip_prefix("fen ") {
        Some(fen) => fen.parse().unwrap_or_default(),
        None => Position::default(),
    };
    for text in moves.split_whitespace() {
        if let Ok(m) = position.parse_uci(text) {
            position.play(m);
        }
    }
    position
}

fn check_move(position: &Position, line: &str) -> Verdict {
    let mut words = line.split_whitespace().skip(1);
    let text = words.next().unwrap_or_default();
    let best = position
        .parse_uci(text)
        .map_err(|error| format!("'{line}': {error}"))?;
    match (words.next(), words.next()) {
        (None, _) | (Some("ponder"), None) => Ok(()),
        (Some("ponder"), Some(text)) => {
            let mut next = position.clone();
            next.play(best);
            next.parse_uci(text)
                .map_err(|error| format!("'{line}': {error}"))
                .map(drop)
        }
        (Some(other), _) => Err(format!("'{line}': unexpected '{other}'")),
    }
}

fn introduces_itself(engine: &mut Engine) -> Verdict {
    engine.say("uci");
    let heard = engine.hear("uciok", PATIENCE)?;
    for needed in ["id name ", "id author "] {
        if !heard.iter().any(|line| line.starts_with(needed)) {
            return Err(format!("no '{}'", needed.trim_end()));
        }
    }
    engine.options = heard
        .into_iter()
        .filter(|line| line.starts_with("option"))
        .collect();
    Ok(())
}

fn declares_options(engine: &mut Engine) -> Verdict {
    for line in &engine.options {
        let wrong = |reason: &str| Err(format!("'{line}': {reason}"));
        let Some((name, rest)) = line
            .strip_prefix("option name ")
            .and_then(|rest| rest.split_once(" type "))
        else {
            return wrong("expected option name NAME type TYPE");
        };
        if name.is_empty() {
            return wrong("it has no name");
        }
        let words: Vec<&str> = rest.split_whitespace().collect();
        let after = |word: &str| {
            words
                .iter()
                .position(|other| *other == word)
                .and_then(|at| words.get(at + 1))
                .copied()
        };
        match words.first().copied() {
            Some("check") if !matches!(after("default"), Some("true" | "false")) => {
                return wrong("expected default true or false");
            }
            Some("spin") => {
                let number = |word| after(word).and_then(|text| text.parse::<i64>().ok());
                match (number("min"), number("default"), number("max")) {
                    (Some(min), Some(default), Some(max)) if min <= default && default <= max => {}
                    (Some(_), Some(_), Some(_)) => return wrong("the default is not between min and max"),
                    _ => return wrong("expected default, min and max"),
                }
            }
            Some("combo") => {
                let values: Vec<&str> = rest.split(" var ").skip(1).map(str::trim).collect();
                let default = rest
                    .split(" var ")
                    .next()
                    .and_then(|head| head.split_once("default "));
                if !default.is_some_and(|(_, default)| values.contains(&default.trim())) {
                    return wrong("the default is not among the values");
                }
            }
            Some("check" | "button" | "string") => {}
            _ => return wrong("expected type check, spin, combo, button or string"),
        }
    }
    Ok(())
}

fn takes_options(engine: &mut Engine) -> Verdict {
    for (name, value) in [("Hash", "16"), ("Threads", "1")] {
        if engine
            .options
            .iter()
            .any(|line| line.starts_with(&format!("option name {name} ")))
        {
            engine.say(&format!("setoption name {name} value {value}"));
        }
    }
    engine.is_ready()
}

fn is_ready_for_a_new_game(engine: &mut Engine) -> Verdict {
    engine.say("ucinewgame");
    engine.is_ready()
}

fn tells_what_it_thinks(engine: &mut Engine) -> Verdict {
    let line = "position startpos moves d2d4";
    engine.say(line);
    engine.say("go depth 4");
    let heard = engine.hear("bestmove", PATIENCE)?;
    let told = heard
        .iter()
        .filter(|line| line.starts_with("info ") && !line.starts_with("info string"))
        .rfind(|line| line.contains(" pv "));
    let Some(told) = told else {
        return Err("no 'info' with a 'pv'".to_owned());
    };
    let words: Vec<&str> = told.split_whitespace().collect();
    let after_word = |word: &str| {
        words
            .iter()
            .position(|other| *other == word)
            .map(|at| &words[at + 1..])
    };
    let number = |words: &[&str]| words.first().is_some_and(|text| text.parse::<i64>().is_ok());
    if !after_word("depth").is_some_and(number) {
        return Err(format!("'{told}': no depth"));
    }
    match after_word("score") {
        Some(["cp" | "mate", value, ..]) if value.parse::<i64>().is_ok() => {}
        _ => return Err(format!("'{told}': no score cp or mate")),
    }
    let mut position = after(line);
    for text in after_word("pv").unwrap_or_default() {
        match position.parse_uci(text) {
            Ok(m) => position.play(m),
            Err(error) => return Err(format!("'{told}': {error}")),
        }
    }
    Ok(())
}

fn is_ready_while_thinking(engine: &mut Engine) -> Verdict {
    engine.say("position startpos");
    engine.say("go infinite");
    std::thread::sleep(Duration::from_millis(100));
    engine.say("isready");
    let ready = engine.hear("readyok", PATIENCE);
    engine.say("stop");
    let heard = engine.hear("bestmove", LATE)?;
    if ready?.iter().any(|line| line.starts_with("bestmove")) {
        return Err("a move before 'stop'".to_owned());
    }
    check_move(&Position::default(), heard.last().map_or("", String::as_str))
}

fn passes_over_nonsense(engine: &mut Engine) -> Verdict {
    engine.say("xyzzy plugh");
    engine.say("");
    engine.is_ready()
}

fn ends(engine: &mut Engine) -> Verdict {
    engine.say("quit");
    let until = Instant::now() + PATIENCE / 5;
    while Instant::now() < until {
        match engine.child.try_wait() {
            Ok(Some(_)) => return Ok(()),
            Ok(None) => std::thread::sleep(Duration::from_millis(10)),
            Err(error) => return Err(error.to_string()),
        }
    }
    Err("it still runs two seconds later".to_owned())
}
