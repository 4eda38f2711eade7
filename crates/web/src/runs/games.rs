//! The games of a run: pages of them, and one to be played through. And the faults.

use axum::Json;
use axum::extract::{Path, State};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vidmar_arena::{archive, game_row, listed_row};
use vidmar_chess::{Outcome, WhiteScore};
use vidmar_rows::{FaultRow, GameRow};
use vidmar_store::{Direction, Filter, Game, RunId, Store, StoreError};
use vidmar_tune::status::tuning_run;
use vidmar_tune::verify;

use super::library::{Entry, Kind};
use super::quick;
use crate::body::Asked;
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// The most games of a page.
const MOST: u32 = 200;
const USUAL: u32 = 50;
/// The most faults of an answer.
const MOST_FAULTS: usize = 1000;

/// Which games are wanted. Without `after` and `before`, the newest.
#[derive(Debug, Default, Deserialize, TS)]
#[serde(deny_unknown_fields)]
pub(super) struct Wanted {
    part: Option<RunPart>,
    after: Option<u64>,
    before: Option<u64>,
    /// From the first one on.
    first: Option<bool>,
    limit: Option<u32>,
    player: Option<u32>,
    round: Option<u64>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    result: Option<String>,
    termination: Option<String>,
    opening: Option<String>,
}

/// Which games of a tuning run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize, TS)]
#[serde(rename_all = "lowercase")]
pub(super) enum RunPart {
    #[default]
    Tuning,
    Validation,
}

/// Only the part.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct OfPart {
    part: Option<RunPart>,
}

/// A page of games.
#[derive(Debug, Default, Serialize, TS)]
pub(super) struct RunGames {
    /// By number, the lowest first.
    games: Vec<GameRow>,
    /// How many games there are that pass the filter.
    total: u64,
}

/// A game with its moves.
#[derive(Debug, Serialize, TS)]
pub(super) struct Replay {
    #[serde(flatten)]
    game: GameRow,
    /// The start as FEN.
    start: String,
    moves: Vec<ReplayPly>,
    /// What cannot be read of it.
    problem: Option<String>,
    pgn: String,
}

/// A ply of a game, and the position after it.
#[derive(Debug, Serialize, TS)]
pub(super) struct ReplayPly {
    uci: String,
    san: String,
    fen: String,
    check: bool,
    /// What its player thought of it, from White's point of view.
    score: Option<WhiteScore>,
    depth: Option<u32>,
    nodes: Option<u64>,
    seconds: Option<f64>,
}

/// A misbehaviour of a player.
#[derive(Debug, Serialize, TS)]
pub(super) struct RunFault {
    part: RunPart,
    #[serde(flatten)]
    fault: FaultRow,
}

/// The faults of a run.
#[derive(Debug, Default, Serialize, TS)]
pub(super) struct RunFaults {
    /// The first thousand.
    faults: Vec<RunFault>,
    total: usize,
}

/// `GET /runs/{id}/games`
pub(super) async fn games(
    State(server): State<Server>,
    Path(id): Path<String>,
    Asked(wanted): Asked<Wanted>,
) -> ApiResult<Json<RunGames>> {
    quick(server, move |library| {
        let entry = library.find(&id)?;
        let filter = wanted.filter()?;
        let limit = wanted.limit.unwrap_or(USUAL).clamp(1, MOST);
        let direction = match (wanted.after, wanted.before) {
            (Some(_), Some(_)) => {
                let message = "expected one of 'after' and 'before'";
                return Err(ApiError::bad_request("bad-query", message).field("before"));
            }
            (Some(number), None) => Direction::After(Some(number)),
            (None, None) if wanted.first == Some(true) => Direction::After(None),
            (None, before) => Direction::Before(before),
        };
        entry.read_part(wanted.part, |store, run| {
            let names = Names::of(store, run)?;
            let page = store.page(run, &filter, direction, limit)?;
            let shown = |game: &vidmar_store::Listed| listed_row(game, |index| names.of_index(index));
            Ok(RunGames {
                games: page.games.iter().map(shown).collect(),
                total: page.total,
            })
        })
    })
    .await
}

/// `GET /runs/{id}/games/{number}`
pub(super) async fn game(
    State(server): State<Server>,
    Path((id, number)): Path<(String, String)>,
    Asked(OfPart { part }): Asked<OfPart>,
) -> ApiResult<Json<Replay>> {
    quick(server, move |library| {
        let entry = library.find(&id)?;
        let missing = || ApiError::not_found("no-such-game", format!("there is no game '{number}'"));
        let number: u64 = number.parse().map_err(|_| missing())?;
        let found = entry.read_part(part, |store, run| {
            let names = Names::of(store, run)?;
            Ok(store.game(run, number)?.map(|game| Replay::of(&game, &names)))
        })?;
        found.ok_or_else(missing)
    })
    .await
}

/// `GET /runs/{id}/faults`
pub(super) async fn faults(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> ApiResult<Json<RunFaults>> {
    quick(server, move |library| {
        let entry = library.find(&id)?;
        let mut all = RunFaults::default();
        let parts: &[RunPart] = match entry.kind {
            Kind::Tuning(_) => &[RunPart::Tuning, RunPart::Validation],
            Kind::Match(_) => &[RunPart::Tuning],
        };
        for &part in parts {
            let found = entry.read_part(Some(part), |store, run| {
                let names = Names::of(store, run)?;
                let shown = |fault: vidmar_store::Fault| RunFault {
                    part,
                    fault: FaultRow {
                        game: fault.game,
                        attempt: fault.attempt,
                        player: names.of_index(fault.player),
                        kind: fault.kind,
                        detail: entry.without_paths(&fault.detail),
                    },
                };
                Ok(store.faults(run)?.into_iter().map(shown).collect::<Vec<_>>())
            })?;
            all.total += found.len();
            all.faults.extend(found);
        }
        all.faults.truncate(MOST_FAULTS);
        Ok(all)
    })
    .await
}

impl Entry {
    /// Reads the games of a part; a validation that has not begun has none.
    fn read_part<T: Default>(
        &self,
        part: Option<RunPart>,
        read: impl Fn(&Store, RunId) -> Result<T, StoreError>,
    ) -> ApiResult<T> {
        let found = self.read_games(part.unwrap_or_default(), read);
        found.map_err(|error: StoreError| self.unreadable(&error))
    }

    /// The same, with the errors of whoever reads.
    pub(super) fn read_games<T: Default, E: From<StoreError>>(
        &self,
        part: RunPart,
        read: impl Fn(&Store, RunId) -> Result<T, E>,
    ) -> Result<T, E> {
        Store::read(self.store(), |store: Store| {
            let run = match (&self.kind, part) {
                (Kind::Match(contest), _) => Some(contest.run),
                (Kind::Tuning(_), RunPart::Tuning) => tuning_run(&store)?,
                (Kind::Tuning(_), RunPart::Validation) => validation_run(&store)?,
            };
            run.map_or_else(|| Ok(T::default()), |run| read(&store, run))
        })
    }
}

/// The last validation of a store.
pub(super) fn validation_run(store: &Store) -> Result<Option<RunId>, StoreError> {
    let found = store.runs()?.into_iter().rfind(|run| run.kind == verify::KIND);
    Ok(found.map(|run| run.id))
}

/// The names of a run's players: few are asked for, and a tuning run has thousands with long descriptions.
struct Names(Vec<String>);

impl Names {
    fn of(store: &Store, run: RunId) -> Result<Names, StoreError> {
        if store.run(run)?.kind != verify::KIND {
            return Ok(Names(store.names(run)?));
        }
        // The vectors of a validation have names of their own, in front of their values.
        let named = |player: vidmar_store::Player| {
            let described: Option<(String, serde_json::Value)> =
                serde_json::from_str(&player.description).ok();
            described.map_or(player.name, |(name, _)| name)
        };
        Ok(Names(store.players(run)?.into_iter().map(named).collect()))
    }

    fn of_index(&self, index: u32) -> String {
        let found = self.0.get(index as usize);
        found.cloned().unwrap_or_else(|| format!("#{index}"))
    }
}

impl Wanted {
    fn filter(&self) -> ApiResult<Filter> {
        let result = match self.result.as_deref() {
            None | Some("") => None,
            Some(text) => Some(Outcome::from_text(text).map_err(|_| {
                let message = format!("'{text}' is no result: expected 1-0, 0-1, 1/2-1/2 or *");
                ApiError::bad_request("bad-query", message).field("result")
            })?),
        };
        let words = |text: &Option<String>| text.clone().filter(|text| !text.is_empty());
        Ok(Filter {
            player: self.player,
            round: self.round,
            result,
            termination: words(&self.termination),
            opening: words(&self.opening),
        })
    }
}

impl Replay {
    fn of(game: &Game, names: &Names) -> Replay {
        let mut replay = Replay {
            game: game_row(game, |index| names.of_index(index)),
            start: game.start.clone(),
            moves: Vec::new(),
            problem: None,
            pgn: String::new(),
        };
        let (start, moves) = match archive::moves(game) {
            Ok(read) => read,
            Err(error) => {
                replay.problem = Some(error.to_string());
                return replay;
            }
        };
        replay.start = start.to_string();
        let notation = start.castling_notation();
        let mut position = start;
        for (at, m) in moves.into_iter().enumerate() {
            let mover = position.turn();
            let san = position.san(m).to_string();
            position.play(m);
            let thought = at
                .checked_sub(game.given as usize)
                .and_then(|at| game.thoughts.get(at));
            let score = thought.and_then(|thought| thought.score);
            replay.moves.push(ReplayPly {
                uci: m.uci(notation).to_string(),
                san,
                fen: position.to_string(),
                check: position.in_check(),
                score: score.map(|score| score.for_white(mover)),
                depth: thought.map(|thought| thought.depth).filter(|&depth| depth > 0),
                nodes: thought.map(|thought| thought.nodes).filter(|&nodes| nodes > 0),
                seconds: thought.map(|thought| thought.time.as_secs_f64()),
            });
        }
        replay.pgn = pgn(game, &replay.game);
        replay
    }
}

/// The game as PGN; nothing if it cannot be written.
fn pgn(game: &Game, row: &GameRow) -> String {
    let player = |index, name: &str| vidmar_store::Player::new(index, name);
    let players = [player(game.white, &row.white), player(game.black, &row.black)];
    let Ok(made) = archive::pgn_of(game, &players, &archive::PgnStyle::default()) else {
        return String::new();
    };
    let mut writer = vidmar_formats::pgn::Writer::new(Vec::new());
    if writer.write(&made).is_err() {
        return String::new();
    }
    String::from_utf8(writer.into_inner()).unwrap_or_default()
}
