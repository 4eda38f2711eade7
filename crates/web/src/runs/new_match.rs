//! A match that is begun from the page: two of the players that the page offers, and `vidmar match` plays it.
//!
//! What is said here becomes a command line of `vidmar match`, which keeps it in its store: the match is the same as one that
//! was typed, and goes on in the same way.

use std::process::Command;
use std::time::Instant;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use serde::Deserialize;
use ts_rs::TS;

use super::control::{LOOK, STARTING, Started, appeared, command, new_path, seed};
use super::overview::Run;
use super::{long, queue};
use crate::body::Body;
use crate::catalogue::{CheckedSeat, Seat};
use crate::error::{ApiError, ApiResult};
use crate::games::types::ClockSetting;
use crate::server::Server;

/// The most pairs of games.
const MOST_ROUNDS: u32 = 1_000_000;
/// The longest time of a game or a move: an hour.
const LONGEST_MS: u64 = 3_600_000;

/// What a new match is told.
#[derive(Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(super) struct NewMatch {
    /// One of the directories that the server was started with; the first if nothing is said.
    #[ts(optional)]
    directory: Option<String>,
    /// The match's file will have this name.
    name: String,
    first: Seat,
    second: Seat,
    /// Pairs of games: each opening is played twice, with colours exchanged.
    rounds: u32,
    limit: MatchLimit,
    /// A sequential test of these two hypotheses, in Elo, that may end the match early.
    #[ts(optional)]
    sprt: Option<[f64; 2]>,
    /// From 0 to 2^64 - 1. A text where it is above 2^53: numbers of a page end there.
    #[ts(optional, type = "number | string")]
    seed: Option<serde_json::Value>,
}

/// What both may use.
#[derive(Copy, Clone, Debug, Deserialize, TS)]
#[serde(rename_all = "kebab-case")]
pub(super) enum MatchLimit {
    /// A clock for the game.
    Clock(ClockSetting),
    /// Milliseconds a move.
    MoveTime(u64),
    /// Positions a move.
    Nodes(u64),
    /// Plies.
    Depth(u32),
}

/// `POST /runs/matches`
pub(super) async fn begin(
    State(server): State<Server>,
    Body(new): Body<NewMatch>,
) -> ApiResult<(StatusCode, Json<Run>)> {
    let here = server.clone();
    let run = long(server, move |library| {
        let store = new_path(library, new.directory.as_deref(), &new.name, ".db")?;
        let mut command = command(library)?;
        command.args(new.words(&here)?).arg("--store").arg(&store);
        let cannot_begin = |message: String| {
            let message = message.replace(&*store.to_string_lossy(), &new.name);
            ApiError::conflict("cannot-begin", message)
        };
        queue::start_now(&here, || {
            started(command, &store).map_err(cannot_begin)?;
            // A process has its store a moment before the match is in it.
            let begun = Instant::now();
            loop {
                if let Some(entry) = appeared(library, &store) {
                    return Ok(entry.overview());
                }
                if begun.elapsed() > STARTING {
                    return Err(cannot_begin("the match did not begin".to_owned()));
                }
                std::thread::sleep(LOOK);
            }
        })
    })
    .await?;
    Ok((StatusCode::CREATED, Json(run)))
}

fn started(command: Command, store: &std::path::Path) -> Result<(), String> {
    Started::new(command)?.until_it_writes(store, || {})
}

impl NewMatch {
    /// The command line, without the store.
    fn words(&self, server: &Server) -> ApiResult<Vec<String>> {
        if !(1..=MOST_ROUNDS).contains(&self.rounds) {
            let message = format!("expected a number from 1 to {MOST_ROUNDS}");
            return Err(ApiError::bad_request("bad-rounds", message).field("rounds"));
        }
        let mut words = vec!["match".to_owned()];
        let mut names: Vec<String> = Vec::new();
        for (part, seat) in [("first", &self.first), ("second", &self.second)] {
            let checked = CheckedSeat::new(seat, server.config()).map_err(|error| error.within(part))?;
            let lines = checked.lines();
            let Some(spec) = checked.spec(lines).map_err(|error| error.within(part))? else {
                let message = "a person cannot play a match";
                return Err(ApiError::bad_request("bad-kind", message).field(format!("{part}.kind")));
            };
            let mut name = checked.name.clone();
            if names.contains(&name) {
                name.push_str(" 2");
            }
            words.extend([
                "-engine".to_owned(),
                format!("player={spec}"),
                format!("name={name}"),
            ]);
            names.push(name);
        }
        words.extend(["-each".to_owned(), self.limit.word()?]);
        words.extend(["-rounds".to_owned(), self.rounds.to_string()]);
        if let Some([elo0, elo1]) = self.sprt {
            if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
                let message = "expected two numbers, the smaller one first";
                return Err(ApiError::bad_request("bad-test", message).field("sprt"));
            }
            words.extend(["-sprt".to_owned(), format!("elo0={elo0}"), format!("elo1={elo1}")]);
        }
        if let Some(given) = &self.seed {
            words.extend(["-srand".to_owned(), seed(given)?.to_string()]);
        }
        Ok(words)
    }
}

impl MatchLimit {
    /// As `-each` takes it.
    fn word(self) -> ApiResult<String> {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        let fits = |number: u64, most: u64| (1..=most).contains(&number);
        let (word, is_fine) = match self {
            MatchLimit::Clock(ClockSetting {
                base_ms,
                increment_ms,
            }) => (
                format!("tc={}+{}", seconds(base_ms), seconds(increment_ms)),
                fits(base_ms, LONGEST_MS) && increment_ms <= LONGEST_MS,
            ),
            MatchLimit::MoveTime(ms) => (format!("st={}", seconds(ms)), fits(ms, LONGEST_MS)),
            MatchLimit::Nodes(nodes) => (format!("nodes={nodes}"), fits(nodes, 1 << 53)),
            MatchLimit::Depth(depth) => (
                format!("depth={depth}"),
                fits(depth.into(), vidmar_search::MAX_DEPTH.into()),
            ),
        };
        let message = format!(
            "'{word}': expected at least 1, at most an hour, or {} plies",
            vidmar_search::MAX_DEPTH
        );
        is_fine
            .then_some(word)
            .ok_or_else(|| ApiError::bad_request("bad-limit", message).field("limit"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_written_as_the_command_takes_them() {
        let clock = |base_ms| {
            MatchLimit::Clock(ClockSetting {
                base_ms,
                increment_ms: 100,
            })
        };
        for (limit, expected) in [
            (clock(10_000), Some("tc=10+0.1")),
            (MatchLimit::MoveTime(50), Some("st=0.05")),
            (MatchLimit::Nodes(5_000), Some("nodes=5000")),
            (MatchLimit::Depth(6), Some("depth=6")),
            (MatchLimit::Depth(0), None),
            (MatchLimit::MoveTime(LONGEST_MS + 1), None),
            (clock(0), None),
        ] {
            assert_eq!(limit.word().ok().as_deref(), expected, "{limit:?}");
        }
    }
}
