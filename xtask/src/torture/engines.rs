//! Engines that misbehave, each in a match with two that do not: the match ends, those two play all their games, memory stays small and
//! no process is left.

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use anyhow::{Result, ensure};

use super::plan::Plan;
use super::tally::Tally;
use super::trial::Trial;

/// The most memory of a match of three players, in MiB.
const MOST_MEMORY: u64 = 256;

/// A match of six games, with engines that are waited for one second at the most, is over long before.
const LONGEST: Duration = Duration::from_mins(3);

/// What an engine does: its words before it says `uciok`, at `isready`, and at `go`; shell.
struct Mode {
    name: &'static str,
    first: &'static str,
    ready: &'static str,
    go: &'static str,
    last: &'static str,
}

const SOUND: Mode = Mode {
    name: "",
    first: "",
    ready: "echo readyok",
    go: "echo bestmove 0000",
    last: "",
};

const fn at_go(name: &'static str, go: &'static str) -> Mode {
    Mode { name, go, ..SOUND }
}

const fn at_start(name: &'static str, first: &'static str) -> Mode {
    Mode { name, first, ..SOUND }
}

/// The modes; a new one is a row here.
const MODES: &[Mode] = &[
    at_go("dies", "exit 3"),
    at_go("aborts", "kill -ABRT $$"),
    at_go("kills itself", "kill -KILL $$"),
    at_go("stops itself", "kill -STOP $$"),
    at_go("silent", ":"),
    at_go("sleeps", "sleep 1000"),
    at_go("illegal move", "echo bestmove e2e5"),
    at_go("null move", "echo bestmove 0000"),
    at_go("no move", "echo bestmove"),
    at_go("none", "echo 'bestmove (none)'"),
    at_go("not a move", "echo bestmove zz9"),
    at_go("emoji", "printf 'bestmove \\360\\237\\230\\200\\n'"),
    at_go("two moves", "echo bestmove e2e4; echo bestmove d2d4"),
    at_go("words", "echo lorem ipsum; echo dolor sit amet"),
    at_go("bytes", "head -c 65536 /dev/urandom; echo"),
    at_go("zeros", "head -c 65536 /dev/zero; echo; echo bestmove e2e4"),
    at_go("zeros for ever", "cat /dev/zero"),
    at_go("lines for ever", "yes info string and another thing"),
    at_go("empty lines for ever", "yes ''"),
    at_go("a line for ever", "tr '\\0' x < /dev/zero"),
    at_go(
        "a line of a gigabyte",
        "head -c 1000000000 /dev/zero | tr '\\0' x; echo; echo bestmove e2e4",
    ),
    at_go(
        "a long pv",
        "printf 'info depth 1 pv'; i=0; while [ $i -lt 20000 ]; do printf ' e2e4 e7e5'; i=$((i+1)); done; echo; echo bestmove e2e4",
    ),
    at_go(
        "huge numbers",
        "echo info depth 99999999999999999999 seldepth -1 nodes 18446744073709551616 nps 1e309 time -5 score cp 9223372036854775808 hashfull NaN; echo info score mate -9223372036854775808; echo bestmove e2e4",
    ),
    at_go("half a line and dies", "printf 'bestm'; exit 0"),
    at_go("half a line", "printf 'bestmove e2'"),
    at_go("closes its output", "exec 1>&-; sleep 1000"),
    at_go("closes its input", "exec 0<&-; sleep 1000"),
    at_go("a child holds the pipe", "sleep 1000 & exit 0"),
    at_go("a child reads the input", "cat & exit 0"),
    at_go(
        "many children",
        "i=0; while [ $i -lt 50 ]; do sleep 1000 & i=$((i+1)); done",
    ),
    at_go("carriage returns", "printf 'bestmove e2e4\\r\\n'"),
    at_go(
        "moves nobody asked for",
        "while :; do echo bestmove e2e4; sleep 0.01; done",
    ),
    at_go(
        "info for ever",
        "while :; do echo info depth 1 score cp 0; sleep 0.01; done",
    ),
    at_go(
        "talks to stderr",
        "head -c 100000000 /dev/zero >&2; echo bestmove e2e4",
    ),
    Mode {
        name: "never ready",
        ready: ":",
        ..SOUND
    },
    Mode {
        name: "ready again and again",
        ready: "echo readyok; echo readyok; echo uciok",
        ..SOUND
    },
    at_start("says nothing", "sleep 1000"),
    at_start("ends at once", "exit 0"),
    at_start("dies at once", "kill -SEGV $$"),
    at_start(
        "options for ever",
        "while :; do echo option name x type spin default 1 min 1 max 2; done",
    ),
    at_start(
        "many options",
        "i=0; while [ $i -lt 20000 ]; do echo option name o$i type spin default 1 min 1 max 2; i=$((i+1)); done",
    ),
    at_start(
        "broken options",
        "echo option; echo option name; echo option name a type; echo option name b type spin default x min y max z; echo option name c type spin default 5 min 9 max 1; echo option name d type combo var; echo option name '' type check default perhaps",
    ),
    at_start(
        "slow options",
        "i=0; while [ $i -lt 20 ]; do echo option name o$i type check default true; sleep 0.2; i=$((i+1)); done",
    ),
    at_start(
        "a long name",
        "printf 'id name '; head -c 500000 /dev/zero | tr '\\0' n; echo",
    ),
    at_start("a name of bytes", "printf 'id name \\377\\376\\001\\n'"),
    Mode {
        name: "does not quit",
        last: "trap '' TERM INT HUP; while :; do sleep 1; done",
        ..SOUND
    },
    Mode {
        name: "a child does not quit",
        last: "(trap '' TERM INT HUP; sleep 1000) &",
        ..SOUND
    },
];

pub(crate) fn run(plan: &Plan) -> Result<Tally> {
    let cases: Vec<(usize, &Mode, &str)> = MODES
        .iter()
        .flat_map(|mode| [(mode, "uci"), (mode, "xboard")])
        .enumerate()
        .map(|(number, (mode, protocol))| (number, mode, protocol))
        .collect();
    plan.each(&cases, |worker, &(number, mode, protocol)| {
        let mut tally = Tally::default();
        if !plan.next() {
            return Ok(tally);
        }
        let folder = plan.empty(&format!("{worker}-{number}"))?;
        let script = folder.join("engine.sh");
        fs::write(&script, mode.script(protocol))?;
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755))?;
        let trial = Trial {
            program: &plan.binary,
            words: words(protocol, &script),
            folder: folder.clone(),
            input: Vec::new(),
            budget: LONGEST,
        };
        tally.trials += 1;
        match judged(&trial, &script) {
            Ok(note) => tally.note(note),
            Err(error) => tally.find(format!("{protocol}, {}: {error:#}", mode.name), trial.command()),
        }
        if tally.findings.is_empty() {
            fs::remove_dir_all(folder)?;
        }
        Ok(tally)
    })
}

/// A match of three: the bad one and two by chance.
fn words(protocol: &str, script: &Path) -> Vec<OsString> {
    let bad = format!(
        "player={protocol}:cmd={},start-ms=5000,ready-ms=2000,answer-ms=1000,depth=1",
        script.display()
    );
    let words = [
        "match",
        "-engine",
        &bad,
        "name=bad",
        "-engine",
        "player=random:seed=1",
        "name=a",
        "-engine",
        "player=random:seed=2",
        "name=b",
        "-rounds",
        "1",
        "-maxmoves",
        "6",
        "-concurrency",
        "2",
        "--json",
        "--store",
        "games.db",
    ];
    words.map(OsString::from).to_vec()
}

/// Runs the match; an error is a finding.
fn judged(trial: &Trial<'_>, script: &Path) -> Result<&'static str> {
    let ended = trial.run()?;
    if let Some(fault) = ended.fault() {
        anyhow::bail!(fault);
    }
    ensure!(
        !ended.is_interrupted,
        "the match is not over after {} s",
        LONGEST.as_secs()
    );
    ensure!(ended.peak <= MOST_MEMORY, "{} MiB of memory", ended.peak);
    let left = left_behind(script);
    ensure!(left.is_empty(), "processes are left: {left:?}");
    if !ended.status.success() {
        ensure!(
            ended.stderr.contains("cannot be started"),
            "{}",
            ended.last_line()
        );
        return Ok("could not be started");
    }
    let answer: serde_json::Value = serde_json::from_str(&ended.stdout)?;
    let games = answer["games"].as_u64().unwrap_or(0) + answer["unscored"].as_u64().unwrap_or(0);
    ensure!(games == 6, "{games} of 6 games");
    let faults = answer["players"][0]["faults"].as_u64().unwrap_or(0);
    Ok(if faults > 0 {
        "lost by its faults"
    } else {
        "played"
    })
}

/// Processes whose command line names the script.
fn left_behind(script: &Path) -> Vec<u32> {
    let name = script.display().to_string();
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries
        .filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok())
        .filter(|id| {
            let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&line).contains(&name)
        })
        .collect()
}

impl Mode {
    fn script(&self, protocol: &str) -> String {
        let Mode {
            first,
            ready,
            go,
            last,
            ..
        } = self;
        if protocol == "uci" {
            return format!(
                "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
                 uci) {first}\necho id name bad; echo uciok ;;\nisready) {ready} ;;\ngo) {go} ;;\nquit) {last}\nexit 0 ;;\nesac; done\n{last}\n"
            );
        }
        let go = go.replace("bestmove", "move");
        let ready = ready.replace("readyok", "pong $rest");
        format!(
            "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
             protover) {first}\necho 'feature myname=\"bad\" ping=1 setboard=1 usermove=1 sigint=0 done=1' ;;\nping) {ready} ;;\n\
             go|usermove) {go} ;;\nquit) {last}\nexit 0 ;;\nesac; done\n{last}\n"
        )
    }
}
