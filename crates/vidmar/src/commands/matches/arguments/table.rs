//! The arguments of `vidmar match`: one row each. The parser, the help, the errors and a test of the documentation read
//! this table.
//!
//! The names and meanings are those of cutechess-cli and fastchess, so that command lines written for either run as they
//! are. What we read and do not act upon says so in its row, and the match says so again when it begins.

use std::num::NonZeroUsize;

use anyhow::{Context as _, ensure};
use vidmar_arena::{Processors, Tournament};
use vidmar_engine::settings::MAX_THREADS;

use super::config::{CONFIG, CONFIG_KEYS};
use super::keys::{
    DRAW_KEYS, EACH_KEYS, ENGINE_KEYS, EPD_KEYS, NO_LATENCY, NOT_KEPT, OPENING_KEYS, OUTPUT_KEYS, PGN_KEYS,
    QUICK_KEYS, REPORT_KEYS, RESIGN_KEYS, SPRT_KEYS,
};
use super::line::CommandLine;
use super::log::LOG_KEYS;
use super::row::{Idle, Row, Shape};
use super::value::Value;
use crate::percent::percent;

/// Games at a time, each in a thread of its own.
const MOST_AT_ONCE: NonZeroUsize = NonZeroUsize::new(MAX_THREADS as usize).expect("above 0");

const fn row(name: &'static str, shape: Shape, help: &'static str) -> Row {
    Row {
        name,
        shape,
        help,
        on_resume: false,
    }
}

/// Changes no game.
const fn free(name: &'static str, shape: Shape, help: &'static str) -> Row {
    Row {
        on_resume: true,
        ..row(name, shape, help)
    }
}

const fn idle(name: &'static str, shape: Idle, why: &'static str) -> Row {
    free(name, Shape::Idle(shape), why)
}

/// Every argument, in the order of the help.
pub(in super::super) const ROWS: &[Row] = &[
    row(
        ENGINE,
        Shape::Keys(&ENGINE_KEYS),
        "a player; at least two are needed",
    ),
    row(
        "-each",
        Shape::Keys(&EACH_KEYS),
        "the same for every player that does not say otherwise",
    ),
    row(
        "-quick",
        Shape::Keys(&QUICK_KEYS),
        "two engines at 10+0.1 with 25000 rounds, adjudication and two fewer games at a time than processors",
    ),
    row(
        "-tournament",
        Shape::Word("roundrobin|gauntlet|knockout", |line, value| {
            line.tournament = value.one_of(&[
                ("roundrobin", Tournament::RoundRobin),
                ("round-robin", Tournament::RoundRobin),
                ("gauntlet", Tournament::Gauntlet { seeds: 1 }),
                ("knockout", Tournament::Knockout),
            ])?;
            Ok(())
        }),
        "who meets whom; roundrobin by default; in a knockout the players are seeded as they are named",
    ),
    row(
        "-seeds",
        Shape::Word("N", |line, value| {
            line.seeds = Some(value.at_least(1)?);
            Ok(())
        }),
        "how many players run the gauntlet; 1 by default",
    ),
    row(
        "-rounds",
        Shape::Word("N", |line, value| {
            line.rounds = Some(value.at_least(1)?);
            Ok(())
        }),
        "encounters of every two players who meet; 2 by default",
    ),
    row(
        "-games",
        Shape::Word("N", |line, value| {
            line.games = Some(value.at_least(1)?);
            Ok(())
        }),
        "games of an encounter; 2 by default",
    ),
    row(
        "-repeat",
        Shape::MaybeWord("N", |line, value| {
            line.repeat = Some(value.map_or(Ok(2), |value| value.at_least(1))?);
            Ok(())
        }),
        "games with the same opening; 2 by default, which is also the default without it",
    ),
    row(
        "-noswap",
        Shape::Flag(|line| line.swap = false),
        "no exchange of colours within an encounter",
    ),
    row(
        "-reverse",
        Shape::Flag(|line| line.reverse = true),
        "the second player begins with White",
    ),
    row(
        "-openings",
        Shape::Keys(&OPENING_KEYS),
        "where games begin; 2000 built-in openings of all kinds in random order by default",
    ),
    row(
        "-variant",
        Shape::Word("standard|fischerandom", |line, value| {
            line.is_chess960 = value.one_of(&[("standard", false), ("fischerandom", true)])?;
            Ok(())
        }),
        "the rules; fischerandom needs openings",
    ),
    row(
        "-seed",
        Shape::Word("N", read_seed),
        "the seed of everything random; 0 by default",
    ),
    row("-srand", Shape::Word("N", read_seed), "the same"),
    free(
        "-concurrency",
        Shape::Word("N", |line, value| {
            line.concurrency = Some(value.between(NonZeroUsize::MIN, MOST_AT_ONCE)?);
            Ok(())
        }),
        "games at a time; 1 by default, with -on none beside those of the workers",
    ),
    free(
        "-on",
        Shape::Word("nats://HOST[,HOST…][/RUN]", |line, value| {
            line.on = Some(value.text.parse().map_err(|error| value.wrong(error))?);
            Ok(())
        }),
        "let workers of a NATS server play the games (vidmar worker); to be given again with -resume",
    ),
    free(
        "-spot-checks",
        Shape::Word("PERCENT", |line, value| {
            line.spot_checks = Some(percent(value.text).map_err(|error| value.wrong(error))?);
            Ok(())
        }),
        "with -on: the share of games that two workers play, to compare them; 2 by default",
    ),
    free(
        "-offer-binaries",
        Shape::Flag(|line| line.offer_binaries = true),
        "with -on: let workers that accept it (--accept-binaries) fetch the programs of cmd= from this run",
    ),
    free(
        "-creds",
        Shape::Word("FILE", |line, value| {
            line.credentials.creds = Some(value.path());
            Ok(())
        }),
        "with -on: credentials of a user of the server",
    ),
    free(
        "-nkey",
        Shape::Word("FILE", |line, value| {
            line.credentials.nkey = Some(value.path());
            Ok(())
        }),
        "with -on: a file with the nkey seed of a user",
    ),
    free(
        "-tls-ca",
        Shape::Word("FILE", |line, value| {
            line.credentials.tls_ca = Some(value.path());
            Ok(())
        }),
        "with -on: the certificate authorities of the server; TLS is required then",
    ),
    free(
        "-tls-cert",
        Shape::Word("FILE", |line, value| {
            line.credentials.tls_cert = Some(value.path());
            Ok(())
        }),
        "with -on: our own certificate",
    ),
    free(
        "-tls-key",
        Shape::Word("FILE", |line, value| {
            line.credentials.tls_key = Some(value.path());
            Ok(())
        }),
        "with -on: the key of our own certificate",
    ),
    row(
        "-sprt",
        Shape::Keys(&SPRT_KEYS),
        "stop as soon as a sequential test decides; for two players",
    ),
    row(
        "-resign",
        Shape::Keys(&RESIGN_KEYS),
        "a side that sees itself lost loses",
    ),
    row(
        "-draw",
        Shape::Keys(&DRAW_KEYS),
        "a game that both sides see level is drawn",
    ),
    row(
        "-maxmoves",
        Shape::Word("N", |line, value| {
            line.rules.max_moves = Some(value.at_least(1)?);
            Ok(())
        }),
        "a game of so many moves is drawn",
    ),
    row(
        "-tb",
        Shape::Word("PATHS", |line, value| {
            line.tablebases().folders = value.owned();
            Ok(())
        }),
        "folders of Syzygy tablebases, or of our own, that decide games",
    ),
    row(
        "-tbpieces",
        Shape::Word("N", |line, value| {
            line.tablebases().pieces = Some(value.at_least(3)?);
            Ok(())
        }),
        "only with so many pieces or fewer",
    ),
    row(
        "-tbignore50",
        Shape::Flag(|line| line.tablebases().ignores_fifty_moves = true),
        "as if there were no 50-move rule",
    ),
    row(
        "-tbadjudicate",
        Shape::Word("BOTH|WIN_LOSS|DRAW", |line, value| {
            let rule = line.tablebases();
            (rule.wins, rule.draws) = value.one_of(&[
                ("BOTH", (true, true)),
                ("WIN_LOSS", (true, false)),
                ("DRAW", (false, true)),
            ])?;
            Ok(())
        }),
        "what they decide; both by default",
    ),
    free(
        "-wait",
        Shape::Word("MS", |line, value| {
            line.wait = value.milliseconds()?;
            Ok(())
        }),
        "a pause before every game",
    ),
    row(
        "-report",
        Shape::Keys(&REPORT_KEYS),
        "what statistics are made of",
    ),
    row(
        "-startup-ms",
        Shape::Word("MS", |line, value| {
            line.start_timeout = Some(value.milliseconds()?);
            Ok(())
        }),
        "how long an engine may take to start",
    ),
    row(
        "-ucinewgame-ms",
        Shape::Word("MS", read_ready_timeout),
        "the same as -ping-ms",
    ),
    row(
        "-ping-ms",
        Shape::Word("MS", read_ready_timeout),
        "how long an engine may take to say that it is ready",
    ),
    row(
        "-answer-ms",
        Shape::Word("MS", |line, value| {
            line.answer_timeout = Some(value.milliseconds()?);
            Ok(())
        }),
        "how long an engine may take over a move at depth= or nodes=; by that limit if not said",
    ),
    free(
        "-pgnout",
        Shape::Keys(&PGN_KEYS),
        "write the games; also: -pgnout FILE [min]",
    ),
    free(
        "-epdout",
        Shape::Keys(&EPD_KEYS),
        "write the last positions; also: -epdout FILE",
    ),
    free(
        "-event",
        Shape::Word("NAME", |line, value| {
            line.event = value.owned();
            Ok(())
        }),
        "the tag Event",
    ),
    free(
        "-site",
        Shape::Word("NAME", |line, value| {
            line.site = value.owned();
            Ok(())
        }),
        "the tag Site",
    ),
    free(
        "-output",
        Shape::Keys(&OUTPUT_KEYS),
        "how results are printed; a table by default",
    ),
    free(
        "-ratinginterval",
        Shape::Word("N", |line, value| {
            line.intervals.rating = value.whole()?;
            Ok(())
        }),
        "games between two reports where there is no terminal; 10 by default, 0 for none",
    ),
    free(
        "-scoreinterval",
        Shape::Word("N", |line, value| {
            line.intervals.score = value.whole()?;
            Ok(())
        }),
        "games between two lines of the score with -output format=cutechess; 1 by default",
    ),
    free(
        "-resume",
        Shape::Word("FILE", |line, value| {
            line.resume = Some(value.path());
            Ok(())
        }),
        "go on with the last unfinished match of a store",
    ),
    free(
        CONFIG,
        Shape::Keys(&CONFIG_KEYS),
        "the arguments of a match in a file; a match that was stopped goes on with -resume",
    ),
    free(
        "-log",
        Shape::Keys(&LOG_KEYS),
        "write down faults, games and the lines of engines while the match goes on",
    ),
    free(
        "-use-affinity",
        Shape::MaybeWord("CPUS", |line, value| {
            line.affinity = Some(match value {
                Some(value) => value.text.parse().map_err(|error| value.wrong(error))?,
                None => Processors::all().context("-use-affinity")?,
            });
            Ok(())
        }),
        "bind every game, with its engines, to a processor of its own, of a list such as 0,2,4-7; Linux only",
    ),
    free(
        "-accept-changed-engines",
        Shape::Flag(|line| line.accept_changed_engines = true),
        "with -resume: go on although an engine, or a file that it is given, is not what it was",
    ),
    free(
        "--allow-programs",
        Shape::Flag(|line| line.allow_programs = true),
        "with -resume: start the programs that the store names, without asking",
    ),
    free(
        "--list-programs",
        Shape::Flag(|line| line.list_programs = true),
        "with -resume: print them, a JSON object a line, and do nothing",
    ),
    row(
        "--store",
        Shape::Word("FILE", |line, value| {
            line.store = Some(value.path());
            Ok(())
        }),
        "where games are kept; a new file in runs, by the players' names, by default",
    ),
    row(
        "--faults",
        Shape::Word("loss|replay|drop", |line, value| {
            line.faults = value.named()?;
            Ok(())
        }),
        "what becomes of a game that a fault ended: its author loses it (the default), it is played again, it has no result",
    ),
    free(
        "--json",
        Shape::Flag(|line| line.json = true),
        "print a JSON object in the end",
    ),
    free(
        COMPLIANCE,
        Shape::Words("CMD [ARGS]", |line, words| {
            ensure!(
                !words.is_empty(),
                "--compliance: expected the command of an engine"
            );
            line.compliance = Some(words.to_vec());
            Ok(())
        }),
        "check that an engine keeps to the UCI protocol, step by step, and nothing else",
    ),
    free("--help", Shape::Flag(|line| line.help = true), "print this"),
    idle(
        "-recover",
        Idle::Nothing,
        "an engine that fails loses the game and is started again, with it or without; see --faults",
    ),
    idle(
        "-force-concurrency",
        Idle::Nothing,
        "as many games are played at a time as -concurrency says, whatever the machine",
    ),
    idle(
        "-autosaveinterval",
        Idle::Word("N"),
        "every game is saved when it ends",
    ),
    idle(
        "-debug",
        Idle::MaybeWord("all"),
        "-log file=FILE engine=true writes the lines of engines to a file",
    ),
    idle("-testEnv", Idle::Nothing, "there is no such thing to change"),
    idle("-show-latency", Idle::Nothing, NO_LATENCY),
    idle("-check-mate-pvs", Idle::Nothing, NOT_KEPT),
    idle("-outcomeinterval", Idle::Word("N"), "outcomes are in the store"),
    idle("-strict", Idle::Nothing, "a warning ends nothing"),
    idle(
        "-randomseed",
        Idle::Nothing,
        "a match can be repeated; give another -seed for another one",
    ),
    idle("-bookmode", Idle::Word("ram|disk"), "openings are in memory"),
    idle(
        "-crc32",
        Idle::Words("pgn=true"),
        "the store is checked instead: vidmar store check",
    ),
    idle(
        "-csvout",
        Idle::Words("file=FILE …"),
        "vidmar store export --format csv writes the games",
    ),
    idle(
        "-livepgnout",
        Idle::Words("FILE"),
        "the store is written while the match goes on",
    ),
];

/// Where games are played, which is no part of a match: a store keeps none of it, nor the passwords in it.
pub(in super::super) const ELSEWHERE: [&str; 8] = [
    "-on",
    "-spot-checks",
    "-offer-binaries",
    "-creds",
    "-nkey",
    "-tls-ca",
    "-tls-cert",
    "-tls-key",
];

/// A player.
pub(super) const ENGINE: &str = "-engine";

/// Whatever follows it belongs to the engine.
pub(super) const COMPLIANCE: &str = "--compliance";

fn read_seed(line: &mut CommandLine, value: &Value<'_>) -> anyhow::Result<()> {
    line.seed = value.whole()?;
    Ok(())
}

fn read_ready_timeout(line: &mut CommandLine, value: &Value<'_>) -> anyhow::Result<()> {
    line.ready_timeout = Some(value.milliseconds()?);
    Ok(())
}

/// The argument of that name; `-help`, `--concurrency` and the like are taken as well.
pub(super) fn find(name: &str) -> Option<&'static Row> {
    let bare = name.trim_start_matches('-');
    ROWS.iter().find(|row| row.name.trim_start_matches('-') == bare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique() {
        for (at, row) in ROWS.iter().enumerate() {
            let bare = |row: &Row| row.name.trim_start_matches('-').to_owned();
            assert!(
                !ROWS[..at].iter().any(|other| bare(other) == bare(row)),
                "{}",
                row.name
            );
        }
    }
}
