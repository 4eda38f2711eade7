//! The arguments that are groups of `key=value`, each with its reader.

use std::path::PathBuf;

use anyhow::{Context as _, anyhow, bail, ensure};
use vidmar_arena::{DrawRule, ResignRule, Sprt, SprtModel};
use vidmar_text::quoted_words;

use super::settings::{EngineSettings, FileOut, OpeningSettings};
use super::time_control::seconds;
use super::words::{Argument, at_least, milliseconds, number, one_of, pairs, truth};

pub(super) fn read_engine(
    argument: &Argument,
    engine: &mut EngineSettings,
    notes: &mut Vec<String>,
) -> anyhow::Result<()> {
    let name = argument.row.name;
    for (row, key, value) in pairs(argument, notes)? {
        let full = format!("{name} {key}");
        match row.name {
            "cmd" => engine.command = Some(value.to_owned()),
            "player" => engine.player = Some(value.to_owned()),
            "name" => engine.name = Some(value.to_owned()),
            "proto" => engine.xboard = Some(one_of(&full, value, &[("uci", false), ("xboard", true)])?),
            "dir" => engine.directory = Some(PathBuf::from(value)),
            "args" => engine
                .arguments
                .extend(quoted_words(value).with_context(|| full.clone())?),
            "arg" => engine.arguments.push(value.to_owned()),
            "initstr" => engine.initial.extend(value.split("\\n").map(str::to_owned)),
            "option.NAME" => {
                let option = key.strip_prefix("option.").unwrap_or_default();
                ensure!(!option.is_empty(), "{full}: expected option.NAME=VALUE");
                engine.options.push((option.to_owned(), value.to_owned()));
            }
            "tc" => {
                engine.clock = Some(
                    value
                        .parse()
                        .map_err(|error: String| anyhow!("{full}: {error}"))?,
                );
            }
            "st" => {
                let time = seconds(value).filter(|time| !time.is_zero());
                engine.move_time =
                    Some(time.ok_or_else(|| anyhow!("{full}: '{value}': expected a number of seconds"))?);
            }
            "nodes" => engine.nodes = Some(at_least(&full, value, 1)?),
            "depth" | "plies" => engine.depth = Some(at_least(&full, value, 1)?),
            "timemargin" => engine.margin = Some(milliseconds(&full, value)?),
            "restart" => {
                engine.restart = Some(one_of(
                    &full,
                    value,
                    &[("on", true), ("off", false), ("auto", false)],
                )?);
            }
            "ponder" => ensure!(
                !truth(&full, value)?,
                "{full}: thinking on the opponent's time is not supported: expected off"
            ),
            _ => {}
        }
    }
    Ok(())
}

pub(super) fn read_openings(argument: &Argument, notes: &mut Vec<String>) -> anyhow::Result<OpeningSettings> {
    let mut openings = OpeningSettings::default();
    for (key, _, value) in pairs(argument, notes)? {
        let full = format!("-openings {}", key.name);
        match key.name {
            "file" => openings.file = Some(PathBuf::from(value)),
            "format" => {
                openings.format =
                    Some(one_of(&full, value, &[("epd", "epd"), ("pgn", "pgn"), ("bin", "bin")])?.to_owned());
            }
            "order" => openings.random = one_of(&full, value, &[("random", true), ("sequential", false)])?,
            "plies" => openings.plies = Some(number(&full, value, "a whole number")?),
            "start" => openings.start = at_least::<u64>(&full, value, 1)? - 1,
            "policy" => {
                let choices = [
                    ("default", "default"),
                    ("encounter", "encounter"),
                    ("round", "round"),
                ];
                openings.policy = Some(one_of(&full, value, &choices)?.to_owned());
            }
            _ => {}
        }
    }
    ensure!(
        openings.file.is_some(),
        "-openings: file is missing (expected file=FILE)"
    );
    Ok(openings)
}

pub(super) fn read_sprt(argument: &Argument, notes: &mut Vec<String>) -> anyhow::Result<Sprt> {
    let (mut elo0, mut elo1) = (None, None);
    let (mut alpha, mut beta) = (0.05, 0.05);
    let mut model = SprtModel::default();
    for (key, _, value) in pairs(argument, notes)? {
        let full = format!("-sprt {}", key.name);
        match key.name {
            "elo0" => elo0 = Some(number(&full, value, "a number of Elo")?),
            "elo1" => elo1 = Some(number(&full, value, "a number of Elo")?),
            "alpha" => alpha = number(&full, value, "a probability")?,
            "beta" => beta = number(&full, value, "a probability")?,
            "model" => {
                let models: Vec<_> = SprtModel::ALL
                    .iter()
                    .map(|&model| (model.name(), model))
                    .collect();
                model = one_of(&full, value, &models)?;
            }
            _ => {}
        }
    }
    let (Some(elo0), Some(elo1)) = (elo0, elo1) else {
        bail!("-sprt: expected elo0=ELO and elo1=ELO");
    };
    Sprt::new(elo0, elo1, alpha, beta, model).context("-sprt")
}

pub(super) fn read_resign(argument: &Argument, notes: &mut Vec<String>) -> anyhow::Result<ResignRule> {
    let mut rule = ResignRule {
        score: 0,
        moves: 1,
        two_sided: false,
    };
    let mut told = false;
    for (key, _, value) in pairs(argument, notes)? {
        let full = format!("-resign {}", key.name);
        match key.name {
            "movecount" => rule.moves = at_least(&full, value, 1)?,
            "score" => {
                rule.score = at_least(&full, value, 1)?;
                told = true;
            }
            "twosided" => rule.two_sided = truth(&full, value)?,
            _ => {}
        }
    }
    ensure!(told, "-resign: score is missing (expected score=CENTIPAWNS)");
    Ok(rule)
}

pub(super) fn read_draw(argument: &Argument, notes: &mut Vec<String>) -> anyhow::Result<DrawRule> {
    let mut rule = DrawRule {
        from_move: 0,
        moves: 1,
        score: 0,
    };
    for (key, _, value) in pairs(argument, notes)? {
        let full = format!("-draw {}", key.name);
        match key.name {
            "movenumber" => rule.from_move = number(&full, value, "a whole number")?,
            "movecount" => rule.moves = at_least(&full, value, 1)?,
            "score" => rule.score = at_least(&full, value, 0)?,
            _ => {}
        }
    }
    Ok(rule)
}

/// fastchess writes `-pgnout file=FILE min=true`, cutechess `-pgnout FILE min`.
pub(super) fn read_file_out(argument: &Argument, notes: &mut Vec<String>) -> anyhow::Result<FileOut> {
    let name = argument.row.name;
    let mut out = FileOut::default();
    if let [file, rest @ ..] = argument.words.as_slice()
        && !file.contains('=')
    {
        out.file = PathBuf::from(file);
        for word in rest {
            match word.as_str() {
                "min" if name == "-pgnout" => out.plain = true,
                "fi" => notes.push(format!(
                    "{name} fi has no effect: games without a result are written too"
                )),
                other => bail!("{name}: unexpected '{other}'"),
            }
        }
        return Ok(out);
    }
    for (key, _, value) in pairs(argument, notes)? {
        let full = format!("{name} {}", key.name);
        match key.name {
            "file" => out.file = PathBuf::from(value),
            "append" => out.replace = !truth(&full, value)?,
            "nodes" => out.nodes = truth(&full, value)?,
            "min" => out.plain = truth(&full, value)?,
            "notation" => one_of(&full, value, &[("san", ())])?,
            _ => {}
        }
    }
    ensure!(
        !out.file.as_os_str().is_empty(),
        "{name}: file is missing (expected file=FILE)"
    );
    Ok(out)
}
