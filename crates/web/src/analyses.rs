//! Analyses: any player's view of any position, growing while it thinks.

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
use vidmar_engine::explanation::{ExplainedEvaluation, Explanation, Lines};
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

/// The most analyses that are asked for at once.
const MOST_OPEN: usize = 16;
/// How many finished ones can still be looked at.
const MOST_DONE: usize = 32;
/// The most lines.
const MOST_LINES: usize = 8;
/// How often the page hears of it.
const PACE: Duration = Duration::from_millis(150);
/// A player to whom nobody listens for so long stops.
const UNHEARD: Duration = Duration::from_secs(10);
/// How often it is looked whether somebody listens.
const LOOK: Duration = Duration::from_secs(1);
/// The time where nothing else is said.
const USUAL: Duration = Duration::from_secs(10);

/// What is asked.
#[derive(Clone, Debug, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct AnalysisRequest {
    /// Where the game begins; the usual start position if absent.
    #[serde(default)]
    pub fen: Option<String>,
    /// Moves from there, in UCI notation.
    #[serde(default)]
    #[ts(as = "Option<Vec<String>>")]
    pub moves: Vec<String>,
    /// Whose analysis.
    pub seat: Seat,
    /// How long it may think; 10 seconds if neither this nor the seat says anything.
    #[serde(default)]
    pub limit: Option<AnalysisLimit>,
    /// How many lines; the seat's if absent.
    #[serde(default)]
    pub multipv: Option<usize>,
}

/// How long a player may think.
#[derive(Copy, Clone, Debug, Default, Deserialize, TS)]
#[serde(deny_unknown_fields)]
#[ts(optional_fields)]
pub struct AnalysisLimit {
    /// Plies.
    #[serde(default)]
    pub depth: Option<u32>,
    /// Positions.
    #[serde(default)]
    pub nodes: Option<u64>,
    /// Milliseconds.
    #[serde(default)]
    pub movetime: Option<u64>,
    /// None at all: until it is stopped, or until nobody has listened for a while. A limit of the seat still holds.
    #[serde(default)]
    #[ts(as = "Option<bool>")]
    pub infinite: bool,
}

/// The name of an analysis.
#[derive(Clone, Debug, Serialize, TS)]
pub struct AnalysisId {
    /// For `/analyses/ID/events`.
    pub id: String,
}

/// An analysis as it stands.
#[derive(Clone, Debug, Serialize, TS)]
#[ts(optional_fields)]
pub struct AnalysisUpdate {
    /// What the player thinks; absent before it has said anything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<Why>,
    /// Whether that is its last word.
    pub done: bool,
    /// Why there is nothing more to come, if something went wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// All analyses.
#[derive(Default)]
pub(crate) struct Analyses(Mutex<BTreeMap<String, Arc<Analysis>>>);

struct Analysis {
    number: u64,
    control: Control,
    is_done: AtomicBool,
    updates: Topic,
}

/// The endpoints of analyses, below `/api/v1`.
pub(crate) fn routes() -> Router<Server> {
    Router::new()
        .route("/analyses", post(ask))
        .route("/analyses/{id}", delete(stop))
        .route("/analyses/{id}/events", get(follow))
}

async fn ask(
    State(server): State<Server>,
    Body(request): Body<AnalysisRequest>,
) -> ApiResult<(StatusCode, Json<AnalysisId>)> {
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
    let share = server.registry().memory.take(seat.memory_mib())?;
    let (id, analysis) = server.analyses().begin()?;
    tokio::spawn(listen_to(Arc::clone(&analysis)));
    let at_work = server.clone();
    let spawned = std::thread::Builder::new()
        .name("analysis".to_owned())
        .spawn(move || {
            games::stand_back();
            think(&at_work, &analysis, &seat, &game, &limits, lines);
            drop(share);
            analysis.is_done.store(true, Ordering::Relaxed);
        });
    if spawned.is_err() {
        server.analyses().remove(&id);
        return Err(ApiError::too_many(
            "too-many-analyses",
            "there is no thread to be had",
        ));
    }
    Ok((StatusCode::CREATED, Json(AnalysisId { id })))
}

fn limits(limit: AnalysisLimit, seat: &CheckedSeat) -> ApiResult<Limits> {
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
    if limit.infinite {
        if wanted.are_finite() {
            let message = "either a limit or none";
            return Err(ApiError::bad_request("bad-limit", message).field("limit.infinite"));
        }
        return Ok(seat.move_limits().over(&wanted));
    }
    let mut limits = seat.move_limits().over(&wanted);
    if !limits.are_finite() {
        limits.move_time = Some(USUAL);
    }
    Ok(games::bounded(seat, &limits))
}

/// Stops a player to whom nobody has listened for a while, also one that says nothing for long.
async fn listen_to(analysis: Arc<Analysis>) {
    let mut unheard = Duration::ZERO;
    while !analysis.is_done.load(Ordering::Relaxed) && !analysis.control.is_stopped() {
        tokio::time::sleep(LOOK).await;
        unheard = match analysis.updates.listeners() {
            0 => unheard + LOOK,
            _ => Duration::ZERO,
        };
        if unheard >= UNHEARD {
            analysis.control.stop();
        }
    }
}

/// Lets the player think and tells what it says.
fn think(
    server: &Server,
    analysis: &Analysis,
    seat: &CheckedSeat,
    game: &Game,
    limits: &Limits,
    lines: usize,
) {
    let tell = |why: Option<Why>, done: bool, error: Option<String>| {
        analysis.updates.publish(&AnalysisUpdate { why, done, error });
    };
    let position = game.position();
    let outcome = (|| {
        let Some(_slot) = server.registry().slots.take(true, &analysis.control) else {
            return Ok(None);
        };
        let mut player = games::seated(seat, game, 0, lines)?;
        let breakdown = player.breakdown(position);
        let evaluation = breakdown.map(|breakdown| ExplainedEvaluation::new(position, breakdown));
        let begun = Instant::now();
        let mut last_told = begun;
        let mut heard = Lines::default();
        let limits = Limits {
            started: begun,
            ..limits.clone()
        };
        let reply = player.think_aloud(game, &limits, &analysis.control, &mut |info| {
            heard.note(info);
            let now = Instant::now();
            if now > last_told + PACE {
                last_told = now;
                let so_far = Explanation::Search(heard.explain(position, evaluation.clone()));
                tell(
                    Some(Why::new(&seat.name, position, None, Some(&so_far))),
                    false,
                    None,
                );
            }
        });
        let reply = reply.map_err(|fault| fault.to_string())?;
        // Somebody who analyses asks about the position, not about a move that was played.
        let explanation = explain(player.as_ref(), position, position, &heard, &reply);
        let why = Why::new(&seat.name, position, reply.best, Some(&explanation));
        Ok::<_, String>(Some(why))
    })();
    match outcome {
        Ok(why) => tell(why, true, None),
        Err(trouble) => tell(None, true, Some(trouble)),
    }
}

async fn follow(State(server): State<Server>, Path(id): Path<String>) -> ApiResult<impl IntoResponse> {
    let analysis = server.analyses().find(&id)?;
    events::answer(analysis.updates.follow())
}

async fn stop(State(server): State<Server>, Path(id): Path<String>) -> ApiResult<StatusCode> {
    let analysis = server.analyses().remove(&id).ok_or_else(unknown)?;
    analysis.control.stop();
    Ok(StatusCode::NO_CONTENT)
}

fn unknown() -> ApiError {
    ApiError::not_found("no-such-analysis", "there is no such analysis")
}

impl Analyses {
    fn all(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Analysis>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self) -> ApiResult<(String, Arc<Analysis>)> {
        let mut all = self.all();
        let is_done = |analysis: &Arc<Analysis>| analysis.is_done.load(Ordering::Relaxed);
        if all.values().filter(|analysis| !is_done(analysis)).count() >= MOST_OPEN {
            let message = format!("{MOST_OPEN} players are being asked already; stop one");
            return Err(ApiError::too_many("too-many-analyses", message));
        }
        while all.values().filter(|analysis| is_done(analysis)).count() >= MOST_DONE {
            let oldest = all
                .iter()
                .filter(|(_, analysis)| is_done(analysis))
                .min_by_key(|(_, analysis)| analysis.number);
            let Some(id) = oldest.map(|(id, _)| id.clone()) else {
                break;
            };
            all.remove(&id);
        }
        let number = all
            .values()
            .map(|analysis| analysis.number + 1)
            .max()
            .unwrap_or(0);
        let id = games::name(games::random(number));
        let analysis = Arc::new(Analysis {
            number,
            control: Control::new(),
            is_done: AtomicBool::new(false),
            updates: Topic::new("analysis"),
        });
        all.insert(id.clone(), analysis.clone());
        Ok((id, analysis))
    }

    fn find(&self, id: &str) -> ApiResult<Arc<Analysis>> {
        self.all().get(id).cloned().ok_or_else(unknown)
    }

    fn remove(&self, id: &str) -> Option<Arc<Analysis>> {
        self.all().remove(id)
    }

    /// Stops them all.
    pub(crate) fn close(&self) {
        for analysis in self.all().values() {
            analysis.control.stop();
        }
    }
}
