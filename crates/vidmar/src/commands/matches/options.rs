//! The arguments of `vidmar match`: one row each. The parser, the help, the errors and a test of the documentation read
//! this table.
//!
//! The names and meanings are those of cutechess-cli and fastchess, so that command lines written for either run as they
//! are. What we read and do not act upon says so in its row, and the match says so again when it begins.

/// What stands behind an argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Takes {
    Nothing,
    /// One word.
    Word(&'static str),
    /// One word or none.
    MaybeWord(&'static str),
    /// Any number of words.
    Words(&'static str),
    /// `key=value`, any number of times.
    Keys(&'static [Key]),
}

/// A key of `key=value`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) name: &'static str,
    pub(super) value: &'static str,
    pub(super) help: &'static str,
    /// Why it has no effect, if it has none.
    pub(super) idle: Option<&'static str>,
}

/// An argument.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) name: &'static str,
    pub(super) takes: Takes,
    pub(super) help: &'static str,
    /// Why it has no effect, if it has none.
    pub(super) idle: Option<&'static str>,
    /// Whether it may be given with `-resume`: it changes no game.
    pub(super) on_resume: bool,
}

const fn key(name: &'static str, value: &'static str, help: &'static str) -> Key {
    Key {
        name,
        value,
        help,
        idle: None,
    }
}

const fn idle_key(name: &'static str, value: &'static str, why: &'static str) -> Key {
    Key {
        name,
        value,
        help: "",
        idle: Some(why),
    }
}

const fn row(name: &'static str, takes: Takes, help: &'static str) -> Row {
    Row {
        name,
        takes,
        help,
        idle: None,
        on_resume: false,
    }
}

/// Changes no game.
const fn free(name: &'static str, takes: Takes, help: &'static str) -> Row {
    Row {
        on_resume: true,
        ..row(name, takes, help)
    }
}

const fn idle(name: &'static str, takes: Takes, why: &'static str) -> Row {
    Row {
        idle: Some(why),
        ..free(name, takes, "")
    }
}

const ENGINE: &[Key] = &[
    key("cmd", "PATH", "the engine's program"),
    key(
        "player",
        "SPEC",
        "a built-in player instead, for example engine:depth=6 or random",
    ),
    key(
        "name",
        "NAME",
        "its name in tables; the program's or the specification by default",
    ),
    key("proto", "uci|xboard", "the protocol; uci by default"),
    key("dir", "DIR", "where it runs"),
    key("args", "WORDS", "its arguments; quotes hold words together"),
    key("arg", "WORD", "one more argument"),
    key("initstr", "TEXT", "lines sent before all others, parted by \\n"),
    key(
        "option.NAME",
        "VALUE",
        "an option of the engine; one that it does not offer is an error",
    ),
    key(
        "tc",
        "[MOVES/]TIME[+INC]",
        "the clock: 40/60+0.6, 2+0.02, 0:30+1, inf",
    ),
    key("st", "SECONDS", "time for each move"),
    key("nodes", "N", "positions for each move"),
    key("depth", "N", "plies for each move"),
    key("plies", "N", "the same"),
    key("timemargin", "MS", "how far the flag may be overstepped"),
    key("restart", "on|off|auto", "start it again before every game"),
    key("ponder", "off", "only off: nobody thinks on the opponent's time"),
    idle_key("trust", "", "moves are always checked"),
    idle_key(
        "whitepov",
        "",
        "scores are read as the protocol has them: for the side to move",
    ),
    idle_key("stderr", "FILE", "what engines write there is thrown away"),
];

const OPENINGS: &[Key] = &[
    key("file", "FILE", "the openings"),
    key(
        "format",
        "epd|pgn|bin",
        "what the file is; by its name if not said",
    ),
    key(
        "order",
        "sequential|random",
        "in which order; sequential by default",
    ),
    key(
        "plies",
        "N",
        "how much of each line is played; of a PolyGlot book (bin) 8 by default",
    ),
    key("start", "N", "the first one, from 1"),
    key("policy", "default|encounter|round", "when the next one is taken"),
];

const SPRT: &[Key] = &[
    key("elo0", "ELO", "the lower hypothesis"),
    key("elo1", "ELO", "the upper hypothesis"),
    key("alpha", "P", "chance of accepting elo1 wrongly; 0.05 by default"),
    key("beta", "P", "chance of accepting elo0 wrongly; 0.05 by default"),
    key(
        "model",
        "normalized|logistic|bayesian",
        "what Elo is; normalized by default",
    ),
];

const RESIGN: &[Key] = &[
    key("movecount", "N", "moves in a row; 1 by default"),
    key("score", "CP", "how far behind, in centipawns"),
    key("twosided", "true|false", "the winner must see it too"),
];

const DRAW: &[Key] = &[
    key("movenumber", "N", "not before this move"),
    key("movecount", "N", "moves of each side in a row; 1 by default"),
    key("score", "CP", "how far from level, in centipawns"),
];

const NOT_TOLD: &str = "not part of what is kept of a move";

const PGNOUT: &[Key] = &[
    key("file", "FILE", "where to"),
    key("notation", "san", "only san"),
    key(
        "append",
        "true|false",
        "behind what the file holds already; true by default",
    ),
    key("nodes", "true|false", "also the positions visited"),
    key("min", "true|false", "no comments"),
    idle_key("seldepth", "true|false", NOT_TOLD),
    idle_key("nps", "true|false", NOT_TOLD),
    idle_key("hashfull", "true|false", NOT_TOLD),
    idle_key("tbhits", "true|false", NOT_TOLD),
    idle_key("pv", "true|false", NOT_TOLD),
    idle_key("timeleft", "true|false", NOT_TOLD),
    idle_key("latency", "true|false", NOT_TOLD),
];

const FILE_APPEND: &[Key] = &[
    key("file", "FILE", "where to"),
    key(
        "append",
        "true|false",
        "behind what the file holds already; true by default",
    ),
];

/// Every argument, in the order of the help.
pub(super) const ROWS: &[Row] = &[
    row(
        "-engine",
        Takes::Keys(ENGINE),
        "a player; at least two are needed",
    ),
    row(
        "-each",
        Takes::Keys(ENGINE),
        "the same for every player that does not say otherwise",
    ),
    row(
        "-quick",
        Takes::Keys(&[
            key("cmd", "PATH", "an engine; twice"),
            key("book", "FILE", "openings"),
        ]),
        "two engines at 10+0.1 with 25000 rounds, adjudication and two fewer games at a time than processors",
    ),
    row(
        "-tournament",
        Takes::Word("roundrobin|gauntlet"),
        "who meets whom; roundrobin by default",
    ),
    row(
        "-seeds",
        Takes::Word("N"),
        "how many players run the gauntlet; 1 by default",
    ),
    row(
        "-rounds",
        Takes::Word("N"),
        "encounters of every two players; 2 by default",
    ),
    row("-games", Takes::Word("N"), "games of an encounter; 2 by default"),
    row(
        "-repeat",
        Takes::MaybeWord("N"),
        "games with the same opening; 2 by default, which is also the default without it",
    ),
    row(
        "-noswap",
        Takes::Nothing,
        "no exchange of colours within an encounter",
    ),
    row("-reverse", Takes::Nothing, "the second player begins with White"),
    row(
        "-openings",
        Takes::Keys(OPENINGS),
        "where games begin; 2000 built-in openings in random order by default",
    ),
    row(
        "-variant",
        Takes::Word("standard|fischerandom"),
        "the rules; fischerandom needs openings",
    ),
    row(
        "-seed",
        Takes::Word("N"),
        "the seed of everything random; 0 by default",
    ),
    row("-srand", Takes::Word("N"), "the same"),
    free("-concurrency", Takes::Word("N"), "games at a time; 1 by default"),
    row(
        "-sprt",
        Takes::Keys(SPRT),
        "stop as soon as a sequential test decides; for two players",
    ),
    row(
        "-resign",
        Takes::Keys(RESIGN),
        "a side that sees itself lost loses",
    ),
    row(
        "-draw",
        Takes::Keys(DRAW),
        "a game that both sides see level is drawn",
    ),
    row("-maxmoves", Takes::Word("N"), "a game of so many moves is drawn"),
    row(
        "-tb",
        Takes::Word("PATHS"),
        "folders of Syzygy tables, or one of our own bases, that decide games",
    ),
    row("-tbpieces", Takes::Word("N"), "only with so many pieces or fewer"),
    row("-tbignore50", Takes::Nothing, "as if there were no 50-move rule"),
    row(
        "-tbadjudicate",
        Takes::Word("BOTH|WIN_LOSS|DRAW"),
        "what they decide; both by default",
    ),
    free("-wait", Takes::Word("MS"), "a pause before every game"),
    row(
        "-report",
        Takes::Keys(&[key(
            "penta",
            "true|false",
            "count pairs of games, not games; true by default",
        )]),
        "what statistics are made of",
    ),
    row("-startup-ms", Takes::Word("MS"), "time for an engine to start"),
    row("-ucinewgame-ms", Takes::Word("MS"), "the same as -ping-ms"),
    row(
        "-ping-ms",
        Takes::Word("MS"),
        "time for an engine to answer isready",
    ),
    free(
        "-pgnout",
        Takes::Keys(PGNOUT),
        "write the games; also: -pgnout FILE [min]",
    ),
    free(
        "-epdout",
        Takes::Keys(FILE_APPEND),
        "write the last positions; also: -epdout FILE",
    ),
    free("-event", Takes::Word("NAME"), "the tag Event"),
    free("-site", Takes::Word("NAME"), "the tag Site"),
    free(
        "-output",
        Takes::Keys(&[key(
            "format",
            "vidmar|fastchess|cutechess",
            "whose manner of lines",
        )]),
        "how results are printed; a table by default",
    ),
    free(
        "-ratinginterval",
        Takes::Word("N"),
        "games between two reports where there is no terminal; 10 by default, 0 for none",
    ),
    free(
        "-scoreinterval",
        Takes::Word("N"),
        "games between two lines of the score in cutechess's manner; 1 by default",
    ),
    free(
        "-resume",
        Takes::Word("FILE"),
        "go on with the last unfinished match of a store",
    ),
    row(
        "--store",
        Takes::Word("FILE"),
        "where games are kept; vidmar-games.db by default",
    ),
    row(
        "--faults",
        Takes::Word("replay|loss|drop"),
        "what becomes of a game that a fault ended; replay by default",
    ),
    free("--json", Takes::Nothing, "print a JSON object in the end"),
    free(
        "--compliance",
        Takes::Words("CMD [ARGS]"),
        "check an engine's UCI manners step by step, and nothing else",
    ),
    free("--help", Takes::Nothing, "print this"),
    idle(
        "-recover",
        Takes::Nothing,
        "an engine that fails is always started again; --faults says what becomes of the game",
    ),
    idle(
        "-force-concurrency",
        Takes::Nothing,
        "as many games are played at a time as -concurrency says, whatever the machine",
    ),
    idle(
        "-autosaveinterval",
        Takes::Word("N"),
        "every game is saved when it ends",
    ),
    idle(
        "-log",
        Takes::Words("[file=FILE] [level=LEVEL] …"),
        "faults are in the store",
    ),
    idle("-debug", Takes::MaybeWord("all"), "faults are in the store"),
    idle("-testEnv", Takes::Nothing, "there is no such thing to change"),
    idle(
        "-use-affinity",
        Takes::MaybeWord("CPUS"),
        "threads go where the system puts them",
    ),
    idle("-show-latency", Takes::Nothing, NOT_TOLD),
    idle("-check-mate-pvs", Takes::Nothing, NOT_TOLD),
    idle("-outcomeinterval", Takes::Word("N"), "outcomes are in the store"),
    idle("-strict", Takes::Nothing, "a warning ends nothing"),
    idle(
        "-randomseed",
        Takes::Nothing,
        "a match can be repeated; give another -seed for another one",
    ),
    idle("-bookmode", Takes::Word("ram|disk"), "openings are in memory"),
    idle(
        "-crc32",
        Takes::Words("pgn=true"),
        "the store is checked instead: vidmar store check",
    ),
    idle(
        "-csvout",
        Takes::Words("file=FILE …"),
        "vidmar store export --format csv writes the games",
    ),
    idle(
        "-livepgnout",
        Takes::Words("FILE"),
        "the store is written while the match goes on",
    ),
];

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
