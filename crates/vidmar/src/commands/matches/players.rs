//! From what is said of the players to players.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use vidmar_arena::MatchPlayer;
use vidmar_engine::settings::Value;
use vidmar_players::{EngineCommand, PlayerSpec, Protocol};

use super::arguments::{CommandLine, EngineWords};

/// Those who take part, in order, each with a name of its own.
pub(super) fn players(line: &CommandLine) -> anyhow::Result<Vec<MatchPlayer>> {
    ensure!(
        line.engines.len() >= 2,
        "a match needs at least two players, not {}: expected -engine cmd=PATH or -engine player=SPEC for each",
        line.engines.len()
    );
    let mut players: Vec<MatchPlayer> = Vec::new();
    for (at, engine) in line.engines.iter().enumerate() {
        let (spec, name) = specification(engine, line).with_context(|| format!("player {}", at + 1))?;
        let given = engine.name.is_some();
        let name = match players.iter().any(|other| other.name == name) {
            true if given => bail!("two players are called '{name}': give them different names (name=NAME)"),
            true => numbered(&name, &players),
            false => name,
        };
        let limits = engine.limits();
        let limited = limits.base.is_some()
            || limits.move_time.is_some()
            || limits.depth.is_some()
            || limits.nodes.is_some()
            || !spec.needs_limit();
        ensure!(
            limited,
            "{name} has no limit: expected tc=, st=, nodes= or depth= in -engine or -each"
        );
        let spec = spec.named(&name);
        players.push(MatchPlayer {
            name,
            spec,
            limits,
            restart: engine.restart.unwrap_or(false),
        });
    }
    Ok(players)
}

/// The first of "name 2", "name 3", … that is free.
fn numbered(name: &str, taken: &[MatchPlayer]) -> String {
    (2..=taken.len() + 2)
        .map(|number| format!("{name} {number}"))
        .find(|candidate| taken.iter().all(|other| other.name != *candidate))
        .expect("there are more numbers than players")
}

fn specification(engine: &EngineWords, line: &CommandLine) -> anyhow::Result<(PlayerSpec, String)> {
    if let Some(text) = &engine.player {
        ensure!(
            engine.arguments.is_empty() && engine.initial.is_empty() && engine.directory.is_none(),
            "args, initstr and dir are for cmd=, not for player={text}"
        );
        let mut spec: PlayerSpec = text.parse().with_context(|| format!("player={text}"))?;
        // What -each says about options reaches built-in players too.
        for (name, value) in &engine.options {
            let option = spec.with_text(&format!("option.{name}"), value);
            spec = option.with_context(|| format!("player={text}"))?;
        }
        let checked = spec.check().and_then(|()| spec.check_limits(&engine.own_limits));
        checked.with_context(|| format!("player={text}"))?;
        let spec = with_timeouts(spec, engine, line)?;
        let name = engine.name.clone().unwrap_or_else(|| spec.name());
        return Ok((spec, name));
    }
    let Some(command) = &engine.command else {
        bail!("expected cmd=PATH or player=SPEC");
    };
    let mut wanted = EngineCommand::new(program(command)?);
    wanted.arguments.clone_from(&engine.arguments);
    wanted.directory.clone_from(&engine.directory);
    wanted.options.clone_from(&engine.options);
    wanted.initial_lines.clone_from(&engine.initial);
    let protocol = if engine.xboard == Some(true) {
        Protocol::Xboard
    } else {
        Protocol::Uci
    };
    let name = match &engine.name {
        Some(name) => name.clone(),
        None => Path::new(command)
            .file_name()
            .map_or_else(|| command.clone(), |name| name.to_string_lossy().into_owned()),
    };
    let spec = PlayerSpec::external(protocol, &wanted, Some(name.clone()));
    Ok((with_timeouts(spec, engine, line)?, name))
}

/// A program with what the command line says of waiting for programs, where its specification says nothing.
fn with_timeouts(
    mut spec: PlayerSpec,
    engine: &EngineWords,
    line: &CommandLine,
) -> anyhow::Result<PlayerSpec> {
    let timeouts = [
        ("start-ms", "-startup-ms", line.start_timeout),
        ("ready-ms", "-ping-ms", line.ready_timeout),
        (
            "answer-ms",
            "-answer-ms",
            engine.answer_timeout.or(line.answer_timeout),
        ),
    ];
    for (key, argument, timeout) in timeouts {
        let is_open = spec.player_type().is_program() && spec.chosen(key).is_none();
        if let Some(timeout) = timeout.filter(|_| is_open) {
            let time = Value::Integer(timeout.as_millis() as i64);
            spec = spec.with(key, time).context(argument)?;
        }
    }
    Ok(spec)
}

/// A path that means the same from every folder; a bare name is looked up in `PATH`.
fn program(command: &str) -> anyhow::Result<PathBuf> {
    let path = Path::new(command);
    if path.components().count() > 1 || path.exists() && path.is_file() {
        return std::path::absolute(path).with_context(|| format!("cmd={command}"));
    }
    Ok(path.to_owned())
}
