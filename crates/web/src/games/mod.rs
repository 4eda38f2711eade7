//! Games between people and players.
//!
//! | module | holds |
//! | --- | --- |
//! | `types` | what is asked and answered |
//! | `play` | the course of one game |
//! | `table`, `registry` | one game with its seats and watchers; all of them |
//! | `worker`, `slots` | the thread of a game; slots to think in |
//! | `keeper` | games on the disk |
//! | `actions`, `start`, `score_sheet` | what people do; where games begin; games as PGN |

mod actions;
mod keeper;
mod play;
mod registry;
mod score_sheet;
mod slots;
mod start;
mod table;
pub mod types;
mod worker;

use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use axum::{Json, Router};
use tokio_stream::StreamExt as _;
use vidmar_chess::ByColor;

use crate::body::{Body, MaybeBody};
use crate::catalogue::CheckedSeat;
use crate::error::{ApiError, ApiResult};
use crate::events;
use crate::server::Server;
use types::{ActionRequest, DrawRequest, Game, GameSummary, MoveRequest, NewGame};

pub use keeper::KeepError;
pub(crate) use registry::{GameRegistry, name, random};
pub(crate) use worker::{bounded, seated, stand_back};

/// The endpoints of games, below `/api/v1`.
pub(crate) fn routes() -> Router<Server> {
    Router::new()
        .route("/games", get(list).post(begin))
        .route("/games/{id}", get(show).delete(remove))
        .route("/games/{id}/events", get(follow))
        .route("/games/{id}/moves", post(make_move))
        .route("/games/{id}/takeback", post(take_back))
        .route("/games/{id}/resign", post(resign))
        .route("/games/{id}/draw", post(draw))
        .route("/games/{id}/pause", post(pause))
        .route("/games/{id}/continue", post(go_on))
        .route("/games/{id}/pgn", get(pgn))
        .route("/games/{id}/why/{ply}", get(why))
}

/// The longest clock: a day.
const LONGEST_CLOCK: u64 = 24 * 3_600_000;

async fn list(State(server): State<Server>) -> Json<Vec<GameSummary>> {
    Json(server.registry().list())
}

async fn begin(
    State(server): State<Server>,
    Body(request): Body<NewGame>,
) -> ApiResult<(StatusCode, Json<Game>)> {
    let config = server.config();
    let checked = |seat, side| CheckedSeat::new(seat, config).map_err(|error: ApiError| error.within(side));
    let seats = ByColor::new(
        checked(&request.white, "white")?,
        checked(&request.black, "black")?,
    );
    let game = start::game(request.start.as_ref()).map_err(|error| error.within("start"))?;
    if let Some(clock) = request.clock {
        let fits = (1..=LONGEST_CLOCK).contains(&clock.base_ms) && clock.increment_ms <= LONGEST_CLOCK;
        if !fits {
            let message = format!("expected base_ms from 1 to {LONGEST_CLOCK} and increment_ms up to that");
            return Err(ApiError::bad_request("bad-clock", message).field("clock"));
        }
    }
    check(&seats).await?;
    let seed = request.seed.map(u64::from);
    let (game, kept) = server.registry().begin(seats, &game, request.clock, seed)?;
    // A game that cannot be kept is played all the same; `/about` tells.
    let _ = kept.await;
    Ok((StatusCode::CREATED, Json(game)))
}

/// What a seat asks for must fit together; where that takes reading a case base, it is done elsewhere.
async fn check(seats: &ByColor<CheckedSeat>) -> ApiResult<()> {
    let seats = seats.clone();
    let checked = tokio::task::spawn_blocking(move || {
        for side in vidmar_chess::Color::ALL {
            let seat = &seats[side];
            seat.spec(seat.lines())
                .map_err(|error| error.within(&side.to_string()))?;
        }
        Ok(())
    });
    checked.await.unwrap_or(Ok(()))
}

async fn show(State(server): State<Server>, Path(id): Path<String>) -> ApiResult<Json<Game>> {
    let table = server.registry().find(&id)?;
    let game = table.snapshot(&table.inner());
    Ok(Json(game))
}

async fn remove(State(server): State<Server>, Path(id): Path<String>) -> ApiResult<StatusCode> {
    let gone = server.registry().remove(&id)?;
    let _ = gone.await;
    Ok(StatusCode::NO_CONTENT)
}

async fn follow(State(server): State<Server>, Path(id): Path<String>) -> ApiResult<impl IntoResponse> {
    let table = server.registry().find(&id)?;
    // What changes from here on is heard of; and clocks have run on since the last change.
    let later = table
        .snapshots
        .follow_later()
        .merge(table.thinking.follow_later());
    let first = tokio_stream::once(events::event("game", &table.snapshot(&table.inner())));
    events::answer(first.chain(later))
}

async fn make_move(
    State(server): State<Server>,
    Path(id): Path<String>,
    Body(request): Body<MoveRequest>,
) -> ApiResult<Json<Game>> {
    let change = |play: &mut play::Play, now| actions::make_move(play, &request.uci, now);
    changed(&server, &id, Some(request.version), change).await
}

async fn take_back(
    State(server): State<Server>,
    Path(id): Path<String>,
    MaybeBody(request): MaybeBody<ActionRequest>,
) -> ApiResult<Json<Game>> {
    changed(&server, &id, request.version, actions::take_back).await
}

async fn resign(
    State(server): State<Server>,
    Path(id): Path<String>,
    MaybeBody(request): MaybeBody<ActionRequest>,
) -> ApiResult<Json<Game>> {
    let change = |play: &mut play::Play, _| actions::resign(play, request.side);
    changed(&server, &id, request.version, change).await
}

async fn draw(
    State(server): State<Server>,
    Path(id): Path<String>,
    MaybeBody(request): MaybeBody<DrawRequest>,
) -> ApiResult<Json<Game>> {
    let change = |play: &mut play::Play, _| actions::draw(play, request.action, request.side);
    changed(&server, &id, request.version, change).await
}

async fn pause(
    State(server): State<Server>,
    Path(id): Path<String>,
    MaybeBody(request): MaybeBody<ActionRequest>,
) -> ApiResult<Json<Game>> {
    changed(&server, &id, request.version, actions::pause).await
}

async fn go_on(
    State(server): State<Server>,
    Path(id): Path<String>,
    MaybeBody(request): MaybeBody<ActionRequest>,
) -> ApiResult<Json<Game>> {
    changed(&server, &id, request.version, actions::go_on).await
}

/// Makes a change and waits until it is kept.
async fn changed(
    server: &Server,
    id: &str,
    version: Option<u64>,
    change: impl FnOnce(&mut play::Play, std::time::Instant) -> ApiResult<()>,
) -> ApiResult<Json<Game>> {
    let table = server.registry().find(id)?;
    let (game, kept) = server.registry().change(&table, version, change)?;
    let _ = kept.await;
    Ok(Json(game))
}

async fn pgn(State(server): State<Server>, Path(id): Path<String>) -> ApiResult<impl IntoResponse> {
    let table = server.registry().find(&id)?;
    let text = score_sheet::pgn(&table.snapshot(&table.inner()));
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("inline; filename=\"vidmar-{id}.pgn\""),
        ),
    ];
    Ok((headers, text))
}

async fn why(
    State(server): State<Server>,
    Path((id, ply)): Path<(String, String)>,
) -> ApiResult<impl IntoResponse> {
    let table = server.registry().find(&id)?;
    let nothing = || ApiError::not_found("no-reasons", "nobody has told why that ply was played");
    let ply: usize = ply.parse().map_err(|_| nothing())?;
    let has_reasons = |ply: usize| {
        table
            .inner()
            .play
            .plies
            .get(ply.wrapping_sub(1))
            .is_some_and(|ply| ply.why)
    };
    if !has_reasons(ply) {
        return Err(nothing());
    }
    let registry = server.registry().clone();
    let number = table.number;
    let found = tokio::task::spawn_blocking(move || registry.keeper.why(number, ply)).await;
    let text = found.ok().flatten().ok_or_else(nothing)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], text))
}
