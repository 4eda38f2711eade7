//! The programs that a run would start: what stands in its files is anybody's.
//!
//! A match keeps its command line and a tuning run its configuration, and both may name programs. To go on with one is to start
//! them; so they are shown and asked for first, unless the server was started with the same engine. The command line of a match
//! is read by the program that would play it (`match -resume FILE --list-programs`): a second reader might read it
//! otherwise.

use std::path::Path;
use std::process::Stdio;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path as Named, State};
use serde::Serialize;
use ts_rs::TS;
use vidmar_engine::settings::Value;
use vidmar_players::PlayerSpec;

use super::control::command;
use super::library::{Entry, Kind, Library};
use super::long;
use crate::config::NamedEngine;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// Programs that a run names and nobody else did: they are started only if they are sent back with the request to resume.
#[derive(Debug, Serialize, TS)]
pub(super) struct RunPrograms {
    programs: Vec<String>,
}

/// `GET /runs/{id}/programs`
pub(super) async fn programs(
    State(server): State<Server>,
    Named(id): Named<String>,
) -> ApiResult<Json<RunPrograms>> {
    let engines = server.config().engines.clone();
    let programs = long(server, move |library| {
        let entry = library.find(&id)?;
        unnamed(library, &entry, &engines)
    });
    let programs = programs.await?;
    Ok(Json(RunPrograms { programs }))
}

/// What a run would start and the server was not started with.
pub(super) fn unnamed(
    library: &Library,
    entry: &Arc<Entry>,
    engines: &[NamedEngine],
) -> ApiResult<Vec<String>> {
    let programs = match &entry.kind {
        // What is read again may differ from what was read before.
        Kind::Tuning(run) => {
            vidmar_tune::run::programs(&run.directory).map_err(|error| entry.unreadable(&error))?
        }
        Kind::Match(contest) => of_match(library, &contest.store)
            .map_err(|message| ApiError::conflict("cannot-resume", entry.without_paths(&message)))?,
    };
    let is_named = |spec: &&PlayerSpec| engines.iter().any(|engine| is_same(&engine.spec, spec));
    let unnamed = programs.iter().filter(|spec| !is_named(spec));
    Ok(unnamed.map(ToString::to_string).collect())
}

fn of_match(library: &Library, store: &Path) -> Result<Vec<PlayerSpec>, String> {
    let mut command = command(library).map_err(|error| error.message().to_owned())?;
    command.args(["match", "--list-programs", "-resume"]).arg(store);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let told = command.output().map_err(|error| error.to_string())?;
    if !told.status.success() {
        return Err(super::control::shown(&String::from_utf8_lossy(&told.stderr)));
    }
    let text = String::from_utf8_lossy(&told.stdout);
    let specs = text.lines().map(serde_json::from_str).collect::<Result<_, _>>();
    specs.map_err(|error| error.to_string())
}

/// Whether a run's program is an engine of the server's: the same command, and beyond it nothing but a name, limits and
/// options that are numbers or switches. An option that is a text may be a file that the engine writes.
fn is_same(engine: &PlayerSpec, program: &PlayerSpec) -> bool {
    let same = |key: &str| engine.chosen(key) == program.chosen(key);
    let is_harmless = |(key, value): (&str, &Value)| match value {
        _ if matches!(key, "cmd" | "args" | "name") => true,
        Value::Integer(_) | Value::Switch(_) => true,
        Value::Text(text) => text.parse::<i64>().is_ok() || matches!(text.as_str(), "true" | "false"),
        Value::Numbers(_) => false,
    };
    engine.player_type().key == program.player_type().key
        && same("cmd")
        && same("args")
        && program.settings().all(is_harmless)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_of_the_server_is_known_by_its_command() {
        let spec = |text: &str| -> PlayerSpec { text.parse().expect("a player") };
        let engine = spec("uci:cmd=sf,args=-q");
        for same in [
            "uci:cmd=sf,args=-q",
            "uci:cmd=sf,args=-q,name=A,depth=3,option.Hash=16,option.Ponder=false",
        ] {
            assert!(is_same(&engine, &spec(same)), "{same}");
        }
        for other in [
            "uci:cmd=sf",
            "uci:cmd=/tmp/sf,args=-q",
            "uci:cmd=sf,args=-q -x",
            "xboard:cmd=sf,args=-q",
            "uci:cmd=sf,args=-q,dir=/tmp",
            "uci:cmd=sf,args=-q,option.Debug Log File=/home/me/.profile",
        ] {
            assert!(!is_same(&engine, &spec(other)), "{other}");
        }
    }
}
