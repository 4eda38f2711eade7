//! What can be taken away: tables, pictures and games, made when they are asked for.
//!
//! Games are written one by one into the answer, so that a long run costs no memory. What is asked for is looked up in a
//! list of names; no name of a file on the disk is ever made of a request.

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Json;
use axum::body::{Body, Bytes};
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use ts_rs::TS;
use vidmar_arena::archive::{self, PgnStyle};
use vidmar_formats::pgn;
use vidmar_store::{Store, StoreError};
use vidmar_tune::export::{self, Format};
use vidmar_tune::run::RunError;
use vidmar_tune::status::View;

use super::contest::Contest;
use super::games::validation_run;
use super::library::{Entry, Kind, Library};
use super::overview::{Run, RunState};
use super::tuning::Tuning;
use super::{long, quick};
use crate::error::{ApiError, ApiResult};
use crate::server::Server;

/// Bytes that are sent at once, and how many such pieces may wait for a slow reader.
const PIECE: usize = 64 * 1024;
const WAITING: usize = 4;

/// The media type of games.
const PGN: &str = "application/x-chess-pgn; charset=utf-8";

/// A file that can be taken away.
#[derive(Debug, Serialize, TS)]
pub(super) struct RunFile {
    name: String,
    /// What is in it.
    about: String,
}

const ABOUT: &[(&str, &str)] = &[
    ("population", "the vectors that the method works with now"),
    ("history", "the vectors that it remembers"),
    ("vectors", "the result vectors"),
    (
        "parameters",
        "every parameter before and after, and what the games say it is worth",
    ),
    ("ratings", "every vector that played, by rating"),
    ("games", "the games"),
    ("trajectories", "every parameter over the generations"),
    ("convergence", "scores and spread over the generations"),
    ("validation", "the matches of the validation"),
    (
        "gauntlet",
        "ratings of the gauntlet of reference engines, where it was run",
    ),
    ("intervals", "where in its interval every parameter is now"),
    ("validation-games", "the games of the validation"),
    ("match", "the table, the test and how games ended"),
];

/// `GET /runs/{id}/files`
pub(super) async fn files(
    State(server): State<Server>,
    Path(id): Path<String>,
) -> ApiResult<Json<Vec<RunFile>>> {
    quick(server, move |library| {
        let entry = library.find(&id)?;
        Ok(names(&entry)
            .into_iter()
            .map(|name| {
                let stem = name.split('.').next().unwrap_or_default();
                let about = ABOUT.iter().find(|(known, _)| *known == stem);
                RunFile {
                    about: about.map_or_else(String::new, |(_, about)| (*about).to_owned()),
                    name,
                }
            })
            .collect())
    })
    .await
}

/// The names of all files of a run.
fn names(entry: &Entry) -> Vec<String> {
    match &entry.kind {
        Kind::Tuning(_) => {
            let tables =
                |ending: &'static str| export::table_names().map(move |name| format!("{name}.{ending}"));
            let plots = export::plot_names().map(|name| format!("{name}.svg"));
            let games = ["games.pgn", "validation-games.pgn"].map(str::to_owned);
            tables("csv")
                .chain(tables("json"))
                .chain(plots)
                .chain(games)
                .collect()
        }
        Kind::Match(_) => ["match.json", "games.csv", "games.pgn"]
            .map(str::to_owned)
            .to_vec(),
    }
}

/// `GET /runs/{id}/files/{name}`
pub(super) async fn file(
    State(server): State<Server>,
    Path((id, name)): Path<(String, String)>,
) -> ApiResult<Response> {
    let entry = super::blocking(&server, false, move |library| readable(library, &id)).await?;
    if !names(&entry).contains(&name) {
        return Err(ApiError::not_found(
            "no-such-file",
            format!("there is no file '{name}'"),
        ));
    }
    let disposition = format!("attachment; filename=\"{}-{name}\"", entry.id);
    let kind = match name.rsplit('.').next() {
        Some("csv") => "text/csv; charset=utf-8",
        Some("json") => "application/json",
        Some("svg") => "image/svg+xml",
        _ => PGN,
    };
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, disposition),
    ];
    let is_match = matches!(entry.kind, Kind::Match(_));
    let body = if kind == PGN || (is_match && name == "games.csv") {
        streamed(&server, entry, name)
    } else {
        Body::from(long(server, move |_| whole(&entry, &name)).await?)
    };
    Ok((headers, body).into_response())
}

/// The run, if its files make sense: once an answer has begun there is no way to say that they do not.
fn readable(library: &Library, id: &str) -> ApiResult<Arc<Entry>> {
    let entry = library.find(id)?;
    match entry.overview() {
        Run {
            state: RunState::Unreadable,
            problem,
            ..
        } => Err(entry.unreadable(&problem.unwrap_or_default())),
        _ => Ok(entry),
    }
}

/// A file that fits into memory.
fn whole(entry: &Entry, name: &str) -> ApiResult<String> {
    let none = || ApiError::conflict("not-yet", "the first generation is not complete");
    match &entry.kind {
        Kind::Match(contest) => {
            let table = contest.table().map_err(|error| entry.unreadable(&error))?;
            serde_json::to_string_pretty(&*table).map_err(|error| entry.unreadable(&error))
        }
        Kind::Tuning(tuning) => {
            let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
            let made = View::look(&tuning.directory, |view| match ending {
                "svg" => Ok(export::plot(&view, stem)),
                "json" => export::table(&view, stem, Format::Json),
                _ => export::table(&view, stem, Format::Csv),
            });
            made.map_err(|error: RunError| entry.unreadable(&error))?
                .ok_or_else(none)
        }
    }
}

/// A file that is written into the answer piece by piece.
fn streamed(server: &Server, entry: Arc<Entry>, name: String) -> Body {
    let (sender, receiver) = mpsc::channel(WAITING);
    let desk = Arc::clone(&server.runs().long);
    tokio::spawn(async move {
        // The permit is given back when the last piece is sent, or when the reader has gone away.
        let Ok(_permit) = desk.acquire_owned().await else {
            return;
        };
        let work = tokio::task::spawn_blocking(move || {
            let mut pipe = Pipe::new(sender);
            let done = match &entry.kind {
                Kind::Tuning(tuning) => write_tuning(tuning, &name, &mut pipe),
                Kind::Match(contest) => write_match(contest, &name, &mut pipe),
            };
            pipe.end(done);
        });
        // It ends by itself when nobody reads any more.
        let _ = work.await;
    });
    Body::from_stream(ReceiverStream::new(receiver))
}

fn write_tuning(tuning: &Tuning, name: &str, pipe: &mut Pipe) -> Result<(), String> {
    let pipe = std::cell::RefCell::new(pipe);
    let begun = AtomicBool::new(false);
    let done = View::look(&tuning.directory, |view| {
        once(&begun)?;
        let run = match name {
            "validation-games.pgn" => validation_run(&view.store)?,
            _ => Some(view.run),
        };
        match run {
            Some(run) => export::write_pgn(&view, run, &mut **pipe.borrow_mut()),
            None => Ok(()),
        }
    });
    done.map_err(|error: RunError| error.to_string())
}

fn write_match(contest: &Contest, name: &str, pipe: &mut Pipe) -> Result<(), String> {
    let pipe = std::cell::RefCell::new(pipe);
    let begun = AtomicBool::new(false);
    let done = Store::read(&contest.store, |store| {
        once(&begun).map_err(Failure::Run)?;
        let players = store.players(contest.run)?;
        let mut pipe = pipe.borrow_mut();
        if name == "games.csv" {
            return write_csv(&store, contest.run, &players, &mut **pipe);
        }
        let style = PgnStyle::default();
        let mut writer = pgn::Writer::new(&mut **pipe);
        store.for_each_game(contest.run, |game| {
            let made =
                archive::pgn_of(&game, &players, &style).map_err(|error| Failure::Text(error.to_string()))?;
            writer
                .write(&made)
                .map_err(|error| Failure::Text(error.to_string()))
        })
    });
    done.map_err(|error: Failure| error.to_string())
}

fn write_csv(
    store: &Store,
    run: vidmar_store::RunId,
    players: &[vidmar_store::Player],
    out: impl Write,
) -> Result<(), Failure> {
    let failed = |error: csv::Error| Failure::Text(error.to_string());
    let mut writer = csv::Writer::from_writer(out);
    writer
        .write_record([
            "number",
            "round",
            "white",
            "black",
            "result",
            "termination",
            "opening",
            "plies",
        ])
        .map_err(failed)?;
    let name = |index: u32| {
        players
            .get(index as usize)
            .map_or("?", |player| player.name.as_str())
    };
    store.for_each_game(run, |game| {
        let plies = game.moves.split_ascii_whitespace().count();
        writer
            .write_record([
                game.number.to_string().as_str(),
                &game.round.to_string(),
                name(game.white),
                name(game.black),
                vidmar_chess::Outcome::text(game.result),
                &game.termination,
                &game.opening,
                &plies.to_string(),
            ])
            .map_err(failed)
    })?;
    writer.flush().map_err(|error| Failure::Text(error.to_string()))
}

/// Why a file broke off.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Run(RunError),
    #[error("{0}")]
    Text(String),
}

/// What was begun cannot be begun again: a run that somebody goes on with meanwhile breaks the file off.
fn once(begun: &AtomicBool) -> Result<(), RunError> {
    if begun.swap(true, Ordering::Relaxed) {
        return Err(RunError::State {
            what: "the run",
            reason: "it goes on".to_owned(),
        });
    }
    Ok(())
}

/// A writer into an answer.
struct Pipe {
    sender: mpsc::Sender<io::Result<Bytes>>,
    piece: Vec<u8>,
}

impl Pipe {
    fn new(sender: mpsc::Sender<io::Result<Bytes>>) -> Pipe {
        Pipe {
            sender,
            piece: Vec::with_capacity(PIECE),
        }
    }

    fn send(&mut self) -> io::Result<()> {
        let piece = std::mem::replace(&mut self.piece, Vec::with_capacity(PIECE));
        self.sender
            .blocking_send(Ok(piece.into()))
            .map_err(|_| io::ErrorKind::BrokenPipe.into())
    }

    /// A file that broke off ends the connection, so that nobody takes it for whole.
    fn end(mut self, done: Result<(), String>) {
        let sent = match done {
            Ok(()) => self.send(),
            Err(message) => self
                .sender
                .blocking_send(Err(io::Error::other(message)))
                .map_err(|_| io::ErrorKind::BrokenPipe.into()),
        };
        // Nobody is there to be told.
        drop(sent);
    }
}

impl Write for Pipe {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.piece.len() + bytes.len() > PIECE && !self.piece.is_empty() {
            self.send()?;
        }
        self.piece.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
