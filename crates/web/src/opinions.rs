//! Opinions: any player's view of any position, growing while it thinks.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::IntoResponse;
use axum::routing::{delete, get, post};
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use ts_rs::TS;
use vidmar_chess::Game;
use vidmar_engine::explanation::{Explanation, Lines};
use vidmar_engine::{Control, Limits};
use vidmar_players::explain;

use crate::body::Body;
use crate::catalogue::{CheckedSeat, LONGEST_THOUGHT, Seat};
use crate::error::{ApiError, ApiResult};
use crate::events::{self, Topic};
use crate::games;
use crate::position::PositionRequest;
use crate::server::Server;
use crate::why::Why;

/// The most opinions that are asked for at once.
const MOST_OPEN: usize = 16;
/// How many finished ones can still be looked at.
const MOST_DONE: usize = 32;
/// The most lines.
const MOST_LINES: usize = 8;
/// How often the page hears of it.
const PACE: Duration = Duration::from_millis(150);
/// A player to whom nobody listens for so long stops.
const UNHEARD: Duration = Duration::from_secs(10);
/// The time where nothing else is said.
const USUAL: Duration = Duration::from_secs(10);

/// What is asked.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct OpinionRequest {
    /// Where the game begins; the usual start position if absent.
    #[serde(default)]
    pub fen: Option<String>,
    /// Moves from there, in UCI notation.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>")]
    pub moves: Vec<String>,
    /// Whose opinion.
    pub seat: Seat,
    /// How long it may think; 10 seconds if neither this nor the seat says anything.
    #[serde(default)]
    pub limit: Option<OpinionLimit>,
    /// How many lines; the seat's if absent.
    #[serde(default)]
    pub multipv: Option<usize>,
}

/// How long a player may think.
#[derive(Copy, Clone, Debug, Default, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct OpinionLimit {
    /// Plies.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Positions.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Milliseconds.
    #[serde(default)]
    pub movetime: Option<u64>,
}

/// The name of an opinion.
#[derive(Clone, Debug, Serialize, TS)]
pub struct OpinionId {
    /// For `/opinions/ID/events`.
    pub id: String,
}

/// An opinion as it stands.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct OpinionUpdate {
    /// What the player thinks; absent before it has said anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
    /// Whether that is its last word.
    pub done: bool,
    /// Why there is nothing more to come, if something went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// All opinions.
#[derive(Default)]
pub(crate) struct Opinions(Mutex<BTreeMap<String, Arc<Opinion>>>);

struct Opinion {
    number: u64,
    control: Control,
    is_done: AtomicBool,
    updates: Topic,
}

/// The endpoints of opinions, below `/api/v1`.
pub(crate) fn routes() -> Router<Server> {
    Router::new()
        .route("/opinions", post(ask))
        .route("/opinions/{id}", delete(stop))
        .route("/opinions/{id}/events", get(follow))
}

async fn ask(
    State(server): State<Server>,
    Body(request): Body<OpinionRequest>,
) -> ApiResult<(StatusCode, Json<OpinionId>)> {
    let seat = CheckedSeat::new(&request.seat, server.config()).map_err(|error| error.within("seat"))?;
    if seat.is_person() {
        return Err(ApiError::bad_request("bad-kind", "a person cannot be asked here").field("seat.kind"));
    }
    let position = PositionRequest {
        fen: request.fen,
        moves: request.moves,
    };
    let game = position.game()?;
    if game.position().count_legal_moves() == 0 {
        return Err(ApiError::conflict(
            "game-over",
            "the game is over: there is no legal move",
        ));
    }
    let limits = limits(request.limit.unwrap_or_default(), &seat)?;
    let lines = request.multipv.unwrap_or(seat.lines());
    if !(1..=MOST_LINES).contains(&lines) {
        let message = format!("expected a number from 1 to {MOST_LINES}");
        return Err(ApiError::bad_request("bad-limit", message).field("multipv"));
    }
    let (id, opinion) = server.opinions().begin()?;
    let at_work = server.clone();
    let spawned = std::thread::Builder::new()
        .name("opinion".to_owned())
        .spawn(move || {
            games::stand_back();
            think(&at_work, &opinion, &seat, &game, &limits, lines);
            opinion.is_done.store(true, Ordering::Relaxed);
        });
    if spawned.is_err() {
        server.opinions().remove(&id);
        return Err(ApiError::too_many(
            "too-many-opinions",
            "there is no thread to be had",
        ));
    }
    Ok((StatusCode::CREATED, Json(OpinionId { id })))
}

fn limits(limit: OpinionLimit, seat: &CheckedSeat) -> ApiResult<Limits> {
    let longest = LONGEST_THOUGHT.as_millis() as u64;
    let bad = |field: &str, most: u64| {
        let message = format!("expected a number from 1 to {most}");
        ApiError::bad_request("bad-limit", message).field(format!("limit.{field}"))
    };
    if limit
        .depth
        .is_some_and(|depth| depth == 0 || depth > vidmar_search::MAX_DEPTH)
    {
        return Err(bad("depth", vidmar_search::MAX_DEPTH.into()));
    }
    if limit.nodes == Some(0) {
        return Err(bad("nodes", u64::MAX));
    }
    if limit.movetime.is_some_and(|time| time == 0 || time > longest) {
        return Err(bad("movetime", longest));
    }
    let wanted = Limits {
        depth: limit.depth,
        nodes: limit.nodes,
        move_time: limit.movetime.map(Duration::from_millis),
        ..Limits::none()
    };
    let mut limits = seat.move_limits().over(&wanted);
    if !limits.are_finite() {
        limits.move_time = Some(USUAL);
    }
    Ok(games::bounded(seat, &limits))
}

/// Lets the player think and tells what it says.
fn think(server: &Server, opinion: &Opinion, seat: &CheckedSeat, game: &Game, limits: &Limits, lines: usize) {
    let tell = |why: Option<Why>, done: bool, error: Option<String>| {
        opinion.updates.publish(&OpinionUpdate { why, done, error });
    };
    let position = game.position();
    let outcome = (|| {
        let Some(_slot) = server.registry().slots.take(true, &opinion.control) else {
            return Ok(None);
        };
        let mut player = games::seated(seat, game, 0, lines)?;
        let breakdown = player.breakdown(position);
        let begun = Instant::now();
        let mut last_told = begun;
        let mut last_heard = begun;
        let mut heard = Lines::default();
        let limits = Limits {
            started: begun,
            ..limits.clone()
        };
        let reply = player.think_aloud(game, &limits, &opinion.control, &mut |info| {
            heard.note(info);
            let now = Instant::now();
            if opinion.updates.listeners() > 0 {
                last_heard = now;
            } else if now > last_heard + UNHEARD {
                opinion.control.stop();
            }
            if now > last_told + PACE {
                last_told = now;
                let so_far = Explanation::Search(heard.explain(position, breakdown.clone()));
                tell(
                    Some(Why::new(&seat.name, position, None, Some(&so_far))),
                    false,
                    None,
                );
            }
        });
        let reply = reply.map_err(|fault| fault.to_string())?;
        let explanation = explain(player.as_ref(), position, &heard);
        let why = Why::new(&seat.name, position, reply.best, explanation.as_ref());
        Ok::<_, String>(Some(why))
    })();
    match outcome {
        Ok(why) => tell(why, true, None),
        Err(trouble) => tell(None, true, Some(trouble)),
    }
}

async fn follow(State(server): State<Server>, Path(id): Path<String>) -> ApiResult<impl IntoResponse> {
    let opinion = server.opinions().find(&id)?;
    events::answer(opinion.updates.follow())
}

async fn stop(State(server): State<Server>, Path(id): Path<String>) -> ApiResult<StatusCode> {
    let opinion = server.opinions().remove(&id).ok_or_else(unknown)?;
    opinion.control.stop();
    Ok(StatusCode::NO_CONTENT)
}

fn unknown() -> ApiError {
    ApiError::not_found("no-such-opinion", "there is no such opinion")
}

impl Opinions {
    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Opinion>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self) -> ApiResult<(String, Arc<Opinion>)> {
        let mut all = self.all();
        let is_done = |opinion: &Arc<Opinion>| opinion.is_done.load(Ordering::Relaxed);
        if all.values().filter(|opinion| !is_done(opinion)).count() >= MOST_OPEN {
            let message = format!("{MOST_OPEN} players are being asked already; stop one");
            return Err(ApiError::too_many("too-many-opinions", message));
        }
        while all.values().filter(|opinion| is_done(opinion)).count() >= MOST_DONE {
            let oldest = all
                .iter()
                .filter(|(_, opinion)| is_done(opinion))
                .min_by_key(|(_, opinion)| opinion.number);
            let Some(id) = oldest.map(|(id, _)| id.clone()) else {
                break;
            };
            all.remove(&id);
        }
        let number = all.values().map(|opinion| opinion.number + 1).max().unwrap_or(0);
        let id = games::name(games::random(number));
        let opinion = Arc::new(Opinion {
            number,
            control: Control::new(),
            is_done: AtomicBool::new(false),
            updates: Topic::new("opinion"),
        });
        all.insert(id.clone(), opinion.clone());
        Ok((id, opinion))
    }

    fn find(&self, id: &str) -> ApiResult<Arc<Opinion>> {
        self.all().get(id).cloned().ok_or_else(unknown)
    }

    fn remove(&self, id: &str) -> Option<Arc<Opinion>> {
        self.all().remove(id)
    }

    /// Stops them all.
    pub(crate) fn close(&self) {
        for opinion in self.all().values() {
            opinion.control.stop();
        }
    }
}
