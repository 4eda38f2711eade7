//! The arguments that are groups of `key=value`: every key with its reader.

use std::path::PathBuf;

use anyhow::{bail, ensure};
use vidmar_arena::archive::Detail;
use vidmar_arena::{ClockError, DrawRule, OpeningPolicy, OutputFormat, ResignRule};
use vidmar_text::quoted_words;

use super::line::{CommandLine, EngineWords, FileWords, OpeningWords, QuickWords, SprtWords};
use super::row::{Effect, Group, Key};
use super::value::Value;

pub(super) const fn key<T>(
    name: &'static str,
    value: &'static str,
    help: &'static str,
    read: fn(&mut T, &Value<'_>) -> anyhow::Result<()>,
) -> Key<T> {
    Key {
        name,
        value,
        effect: Effect::Read(help, read),
    }
}

pub(super) const fn idle<T>(name: &'static str, value: &'static str, why: &'static str) -> Key<T> {
    Key {
        name,
        value,
        effect: Effect::Idle(why),
    }
}

pub(super) const fn group<T>(keys: &'static [Key<T>], target: fn(&mut CommandLine) -> &mut T) -> Group<T> {
    Group {
        keys,
        target,
        check: |_| Ok(()),
        plain: |_, _| Ok(false),
    }
}

const ENGINE: &[Key<EngineWords>] = &[
    key("cmd", "PATH", "the engine's program", |engine, value| {
        engine.command = Some(value.owned());
        Ok(())
    }),
    key(
        "conf",
        "NAME",
        "an engine of cutechess's engines.json, here or in its own folder",
        // In -engine the words of its entry are in its place before this is read.
        |_, value| Err(value.wrong("names one engine: expected it in -engine")),
    ),
    key(
        "player",
        "SPEC",
        "a built-in player instead, for example engine:depth=6 or random",
        |engine, value| {
            engine.player = Some(value.owned());
            Ok(())
        },
    ),
    key(
        "name",
        "NAME",
        "its name in tables; the program's or the specification by default",
        |engine, value| {
            engine.name = Some(value.owned());
            Ok(())
        },
    ),
    key(
        "proto",
        "uci|xboard",
        "the protocol; uci by default",
        |engine, value| {
            engine.xboard = Some(value.one_of(&[("uci", false), ("xboard", true)])?);
            Ok(())
        },
    ),
    key("dir", "DIR", "where it runs", |engine, value| {
        engine.directory = Some(value.path());
        Ok(())
    }),
    key(
        "args",
        "WORDS",
        "its arguments; quotes hold words together",
        |engine, value| {
            let words = quoted_words(value.text).map_err(|error| value.wrong(error))?;
            engine.arguments.extend(words);
            Ok(())
        },
    ),
    key("arg", "WORD", "one more argument", |engine, value| {
        engine.arguments.push(value.owned());
        Ok(())
    }),
    key(
        "initstr",
        "TEXT",
        "lines sent before all others, parted by \\n",
        |engine, value| {
            engine.initial.extend(value.text.split("\\n").map(str::to_owned));
            Ok(())
        },
    ),
    key(
        "option.NAME",
        "VALUE",
        "an option of the engine; one that it does not offer is an error",
        |engine, value| {
            let option = value.key.strip_prefix("option.").unwrap_or_default();
            if option.is_empty() {
                return Err(value.wrong("expected option.NAME=VALUE"));
            }
            engine.options.push((option.to_owned(), value.owned()));
            Ok(())
        },
    ),
    key(
        "tc",
        "[MOVES/]TIME[+INC]",
        "the clock: 40/60+0.6, 2+0.02, 0:30+1, inf",
        |engine, value| {
            engine.clock = Some(
                value
                    .text
                    .parse()
                    .map_err(|error: ClockError| value.wrong(error))?,
            );
            Ok(())
        },
    ),
    key("st", "SECONDS", "time for each move", |engine, value| {
        engine.move_time = Some(value.seconds()?);
        Ok(())
    }),
    key("nodes", "N", "positions for each move", |engine, value| {
        engine.nodes = Some(value.at_least(1)?);
        Ok(())
    }),
    key("depth", "N", "plies for each move", read_depth),
    key("plies", "N", "the same", read_depth),
    key(
        "timemargin",
        "MS",
        "how far the flag may be overstepped",
        |engine, value| {
            engine.margin = Some(value.milliseconds()?);
            Ok(())
        },
    ),
    key(
        "answer-ms",
        "MS",
        "how long a program may take over a move at depth= or nodes=",
        |engine, value| {
            engine.answer_timeout = Some(value.milliseconds()?);
            Ok(())
        },
    ),
    key(
        "restart",
        "on|off|auto",
        "start it again before every game",
        |engine, value| {
            engine.restart = Some(value.one_of(&[("on", true), ("off", false), ("auto", false)])?);
            Ok(())
        },
    ),
    key(
        "ponder",
        "off",
        "only off: nobody thinks on the opponent's time",
        |_, value| {
            if value.truth()? {
                return Err(value.wrong("thinking on the opponent's time is not supported: expected off"));
            }
            Ok(())
        },
    ),
    idle("trust", "", "moves are always checked"),
    idle(
        "whitepov",
        "",
        "scores are read as the protocol has them: for the side to move",
    ),
    idle("stderr", "FILE", "what engines write there is thrown away"),
];

fn read_depth(engine: &mut EngineWords, value: &Value<'_>) -> anyhow::Result<()> {
    engine.depth = Some(value.at_least(1)?);
    Ok(())
}

pub(super) static ENGINE_KEYS: Group<EngineWords> = group(ENGINE, |line| {
    line.engines.push(EngineWords::default());
    line.engines.last_mut().expect("one was just added")
});

pub(super) static EACH_KEYS: Group<EngineWords> = group(ENGINE, |line| &mut line.each);

pub(super) static QUICK_KEYS: Group<QuickWords> = group(
    &[
        key("cmd", "PATH", "an engine; twice", |quick, value| {
            quick.commands.push(value.owned());
            Ok(())
        }),
        key("book", "FILE", "openings", |quick, value| {
            quick.book = Some(value.path());
            Ok(())
        }),
    ],
    |line| line.quick.get_or_insert_default(),
);

pub(super) static OPENING_KEYS: Group<OpeningWords> = Group {
    check: |openings| {
        ensure!(
            !openings.source.file.as_os_str().is_empty(),
            "file is missing (expected file=FILE)"
        );
        Ok(())
    },
    ..group(
        &[
            key("file", "FILE", "the openings", |openings, value| {
                openings.source.file = value.path();
                Ok(())
            }),
            key(
                "format",
                "epd|pgn|bin",
                "what the file is; by its name if not said",
                |openings, value| {
                    openings.source.format = Some(value.named()?);
                    Ok(())
                },
            ),
            key(
                "order",
                "sequential|random",
                "in which order; sequential by default",
                |openings, value| {
                    openings.source.random = value.one_of(&[("random", true), ("sequential", false)])?;
                    Ok(())
                },
            ),
            key(
                "plies",
                "N",
                "how much of each line is played; of a PolyGlot book (bin) 8 by default",
                |openings, value| {
                    openings.source.plies = Some(value.whole()?);
                    Ok(())
                },
            ),
            key("start", "N", "the first one, from 1", |openings, value| {
                openings.source.start = value.at_least::<u64>(1)? - 1;
                Ok(())
            }),
            key(
                "policy",
                "default|encounter|round",
                "when the next one is taken",
                |openings, value| {
                    openings.policy = value.one_of(&[
                        ("default", None),
                        ("encounter", Some(OpeningPolicy::Encounter)),
                        ("round", Some(OpeningPolicy::Round)),
                    ])?;
                    Ok(())
                },
            ),
        ],
        |line| line.openings.insert(OpeningWords::default()),
    )
};

pub(super) static SPRT_KEYS: Group<SprtWords> = Group {
    check: |sprt| sprt.test().map(drop),
    ..group(
        &[
            key("elo0", "ELO", "the lower hypothesis", |sprt, value| {
                sprt.elo0 = Some(value.number("a number of Elo")?);
                Ok(())
            }),
            key("elo1", "ELO", "the upper hypothesis", |sprt, value| {
                sprt.elo1 = Some(value.number("a number of Elo")?);
                Ok(())
            }),
            key(
                "alpha",
                "P",
                "chance of accepting elo1 wrongly; 0.05 by default",
                |sprt, value| {
                    sprt.alpha = value.number("a probability")?;
                    Ok(())
                },
            ),
            key(
                "beta",
                "P",
                "chance of accepting elo0 wrongly; 0.05 by default",
                |sprt, value| {
                    sprt.beta = value.number("a probability")?;
                    Ok(())
                },
            ),
            key(
                "model",
                "normalized|logistic|bayesian",
                "what Elo is; normalized by default",
                |sprt, value| {
                    sprt.model = value.named()?;
                    Ok(())
                },
            ),
        ],
        |line| line.sprt.insert(SprtWords::default()),
    )
};

pub(super) static RESIGN_KEYS: Group<ResignRule> = Group {
    check: |rule| {
        ensure!(rule.score > 0, "score is missing (expected score=CENTIPAWNS)");
        Ok(())
    },
    ..group(
        &[
            key("movecount", "N", "moves in a row; 1 by default", |rule, value| {
                rule.moves = value.at_least(1)?;
                Ok(())
            }),
            key("score", "CP", "how far behind, in centipawns", |rule, value| {
                rule.score = value.at_least(1)?;
                Ok(())
            }),
            key(
                "twosided",
                "true|false",
                "the winner must see it too",
                |rule, value| {
                    rule.two_sided = value.truth()?;
                    Ok(())
                },
            ),
        ],
        |line| {
            line.rules.resign.insert(ResignRule {
                score: 0,
                moves: 1,
                two_sided: false,
            })
        },
    )
};

pub(super) static DRAW_KEYS: Group<DrawRule> = group(
    &[
        key("movenumber", "N", "not before this move", |rule, value| {
            rule.from_move = value.whole()?;
            Ok(())
        }),
        key(
            "movecount",
            "N",
            "moves of each side in a row; 1 by default",
            |rule, value| {
                rule.moves = value.at_least(1)?;
                Ok(())
            },
        ),
        key(
            "score",
            "CP",
            "how far from level, in centipawns",
            |rule, value| {
                rule.score = value.at_least(0)?;
                Ok(())
            },
        ),
    ],
    |line| {
        line.rules.draw.insert(DrawRule {
            from_move: 0,
            moves: 1,
            score: 0,
        })
    },
);

pub(super) static REPORT_KEYS: Group<bool> = group(
    &[key(
        "penta",
        "true|false",
        "count pairs of games, not games; true by default",
        |paired, value| {
            *paired = value.truth()?;
            Ok(())
        },
    )],
    |line| &mut line.paired,
);

pub(super) static OUTPUT_KEYS: Group<OutputFormat> = group(
    &[key(
        "format",
        "vidmar|fastchess|cutechess",
        "whose lines",
        |format, value| {
            *format = value.named()?;
            Ok(())
        },
    )],
    |line| &mut line.output_format,
);

pub(super) const NOT_KEPT: &str = "not part of what is kept of a move";

/// Why there is no latency.
pub(super) const NO_LATENCY: &str =
    "the time of a move is measured here, latency included; what an engine measures itself is not kept";

const fn file_key() -> Key<FileWords> {
    key("file", "FILE", "where to", |out, value| {
        out.file = value.path();
        Ok(())
    })
}

const fn append_key() -> Key<FileWords> {
    key(
        "append",
        "true|false",
        "behind what the file holds already; true by default",
        |out, value| {
            out.replace = !value.truth()?;
            Ok(())
        },
    )
}

fn has_file(out: &FileWords) -> anyhow::Result<()> {
    ensure!(
        !out.file.as_os_str().is_empty(),
        "file is missing (expected file=FILE)"
    );
    Ok(())
}

/// fastchess writes `-pgnout file=FILE min=true`, cutechess `-pgnout FILE min`.
fn read_plain(out: &mut FileWords, words: &[String], may_be_minimal: bool) -> anyhow::Result<bool> {
    let [file, rest @ ..] = words else {
        return Ok(false);
    };
    if file.contains('=') {
        return Ok(false);
    }
    out.file = PathBuf::from(file);
    for word in rest {
        match word.as_str() {
            "min" if may_be_minimal => out.plain = true,
            "fi" => out.finished_only = true,
            other => bail!("unexpected '{other}'"),
        }
    }
    Ok(true)
}

const fn detail_key(
    detail: Detail,
    help: &'static str,
    read: fn(&mut FileWords, &Value<'_>) -> anyhow::Result<()>,
) -> Key<FileWords> {
    key(detail.name(), "true|false", help, read)
}

/// One more thing to write of every move, or one less.
fn add_detail(out: &mut FileWords, detail: Detail, value: &Value<'_>) -> anyhow::Result<()> {
    out.details.retain(|&other| other != detail);
    if value.truth()? {
        out.details.push(detail);
    }
    Ok(())
}

pub(super) static PGN_KEYS: Group<FileWords> = Group {
    check: has_file,
    plain: |out, words| read_plain(out, words, true),
    ..group(
        &[
            file_key(),
            key("notation", "san", "only san", |_, value| {
                value.one_of(&[("san", ())])
            }),
            append_key(),
            key(
                "nodes",
                "true|false",
                "also the positions visited",
                |out, value| {
                    out.nodes = value.truth()?;
                    Ok(())
                },
            ),
            key(
                "nps",
                "true|false",
                "also the positions a second",
                |out, value| {
                    out.nps = value.truth()?;
                    Ok(())
                },
            ),
            key(
                "pv",
                "true|false",
                "also the line that the player expects; kept with the games from then on",
                |out, value| {
                    out.pv = value.truth()?;
                    Ok(())
                },
            ),
            key("min", "true|false", "no comments", |out, value| {
                out.plain = value.truth()?;
                Ok(())
            }),
            detail_key(
                Detail::TimeLeft,
                "also what is left on the clock; kept as pv is",
                |out, value| add_detail(out, Detail::TimeLeft, value),
            ),
            detail_key(
                Detail::Seldepth,
                "also the longest line looked at; kept as pv is",
                |out, value| add_detail(out, Detail::Seldepth, value),
            ),
            detail_key(
                Detail::Hashfull,
                "also how full the table is, in thousandths; kept as pv is",
                |out, value| add_detail(out, Detail::Hashfull, value),
            ),
            detail_key(
                Detail::Tbhits,
                "also the positions read from tablebases; kept as pv is",
                |out, value| add_detail(out, Detail::Tbhits, value),
            ),
            idle("latency", "true|false", NO_LATENCY),
        ],
        |line| line.pgn.insert(FileWords::default()),
    )
};

pub(super) static EPD_KEYS: Group<FileWords> = Group {
    check: has_file,
    plain: |out, words| read_plain(out, words, false),
    ..group(&[file_key(), append_key()], |line| {
        line.epd.insert(FileWords::default())
    })
};
